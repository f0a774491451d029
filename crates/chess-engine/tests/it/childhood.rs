//! How the lowest levels err: like children, who see what can be taken and what is attacked before
//! their eyes, and overlook what comes from afar or with the move after.

use std::sync::atomic::AtomicBool;

use chess_engine::Searcher;
use shakmaty::{Chess, Move, Position, Role, Square};

use crate::board::{after, game, level, position};

/// Lines of kind and FEN, from games of Stockfish 15.1 with many moves at random. The side to move
/// can take a queen for nothing (`free`); or its own queen is attacked by a pawn or from near by
/// (`attacked`), or only from four squares or more along a diagonal (`afar`), and can be saved.
const POSITIONS: &str = include_str!("../suites/childhood.txt");
const SEEDS: u64 = 5;

/// How often in a hundred what a level plays is so.
fn share(kind: &str, n: u8, test: fn(&Chess, Move) -> bool) -> usize {
    let mut searcher = Searcher::new();
    let rows = POSITIONS.lines().filter_map(|row| row.split_once(' '));
    let (mut hits, mut asked) = (0, 0);
    for (_, fen) in rows.filter(|(of, _)| *of == kind) {
        let start = position(fen);
        for seed in 0..SEEDS {
            let stop = AtomicBool::new(false);
            let choice =
                searcher.best_move(&[], &start, &[], level(n), seed, &stop).expect("a move");
            hits += usize::from(test(&start, choice.mv));
            asked += 1;
        }
    }
    assert!(asked >= 90, "{kind}");
    hits * 100 / asked
}

fn takes_queen(_: &Chess, mv: Move) -> bool {
    mv.capture() == Some(Role::Queen)
}

/// Whether the opponent can then take our queen for something smaller, or for nothing.
fn leaves_queen(start: &Chess, mv: Move) -> bool {
    let now = after(start, mv);
    let pays = |mv: &Move| match mv.role() {
        Role::Queen | Role::King => !may_be_taken(&after(&now, *mv), mv.to()),
        _ => true,
    };
    now.legal_moves().iter().any(|mv| takes_queen(&now, *mv) && pays(mv))
}

fn may_be_taken(position: &Chess, at: Square) -> bool {
    position.legal_moves().iter().any(|mv| mv.to() == at)
}

#[test]
fn a_queen_in_plain_sight_is_taken() {
    for (n, least) in [(1, 88), (2, 93), (3, 97)] {
        let taken = share("free", n, takes_queen);
        assert!(taken >= least, "level {n}: {taken} in 100");
    }
}

/// Who sees the attacker may still flee to where an unseen one waits.
#[test]
fn a_queen_attacked_in_plain_sight_is_seldom_left() {
    for (n, most) in [(1, 32), (2, 28), (3, 16), (4, 8), (5, 6), (6, 4), (7, 4)] {
        let left = share("attacked", n, leaves_queen);
        assert!(left <= most, "level {n}: {left} in 100");
    }
}

#[test]
fn an_attack_along_a_long_diagonal_is_what_a_child_overlooks() {
    for (n, least) in [(1, 60), (2, 55), (3, 28)] {
        let left = share("afar", n, leaves_queen);
        assert!(left >= least, "level {n}: {left} in 100");
    }
    for n in 4..=7 {
        let left = share("afar", n, leaves_queen);
        assert!(left <= 10, "level {n}: {left} in 100");
    }
}

/// Knights and bishops that have left their first squares after ten moves, of eight; moving at
/// random brings out fewer than three.
#[test]
fn pieces_are_developed() {
    let home = [Square::B1, Square::C1, Square::F1, Square::G1];
    for n in 1..=3 {
        let mut out = 0;
        for seed in 0..20 {
            let start = Chess::default();
            let moves = game(&start, n, n, seed, 20).moves;
            let now = moves.iter().fold(start.clone(), |now, mv| after(&now, *mv));
            let gone = |at: &Square| now.board().piece_at(*at) != start.board().piece_at(*at);
            out += home.iter().filter(|at| gone(at)).count();
            out += home.iter().filter(|at| gone(&at.flip_vertical())).count();
        }
        assert!(out > 80, "level {n}: {out} in 20 games");
    }
}
