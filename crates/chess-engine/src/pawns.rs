//! What the pawns are worth together: they cannot go back, so their faults stay.

use shakmaty::{Bitboard, Board, Color, Square};

use crate::evaluate::{Balance, Camp};
use crate::squares::{ahead, beside, forward, whole_files};
use crate::terms;

pub(crate) fn weigh(board: &Board, us: &Camp, them: &Camp, balance: &mut Balance) {
    let Camp { color, pawns, .. } = *us;
    let isolated = pawns & !beside(whole_files(pawns));
    let doubled = pawns & ahead(!color, pawns);
    let supported = beside(pawns | ahead(color, pawns));
    let stopped = forward(!color, them.by_pawns);
    let backward = pawns & !supported & !isolated & stopped;
    balance.put(color, terms::ISOLATED, isolated.count() as i32);
    balance.put(color, terms::DOUBLED, doubled.count() as i32);
    balance.put(color, terms::BACKWARD, backward.count() as i32);
    for pawn in pawns & beside(pawns) {
        balance.put(color, terms::PHALANX + rank(color, pawn), 1);
    }
    for pawn in pawns & us.by_pawns {
        balance.put(color, terms::GUARDED + rank(color, pawn), 1);
    }
    for pawn in passed(us, them) {
        weigh_passed(board, us, them, pawn, balance);
    }
}

/// No enemy pawn can stop these, and none of ours stands before them.
fn passed(us: &Camp, them: &Camp) -> Bitboard {
    let watched = ahead(them.color, them.pawns);
    us.pawns & !watched & !beside(watched) & !ahead(them.color, us.pawns)
}

fn weigh_passed(board: &Board, us: &Camp, them: &Camp, pawn: Square, balance: &mut Balance) {
    let rank = rank(us.color, pawn);
    balance.put(us.color, terms::PASSED + rank, 1);
    let path = ahead(us.color, Bitboard::from_square(pawn));
    let next = forward(us.color, Bitboard::from_square(pawn));
    if (next & board.occupied()).any() {
        balance.put(us.color, terms::PASSED_BLOCKED + rank, 1);
    } else if (path & (them.attacked | them.men)).is_empty() {
        balance.put(us.color, terms::PASSED_FREE + rank, 1);
    }
    // Late on, it is the kings that help a pawn through or stop it.
    if rank >= 3
        && let Some(next) = next.first()
    {
        let near = |king: Square| king.distance(next) as usize;
        balance.put(us.color, terms::OUR_KING_NEAR + near(us.king), 1);
        balance.put(us.color, terms::THEIR_KING_NEAR + near(them.king), 1);
    }
}

fn rank(color: Color, pawn: Square) -> usize {
    let rank = pawn.rank().to_usize();
    color.fold_wb(rank, 7 - rank)
}
