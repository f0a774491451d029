//! Positions and games from text, and the engine asked in one line.

use std::sync::atomic::AtomicBool;

use chess_engine::{Choice, Level, best_move};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Outcome, Position};

pub fn level(n: u8) -> Level {
    Level::new(n).expect("a level from 1 to 10")
}

pub fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a fen");
    fen.into_position(CastlingMode::Standard).expect("a legal position")
}

/// A game from moves like `e2e4 e7e5`.
pub fn moves(start: &Chess, text: &str) -> Vec<Move> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let uci: UciMove = word.parse().expect("a move");
        let mv = uci.to_move(&position).expect("a legal move");
        position.play_unchecked(mv);
        moves.push(mv);
    }
    moves
}

pub fn ask(start: &Chess, moves: &[Move], n: u8, seed: u64) -> Option<Choice> {
    best_move(start, moves, level(n), seed, &AtomicBool::new(false))
}

pub fn after(position: &Chess, mv: Move) -> Chess {
    position.clone().play(mv).expect("a legal move")
}

/// Who wins when two levels play on from here; None is a draw. Long games are left drawn.
pub fn winner(start: &Chess, white: u8, black: u8, seed: u64) -> Option<Color> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut seen: Vec<Zobrist64> = Vec::new();
    while moves.len() < 200 && position.halfmoves() < 100 {
        if let Outcome::Known(outcome) = position.outcome() {
            return outcome.winner();
        }
        let key = position.zobrist_hash(EnPassantMode::Legal);
        if seen.iter().filter(|&&other| other == key).count() == 2 {
            return None;
        }
        seen.push(key);
        let n = position.turn().fold_wb(white, black);
        let choice = ask(start, &moves, n, seed).expect("a move");
        position = after(&position, choice.mv);
        moves.push(choice.mv);
    }
    None
}
