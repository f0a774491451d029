//! What there is in a dungeon: monsters and their company, wares, spells. The numbers that decide
//! how hard it is are all here; `examples/balance` shows what a change does.

use serde::Serialize;
use ts_rs::TS;

use super::manners::Manner;

/// A sort of monster.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Breed {
    pub name: &'static str,
    pub hp: i32,
    pub attack: i32,
    pub defence: i32,
    pub experience: u32,
    pub gold: u32,
    /// What it may leave behind, one of these at most.
    pub drops: &'static [&'static Ware],
    /// The one thing it does beside striking.
    pub manner: Option<Manner>,
    /// The game is won with its death.
    pub boss: bool,
}

/// A sort of thing that can be picked up.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ware {
    pub name: &'static str,
    pub what: What,
    pub description: &'static str,
    pub value: u32,
}

/// What a ware is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Weapon(i32),
    Armour(i32),
    Heal(i32),
    Mana(i32),
    Strength,
    Stone,
    /// Worth its value in gold.
    Riches,
    Key(Lock),
    /// Shows where the secret chamber is.
    Chart,
    /// Kept for its own sake; how the story ends may hang on it.
    Relic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lock {
    Boss,
    Vault,
}

impl Lock {
    pub fn key(self) -> &'static Ware {
        match self {
            Lock::Boss => &BOSS_KEY,
            Lock::Vault => &SMALL_KEY,
        }
    }
}

/// The seed's four types of item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub enum ItemType {
    Weapon,
    #[serde(rename = "Armor")]
    Armour,
    Potion,
    Treasure,
}

impl What {
    pub fn item_type(self) -> ItemType {
        match self {
            What::Weapon(_) => ItemType::Weapon,
            What::Armour(_) => ItemType::Armour,
            What::Heal(_) | What::Mana(_) | What::Strength | What::Stone => ItemType::Potion,
            What::Riches | What::Key(_) | What::Chart | What::Relic => ItemType::Treasure,
        }
    }
}

pub(super) const fn ware(
    name: &'static str,
    what: What,
    description: &'static str,
    value: u32,
) -> Ware {
    Ware { name, what, description, value }
}

pub(super) static RUSTY_DAGGER: Ware =
    ware("Rusty Dagger", What::Weapon(3), "Damage 3, more rust than edge", 5);
pub(super) static IRON_SWORD: Ware =
    ware("Iron Sword", What::Weapon(5), "Damage 5, plain and heavy", 20);
pub(super) static STEEL_SWORD: Ware =
    ware("Steel Sword", What::Weapon(7), "Damage 7, keeps its edge", 50);
pub(super) static BATTLE_AXE: Ware =
    ware("Battle Axe", What::Weapon(8), "Damage 8, needs both hands", 80);
pub(super) static LEATHER_ARMOUR: Ware =
    ware("Leather Armor", What::Armour(2), "Defense 2, boiled and stiff", 15);
pub(super) static MAIL_SHIRT: Ware =
    ware("Mail Shirt", What::Armour(3), "Defense 3, patched and oiled", 20);
pub(super) static PLATE_ARMOUR: Ware =
    ware("Plate Armor", What::Armour(4), "Defense 4, a knight's own", 80);
pub(super) static HEALTH_POTION: Ware = ware("Health Potion", What::Heal(15), "Restores 15 HP", 10);
pub(super) static GREATER_HEALTH_POTION: Ware =
    ware("Greater Health Potion", What::Heal(30), "Restores 30 HP", 25);
pub(super) static MANA_POTION: Ware = ware("Mana Potion", What::Mana(6), "Restores 6 mana", 20);
pub(super) static STRENGTH_POTION: Ware =
    ware("Strength Potion", What::Strength, "+2 damage for 3 rounds", 30);
pub(super) static STONE_POTION: Ware =
    ware("Stone Potion", What::Stone, "+2 defense for 3 rounds", 30);
pub(super) static GOLD_COINS: Ware =
    ware("Gold Coins", What::Riches, "A small heap of gold coins", 50);
pub(super) static SILVER_CHALICE: Ware =
    ware("Silver Chalice", What::Riches, "Dented, but silver", 30);
pub(super) static JEWELED_RING: Ware =
    ware("Jeweled Ring", What::Riches, "Too small for any finger", 60);
pub(super) static CROWN: Ware = ware("Warlord's Crown", What::Riches, "Iron, gold and a dent", 250);
pub(super) static BOSS_KEY: Ware =
    ware("Boss Key", What::Key(Lock::Boss), "A key as long as a hand", 0);
pub(super) static SMALL_KEY: Ware =
    ware("Small Key", What::Key(Lock::Vault), "A neat little brass key", 0);
pub(super) static SPARE_KEY: Ware =
    ware("Spare Key", What::Key(Lock::Vault), "Cut after another, a little rough", 0);
pub(super) static TORN_MAP: Ware =
    ware("Torn Map", What::Chart, "A corner of a plan of this place", 0);

/// What a hero may be shown in a shop, what it costs there, and how many there are.
pub(super) static SHOP: [(&Ware, u32, u32); 4] = [
    (&HEALTH_POTION, 40, 3),
    (&GREATER_HEALTH_POTION, 75, 1),
    (&MANA_POTION, 30, 2),
    (&STONE_POTION, 45, 1),
];

/// What the shrine keeper asks for her one healing.
pub(super) const HEALING_PRICE: u32 = 60;

pub(super) const fn breed(
    name: &'static str,
    [hp, attack, defence]: [i32; 3],
    [experience, gold]: [u32; 2],
    drops: &'static [&'static Ware],
) -> Breed {
    Breed { name, hp, attack, defence, experience, gold, drops, manner: None, boss: false }
}

impl Breed {
    pub const fn with(self, manner: Manner) -> Breed {
        Breed { manner: Some(manner), ..self }
    }

    pub const fn boss(self) -> Breed {
        Breed { boss: true, ..self }
    }
}

/// Of a hundred monsters that may leave something behind, so many do.
pub(super) const DROPS_IN_A_HUNDRED: u32 = 38;

pub(super) type Company = &'static [&'static Breed];

/// What a hero can cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, TS)]
#[ts(as = "String")]
pub enum Spell {
    Firebolt,
    Mend,
    Ward,
    Reveal,
}

impl Spell {
    pub const ALL: [Spell; 4] = [Spell::Firebolt, Spell::Mend, Spell::Ward, Spell::Reveal];

    pub fn name(self) -> &'static str {
        match self {
            Spell::Firebolt => "Firebolt",
            Spell::Mend => "Mend",
            Spell::Ward => "Ward",
            Spell::Reveal => "Reveal",
        }
    }

    pub fn mana(self) -> i32 {
        match self {
            Spell::Firebolt | Spell::Mend => 4,
            Spell::Ward => 3,
            Spell::Reveal => 2,
        }
    }

    pub fn effect(self) -> &'static str {
        match self {
            Spell::Firebolt => "6+d6 damage that no defense stops; in combat",
            Spell::Mend => "restores 10 HP",
            Spell::Ward => "+2 defense for 3 rounds; in combat",
            Spell::Reveal => "shows a hidden exit of this room, if there is one; out of combat",
        }
    }
}

pub(super) const FIREBOLT: i32 = 6;
pub(super) const MEND: i32 = 10;
/// Points of damage or armour that a draught or a ward adds, and for how many rounds.
pub(super) const BOOST: i32 = 2;
pub(super) const BOOST_ROUNDS: u32 = 3;

pub(super) const HP_PER_LEVEL: i32 = 5;
pub(super) const START_MANA: i32 = 8;
pub(super) const DEFEND_MANA: i32 = 2;
pub(super) const BAG: usize = 10;

/// The experience with which a hero of this level rises to the next: 100, 200, 350, 550, 800, ...
pub(super) fn next_level_at(level: u32) -> u32 {
    100 + 50 * (level - 1) + 25 * level * (level - 1)
}

/// A kill that brings this much experience is worth a line in the chronicle.
pub(super) const NOTABLE: u32 = 55;
