//! Sets of squares, moved about as a whole.

use shakmaty::{Bitboard, Color, File};

/// The squares a pawn's attack away from these.
pub(crate) fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    beside(forward(color, pawns))
}

/// One rank on.
pub(crate) fn forward(color: Color, squares: Bitboard) -> Bitboard {
    Bitboard(color.fold_wb(squares.0 << 8, squares.0 >> 8))
}

pub(crate) fn beside(squares: Bitboard) -> Bitboard {
    let left = squares & !Bitboard::from_file(File::A);
    let right = squares & !Bitboard::from_file(File::H);
    Bitboard(left.0 >> 1 | right.0 << 1)
}

/// Every square further on along the same file.
pub(crate) fn ahead(color: Color, squares: Bitboard) -> Bitboard {
    let one = forward(color, squares).0;
    let two = color.fold_wb(one | one << 8, one | one >> 8);
    let four = color.fold_wb(two | two << 16, two | two >> 16);
    Bitboard(color.fold_wb(four | four << 32, four | four >> 32))
}

pub(crate) fn whole_files(squares: Bitboard) -> Bitboard {
    squares | ahead(Color::White, squares) | ahead(Color::Black, squares)
}
