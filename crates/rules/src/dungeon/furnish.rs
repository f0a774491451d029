//! Who and what is in the chambers when the game begins.

use super::{
    layout::{CHAMBERS, Plan, Purpose, pick, plan, shuffle},
    tables::{self, Breed, Lock, Ware, What},
    words,
    world::{
        Chamber, Direction, Feature, FeatureId, Find, Item, ItemId, Monster, MonsterId, Npc, NpcId,
        Place, Role, RoomId, RoomType, Secret, World,
    },
};
use crate::Dice;

const PLACED: u16 = 101;
const DROPPED: u16 = 201;
const STOCKED: u16 = 301;
const FOUND: u16 = 501;
const CALLED: u16 = 101;
pub(super) const HIDDEN: Place = CHAMBERS;

pub(super) fn world(dice: &mut Dice) -> World {
    let plan = plan(dice);
    let mut work = Work::new(dig(&plan, dice));
    work.populate(&plan, dice);
    work.settle(&plan, dice);
    work.place(&plan, dice);
    work.world
}

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
            flavour: pick(dice, words::flavours(plan.purposes[place]))
                .expect("every place has words"),
            ..blank()
        })
        .collect();
    chambers.push(Chamber {
        id: RoomId(numbers[HIDDEN]),
        room_type: RoomType::Secret,
        at: Direction::from(plan.cells[from], direction),
        flavour: pick(dice, &words::SECRET_FLAVOURS).expect("there are some"),
        ..blank()
    });
    chambers[0].visits = 1;
    let key_at = plan.purposes.iter().position(|p| *p == Purpose::KeyGuard).expect("there is one");
    let secret = Secret { from, direction, to: HIDDEN, revealed: false };
    let mut world = World { chambers, secret, key_at, next_monster: CALLED, next_item: FOUND };
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

    /// Monsters, numbered in the order of the drawn chamber numbers.
    fn populate(&mut self, plan: &Plan, dice: &mut Dice) {
        let mut places: Vec<Place> = (0..CHAMBERS).collect();
        places.sort_by_key(|&place| self.world.chambers[place].id);
        let mut number = 0;
        for place in places {
            let tier = match plan.purposes[place] {
                Purpose::Fight => plan.tiers[place],
                Purpose::KeyGuard => 3,
                Purpose::Boss => 0,
                _ => continue,
            };
            let company: &[&'static Breed] = match tier {
                0 => &[&tables::ORC_CHIEFTAIN],
                tier => pick(dice, tables::ENCOUNTERS[tier - 1]).expect("every tier has some"),
            };
            for breed in company {
                number += 1;
                let drop = self.leaves(breed, dice);
                let monster = Monster { drop, ..Monster::new(MonsterId(number), breed) };
                self.world.chambers[place].monsters.push(monster);
            }
        }
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

    /// People, and the odd thing beside the hidden way.
    fn settle(&mut self, plan: &Plan, dice: &mut Dice) {
        let at = |purpose| plan.purposes.iter().position(|p| *p == purpose).expect("in every plan");
        let people = [
            (Role::Merchant, at(Purpose::Merchant)),
            (Role::ShrineKeeper, at(Purpose::Shrine)),
            (Role::Hermit, at(Purpose::Hermit)),
            (Role::Knight, plan.knight),
        ];
        for ((role, place), number) in people.into_iter().zip(1..) {
            let stock = match role {
                Role::Merchant => stock(),
                _ => Vec::new(),
            };
            let npc = Npc { id: NpcId(number), role, name: role.name(), stock, done: false };
            self.world.chambers[place].npc = Some(npc);
        }
        let name = pick(dice, &words::FEATURES).expect("there are some");
        let odd = Feature { id: FeatureId(1), name, told: "", finds: Find::Exit };
        self.world.chambers[plan.secret.0].features.push(odd);
    }

    fn place(&mut self, plan: &Plan, dice: &mut Dice) {
        use tables::*;
        let at = |purpose| plan.purposes.iter().position(|p| *p == purpose).expect("in every plan");
        for (purpose, wares) in [
            (Purpose::Storeroom, &[&IRON_SWORD, &HEALTH_POTION][..]),
            (Purpose::Hoard, &[&HEALTH_POTION]),
            (Purpose::Vault, &[&CHAINMAIL, &GREATER_HEALTH_POTION, &RUBY, &HEALTH_POTION]),
            (Purpose::KeyGuard, &[&BOSS_KEY]),
        ] {
            wares.iter().for_each(|ware| self.put(at(purpose), ware, dice));
        }
        self.put(at(Purpose::Hoard), pick(dice, &HOARD).expect("there are some"), dice);
        self.put(HIDDEN, &GREATER_HEALTH_POTION, dice);
        self.put(HIDDEN, pick(dice, &HIDDEN_BEST).expect("there are some"), dice);

        let fights = |place: Place| plan.purposes[place] == Purpose::Fight;
        let open = |place: Place| plan.purposes[place].is_open();
        self.put_in(&fights, &SMALL_KEY, dice);
        self.put_in(&|place| open(place) && plan.tiers[place] == 1, &LEATHER_ARMOUR, dice);
        self.put_in(&|place| fights(place) && plan.tiers[place] > 1, &STEEL_SWORD, dice);
        for ware in SCATTERED {
            self.put_in(&open, ware, dice);
        }
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
