//! What a monster does beside striking: one thing each, told before it matters.
//!
//! The order of a round and the sum of a blow are untouched by all of it: a manner changes the
//! numbers that go into the sum, and those are shown; or it adds something of its own, with a die.

use super::{
    combat::{blow, rolled},
    report::{By, Fight, Roll},
    state::State,
    tables::Breed,
    words::{a, capital},
    world::{Chamber, Direction, Monster, MonsterId, RoomType},
};
use crate::Dice;

/// For how many rounds poison, fire and withering last, counting the one in which they begin.
pub(super) const LASTING: u32 = 3;
/// A blow as hard as this breaks a shell.
const BREAKING: i32 = 6;
/// What a guard adds to the defence of those it stands with.
const GUARDING: i32 = 2;
/// What weapons meet when somebody is hardly there.
const MIST: i32 = 20;
/// More than this do not fit into a chamber.
const CROWD: usize = 3;
const MANA: i32 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    Poisons,
    Burns,
    /// Healing is halved.
    Withers,
    /// Each wound takes a point of armour until the fight is over.
    Rusts,
    DrainsMana,
    /// It is healed by what it takes.
    Drinks,
    Regenerates(i32),
    /// As much gold, and runs.
    Steals(u32),
    FleesAtHalf,
    Splits,
    Calls(&'static Breed),
    /// The others, while it lives.
    Guards,
    /// Defence until it is broken.
    Shell(i32),
    StrikesLeavers,
    Bursts,
    /// Attack from half of its health on.
    Enrages(i32),
    /// Attack in every second round; in the others it does not strike.
    WindsUp(i32),
    /// Every second round weapons pass through it.
    Fades,
    /// Once, unless fire fells it.
    Rises,
    Thorns,
}

impl Manner {
    pub fn shell(self) -> i32 {
        if let Manner::Shell(defence) = self { defence } else { 0 }
    }

    /// In plain words.
    pub fn words(self) -> String {
        let words = match self {
            Manner::Poisons => {
                "its wounds poison: 1-3 a round, 3 rounds; Health Potion or Mend cures"
            }
            Manner::Burns => "sets you alight: 1-3 a round, 3 rounds; Defend puts it out",
            Manner::Withers => "its wounds halve all healing for the next 2 rounds",
            Manner::Rusts => "each wound takes 1 armor until the fight is over",
            Manner::DrainsMana => "each wound takes 2 mana",
            Manner::Drinks => "heals by the damage it does; Defend starves it",
            Manner::Regenerates(hp) => return format!("heals {hp} HP after every round"),
            Manner::Steals(gold) => {
                return format!("with a wound it takes up to {gold} gold and runs");
            }
            Manner::FleesAtHalf => "runs next door at half its HP",
            Manner::Splits => "splits in two at half its HP",
            Manner::Calls(breed) => {
                return format!("in its second round it calls {}", a(breed.name));
            }
            Manner::Guards => "while it lives the others have +2 defense",
            Manner::Shell(defence) => {
                return format!("a shell of {defence} defense; fire or a blow of 6 breaks it");
            }
            Manner::StrikesLeavers => "strikes at whoever gets away from it",
            Manner::Bursts => "bursts when it dies: one last blow",
            Manner::Enrages(attack) => return format!("+{attack} attack from half its HP on"),
            Manner::WindsUp(attack) => {
                return format!("winds up one round, strikes with +{attack} the next; Defend then");
            }
            Manner::Fades => "every second round weapons pass through it; fire does not",
            Manner::Rises => "gets up once after it falls, unless fire fells it",
            Manner::Thorns => "whoever wounds it with a weapon takes 1-3",
        };
        words.to_owned()
    }
}

/// What a weapon meets, with whoever stands before it.
pub(super) fn defence(chamber: &Chamber, monster: &Monster) -> i32 {
    let guards =
        |other: &Monster| other.id != monster.id && other.breed.manner == Some(Manner::Guards);
    monster.defence + if chamber.living().any(guards) { GUARDING } else { 0 }
}

impl Monster {
    /// The fight is over for it: what it had begun comes to nothing.
    pub(super) fn calm(&mut self) {
        self.rounds = 0;
        match self.breed.manner.filter(|_| self.spent) {
            Some(Manner::WindsUp(attack)) => self.attack -= attack,
            Some(Manner::Fades) => self.defence -= MIST,
            _ => return,
        }
        self.spent = false;
    }

    /// Heals all but what a choice took from it for good, and undoes its rage.
    pub(super) fn rest(&mut self) {
        self.calm();
        self.hp = (self.max_hp - self.weakened).max(1);
        if let (Some(Manner::Enrages(attack)), true) = (self.breed.manner, self.spent) {
            self.attack -= attack;
            self.spent = false;
        }
    }
}

impl State {
    /// One who comes in the middle of the game, as hard as the others.
    pub(super) fn newcomer(&mut self, breed: &'static Breed) -> Monster {
        let plain = self.world.new_monster(breed);
        let terms = self.story.difficulty.terms();
        let hp = (plain.max_hp * terms.health + 50) / 100;
        Monster { hp, max_hp: hp, attack: plain.attack + terms.attack, ..plain }
    }

    /// What a monster does about a blow it got, before it is known to be dead.
    pub(super) fn react(&mut self, foe: MonsterId, damage: i32, fire: bool, fight: &mut Fight) {
        let who = capital(&self.told_apart(foe));
        let monster = self.monster(foe);
        let half = monster.alive() && 2 * monster.hp <= monster.max_hp;
        let Some(manner) = monster.breed.manner.filter(|_| !monster.spent) else { return };
        match manner {
            Manner::Shell(defence) if monster.alive() && (fire || damage >= BREAKING) => {
                monster.spent = true;
                monster.defence -= defence;
                fight.asides.push(format!("{who}'s shell breaks."));
            }
            Manner::Rises if !monster.alive() && !fire => {
                monster.spent = true;
                monster.hp = (monster.max_hp / 3).max(1);
                let hp = monster.hp;
                fight.asides.push(format!("{who} falls, and gets up again with {hp} HP."));
            }
            Manner::Enrages(attack) if half => {
                monster.spent = true;
                monster.attack += attack;
                fight.asides.push(format!("{who} rages: +{attack} attack from now on."));
            }
            Manner::Splits if half && monster.hp > 1 => {
                self.split(foe);
                fight.asides.push(format!("{who} splits in two."));
            }
            _ => {}
        }
    }

    fn split(&mut self, foe: MonsterId) {
        let monster = self.monster(foe);
        let (breed, hp, prize) = (monster.breed, monster.hp / 2, monster.experience / 2);
        let attack = monster.attack;
        monster.spent = true;
        monster.hp -= hp;
        monster.experience -= prize;
        let twin = Monster {
            hp,
            max_hp: hp,
            attack,
            experience: prize,
            gold: 0,
            spent: true,
            ..self.world.new_monster(breed)
        };
        self.here_mut().monsters.push(twin);
    }

    /// What comes with a blow of the hero's that drew blood, and with a death.
    pub(super) fn recoil(&mut self, foe: MonsterId, fight: &mut Fight, dice: &mut Dice, turn: u32) {
        let who = capital(&self.told_apart(foe));
        let monster = self.monster(foe);
        let (breed, attack, dead) = (monster.breed, monster.attack, !monster.alive());
        let die = |dice: &mut Dice| i32::from(dice.die());
        let (purpose, die, damage, critical) = match breed.manner {
            Some(Manner::Thorns) if fight.player_damage_dealt > 0 => {
                let die = die(dice);
                ("thorns", die, (die + 1) / 2, false)
            }
            Some(Manner::Bursts) if dead => {
                let die = die(dice);
                let (damage, critical) = blow(attack + die - self.hero.defence(), die);
                ("burst", die, damage, critical)
            }
            _ => return,
        };
        let roll = rolled(By::Monster(foe), purpose, die, damage, critical);
        fight.rolls.push(Roll { name: Some(breed.name), ..roll });
        fight.asides.push(match (purpose, damage) {
            ("thorns", _) => format!("Its thorns cost you {damage} HP."),
            (_, 0) => format!("{who} bursts and does you no harm."),
            _ => format!("{who} bursts: {damage} damage."),
        });
        self.hurt_by_the_way(breed.name, damage, fight, turn);
    }

    /// What a monster does in its turn instead of striking, if it does.
    pub(super) fn instead(&mut self, id: MonsterId, who: &str) -> Option<String> {
        let living = self.here().living().count();
        let monster = self.monster(id);
        monster.rounds += 1;
        if monster.spent {
            return None;
        }
        match monster.breed.manner? {
            Manner::WindsUp(attack) => {
                monster.spent = true;
                monster.attack += attack;
                Some(format!("{who} winds up for a heavy blow"))
            }
            Manner::Calls(breed) if monster.rounds == 2 && living < CROWD => {
                monster.spent = true;
                let called = self.newcomer(breed);
                self.here_mut().monsters.push(called);
                Some(format!("{who} calls, and {} comes", a(breed.name)))
            }
            Manner::FleesAtHalf if 2 * monster.hp <= monster.max_hp => {
                let way = self.slip_away(id)?;
                Some(format!("{who} turns tail and runs {}", way.word()))
            }
            _ => None,
        }
    }

    /// What a monster's wound brings with it; `damage` is more than nothing.
    pub(super) fn aftermath(&mut self, id: MonsterId, who: &str, damage: i32, fight: &mut Fight) {
        let who = capital(who);
        let monster = self.world.monster(id);
        let told = match monster.breed.manner {
            Some(Manner::Drinks) => {
                let healed = damage.min(monster.max_hp - monster.hp);
                if healed == 0 {
                    return;
                }
                monster.hp += healed;
                format!("{who} drinks {healed} HP of it.")
            }
            Some(Manner::Poisons) => {
                self.hero.poison = LASTING;
                "You are poisoned.".to_owned()
            }
            Some(Manner::Burns) => {
                self.hero.burn = LASTING;
                "You are on fire.".to_owned()
            }
            Some(Manner::Withers) => {
                self.hero.wither = LASTING;
                "Your flesh withers: healing is halved.".to_owned()
            }
            Some(Manner::Rusts) if self.hero.armour_shown().defence > 0 => {
                self.hero.rust += 1;
                "Your armor loses a point.".to_owned()
            }
            Some(Manner::DrainsMana) if self.hero.mana > 0 => {
                let lost = MANA.min(self.hero.mana);
                self.hero.mana -= lost;
                fight.mana_left = Some(self.hero.mana);
                format!("It drinks {lost} of your mana.")
            }
            Some(Manner::Steals(most)) if self.hero.gold > 0 && !monster.spent => {
                let taken = most.min(self.hero.gold);
                let Some(way) = self.slip_away(id) else { return };
                self.hero.gold -= taken;
                fight.gold_lost = Some(taken);
                let thief = self.world.monster(id);
                thief.gold += taken;
                format!("{who} snatches {taken} gold and runs {}.", way.word())
            }
            _ => return,
        };
        fight.asides.push(told);
    }

    /// After all have struck.
    pub(super) fn recover(&mut self, fight: &mut Fight) {
        let mut told = Vec::new();
        let all = self.here().monsters.iter();
        let names: Vec<_> = all.map(|monster| capital(&self.told_apart(monster.id))).collect();
        let all = self.here_mut().monsters.iter_mut().zip(names);
        for (monster, who) in all.filter(|(monster, _)| monster.alive()) {
            match monster.breed.manner {
                Some(Manner::Regenerates(hp)) if monster.hp < monster.max_hp => {
                    let healed = hp.min(monster.max_hp - monster.hp);
                    monster.hp += healed;
                    told.push(format!("{who} heals {healed} HP."));
                }
                Some(Manner::Fades) if monster.rounds > 0 => {
                    monster.spent = !monster.spent;
                    monster.defence += if monster.spent { MIST } else { -MIST };
                    let turns = if monster.spent { "to mist" } else { "solid again" };
                    told.push(format!("{who} turns {turns}."));
                }
                Some(Manner::WindsUp(attack)) if monster.rounds % 2 == 0 && monster.spent => {
                    monster.spent = false;
                    monster.attack -= attack;
                }
                _ => {}
            }
        }
        fight.asides.append(&mut told);
    }

    /// Who strikes at a hero that gets away.
    pub(super) fn part(&mut self, fight: &mut Fight, dice: &mut Dice, turn: u32) {
        let strikes = |monster: &&Monster| monster.breed.manner == Some(Manner::StrikesLeavers);
        let foes: Vec<_> = self.here().living().filter(strikes).cloned().collect();
        for foe in foes {
            let die = i32::from(dice.die());
            let (damage, critical) = blow(foe.attack + die - self.hero.defence(), die);
            let roll = rolled(By::Monster(foe.id), "parting blow", die, damage, critical);
            fight.rolls.push(Roll { name: Some(foe.breed.name), ..roll });
            let who = capital(&self.told_apart(foe.id));
            fight.asides.push(format!("{who} strikes after you: {damage}."));
            self.hurt_by_the_way(foe.breed.name, damage, fight, turn);
            if self.hero.hp == 0 {
                return;
            }
        }
        self.here_mut().monsters.iter_mut().for_each(Monster::calm);
    }

    /// A wound that is no answer to a blow; if it is the last, that is said.
    fn hurt_by_the_way(&mut self, by: &'static str, damage: i32, fight: &mut Fight, turn: u32) {
        self.wound(by, damage, fight, turn);
        if self.hero.hp == 0 {
            fight.asides.push(format!("{}.", capital(self.fallen())));
        }
    }

    /// Poison and fire, while the fight goes on.
    pub(super) fn smoulder(&mut self, fight: &mut Fight, dice: &mut Dice, turn: u32) {
        for (effect, rounds) in [("poison", self.hero.poison), ("fire", self.hero.burn)] {
            if rounds == 0 || self.hero.hp == 0 {
                continue;
            }
            let die = i32::from(dice.die());
            let damage = (die + 1) / 2;
            fight.rolls.push(rolled(By::Effect(effect), effect, die, damage, false));
            fight.asides.push(format!("The {effect} costs you {damage} HP."));
            self.hurt_by_the_way(effect, damage, fight, turn);
        }
    }

    /// A monster goes next door, where there is a way; the boss's door is none.
    fn slip_away(&mut self, id: MonsterId) -> Option<Direction> {
        let chambers = &self.world.chambers;
        let open = self.here().exits().filter(|(_, exit)| {
            exit.lock.is_none() && chambers[exit.to].room_type != RoomType::Boss
        });
        let ways: Vec<_> = open.map(|(direction, exit)| (direction, exit.to)).collect();
        let empty = ways.iter().find(|(_, to)| chambers[*to].living().next().is_none());
        let &(direction, to) = empty.or(ways.first())?;
        let here = &mut self.here_mut().monsters;
        let place = here.iter().position(|monster| monster.id == id)?;
        let runner = Monster { spent: true, ..here.remove(place) };
        self.world.chambers[to].monsters.push(runner);
        Some(direction)
    }
}
