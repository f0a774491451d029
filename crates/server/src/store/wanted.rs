//! Filters and order of a list of games.

use super::{Hashed, Millis, words};
use crate::ids::GameId;

/// Which games to list.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Only those that come after this place in the list.
    pub before: Option<(Millis, GameId)>,
    pub limit: u32,
    pub progress: Progress,
    /// Only of these kinds.
    pub kinds: Vec<&'static str>,
    /// The beginnings of words: of the id, the kind, who plays.
    pub text: String,
    pub whose: Whose,
    pub order: Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Any,
    Over,
    /// Awake or asleep.
    Unfinished,
    /// Somebody has touched it within a day.
    Live,
    Asleep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The latest move first.
    LastMove,
    /// By when they were created.
    Newest,
}

impl Order {
    pub(super) fn columns(self) -> &'static str {
        match self {
            Order::LastMove => "moved desc, id desc",
            Order::Newest => "created_at desc, id desc",
        }
    }
}

impl Wanted {
    /// The latest of these kinds, whoever plays.
    pub fn of(kinds: Vec<&'static str>, limit: u32) -> Wanted {
        Wanted {
            before: None,
            limit,
            progress: Progress::Any,
            kinds,
            text: String::new(),
            whose: Whose::Anyones,
            order: Order::LastMove,
        }
    }

    /// It is searched for what is in no word.
    pub(super) fn is_vain(&self) -> bool {
        !self.text.trim().is_empty() && words::words(&self.text).is_empty()
    }
}

/// The players whose games are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whose {
    #[default]
    Anyones,
    /// Those in which this connection took a seat.
    Connections(Hashed),
    /// Those in which one agent plays, and no other has a seat to take.
    LoneAgents,
}
