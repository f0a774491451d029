//! How the games go: whose turn it is, which moves are legal, how it ends.
//!
//! Nothing here does I/O, reads a clock or draws chance it was not given. Who plays, where games
//! are kept and how they are told to a player is the server's business.

// The games: a file each, or a folder beside it. Each is listed in `KINDS` below as well.
pub mod breakthrough;
pub mod chess;
pub mod connect_four;
pub mod dungeon;
pub mod even_odd;
pub mod hex;
pub mod kuhn;
pub mod league;
pub mod leduc;
pub mod liars_dice;
pub mod matrix;
pub mod mnk;
pub mod nim;
pub mod othello;
pub mod parity;

// Games that nobody plays. They are written as if they lay outside.
#[cfg(feature = "toys")]
extern crate self as rules;
#[cfg(feature = "toys")]
#[path = "../tests/it/toys.rs"]
pub mod toys;

// What they are made of.
pub mod board;
mod card;
mod dice;
pub mod drawing;
mod glimpse;
mod illegal;
mod kind;
mod opening;
pub mod poker;
mod record;
mod setup_keys;
mod verdict;
mod wording;

use std::{cmp::Ordering, fmt};

use drawing::Shown;

pub use card::{Card, Key, Tag};
pub use dice::Dice;
pub use glimpse::Glimpse;
pub use illegal::{BrokenRule, GeneralRule, Illegal, RuleName};
pub use kind::{Kind, UnknownKind, kind};
pub use record::{Ask, Corrupt, Guess, LATE, OUT_OF_TIME, RESIGNED, Record, Step, Turn};
pub use verdict::MatchVerdict;
pub use wording::quoted;

/// Every kind of game there is. A new game is one line here, and one that names its file above.
pub const KINDS: &[Kind] = &[
    Kind::of::<breakthrough::Breakthrough>(),
    Kind::of::<chess::Chess>(),
    Kind::of::<connect_four::ConnectFour>(),
    Kind::of::<dungeon::Dungeon>(),
    Kind::of::<even_odd::EvenOdd>(),
    Kind::of::<mnk::Gomoku>(),
    Kind::of::<hex::Hex>(),
    Kind::of::<kuhn::Kuhn>(),
    Kind::of::<league::League>(),
    Kind::of::<leduc::Leduc>(),
    Kind::of::<liars_dice::LiarsDice>(),
    Kind::of::<matrix::Matrix>(),
    Kind::of::<nim::Nim>(),
    Kind::of::<othello::Othello>(),
    Kind::of::<parity::Parity>(),
    Kind::of::<mnk::TicTacToe>(),
    #[cfg(feature = "toys")]
    toys::KINDS[0],
    #[cfg(feature = "toys")]
    toys::KINDS[1],
    #[cfg(feature = "toys")]
    toys::KINDS[2],
];

/// A place in a game, counted from zero in the order the rules give.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
    ts_rs::TS,
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

    /// In a sentence, with the names of the seats.
    pub fn sentence(&self, seats: &[&str]) -> String {
        let names = |due: &[Seat]| {
            due.iter().map(|seat| seats[usize::from(seat.0)]).collect::<Vec<_>>().join(", ")
        };
        match self {
            Due::One(seat) => format!("{} to move.", names(&[*seat])),
            Due::Each(due) => format!("{} to move, at once.", names(due)),
            Due::Over(outcome) => format!("{outcome}."),
        }
    }

    /// Whether `seat` may move, and if not, why.
    pub fn admit(&self, seat: Seat) -> Result<(), Illegal> {
        match self {
            Due::Over(outcome) => Err(Illegal::Over(outcome.clone())),
            due if !due.includes(seat) => Err(Illegal::NotYourTurn),
            _ => Ok(()),
        }
    }
}

/// How a game ended: what every seat has made of it, and the sentence that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// One number for each seat, in their order. Where there is no more to win than the game, the
    /// winner has 1, a loser -1, and all have 0 in a draw.
    pub points: Vec<i32>,
    /// At most 120 bytes, without the full stop: whoever tells it adds one.
    pub text: String,
    /// Whether the points are the game's own, like chips, and say more than who won.
    pub(crate) counts: bool,
}

impl Outcome {
    /// Where the points are the game's own, or more than two play. Who has won or lost against one
    /// other, and no more, is `of_two`.
    pub fn new(points: Vec<i32>, text: impl Into<String>) -> Outcome {
        Outcome { points, text: text.into(), counts: true }
    }

    /// One of two has won, or neither.
    pub fn of_two(winner: Option<Seat>, text: impl Into<String>) -> Outcome {
        let points = [Seat(0), Seat(1)].map(|seat| match winner {
            Some(winner) if winner == seat => 1,
            Some(_) => -1,
            None => 0,
        });
        Outcome { counts: false, ..Outcome::new(points.into(), text) }
    }

    /// Two have so much of `what`, and whoever has more has won.
    pub(crate) fn of_sums(sums: [i32; 2], what: &str, seats: &[&str]) -> Outcome {
        let [one, other] = sums;
        let text = match one.cmp(&other) {
            Ordering::Equal => format!("Draw, {what} {one}:{other}"),
            Ordering::Greater => format!("{} wins, {what} {one}:{other}", seats[0]),
            Ordering::Less => format!("{} wins, {what} {other}:{one}", seats[1]),
        };
        Outcome::new(sums.into(), text)
    }

    /// Who has more than everybody else. One who plays alone wins with more than nothing.
    pub fn winner(&self) -> Option<Seat> {
        let most = *self.points.iter().max()?;
        let mut best = (0..).map(Seat).zip(&self.points).filter(|(_, points)| **points == most);
        let (winner, _) = best.next()?;
        let is_alone = best.next().is_none();
        (is_alone && (self.points.len() > 1 || most > 0)).then_some(winner)
    }
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

/// How one kind of game goes. A value of this type is a position.
pub trait Rules: Clone + Send + Sync + Sized + 'static {
    /// What the log calls this kind: small letters and hyphens.
    const KIND: &'static str;
    /// Begins at 1, and is raised when an old log would be read differently.
    const VERSION: u32;
    /// What the seats are called, as many as there can be, in at most 20 bytes each.
    const SEATS: &'static [&'static str];
    /// What it says of itself; nothing where nobody sits down to it.
    const CARD: Option<Card>;
    /// What players do beside the board, in the words that `parse` reads as moves. A kind without any
    /// can be resigned where two play, and its log says so without its help.
    const ACTIONS: &'static [&'static str] = &[];
    /// What else is chosen by who creates a game with the tools, and read by the kind's own room: what
    /// is between these players, and not for the owner of a league to say.
    const TABLE_KEYS: &'static [Key] = &[];

    /// Its keys are those of the card, each with a default and a bound, numbers and the lengths of
    /// lists below 1,000; others are refused (`deny_unknown_fields`).
    type Setup: serde::Serialize + serde::de::DeserializeOwned;
    type Move: Clone + PartialEq + Send + Sync + 'static;
    /// What a move did, as the log keeps it and whoever made it is told, in at most 1,000 bytes of
    /// JSON; `()` where the view says it all.
    type Report: serde::Serialize + 'static;
    /// What one pair of eyes sees. It is told as an object of JSON, which is what the tools promise.
    type View: serde::Serialize + Send + 'static;

    /// How many sit down to a game with this set-up.
    fn seats(_: &Self::Setup) -> usize {
        Self::SEATS.len()
    }
    /// `version` is that of the rules the game began under, this one or an older. What differs is
    /// chosen here, once.
    fn start(version: u32, setup: &Self::Setup, dice: &mut Dice) -> Result<Self, Illegal>;
    fn due(&self) -> Due;
    /// Who has been asked something they may answer out of turn: a draw, a takeback.
    fn asked(&self) -> Option<Seat> {
        None
    }
    /// What `seat` may answer to what it was asked; playing on is an answer too.
    fn answers(&self, _: Seat) -> Vec<&'static str> {
        Vec::new()
    }
    /// The moves `seat` may make: none for a seat that is not due or does not exist, and never none
    /// for one that is due. Where there are too many to tell, or moves are open-ended, `offers` says
    /// them in another way.
    fn legal(&self, seat: Seat) -> Vec<Self::Move>;
    /// The same as a player is told them, in at most 6,000 bytes of JSON. Where moves are numbers, a
    /// range stands for many: `bid 0..40`.
    fn offers(&self, seat: Seat) -> Vec<String> {
        self.legal(seat).iter().map(|mv| self.write(mv)).collect()
    }
    /// Reads what a player has written. It begins with `self.due().admit(seat)?`, and so copes with
    /// any seat, one that does not exist too. It takes nothing that is not offered, however it is
    /// written. A refusal says in at most 500 bytes what is wrong, and beside that which moves
    /// would be right, the nearest first: `Illegal::because`.
    fn parse(&self, seat: Seat, text: &str) -> Result<Self::Move, Illegal>;
    /// The one way the log, the tools and the pages write this move; `parse` reads it as the same.
    fn write(&self, mv: &Self::Move) -> String;
    /// Plays moves that `parse` accepted: one, or one for each seat that was due together.
    fn play(&mut self, moves: &[(Seat, Self::Move)], dice: &mut Dice) -> Self::Report;
    /// What `eye` may see, as facts, in at most 3,000 bytes of JSON. What it must not know is not
    /// there: it does not depend on that in any way.
    fn view(&self, eye: Eye) -> Self::View;
    /// The same in words and as a drawing, for rooms and pages that know no kind; [`Shown`] has the
    /// limits, and says what is added to the words. A click or a drag is a move that is offered to
    /// `eye`; moves that none makes can be chosen beside the drawing. Nothing is drawn only where a
    /// kind has pages of its own; where two can sit down to it, leagues tell it by the words.
    fn show(&self, _: Eye) -> Shown {
        Shown::default()
    }
    /// What `eye` is told in place of a turn's text, where the move is secret from it; nothing where
    /// it sees the turn as it is. A turn that is hidden has no report.
    fn turn_hidden_as(&self, _: &Turn, _: Eye) -> Option<String> {
        None
    }
    /// What the last turn brought for everybody to see beside its move, in at most 200 bytes of whole
    /// sentences: what was drawn or shown, who won a pot. It is told with what others did; nothing
    /// where the moves say it all.
    fn revealed(&self) -> Option<String> {
        None
    }
    /// What each seat has won by now, where more than the game is won: whoever gives up does not
    /// get back what is lost already.
    fn won_so_far(&self) -> Vec<i32> {
        Vec::new()
    }
    /// A position that `seat` might be in, given what it has seen: what it has not is drawn anew.
    /// A search looks ahead from there, with dice of its own. Where all is seen, it is a clone. None
    /// where one plays alone and no search does.
    fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<Self>;
    /// The turn that is written for a seat that did not move in time, in games that go on without.
    /// No text of a player's is ever read as this. Without one, who is out of time has lost.
    fn late(&self, _: Seat) -> Option<Self::Move> {
        None
    }
    /// What a list shows of it to everybody, as JSON, where it has pages of its own that understand
    /// it; otherwise lists show the drawing, small. It tells no secret. It is kept with the game, so
    /// that lists need not replay it.
    fn glimpse(&self) -> Option<String> {
        None
    }
}
