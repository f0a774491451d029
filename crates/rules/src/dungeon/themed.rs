//! Who and what is in the chambers of a dungeon.
//!
//! What is drawn is the same whatever the difficulty; that only changes numbers.

use super::{
    events::{self, Event},
    furnish::{HIDDEN, Work, dig, stock},
    layout::{CHAMBERS, Plan, Purpose, pick, plan, shuffle},
    story::Story,
    tables::{self, Company},
    themes::{Boss, Furniture, Lore, Spot},
    words::a,
    world::{Choice, Feature, FeatureId, Find, Monster, MonsterId, Npc, NpcId, Place, Role, World},
};
use crate::Dice;

/// How many choices a dungeon has.
const CHOICES: usize = 4;

pub(super) fn world(story: &Story, dice: &mut Dice) -> World {
    let plan = plan(dice);
    let lore = story.lore;
    let boss = pick(dice, lore.bosses).expect("every theme has some");
    let work = Work::new(dig(&plan, dice));
    let mut site = Site { work, lore, plan, features: 0 };
    site.name(boss, dice);
    site.populate(story, boss, dice);
    site.settle();
    site.furnish(dice);
    site.tempt(dice);
    site.place(dice);
    site.tell(boss, dice);
    site.work.world
}

struct Site {
    work: Work,
    lore: &'static Lore,
    plan: Plan,
    /// How many there are yet.
    features: u16,
}

impl Site {
    fn at(&self, purpose: Purpose) -> Place {
        self.plan.purposes.iter().position(|p| *p == purpose).expect("in every plan")
    }

    /// What every chamber is called and how it looks, no two alike.
    fn name(&mut self, boss: &'static Boss, dice: &mut Dice) {
        let mut rooms: Vec<&'static Spot> = self.lore.rooms.iter().collect();
        let mut senses = self.lore.senses.to_vec();
        shuffle(dice, &mut rooms);
        shuffle(dice, &mut senses);
        for (place, sense) in (0..=HIDDEN).zip(senses) {
            let special = match self.plan.purposes.get(place) {
                None => self.lore.secrets,
                Some(Purpose::Entrance) => self.lore.entrances,
                Some(Purpose::Vault) => self.lore.vaults,
                Some(Purpose::Boss) => boss.lairs,
                Some(_) => &[],
            };
            let Spot(name, flavour) =
                pick(dice, special).or_else(|| rooms.pop()).expect("there are more than enough");
            let chamber = &mut self.work.world.chambers[place];
            (chamber.name, chamber.flavour, chamber.sense) = (name, flavour, sense);
        }
    }

    /// Monsters, numbered in the order of the drawn chamber numbers.
    fn populate(&mut self, story: &Story, boss: &'static Boss, dice: &mut Dice) {
        let terms = story.difficulty.terms();
        let mut decks = self.lore.companies.map(<[Company]>::to_vec);
        decks.iter_mut().for_each(|deck| shuffle(dice, deck));
        let mut places: Vec<Place> = (0..CHAMBERS).collect();
        places.sort_by_key(|&place| self.work.world.chambers[place].id);
        let mut number = 0;
        for place in places {
            let tier = match self.plan.purposes[place] {
                Purpose::Fight => self.plan.tiers[place],
                Purpose::KeyGuard => 3,
                Purpose::Boss => 0,
                _ => continue,
            };
            let alone = [boss.breed];
            let company = match tier {
                0 => &alone,
                // A deck that has been dealt is dealt again.
                tier => {
                    let deck = &mut decks[tier - 1];
                    deck.rotate_left(1);
                    deck[deck.len() - 1]
                }
            };
            for breed in company {
                number += 1;
                let drop = self.work.leaves(breed, dice);
                let plain = Monster::new(MonsterId(number), breed);
                let max_hp = (plain.max_hp * terms.health + 50) / 100
                    + if breed.boss { terms.boss_hp } else { 0 };
                let attack = plain.attack + if tier == 1 { 0 } else { terms.attack };
                let monster = Monster { drop, hp: max_hp, max_hp, attack, ..plain };
                self.work.world.chambers[place].monsters.push(monster);
            }
        }
    }

    fn settle(&mut self) {
        for (human, number) in self.lore.people.iter().zip(1..) {
            let (place, stock) = match human.role {
                Role::Merchant => (self.at(Purpose::Merchant), stock()),
                Role::ShrineKeeper => (self.at(Purpose::Shrine), Vec::new()),
                Role::Hermit => (self.at(Purpose::Hermit), Vec::new()),
                _ => (self.plan.knight, Vec::new()),
            };
            let (id, role, name) = (NpcId(number), human.role, human.name);
            let npc = Npc { id, role, name, stock, done: false };
            self.work.world.chambers[place].npc = Some(npc);
        }
    }

    /// One piece hides the way to the secret chamber. What the others hide is smaller.
    fn furnish(&mut self, dice: &mut Dice) {
        let mut pieces: Vec<&'static Furniture> = self.lore.furniture.iter().collect();
        shuffle(dice, &mut pieces);
        let hidden = self.plan.secret.0;
        let homes = [Purpose::Storeroom, Purpose::Merchant, Purpose::Shrine, Purpose::Hermit];
        let mut places: Vec<Place> = homes.map(|purpose| self.at(purpose)).to_vec();
        places.retain(|place| *place != hidden);
        shuffle(dice, &mut places);
        places.insert(0, hidden);
        let finds = [
            Find::Exit,
            Find::Gold(15 + 5 * dice.below(4)),
            Find::Ware(&tables::HEALTH_POTION),
            Find::Nothing,
        ];
        for ((place, finds), Furniture(side, name, told)) in
            places.into_iter().zip(finds).zip(pieces)
        {
            self.put_feature(place, name, [told, side], finds);
        }
    }

    fn put_feature(
        &mut self,
        place: Place,
        name: &'static str,
        [told, side]: [&'static str; 2],
        finds: Find,
    ) {
        self.features += 1;
        let feature = Feature { id: FeatureId(self.features), name, told, side, finds };
        self.work.world.chambers[place].features.push(feature);
    }

    /// Choices, where there is not yet much to tell.
    fn tempt(&mut self, dice: &mut Dice) {
        let mut all: Vec<&'static Event> =
            events::common::EVENTS.iter().chain(self.lore.events).collect();
        shuffle(dice, &mut all);
        let quiet = [Purpose::Fight, Purpose::Hoard, Purpose::KeyGuard];
        let mut places: Vec<Place> = (1..CHAMBERS)
            .filter(|&place| quiet.contains(&self.plan.purposes[place]))
            .filter(|&place| {
                let chamber = &self.work.world.chambers[place];
                chamber.npc.is_none() && chamber.features.is_empty()
            })
            .collect();
        shuffle(dice, &mut places);
        let chosen = all.into_iter().zip(places).take(CHOICES);
        for ((event, place), number) in chosen.zip(5..) {
            self.work.world.chambers[place].choice = Some(Choice { event, taken: None });
            if event.is_thing() {
                self.put_feature(place, event.name(), ["", ""], Find::Choice);
            } else {
                let (id, name) = (NpcId(number), event.name());
                let npc = Npc { id, role: Role::Stranger, name, stock: Vec::new(), done: false };
                self.work.world.chambers[place].npc = Some(npc);
            }
        }
    }

    fn place(&mut self, dice: &mut Dice) {
        use tables::*;
        let lore = self.lore;
        let treasure = |dice: &mut Dice| *pick(dice, lore.treasures).expect("there are some");
        let draughts = [&HEALTH_POTION, &STRENGTH_POTION, &STONE_POTION, &MANA_POTION];
        let best = [treasure(dice), treasure(dice), &BATTLE_AXE, &STRENGTH_POTION];
        let vault = self.at(Purpose::Vault);
        let (store, hoard) = (self.at(Purpose::Storeroom), self.at(Purpose::Hoard));
        let mut lying: Vec<(Place, &'static Ware)> = vec![
            (store, lore.weapons[0]),
            (store, &MAIL_SHIRT),
            (store, &HEALTH_POTION),
            (store, &HEALTH_POTION),
            (hoard, &HEALTH_POTION),
            (hoard, treasure(dice)),
            (vault, &PLATE_ARMOUR),
            (vault, &GREATER_HEALTH_POTION),
            (vault, treasure(dice)),
            (vault, pick(dice, &draughts).expect("there are some")),
            (self.at(Purpose::KeyGuard), &BOSS_KEY),
            (HIDDEN, &GREATER_HEALTH_POTION),
            (HIDDEN, pick(dice, &best).expect("there are some")),
            (HIDDEN, lore.relic),
        ];
        for (place, ware) in lying.drain(..) {
            self.work.put(place, ware, dice);
        }
        let scattered = [&TORN_MAP, &HEALTH_POTION, &HEALTH_POTION, &MANA_POTION, treasure(dice)];
        let Site { work, plan, .. } = self;
        let fights = |place: Place| plan.purposes[place] == Purpose::Fight;
        let open = |place: Place| plan.purposes[place].is_open();
        work.put_in(&fights, &SMALL_KEY, dice);
        work.put_in(&|place| fights(place) && plan.tiers[place] > 1, lore.weapons[1], dice);
        for ware in scattered {
            work.put_in(&open, ware, dice);
        }
    }

    /// Something true for the first visit of a chamber; of the boss at the entrance.
    fn tell(&mut self, boss: &'static Boss, dice: &mut Dice) {
        let chambers = &self.work.world.chambers;
        let of = |monster: &Monster| {
            let manner = monster.breed.manner?.words();
            Some(format!("Of {} they say: {manner}.", a(monster.breed.name)))
        };
        let guard = &chambers[self.work.world.key_at].monsters[0];
        let named = |role| {
            let human = self.lore.people.iter().find(|human| human.role == role);
            human.expect("every theme has all four").name
        };
        let mut facts = vec![
            format!("The Boss Key is kept by {}.", a(guard.breed.name)),
            "There is one chamber here that no map shows.".to_owned(),
            "The Small Key opens a vault, and lies in a guarded chamber.".to_owned(),
            format!("The {} buys gear at half its value.", named(Role::Merchant)),
            format!("The {} heals all wounds, once, for 60 gold.", named(Role::ShrineKeeper)),
            format!("The {} would give much for a Health Potion.", named(Role::Knight)),
        ];
        let fights = (0..CHAMBERS).filter(|place| self.plan.tiers[*place] > 1);
        let foes = fights.filter_map(|place| chambers[place].monsters.first());
        facts.extend(foes.filter(|monster| !monster.breed.boss).filter_map(of));
        facts.sort();
        facts.dedup();
        shuffle(dice, &mut facts);
        let manner = boss.breed.manner.expect("every boss has one").words();
        facts.insert(0, format!("The {} is the boss here: {manner}.", boss.breed.name));
        let quiet = |place: &Place| {
            let chamber = &chambers[*place];
            let loud = chamber.choice.is_some() || chamber.npc.is_some();
            !loud && chamber.items.len() < 3 && self.plan.purposes[*place] != Purpose::Boss
        };
        let quiet: Vec<Place> = (0..CHAMBERS).filter(quiet).collect();
        for place in quiet {
            let chamber = &mut self.work.world.chambers[place];
            // Who stands there tells of itself.
            let is_news = |fact: &String| {
                chamber.monsters.iter().all(|monster| !fact.contains(monster.breed.name))
            };
            if let Some(at) = facts.iter().position(is_news) {
                chamber.fact = facts.remove(at);
            }
        }
    }
}
