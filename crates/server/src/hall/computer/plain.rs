//! The computer in games of any kind. Which move it makes is for `players` to say.

use std::sync::Arc;

use async_trait::async_trait;
use rules::{Record, Seat};

use super::{Game, Mind, NoThought, Sitting, Thinkers};
use crate::player::{Level, Player};

/// The cost of the longest thought, compared with positions that the chess engine looks at.
const MOST: u64 = 80_000;

/// How it plays a kind that brings no mind of its own.
pub struct PlainMind {
    pub thinkers: Arc<Thinkers>,
}

#[async_trait]
impl Mind for PlainMind {
    /// Where several computers sit, at the seat of one that is due.
    async fn sit(&self, game: &Game) -> Option<Box<dyn Sitting>> {
        let state = game.state();
        let due = state.record.due();
        if due.outcome().is_some() {
            return None;
        }
        let computers = state.seats.iter().filter_map(|sitting| match sitting.player {
            Player::Computer(level) => Some((sitting.seat, level)),
            Player::Agent | Player::Human => None,
        });
        let (seat, level) = computers.max_by_key(|(seat, _)| due.includes(*seat))?;
        let thinkers = self.thinkers.clone();
        Some(Box::new(PlainThinker { thinkers, seat, level, record: state.record.copy() }))
    }
}

struct PlainThinker {
    thinkers: Arc<Thinkers>,
    seat: Seat,
    level: Level,
    record: Record,
}

#[async_trait]
impl Sitting for PlainThinker {
    fn seat(&self) -> Seat {
        self.seat
    }

    fn turn(&self) -> u32 {
        self.record.next_number()
    }

    fn has_something_to_do(&self) -> bool {
        self.record.due().includes(self.seat)
    }

    async fn decide(&self, game: &Game) -> Result<String, NoThought> {
        let (seat, record, level) = (self.seat, self.record.copy(), self.level);
        let luck = game.luck();
        let cost = players::cost(record.kind().name, level, MOST);
        let question = move |_: &_| players::choose(&record, seat, level, luck);
        self.thinkers.ask(game.caller(), cost, question).await
    }
}
