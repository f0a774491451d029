//! What a dungeon remembers besides its world: how hard it is, what the hero has done that
//! the end will hang on, and how often he woke at the stairs.

use super::{
    HERO_NAME_LENGTH, Setup,
    difficulty::Difficulty,
    report::Fight,
    state::State,
    themes::{Lore, Theme},
    view::HERO_NAME,
    world::{ENTRANCE, Place},
};
use crate::{Dice, Illegal};

#[derive(Clone)]
pub(super) struct Story {
    pub lore: &'static Lore,
    pub difficulty: Difficulty,
    pub hero: String,
    pub marks: Vec<Mark>,
    pub falls: u32,
}

/// Something done that is remembered at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Mercy,
    Greed,
    Curse,
}

impl Story {
    pub fn of(setup: &Setup, dice: &mut Dice) -> Result<Story, Illegal> {
        let drawn = Theme::ALL[dice.below(3) as usize];
        let hero = setup.hero.as_deref().unwrap_or(HERO_NAME).trim();
        let length = hero.chars().count();
        if !(1..=HERO_NAME_LENGTH).contains(&length) || hero.chars().any(char::is_control) {
            let why = format!("a hero's name has 1 to {HERO_NAME_LENGTH} printable characters");
            return Err(Illegal::set_up(why));
        }
        Ok(Story {
            lore: setup.theme.unwrap_or(drawn).lore(),
            difficulty: setup.difficulty.unwrap_or_default(),
            hero: hero.to_owned(),
            marks: Vec::new(),
            falls: 0,
        })
    }

    pub fn count(&self, mark: Mark) -> usize {
        self.marks.iter().filter(|other| **other == mark).count()
    }
}

impl State {
    /// How a chamber is spoken of.
    pub(super) fn called(&self, place: Place) -> &'static str {
        self.world.chambers[place].name
    }

    pub(super) fn mark(&mut self, mark: Mark) {
        self.story.marks.push(mark);
    }

    /// Whether death is not the end.
    pub(super) fn wakes_again(&self) -> bool {
        self.story.difficulty.terms().wakes
    }

    /// What is told of the last blow.
    pub(super) fn fallen(&self) -> &'static str {
        if self.wakes_again() { "you fall" } else { "you fall, and the game is over" }
    }

    /// A gentle fall: half of the gold is gone, and whoever won is well again.
    pub(super) fn carry_to_the_stairs(&mut self, fight: &mut Fight) {
        for monster in self.here_mut().monsters.iter_mut().filter(|monster| monster.alive()) {
            monster.rest();
        }
        self.enter(ENTRANCE);
        let hero = &mut self.hero;
        let lost = hero.gold / 2;
        hero.gold -= lost;
        hero.hp = hero.max_hp() / 2;
        (hero.poison, hero.burn, hero.wither) = (0, 0, 0);
        *fight.gold_lost.get_or_insert(0) += lost;
        fight.combat_over = true;
        fight.player_hp_remaining = hero.hp;
        fight.new_room_id = Some(self.here().id);
        self.story.falls += 1;
        let woken = format!("You wake where you came in, sore and {lost} gold poorer.");
        fight.asides.push(format!("{woken} Whoever felled you has rested too."));
    }
}
