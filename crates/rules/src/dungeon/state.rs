//! How things stand: the world, the hero, what is over and what is worth remembering.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    difficulty::Terms,
    endings::Fame,
    moves::{Deal, Move},
    report::Report,
    story::Story,
    tables::{self, Breed, Lock, Ware, What},
    view::{Armour, Weapon},
    world::{Chamber, ENTRANCE, Item, ItemId, Monster, MonsterId, Place, World},
};
use crate::Dice;

/// Few enough to be read at the end.
const CHRONICLE: usize = 30;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum Status {
    Exploring,
    InCombat,
    Victory,
    Dead,
}

/// A moment worth remembering.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Entry {
    pub turn: u32,
    pub text: String,
}

#[derive(Clone, Copy)]
pub(super) enum Ending {
    /// Over this boss, how it is remembered, and what became of the place.
    Fame(Fame, &'static Breed, &'static str),
    /// By whom or what.
    Death(&'static str),
}

#[derive(Clone)]
pub(super) struct State {
    pub world: World,
    pub story: Story,
    pub hero: Hero,
    pub at: Place,
    /// The monster last attacked.
    pub target: Option<MonsterId>,
    /// How many moves have used dice; it chooses the dice of the next one.
    pub luck: u32,
    /// How many moves have been made, savings and loadings aside.
    pub steps: u32,
    pub ending: Option<Ending>,
    pub chronicle: Vec<Entry>,
}

impl State {
    pub fn new(world: World, story: Story) -> State {
        let hero = Hero::new(&story.difficulty.terms());
        State {
            world,
            story,
            hero,
            at: ENTRANCE,
            target: None,
            luck: 0,
            steps: 0,
            ending: None,
            chronicle: Vec::new(),
        }
    }

    pub fn here(&self) -> &Chamber {
        &self.world.chambers[self.at]
    }

    pub fn here_mut(&mut self) -> &mut Chamber {
        &mut self.world.chambers[self.at]
    }

    pub fn in_combat(&self) -> bool {
        self.here().living().next().is_some()
    }

    pub fn status(&self) -> Status {
        match self.ending {
            Some(Ending::Fame(..)) => Status::Victory,
            Some(Ending::Death(_)) => Status::Dead,
            None if self.in_combat() => Status::InCombat,
            None => Status::Exploring,
        }
    }

    /// Whom the hero fights if he does not say: the last target, else the weakest.
    pub fn foe(&self) -> Option<&Monster> {
        let last = self.here().living().find(|monster| Some(monster.id) == self.target);
        last.or_else(|| self.here().living().min_by_key(|monster| monster.hp))
    }

    pub fn note(&mut self, turn: u32, text: impl Into<String>) {
        if self.chronicle.len() < CHRONICLE || self.ending.is_some() {
            self.chronicle.push(Entry { turn, text: text.into() });
        }
    }

    /// Plays a move that was checked.
    pub fn play(&mut self, mv: &Move, dice: &Dice) -> Report {
        let turn = dice.turn();
        self.steps += 1;
        match mv {
            Move::Go(direction) => self.go(*direction, turn),
            Move::Take(item) => self.take(*item, turn),
            Move::Use(item) => self.drink(*item),
            Move::Equip(item) => self.equip(*item),
            Move::Rest => self.rest(),
            Move::Search(id) => self.search(*id, turn),
            Move::Touch { feature, way, .. } => self.touch(*feature, *way, dice, turn),
            Move::Talk(_, Deal::Choose { way, .. }) => self.choose(*way, dice, turn),
            Move::Talk(_, deal) => self.talk(*deal, turn),
            Move::Cast(spell, _) if !self.in_combat() => self.cast_in_peace(*spell, turn),
            mv => {
                // Turn 0 made the world; its dice are spent.
                self.luck += 1;
                self.round(mv, &mut dice.of_turn(self.luck), turn)
            }
        }
    }

    /// Where the hero comes to, whether he walks or runs.
    pub fn enter(&mut self, to: Place) {
        self.at = to;
        self.here_mut().visits += 1;
        self.target = None;
    }
}

#[derive(Clone)]
pub(super) struct Hero {
    pub hp: i32,
    pub mana: i32,
    pub level: u32,
    pub experience: u32,
    pub gold: u32,
    pub bag: Vec<Item>,
    pub keys: Vec<Item>,
    pub weapon: ItemId,
    pub armour: ItemId,
    pub rests: u32,
    /// Rounds of combat for which a draught or a ward still works.
    pub strength: u32,
    pub stone: u32,
    pub ward: u32,
    pub poison: u32,
    pub burn: u32,
    pub wither: u32,
    /// Points of armour lost in this fight.
    pub rust: i32,
    /// What he has at the first level.
    pub base_hp: i32,
}

impl Hero {
    fn new(terms: &Terms) -> Hero {
        let kit = |id, ware: &'static Ware, count| Item {
            id: ItemId(id),
            ware,
            value: ware.value,
            count,
        };
        Hero {
            hp: terms.hp,
            mana: tables::START_MANA,
            level: 1,
            experience: 0,
            gold: 0,
            bag: vec![
                kit(1, &tables::HEALTH_POTION, terms.potions),
                kit(2, &tables::RUSTY_DAGGER, 1),
                kit(3, &tables::LEATHER_ARMOUR, 1),
            ],
            keys: Vec::new(),
            weapon: ItemId(2),
            armour: ItemId(3),
            rests: terms.rests,
            strength: 0,
            stone: 0,
            ward: 0,
            poison: 0,
            burn: 0,
            wither: 0,
            rust: 0,
            base_hp: terms.hp,
        }
    }

    pub fn max_hp(&self) -> i32 {
        self.base_hp + tables::HP_PER_LEVEL * (self.level as i32 - 1)
    }

    pub fn max_mana(&self) -> i32 {
        tables::START_MANA + self.level as i32 - 1
    }

    pub fn carried(&self, id: ItemId) -> Option<&Item> {
        self.bag.iter().find(|item| item.id == id)
    }

    pub fn wears(&self, id: ItemId) -> bool {
        [self.weapon, self.armour].contains(&id)
    }

    pub fn has_key(&self, lock: Lock) -> bool {
        self.key(lock).is_some()
    }

    pub fn key(&self, lock: Lock) -> Option<&Item> {
        self.keys.iter().find(|key| key.ware.what == What::Key(lock))
    }

    pub fn weapon_shown(&self) -> Weapon {
        let weapon = self.carried(self.weapon).expect("what is worn is carried").ware;
        let What::Weapon(damage) = weapon.what else { unreachable!("only weapons are wielded") };
        Weapon { name: weapon.name, damage }
    }

    pub fn armour_shown(&self) -> Armour {
        let armour = self.carried(self.armour).expect("what is worn is carried").ware;
        let What::Armour(defence) = armour.what else { unreachable!("only armour is put on") };
        Armour { name: armour.name, defence: (defence - self.rust).max(0) }
    }

    /// With what works on the hero for the moment.
    pub fn damage(&self) -> i32 {
        self.weapon_shown().damage + boost(self.strength)
    }

    pub fn defence(&self) -> i32 {
        self.armour_shown().defence + boost(self.stone) + boost(self.ward)
    }

    /// Whether the bag would take this, on a stack or in a place of its own.
    pub fn has_room_for(&self, ware: &Ware) -> bool {
        self.stack(ware).is_some() || self.bag.len() < tables::BAG
    }

    fn stack(&self, ware: &Ware) -> Option<usize> {
        let stacks = ware.what.item_type() == tables::ItemType::Potion;
        self.bag.iter().position(|item| stacks && item.ware == ware)
    }

    /// Puts one into the bag; wears it if it is better than what is worn. Answers whether it is.
    pub fn pack(&mut self, item: Item) -> bool {
        let (id, what) = (item.id, item.ware.what);
        match self.stack(item.ware) {
            Some(stack) => self.bag[stack].count += 1,
            None => self.bag.push(Item { count: 1, value: item.ware.value, ..item }),
        }
        let better = match what {
            What::Weapon(damage) => damage > self.weapon_shown().damage,
            What::Armour(defence) => defence > self.armour_shown().defence,
            _ => false,
        };
        if better {
            self.wear(id);
        }
        better
    }

    pub fn wear(&mut self, id: ItemId) {
        match self.carried(id).expect("it was checked").ware.what {
            What::Weapon(_) => self.weapon = id,
            What::Armour(_) => self.armour = id,
            _ => unreachable!("it was checked"),
        }
    }

    /// Takes one out of the bag. Answers how many are left.
    pub fn spend(&mut self, id: ItemId) -> u32 {
        let place = self.bag.iter().position(|item| item.id == id).expect("it was checked");
        self.bag[place].count -= 1;
        let left = self.bag[place].count;
        if left == 0 {
            self.bag.remove(place);
        }
        left
    }

    /// Poison goes. Answers what is to be told of it.
    pub fn cure(&mut self) -> &'static str {
        if std::mem::take(&mut self.poison) > 0 { ", and the poison is gone" } else { "" }
    }

    /// Answers how much it helped.
    pub fn heal(&mut self, hp: i32) -> i32 {
        let hp = if self.wither > 0 { hp / 2 } else { hp };
        let restored = hp.min(self.max_hp() - self.hp);
        self.hp += restored;
        restored
    }

    pub fn restore_mana(&mut self, mana: i32) -> i32 {
        let restored = mana.min(self.max_mana() - self.mana);
        self.mana += restored;
        restored
    }
}

fn boost(rounds: u32) -> i32 {
    if rounds > 0 { tables::BOOST } else { 0 }
}
