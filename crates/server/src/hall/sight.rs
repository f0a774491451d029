//! What is seen of a game of any kind, for rooms and pages that know none.

use std::borrow::Cow;

use rules::{Due, Eye, Kind, Outcome, Seat, Turn, drawing::Shown};

use super::{Seats, book::Book, state::State};
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
    /// What the seats are called.
    pub names: &'static [&'static str],
    pub seats: Seats,
    pub due: Due,
    /// The number the next turn will have.
    pub next: u32,
    /// The turns that may be seen, and when each was played.
    pub turns: Vec<(Turn, Millis)>,
    /// What the seat whose eyes these are may play, if it is due.
    pub offers: Vec<String>,
    /// In JSON.
    pub view: String,
    pub shown: Shown,
}

impl SeenBy for Sight {
    fn seen_by(eye: Eye, book: &Book, state: &State) -> Sight {
        let record = &state.record;
        let seen = record.turns_seen(eye).map(Cow::into_owned);
        let turns = seen.map(|turn| {
            let at = state.times[turn.number as usize - 1];
            (turn, at)
        });
        Sight {
            id: book.id,
            kind: book.kind,
            names: record.seats(),
            seats: state.seats.clone(),
            due: record.due(),
            next: record.next_number(),
            turns: turns.collect(),
            offers: match eye {
                Eye::Seat(seat) => record.offers(seat),
                Eye::Public => Vec::new(),
            },
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
