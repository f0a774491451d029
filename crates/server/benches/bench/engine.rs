//! What the chess engine finds and how fast, beside Debian's stockfish in the same run.
//!
//! Engines are compared by CPU time, so that whoever else uses the machine disturbs little.

// Both belong to the engine's own tests and calibration, which ask the same questions.
#[path = "../../../chess-engine/tests/suites/mod.rs"]
mod suites;
#[path = "../../../chess-engine/examples/calibrate/uci.rs"]
mod uci;

use std::{process, sync::atomic::AtomicBool, time::Duration};

use chess_engine::{SearchLimits, Searcher};
use shakmaty::{Chess, Move};

use self::suites::{BRATKO_KOPEC, Puzzle, WIN_AT_CHESS};
use crate::samples::{Table, cpu_time};

/// How large a table both may use, in MiB. Ours has no other size.
const HASH: i32 = 16;

enum Thinker {
    Ours(Box<Searcher>),
    Other(uci::Engine),
}

#[derive(Clone, Copy)]
enum Limit {
    Nodes(u64),
    Depth(i32),
}

/// What a suite took, and what came of it.
struct Work {
    solved: usize,
    nodes: u64,
    cpu: Duration,
}

impl Thinker {
    /// The whole suite, each position as if nothing had been asked before.
    fn work(&mut self, suite: &[Puzzle], limit: Limit) -> Work {
        let pid = match self {
            Thinker::Ours(_) => process::id(),
            Thinker::Other(engine) => engine.child.id(),
        };
        let before = cpu_time(pid);
        let (mut solved, mut nodes) = (0, 0);
        for Puzzle { position, best } in suite {
            let (mv, spent) = self.think(position, limit);
            solved += usize::from(best.contains(&mv));
            nodes += spent;
        }
        Work { solved, nodes, cpu: cpu_time(pid) - before }
    }

    /// A move, and how many positions were looked at for it.
    fn think(&mut self, position: &Chess, limit: Limit) -> (Move, u64) {
        match self {
            Thinker::Ours(searcher) => {
                let limits = SearchLimits { lines: 1, ..SearchLimits::default() };
                let limits = match limit {
                    Limit::Nodes(nodes) => SearchLimits { nodes, ..limits },
                    Limit::Depth(depth) => SearchLimits { depth, ..limits },
                };
                let stop = AtomicBool::new(false);
                let found = searcher.analyse(&[], position, &[], limits, &stop, |_| {});
                (found.lines[0].mv, found.nodes)
            }
            Thinker::Other(engine) => {
                let limit = match limit {
                    Limit::Nodes(nodes) => format!("nodes {nodes}"),
                    Limit::Depth(depth) => format!("depth {depth}"),
                };
                engine.new_game();
                let said = engine.ask(position, &[], &limit);
                let (_, last) = said.rsplit_once(" nodes ").expect("a count of nodes");
                let nodes = last.split(' ').next().and_then(|text| text.parse().ok());
                (uci::best(&said, position), nodes.expect("a number of nodes"))
            }
        }
    }
}

/// Ours, and the other one if there is one, with its name.
struct Pair {
    ours: Thinker,
    other: Option<(String, Thinker)>,
}

impl Pair {
    fn new() -> Pair {
        let other = uci::Engine::start("stockfish", &[("Threads", 1), ("Hash", HASH)]);
        let other = other.ok().map(|mut engine| {
            engine.say("uci");
            let said = engine.hear("uciok");
            let name = said.lines().find_map(|line| line.strip_prefix("id name "));
            (name.unwrap_or("stockfish").to_owned(), Thinker::Other(engine))
        });
        Pair { ours: Thinker::Ours(Box::default()), other }
    }

    fn work(&mut self, suite: &[Puzzle], limit: Limit) -> (Work, Option<(String, Work)>) {
        let ours = self.ours.work(suite, limit);
        let other = self.other.as_mut();
        (ours, other.map(|(name, thinker)| (name.clone(), thinker.work(suite, limit))))
    }
}

/// "ours, theirs by name, and the ratio".
fn beside(
    (ours, other): &(Work, Option<(String, Work)>),
    value: impl Fn(&Work) -> f64,
    write: impl Fn(f64) -> String,
) -> String {
    let own = value(ours);
    match other {
        Some((name, other)) => {
            let other = value(other);
            format!("{}, {name} {}: ratio {:.2}", write(own), write(other), own / other)
        }
        None => format!("{}; there is no stockfish here to compare with", write(own)),
    }
}

pub fn strength(table: &mut Table) {
    let mut pair = Pair::new();
    let suites = [("Bratko-Kopec", BRATKO_KOPEC), ("Win at Chess", WIN_AT_CHESS)];
    let suites = suites.map(|(name, text)| (name, suites::read(text)));
    for nodes in [10_000, 100_000, 1_000_000] {
        for (name, suite) in &suites {
            let works = pair.work(suite, Limit::Nodes(nodes));
            let solved = beside(&works, |it| it.solved as f64, |solved| solved.to_string());
            let measure = format!("solved of {} of {name}, {nodes} nodes each", suite.len());
            table.row("engine", &measure, solved);
            if nodes == 1_000_000 {
                let speed = |work: &Work| work.nodes as f64 / work.cpu.as_secs_f64();
                let speed = beside(&works, speed, |speed| format!("{speed:.0}"));
                table.row("engine", &format!("nodes/s in those of {name}"), speed);
            }
        }
    }
    for depth in [8, 11, 14] {
        let works = pair.work(&suites[0].1, Limit::Depth(depth));
        let seconds = |work: &Work| work.cpu.as_secs_f64();
        let value = beside(&works, seconds, |seconds| format!("{seconds:.2} s"));
        table.row("engine", &format!("all of Bratko-Kopec to depth {depth}, CPU"), value);
    }
}
