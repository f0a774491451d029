//! Positions and games from text, and the engine asked in one line.

use std::sync::atomic::AtomicBool;

use chess_engine::{Analysis, EngineLevel, ScoredMove, SearchLimits, Searcher};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Outcome, Position};

pub fn level(n: u8) -> EngineLevel {
    EngineLevel::new(n).expect("a level from 1 to 10")
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

pub fn ask(start: &Chess, moves: &[Move], n: u8, seed: u64) -> Option<ScoredMove> {
    Searcher::new().best_move(&[], start, moves, level(n), seed, &AtomicBool::new(false))
}

pub fn analyse(start: &Chess, moves: &[Move], limits: SearchLimits) -> Analysis {
    Searcher::new().analyse(&[], start, moves, limits, &AtomicBool::new(false), |_| {})
}

pub fn after(position: &Chess, mv: Move) -> Chess {
    position.clone().play(mv).expect("a legal move")
}

pub struct Game {
    pub moves: Vec<Move>,
    /// None is a draw.
    pub winner: Option<Color>,
}

/// Two levels play on from here. A game that is longer than `plies` is left drawn.
pub fn game(start: &Chess, white: u8, black: u8, seed: u64, plies: usize) -> Game {
    // Kept from move to move: it is far quicker, and changes no answer.
    let mut searcher = Searcher::new();
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut seen: Vec<Zobrist64> = Vec::new();
    while moves.len() < plies && position.halfmoves() < 100 {
        if let Outcome::Known(outcome) = position.outcome() {
            return Game { moves, winner: outcome.winner() };
        }
        let key = position.zobrist_hash(EnPassantMode::Legal);
        if seen.iter().filter(|&&other| other == key).count() == 2 {
            break;
        }
        seen.push(key);
        let level = level(position.turn().fold_wb(white, black));
        let stop = AtomicBool::new(false);
        let choice = searcher.best_move(&[], start, &moves, level, seed, &stop).expect("a move");
        position = after(&position, choice.mv);
        moves.push(choice.mv);
    }
    Game { moves, winner: None }
}

pub fn winner(start: &Chess, white: u8, black: u8, seed: u64) -> Option<Color> {
    game(start, white, black, seed, 200).winner
}
