//! One game, from an opening to its end.

use std::sync::atomic::AtomicBool;

use chess_engine::{SearchLimits, Searcher};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, KnownOutcome, Move, Outcome, Position};

use crate::player::Player;

const OPENING_PLIES: usize = 8;
/// A game this long is drawn.
const LONGEST: usize = 400;
/// Who says so often in a row that all is lost, or won, is believed.
const SURE: i32 = 700;
const TIMES_SURE: usize = 4;
const EVEN: i32 = 15;
const TIMES_EVEN: usize = 10;
const EVEN_FROM: usize = 100;

/// Balanced beginnings: moves that are not much worse than the best, picked by seeded dice, as
/// long as neither side is ahead at the end.
pub fn openings(count: usize) -> Vec<Vec<Move>> {
    let mut searcher = Searcher::new();
    let mut dice = ChaCha8Rng::seed_from_u64(0x0ff1ce);
    let mut found: Vec<Vec<Move>> = Vec::new();
    while found.len() < count {
        let line = wander(&mut searcher, &mut dice);
        let last = look(&mut searcher, &line, 20_000, 1)[0].1;
        if last.abs() <= 60 && !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

fn wander(searcher: &mut Searcher, dice: &mut ChaCha8Rng) -> Vec<Move> {
    let mut line = Vec::new();
    while line.len() < OPENING_PLIES {
        let moves = look(searcher, &line, 3_000, 12);
        let best = moves[0].1;
        let playable = moves.iter().filter(|(_, score)| best - score <= 40).count();
        line.push(moves[dice.next_u64() as usize % playable].0);
    }
    line
}

fn look(searcher: &mut Searcher, line: &[Move], nodes: u64, lines: usize) -> Vec<(Move, i32)> {
    let limits = SearchLimits { nodes, lines, ..SearchLimits::default() };
    let stop = AtomicBool::new(false);
    let found = searcher.analyse(&[], &Chess::default(), line, limits, &stop, |_| {});
    let exact = found.lines.iter().filter(|line| line.exact);
    exact.map(|line| (line.mv, line.score)).collect()
}

/// Points of the first player, in halves. With `trusting`, a game is broken off when one side has
/// long been sure of its end.
pub fn play(
    first: &mut Player,
    second: &mut Player,
    colour: Color,
    opening: &[Move],
    seed: u64,
    trusting: bool,
) -> u8 {
    for player in [&mut *first, &mut *second] {
        if let Player::Engine(engine, _) = player {
            engine.new_game();
        }
    }
    let points = |winner: Option<Color>| match winner {
        Some(winner) if winner == colour => 2,
        Some(_) => 0,
        None => 1,
    };
    let start = Chess::default();
    let mut now = start.clone();
    let mut moves: Vec<Move> = Vec::new();
    let mut keys: Vec<Zobrist64> = Vec::new();
    let mut said: [Vec<i32>; 2] = [Vec::new(), Vec::new()];
    loop {
        if let Some(ended) = ended(&now, &mut keys) {
            return points(ended.winner());
        }
        if moves.len() >= LONGEST {
            return points(None);
        }
        let mv = match opening.get(moves.len()) {
            Some(&mv) => mv,
            None => {
                let ours = now.turn() == colour;
                let player = if ours { &mut *first } else { &mut *second };
                let answer = player.play(&start, &moves, &now, seed);
                let said = &mut said[usize::from(ours)];
                said.extend(answer.score);
                if trusting && let Some(winner) = believe(said, now.turn(), moves.len()) {
                    return points(winner);
                }
                answer.mv
            }
        };
        now.play_unchecked(mv);
        moves.push(mv);
    }
}

fn ended(now: &Chess, keys: &mut Vec<Zobrist64>) -> Option<KnownOutcome> {
    if let Outcome::Known(outcome) = now.outcome() {
        return Some(outcome);
    }
    let key = now.zobrist_hash(EnPassantMode::Legal);
    let seen = keys.iter().filter(|&&other| other == key).count();
    keys.push(key);
    (seen >= 2 || now.halfmoves() >= 100).then_some(KnownOutcome::Draw)
}

/// Some(winner) when this side has been sure for long.
fn believe(said: &[i32], turn: Color, plies: usize) -> Option<Option<Color>> {
    let last = |times: usize| said.len().checked_sub(times).map(|from| &said[from..]);
    let all = |times: usize, test: fn(i32) -> bool| {
        last(times).is_some_and(|scores| scores.iter().all(|&score| test(score)))
    };
    if all(TIMES_SURE, |score| score >= SURE) {
        Some(Some(turn))
    } else if all(TIMES_SURE, |score| score <= -SURE) {
        Some(Some(!turn))
    } else if plies >= EVEN_FROM && all(TIMES_EVEN, |score| score.abs() <= EVEN) {
        Some(None)
    } else {
        None
    }
}
