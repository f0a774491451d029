//! How a dungeon ends, and what it was worth.

use serde::Serialize;
use ts_rs::TS;

use super::{
    Dungeon, Status,
    state::{Ending, State},
    story::Mark,
    tables::{Breed, What},
    words::named,
};

/// From here on a purse is remembered.
const RICH: u32 = 450;
const KIND: usize = 2;

/// How a victory is remembered, the first that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fame {
    Usurper,
    Liberator,
    Keeper,
    Pathfinder,
    Plunderer,
    Victor,
}

impl Fame {
    pub const ALL: [Fame; 6] = [
        Fame::Usurper,
        Fame::Liberator,
        Fame::Keeper,
        Fame::Pathfinder,
        Fame::Plunderer,
        Fame::Victor,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Fame::Usurper => "the Usurper",
            Fame::Liberator => "the Liberator",
            Fame::Keeper => "the Keeper",
            Fame::Pathfinder => "the Pathfinder",
            Fame::Plunderer => "the Plunderer",
            Fame::Victor => "the Victor",
        }
    }
}

impl Ending {
    pub fn is_victory(self) -> bool {
        !matches!(self, Ending::Death(_))
    }

    pub fn text(self) -> String {
        match self {
            Ending::Fame(fame, boss, epilogue) => {
                format!("Victory, as {}: the {} is no more. {epilogue}", fame.title(), boss.name)
            }
            Ending::Death(by) => format!("Death: killed by {}", killer(by)),
        }
    }
}

/// With its article, if it is somebody.
pub(super) fn killer(by: &str) -> String {
    if by.starts_with(char::is_uppercase) { named(by) } else { by.to_owned() }
}

impl State {
    /// The end that comes with the boss's, by what was done and left undone.
    pub(super) fn victory(&self, boss: &'static Breed) -> Ending {
        let story = &self.story;
        let relic = self.hero.keys.iter().any(|key| key.ware.what == What::Relic);
        let seen_all = self.world.chambers.iter().all(|chamber| chamber.visited());
        let fits = |fame: &Fame| match fame {
            Fame::Usurper => story.count(Mark::Curse) > 0,
            Fame::Liberator => story.count(Mark::Mercy) >= KIND,
            Fame::Keeper => relic && story.count(Mark::Mercy) > 0,
            Fame::Pathfinder => seen_all,
            Fame::Plunderer => story.count(Mark::Greed) > 0 || self.hero.gold >= RICH,
            Fame::Victor => true,
        };
        let fame = Fame::ALL.into_iter().find(fits).expect("a victor is a victor");
        Ending::Fame(fame, boss, story.lore.endings[fame as usize])
    }
}

/// A part of the score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ScorePart {
    #[serde(rename = "for")]
    pub reason: &'static str,
    pub points: i32,
}

impl Dungeon {
    /// What the score is made up of.
    pub(super) fn score_parts(&self) -> Vec<ScorePart> {
        let state = &self.now;
        let story = &state.story;
        let seen = state.world.chambers.iter().filter(|chamber| chamber.visited()).count() as i32;
        let won = state.status() == Status::Victory;
        let if_won = |points: i32| if won { points } else { 0 };
        let parts = [
            ("experience", state.hero.experience as i32),
            ("gold", state.hero.gold as i32),
            ("rooms seen, 25 each", 25 * seen),
            ("kindness, 50 each", 50 * story.count(Mark::Mercy) as i32),
            ("victory", if_won(500)),
            ("turns under 150, 4 each", if_won(4 * 150_u32.saturating_sub(state.steps) as i32)),
            ("difficulty", if_won(story.difficulty.terms().bonus)),
            ("falls, 50 each", -50 * story.falls as i32),
            ("checkpoints gone back to, 100 each", -100 * self.loads as i32),
        ];
        let parts = parts.into_iter().filter(|(_, points)| *points != 0);
        parts.map(|(reason, points)| ScorePart { reason, points }).collect()
    }

    pub(super) fn score(&self) -> u32 {
        let sum: i32 = self.score_parts().iter().map(|part| part.points).sum();
        sum.max(0) as u32
    }
}
