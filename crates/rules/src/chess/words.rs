//! A position in words, for a model that is told of it by a room that knows no chess.

use shakmaty::{Board, File, Piece, Position, Rank, Square};

use super::{Chess, fen, name, uci};

/// What lies where, from the eighth rank down, in letters; White's are capitals.
pub fn letters(board: &Board) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text.push(rank.char());
        for file in File::ALL {
            let piece = board.piece_at(Square::from_coords(file, rank));
            text.extend([' ', piece.map_or('.', Piece::char)]);
        }
        text.push('\n');
    }
    text + "  a b c d e f g h"
}

/// The board, what it does not show, and what was done last.
pub(super) fn position(chess: &Chess) -> String {
    let fen = fen(&chess.position);
    let [castling, en_passant] = [2, 3].map(|field| fen.split(' ').nth(field).unwrap_or("-"));
    let mut told = Vec::new();
    if castling != "-" {
        told.push(format!("Castling {castling}."));
    }
    if en_passant != "-" {
        told.push(format!("En passant {en_passant}."));
    }
    if let Some(last) = chess.line.last() {
        told.push(format!("Last move: {}.", uci(&chess.start, last.mv)));
    }
    if chess.position.is_check() {
        told.push("Check.".to_owned());
    }
    if chess.outcome.is_none() {
        told.extend(beside_the_board(chess));
    }
    format!("{}\n{}", letters(chess.position.board()), told.join(" "))
}

/// What one side has asked the other, and what was declined.
fn beside_the_board(chess: &Chess) -> impl Iterator<Item = String> {
    let offers = chess.draw_offer.map(|by| format!("{} offers a draw.", name(by)));
    let asks = chess.takeback_request.map(|by| format!("{} asks for a move back.", name(by)));
    let declined = chess.declined.map(|no| format!("{} declined a draw.", name(no.by)));
    let kept = chess.takeback_declined.map(|no| format!("{} gives no move back.", name(no.by)));
    [offers, asks, declined, kept].into_iter().flatten()
}
