//! What is seen of a game of any kind, for rooms and pages that know none.

use std::borrow::Cow;

use rules::{Due, Eye, Kind, Outcome, Seat, Turn, drawing::Shown};

use super::{Seats, book::Book, game::seed_hash, lists::last_touched, state::State};
use crate::{ids::GameId, store::Millis};

/// What can be made of a game at one moment for one pair of eyes.
pub trait SeenBy: Send + 'static {
    fn seen_by(eye: Eye, book: &Book, state: &State) -> Self;
}

/// For those who need not see it.
impl SeenBy for () {
    fn seen_by(_: Eye, _: &Book, _: &State) {}
}

/// What one pair of eyes sees of a game at one moment.
pub struct Sight {
    pub id: GameId,
    pub kind: Kind,
    pub created_at: Millis,
    /// When somebody last moved or sat down.
    pub last_at: Millis,
    /// What the seats are called.
    pub names: &'static [&'static str],
    pub seats: Seats,
    pub due: Due,
    /// The number the next turn will have.
    pub next: u32,
    /// The turns that may be seen, and when each was played.
    pub turns: Vec<(Turn, Millis)>,
    /// The first turn of the round that each turn belongs to, in their order.
    pub rounds: Vec<u32>,
    /// What turns brought for everybody to see beside their moves, with their numbers.
    pub revealed: Vec<(u32, String)>,
    /// What players have said of turns, once it is over.
    pub comments: Vec<(u32, Seat, String)>,
    /// What it was set up with, in JSON.
    pub setup: String,
    /// Where something is drawn.
    pub chance: Option<Chance>,
    /// What the seat whose eyes these are may play, if it is due.
    pub offers: Vec<String>,
    /// What its players may do beside the board, in the words for it.
    pub actions: &'static [&'static str],
    /// In JSON.
    pub view: String,
    pub shown: Shown,
}

/// Where chance comes from, as far as it may be known.
pub struct Chance {
    /// Binds us to the seed from the beginning.
    pub hash: String,
    /// Once it can be of no use any more.
    pub seed: Option<u64>,
    /// Nobody is ever told: matches of a league may share it.
    pub is_kept: bool,
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
        // Matches of a league may share their chance, and nobody sits at some of them.
        let is_match = state.seats.league().is_some() || state.seats.iter().next().is_none();
        let may_be_known = due.outcome().is_some() && !is_match;
        let chance = record.draws().then(|| Chance {
            hash: seed_hash(record.seed()),
            seed: may_be_known.then_some(record.seed()),
            is_kept: is_match,
        });
        Sight {
            id: book.id,
            kind: book.kind,
            created_at: book.created_at,
            last_at: last_touched(book.created_at, &state.times, &state.seats),
            names: record.seats(),
            seats: state.seats.clone(),
            due,
            next: record.next_number(),
            turns: turns.collect(),
            rounds: record.rounds().to_vec(),
            revealed: record.revealed().to_vec(),
            comments,
            setup: record.setup().to_owned(),
            chance,
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

    pub fn free_seats(&self) -> impl Iterator<Item = Seat> + use<'_> {
        self.all_seats().filter(|seat| self.seats.at(*seat).is_none())
    }
}
