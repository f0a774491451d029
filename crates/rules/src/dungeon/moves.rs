//! What a hero can ask for, and the one way each is written.

use std::fmt;

use serde::{Serialize, Serializer};
use ts_rs::TS;

use super::{
    tables::Spell,
    world::{Direction, FeatureId, ItemId, MonsterId, NpcId},
};

#[derive(Clone, Debug, PartialEq, Eq, TS)]
#[ts(as = "String")]
pub enum Move {
    Go(Direction),
    Attack(MonsterId),
    Defend,
    Flee,
    /// Uses an item in combat, which takes the round.
    Apply(ItemId),
    Take(ItemId),
    /// Drinks something outside combat.
    Use(ItemId),
    Equip(ItemId),
    Rest,
    /// Looks behind something.
    Search(FeatureId),
    /// Takes one of the ways of a thing, by its word.
    Touch {
        feature: FeatureId,
        way: usize,
        word: &'static str,
    },
    /// Under this name.
    Save(String),
    Load(CheckpointId),
    /// At this monster, for spells that need one.
    Cast(Spell, Option<MonsterId>),
    Talk(NpcId, Deal),
}

/// What is asked for, before it is known whether it can be done. Things and people go by their id or
/// their name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    Go(Direction),
    /// Whoever fights back, where nobody is named.
    Attack(Option<String>),
    Defend,
    Flee,
    Apply(Option<String>),
    /// The only thing there, where none is named.
    Take(Option<String>),
    Use(Option<String>),
    Equip(Option<String>),
    Rest,
    /// Something odd, and the way that is chosen of it.
    Search(String, Option<String>),
    Save(Option<String>),
    Load(String),
    /// A spell, and at whom.
    Cast(String, Option<String>),
    Talk {
        /// Where nobody is named, the choice may begin with whom.
        whom: Option<String>,
        choice: String,
    },
}

/// What somebody can be asked for; only what changes something is a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, TS)]
#[ts(as = "String")]
pub enum Deal {
    Buy(ItemId),
    Sell(ItemId),
    Give,
    Heal,
    /// Where the boss key is.
    Key,
    /// Whether there is more to this place than meets the eye.
    Secret,
    /// One of the ways that somebody offers, and its word.
    Choose {
        way: usize,
        word: &'static str,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, TS)]
#[ts(as = "String")]
pub struct CheckpointId(pub u32);

impl fmt::Display for CheckpointId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "save-{}", self.0)
    }
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Deal::Buy(item) => write!(f, "buy {item}"),
            Deal::Sell(item) => write!(f, "sell {item}"),
            Deal::Give => f.write_str("give"),
            Deal::Heal => f.write_str("heal"),
            Deal::Key => f.write_str("key"),
            Deal::Secret => f.write_str("secret"),
            Deal::Choose { word, .. } => f.write_str(word),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Move::Go(direction) => write!(f, "go {}", direction.word()),
            Move::Attack(monster) => write!(f, "attack {monster}"),
            Move::Defend => f.write_str("defend"),
            Move::Flee => f.write_str("flee"),
            Move::Apply(item) => write!(f, "apply {item}"),
            Move::Take(item) => write!(f, "take {item}"),
            Move::Use(item) => write!(f, "use {item}"),
            Move::Equip(item) => write!(f, "equip {item}"),
            Move::Rest => f.write_str("rest"),
            Move::Search(feature) => write!(f, "search {feature}"),
            Move::Touch { feature, word, .. } => write!(f, "search {feature} {word}"),
            Move::Save(name) => write!(f, "save {name}"),
            Move::Load(checkpoint) => write!(f, "load {checkpoint}"),
            Move::Cast(spell, None) => write!(f, "cast {}", spell.name().to_lowercase()),
            Move::Cast(spell, Some(monster)) => {
                write!(f, "cast {} {monster}", spell.name().to_lowercase())
            }
            Move::Talk(npc, deal) => write!(f, "talk {npc} {deal}"),
        }
    }
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Deal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for CheckpointId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
