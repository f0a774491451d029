//! A position in the search, with what is cheaper to carry along than to work out anew.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, EnPassantMode, Move, Position, Role, Square, attacks,
};

use crate::taper::{Taper, taper};
use crate::terms;
use crate::weights::WEIGHTS;

#[derive(Clone)]
pub(crate) struct Node {
    pub position: Chess,
    pub key: Zobrist64,
    /// What the pieces are worth on their squares, White's less Black's.
    pub squares: Taper,
    /// The pieces that give check.
    pub checkers: Bitboard,
}

impl Node {
    pub fn new(position: Chess) -> Node {
        let mut squares = taper(0, 0);
        for (square, piece) in position.board() {
            squares += worth(piece.color, piece.role, square);
        }
        let key = position.zobrist_hash(EnPassantMode::Legal);
        let checkers = position.checkers();
        Node { position, key, squares, checkers }
    }

    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// From where a piece of each role would give check.
    pub fn checking_squares(&self) -> CheckingSquares {
        let (board, turn) = (self.position.board(), self.position.turn());
        let king = board.king_of(!turn).unwrap_or(Square::A1);
        let straight = attacks::rook_attacks(king, board.occupied());
        let slanted = attacks::bishop_attacks(king, board.occupied());
        CheckingSquares([
            attacks::pawn_attacks(!turn, king),
            attacks::knight_attacks(king),
            slanted,
            straight,
            slanted | straight,
            Bitboard::EMPTY,
        ])
    }

    /// After a legal move.
    pub fn play(&self, mv: Move) -> Node {
        let mut position = self.position.clone();
        position.play_unchecked(mv);
        let key = self
            .position
            .update_zobrist_hash(self.key, mv, EnPassantMode::Legal)
            .unwrap_or_else(|| position.zobrist_hash(EnPassantMode::Legal));
        let squares = self.squares + change(self.position.turn(), mv);
        let checkers = position.checkers();
        Node { position, key, squares, checkers }
    }

    /// As if the side to move had passed.
    pub fn pass(&self) -> Option<Node> {
        let position = self.position.clone().swap_turn().ok()?;
        let key = position.zobrist_hash(EnPassantMode::Legal);
        Some(Node { position, key, squares: self.squares, checkers: Bitboard::EMPTY })
    }
}

/// Checks given by a piece that steps aside are not foreseen.
pub(crate) struct CheckingSquares([Bitboard; 6]);

impl CheckingSquares {
    pub fn include(&self, mv: Move) -> bool {
        self.0[mv.promotion().unwrap_or(mv.role()) as usize - 1].contains(mv.to())
    }
}

fn worth(color: Color, role: Role, square: Square) -> Taper {
    match color {
        Color::White => WEIGHTS[terms::square(role, square)],
        Color::Black => taper(0, 0) - WEIGHTS[terms::square(role, square.flip_vertical())],
    }
}

fn change(turn: Color, mv: Move) -> Taper {
    match mv {
        Move::Normal { role, from, capture, to, promotion } => {
            let taken = capture.map_or(taper(0, 0), |role| worth(!turn, role, to));
            worth(turn, promotion.unwrap_or(role), to) - worth(turn, role, from) - taken
        }
        Move::EnPassant { from, to } => {
            let taken = Square::from_coords(to.file(), from.rank());
            worth(turn, Role::Pawn, to)
                - worth(turn, Role::Pawn, from)
                - worth(!turn, Role::Pawn, taken)
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(rook > king);
            worth(turn, Role::King, side.king_to(turn)) - worth(turn, Role::King, king)
                + worth(turn, Role::Rook, side.rook_to(turn))
                - worth(turn, Role::Rook, rook)
        }
        Move::Put { .. } => unreachable!("pieces are only dropped in other kinds of chess"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    #[test]
    fn what_is_carried_along_is_what_would_be_worked_out_anew() {
        let mut dice = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..100 {
            let mut node = Node::new(Chess::default());
            for _ in 0..200 {
                let legal = node.position.legal_moves();
                let Some(&mv) = legal.get(dice.next_u64() as usize % legal.len().max(1)) else {
                    break;
                };
                node = node.play(mv);
                let anew = Node::new(node.position.clone());
                assert_eq!((node.squares, node.checkers), (anew.squares, anew.checkers), "{mv}");
                assert!(node.key == anew.key, "{mv}");
            }
        }
    }
}
