//! Games, seats, turns and messages as they are written and read back.

use rules::{Outcome, Seat, Turn};

use super::{Hashed, Millis, listing::DAY, now};
use crate::{ids::GameId, player::Player};

/// A game that something is done in, and its kind: what is done is told elsewhere with both.
#[derive(Clone, Copy, Debug)]
pub struct ChangedGame {
    pub id: GameId,
    pub kind: &'static str,
}

/// How a game stands, for those who do not replay it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gist {
    pub outcome: Option<Outcome>,
    /// The small picture for lists, as its kind writes it.
    pub glimpse: String,
    /// The computer has something to do.
    pub computer_due: bool,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGame {
    pub id: GameId,
    pub kind: String,
    pub created_at: Millis,
    /// When somebody last moved or sat down.
    pub last_at: Millis,
    pub turns: u32,
    pub outcome: Option<String>,
    pub winner: Option<Seat>,
    pub seats: Vec<SavedSeat>,
    /// A player chose the seed, so the game is rated nowhere.
    pub practice: bool,
    /// The small picture, as its kind writes it; None where the game itself is at hand.
    pub glimpse: Option<String>,
    /// The seat of the connection that was asked for.
    pub yours: Option<Seat>,
}

impl ListedGame {
    /// Nobody has touched it for a day, and it is not over. It wakes with the next move.
    pub fn is_asleep(&self) -> bool {
        self.outcome.is_none() && self.last_at <= now() - DAY
    }
}

/// Somebody who sat down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedSeat {
    pub seat: Seat,
    pub player: Player,
    /// The player's name, if it gave one.
    pub name: String,
    /// How this seat wants to be spoken to; for whoever speaks to it.
    pub manner: String,
    pub at: Millis,
    pub link: Link,
    /// How many of its moves were refused.
    pub refused: u32,
}

impl SavedSeat {
    /// Somebody who sits down now.
    pub fn new(seat: Seat, player: Player) -> SavedSeat {
        let (name, manner) = (String::new(), String::new());
        SavedSeat { seat, player, name, manner, at: now(), link: Link::default(), refused: 0 }
    }
}

/// The address that seats whoever opens it first, a person at a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// How many there were before it; each new one ends the last, and the passes it gave.
    pub number: u32,
    /// Somebody has opened it.
    pub opened: bool,
}

/// Somebody who opens a link.
#[derive(Clone, Debug)]
pub struct Opener {
    /// By it they are known again.
    pub key: Option<Hashed>,
    /// The name that they want, if they give one.
    pub name: Option<String>,
    pub at: Millis,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedTurn {
    pub turn: Turn,
    pub at: Millis,
    /// The key its caller gave it.
    pub request: Option<String>,
    /// The player's comment.
    pub comment: Option<String>,
    /// How many of the seat's moves had been refused by then, in the whole game. The store fills
    /// this in when it appends a turn without it.
    pub refused: Option<u32>,
    /// How many texts were read as this move though they were not moves as they stood: 0 or 1.
    pub loose: u32,
    /// How many tokens it cost its player, as they say.
    pub tokens: Option<u32>,
}

/// The result of `Games::create`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    New,
    IdTaken,
    /// A game goes by that name already.
    NameTaken(GameId),
}

/// A game as it is created, read and copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    pub id: GameId,
    /// Another name for the game. Not read back with it.
    pub name: Option<Hashed>,
    pub kind: String,
    pub rules: u32,
    pub setup: String,
    /// Cards and dice come from this.
    pub seed: u64,
    /// The computer's choices come from this.
    pub luck: u64,
    /// A player chose the seed, so the game is rated nowhere.
    pub practice: bool,
    pub created_at: Millis,
    pub outcome: Option<String>,
    pub winner: Option<Seat>,
    /// Shown in lists, as in `Gist` and `ListedGame`.
    pub last_at: Millis,
    pub glimpse: String,
    pub computer_due: bool,
    pub news: News,
}

/// New seats, turns and connections of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    pub seats: Vec<SavedSeat>,
    pub turns: Vec<SavedTurn>,
    pub connections: Vec<(Hashed, Seat)>,
}

/// A message to or from one player in a match of a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedMessages {
    pub league: GameId,
    pub contest: String,
    pub player: String,
    pub at: Millis,
    /// The row may be deleted then.
    pub until: Millis,
    pub text: String,
}
