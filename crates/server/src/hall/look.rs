//! A snapshot of a game whose kind is known. `sight` has one for any kind.

use std::collections::BTreeMap;

use rules::{Due, Eye, Record, Rules, Seat, Turn};

use super::{
    book::Book,
    refusals::WrongKind,
    sight::{Chance, SeenBy},
    state::{Seats, State},
};
use crate::{ids::GameId, store::Millis};

/// A game at one moment, as one seat or the public may see it.
pub struct Look<R: Rules> {
    pub id: GameId,
    pub created_at: Millis,
    /// The number the next turn will have.
    pub next: u32,
    /// When each turn was played.
    pub times: Vec<Millis>,
    pub due: Due,
    pub asked: Option<Seat>,
    pub seats: Seats,
    pub chance: Chance,
    /// A player chose the seed, so the game is rated nowhere.
    pub practice: bool,
    /// The report of the last turn, where the kind keeps one.
    pub report: Option<String>,
    pub view: R::View,
    /// The last turns, as far back as they are new to any seat.
    recent: Vec<Turn>,
    comments: BTreeMap<u32, (Seat, String)>,
    loose: BTreeMap<Seat, u32>,
}

impl<R: Rules> Look<R> {
    /// The players' comments. Everybody hears them when the game is over, and before that only
    /// where they play it `live`.
    pub fn comments(&self, live: bool) -> impl Iterator<Item = (u32, Seat, &str)> {
        let heard = live || self.due.outcome().is_some();
        let said = self.comments.iter().filter(move |_| heard);
        said.map(|(turn, (by, text))| (*turn, *by, text.as_str()))
    }

    /// How many of the seat's moves were found in a text that was none.
    pub fn loose(&self, seat: Seat) -> u32 {
        self.loose.get(&seat).copied().unwrap_or_default()
    }

    /// The turns of others since the last turn of `seat`.
    pub fn since(&self, seat: Seat) -> &[Turn] {
        let own = self.recent.iter().rposition(|turn| turn.seat == seat);
        &self.recent[own.map_or(0, |own| own + 1)..]
    }
}

impl<R: Rules> SeenBy for Result<Look<R>, WrongKind> {
    fn seen_by(eye: Eye, book: &Book, state: &State) -> Result<Look<R>, WrongKind> {
        let record = &state.record;
        let view = record.view::<R>(eye).ok_or(WrongKind(book.begun.id, book.kind.name))?;
        Ok(Look {
            id: book.begun.id,
            created_at: book.begun.created_at,
            next: record.next_number(),
            times: state.times.clone(),
            due: record.due(),
            asked: record.asked(),
            seats: state.seats.clone(),
            chance: Chance::of(book, state),
            practice: book.begun.practice,
            report: record.turns().last().and_then(|turn| turn.report.clone()),
            view,
            recent: recent(record),
            comments: state.comments.clone(),
            loose: state.loose.clone(),
        })
    }
}

/// The last turns, as far back as some seat has played none since.
fn recent(record: &Record) -> Vec<Turn> {
    let mut silent: Vec<_> = (0..record.seats().len() as u8).map(Seat).collect();
    let is_new = |turn: &&Turn| {
        silent.retain(|seat| *seat != turn.seat);
        !silent.is_empty()
    };
    let turns = record.turns();
    let new = turns.iter().rev().take_while(is_new).count();
    turns[turns.len() - new..].to_vec()
}
