//! Choices: somebody or something with two ways or more, each with its price and its end.
//!
//! They are tables; the common ones are in `events/common.rs`, the others with their themes. To talk to
//! somebody or to look at a thing tells the ways and is free; to choose one takes it.

pub(super) mod common;

use super::{
    combat::rolled,
    report::{By, Deed, Gains, ItemShown, Report, Roll, Talk, Touch},
    state::State,
    story::Mark,
    tables::{self, Breed, Ware},
    words::{a, capital},
    world::{Feature, FeatureId, Find},
};
use crate::Dice;

#[derive(Debug)]
pub(super) struct Event {
    pub host: Host,
    /// While it is open.
    pub told: &'static str,
    pub ways: &'static [Way],
}

/// Who or what offers a choice, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    Person(&'static str),
    Thing(&'static str),
}

#[derive(Debug)]
pub(super) struct Way {
    /// The choice's word, or the part of the thing.
    pub word: &'static str,
    /// What it costs and may bring; `{news}` stands for the news it would tell now.
    pub what: &'static str,
    pub need: Need,
    /// A die must show this much; no die is thrown for nothing.
    pub from: u32,
    pub good: End,
    pub bad: End,
    /// What is seen of it afterwards.
    pub after: &'static str,
    /// The person does not leave.
    pub stays: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub told: &'static str,
    pub gains: &'static [Gain],
}

/// What the hero gives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Need {
    Nothing,
    Gold(u32),
    /// And must be left with some.
    Blood(i32),
    Mana(i32),
    Ware(&'static Ware),
}

/// What comes of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Gain {
    Gold(u32),
    Loss(u32),
    /// Never the last of it.
    Hurt(i32),
    Heal(i32),
    Mana(i32),
    Ware(&'static Ware),
    /// To the most he can have, for ever.
    Vigour(i32),
    Scar(i32),
    Learn(u32),
    Poison,
    Strength,
    Stone,
    Fight(&'static Breed),
    /// This, or other news if the hero knows it.
    News(News),
    /// The boss will have so many hit points less.
    Weaken(i32),
    Mark(Mark),
}

/// What the hero can be told that helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// Where the boss key is.
    Key,
    /// Where the secret chamber is.
    Secret,
    /// Where the boss was hurt once, which costs it some hit points. There is always more of this.
    Wound,
}

const WOUND: i32 = 4;

impl News {
    fn about(self) -> String {
        match self {
            News::Key => "where the boss key is".to_owned(),
            News::Secret => "a hidden way".to_owned(),
            News::Wound => format!("where the boss was hurt once, {WOUND} HP off it"),
        }
    }
}

pub(super) const fn end(told: &'static str, gains: &'static [Gain]) -> End {
    End { told, gains }
}

/// A way with one end.
pub(super) const fn sure(
    [word, what]: [&'static str; 2],
    need: Need,
    good: End,
    after: &'static str,
) -> Way {
    Way { word, what, need, from: 0, good, bad: good, after, stays: false }
}

/// A way with two ends, and a die between them.
pub(super) const fn risk(
    [word, what]: [&'static str; 2],
    need: Need,
    from: u32,
    [good, bad]: [End; 2],
    after: &'static str,
) -> Way {
    Way { word, what, need, from, good, bad, after, stays: false }
}

impl Way {
    /// The person is still there afterwards.
    pub const fn stays(self) -> Way {
        Way { stays: true, ..self }
    }

    /// The news that it brings, if any.
    pub fn news(&self) -> Option<News> {
        self.good.gains.iter().find_map(|gain| match gain {
            Gain::News(news) => Some(*news),
            _ => None,
        })
    }

    fn only_heals(&self) -> bool {
        matches!(self.good.gains, [Gain::Heal(_)])
    }
}

impl Need {
    /// What it costs in gold, if it does.
    pub fn gold(self) -> Option<u32> {
        if let Need::Gold(gold) = self { Some(gold) } else { None }
    }
}

impl Event {
    pub fn name(&self) -> &'static str {
        let (Host::Person(name) | Host::Thing(name)) = self.host;
        name
    }

    pub fn is_thing(&self) -> bool {
        matches!(self.host, Host::Thing(_))
    }
}

impl State {
    /// The choice that waits here.
    pub(super) fn open_event(&self) -> Option<&'static Event> {
        let choice = self.here().choice.as_ref()?;
        choice.taken.is_none().then_some(choice.event)
    }

    /// The open choice here, if it is a thing's.
    pub(super) fn open_thing(&self) -> Option<&'static Event> {
        self.open_event().filter(|event| event.is_thing())
    }

    /// What a way costs and may bring, as things stand.
    pub(super) fn what_of(&self, way: &Way) -> String {
        match way.news() {
            Some(news) => way.what.replace("{news}", &self.fresh(news).about()),
            None => way.what.to_owned(),
        }
    }

    /// This news, or other news that the hero does not have yet.
    fn fresh(&self, news: News) -> News {
        let is_fresh = |news: &News| match news {
            News::Key => !self.knows_the_key(),
            News::Secret => !self.world.secret.revealed,
            News::Wound => true,
        };
        let all = [news, News::Key, News::Secret, News::Wound];
        all.into_iter().find(is_fresh).expect("there is always more of the wound")
    }

    /// Why a way cannot be taken, if it cannot.
    pub(super) fn lacks(&self, way: &Way) -> Option<String> {
        let hero = &self.hero;
        match way.need {
            Need::Gold(gold) if hero.gold < gold => {
                Some(format!("it costs {gold} gold and you have {}", hero.gold))
            }
            Need::Blood(hp) if hero.hp <= hp => {
                Some(format!("it costs {hp} HP and you have {}", hero.hp))
            }
            Need::Mana(mana) if hero.mana < mana => {
                Some(format!("it takes {mana} mana and you have {}", hero.mana))
            }
            Need::Ware(ware) if !hero.bag.iter().any(|item| item.ware == ware) => {
                Some(format!("you have no {} to give", ware.name))
            }
            _ if way.only_heals() && hero.hp == hero.max_hp() && hero.poison == 0 => {
                Some("you are not wounded".to_owned())
            }
            _ => None,
        }
    }

    /// Takes a way of the choice here, with the person who offers it.
    pub(super) fn choose(&mut self, way: usize, dice: &Dice, turn: u32) -> Report {
        let (event, gains, message) = self.follow(way, dice, turn);
        let here = self.here_mut();
        here.npc.as_mut().expect("it was checked").done = true;
        if !event.ways[way].stays {
            here.npc = None;
        }
        Report { message, deed: Deed::Talk(Talk { npc: event.name(), gains }) }
    }

    /// Takes a way of the thing here, which is no longer worth a look then.
    pub(super) fn touch(&mut self, id: FeatureId, way: usize, dice: &Dice, turn: u32) -> Report {
        self.here_mut().features.retain(|feature| feature.id != id);
        let (event, gains, message) = self.follow(way, dice, turn);
        Report { message, deed: Deed::Touch(Touch { feature: event.name(), gains }) }
    }

    /// Looks behind something.
    pub(super) fn look_behind(&mut self, feature: Feature, turn: u32) -> Report {
        self.here_mut().features.retain(|other| other.id != feature.id);
        let name = feature.name.to_lowercase();
        let side = feature.side;
        let mut gains = Gains::default();
        let message = match feature.finds {
            Find::Exit => {
                let revealed = self.uncover(turn).expect("it goes when the way is known");
                gains.revealed = Some(revealed);
                let side = if side == "in" { "behind" } else { side };
                let direction = revealed.direction.word();
                format!("{} the {name} a way opens to the {direction}.", capital(side))
            }
            Find::Gold(gold) => {
                self.hero.gold += gold;
                gains.gold_gained = Some(gold);
                format!("{} the {name} you find {gold} gold.", capital(side))
            }
            Find::Ware(ware) => {
                let had = self.receive(ware, &mut gains);
                let (side, what) = (capital(side), a(ware.name));
                format!("{side} the {name} somebody has hidden {what}. {had}")
            }
            Find::Nothing => format!("You look the {name} over and find nothing."),
            Find::Choice => unreachable!("a way is chosen"),
        };
        Report { message, deed: Deed::Touch(Touch { feature: feature.name, gains }) }
    }

    fn follow(&mut self, index: usize, dice: &Dice, turn: u32) -> (&'static Event, Gains, String) {
        let choice = self.here_mut().choice.as_mut().expect("it was checked");
        choice.taken = Some(index);
        let event = choice.event;
        let way = &event.ways[index];
        let mut gains = Gains::default();
        self.pay(way.need, &mut gains);
        let end = if way.from == 0 { way.good } else { self.throw(way, dice, &mut gains) };
        let mut message = end.told.to_owned();
        self.note(turn, format!("{}: {}", event.name(), end.told));
        for gain in end.gains {
            if let Some(more) = self.gain(*gain, &mut gains, turn) {
                message += " ";
                message += &more;
            }
        }
        if gains.hp_lost.is_some() || gains.hp_restored.is_some() {
            gains.player_hp_remaining = Some(self.hero.hp);
        }
        (event, gains, message)
    }

    fn throw(&mut self, way: &Way, dice: &Dice, gains: &mut Gains) -> End {
        self.luck += 1;
        let die = u32::from(dice.of_turn(self.luck).die());
        let roll = rolled(By::You, way.word, die as i32, 0, false);
        gains.rolls.push(Roll { damage: None, ..roll });
        if die >= way.from { way.good } else { way.bad }
    }

    fn pay(&mut self, need: Need, gains: &mut Gains) {
        match need {
            Need::Nothing => {}
            Need::Gold(gold) => {
                self.hero.gold -= gold;
                gains.gold_spent = Some(gold);
            }
            Need::Blood(hp) => {
                self.hero.hp -= hp;
                gains.hp_lost = Some(hp);
            }
            Need::Mana(mana) => self.hero.mana -= mana,
            Need::Ware(ware) => {
                let found = self.hero.bag.iter().find(|item| item.ware == ware);
                let id = found.expect("it was checked").id;
                self.hero.spend(id);
            }
        }
    }

    /// Answers what is to be told of it beside the way's own words.
    fn gain(&mut self, gain: Gain, gains: &mut Gains, turn: u32) -> Option<String> {
        let hero = &mut self.hero;
        match gain {
            Gain::Gold(gold) => {
                hero.gold += gold;
                gains.gold_gained = Some(gold);
                return Some(format!("{gold} gold is yours."));
            }
            Gain::Loss(gold) => {
                let lost = gold.min(hero.gold);
                hero.gold -= lost;
                gains.gold_spent = Some(lost);
                return Some(format!("It costs you {lost} gold."));
            }
            Gain::Hurt(hp) => {
                let lost = hp.min(hero.hp - 1);
                hero.hp -= lost;
                *gains.hp_lost.get_or_insert(0) += lost;
                return Some(format!("You lose {lost} HP."));
            }
            Gain::Heal(hp) => {
                let restored = hero.heal(hp);
                let cured = hero.cure();
                gains.hp_restored = Some(restored);
                // Whoever was well is none the better for it.
                return (restored > 0 || !cured.is_empty())
                    .then(|| format!("{restored} HP restored{cured}."));
            }
            Gain::Mana(mana) => gains.mana_restored = Some(hero.restore_mana(mana)),
            Gain::Ware(ware) => return Some(self.receive(ware, gains)),
            Gain::Vigour(hp) => {
                hero.base_hp += hp;
                hero.hp += hp;
                return Some(format!("Your max HP rises by {hp}."));
            }
            Gain::Scar(hp) => {
                hero.base_hp -= hp;
                hero.hp = hero.hp.min(hero.max_hp());
                return Some(format!("Your max HP falls by {hp}, for good."));
            }
            Gain::Learn(experience) => {
                gains.experience_gained = Some(experience);
                gains.level_up = self.learn(experience, turn);
                let level = gains.level_up.map(|level| format!(" You rise to level {level}."));
                return Some(format!("{experience} XP.{}", level.unwrap_or_default()));
            }
            Gain::Poison => hero.poison = super::manners::LASTING,
            Gain::Strength => hero.strength = tables::BOOST_ROUNDS,
            Gain::Stone => hero.stone = tables::BOOST_ROUNDS,
            Gain::Fight(breed) => {
                let monster = self.newcomer(breed);
                self.here_mut().monsters.push(monster);
                return Some(format!("{} bars your way.", capital(&a(breed.name))));
            }
            Gain::News(news) => return Some(self.tell(self.fresh(news), gains, turn)),
            Gain::Weaken(hp) => self.weaken_boss(hp),
            Gain::Mark(mark) => self.mark(mark),
        }
        None
    }

    fn tell(&mut self, news: News, gains: &mut Gains, turn: u32) -> String {
        match news {
            News::Key => {
                let hint = self.learn_of_the_key();
                let told = format!("The boss key: {hint}.");
                gains.hint = Some(hint);
                told
            }
            News::Secret => {
                let found = self.uncover(turn).expect("it is news");
                gains.revealed = Some(found);
                format!("A hidden way: {}.", self.whither(found))
            }
            News::Wound => {
                self.weaken_boss(WOUND);
                format!("You learn where the boss was hurt once: {WOUND} HP off it.")
            }
        }
    }

    /// Into the bag, or onto the floor if it is full.
    fn receive(&mut self, ware: &'static Ware, gains: &mut Gains) -> String {
        let item = self.world.new_item(ware);
        gains.item = Some(ItemShown::of(&item));
        if !self.hero.has_room_for(ware) {
            self.here_mut().items.push(item);
            return format!("Your bag is full: the {} lies at your feet.", ware.name);
        }
        gains.equipped = self.hero.pack(item).then_some(true);
        let worn = if gains.equipped.is_some() { ", and you put it to use at once" } else { "" };
        format!("The {} is yours{worn}.", ware.name)
    }

    /// Takes HP from the boss for good.
    fn weaken_boss(&mut self, hp: i32) {
        let all = self.world.chambers.iter_mut().flat_map(|chamber| &mut chamber.monsters);
        for boss in all.filter(|monster| monster.breed.boss && monster.alive()) {
            boss.weakened += hp;
            boss.hp = (boss.hp - hp).max(1);
        }
    }
}
