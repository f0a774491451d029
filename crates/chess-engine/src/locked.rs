//! Positions with nothing but pawns that stand in each other's way, and kings that get past none.

use shakmaty::{Bitboard, Board, Chess, Color, Position, attacks};

/// Whether no pawn can ever move or be taken again.
pub(crate) fn is_locked(position: &Chess) -> bool {
    let board = position.board();
    let only_pawns = board.occupied() == board.pawns() | board.kings();
    only_pawns
        && board.pawns().any()
        && position.maybe_ep_square().is_none()
        && Color::ALL.into_iter().all(|color| is_shut_out(board, color))
}

/// Whether a side's pawns are all blocked and have nothing to take, nor has its king.
fn is_shut_out(board: &Board, color: Color) -> bool {
    let pawns = board.pawns() & board.by_color(color);
    let theirs = board.pawns() & board.by_color(!color);
    let ahead = pawns.shift(color.fold_wb(8, -8));
    let Some(king) = board.king_of(color) else { return false };
    let closed = pawns | guarded(theirs, !color);
    let mut reach = Bitboard::from(king);
    loop {
        let steps = reach.into_iter().map(attacks::king_attacks);
        let further = reach | steps.fold(Bitboard::EMPTY, |all, some| all | some) & !closed;
        if further == reach {
            break;
        }
        reach = further;
    }
    (ahead & !board.pawns()).is_empty() && ((guarded(pawns, color) | reach) & theirs).is_empty()
}

fn guarded(pawns: Bitboard, color: Color) -> Bitboard {
    let attacks = pawns.into_iter().map(|pawn| attacks::pawn_attacks(color, pawn));
    attacks.fold(Bitboard::EMPTY, |all, some| all | some)
}
