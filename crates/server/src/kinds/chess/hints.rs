//! Who may ask what a position is worth: those who play where all have agreed to it, and anybody
//! once the game is over. Every answer passes through here, whichever door was knocked at.

use std::ops::Range;

use rules::{Seat, chess::Chess};
use serde::Deserialize;

use super::analyst::{Analyst, AnalystQuestion, Effort, Verdict};
use crate::{
    budgets::{Budget, CallerId, TooMany},
    hall::{CROWDED, Look, Seats, computer::NoThought},
    player::Player,
    store::SavedSeat,
};

/// A seat's word on hints; a part of its manner.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Agreement {
    hints: bool,
}

impl Agreement {
    fn of(seat: &SavedSeat) -> Agreement {
        match seat.player {
            // The computer does not mind, and a person's board shows what the game allows.
            Player::Computer(_) | Player::Human => Agreement { hints: true },
            Player::Agent => serde_json::from_str(&seat.manner).unwrap_or_default(),
        }
    }
}

/// Whether the players of a game may have hints. It is for both sides or for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hints {
    /// The game was created without them.
    Off,
    /// Nobody has taken the other seat yet.
    Offered,
    /// The agent who took it did not agree.
    Declined,
    On,
}

impl Hints {
    pub fn of(look: &Look<Chess>) -> Hints {
        Hints::at(look.view.setup.hints, &look.seats)
    }

    /// Of a game that was created with them or without, for those who sit there.
    pub fn at(offered: bool, seats: &Seats) -> Hints {
        let agree = || seats.iter().all(|seat| Agreement::of(seat).hints);
        match seats.iter().count() {
            _ if !offered => Hints::Off,
            0 | 1 => Hints::Offered,
            _ if agree() => Hints::On,
            _ => Hints::Declined,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Hints::Off => "off",
            Hints::Offered => "offered",
            Hints::Declined => "declined",
            Hints::On => "on",
        }
    }
}

/// Why it is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoHint {
    #[error("hints are off: this game was created without them")]
    Off,
    #[error("hints are off until the other player has joined and agreed to them")]
    NotYet,
    #[error("hints are off for both sides: the agent who joined did not agree to them")]
    Declined,
    #[error("hints are for those who play")]
    NoSeat,
    #[error("a game is evaluated when it is over, and this one is not")]
    NotOver,
    #[error(transparent)]
    TooMany(#[from] TooMany),
    #[error("the server is stopping")]
    Stopping,
    #[error("the engine failed at this position")]
    Failed,
}

impl From<NoThought> for NoHint {
    fn from(why: NoThought) -> NoHint {
        match why {
            NoThought::Stopped => NoHint::Stopping,
            NoThought::Failed => NoHint::Failed,
            NoThought::Crowded => NoHint::TooMany(CROWDED),
        }
    }
}

impl Analyst {
    /// What the position on the board is worth, for whoever sits at `seat`.
    pub async fn hint(
        &self,
        look: &Look<Chess>,
        seat: Option<Seat>,
        by: CallerId,
    ) -> Result<Verdict, NoHint> {
        match (Hints::of(look), seat) {
            (Hints::Off, _) => return Err(NoHint::Off),
            (Hints::Offered, _) => return Err(NoHint::NotYet),
            (Hints::Declined, _) => return Err(NoHint::Declined),
            (Hints::On, None) => return Err(NoHint::NoSeat),
            (Hints::On, Some(_)) => {}
        }
        let questions = AnalystQuestion::along(&look.view.start, &look.view.moves);
        let question = questions.last().expect("there is at least the start");
        self.asked(question, Effort::Hint, by).await
    }

    /// What the positions of a game that is over are worth; 0 is the one it started from.
    pub async fn review(
        &self,
        look: &Look<Chess>,
        plies: Range<usize>,
        by: CallerId,
    ) -> Result<Vec<Verdict>, NoHint> {
        if look.due.outcome().is_none() {
            return Err(NoHint::NotOver);
        }
        let questions = AnalystQuestion::along(&look.view.start, &look.view.moves);
        let mut verdicts = Vec::new();
        for question in questions.skip(plies.start).take(plies.len()) {
            verdicts.push(self.asked(question, Effort::Review, by).await?);
        }
        Ok(verdicts)
    }

    /// What is remembered costs nobody anything.
    async fn asked(
        &self,
        question: AnalystQuestion,
        effort: Effort,
        by: CallerId,
    ) -> Result<Verdict, NoHint> {
        if !self.knows(&question, effort) {
            self.budgets.count(by, Budget::Evaluations)?;
        }
        Ok(self.judge(question, effort, by).await?)
    }
}
