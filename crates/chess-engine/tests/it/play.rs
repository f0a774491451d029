//! Sound play: mates, pieces kept, draws taken and avoided.

use chess_engine::SearchLimits;
use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};

use crate::board::{after, analyse, ask, moves, position};

const MATES_IN_ONE: [&str; 7] = [
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "6k1/5ppp/q7/8/8/8/1Q3PPP/3R2K1 w - - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
    "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1",
    "6k1/4Pppp/8/8/8/8/8/6K1 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 80",
];

#[test]
fn a_mate_in_one_is_always_played_from_level_four() {
    for fen in MATES_IN_ONE {
        for n in 4..=10 {
            for seed in 0..5 {
                let start = position(fen);
                let choice = ask(&start, &[], n, seed).expect("a move");
                assert!(
                    after(&start, choice.mv).is_checkmate(),
                    "{fen} at level {n}: {}",
                    choice.mv
                );
            }
        }
    }
}

#[test]
fn level_ten_forces_mate_in_two_and_three() {
    let table = [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ];
    for (fen, in_moves) in table {
        let start = position(fen);
        let choice = ask(&start, &[], 10, 0).expect("a move");
        assert_eq!(choice.score, 32_000 - (2 * in_moves - 1), "{fen}: {}", choice.mv);

        let mut line = Vec::new();
        let mut now = start.clone();
        while line.len() < 2 * in_moves as usize - 1 {
            let choice = ask(&start, &line, 10, 0).expect("a move");
            now = after(&now, choice.mv);
            line.push(choice.mv);
        }
        assert!(now.is_checkmate(), "{fen}: {line:?}");
    }
}

#[test]
fn nothing_is_hung_from_level_eight() {
    let table = [
        "r1bqkbnr/ppp2ppp/2np4/4p3/2B1P1Q1/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4",
        "4k3/2p2ppp/1p1p4/8/3Q4/8/5PPP/6K1 w - - 0 1",
        "r3k2r/ppp2ppp/2n5/3q4/8/2N2N2/PPP2PPP/R2QK2R b KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 15",
        "3r1rk1/p3qp1p/2bb2p1/2p5/3P4/1P6/PBQN1PPP/2R2RK1 b - - 0 20",
    ];
    for fen in table {
        let start = position(fen);
        let judge = |moves: &[Move]| {
            let limits = SearchLimits { nodes: 50_000, lines: 1, ..SearchLimits::default() };
            analyse(&start, moves, limits).lines[0].score
        };
        for n in [8, 9] {
            let choice = ask(&start, &[], n, 1).expect("a move");
            let lost = judge(&[]) + judge(&[choice.mv]);
            assert!(lost < 150, "{fen} at level {n}: {} loses {lost}", choice.mv);
        }
    }
}

/// White is a rook up; both sides have been shuffling.
const SHUFFLED: &str = "6k1/5pp1/7p/8/8/7P/5PP1/R5K1 w - - 0 1";
const ONE_ROUND: &str = "a1b1 g8h8 b1a1 h8g8 ";

fn times_seen(start: &Chess, line: &[Move]) -> usize {
    let mut now = start.clone();
    let mut keys: Vec<Zobrist64> = vec![now.zobrist_hash(EnPassantMode::Legal)];
    for &mv in line {
        now = after(&now, mv);
        keys.push(now.zobrist_hash(EnPassantMode::Legal));
    }
    keys.iter().filter(|&key| Some(key) == keys.last()).count()
}

#[test]
fn the_winning_side_avoids_a_third_repetition() {
    let start = position(SHUFFLED);
    let line = moves(&start, &(ONE_ROUND.repeat(2) + "a1b1 g8h8"));
    for n in 6..=10 {
        let choice = ask(&start, &line, n, 0).expect("a move");
        let line = [line.as_slice(), &[choice.mv]].concat();
        assert!(choice.score > 200 && times_seen(&start, &line) < 3, "level {n}: {}", choice.mv);
    }
}

#[test]
fn the_losing_side_seeks_a_third_repetition() {
    let start = position(SHUFFLED);
    let line = moves(&start, &(ONE_ROUND.to_owned() + "a1b1 g8h8 b1a1"));
    for n in 6..=10 {
        let choice = ask(&start, &line, n, 0).expect("a move");
        let line = [line.as_slice(), &[choice.mv]].concat();
        assert_eq!((choice.score, times_seen(&start, &line)), (0, 3), "level {n}: {}", choice.mv);
    }
}

#[test]
fn a_move_that_resets_the_fifty_move_count_saves_the_win() {
    let start = position("7k/8/8/8/8/4P3/R7/4K3 w - - 99 120");
    let choice = ask(&start, &[], 8, 0).expect("a move");
    assert_eq!(choice.mv.to_string(), "e3-e4");
}
