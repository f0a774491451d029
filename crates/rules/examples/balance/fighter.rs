//! How to fight: by weighing what may come of each action in many imagined fights, by a rule of
//! thumb, or by hitting and hoping.

use rules::dungeon::{Carried, MonsterShown, RoomType, View};

use crate::Tools;

const IMAGINED: usize = 120;
/// Longer than any fight that somebody wins.
const LONGEST: usize = 60;
/// From this defense on nobody can be hit.
const MIST: i32 = 15;
/// From this attack on a blow is better caught.
const HEAVY: i32 = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Weighing(Tools),
    Thumb(Tools),
    Attacking,
}

/// The policies' own luck.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn number(&mut self) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    fn die(&mut self) -> i32 {
        self.below(6) as i32 + 1
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    Attack,
    Small,
    Great,
    Strength,
    Stone,
    Firebolt,
    Mend,
    Ward,
}

#[derive(Clone, Copy)]
struct Foe {
    hp: i32,
    attack: i32,
    defence: i32,
}

/// A fight as a player pictures it.
#[derive(Clone)]
struct Fight {
    hp: i32,
    max_hp: i32,
    mana: i32,
    damage: i32,
    armour: i32,
    small: u32,
    great: u32,
    strength_potions: u32,
    stone_potions: u32,
    strength: u32,
    stone: u32,
    ward: u32,
    foes: [Foe; 2],
    magic: bool,
    drunk: i32,
}

pub fn potions(view: &View) -> u32 {
    count(view, "Health Potion") + 2 * count(view, "Greater Health Potion")
}

fn carried<'a>(view: &'a View, name: &str) -> Option<&'a Carried> {
    view.stats.inventory.iter().find(|item| item.name == name)
}

fn count(view: &View, name: &str) -> u32 {
    carried(view, name).map_or(0, |item| item.quantity)
}

impl Fight {
    fn of(view: &View, tools: Tools) -> Fight {
        let stats = &view.stats;
        let left = |name: &str| {
            stats.effects.iter().find(|effect| effect.name == name).map_or(0, |e| e.rounds_left)
        };
        let mut foes = [Foe { hp: 0, attack: 0, defence: 0 }; 2];
        let living = view.room.monsters.iter().filter(|monster| monster.is_alive);
        for (foe, monster) in foes.iter_mut().zip(living) {
            *foe = Foe { hp: monster.hp, attack: monster.attack, defence: monster.defence };
        }
        Fight {
            hp: stats.hp,
            max_hp: stats.max_hp,
            mana: stats.mana,
            damage: stats.equipped_weapon.damage,
            armour: stats.equipped_armour.defence,
            small: count(view, "Health Potion"),
            great: count(view, "Greater Health Potion"),
            strength_potions: count(view, "Strength Potion"),
            stone_potions: count(view, "Stone Potion"),
            strength: left("Strength"),
            stone: left("Stone"),
            ward: left("Ward"),
            foes,
            magic: tools == Tools::All,
            drunk: 0,
        }
    }

    fn target(&mut self) -> &mut Foe {
        self.foes.iter_mut().filter(|foe| foe.hp > 0).min_by_key(|foe| foe.hp).expect("one lives")
    }

    fn won(&self) -> bool {
        self.foes.iter().all(|foe| foe.hp <= 0)
    }

    fn defence(&self) -> i32 {
        self.armour + if self.stone > 0 { 2 } else { 0 } + if self.ward > 0 { 2 } else { 0 }
    }

    /// The worst that the next reply can bring, if no more than one die shows six.
    fn threat(&self) -> i32 {
        let hits = || self.foes.iter().filter(|foe| foe.hp > 0);
        let plain: i32 = hits().map(|foe| (foe.attack + 4 - self.defence()).max(0)).sum();
        let worst = hits().map(|foe| foe.attack + 8 - self.defence()).max().unwrap_or(0);
        plain + worst.max(0)
    }

    fn possible(&self) -> Vec<Act> {
        let hurt = self.hp < self.max_hp;
        let all = [
            (Act::Attack, true),
            (Act::Small, self.small > 0 && hurt),
            (Act::Great, self.great > 0 && hurt),
            (Act::Strength, self.strength_potions > 0 && self.strength == 0),
            (Act::Stone, self.stone_potions > 0 && self.stone == 0),
            (Act::Firebolt, self.magic && self.mana >= 4),
            (Act::Mend, self.magic && self.mana >= 4 && hurt),
            (Act::Ward, self.magic && self.mana >= 3 && self.ward == 0),
        ];
        all.into_iter().filter(|(_, can)| *can).map(|(act, _)| act).collect()
    }

    /// What a sensible player does without thinking long.
    fn habit(&mut self) -> Act {
        let (damage, boosted) = (self.damage, self.strength > 0);
        let target = self.target();
        let sure = damage + if boosted { 2 } else { 0 } + 1 - target.defence >= target.hp;
        let bolt = 9 > damage + 5 - target.defence;
        let single = self.foes.iter().filter(|foe| foe.hp > 0).count() == 1;
        if self.hp <= self.threat() && !(sure && single) {
            let missing = self.max_hp - self.hp;
            if self.great > 0 && (missing >= 22 || self.small == 0) {
                return Act::Great;
            }
            if self.small > 0 {
                return Act::Small;
            }
        }
        if self.magic && self.mana >= 4 && bolt { Act::Firebolt } else { Act::Attack }
    }

    fn heal(&mut self, hp: i32) {
        self.hp = (self.hp + hp).min(self.max_hp);
    }

    fn round(&mut self, act: Act, chance: &mut Chance) {
        let mut strengthened = false;
        match act {
            Act::Attack => {
                let die = chance.die();
                let damage = self.damage + if self.strength > 0 { 2 } else { 0 };
                let target = self.target();
                let plain = (damage + die - target.defence).max(0);
                target.hp -= if die == 6 { 2 * plain } else { plain };
            }
            Act::Firebolt => {
                self.mana -= 4;
                let die = chance.die();
                self.target().hp -= 6 + die;
            }
            Act::Small => {
                self.small -= 1;
                self.drunk += 2;
                self.heal(15);
            }
            Act::Great => {
                self.great -= 1;
                self.drunk += 3;
                self.heal(30);
            }
            Act::Mend => {
                self.mana -= 4;
                self.heal(10);
            }
            Act::Ward => {
                self.mana -= 3;
                self.ward = 3;
            }
            Act::Strength => {
                self.strength_potions -= 1;
                self.drunk += 1;
                strengthened = true;
            }
            Act::Stone => {
                self.stone_potions -= 1;
                self.drunk += 1;
                self.stone = 3;
            }
        }
        let armour = self.defence();
        for foe in self.foes {
            if foe.hp > 0 {
                let die = chance.die();
                let plain = (foe.attack + die - armour).max(0);
                self.hp -= if die == 6 { 2 * plain } else { plain };
            }
        }
        for rounds in [&mut self.strength, &mut self.stone, &mut self.ward] {
            *rounds = rounds.saturating_sub(1);
        }
        if strengthened {
            self.strength = 3;
        }
    }

    /// Fights on by habit to the end.
    fn finish(mut self, first: Act, chance: &mut Chance) -> Fight {
        self.round(first, chance);
        for _ in 0..LONGEST {
            if self.hp <= 0 || self.won() {
                return self;
            }
            let act = self.habit();
            self.round(act, chance);
        }
        Fight { hp: 0, ..self }
    }
}

/// How an action turns out on average: how often the fight is won, and what that is worth with
/// what is left.
fn weigh(fight: &Fight, act: Act, boss: bool, chance: &mut Chance) -> (f64, f64) {
    let (mut wins, mut worth) = (0.0, 0.0);
    for _ in 0..IMAGINED {
        let end = fight.clone().finish(act, chance);
        if end.hp > 0 {
            wins += 1.0;
            let spent = 0.025 * f64::from(end.drunk) + 0.01 * f64::from(fight.mana - end.mana);
            let hurt = 0.15 * (1.0 - f64::from(end.hp) / f64::from(end.max_hp));
            worth += if boss { 1.0 } else { 1.0 - spent - hurt };
        }
    }
    (wins / IMAGINED as f64, worth / IMAGINED as f64)
}

pub fn fight(style: Style, view: &View, may_flee: bool, chance: &mut Chance) -> String {
    let (tools, weighing) = match style {
        Style::Attacking => return "attack".to_owned(),
        Style::Weighing(tools) => (tools, true),
        Style::Thumb(tools) => (tools, false),
    };
    let mut picture = Fight::of(view, tools);
    if !weighing {
        let low = 100 * view.stats.hp <= 45 * view.stats.max_hp;
        let act = if !low {
            Act::Attack
        } else if picture.great > 0 && picture.max_hp - picture.hp >= 22 {
            Act::Great
        } else if picture.small > 0 {
            Act::Small
        } else if picture.great > 0 {
            Act::Great
        } else if picture.magic && picture.mana >= 4 {
            Act::Mend
        } else {
            Act::Attack
        };
        return write(view, &mut picture, act);
    }
    if view.room.monsters.iter().any(|monster| monster.is_alive && is_bracing(monster)) {
        return "defend".to_owned();
    }
    let boss = view.room.room_type == RoomType::Boss;
    let acts = picture.possible();
    let weighed: Vec<_> =
        acts.iter().map(|&act| (act, weigh(&picture, act, boss, chance))).collect();
    let &(act, (wins, _)) =
        weighed.iter().max_by(|a, b| a.1.1.total_cmp(&b.1.1)).expect("to attack is possible");
    let hopeless = if boss { 0.35 } else { 0.7 };
    if may_flee && wins < hopeless {
        return "flee".to_owned();
    }
    write(view, &mut picture, act)
}

/// Whether this is the round to catch a blow, and not to strike one.
fn is_bracing(monster: &MonsterShown) -> bool {
    let told = monster.manner.as_deref().unwrap_or_default();
    monster.defence >= MIST || told.starts_with("winds up") && monster.attack > HEAVY
}

fn write(view: &View, picture: &mut Fight, act: Act) -> String {
    let target = picture.target().hp;
    let foe = view.combat.iter().find(|foe| foe.hp == target).expect("one lives").id;
    let item = |name| format!("apply {}", carried(view, name).expect("it is possible").id);
    match act {
        Act::Attack => format!("attack {foe}"),
        Act::Firebolt => format!("cast firebolt {foe}"),
        Act::Mend => "cast mend".to_owned(),
        Act::Ward => "cast ward".to_owned(),
        Act::Small => item("Health Potion"),
        Act::Great => item("Greater Health Potion"),
        Act::Strength => item("Strength Potion"),
        Act::Stone => item("Stone Potion"),
    }
}
