//! Captures and new queens, without the other moves: most positions of a search need no more.

use shakmaty::{Bitboard, Chess, Move, MoveList, Position, Rank, Role, Square, attacks};

/// Every legal capture (promotions only to a queen) and every promotion to a queen. The side to
/// move must not be in check.
pub(crate) fn noisy_moves(position: &Chess) -> MoveList {
    let board = position.board();
    let (us, them) = (position.us(), position.them());
    let mut moves = match position.maybe_ep_square() {
        Some(_) => position.en_passant_moves(),
        None => MoveList::new(),
    };
    let Some(king) = board.king_of(position.turn()) else { return moves };
    let pinned = pinned(position, king);
    let stays_legal =
        |from: Square, to: Square| !pinned.contains(from) || attacks::aligned(from, to, king);
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for from in board.by_role(role) & us {
            let reach = attacks::attacks(from, role.of(position.turn()), board.occupied());
            for to in reach & them {
                if stays_legal(from, to) {
                    let capture = board.role_at(to);
                    moves.push(Move::Normal { role, from, capture, to, promotion: None });
                }
            }
        }
    }
    for from in board.pawns() & us {
        for to in pawn_targets(position, from) {
            if stays_legal(from, to) {
                let (role, capture) = (Role::Pawn, board.role_at(to));
                let promotion = Bitboard::BACKRANKS.contains(to).then_some(Role::Queen);
                moves.push(Move::Normal { role, from, capture, to, promotion });
            }
        }
    }
    for to in attacks::king_attacks(king) & them {
        if board.attacks_to(to, !position.turn(), board.occupied()).is_empty() {
            let (role, capture) = (Role::King, board.role_at(to));
            moves.push(Move::Normal { role, from: king, capture, to, promotion: None });
        }
    }
    moves
}

fn pawn_targets(position: &Chess, from: Square) -> Bitboard {
    let turn = position.turn();
    let taken = attacks::pawn_attacks(turn, from) & position.them();
    if from.rank() != turn.fold_wb(Rank::Seventh, Rank::Second) {
        return taken;
    }
    let step = from.offset(turn.fold_wb(8, -8)).map_or(Bitboard::EMPTY, Bitboard::from_square);
    taken | step & !position.board().occupied()
}

/// Our men that alone stand between our king and an attacker.
fn pinned(position: &Chess, king: Square) -> Bitboard {
    let board = position.board();
    let straight = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
    let slanted = attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let mut pinned = Bitboard::EMPTY;
    for pinner in (straight | slanted) & position.them() {
        let between = attacks::between(king, pinner) & board.occupied();
        if !between.more_than_one() {
            pinned |= between & position.us();
        }
    }
    pinned
}

/// What `noisy_moves` finds.
pub(crate) fn is_noisy(mv: Move) -> bool {
    match mv.promotion() {
        Some(role) => role == Role::Queen,
        None => mv.is_capture(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};
    use std::collections::HashSet;

    #[test]
    fn they_are_those_among_the_legal_moves() {
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..300 {
            let mut position = Chess::default();
            for _ in 0..150 {
                let legal = position.legal_moves();
                let Some(&mv) = legal.get(dice.next_u64() as usize % legal.len().max(1)) else {
                    break;
                };
                if !position.is_check() {
                    let expected: HashSet<Move> =
                        legal.iter().copied().filter(|&mv| is_noisy(mv)).collect();
                    let found: HashSet<Move> = noisy_moves(&position).into_iter().collect();
                    assert_eq!(found, expected, "{position:?}");
                }
                position.play_unchecked(mv);
            }
        }
    }
}
