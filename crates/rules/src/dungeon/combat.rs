//! A round of combat: the hero acts, then every living monster does.
//!
//! Damage is weapon or attack, plus a die, less armour or defence, doubled if the die shows six,
//! never below nothing.

use super::{
    manners,
    moves::Move,
    report::{By, Deed, Dropped, Fight, Report, Roll},
    state::{Ending, State},
    tables::{self, Spell, What},
    words::{a, capital},
    world::{ItemId, Monster, MonsterId, Place},
};
use crate::Dice;

const FLEE_FROM: u32 = 4;
/// Tells several monsters of one name apart.
const PLACES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];

impl State {
    /// Plays a move that takes a round of combat.
    pub(super) fn round(&mut self, mv: &Move, dice: &mut Dice, turn: u32) -> Report {
        if let Move::Attack(target) | Move::Cast(_, Some(target)) = mv {
            self.target = Some(*target);
        }
        let foe = self.foe().expect("it was checked").id;
        // Whoever comes in the middle of it waits for the next.
        let foes: Vec<MonsterId> = self.here().living().map(|monster| monster.id).collect();
        let mut fight = Fight::default();
        let mut halved = false;
        // Strength works from the next blow on: it is drunk instead of one.
        let mut strengthened = false;
        let message = match mv {
            Move::Attack(_) => self.strike(foe, &mut fight, dice, turn),
            Move::Defend => {
                halved = true;
                self.defend(&mut fight)
            }
            Move::Flee => match self.run(&mut fight, dice) {
                Some(to) => {
                    self.part(&mut fight, dice, turn);
                    if self.hero.hp > 0 {
                        return self.escape(foe, to, fight);
                    }
                    "You turn to run.".to_owned()
                }
                None => "You turn to run, but find no way past.".to_owned(),
            },
            Move::Apply(item) => self.apply(*item, &mut fight, &mut strengthened),
            Move::Cast(spell, _) => self.cast_in_combat(*spell, foe, &mut fight, dice, turn),
            _ => unreachable!("every other move is made in peace"),
        };
        fight.say(message);
        if self.hero.hp > 0 && self.ending.is_none() && self.in_combat() {
            let told = self.reply(&foes, &mut fight, halved, dice, turn);
            fight.say(told);
        }
        if self.hero.hp > 0 && self.ending.is_none() && self.in_combat() {
            self.smoulder(&mut fight, dice, turn);
            self.recover(&mut fight);
        }
        self.tick(strengthened);
        self.conclude(foe, fight)
    }

    fn conclude(&mut self, foe: MonsterId, mut fight: Fight) -> Report {
        let monster = self.world.monster(foe);
        fight.monster_name = monster.breed.name;
        fight.monster_hp_remaining = monster.hp;
        fight.player_hp_remaining = self.hero.hp;
        fight.victory = !self.in_combat();
        fight.combat_over = fight.victory || self.ending.is_some();
        if self.hero.hp == 0 && self.ending.is_none() {
            self.carry_to_the_stairs(&mut fight);
        }
        self.calm();
        let message = fight.message();
        Report { message, deed: Deed::Fight(Box::new(fight)) }
    }

    fn strike(&mut self, foe: MonsterId, fight: &mut Fight, dice: &mut Dice, turn: u32) -> String {
        let die = i32::from(dice.die());
        let here = self.here();
        let target = here.living().find(|monster| monster.id == foe).expect("it was checked");
        let defence = manners::defence(here, target);
        let (damage, critical) = blow(self.hero.damage() + die - defence, die);
        fight.rolls.push(rolled(By::You, "attack", die, damage, critical));
        let (weapon, who) = (self.hero.weapon_shown().name, self.told_apart(foe));
        self.hurt(foe, damage, false, fight, turn);
        self.recoil(foe, fight, dice, turn);
        let hard = if critical { "A critical hit! " } else { "" };
        match (fight.monster_killed, damage) {
            (true, _) => format!("{hard}Your {weapon} fells {who}!{}", spoils(fight)),
            (false, 0) => format!("Your {weapon} glances off {who}."),
            (false, _) => format!("{hard}Your {weapon} hits {who} for {damage}."),
        }
    }

    fn hurt(&mut self, foe: MonsterId, damage: i32, fire: bool, fight: &mut Fight, turn: u32) {
        fight.player_damage_dealt = damage;
        let monster = self.monster(foe);
        monster.hp = (monster.hp - damage).max(0);
        self.react(foe, damage, fire, fight);
        if !self.monster(foe).alive() {
            fight.monster_killed = true;
            self.fall(foe, fight, turn);
        }
    }

    /// What a dead monster brings.
    fn fall(&mut self, foe: MonsterId, fight: &mut Fight, turn: u32) {
        let monster = self.monster(foe);
        let (breed, experience) = (monster.breed, monster.experience);
        let drop = monster.drop.take();
        let prize = drop.as_ref().map(|item| item.ware.name);
        fight.experience_gained = experience;
        fight.gold_dropped = monster.gold;
        if let Some(item) = drop {
            // With the boss the game is over, and nobody could pick the crown up any more.
            if breed.boss {
                fight.gold_dropped += item.value;
            }
            if !breed.boss {
                fight.items_dropped.push(Dropped {
                    id: item.id,
                    name: item.ware.name,
                    item_type: item.ware.what.item_type(),
                });
                self.here_mut().items.push(item);
            } else {
                fight.asides.push(format!("The {} is yours.", item.ware.name));
            }
        }
        self.hero.gold += fight.gold_dropped;
        if breed.boss {
            self.ending = Some(self.victory(breed));
        }
        let first = self.hero.experience == 0;
        fight.level_up = self.learn(experience, turn);
        let killed = if self.wakes_again() { "Beat" } else { "Killed" };
        if breed.boss {
            let took = prize.map(|prize| format!(" and took the {prize}")).unwrap_or_default();
            self.note(turn, format!("{killed} the {}{took}.", breed.name));
        } else if first || breed.experience >= tables::NOTABLE {
            self.note(turn, format!("{killed} {}.", a(breed.name)));
        }
    }

    /// Answers the new level, if it brings one.
    pub(super) fn learn(&mut self, experience: u32, turn: u32) -> Option<u32> {
        let hero = &mut self.hero;
        let before = hero.level;
        hero.experience += experience;
        while hero.experience >= tables::next_level_at(hero.level) {
            hero.level += 1;
            hero.hp = hero.max_hp();
            hero.restore_mana(1);
        }
        let level = Some(hero.level).filter(|level| *level > before)?;
        self.note(turn, format!("Reached level {level}."));
        Some(level)
    }

    fn defend(&mut self, fight: &mut Fight) -> String {
        let restored = self.hero.restore_mana(tables::DEFEND_MANA);
        fight.mana_restored = Some(restored);
        fight.mana_left = Some(self.hero.mana);
        if std::mem::take(&mut self.hero.burn) > 0 {
            return "You beat the fire out and raise your guard.".to_owned();
        }
        "You raise your guard and gather your thoughts.".to_owned()
    }

    /// Where to, if the hero gets away.
    fn run(&mut self, fight: &mut Fight, dice: &mut Dice) -> Option<Place> {
        let die = u32::from(dice.die());
        let roll = Roll {
            by: By::You,
            name: None,
            purpose: "flee",
            of: None,
            die,
            damage: None,
            critical: false,
        };
        fight.rolls.push(roll);
        fight.fled = Some(die >= FLEE_FROM);
        if die < FLEE_FROM {
            return None;
        }
        let ways: Vec<Place> = self
            .here()
            .exits()
            .filter(|(_, exit)| exit.lock.is_none())
            .map(|(_, exit)| exit.to)
            .collect();
        let drawn = dice.below(ways.len() as u32);
        let of = Some(ways.len() as u32);
        fight.rolls.push(Roll { purpose: "direction", of, die: drawn + 1, ..roll });
        Some(ways[drawn as usize])
    }

    fn escape(&mut self, foe: MonsterId, to: Place, mut fight: Fight) -> Report {
        let monster = self.monster(foe);
        fight.monster_name = monster.breed.name;
        fight.monster_hp_remaining = monster.hp;
        fight.player_hp_remaining = self.hero.hp;
        fight.combat_over = true;
        self.tick(false);
        let from = self.called(self.at);
        self.enter(to);
        self.calm();
        fight.new_room_id = Some(self.here().id);
        let next = if self.in_combat() { ", into the next fight" } else { "" };
        fight.say(format!("You get away from {from} to {}{next}.", self.called(self.at)));
        Report { message: fight.message(), deed: Deed::Fight(Box::new(fight)) }
    }

    fn apply(&mut self, id: ItemId, fight: &mut Fight, strengthened: &mut bool) -> String {
        let ware = self.hero.carried(id).expect("it was checked").ware;
        if let What::Weapon(_) | What::Armour(_) = ware.what {
            self.hero.wear(id);
            fight.effect = Some("equipped");
            return format!("You change to the {} in the thick of the fight.", ware.name);
        }
        let drunk = self.swallow(id);
        fight.hp_restored = drunk.hp;
        fight.mana_restored = drunk.mana;
        fight.effect = drunk.effect;
        if drunk.mana.is_some() {
            fight.mana_left = Some(self.hero.mana);
        }
        *strengthened = ware.what == What::Strength;
        drunk.message
    }

    fn cast_in_combat(
        &mut self,
        spell: Spell,
        foe: MonsterId,
        fight: &mut Fight,
        dice: &mut Dice,
        turn: u32,
    ) -> String {
        self.hero.mana -= spell.mana();
        fight.spell = Some(spell);
        fight.mana_left = Some(self.hero.mana);
        match spell {
            Spell::Firebolt => {
                let die = i32::from(dice.die());
                let damage = tables::FIREBOLT + die;
                fight.rolls.push(rolled(By::You, "firebolt", die, damage, false));
                let who = self.told_apart(foe);
                self.hurt(foe, damage, true, fight, turn);
                if fight.monster_killed {
                    self.recoil(foe, fight, dice, turn);
                }
                // A level gained with it gives back a little mana.
                fight.mana_left = Some(self.hero.mana);
                if !fight.monster_killed {
                    format!("Your firebolt burns {who} for {damage}.")
                } else if self.wakes_again() {
                    format!("Your firebolt fells {who}!{}", spoils(fight))
                } else {
                    format!("Your firebolt burns {who} to death!{}", spoils(fight))
                }
            }
            Spell::Mend => {
                let restored = self.hero.heal(tables::MEND);
                fight.hp_restored = Some(restored);
                let cured = self.hero.cure();
                format!("Your wounds close: {restored} HP restored{cured}.")
            }
            Spell::Ward => {
                self.hero.ward = tables::BOOST_ROUNDS;
                fight.effect = Some("+2 defense for 3 rounds");
                "A pale ward settles around you.".to_owned()
            }
            Spell::Reveal => unreachable!("it was checked"),
        }
    }

    /// All living monsters act.
    fn reply(
        &mut self,
        foes: &[MonsterId],
        fight: &mut Fight,
        halved: bool,
        dice: &mut Dice,
        turn: u32,
    ) -> String {
        let armour = self.hero.defence();
        let mut told = Vec::new();
        // Named before anybody acts: a monster that runs away is no longer counted.
        let names: Vec<String> = foes.iter().map(|id| self.told_apart(*id)).collect();
        for (&id, who) in foes.iter().zip(&names) {
            if !self.monster(id).alive() {
                continue;
            }
            if let Some(deed) = self.instead(id, who) {
                told.push(deed);
                continue;
            }
            let monster = self.monster(id);
            let name = monster.breed.name;
            let die = i32::from(dice.die());
            let (full, critical) = blow(monster.attack + die - armour, die);
            let damage = if halved { full / 2 } else { full };
            let roll = rolled(By::Monster(id), "attack", die, damage, critical);
            fight.rolls.push(Roll { name: Some(name), ..roll });
            told.push(match damage {
                0 => format!("{who} does you no harm"),
                _ if critical => format!("{who} hits you critically for {damage}"),
                _ => format!("{who} hits you for {damage}"),
            });
            self.wound(name, damage, fight, turn);
            if self.hero.hp == 0 {
                told.push(self.fallen().to_owned());
                break;
            }
            if damage > 0 {
                self.aftermath(id, who, damage, fight);
            }
        }
        format!("{}.", capital(&told.join("; ")))
    }

    /// "the Rat", or "the second Rat" if several Rats are here, dead or alive.
    pub(super) fn told_apart(&self, id: MonsterId) -> String {
        let monsters = &self.here().monsters;
        let name = monsters.iter().find(|it| it.id == id).expect("it is here").breed.name;
        let same: Vec<_> = monsters.iter().filter(|it| it.breed.name == name).collect();
        let place = same.iter().position(|it| it.id == id).filter(|_| same.len() > 1);
        let place = place.and_then(|place| PLACES.get(place));
        place.map_or_else(|| format!("the {name}"), |place| format!("the {place} {name}"))
    }

    /// Takes it from the hero; what is left of him may be nothing.
    pub(super) fn wound(&mut self, by: &'static str, damage: i32, fight: &mut Fight, turn: u32) {
        fight.player_damage_taken += damage;
        self.hero.hp = (self.hero.hp - damage).max(0);
        if self.hero.hp == 0 && !self.wakes_again() {
            self.ending = Some(Ending::Death(by));
            self.note(turn, format!("Killed by {}.", super::endings::killer(by)));
        }
    }

    /// A round has gone.
    fn tick(&mut self, strengthened: bool) {
        let hero = &mut self.hero;
        for rounds in [
            &mut hero.strength,
            &mut hero.stone,
            &mut hero.ward,
            &mut hero.poison,
            &mut hero.burn,
            &mut hero.wither,
        ] {
            *rounds = rounds.saturating_sub(1);
        }
        if strengthened {
            hero.strength = tables::BOOST_ROUNDS;
        }
    }

    /// What ends with the fight.
    fn calm(&mut self) {
        if !self.in_combat() {
            (self.hero.burn, self.hero.rust) = (0, 0);
        }
    }

    pub(super) fn monster(&mut self, id: MonsterId) -> &mut Monster {
        self.world.monster(id)
    }
}

/// Damage after the critical six, and whether it was one.
pub(super) fn blow(damage: i32, die: i32) -> (i32, bool) {
    let damage = damage.max(0);
    if die == 6 { (2 * damage, true) } else { (damage, false) }
}

pub(super) fn rolled(by: By, purpose: &'static str, die: i32, damage: i32, critical: bool) -> Roll {
    let (name, of, die, damage) = (None, None, die as u32, Some(damage));
    Roll { by, name, purpose, of, die, damage, critical }
}

/// What a kill brought, in words.
fn spoils(fight: &Fight) -> String {
    let mut text = format!(" {} XP", fight.experience_gained);
    if fight.gold_dropped > 0 {
        text += &format!(", {} gold", fight.gold_dropped);
    }
    for item in &fight.items_dropped {
        text += &format!(", and it drops: {}", item.name);
    }
    if let Some(level) = fight.level_up {
        text += &format!(". You rise to level {level}, wounds healed");
    }
    text + "."
}
