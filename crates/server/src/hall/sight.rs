//! A snapshot of a game of any kind, for code that knows no kind.

use std::{borrow::Cow, fmt, sync::atomic::Ordering};

use rules::{Card, Due, Eye, Kind, Outcome, Seat, Turn, drawing::Shown};

use super::{Seats, book::Book, game::seed_hash, lists::last_touched, state::State};
use crate::{
    ids::GameId,
    player::Player,
    store::{Millis, SavedSeat},
};

/// A snapshot that can be made of a game for one seat or the public.
pub trait SeenBy: Send + 'static {
    fn seen_by(eye: Eye, book: &Book, state: &State) -> Self;
}

/// For those who need not see it.
impl SeenBy for () {
    fn seen_by(_: Eye, _: &Book, _: &State) {}
}

/// A game at one moment, as one seat or the public may see it.
pub struct Sight {
    pub id: GameId,
    pub kind: Kind,
    pub created_at: Millis,
    /// When somebody last moved or sat down.
    pub last_at: Millis,
    /// The names of the seats.
    pub names: &'static [&'static str],
    pub seats: Seats,
    pub due: Due,
    /// The number the next turn will have.
    pub next: u32,
    /// The turns that may be seen, and when each was played.
    pub turns: Vec<(Turn, Millis)>,
    /// The first turn of the round that each turn belongs to, in their order.
    pub rounds: Vec<u32>,
    /// Numbers of turns, and what each revealed to everybody besides its move.
    pub revealed: Vec<(u32, String)>,
    /// The players' comments, once it is over.
    pub comments: Vec<(u32, Seat, String)>,
    /// The set-up, in JSON.
    pub setup: String,
    /// A player chose the seed, so the game is rated nowhere.
    pub practice: bool,
    pub chance: Chance,
    /// Moves of the seat that looks, if it is due.
    pub offers: Vec<String>,
    /// Actions beside the board, in the words for them.
    pub actions: &'static [&'static str],
    /// In JSON.
    pub view: String,
    pub shown: Shown,
}

/// Where chance comes from, as far as it may be known.
pub struct Chance {
    /// The source of cards and dice, where there are any.
    pub seed: Option<Commitment>,
    /// The computer's choices come from this, where it plays.
    pub luck: Option<Commitment>,
}

/// A number that we are bound to from the beginning, and that is told once it is of no more use.
pub struct Commitment {
    /// The SHA-256 of its decimal digits.
    pub hash: String,
    pub told: Option<u64>,
    /// Matches of a league may share it, so it is told once the league is over.
    is_kept: bool,
}

impl Chance {
    pub(super) fn of(book: &Book, state: &State) -> Chance {
        let (record, seats) = (&state.record, &state.seats);
        // Matches of a league may share their chance, and nobody sits at some of them.
        let may_be_shared = seats.league().is_some() || seats.iter().next().is_none();
        let is_kept = may_be_shared && !book.league_is_over.load(Ordering::Relaxed);
        let may_be_known = record.due().outcome().is_some() && !is_kept;
        let commit = |number: u64| Commitment {
            hash: seed_hash(number),
            told: may_be_known.then_some(number),
            is_kept,
        };
        let is_computer = |seat: &SavedSeat| matches!(seat.player, Player::Computer(_));
        Chance {
            seed: record.draws().then(|| commit(record.seed())),
            luck: seats.iter().any(is_computer).then(|| commit(book.begun.luck)),
        }
    }

    /// `Seed: told at the end (SHA-256 ...)`, and the same of the computer's luck.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let named = [("Seed", &self.seed), ("Luck of the computer", &self.luck)];
        named.into_iter().filter_map(|(name, number)| Some(format!("{name}: {}", number.as_ref()?)))
    }
}

impl Commitment {
    /// The number as JSON tells it, where many programs know only 53 bits, once it is told.
    pub fn in_digits(&self) -> Option<String> {
        self.told.map(|number| number.to_string())
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.told {
            Some(number) => write!(f, "{number}")?,
            None if self.is_kept => f.write_str("a league's matches may share it")?,
            None => f.write_str("told at the end")?,
        }
        write!(f, " (SHA-256 {})", self.hash)
    }
}

impl SeenBy for Sight {
    fn seen_by(eye: Eye, book: &Book, state: &State) -> Sight {
        let record = &state.record;
        let seen = record.turns_seen(eye).map(Cow::into_owned);
        let turns = seen.map(|turn| {
            let at = state.times[turn.number as usize - 1];
            (turn, at)
        });
        let due = record.due();
        let said = state.comments.iter().filter(|_| due.outcome().is_some());
        let comments = said.map(|(turn, (by, text))| (*turn, *by, text.clone())).collect();
        Sight {
            id: book.begun.id,
            kind: book.kind,
            created_at: book.begun.created_at,
            last_at: last_touched(book.begun.created_at, &state.times, &state.seats),
            names: record.seats(),
            seats: state.seats.clone(),
            due,
            next: record.next_number(),
            turns: turns.collect(),
            rounds: record.rounds().to_vec(),
            revealed: record.revealed().to_vec(),
            comments,
            setup: record.setup().to_owned(),
            practice: book.begun.practice,
            chance: Chance::of(book, state),
            offers: match eye {
                Eye::Seat(seat) => record.offers(seat),
                Eye::Public => Vec::new(),
            },
            actions: record.actions(),
            view: record.view_json(eye),
            shown: record.show(eye),
        }
    }
}

impl Sight {
    pub fn outcome(&self) -> Option<&Outcome> {
        self.due.outcome()
    }

    pub fn name(&self, seat: Seat) -> &'static str {
        self.names.get(usize::from(seat.0)).copied().unwrap_or_default()
    }

    pub fn all_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.names.len() as u8).map(Seat)
    }

    /// Whether one player may pass on another's moves: all is seen by everybody.
    pub fn takes_relays(&self) -> bool {
        self.kind.card.is_some_and(Card::is_open)
    }

    pub fn free_seats(&self) -> impl Iterator<Item = Seat> + use<'_> {
        self.all_seats().filter(|seat| self.seats.at(*seat).is_none())
    }
}
