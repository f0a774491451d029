//! The computer in games of any kind: it looks ahead from what its seat knows, by playing many games
//! to their end.

use chess_engine::Level;
use rules::{Record, Seat};
use sha2::{Digest, Sha256};

use super::{Computers, Game, NoThought, Player};

/// What a playout costs beside the positions that the chess engine looks at.
const COST: u64 = 20;

pub struct PlainSeat {
    seat: Seat,
    level: Level,
    record: Record,
}

impl PlainSeat {
    /// None where no computer sits, or the game is over. Where several do, one that is due.
    pub async fn at(game: &Game) -> Option<PlainSeat> {
        let state = game.state().await;
        let due = state.record.due();
        if due.outcome().is_some() {
            return None;
        }
        let computers = state.seats.iter().filter_map(|sitting| match sitting.player {
            Player::Computer(level) => Some((sitting.seat, level)),
            Player::Agent | Player::Human => None,
        });
        let (seat, level) = computers.max_by_key(|(seat, _)| due.includes(*seat))?;
        Some(PlainSeat { seat, level, record: state.record.copy() })
    }

    pub fn seat(&self) -> Seat {
        self.seat
    }

    pub fn next(&self) -> u32 {
        self.record.next_number()
    }

    pub fn has_something_to_do(&self) -> bool {
        self.record.due().includes(self.seat)
    }

    pub async fn decide(&self, computers: &Computers, game: &Game) -> Result<String, NoThought> {
        let (seat, record, playouts) = (self.seat, self.record.copy(), playouts(self.level));
        // Its luck is its own: whatever the game's seed is, the same position gets the same move.
        let luck = format!("{} {}", game.id(), record.next_number());
        let luck = Sha256::digest(luck).first_chunk().copied().map(u64::from_le_bytes);
        let luck = luck.expect("a hash is longer than a number");
        let question = move |_: &mut _, _: &_| record.choose(seat, playouts, luck);
        computers.thinkers.ask(game.asker(), COST * u64::from(playouts), question).await
    }
}

/// Twice as many at each level.
fn playouts(level: Level) -> u32 {
    4 << level.get()
}
