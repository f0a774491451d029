//! What the hero may know: the chamber he stands in, himself, the map so far.
//!
//! The types hold nothing undiscovered, so nothing can slip out. The drawing is in `map`, people
//! are in `talk`.

use serde::Serialize;
use ts_rs::TS;

use super::{
    Difficulty, Dungeon, Glimpse, Setup, Theme,
    endings::ScorePart,
    manners::{self, Manner},
    map::Map,
    moves::{CheckpointId, Move},
    report::ItemShown,
    state::{Entry, Hero, State, Status},
    tables::{self, ItemType, Lock, Spell, What},
    talk::{OpenThing, Person},
    words,
    world::{
        Chamber, Direction, FeatureId, Item, ItemId, Monster, MonsterId, NpcId, RoomId, RoomType,
        World,
    },
};

/// What every hero is called.
pub(super) const HERO_NAME: &str = "Adventurer";

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// What a list shows.
    #[serde(skip)]
    pub glimpse: Glimpse,
    pub room: ChamberShown,
    pub stats: Stats,
    pub map: Map,
    pub status: Status,
    /// Living monsters here.
    pub combat: Vec<Foe>,
    pub people: Vec<Person>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thing: Option<OpenThing>,
    /// Everything here and carried, looked at closely.
    pub things: Vec<Inspection>,
    pub actions: Vec<Move>,
    pub score: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub score_parts: Vec<ScorePart>,
    pub chronicle: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// The caller chose the seed, and so may know what is to come.
    pub seeded: bool,
    /// What the caller asked for, and of what is not asked for what it came to.
    #[serde(skip)]
    pub setup: Setup,
}

/// The seed's `get_current_room`.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ChamberShown {
    pub room_id: RoomId,
    pub room_type: RoomType,
    pub description: String,
    /// For whoever tells the story, in a word.
    pub mood: &'static str,
    /// Something true that has not been told yet.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<_>")]
    pub fact: String,
    /// Before this stay.
    pub visited: bool,
    pub monsters: Vec<MonsterShown>,
    pub items: Vec<ItemShown>,
    pub exits: Vec<ExitShown>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<_>")]
    pub npcs: Vec<NpcShown>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<_>")]
    pub features: Vec<FeatureShown>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MonsterShown {
    pub id: MonsterId,
    pub name: &'static str,
    pub hp: i32,
    pub max_hp: i32,
    pub attack: i32,
    #[serde(rename = "defense")]
    pub defence: i32,
    pub is_alive: bool,
    /// What it does beside striking, in plain words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub manner: Option<String>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ExitShown {
    pub direction: Direction,
    pub room_id: RoomId,
    pub is_locked: bool,
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct NpcShown {
    pub id: NpcId,
    pub name: &'static str,
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct FeatureShown {
    pub id: FeatureId,
    pub name: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct Foe {
    pub id: MonsterId,
    pub name: &'static str,
    pub hp: i32,
}

/// The seed's `get_player_stats`, and what it has no words for.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    pub name: String,
    pub hp: i32,
    pub max_hp: i32,
    pub level: u32,
    pub experience: u32,
    pub experience_to_next_level: u32,
    pub gold: u32,
    pub inventory: Vec<Carried>,
    pub equipped_weapon: Weapon,
    #[serde(rename = "equippedArmor")]
    pub equipped_armour: Armour,
    pub mana: i32,
    pub max_mana: i32,
    pub spells: Vec<SpellShown>,
    pub keys: Vec<&'static str>,
    pub rests_left: u32,
    /// With the seed these make the same dungeon again.
    pub theme: Theme,
    pub difficulty: Difficulty,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<_>")]
    pub effects: Vec<Effect>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<_>")]
    pub checkpoints: Vec<CheckpointShown>,
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct Carried {
    pub id: ItemId,
    pub name: &'static str,
    #[serde(rename = "type")]
    pub item_type: ItemType,
    pub description: &'static str,
    pub equipped: bool,
    pub quantity: u32,
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct Weapon {
    pub name: &'static str,
    pub damage: i32,
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct Armour {
    pub name: &'static str,
    #[serde(rename = "defense")]
    pub defence: i32,
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct SpellShown {
    pub name: Spell,
    pub mana: i32,
    pub effect: &'static str,
}

impl Serialize for Spell {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What works on the hero for some rounds of combat yet.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Effect {
    pub name: &'static str,
    pub effect: &'static str,
    pub rounds_left: u32,
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct CheckpointShown {
    pub id: CheckpointId,
    pub name: String,
}

/// An item looked at closely.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    pub id: ItemId,
    pub name: &'static str,
    #[serde(rename = "type")]
    pub item_type: ItemType,
    pub description: &'static str,
    pub value: u32,
    /// "room", "inventory", "keys" or "shop".
    #[serde(rename = "where")]
    pub place: &'static str,
    pub quantity: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<i32>,
    #[serde(rename = "defense", skip_serializing_if = "Option::is_none")]
    pub defence: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heals: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mana: Option<i32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub equipped: bool,
    /// Against what is worn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<String>,
}

impl View {
    pub(super) fn of(dungeon: &Dungeon) -> View {
        let state = &dungeon.now;
        let chamber = state.here();
        View {
            glimpse: Glimpse::of(dungeon),
            room: ChamberShown::of(state),
            stats: Stats::of(dungeon),
            map: Map::of(&state.world, state.at),
            status: state.status(),
            combat: chamber
                .living()
                .map(|m| Foe { id: m.id, name: m.breed.name, hp: m.hp })
                .collect(),
            people: chamber.person().map(|npc| Person::of(state, npc)).into_iter().collect(),
            thing: OpenThing::of(state),
            things: things(dungeon),
            actions: dungeon.moves(),
            score: dungeon.score(),
            score_parts: dungeon.score_parts(),
            chronicle: state.chronicle.clone(),
            ending: state.ending.map(|ending| ending.text()),
            seeded: dungeon.setup.seeded,
            setup: dungeon.setup.clone(),
        }
    }

    /// The item that goes by this id, or one that goes by this name: two of a sort look alike.
    pub fn inspect(&self, text: &str) -> Option<&Inspection> {
        let text = text.trim();
        let by_id =
            self.things.iter().find(|thing| thing.id.to_string().eq_ignore_ascii_case(text));
        by_id.or_else(|| self.things.iter().find(|thing| thing.name.eq_ignore_ascii_case(text)))
    }
}

/// Whether the fact of this chamber is still to be found out: nobody needs to be told of the dead, of
/// a key in hand or in sight, or of people already met.
fn is_news(state: &State) -> bool {
    let (fact, chambers) = (&state.here().fact, &state.world.chambers);
    let monsters = || chambers.iter().flat_map(|chamber| &chamber.monsters);
    let told_of = |monster: &&Monster| fact.contains(monster.breed.name);
    let is_dead =
        monsters().any(|it| told_of(&it)) && !monsters().filter(told_of).any(Monster::alive);
    let seen = || chambers.iter().filter(|chamber| chamber.visited());
    let in_sight =
        |lock: Lock| seen().any(|chamber| chamber.items.iter().any(|item| item.ware == lock.key()));
    let is_known = [Lock::Boss, Lock::Vault]
        .into_iter()
        .any(|lock| fact.contains(lock.key().name) && (state.hero.has_key(lock) || in_sight(lock)));
    let met = seen().filter_map(|chamber| chamber.npc.as_ref());
    let is_met = met.into_iter().any(|npc| fact.contains(npc.name));
    !(is_dead || is_known || is_met)
}

impl ChamberShown {
    fn of(state: &State) -> ChamberShown {
        let (world, chamber) = (&state.world, state.here());
        let first = chamber.visits == 1;
        ChamberShown {
            room_id: chamber.id,
            room_type: chamber.room_type,
            description: words::describe(state),
            mood: words::mood(state),
            fact: if first && is_news(state) { chamber.fact.clone() } else { String::new() },
            visited: chamber.visits > 1,
            monsters: chamber
                .monsters
                .iter()
                .map(|monster| MonsterShown {
                    id: monster.id,
                    name: monster.breed.name,
                    hp: monster.hp,
                    max_hp: monster.max_hp,
                    attack: monster.attack,
                    defence: manners::defence(chamber, monster),
                    is_alive: monster.alive(),
                    manner: monster.breed.manner.filter(|_| monster.alive()).map(Manner::words),
                })
                .collect(),
            items: chamber.items.iter().map(ItemShown::of).collect(),
            exits: ExitShown::of(world, chamber),
            npcs: chamber.npc.iter().map(|npc| NpcShown { id: npc.id, name: npc.name }).collect(),
            features: chamber
                .features
                .iter()
                .map(|feature| FeatureShown { id: feature.id, name: feature.name })
                .collect(),
        }
    }
}

impl ExitShown {
    pub(super) fn of(world: &World, chamber: &Chamber) -> Vec<ExitShown> {
        chamber
            .exits()
            .map(|(direction, exit)| ExitShown {
                direction,
                room_id: world.chambers[exit.to].id,
                is_locked: exit.lock.is_some(),
            })
            .collect()
    }
}

impl Stats {
    fn of(dungeon: &Dungeon) -> Stats {
        let hero = &dungeon.now.hero;
        let story = &dungeon.now.story;
        Stats {
            name: story.hero.clone(),
            hp: hero.hp,
            max_hp: hero.max_hp(),
            level: hero.level,
            experience: hero.experience,
            experience_to_next_level: tables::next_level_at(hero.level),
            gold: hero.gold,
            inventory: hero
                .bag
                .iter()
                .map(|item| Carried {
                    id: item.id,
                    name: item.ware.name,
                    item_type: item.ware.what.item_type(),
                    description: item.ware.description,
                    equipped: hero.wears(item.id),
                    quantity: item.count,
                })
                .collect(),
            equipped_weapon: hero.weapon_shown(),
            equipped_armour: hero.armour_shown(),
            mana: hero.mana,
            max_mana: hero.max_mana(),
            spells: Spell::ALL
                .map(|spell| SpellShown { name: spell, mana: spell.mana(), effect: spell.effect() })
                .to_vec(),
            keys: hero.keys.iter().map(|key| key.ware.name).collect(),
            rests_left: hero.rests,
            theme: story.lore.theme,
            difficulty: story.difficulty,
            effects: effects(hero),
            checkpoints: dungeon
                .checkpoints
                .iter()
                .map(|point| CheckpointShown { id: point.id, name: point.name.clone() })
                .collect(),
        }
    }
}

fn effects(hero: &Hero) -> Vec<Effect> {
    [
        ("Strength", "+2 damage", hero.strength),
        ("Stone", "+2 defense", hero.stone),
        ("Ward", "+2 defense", hero.ward),
        ("Poison", "1-3 damage a round; a Health Potion, Mend or rest cures it", hero.poison),
        ("Fire", "1-3 damage a round; Defend puts it out", hero.burn),
        ("Withering", "healing is halved; rest cures it", hero.wither),
    ]
    .into_iter()
    .filter(|(.., rounds)| *rounds > 0)
    .map(|(name, effect, rounds_left)| Effect { name, effect, rounds_left })
    .collect()
}

fn things(dungeon: &Dungeon) -> Vec<Inspection> {
    let state = &dungeon.now;
    let shop = state.here().person().map(|npc| npc.stock.as_slice()).unwrap_or_default();
    [
        ("inventory", state.hero.bag.as_slice()),
        ("keys", &state.hero.keys),
        ("room", &state.here().items),
        ("shop", shop),
    ]
    .into_iter()
    .flat_map(|(place, items)| items.iter().map(move |item| (place, item)))
    .map(|(place, item)| inspect(&state.hero, place, item))
    .collect()
}

fn inspect(hero: &Hero, place: &'static str, item: &Item) -> Inspection {
    let what = item.ware.what;
    let against = |ours: i32, theirs: i32, name: &str| match ours - theirs {
        0 => format!("as good as the {name} you wear"),
        more @ 1.. => format!("{more} better than the {name} you wear"),
        less => format!("{} worse than the {name} you wear", -less),
    };
    let (weapon, armour) = (hero.weapon_shown(), hero.armour_shown());
    let worn = hero.wears(item.id);
    Inspection {
        id: item.id,
        name: item.ware.name,
        item_type: what.item_type(),
        description: item.ware.description,
        value: item.value,
        place,
        quantity: item.count,
        damage: if let What::Weapon(damage) = what { Some(damage) } else { None },
        defence: if let What::Armour(defence) = what { Some(defence) } else { None },
        heals: if let What::Heal(hp) = what { Some(hp) } else { None },
        mana: if let What::Mana(mana) = what { Some(mana) } else { None },
        equipped: worn,
        comparison: match what {
            _ if worn => None,
            What::Weapon(damage) => Some(against(damage, weapon.damage, weapon.name)),
            What::Armour(defence) => Some(against(defence, armour.defence, armour.name)),
            _ => None,
        },
    }
}
