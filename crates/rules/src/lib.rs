//! How the games go: whose turn it is, which moves are legal, how it ends.
//!
//! Nothing here does I/O, reads a clock or draws chance it was not given. Who plays, where games
//! are kept and how they are told to a player is the server's business.

pub mod chess;
mod dice;
pub mod dungeon;
pub mod even_odd;
pub mod league;
pub mod parity;
mod record;
mod verdict;
mod wording;

use std::fmt;

pub use dice::Dice;
pub use record::{Corrupt, KINDS, Kind, Record, Step, Turn, UnknownKind, kind};
pub use verdict::Verdict;

/// A place in a game, counted from zero in the order the rules give.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct Seat(pub u8);

/// Whom the game waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    One(Seat),
    /// All of these at once; nobody sees a move before all are in.
    Each(Vec<Seat>),
    Over(Outcome),
}

impl Due {
    pub fn includes(&self, seat: Seat) -> bool {
        match self {
            Due::One(due) => *due == seat,
            Due::Each(due) => due.contains(&seat),
            Due::Over(_) => false,
        }
    }

    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Due::Over(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// How a game ended: who won, if anyone did, and the sentence that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub winner: Option<Seat>,
    pub text: String,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Whose eyes a view is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eye {
    Seat(Seat),
    Public,
}

/// Why a move was not accepted. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    #[error("the game is over: {0}")]
    Over(Outcome),
    #[error("it is not your turn")]
    NotYourTurn,
    /// `rule` is the name of the rule in the way, in games that name theirs; `options` are the
    /// moves that come nearest to what was asked for.
    #[error("{reason}")]
    Rule { rule: &'static str, reason: String, options: Vec<String> },
    #[error("the claim does not hold")]
    FalseClaim,
}

impl Illegal {
    pub(crate) fn rule(reason: impl Into<String>) -> Illegal {
        Illegal::Rule { rule: "", reason: reason.into(), options: Vec::new() }
    }
}

/// How one kind of game goes. A value of this type is a position.
pub trait Rules: Clone + Send + Sync + Sized + 'static {
    /// What the log calls this kind.
    const KIND: &'static str;
    /// Raised when an old log would be read differently.
    const VERSION: u32;
    const SEATS: &'static [&'static str];

    type Setup: serde::Serialize + serde::de::DeserializeOwned;
    type Move;
    /// What a move did, as the log keeps it and whoever made it is told; `()` where the view says
    /// it all.
    type Report: serde::Serialize;
    type View;

    fn start(setup: &Self::Setup, dice: &mut Dice) -> Result<Self, Illegal>;
    fn due(&self) -> Due;
    /// Who has been asked something they may answer out of turn: a draw, a takeback.
    fn asked(&self) -> Option<Seat> {
        None
    }
    /// The moves `seat` may make; empty where moves are open-ended.
    fn legal(&self, seat: Seat) -> Vec<Self::Move>;
    fn parse(&self, seat: Seat, text: &str) -> Result<Self::Move, Illegal>;
    /// The one way the log, the tools and the pages write this move.
    fn write(&self, mv: &Self::Move) -> String;
    /// Plays moves that `parse` accepted: one, or one for each seat that was due together.
    fn play(&mut self, moves: &[(Seat, Self::Move)], dice: &mut Dice) -> Self::Report;
    fn view(&self, eye: Eye) -> Self::View;
    /// What a list shows of it to everybody, as JSON, where that is more than who plays. It is kept
    /// with the game, so that lists need not replay it.
    fn card(&self) -> String {
        String::new()
    }
}
