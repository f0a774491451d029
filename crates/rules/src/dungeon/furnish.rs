//! The chambers of a new dungeon and the numbers of what is put into them.

use super::{
    layout::{CHAMBERS, Plan, Purpose, pick, shuffle},
    tables::{self, Breed, Lock, Ware, What},
    world::{Chamber, Direction, Item, ItemId, Place, RoomId, RoomType, Secret, World},
};
use crate::Dice;

const PLACED: u16 = 101;
const DROPPED: u16 = 201;
const STOCKED: u16 = 301;
const FOUND: u16 = 501;
const CALLED: u16 = 101;
pub(super) const HIDDEN: Place = CHAMBERS;

/// The chambers, joined and numbered. Numbers are drawn, so that they tell nothing about the way.
pub(super) fn dig(plan: &Plan, dice: &mut Dice) -> World {
    let mut numbers: Vec<u16> = (2..=CHAMBERS as u16 + 1).collect();
    shuffle(dice, &mut numbers);
    numbers.insert(0, 1);
    let (from, direction) = plan.secret;
    let mut chambers: Vec<Chamber> = (0..CHAMBERS)
        .map(|place| Chamber {
            id: RoomId(numbers[place]),
            room_type: room_type(plan.purposes[place]),
            at: plan.cells[place],
            ..blank()
        })
        .collect();
    chambers.push(Chamber {
        id: RoomId(numbers[HIDDEN]),
        room_type: RoomType::Secret,
        at: Direction::from(plan.cells[from], direction),
        ..blank()
    });
    chambers[0].visits = 1;
    let key_at = plan.purposes.iter().position(|p| *p == Purpose::KeyGuard).expect("there is one");
    let secret = Secret { from, direction, to: HIDDEN, revealed: false };
    let mut world =
        World { chambers, secret, key_at, key_told: false, next_monster: CALLED, next_item: FOUND };
    for &(from, direction, to) in &plan.joins {
        let behind = |place| [from, to].contains(&place);
        let lock = match () {
            () if behind(plan.boss) => Some(Lock::Boss),
            () if behind(plan.vault) => Some(Lock::Vault),
            () => None,
        };
        world.join(from, direction, to, lock);
    }
    world
}

pub(super) fn blank() -> Chamber {
    Chamber {
        id: RoomId(0),
        room_type: RoomType::Normal,
        at: (0, 0),
        name: "",
        flavour: "",
        sense: "",
        fact: String::new(),
        exits: [None; 4],
        monsters: Vec::new(),
        items: Vec::new(),
        npc: None,
        features: Vec::new(),
        choice: None,
        visits: 0,
        charted: false,
    }
}

fn room_type(purpose: Purpose) -> RoomType {
    match purpose {
        Purpose::Entrance | Purpose::Merchant | Purpose::Shrine | Purpose::Hermit => {
            RoomType::Normal
        }
        Purpose::Storeroom | Purpose::Hoard | Purpose::Vault => RoomType::Treasure,
        Purpose::Fight | Purpose::KeyGuard => RoomType::Combat,
        Purpose::Boss => RoomType::Boss,
    }
}

pub(super) struct Work {
    pub world: World,
    /// The next numbers for things that lie about and things that are dropped.
    placed: u16,
    dropped: u16,
}

impl Work {
    pub fn new(world: World) -> Work {
        Work { world, placed: PLACED, dropped: DROPPED }
    }

    pub fn leaves(&mut self, breed: &'static Breed, dice: &mut Dice) -> Option<Item> {
        let ware: &'static Ware = pick(dice, breed.drops)?;
        if !breed.boss && dice.below(100) >= tables::DROPS_IN_A_HUNDRED {
            return None;
        }
        let id = ItemId(self.dropped);
        self.dropped += 1;
        Some(Item { id, ware, value: worth(ware, dice), count: 1 })
    }

    /// Puts a ware into one of these chambers, one of the least crowded.
    pub fn put_in(&mut self, which: &dyn Fn(Place) -> bool, ware: &'static Ware, dice: &mut Dice) {
        let possible: Vec<Place> = (0..CHAMBERS).filter(|&place| which(place)).collect();
        let least = possible.iter().map(|&place| self.crowd(place)).min().expect("there is one");
        // Up to one thing a chamber is as good as none, or every one would hold exactly one.
        let enough = least.max(1);
        let roomy: Vec<Place> =
            possible.into_iter().filter(|&place| self.crowd(place) <= enough).collect();
        self.put(*pick(dice, &roomy).expect("there is one"), ware, dice);
    }

    /// How many things may come to be listed in a chamber; an answer must not grow too long.
    fn crowd(&self, place: Place) -> usize {
        let chamber = &self.world.chambers[place];
        let drops = chamber.monsters.iter().filter(|monster| monster.drop.is_some()).count();
        let others = [
            chamber.monsters.len() > 1,
            chamber.npc.is_some() && !chamber.monsters.is_empty(),
            !chamber.features.is_empty(),
            chamber.exits().count() > 2,
        ];
        let choice = if chamber.choice.is_some() { 2 } else { 0 };
        chamber.items.len() + drops + choice + others.into_iter().filter(|other| *other).count()
    }

    pub fn put(&mut self, place: Place, ware: &'static Ware, dice: &mut Dice) {
        let item = Item { id: ItemId(self.placed), ware, value: worth(ware, dice), count: 1 };
        self.placed += 1;
        self.world.chambers[place].items.push(item);
    }
}

/// A heap of coins is worth twenty to fifty; everything else what the table says.
fn worth(ware: &'static Ware, dice: &mut Dice) -> u32 {
    match ware.what {
        What::Riches if *ware == tables::GOLD_COINS => 20 + 5 * dice.below(7),
        _ => ware.value,
    }
}

pub(super) fn stock() -> Vec<Item> {
    tables::SHOP
        .iter()
        .zip(STOCKED..)
        .map(|(&(ware, price, count), id)| Item { id: ItemId(id), ware, value: price, count })
        .collect()
}
