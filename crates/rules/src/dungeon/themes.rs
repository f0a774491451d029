//! The worlds a dungeon is drawn from: places, sounds, monsters, treasures, people and choices, all
//! as tables, one file for each.

mod crypt;
mod mine;
mod temple;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    events::Event,
    tables::{Breed, Company, Ware, breed},
    world::Role,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    Crypt,
    Mine,
    Temple,
}

impl Theme {
    pub const ALL: [Theme; 3] = [Theme::Crypt, Theme::Mine, Theme::Temple];

    pub fn word(self) -> &'static str {
        match self {
            Theme::Crypt => "crypt",
            Theme::Mine => "mine",
            Theme::Temple => "temple",
        }
    }

    pub(super) fn lore(self) -> &'static Lore {
        match self {
            Theme::Crypt => &crypt::LORE,
            Theme::Mine => &mine::LORE,
            Theme::Temple => &temple::LORE,
        }
    }
}

/// All that one theme has to draw from.
pub(super) struct Lore {
    pub theme: Theme,
    pub entrances: &'static [Spot],
    pub rooms: &'static [Spot],
    pub vaults: &'static [Spot],
    pub secrets: &'static [Spot],
    /// What is heard, smelt or felt; more than there are chambers.
    pub senses: &'static [&'static str],
    /// Who stands together, by how deep it is.
    pub companies: [&'static [Company]; 3],
    pub bosses: &'static [Boss],
    /// The better weapon of the storeroom, and the good one.
    pub weapons: [&'static Ware; 2],
    pub treasures: &'static [&'static Ware],
    pub relic: &'static Ware,
    pub people: &'static [Human],
    pub furniture: &'static [Furniture],
    pub events: &'static [Event],
    /// What becomes of the place, by how the hero is remembered.
    pub endings: [&'static str; 6],
}

/// A place: what it is called, and a sentence about walls, floor and air.
pub(super) struct Spot(pub &'static str, pub &'static str);

pub(super) struct Boss {
    pub breed: &'static Breed,
    pub lairs: &'static [Spot],
}

/// Somebody every dungeon of a theme has, before and after the hero has dealt with them.
pub(super) struct Human {
    pub role: Role,
    pub name: &'static str,
    pub before: &'static str,
    pub after: &'static str,
}

/// Something to look "behind", "under" or "in", its name and a sentence about it.
pub(super) struct Furniture(pub &'static str, pub &'static str, pub &'static str);

/// The seed's own, number for number, and the same everywhere.
pub(super) static SCOUT: Breed =
    breed("Goblin Scout", [15, 3, 1], [25, 10], &[&super::tables::RUSTY_DAGGER]);
