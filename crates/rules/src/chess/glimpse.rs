//! What a list shows of a game of chess.

use serde::{Deserialize, Serialize};
use shakmaty::Position;

use super::{Chess, MoveText, fen, seat_of, uci};
use crate::Seat;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Glimpse {
    pub to_move: Seat,
    /// On the board, from both sides.
    pub moves: usize,
    pub fen: String,
    pub last: Option<MoveText>,
    /// As in the set-up.
    pub hints: bool,
}

impl Glimpse {
    pub(super) fn of(chess: &Chess) -> Glimpse {
        let last = chess.line.last();
        Glimpse {
            to_move: seat_of(chess.position.turn()),
            moves: chess.line.len(),
            fen: fen(&chess.position),
            last: last
                .map(|ply| MoveText { uci: uci(&chess.start, ply.mv), san: ply.san.to_string() }),
            hints: chess.setup.hints,
        }
    }
}
