//! A question has one answer for each seed; another seed may have another.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use chess_engine::Searcher;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use shakmaty::{Chess, Move, Position};

use crate::board::{after, ask, game, level, moves, position};

/// Digests of a game of each level against itself, or of the beginning at the highest level: the same
/// in every build and on every machine. With `AGON_COUNT_ALL` twenty times.
#[test]
fn every_level_plays_the_same_game_again() {
    let known = "3e0a4be5 6d32f184 558acb58 19f11cfe 3ce393c2 d1723b1f 415a5a18 d25556a3 76f16ace \
                 59f81ddb";
    let runs = if std::env::var_os("AGON_COUNT_ALL").is_some() { 20 } else { 1 };
    let played = |n| {
        let plies = if n == 10 { 4 } else { 200 };
        let moves = format!("{:?}", game(&Chess::default(), n, n, 7, plies).moves);
        let digest = moves
            .bytes()
            .fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        format!("{digest:08x}")
    };
    for _ in 0..runs {
        assert_eq!((1..=10).map(played).collect::<Vec<_>>().join(" "), known);
    }
}

#[test]
fn a_stopped_search_names_no_move() {
    for n in 1..=10 {
        let stopped = AtomicBool::new(true);
        assert_eq!(
            Searcher::new().best_move(&[], &Chess::default(), &[], level(n), 0, &stopped),
            None
        );
    }
}

#[test]
fn a_finished_game_has_no_move() {
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R6k/6pp/8/8/8/8/8/6K1 b - - 0 1"] {
        for n in 1..=10 {
            assert_eq!(ask(&position(fen), &[], n, 0), None);
        }
    }
}

#[test]
fn the_first_move_varies_with_the_seed() {
    for (n, seeds) in [(1, 20), (4, 20), (7, 20), (8, 10), (9, 5)] {
        let firsts: HashSet<Move> = (0..seeds)
            .map(|seed| ask(&Chess::default(), &[], n, seed).expect("a move").mv)
            .collect();
        assert!(firsts.len() > 1, "level {n} always plays {firsts:?}");
    }
}

/// Even the lowest level is no roll of the dice: that would take back seven times in a hundred.
#[test]
fn a_beginner_takes_back() {
    let start = Chess::default();
    let line = moves(&start, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6");
    for n in 1..=4 {
        let taken = (0..100)
            .filter(|&seed| ask(&start, &line, n, seed).is_some_and(|it| it.mv.is_capture()))
            .count();
        assert!(taken > 30, "level {n} takes back {taken} times in 100");
    }
}

#[test]
fn a_novice_begins_with_natural_moves() {
    let natural = ["e2-e4", "d2-d4", "Ng1-f3", "Nb1-c3", "e2-e3", "d2-d3", "c2-c4"];
    let odd = ["a2-a3", "a2-a4", "h2-h3", "h2-h4", "Nb1-a3", "Ng1-h3", "f2-f3"];
    for (n, percent) in [(1, 100), (2, 100), (3, 150), (4, 150), (5, 150)] {
        let played: Vec<String> = (0..200)
            .map(|seed| ask(&Chess::default(), &[], n, seed).expect("a move").mv.to_string())
            .collect();
        let count =
            |moves: [&str; 7]| played.iter().filter(|mv| moves.contains(&mv.as_str())).count();
        let (natural, odd) = (count(natural), count(odd));
        assert!(100 * natural > percent * odd, "level {n}: {natural} natural, {odd} odd");
    }
}

#[test]
fn every_move_is_legal_wherever_it_is_asked() {
    for (n, games) in [(1, 30), (2, 20), (3, 20), (4, 10), (5, 10), (6, 5), (7, 3), (8, 1)] {
        for seed in 0..games {
            wander(n, seed, 120);
        }
    }
    wander(9, 0, 20);
    wander(10, 0, 8);
}

/// Random moves lead to odd positions: the engine is asked at every seventh ply.
fn wander(n: u8, seed: u64, plies: usize) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let start = Chess::default();
    let mut now = start.clone();
    let mut line: Vec<Move> = Vec::new();
    while line.len() < plies && !now.is_game_over() {
        let legal = now.legal_moves();
        let mv = match line.len() % 7 {
            6 => ask(&start, &line, n, seed).expect("a move").mv,
            _ => legal[dice.next_u64() as usize % legal.len()],
        };
        assert!(legal.contains(&mv), "level {n}: {mv} after {line:?}");
        now = after(&now, mv);
        line.push(mv);
    }
}
