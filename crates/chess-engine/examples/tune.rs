//! Fits the weights of the evaluation to how games of the engine against itself ended:
//! `cargo run --release -p chess-engine --example tune -- [games] [file]`, from the root of the
//! project.
//!
//! Plays until there are that many games in the file (default: 4000, `target/tuning.txt`), each
//! from its own seed, then moves every weight so that the evaluation foretells the results better,
//! and writes `crates/chess-engine/src/weights.rs`.

#![expect(clippy::print_stderr, reason = "it talks to whoever started it")]

use std::fmt::Write as _;
use std::fs::{OpenOptions, read_to_string, write};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use chess_engine::tuning::{self, Reasons};
use chess_engine::{SearchLimits, Searcher};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position};

const NODES: u64 = 3_000;
const RANDOM_PLIES: usize = 8;
const LONGEST: usize = 240;
/// A score this high ends a game, and a position worth more teaches nothing.
const DECIDED: i32 = 1_200;
const THREADS: usize = 2;

const ROUNDS: usize = 300;
/// How much the result of the game counts beside what the search thought at the time.
const TRUST_IN_RESULT: f32 = 0.6;
/// Centipawns by which the odds grow e-fold.
const SCALE: f32 = 210.0;
/// Holds a weight that few positions speak about near what it was.
const INERTIA: f32 = 4e-9;

fn main() {
    let mut words = std::env::args().skip(1);
    let games = words.next().map_or(4_000, |text| text.parse().expect("a number of games"));
    let path = words.next().unwrap_or_else(|| "target/tuning.txt".to_owned());
    play_until(&path, games);
    let samples = read(&path);
    eprintln!("{} positions", samples.len());
    let weights = fit(&samples);
    write("crates/chess-engine/src/weights.rs", table(&weights)).expect("a file to write");
}

fn play_until(path: &str, games: u64) {
    let known = read_to_string(path).unwrap_or_default();
    let played = known.lines().filter(|line| line.starts_with('#')).count() as u64;
    let next = AtomicU64::new(played);
    let file = OpenOptions::new().create(true).append(true).open(path).expect("a file to write");
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let mut searcher = Searcher::new();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= games {
                        return;
                    }
                    let text = play(&mut searcher, seed);
                    (&file).write_all(text.as_bytes()).expect("room for a game");
                    if seed.is_multiple_of(200) {
                        eprintln!("game {seed}");
                    }
                }
            });
        }
    });
}

/// A game as text: a comment, then a line for each quiet position with White's result and score.
fn play(searcher: &mut Searcher, seed: u64) -> String {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut now = Chess::default();
    let mut moves = Vec::new();
    let mut positions = Vec::new();
    let winner = loop {
        if now.is_game_over() || moves.len() >= LONGEST || now.halfmoves() >= 100 {
            break now.outcome().winner();
        }
        if moves.len() < RANDOM_PLIES {
            let legal = now.legal_moves();
            let mv = legal[dice.next_u64() as usize % legal.len()];
            now.play_unchecked(mv);
            moves.push(mv);
            continue;
        }
        let limits = SearchLimits { nodes: NODES, lines: 1, ..SearchLimits::default() };
        let stop = AtomicBool::new(false);
        let found = searcher.analyse(&Chess::default(), &moves, limits, &stop, |_| {});
        let best = &found.lines[0];
        let score = now.turn().fold_wb(best.score, -best.score);
        if score.abs() >= DECIDED {
            break Some(Color::from_white(score > 0));
        }
        if best.score == 0 && moves.len() > 100 && found.depth > 12 {
            break None;
        }
        if !now.is_check() && !best.mv.is_capture() && !best.mv.is_promotion() {
            positions.push((Fen::from_position(&now, EnPassantMode::Legal), score));
        }
        now.play_unchecked(best.mv);
        moves.push(best.mv);
    };
    let result = winner.map_or(1, |color| color.fold_wb(2, 0));
    let mut text = format!("# {seed}\n");
    for (fen, score) in positions {
        writeln!(text, "{fen};{result};{score}").expect("text takes text");
    }
    text
}

struct Sample {
    reasons: Reasons,
    target: f32,
}

fn read(path: &str) -> Vec<Sample> {
    let text = read_to_string(path).expect("a file of positions");
    text.lines().filter(|line| !line.starts_with('#')).filter_map(sample).collect()
}

fn sample(line: &str) -> Option<Sample> {
    let mut words = line.split(';');
    let fen: Fen = words.next()?.parse().ok()?;
    let result: f32 = words.next()?.parse().ok()?;
    let score: f32 = words.next()?.parse().ok()?;
    let position: Chess = fen.into_position(CastlingMode::Standard).ok()?;
    let target = TRUST_IN_RESULT * result / 2.0 + (1.0 - TRUST_IN_RESULT) * chance(score);
    Some(Sample { reasons: tuning::reasons(&position), target })
}

/// Of winning, with this many centipawns.
fn chance(score: f32) -> f32 {
    1.0 / (1.0 + (-score / SCALE).exp())
}

type Weights = Vec<[f32; 2]>;

fn judge(reasons: &Reasons, weights: &Weights) -> f32 {
    let mut sum = [0.0; 2];
    for &(term, times) in &reasons.terms {
        let weight = weights[usize::from(term)];
        sum[0] += weight[0] * f32::from(times);
        sum[1] += weight[1] * f32::from(times);
    }
    sum[0] * reasons.phase + sum[1] * (1.0 - reasons.phase)
}

/// Adam: downhill, each weight at its own pace.
fn fit(samples: &[Sample]) -> Weights {
    let before = tuning::weights();
    let mut weights = before.clone();
    let (mut pace, mut spread) =
        (vec![[0.0_f32; 2]; weights.len()], vec![[0.0_f32; 2]; weights.len()]);
    // Every tenth position is kept back to see whether what was learnt holds for others.
    let is_kept_back = |n: usize| n % 1_000 < 100;
    for round in 1..=ROUNDS {
        let mut slope = vec![[0.0_f32; 2]; weights.len()];
        let mut faults = [(0.0_f64, 0_u32); 2];
        for (n, sample) in samples.iter().enumerate() {
            let chance = chance(judge(&sample.reasons, &weights));
            let fault = chance - sample.target;
            let (sum, count) = &mut faults[usize::from(is_kept_back(n))];
            *sum += f64::from(fault * fault);
            *count += 1;
            if is_kept_back(n) {
                continue;
            }
            let pull = fault * chance * (1.0 - chance) / SCALE;
            for &(term, times) in &sample.reasons.terms {
                let pull = pull * f32::from(times);
                slope[usize::from(term)][0] += pull * sample.reasons.phase;
                slope[usize::from(term)][1] += pull * (1.0 - sample.reasons.phase);
            }
        }
        let count = faults[0].1 as f32;
        let step = if round < ROUNDS * 2 / 3 { 1.0 } else { 0.3 };
        for term in 0..weights.len() {
            for half in 0..2 {
                let drift = weights[term][half] - before[term][half];
                let slope = slope[term][half] / count + INERTIA * drift;
                pace[term][half] = 0.9 * pace[term][half] + 0.1 * slope;
                spread[term][half] = 0.999 * spread[term][half] + 0.001 * slope * slope;
                let settled = 1.0 - 0.999_f32.powi(round as i32);
                let spread = (spread[term][half] / settled).sqrt() + 1e-9;
                weights[term][half] -= step * pace[term][half] / spread;
            }
        }
        if round == 1 || round % 100 == 0 {
            let [learnt, kept] = faults.map(|(sum, count)| sum / f64::from(count));
            eprintln!("round {round}: {learnt:.6} on what it learns from, {kept:.6} on others");
        }
    }
    weights
}

fn table(weights: &Weights) -> String {
    let mut text = String::from(
        "//! What each term of `terms` is worth, in centipawns: early, late.\n//!\n\
         //! Written by `cargo run --release -p chess-engine --example tune`, which fits it to how games of\n\
         //! the engine against itself ended.\n\n\
         use crate::taper::{Taper, taper};\nuse crate::terms::COUNT;\n\n\
         #[rustfmt::skip]\npub(crate) static WEIGHTS: [Taper; COUNT] = [\n",
    );
    let ends = tuning::lists().iter().skip(1).map(|list| list.1).chain([weights.len()]);
    for (&(name, begin), end) in tuning::lists().iter().zip(ends) {
        writeln!(text, "    // {name}").expect("text takes text");
        for row in weights[begin..end].chunks(8) {
            let row: Vec<String> = row
                .iter()
                .map(|[early, late]| {
                    format!("taper({}, {}),", early.round() as i32, late.round() as i32)
                })
                .collect();
            writeln!(text, "    {}", row.join(" ")).expect("text takes text");
        }
    }
    text + "];\n"
}
