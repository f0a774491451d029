//! What is agreed before a league begins.

use serde::{Deserialize, Serialize};

use super::{
    event,
    schedule::{self, Pairings},
};
use crate::{Rules, Verdict, even_odd, parity};

/// More players than this no league admits, whatever its set-up says.
const MOST_PLAYERS: usize = 1000;
const LONGEST_WAIT: u32 = 7 * 24 * 60 * 60;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Game {
    #[default]
    EvenOdd,
    Parity,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    #[default]
    RoundRobin,
    DoubleRoundRobin,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Setup {
    /// The wire's league_id.
    pub name: String,
    pub game: Game,
    pub format: Format,
    pub rounds_to_win: u8,
    pub max_rounds: u8,
    /// For a move.
    pub time_limit_seconds: u32,
    /// For the answer to an invitation.
    pub join_limit_seconds: u32,
    pub max_players: usize,
    /// What the code of an invitation must come to, where one is asked for. It tells nothing of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// Everybody who may play has a code of their own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_code: bool,
    /// The owner opened it, and not the first who named it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_owner: bool,
}

impl Default for Setup {
    fn default() -> Setup {
        let even_odd::Setup { rounds_to_win, max_rounds } = even_odd::Setup::default();
        Setup {
            name: "league".to_owned(),
            game: Game::default(),
            format: Format::default(),
            rounds_to_win,
            max_rounds,
            time_limit_seconds: 30,
            join_limit_seconds: 5,
            max_players: 256,
            invitation: None,
            by_code: false,
            by_owner: false,
        }
    }
}

impl Setup {
    /// What kind of game a match is.
    pub fn match_kind(&self) -> &'static str {
        match self.game {
            Game::EvenOdd => even_odd::EvenOdd::KIND,
            Game::Parity => parity::Parity::KIND,
        }
    }

    /// The set-up of a match, as that kind reads it.
    pub fn match_setup(&self) -> String {
        let (rounds_to_win, max_rounds) = (self.rounds_to_win, self.max_rounds);
        let written = match self.game {
            Game::EvenOdd => serde_json::to_string(&even_odd::Setup { rounds_to_win, max_rounds }),
            Game::Parity => serde_json::to_string(&parity::Setup {}),
        };
        written.expect("a set-up can be written")
    }

    pub(super) fn check(&self) -> Result<(), String> {
        event::check_name("a league's name", &self.name)?;
        if self.rounds_to_win == 0 || self.max_rounds < self.rounds_to_win {
            return Err("there must be enough rounds for somebody to win".into());
        }
        let limits = [self.time_limit_seconds, self.join_limit_seconds];
        if limits.iter().any(|limit| !(1..=LONGEST_WAIT).contains(limit)) {
            return Err(format!("time limits are from 1 to {LONGEST_WAIT} seconds"));
        }
        match (2..=MOST_PLAYERS).contains(&self.max_players) {
            true => Ok(()),
            false => Err(format!("a league admits from 2 to {MOST_PLAYERS} players")),
        }
    }

    pub(super) fn pairings(&self) -> &'static dyn Pairings {
        match self.format {
            Format::RoundRobin => &schedule::RoundRobin,
            Format::DoubleRoundRobin => &schedule::DoubleRoundRobin,
        }
    }

    /// Whether a match can end so.
    pub(super) fn allows(&self, verdict: Verdict) -> bool {
        let (to_win, rounds) = match self.game {
            Game::EvenOdd => (self.rounds_to_win, u16::from(self.max_rounds)),
            Game::Parity => (1, 1),
        };
        let [low, high] = if verdict.scores[0] < verdict.scores[1] {
            verdict.scores
        } else {
            [verdict.scores[1], verdict.scores[0]]
        };
        let won = u16::from(low) + u16::from(high);
        // One round at most can be without a winner and neither player have forfeited.
        let played_out = verdict.is_forfeit() || high == to_win || won + 1 >= rounds;
        high <= to_win && low < to_win && won <= rounds && played_out
    }
}
