//! How fast the engine is and how deep it gets: `cargo run --release -p chess-engine --example speed`.
//! The sum of the nodes only changes when the engine plays differently.

#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use chess_engine::{SearchLimits, Searcher};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 15",
    "3r1rk1/p3qp1p/2bb2p1/2p5/3P4/1P6/PBQN1PPP/2R2RK1 b - - 0 20",
    "8/5pk1/1p4p1/p1p1P2p/P1P1KP1P/1P4P1/8/8 b - - 0 40",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
];

fn main() {
    let nodes = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let mut searcher = Searcher::new();
    let (mut total, begun) = (0, Instant::now());
    for fen in POSITIONS {
        let parsed: Fen = fen.parse().expect("a fen");
        let position: Chess = parsed.into_position(CastlingMode::Standard).expect("a position");
        let limits = SearchLimits { nodes, lines: 1, ..SearchLimits::default() };
        let at = Instant::now();
        let found = searcher.analyse(&position, &[], limits, &AtomicBool::new(false), |_| {});
        let line: Vec<String> = found.lines[0].moves.iter().map(ToString::to_string).collect();
        println!(
            "depth {:2}  {:5} cp  {:4} ms  {}",
            found.depth,
            found.lines[0].score,
            at.elapsed().as_millis(),
            line.join(" ")
        );
        total += found.nodes;
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("{total} nodes, {:.0} nodes/s", total as f64 / seconds);
}
