//! Endings that counting misjudges: too little left to win with, or nothing left but to mate.

use shakmaty::{Bitboard, Board, Color, Role, Square};

/// What `winnable` answers when nothing stands against it.
pub(crate) const FULLY: i32 = 16;

/// How much of a lead can be made to count, out of `FULLY`.
pub(crate) fn winnable(board: &Board, score: i32) -> i32 {
    let strong = Color::from_white(score > 0);
    let ours = board.by_color(strong);
    if (board.pawns() & ours).is_empty() {
        let (lead, most) = (value(board, strong) - value(board, !strong), value(board, strong));
        // A piece more seldom mates without pawns; one minor piece or two knights never do.
        return match lead {
            _ if most <= 3 => 0,
            ..=3 => 4,
            _ if most == 6 && board.bishops().is_empty() => 0,
            _ => FULLY,
        };
    }
    if only_opposite_bishops(board) { FULLY / 2 } else { FULLY }
}

/// Whether a side has what it takes to win against one who does not help.
pub(crate) fn has_means(board: &Board, color: Color) -> bool {
    let ours = board.by_color(color);
    let value = value(board, color);
    let two_knights = value == 6 && (board.knights() & ours).count() == 2;
    (board.pawns() & ours).any() || value > 3 && !two_knights
}

fn value(board: &Board, color: Color) -> i32 {
    let men = board.by_color(color);
    let count = |pieces: Bitboard| (pieces & men).count() as i32;
    3 * count(board.knights() | board.bishops())
        + 5 * count(board.rooks())
        + 9 * count(board.queens())
}

/// They never meet, so a pawn or two more often wins nothing.
pub(crate) fn only_opposite_bishops(board: &Board) -> bool {
    let bishops = board.bishops();
    (board.knights() | board.rooks_and_queens()).is_empty()
        && (bishops & board.white()).count() == 1
        && (bishops & board.black()).count() == 1
        && (bishops & Bitboard::LIGHT_SQUARES).count() == 1
}

/// A win that needs no more luck is worth more than the pieces it takes.
const CERTAIN: i32 = 600;

/// Against a lone king only one thing is left to do: to the edge with it, and our own king near.
/// What that is worth so far, for White; None while there is more to play for.
pub(crate) fn mating(board: &Board) -> Option<i32> {
    let color = Color::ALL.into_iter().find(|&color| {
        let two_knights = value(board, color) == 6 && board.bishops().is_empty();
        !board.by_color(!color).more_than_one() && value(board, color) >= 5 && !two_knights
    })?;
    let (ours, theirs) = (board.king_of(color)?, board.king_of(!color)?);
    let near = 7 - ours.distance(theirs) as i32;
    let driven = CERTAIN + 40 * outward(board, color, theirs) + 25 * near;
    Some(color.fold_wb(driven, -driven))
}

/// How far the king has been driven, up to 7; for bishop and knight only two corners will do.
fn outward(board: &Board, color: Color, king: Square) -> i32 {
    let men = board.by_color(color);
    let one = |role: Role| (board.by_role(role) & men).count() == 1;
    if men.count() == 3 && one(Role::Bishop) && one(Role::Knight) {
        let light = (board.bishops() & men & Bitboard::LIGHT_SQUARES).any();
        let corners = if light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
        return 7 - corners.map(|corner| steps(corner, king)).into_iter().min().unwrap_or(7);
    }
    let from_middle = |line: usize| (2 * line as i32 - 7).abs() / 2;
    from_middle(king.file().to_usize()) + from_middle(king.rank().to_usize())
}

/// Files and ranks between, halved: along the edge counts as well as across the board.
fn steps(a: Square, b: Square) -> i32 {
    let apart = |a: usize, b: usize| a.abs_diff(b) as i32;
    let files = apart(a.file().to_usize(), b.file().to_usize());
    let ranks = apart(a.rank().to_usize(), b.rank().to_usize());
    (files + ranks) / 2
}
