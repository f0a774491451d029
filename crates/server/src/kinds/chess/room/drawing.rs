//! Boards drawn in text.

use rules::chess::glyph;
use shakmaty::{Board, File, Piece, Rank, Square};

pub fn table(board: &Board) -> String {
    let mut text = String::with_capacity(700);
    text.push_str("| Rank | a | b | c | d | e | f | g | h |\n");
    text.push_str("|:---:|:---:|:---:|:---:|:---:|:---:|:---:|:---:|:---:|\n");
    for (rank, squares) in ranks(board) {
        text.push_str("| **");
        text.push(rank.char());
        text.push_str("** |");
        for piece in squares {
            text.push(' ');
            text.push(piece.map_or('·', glyph));
            text.push_str(" |");
        }
        text.push('\n');
    }
    text.push('\n');
    text
}

pub fn letters(board: &Board) -> String {
    format!("```\n{}\n```\n\n", rules::chess::letters(board))
}

/// From the eighth rank down, each with its squares from a to h.
fn ranks(board: &Board) -> impl Iterator<Item = (Rank, [Option<Piece>; 8])> {
    Rank::ALL
        .into_iter()
        .rev()
        .map(|rank| (rank, File::ALL.map(|file| board.piece_at(Square::from_coords(file, rank)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_their_own_glyphs() {
        let text = table(&Board::new());
        assert!(text.contains("| **8** | ♜ | ♞ | ♝ | ♛ | ♚ | ♝ | ♞ | ♜ |"), "{text}");
        assert!(text.contains("| **2** | ♙ | ♙ | ♙ | ♙ | ♙ | ♙ | ♙ | ♙ |"), "{text}");
        assert!(text.contains("| **1** | ♖ | ♘ | ♗ | ♕ | ♔ | ♗ | ♘ | ♖ |"), "{text}");
    }
}
