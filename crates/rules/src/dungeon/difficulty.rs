//! How hard a dungeon is meant to be: the same rules with other numbers.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// For a child: whoever falls wakes at the stairs.
    Gentle,
    #[default]
    Standard,
    Grim,
}

pub(super) struct Terms {
    pub hp: i32,
    pub potions: u32,
    pub rests: u32,
    /// What a monster has, of a hundred.
    pub health: i32,
    /// Added to a monster's attack away from the entrance.
    pub attack: i32,
    pub boss_hp: i32,
    pub wakes: bool,
    /// What the victory is worth beside its five hundred points.
    pub bonus: i32,
}

impl Difficulty {
    pub const ALL: [Difficulty; 3] = [Difficulty::Gentle, Difficulty::Standard, Difficulty::Grim];

    pub fn word(self) -> &'static str {
        match self {
            Difficulty::Gentle => "gentle",
            Difficulty::Standard => "standard",
            Difficulty::Grim => "grim",
        }
    }

    pub(super) fn terms(self) -> Terms {
        match self {
            Difficulty::Gentle => Terms {
                hp: 30,
                potions: 3,
                rests: 4,
                health: 80,
                attack: -1,
                boss_hp: -12,
                wakes: true,
                bonus: -200,
            },
            Difficulty::Standard => Terms {
                hp: 25,
                potions: 2,
                rests: 3,
                health: 100,
                attack: 0,
                boss_hp: 0,
                wakes: false,
                bonus: 0,
            },
            Difficulty::Grim => Terms {
                hp: 25,
                potions: 2,
                rests: 2,
                health: 108,
                attack: 1,
                boss_hp: 8,
                wakes: false,
                bonus: 300,
            },
        }
    }
}
