//! Suites of positions with the moves that solve them, for the tests and `make bench`: Bratko and
//! Kopec's twenty-four, half of them positional, and every eighth of the first 192 in Reinfeld's
//! "Win at Chess".

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Move};

pub const BRATKO_KOPEC: &str = include_str!("bratko-kopec.epd");
pub const WIN_AT_CHESS: &str = include_str!("win-at-chess.epd");

pub struct Puzzle {
    pub position: Chess,
    /// Any of these solves it.
    pub best: Vec<Move>,
}

/// A suite in EPD: four fields of a FEN, then what is to be found.
pub fn read(suite: &str) -> Vec<Puzzle> {
    suite.lines().map(puzzle).collect()
}

fn puzzle(line: &str) -> Puzzle {
    let (fen, rest) = line.split_once(" bm ").expect("best moves");
    let (moves, _) = rest.split_once(';').expect("an end");
    let fen: Fen = format!("{fen} 0 1").parse().expect("a fen");
    let position: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
    let best = moves.split(' ').map(|text| {
        let san: San = text.parse().expect("a move");
        san.to_move(&position).expect("a legal move")
    });
    let best = best.collect();
    Puzzle { position, best }
}
