//! What must be found, within how many positions, and how it is told.

use std::sync::atomic::AtomicBool;

use chess_engine::{Analysis, Limits, analyse};
use shakmaty::san::San;
use shakmaty::{Chess, Color, Position};

use crate::board::{after, ask, moves, position, winner};

fn look(fen: &str, nodes: u64, lines: usize) -> Analysis {
    let limits = Limits { nodes, lines, ..Limits::default() };
    analyse(&position(fen), &[], limits, &AtomicBool::new(false))
}

/// From Reinfeld's "Win at Chess".
const COMBINATIONS: [(&str, &str); 18] = [
    ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "Qg6"),
    ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", "Rg3"),
    ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", "Qxh7+"),
    ("5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1", "Qc4+"),
    ("7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1", "Rb7"),
    ("rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq - 0 1", "Ne3"),
    ("r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1", "Rf7"),
    ("3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1", "Bh2+"),
    ("2br2k1/2q3rn/p2NppQ1/2p1P3/Pp5R/4P3/1P3PPP/3R2K1 w - - 0 1", "Rxh7"),
    ("r1b1kb1r/3q1ppp/pBp1pn2/8/Np3P2/5B2/PPP3PP/R2Q1RK1 w kq - 0 1", "Bxc6"),
    ("4k1r1/2p3r1/1pR1p3/3pP2p/3P2qP/P4N2/1PQ4P/5R1K b - - 0 1", "Qxf3+"),
    ("r2rb1k1/pp1q1p1p/2n1p1p1/2bp4/5P2/PP1BPR1Q/1BPN2PP/R5K1 w - - 0 1", "Qxh7+"),
    ("1R6/1brk2p1/4p2p/p1P1Pp2/P7/6P1/1P4P1/2R3K1 w - - 0 1", "Rxb7"),
    ("r4rk1/ppp2ppp/2n5/2bqp3/8/P2PB3/1PP1NPPP/R2Q1RK1 w - - 0 1", "Nc3"),
    ("R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1", "Rh8"),
    ("r1b2rk1/ppbn1ppp/4p3/1QP4q/3P4/N4N2/5PPP/R1B2RK1 w - - 0 1", "c6"),
    ("r2qkb1r/1ppb1ppp/p7/4p3/P1Q1P3/2P5/5PPP/R1B2KNR b kq - 0 1", "Bb5"),
    ("8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1", "Rxb2"),
];

#[test]
fn combinations_are_found() {
    for (nodes, least) in [(5_000, 10), (200_000, 17)] {
        let missed: Vec<String> = COMBINATIONS
            .into_iter()
            .filter_map(|(fen, best)| {
                let found = look(fen, nodes, 1).lines[0].mv;
                let san = San::from_move(&position(fen), found).to_string();
                (san != best.trim_end_matches('+')).then(|| format!("{san} for {best} in {fen}"))
            })
            .collect();
        let solved = COMBINATIONS.len() - missed.len();
        assert!(solved >= least, "{solved} within {nodes} nodes: {missed:#?}");
    }
}

#[test]
fn lone_kings_are_mated() {
    for (fen, level) in [
        ("8/8/8/4k3/8/8/4K3/4R3 w - - 0 1", 8),
        ("8/8/8/4k3/8/8/4K3/4Q3 b - - 0 1", 7),
        ("8/8/8/4k3/8/8/4K3/2B2B2 w - - 0 1", 9),
    ] {
        assert_eq!(winner(&position(fen), level, level, 0), Some(Color::White), "{fen}");
    }
}

#[test]
fn every_move_gets_a_score_and_a_line() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";
    let found = look(fen, 100_000, usize::MAX);
    let start = position(fen);
    assert_eq!(found.lines.len(), start.legal_moves().len());
    assert!(found.lines.is_sorted_by_key(|line| -line.score) && found.depth >= 4);
    for line in found.lines {
        assert!(line.exact && line.moves[0] == line.mv, "{line:?}");
        let mut now = start.clone();
        for mv in line.moves {
            now = after(&now, mv);
        }
    }
}

#[test]
fn as_many_lines_as_asked_for_are_exact() {
    let fen = "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 15";
    let found = look(fen, 50_000, 3);
    assert!(found.lines.iter().filter(|line| line.exact).count() >= 3);
    let all = look(fen, 50_000, usize::MAX);
    assert!(all.lines.iter().all(|line| line.exact) && all.depth < found.depth);
}

#[test]
fn a_depth_is_kept_to() {
    let limits = Limits { depth: 3, ..Limits::default() };
    let found = analyse(&Chess::default(), &[], limits, &AtomicBool::new(false));
    assert_eq!(found.depth, 3);
}

#[test]
fn a_stopped_analysis_tells_what_it_knows() {
    let stop = AtomicBool::new(true);
    let found = analyse(&Chess::default(), &[], Limits::default(), &stop);
    assert_eq!((found.depth, found.lines.len()), (0, 20));
}

/// Drawn, however much more one side has.
#[test]
fn draws_are_seen() {
    for (why, fen) in [
        ("bishop and knight's worth, but only a bishop", "8/8/4k3/8/8/3BK3/8/8 w - - 0 1"),
        ("two knights", "8/8/4k3/8/8/2NNK3/8/8 w - - 0 1"),
        ("stalemate by giving up the queen", "6k1/8/5Q2/2b5/8/7p/q6P/7K w - - 0 1"),
        ("the king keeps before the pawn", "8/8/8/8/4k3/4p3/8/4K3 w - - 0 1"),
        ("ninety-nine plies without progress", "7k/8/8/8/8/4b3/R7/4K3 b - - 99 120"),
    ] {
        let score = look(fen, 50_000, 1).lines[0].score;
        assert!(score.abs() <= 25, "{why}: {score} in {fen}");
    }
}

#[test]
fn nobody_is_stalemated_who_is_losing() {
    for fen in ["7k/8/6Q1/8/8/8/8/K7 w - - 0 1", "k7/8/1K6/8/8/8/2Q5/8 w - - 0 1"] {
        for level in 5..=9 {
            for seed in 0..5 {
                let choice = ask(&position(fen), &[], level, seed).expect("a move");
                let after = after(&position(fen), choice.mv);
                assert!(!after.is_stalemate(), "{fen} at level {level}: {}", choice.mv);
            }
        }
    }
}

/// A change that is not meant to alter how the engine plays keeps this number.
#[test]
fn the_signature_stays_the_same() {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
        "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
        "8/5pk1/1p4p1/p1p1P2p/P1P1KP1P/1P4P1/8/8 b - - 0 40",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    let mut nodes = 0;
    for fen in fens {
        let limits = Limits { depth: 10, lines: 1, ..Limits::default() };
        nodes += analyse(&position(fen), &[], limits, &AtomicBool::new(false)).nodes;
    }
    assert_eq!(nodes, 256_209);
}

#[test]
fn a_searcher_forgets() {
    let mut searcher = chess_engine::Searcher::new();
    let start = Chess::default();
    let line = moves(&start, "e2e4 e7e5 g1f3 b8c6 f1b5");
    let mut answers = Vec::new();
    for n in [3, 9, 6, 9, 3, 6] {
        let stop = AtomicBool::new(false);
        answers.push((n, searcher.best_move(&start, &line, crate::board::level(n), 5, &stop)));
    }
    for (n, answer) in answers {
        assert_eq!(answer, ask(&start, &line, n, 5), "level {n}");
    }
}
