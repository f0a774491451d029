//! What a call of a dungeon tool asks for, read from its arguments.

use rmcp::model::JsonObject;
use rules::dungeon::{Difficulty, Direction, HERO_NAME_LENGTH, Theme, Wish};
use rules::short;
use serde_json::Value;

use super::{
    offers::{DIFFICULTY, DungeonTool, HERO, THEME},
    refusals::DungeonRefusal,
};
use crate::{
    mcp::reading::{CONVERSATION, REQUEST, SEED},
    player::plain_text,
    setting_up::seed,
};

const LONGEST: usize = 128;

/// A call whose arguments make sense; whether the rules allow it is their business.
pub struct DungeonCall {
    pub conversation: String,
    /// Known again by this when it comes again.
    pub request: Option<String>,
    pub seed: Option<u64>,
    pub theme: Option<Theme>,
    pub difficulty: Option<Difficulty>,
    pub hero: Option<String>,
    pub what: What,
}

pub enum What {
    Room,
    Stats,
    Map,
    /// An item, or something in the room, and which of its ways.
    Inspect(String, Option<String>),
    /// Whom, and which topic or offer.
    Talk(Option<String>, Option<String>),
    Do(Wish),
}

/// The verbs of the rules, and how a caller says the same.
const VERBS: &[(&str, &str)] = &[
    ("go", "move_to_room"),
    ("attack", "combat_action Attack"),
    ("defend", "combat_action Defend"),
    ("flee", "combat_action Flee"),
    ("apply", "combat_action UseItem"),
    ("take", "loot_treasure"),
    ("use", "use_item"),
    ("equip", "equip_item"),
    ("rest", "rest"),
    ("search", "inspect_item"),
    ("load", "save_game load"),
    ("save", "save_game"),
    ("cast", "cast_spell"),
    ("talk", "talk_to_npc"),
];

/// A move as the rules write it, in the words of the tools.
pub fn as_call(mv: &str) -> String {
    let (verb, rest) = mv.split_once(' ').unwrap_or((mv, ""));
    let call = VERBS.iter().find(|(known, _)| *known == verb).map_or(verb, |(_, call)| call);
    // Any name will do for a checkpoint.
    let rest = if verb == "save" { "" } else { rest };
    match verb {
        "go" | "cast" => format!("{call} {}{}", rest[..1].to_uppercase(), &rest[1..]),
        _ => format!("{call} {rest}").trim_end().to_owned(),
    }
}

pub fn read(offer: &DungeonTool, arguments: &JsonObject) -> Result<DungeonCall, DungeonRefusal> {
    let conversation = conversation(arguments)?;
    for argument in offer.takes.iter().filter(|argument| argument.needed) {
        if text(arguments, argument.name)?.is_none() {
            let words = argument.words.iter().map(|word| word.to_string()).collect();
            return Err(DungeonRefusal::argument(
                format!("the {} is missing", argument.name),
                words,
            ));
        }
    }
    let seed = match arguments.get(SEED) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) if text.trim().is_empty() => None,
        Some(value) => Some(seed(value).map_err(|why| DungeonRefusal::argument(why, Vec::new()))?),
    };
    let request = text(arguments, REQUEST)?;
    let theme = one_of(arguments, THEME, Theme::ALL.map(|theme| (theme.word(), theme)))?;
    let difficulties = Difficulty::ALL.map(|difficulty| (difficulty.word(), difficulty));
    let difficulty = one_of(arguments, DIFFICULTY, difficulties)?;
    // Others read it in lists.
    let hero = text_within(HERO_NAME_LENGTH, arguments, HERO)?.map(|name| plain_text(&name));
    let hero = hero.filter(|name| !name.is_empty());
    let what = what(offer, arguments)?;
    Ok(DungeonCall { conversation, request, seed, theme, difficulty, hero, what })
}

fn what(offer: &DungeonTool, arguments: &JsonObject) -> Result<What, DungeonRefusal> {
    let get = |name| text(arguments, name);
    Ok(match offer.name {
        "get_current_room" => What::Room,
        "get_player_stats" => What::Stats,
        "get_map" => What::Map,
        "move_to_room" => What::Do(Wish::Go(direction(&get("direction")?.unwrap_or_default())?)),
        "combat_action" => What::Do(match fold(&get("action")?.unwrap_or_default()).as_str() {
            "attack" => Wish::Attack(get("targetMonsterId")?),
            "defend" => Wish::Defend,
            "flee" => Wish::Flee,
            "useitem" => Wish::Apply(get("itemId")?),
            other => {
                let words = offer.takes[0].words.iter().map(|word| word.to_string()).collect();
                return Err(DungeonRefusal::argument(
                    format!("{other:?} is no action in combat"),
                    words,
                ));
            }
        }),
        "loot_treasure" => What::Do(Wish::Take(get("itemId")?)),
        "use_item" => What::Do(Wish::Use(get("itemId")?)),
        "equip_item" => What::Do(Wish::Equip(get("itemId")?)),
        "rest" => What::Do(Wish::Rest),
        "inspect_item" => What::Inspect(get("itemId")?.unwrap_or_default(), get("choice")?),
        "save_game" => What::Do(match get("load")? {
            Some(checkpoint) => Wish::Load(checkpoint),
            None => Wish::Save(get("name")?),
        }),
        "cast_spell" => {
            What::Do(Wish::Cast(get("spell")?.unwrap_or_default(), get("targetMonsterId")?))
        }
        "talk_to_npc" => What::Talk(get("npcId")?, get("choice")?),
        other => unreachable!("{other} is not offered"),
    })
}

fn direction(text: &str) -> Result<Direction, DungeonRefusal> {
    Direction::named(text).ok_or_else(|| {
        let ways = Direction::ALL.map(|direction| direction.name().to_owned());
        DungeonRefusal::argument(format!("{text:?} is no direction"), ways.to_vec())
    })
}

/// `use_item`, `Use Item` and `useItem` are one word.
fn fold(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

pub fn conversation(arguments: &JsonObject) -> Result<String, DungeonRefusal> {
    let wrong = |why: &str| {
        Err(DungeonRefusal::conversation(format!(
            "the {CONVERSATION} {why}; send any text of 1 to {LONGEST} printable characters, and the \
             same one for the whole game"
        )))
    };
    match arguments.get(CONVERSATION) {
        None | Some(Value::Null) => wrong("is missing"),
        Some(Value::String(text)) if text.trim().is_empty() => wrong("is empty"),
        Some(Value::String(text)) if text.chars().count() > LONGEST => wrong("is too long"),
        Some(Value::String(text)) if text.chars().any(char::is_control) => {
            wrong("has characters in it that cannot be printed")
        }
        Some(Value::String(text)) if plain_text(text).is_empty() => wrong("cannot be seen"),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => wrong("is not a text"),
    }
}

/// An argument that is there and says something.
fn text(arguments: &JsonObject, name: &str) -> Result<Option<String>, DungeonRefusal> {
    text_within(LONGEST, arguments, name)
}

fn text_within(
    longest: usize,
    arguments: &JsonObject,
    name: &str,
) -> Result<Option<String>, DungeonRefusal> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(Value::String(text)) if text.trim().chars().count() > longest => {
            let why = format!("the {name} is longer than {longest} characters");
            Err(DungeonRefusal::argument(why, Vec::new()))
        }
        Some(Value::String(text)) if text.chars().any(char::is_control) => {
            let why = format!("the {name} has characters in it that cannot be printed");
            Err(DungeonRefusal::argument(why, Vec::new()))
        }
        Some(Value::String(text)) => Ok(Some(text.trim().to_owned())),
        Some(other) => {
            let other = short(&other.to_string());
            Err(DungeonRefusal::argument(
                format!("the {name} must be a text, not {other}"),
                Vec::new(),
            ))
        }
    }
}

/// One of a few words, in any case.
fn one_of<T: Copy, const N: usize>(
    arguments: &JsonObject,
    name: &str,
    words: [(&str, T); N],
) -> Result<Option<T>, DungeonRefusal> {
    let Some(given) = text(arguments, name)? else { return Ok(None) };
    let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(&given));
    found.map(|(_, meant)| Some(*meant)).ok_or_else(|| {
        let options = words.map(|(word, _)| word.to_owned()).to_vec();
        DungeonRefusal::argument(format!("{given:?} is no {name}"), options)
    })
}
