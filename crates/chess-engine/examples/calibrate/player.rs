//! Who can sit at the board: a level of ours, another engine that speaks UCI, a roll of the dice.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::AtomicBool;

use chess_engine::{Level, Searcher};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Who {
    Random,
    Fairy(i32),
    Stockfish(i32),
    Level(Level),
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
            Who::Level(level) => format!("level {}", level.get()),
        }
    }
}

/// A seat taken.
pub enum Player {
    Random,
    Level(Level, Box<Searcher>),
    Engine(Engine),
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
            Who::Level(level) => Player::Level(level, Box::new(Searcher::new())),
            Who::Fairy(skill) => Player::Engine(Engine::start("fairy-stockfish", skill, 5)),
            Who::Stockfish(skill) => Player::Engine(Engine::start("stockfish", skill, skill + 2)),
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
            Player::Level(level, searcher) => {
                let stop = AtomicBool::new(false);
                let choice = searcher.best_move(start, moves, *level, seed, &stop);
                let choice = choice.expect("a game that is not over has a move");
                Said { mv: choice.mv, score: Some(choice.score) }
            }
            Player::Engine(engine) => Said { mv: engine.ask(start, moves, now), score: None },
        }
    }
}

/// A process that speaks UCI. A dead one ends the run: there is nobody to calibrate against.
pub struct Engine {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    depth: i32,
}

impl Engine {
    fn start(program: &str, skill: i32, depth: i32) -> Engine {
        let path = format!("{}:/usr/games", std::env::var("PATH").unwrap_or_default());
        let mut child = Command::new(program)
            .env("PATH", path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} does not start ({error}); apt install it"));
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut engine = Engine { child, to, from, depth };
        engine.say("uci");
        engine.hear("uciok");
        engine.say(&format!("setoption name Skill Level value {skill}"));
        engine
    }

    fn ask(&mut self, start: &Chess, moves: &[Move], now: &Chess) -> Move {
        let fen = Fen::from_position(start, EnPassantMode::Legal);
        let moves: Vec<String> =
            moves.iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).collect();
        self.say(&format!("position fen {fen} moves {}", moves.join(" ")));
        self.say(&format!("go depth {}", self.depth));
        let answer = self.hear("bestmove");
        let uci = answer.split_whitespace().nth(1).and_then(|text| text.parse::<UciMove>().ok());
        uci.and_then(|uci| uci.to_move(now).ok()).unwrap_or_else(|| panic!("{answer} at {fen}"))
    }

    pub fn new_game(&mut self) {
        self.say("ucinewgame");
        self.say("isready");
        self.hear("readyok");
    }

    fn say(&mut self, line: &str) {
        writeln!(self.to, "{line}").expect("an engine that listens");
    }

    fn hear(&mut self, word: &str) -> String {
        let mut line = String::new();
        while !line.starts_with(word) {
            line.clear();
            let read = self.from.read_line(&mut line).expect("text from the engine");
            assert!(read > 0, "the engine is gone");
        }
        line
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.say("quit");
        self.child.wait().ok();
    }
}
