//! The things a position is judged by, as places in the table of `weights`.
//!
//! A term is a first place and, for some, an offset: a rank, a number of squares, a role.

use shakmaty::{Role, Square};

/// By role from pawn to king, then by rank from our own, then by file from the edge to the middle.
pub(crate) const SQUARES: usize = 0;
/// By the number of squares reached: see `mobility`.
pub(crate) const MOBILITY: usize = SQUARES + 6 * 32;
/// How endangered the enemy king is, in steps.
pub(crate) const DANGER: usize = MOBILITY + 66;
pub(crate) const DANGERS: usize = 32;
/// For the king's file and those beside it, by the rank of our nearest pawn, 0 without one.
pub(crate) const SHELTER: usize = DANGER + DANGERS;
/// The same for the nearest enemy pawn.
pub(crate) const STORM: usize = SHELTER + 8;
/// Pawns by rank: with nothing in the way of becoming a queen but pieces.
pub(crate) const PASSED: usize = STORM + 8;
/// Passed, and a piece stands before it.
pub(crate) const PASSED_BLOCKED: usize = PASSED + 8;
/// Passed, and no enemy attacks or blocks its way.
pub(crate) const PASSED_FREE: usize = PASSED_BLOCKED + 8;
/// Far advanced and passed, by the distance of our king from the square before it.
pub(crate) const OUR_KING_NEAR: usize = PASSED_FREE + 8;
pub(crate) const THEIR_KING_NEAR: usize = OUR_KING_NEAR + 8;
/// By rank: with another pawn beside it.
pub(crate) const PHALANX: usize = THEIR_KING_NEAR + 8;
/// By rank: guarded by another pawn.
pub(crate) const GUARDED: usize = PHALANX + 8;
pub(crate) const ISOLATED: usize = GUARDED + 8;
pub(crate) const DOUBLED: usize = ISOLATED + 1;
/// Can neither be guarded by a pawn nor go forward safely.
pub(crate) const BACKWARD: usize = DOUBLED + 1;
/// Pieces by role that a pawn attacks, then that a knight or bishop does, then that a rook does.
pub(crate) const PAWN_HITS: usize = BACKWARD + 1;
pub(crate) const MINOR_HITS: usize = PAWN_HITS + 6;
pub(crate) const ROOK_HITS: usize = MINOR_HITS + 6;
/// Attacked and not defended.
pub(crate) const HANGING: usize = ROOK_HITS + 6;
/// Squares from which a pawn would attack a piece if it went there, safely.
pub(crate) const PUSH_THREAT: usize = HANGING + 1;
pub(crate) const BISHOP_PAIR: usize = PUSH_THREAT + 1;
/// Our own pawns on the colour of our bishop.
pub(crate) const BAD_BISHOP: usize = BISHOP_PAIR + 1;
/// A knight or bishop guarded by a pawn where no enemy pawn can drive it away.
pub(crate) const KNIGHT_OUTPOST: usize = BAD_BISHOP + 1;
pub(crate) const BISHOP_OUTPOST: usize = KNIGHT_OUTPOST + 1;
/// A knight or bishop right behind a pawn.
pub(crate) const MINOR_BEHIND_PAWN: usize = BISHOP_OUTPOST + 1;
pub(crate) const ROOK_ON_OPEN_FILE: usize = MINOR_BEHIND_PAWN + 1;
pub(crate) const ROOK_ON_HALF_OPEN_FILE: usize = ROOK_ON_OPEN_FILE + 1;
/// Having the move.
pub(crate) const TEMPO: usize = ROOK_ON_HALF_OPEN_FILE + 1;

pub(crate) const COUNT: usize = TEMPO + 1;

/// The term of a piece of ours on a square as we see it, from our own first rank.
pub(crate) fn square(role: Role, seen: Square) -> usize {
    let file = seen.file().to_usize();
    SQUARES + (role as usize - 1) * 32 + seen.rank().to_usize() * 4 + file.min(7 - file)
}

pub(crate) fn mobility(role: Role, reached: usize) -> usize {
    MOBILITY
        + match role {
            Role::Knight => reached,
            Role::Bishop => 9 + reached,
            Role::Rook => 23 + reached,
            _ => 38 + reached,
        }
}
