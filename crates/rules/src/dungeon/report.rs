//! What a move did, as the log keeps it and the caller is told.

use serde::Serialize;
use ts_rs::TS;

use super::{
    moves::CheckpointId,
    tables::{ItemType, Spell},
    view::{Armour, Weapon},
    world::{Direction, Item, ItemId, MonsterId, RoomId, Secret, World},
};

#[derive(Clone, Debug, Serialize, TS)]
pub struct Report {
    pub message: String,
    #[serde(flatten)]
    pub deed: Deed,
}

#[derive(Clone, Debug, Serialize, TS)]
#[serde(untagged)]
pub enum Deed {
    Go(Go),
    Fight(Box<Fight>),
    Take(Take),
    Use(Use),
    Equip(Equip),
    Rest(Rest),
    Save(Saved),
    Load(Loaded),
    Cast(Cast),
    Talk(Talk),
    Touch(Touch),
}

#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Go {
    pub previous_room_id: RoomId,
    pub new_room_id: RoomId,
    /// The key that opened the door.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unlocked: Option<&'static str>,
}

/// One round of combat.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Fight {
    pub player_damage_dealt: i32,
    pub player_damage_taken: i32,
    pub monster_killed: bool,
    /// Of the monster the round was about.
    pub monster_name: &'static str,
    pub monster_hp_remaining: i32,
    pub player_hp_remaining: i32,
    pub combat_over: bool,
    /// All monsters here are dead.
    pub victory: bool,
    pub experience_gained: u32,
    pub gold_dropped: u32,
    pub items_dropped: Vec<Dropped>,
    pub rolls: Vec<Roll>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub new_room_id: Option<RoomId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub spell: Option<Spell>,
    /// The new level.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub level_up: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hp_restored: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mana_restored: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mana_left: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub effect: Option<&'static str>,
    /// To a thief, or to a fall.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub gold_lost: Option<u32>,
    /// What has been told of it, and what happened beside it and is told next.
    #[serde(skip)]
    pub(super) said: Vec<String>,
    #[serde(skip)]
    pub(super) asides: Vec<String>,
}

impl Fight {
    /// Tells a sentence, then what happened beside it.
    pub(super) fn say(&mut self, sentence: String) {
        self.said.push(sentence);
        self.said.append(&mut self.asides);
    }

    pub(super) fn message(&mut self) -> String {
        self.said.append(&mut self.asides);
        self.said.join(" ")
    }
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct Dropped {
    pub id: ItemId,
    pub name: &'static str,
    #[serde(rename = "type")]
    pub item_type: ItemType,
}

/// A die that fell.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub struct Roll {
    pub by: By,
    /// What a monster is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<&'static str>,
    #[serde(rename = "for")]
    pub purpose: &'static str,
    /// How many sides it had, if not six.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub of: Option<u32>,
    pub die: u32,
    /// After everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub damage: Option<i32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<_>")]
    pub critical: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, TS)]
#[ts(as = "String")]
pub enum By {
    You,
    Monster(MonsterId),
    /// Poison, fire.
    Effect(&'static str),
}

impl Serialize for By {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            By::You => serializer.serialize_str("you"),
            By::Effect(name) => serializer.serialize_str(name),
            By::Monster(id) => id.serialize(serializer),
        }
    }
}

/// An item on the floor or in the hand.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ItemShown {
    pub id: ItemId,
    pub name: &'static str,
    #[serde(rename = "type")]
    pub item_type: ItemType,
    pub description: &'static str,
    pub value: u32,
}

impl ItemShown {
    pub(super) fn of(item: &Item) -> ItemShown {
        ItemShown {
            id: item.id,
            name: item.ware.name,
            item_type: item.ware.what.item_type(),
            description: item.ware.description,
            value: item.value,
        }
    }
}

/// A hidden exit that can be seen from now on.
#[derive(Clone, Copy, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Revealed {
    pub room_id: RoomId,
    pub direction: Direction,
    /// Where the exit is.
    pub from_room_id: RoomId,
}

impl Revealed {
    pub(super) fn of(world: &World, secret: Secret) -> Revealed {
        Revealed {
            room_id: world.chambers[secret.to].id,
            direction: secret.direction,
            from_room_id: world.chambers[secret.from].id,
        }
    }
}

#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Take {
    pub item: ItemShown,
    pub gold_gained: u32,
    pub inventory_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub equipped: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub revealed: Option<Revealed>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Use {
    pub item: ItemShown,
    pub player_hp_remaining: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hp_restored: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mana_restored: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub effect: Option<&'static str>,
    pub quantity_left: u32,
}

#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Equip {
    pub item: ItemShown,
    pub equipped_weapon: Weapon,
    #[serde(rename = "equippedArmor")]
    pub equipped_armour: Armour,
}

#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Rest {
    pub hp_restored: i32,
    pub mana_restored: i32,
    pub player_hp_remaining: i32,
    pub rests_left: u32,
}

#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    pub checkpoint_id: CheckpointId,
    pub name: String,
}

#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Loaded {
    pub checkpoint_id: CheckpointId,
    pub name: String,
    pub new_room_id: RoomId,
}

/// A spell cast in peace.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Cast {
    pub spell: Spell,
    pub mana_left: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hp_restored: Option<i32>,
    /// What came to light, perhaps nothing; absent for spells that reveal nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub revealed: Option<Vec<Revealed>>,
}

/// A deal with somebody.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub struct Talk {
    pub npc: &'static str,
    #[serde(flatten)]
    pub gains: Gains,
}

/// Something looked at closely, or done with.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub struct Touch {
    pub feature: &'static str,
    #[serde(flatten)]
    pub gains: Gains,
}

/// What was given and got; the hidden way is told where one was found.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Gains {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub gold_spent: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub gold_gained: Option<u32>,
    /// What the hero got, or in a sale what he gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub item: Option<ItemShown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub equipped: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hp_restored: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub revealed: Option<Revealed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hp_lost: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mana_restored: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub experience_gained: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub level_up: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<_>")]
    pub rolls: Vec<Roll>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub player_hp_remaining: Option<i32>,
}
