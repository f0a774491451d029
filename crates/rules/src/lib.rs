//! The rules of the games: whose turn it is, which moves are legal, how a game ends.
//!
//! Nothing here does I/O, reads a clock or draws random numbers of its own. The server decides who
//! plays, stores the games and presents them to players.

// One file or folder for each game. Each is also listed in `GAMES` below.
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

// Games for tests, compiled in debug builds only. They are written as if by another crate.
#[cfg(debug_assertions)]
extern crate self as rules;
#[cfg(debug_assertions)]
#[path = "../tests/it/toys.rs"]
mod toys;

// Shared by all games.
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

use std::{cmp::Ordering, fmt, sync::LazyLock};

use drawing::Shown;

pub use card::{Card, Key, Tag};
pub use dice::Dice;
pub use glimpse::Glimpse;
pub use illegal::{BrokenRule, GeneralRule, Illegal, RuleName};
pub use kind::{Kind, UnknownKind, kind, kind_in_log};
pub use record::{Ask, Corrupt, Guess, LATE, OUT_OF_TIME, RESIGNED, Record, Step, Turn};
pub use verdict::MatchVerdict;
pub use wording::{LONGEST_ID, cut, is_invisible, quoted, short};

/// Every kind of game. Debug builds also list the toys if AGON_TOYS is set, so that tests can check
/// how the server treats games it has no code for.
pub static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    #[cfg(debug_assertions)]
    if std::env::var_os("AGON_TOYS").is_some() {
        return [GAMES, toys::KINDS].concat();
    }
    GAMES.to_vec()
});

/// A new game needs one line here and one above that names its file.
const GAMES: &[Kind] = &[
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
];

/// A place at a game, counted from zero in the order of `Rules::SEATS`.
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

/// The seats that are to move, or the outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    One(Seat),
    /// These seats move at the same time. Their moves stay sealed until all are in.
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

    /// A sentence with the names of the seats.
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

    /// Returns an error that says why if `seat` may not move.
    pub fn admit(&self, seat: Seat) -> Result<(), Illegal> {
        match self {
            Due::Over(outcome) => Err(Illegal::Over(outcome.clone())),
            due if !due.includes(seat) => Err(Illegal::NotYourTurn),
            _ => Ok(()),
        }
    }
}

/// How a game ended: the points of every seat, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// One number for each seat, in their order. In a game that is only won or lost the winner has
    /// 1, a loser -1, and everyone 0 in a draw.
    pub points: Vec<i32>,
    /// At most 120 bytes, without a full stop.
    pub text: String,
    /// Whether the points say more than who won, as chips do.
    pub(crate) counts: bool,
}

impl Outcome {
    /// For games with more than two seats, or whose points say more than who won. For a plain win,
    /// loss or draw between two, use `of_two`.
    pub fn new(points: Vec<i32>, text: impl Into<String>) -> Outcome {
        Outcome { points, text: text.into(), counts: true }
    }

    /// A win for one of two players, or a draw.
    pub fn of_two(winner: Option<Seat>, text: impl Into<String>) -> Outcome {
        let points = [Seat(0), Seat(1)].map(|seat| match winner {
            Some(winner) if winner == seat => 1,
            Some(_) => -1,
            None => 0,
        });
        Outcome { counts: false, ..Outcome::new(points.into(), text) }
    }

    /// The player with the larger sum of `what` wins. The text has the sums in the order of seats.
    pub(crate) fn of_sums(sums: [i32; 2], what: &str, seats: &[&str]) -> Outcome {
        let [one, other] = sums;
        let who = match one.cmp(&other) {
            Ordering::Equal => "Draw".to_owned(),
            Ordering::Greater => format!("{} wins", seats[0]),
            Ordering::Less => format!("{} wins", seats[1]),
        };
        Outcome::new(sums.into(), format!("{who}, {what} {one}:{other}"))
    }

    /// The seat with more points than every other. A player alone wins with more than 0.
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

/// The observer a view is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eye {
    Seat(Seat),
    Public,
}

/// The rules of one kind of game. A value of this type is a position.
pub trait Rules: Clone + Send + Sync + Sized + 'static {
    /// The name of the kind in the log: lower-case letters and hyphens.
    const KIND: &'static str;
    /// The version of these rules. Raise it when a change makes an old log mean something else.
    const VERSION: u32 = 1;
    /// The names of the seats, as many as a game can have, each at most 20 bytes.
    const SEATS: &'static [&'static str];
    /// The description of the kind for players; `None` where players do not join it, as in a
    /// league.
    const CARD: Option<Card>;
    /// Actions off the board, like a draw offer, in the words that `parse` reads as moves. In a
    /// kind without any, two players can still resign; the record takes care of that.
    const ACTIONS: &'static [&'static str] = &[];
    /// Further keys for creating a game with the tools, read by the server's code for this kind.
    /// They are between the players of one game, so a league cannot set them.
    const TABLE_KEYS: &'static [Key] = &[];

    /// The set-up. Its keys are those of the card. Each has a default and a bound; numbers and
    /// lengths of lists stay below 1,000. Other keys are refused (`deny_unknown_fields`).
    type Setup: serde::Serialize + serde::de::DeserializeOwned;
    type Move: Clone + PartialEq + Send + Sync + 'static;
    /// The effect of a move, for the log and the player who made it: at most 1,000 bytes of JSON. Use
    /// `()` if the view says everything.
    type Report: serde::Serialize + 'static;
    /// The position as one observer sees it. It must serialize to a JSON object, because the tools promise one.
    type View: serde::Serialize + Send + 'static;

    /// The number of seats in a game with this set-up.
    fn seats(_: &Self::Setup) -> usize {
        Self::SEATS.len()
    }
    fn start(setup: &Self::Setup, dice: &mut Dice) -> Result<Self, Illegal>;
    fn due(&self) -> Due;
    /// The seat that has a question to answer, even out of turn: a draw offer, a takeback.
    fn asked(&self) -> Option<Seat> {
        None
    }
    /// The answers open to `seat`; to play on is also an answer.
    fn answers(&self, _: Seat) -> Vec<&'static str> {
        Vec::new()
    }
    /// The legal moves of `seat`: empty for a seat that is not due or does not exist, never empty
    /// for one that is due. If there are too many to list, or moves are open-ended, override
    /// `offers`.
    fn legal(&self, seat: Seat) -> Vec<Self::Move>;
    /// The legal moves of `seat` as text for players, at most 6,000 bytes of JSON. A range like
    /// `bid 0..40` may stand for many numbers.
    fn offers(&self, seat: Seat) -> Vec<String> {
        self.legal(seat).iter().map(|mv| self.write(mv)).collect()
    }
    /// Reads what a player wrote. Begin with `self.due().admit(seat)?`, which also refuses seats
    /// that do not exist. Accept only moves that `offers` lists, in any spelling. A refusal says in
    /// at most 500 bytes what is wrong, and lists moves that would be right, the nearest first: see
    /// `Illegal::because`.
    fn parse(&self, seat: Seat, text: &str) -> Result<Self::Move, Illegal>;
    /// The canonical text of a move, used in the log, the tools and the pages. `parse` reads it
    /// back.
    fn write(&self, mv: &Self::Move) -> String;
    /// Plays moves that `parse` accepted: one, or one for each seat that was due at the same time.
    /// Draw a hand, a card or a die with [`Dice::of`].
    fn play(&mut self, moves: &[(Seat, Self::Move)], dice: &mut Dice) -> Self::Report;
    /// The position as `eye` may see it, as facts, in at most 3,000 bytes of JSON. It must not depend in any way
    /// on what `eye` may not know.
    fn view(&self, eye: Eye) -> Self::View;
    /// The position as `eye` may see it, as text and as a drawing, for tools and pages without code for this
    /// kind. [`Shown`] states the limits. Each click or drag is a move offered to `eye`; the pages
    /// list the other moves next to the drawing. Only a kind with pages of its own may draw
    /// nothing. Leagues send the text to players, so a kind for two needs it.
    fn show(&self, _: Eye) -> Shown {
        Shown::default()
    }
    /// The text that `eye` gets in place of a secret turn, or `None` if it may see the turn as it
    /// is. A hidden turn is shown without its report.
    fn turn_hidden_as(&self, _: &Turn, _: Eye) -> Option<String> {
        None
    }
    /// News for everyone in the last turn besides its move: a card drawn or shown, the winner
    /// of a pot. Whole sentences, at most 200 bytes. `None` if the moves say everything.
    fn revealed(&self) -> Option<String> {
        None
    }
    /// The winnings of each seat so far, in games that are about more than who wins. A player who
    /// resigns does not get back what they have lost.
    fn won_so_far(&self) -> Vec<i32> {
        Vec::new()
    }
    /// A position that fits everything `seat` has seen, with the rest drawn at random. A search
    /// starts there, with its own dice. Override it if something is hidden, or with `None` if no
    /// search plays this kind.
    fn guess(&self, _seat: Seat, _dice: &mut Dice) -> Option<Self> {
        Some(self.clone())
    }
    /// The move recorded for a seat that did not move in time, if the game goes on. `parse` must
    /// not read any text as this move. Without it, a seat out of time loses.
    fn late(&self, _: Seat) -> Option<Self::Move> {
        None
    }
    /// A summary for lists, seen by everyone, as JSON for the kind's own pages. By default lists
    /// show a small drawing. It must contain no secret. The server stores it with the game, so that
    /// lists need not replay it.
    fn glimpse(&self) -> Option<String> {
        None
    }
}
