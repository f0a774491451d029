//! The tools of the dungeon room: each one's name, arguments and answer, as one table.
//!
//! The table is what clients see, what the arguments are read by, and where a refusal finds the
//! fields it must not leave out. A model pays for every word of it, so there are few.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::mcp::reading::{CONVERSATION, REQUEST, SEED};

/// One tool.
pub struct DungeonTool {
    pub name: &'static str,
    title: &'static str,
    about: &'static str,
    /// Beside the conversation.
    pub takes: &'static [Argument],
    /// What the answer always has, also a refusal of something that would have been an action.
    gives: &'static [(&'static str, Is)],
    /// It only looks.
    pub looks: bool,
}

pub struct Argument {
    pub name: &'static str,
    pub needed: bool,
    /// Empty where any text will do.
    pub words: &'static [&'static str],
    about: &'static str,
}

#[derive(Clone, Copy)]
enum Is {
    Text,
    Number,
    Flag,
    List,
    /// A list of objects with these in them.
    Each(&'static [(&'static str, Is)]),
    Object,
    /// An object with this in it, or null when nothing was done.
    Maybe(&'static str),
}

pub const THEME: &str = "theme";
pub const DIFFICULTY: &str = "difficulty";
pub const HERO: &str = "hero";

const fn needed(name: &'static str) -> Argument {
    Argument { name, needed: true, words: &[], about: "" }
}

const fn may(name: &'static str) -> Argument {
    Argument { name, needed: false, words: &[], about: "" }
}

impl Argument {
    const fn of(self, words: &'static [&'static str]) -> Argument {
        Argument { words, ..self }
    }

    const fn about(self, about: &'static str) -> Argument {
        Argument { about, ..self }
    }
}

const MONSTER: &[(&str, Is)] = &[
    ("id", Is::Text),
    ("name", Is::Text),
    ("hp", Is::Number),
    ("maxHp", Is::Number),
    ("attack", Is::Number),
    ("defense", Is::Number),
    ("isAlive", Is::Flag),
];
const ITEM: &[(&str, Is)] = &[
    ("id", Is::Text),
    ("name", Is::Text),
    ("type", Is::Text),
    ("description", Is::Text),
    ("value", Is::Number),
];
const EXIT: &[(&str, Is)] =
    &[("direction", Is::Text), ("roomId", Is::Text), ("isLocked", Is::Flag)];
const MESSAGE: (&str, Is) = ("message", Is::Text);
const HP_LEFT: (&str, Is) = ("playerHpRemaining", Is::Number);

pub const OFFERS: &[DungeonTool] = &[
    DungeonTool {
        name: "get_current_room",
        title: "Look around",
        about: "Where the hero is and what is there. Call it first and before you narrate: only \
                what it lists exists. A new conversationId starts a new dungeon.",
        takes: &[
            may(SEED).about("A number or word; the same one makes the same dungeon again."),
            may(THEME).of(&["crypt", "mine", "temple"]),
            may(DIFFICULTY).of(&["gentle", "standard", "grim"]),
            may(HERO).about("a name; these four with the first call only"),
        ],
        gives: &[
            ("roomId", Is::Text),
            ("roomType", Is::Text),
            ("description", Is::Text),
            ("visited", Is::Flag),
            ("monsters", Is::Each(MONSTER)),
            ("items", Is::Each(ITEM)),
            ("exits", Is::Each(EXIT)),
        ],
        looks: true,
    },
    DungeonTool {
        name: "get_player_stats",
        title: "The hero",
        about: "The hero's health, level, gold, gear, bag and spells; after the end also score, \
                chronicle and seed.",
        takes: &[],
        gives: &[
            ("name", Is::Text),
            ("hp", Is::Number),
            ("maxHp", Is::Number),
            ("level", Is::Number),
            ("experience", Is::Number),
            ("experienceToNextLevel", Is::Number),
            ("gold", Is::Number),
            ("inventory", Is::List),
            ("equippedWeapon", Is::Object),
            ("equippedArmor", Is::Object),
        ],
        looks: true,
    },
    DungeonTool {
        name: "move_to_room",
        title: "Go",
        about: "Goes through an exit; not in combat. A locked door opens if its key is carried. \
                One move a call, and look at success before you narrate it.",
        takes: &[needed("direction").of(&["North", "South", "East", "West"])],
        gives: &[
            MESSAGE,
            ("previousRoomId", Is::Text),
            ("newRoomId", Is::Text),
            ("newRoom", Is::Maybe("roomId")),
        ],
        looks: false,
    },
    DungeonTool {
        name: "combat_action",
        title: "Fight a round",
        about: "One round: the hero acts, then every living monster. The server rolls; tell the \
                damage and rolls it returns. UseItem needs itemId.",
        takes: &[
            needed("action").of(&["Attack", "Defend", "Flee", "UseItem"]),
            may("targetMonsterId"),
            may("itemId"),
        ],
        gives: &[
            MESSAGE,
            ("playerDamageDealt", Is::Number),
            ("playerDamageTaken", Is::Number),
            ("monsterKilled", Is::Flag),
            ("monsterName", Is::Text),
            ("monsterHpRemaining", Is::Number),
            HP_LEFT,
            ("combatOver", Is::Flag),
            ("victory", Is::Flag),
            ("experienceGained", Is::Number),
            ("goldDropped", Is::Number),
            ("itemsDropped", Is::List),
            ("rolls", Is::List),
        ],
        looks: false,
    },
    DungeonTool {
        name: "loot_treasure",
        title: "Pick up",
        about: "Picks an item up; treasure becomes gold, better gear is put on. itemId may be left \
                out when only one lies there.",
        takes: &[may("itemId")],
        gives: &[
            MESSAGE,
            ("item", Is::Maybe("id")),
            ("goldGained", Is::Number),
            ("inventoryCount", Is::Number),
        ],
        looks: false,
    },
    DungeonTool {
        name: "use_item",
        title: "Use an item",
        about: "Drinks a potion outside combat.",
        takes: &[needed("itemId")],
        gives: &[MESSAGE, ("item", Is::Maybe("id")), HP_LEFT],
        looks: false,
    },
    DungeonTool {
        name: "equip_item",
        title: "Put on gear",
        about: "Puts on a carried weapon or armor outside combat.",
        takes: &[needed("itemId")],
        gives: &[MESSAGE, ("item", Is::Maybe("id"))],
        looks: false,
    },
    DungeonTool {
        name: "rest",
        title: "Rest",
        about: "Heals half and restores mana in a room without monsters; a few times a dungeon.",
        takes: &[],
        gives: &[MESSAGE, ("hpRestored", Is::Number), HP_LEFT, ("restsLeft", Is::Number)],
        looks: false,
    },
    DungeonTool {
        name: "inspect_item",
        title: "Look closely",
        about: "Tells all about an item here or carried, or searches a feature of the room. \
                Looking at a thing that offers choices is free and lists them; `choice` takes one.",
        takes: &[needed("itemId"), may("choice").about("an offer id")],
        gives: &[MESSAGE, ("item", Is::Maybe("id"))],
        looks: false,
    },
    DungeonTool {
        name: "save_game",
        title: "Checkpoint",
        about: "Names a checkpoint, or goes back to one with load (not in combat, not after the \
                end; the dice come back too). Every action is saved without it.",
        takes: &[may("name"), may("load").about("a checkpointId")],
        gives: &[MESSAGE, ("checkpointId", Is::Text)],
        looks: false,
    },
    DungeonTool {
        name: "get_map",
        title: "The map",
        about: "The rooms visited and discovered so far, as a list and drawn as text.",
        takes: &[],
        gives: &[("rooms", Is::List), ("hidden", Is::Number), ("text", Is::Text)],
        looks: true,
    },
    DungeonTool {
        name: "cast_spell",
        title: "Cast a spell",
        about: "Casts for mana; in combat it is the hero's action of the round. Reveal only \
                outside combat.",
        takes: &[
            needed("spell").of(&["Firebolt", "Mend", "Ward", "Reveal"]),
            may("targetMonsterId"),
        ],
        gives: &[MESSAGE, HP_LEFT, ("manaLeft", Is::Number)],
        looks: false,
    },
    DungeonTool {
        name: "talk_to_npc",
        title: "Talk",
        about: "What somebody here knows and offers; with choice, takes up one of it. Write their \
                speech yourself, but keep to these facts.",
        takes: &[may("npcId"), may("choice").about("a topic or offer id")],
        gives: &[MESSAGE, ("npc", Is::Text)],
        looks: false,
    },
];

impl DungeonTool {
    pub fn tool(&self) -> Tool {
        let mut tool = Tool::new(self.name, self.about, Arc::new(object(self.input_schema())));
        tool.output_schema = Some(Arc::new(object(self.output_schema())));
        tool.title = Some(self.title.into());
        tool.with_annotations(ToolAnnotations::new().read_only(self.looks))
    }

    fn input_schema(&self) -> Value {
        let mut properties = Map::new();
        properties.insert(CONVERSATION.into(), json!({ "type": "string" }));
        let mut required = vec![CONVERSATION];
        for argument in self.takes {
            properties.insert(argument.name.into(), argument.schema());
            required.extend(argument.needed.then_some(argument.name));
        }
        if !self.looks {
            properties.insert(REQUEST.into(), json!({ "type": "string" }));
        }
        json!({ "type": "object", "properties": properties, "required": required })
    }

    /// What all answers have; the room, which is all there is to see, in full.
    fn output_schema(&self) -> Value {
        let (flag, text) = (json!({ "type": "boolean" }), json!({ "type": "string" }));
        let mut properties = Map::new();
        properties.insert("success".into(), flag);
        properties.insert("message".into(), text.clone());
        properties.insert("gameStatus".into(), text.clone());
        properties.insert("turn".into(), json!({ "type": "integer" }));
        let actions = json!({ "type": "array", "items": text });
        properties.insert("availableActions".into(), actions);
        if self.name == "get_current_room" {
            properties.extend(self.gives.iter().map(|(name, is)| (name.to_string(), is.schema())));
        }
        json!({ "type": "object", "properties": properties, "required": ["success"] })
    }

    /// The answer's own fields when nothing was done.
    pub fn nothing(&self) -> Map<String, Value> {
        let fields = if self.looks { &[] } else { self.gives };
        fields.iter().map(|(name, is)| (name.to_string(), is.nothing())).collect()
    }
}

impl Argument {
    fn schema(&self) -> Value {
        let mut schema = json!({ "type": "string" });
        if !self.words.is_empty() {
            schema["enum"] = json!(self.words);
        }
        if !self.about.is_empty() {
            schema["description"] = json!(self.about);
        }
        schema
    }
}

impl Is {
    fn schema(self) -> Value {
        let name = match self {
            Is::Text => "string",
            Is::Number => "integer",
            Is::Flag => "boolean",
            Is::List => "array",
            Is::Object => "object",
            // Hosts stumble over types with alternatives, and over no demands at all; this one
            // null fulfils too.
            Is::Maybe(field) => return json!({ "required": [field] }),
            Is::Each(fields) => {
                let own = |(name, is): &(&str, Is)| (name.to_string(), is.schema());
                let fields: Map<_, _> = fields.iter().map(own).collect();
                return json!({
                    "type": "array",
                    "items": { "type": "object", "properties": fields },
                });
            }
        };
        json!({ "type": name })
    }

    fn nothing(self) -> Value {
        match self {
            Is::Text => json!(""),
            Is::Number => json!(0),
            Is::Flag => json!(false),
            Is::List | Is::Each(_) => json!([]),
            Is::Object | Is::Maybe(_) => Value::Null,
        }
    }
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => unreachable!("it is written as an object"),
    }
}
