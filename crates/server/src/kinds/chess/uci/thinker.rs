//! Thinking, on a thread that does nothing else, and how it tells what it thinks.

use std::{
    fmt::Write,
    sync::{Arc, atomic::AtomicBool, mpsc::Receiver},
    time::{Duration, Instant},
};

use chess_engine::{Analysis, EngineLevel, ScoredLine, SearchLimits, Searcher, moves_to_mate};
use rules::chess::uci;
use shakmaty::{Chess, Move};

use super::{options::Resources, position::Position};

/// Enough to find some move in less than a millisecond.
const GLANCE: SearchLimits = SearchLimits { nodes: 1000, depth: 3, lines: 1 };

pub struct UciQuestion {
    pub position: Position,
    /// Only these moves are to be looked at; all if there are none.
    pub among: Vec<Move>,
    pub manner: Skill,
    pub resources: Resources,
    pub stop: Arc<AtomicBool>,
}

pub enum Skill {
    /// As well as can be within these limits.
    Best(SearchLimits),
    /// As this level would, with the chance of this seed.
    Level(EngineLevel, u64),
}

pub enum Told {
    Progress(String),
    Answer(String),
}

/// Answers one question after the other. `tell` gets whole lines.
pub fn think(questions: Receiver<UciQuestion>, tell: impl Fn(Told)) {
    let mut searcher = Searcher::new();
    let mut resources = Resources::default();
    for question in questions {
        if question.resources != resources {
            resources = question.resources;
            searcher = Searcher::with_memory(resources.megabytes);
            searcher.use_threads(resources.threads);
        }
        let uci = |mv: Move| uci(&question.position.start, mv);
        let line = match question.manner {
            Skill::Best(limits) => best(&mut searcher, &question, limits, &tell),
            Skill::Level(level, seed) => as_level(&mut searcher, &question, level, seed, &tell),
        };
        tell(Told::Answer(match line.as_slice() {
            [] => "bestmove (none)".to_owned(),
            [mv] => format!("bestmove {}", uci(*mv)),
            [mv, answer, ..] => format!("bestmove {} ponder {}", uci(*mv), uci(*answer)),
        }));
    }
}

fn best(
    searcher: &mut Searcher,
    question: &UciQuestion,
    limits: SearchLimits,
    tell: &impl Fn(Told),
) -> Vec<Move> {
    let Position { start, moves, .. } = &question.position;
    let among = &question.among;
    let started = Instant::now();
    let show = |analysis: &Analysis| {
        for line in info(analysis, limits.lines, started.elapsed(), start) {
            tell(Told::Progress(line));
        }
    };
    let first = |analysis: &Analysis| analysis.lines.first().map(|line| line.mv);
    let mut last = None;
    let tell = |analysis: &Analysis| {
        last = first(analysis);
        show(analysis);
    };
    let mut analysis = searcher.analyse(among, start, moves, limits, &question.stop, tell);
    if analysis.depth == 0 {
        let go_on = AtomicBool::new(false);
        analysis = searcher.analyse(among, start, moves, GLANCE, &go_on, |_| {});
    }
    // An iteration that was broken off may have found something better.
    if last != first(&analysis) {
        show(&analysis);
    }
    analysis.lines.into_iter().next().map(|line| line.moves).unwrap_or_default()
}

fn as_level(
    searcher: &mut Searcher,
    question: &UciQuestion,
    level: EngineLevel,
    seed: u64,
    tell: &impl Fn(Told),
) -> Vec<Move> {
    let Position { start, moves, .. } = &question.position;
    let started = Instant::now();
    let mut choose = |level, stop: &AtomicBool| {
        searcher.best_move(&question.among, start, moves, level, seed, stop)
    };
    let choice = choose(level, &question.stop).or_else(|| {
        // All but the highest level have their answer sooner than anybody can say stop.
        choose(level.min(EngineLevel::ALL[8]), &AtomicBool::new(false))
    });
    let Some(choice) = choice else { return Vec::new() };
    let (score, time) = (score(choice.score), started.elapsed().as_millis());
    tell(Told::Progress(format!("info score {score} time {time} pv {}", uci(start, choice.mv))));
    vec![choice.mv]
}

/// One line for each of the best `count` moves.
fn info(analysis: &Analysis, count: usize, time: Duration, start: &Chess) -> Vec<String> {
    let Analysis { lines, depth, longest, nodes } = analysis;
    let rate = (*nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    let known = lines.iter().filter(|line| line.exact || count == 1).take(count);
    let tell = |(n, line): (usize, &ScoredLine)| {
        let mut text = format!("info depth {depth} seldepth {}", longest.max(depth));
        if count > 1 {
            let _ = write!(text, " multipv {}", n + 1);
        }
        let score = score(line.score);
        let time = time.as_millis();
        let _ = write!(text, " score {score} nodes {nodes} nps {rate} time {time} pv");
        for mv in &line.moves {
            let _ = write!(text, " {}", uci(start, *mv));
        }
        text
    };
    known.enumerate().map(tell).collect()
}

fn score(score: i32) -> String {
    match moves_to_mate(score) {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {score}"),
    }
}
