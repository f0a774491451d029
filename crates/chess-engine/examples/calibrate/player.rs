//! Who can sit at the board: a level of ours, another engine that speaks UCI, a roll of the dice.

use std::sync::atomic::AtomicBool;

use chess_engine::{EngineLevel, Searcher};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use shakmaty::{Chess, Move, Position};

use crate::uci::{Engine, best};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Who {
    Random,
    Fairy(i32),
    Stockfish(i32),
    EngineLevel(EngineLevel),
}

impl Who {
    /// Ratings others have measured; the scale everybody else is put on.
    pub fn known_rating(self) -> Option<f64> {
        const SKILLS: [f64; 13] = [
            1320.0, 1468.0, 1608.0, 1742.0, 1923.0, 2204.0, 2363.0, 2500.0, 2596.0, 2703.0, 2788.0,
            2856.0, 2923.0,
        ];
        match self {
            Who::Stockfish(skill) => SKILLS.get(skill as usize).copied(),
            _ => None,
        }
    }

    pub fn name(self) -> String {
        match self {
            Who::Random => "random mover".to_owned(),
            Who::Fairy(skill) => format!("Fairy-Stockfish skill {skill}"),
            Who::Stockfish(skill) => format!("Stockfish skill {skill}"),
            Who::EngineLevel(level) => format!("level {}", level.get()),
        }
    }
}

/// A seat taken.
pub enum Player {
    Random,
    EngineLevel(EngineLevel, Box<Searcher>),
    /// And how it is limited.
    Engine(Engine, String),
}

/// A move, and what the mover makes of the position, if it says.
pub struct Said {
    pub mv: Move,
    pub score: Option<i32>,
}

impl Player {
    pub fn new(who: Who) -> Player {
        match who {
            Who::Random => Player::Random,
            Who::EngineLevel(level) => Player::EngineLevel(level, Box::new(Searcher::new())),
            Who::Fairy(skill) => engine("fairy-stockfish", skill, 5),
            Who::Stockfish(skill) => engine("stockfish", skill, skill + 2),
        }
    }

    pub fn play(&mut self, start: &Chess, moves: &[Move], now: &Chess, seed: u64) -> Said {
        match self {
            Player::Random => {
                let mut dice = ChaCha8Rng::seed_from_u64(seed);
                dice.set_stream(moves.len() as u64);
                let legal = now.legal_moves();
                let mv = legal[dice.next_u64() as usize % legal.len()];
                Said { mv, score: None }
            }
            Player::EngineLevel(level, searcher) => {
                let stop = AtomicBool::new(false);
                let choice = searcher.best_move(&[], start, moves, *level, seed, &stop);
                let choice = choice.expect("a game that is not over has a move");
                Said { mv: choice.mv, score: Some(choice.score) }
            }
            Player::Engine(engine, limit) => {
                Said { mv: best(&engine.ask(start, moves, limit), now), score: None }
            }
        }
    }
}

fn engine(program: &str, skill: i32, depth: i32) -> Player {
    let engine = Engine::start(program, &[("Skill Level", skill)])
        .unwrap_or_else(|error| panic!("{program} does not start ({error}); apt install it"));
    Player::Engine(engine, format!("depth {depth}"))
}
