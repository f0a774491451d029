//! Puts the ten levels on a rating scale, by games against engines whose ratings are known:
//! `cargo run --release -p chess-engine --example calibrate -- [--minutes 60] [--threads 2]
//! [--levels 1-10] [--write docs/levels.md]`. Level 10 also plays one of them until its score can be
//! told in a line of its own.
//!
//! Takes up where it was left: results are kept in `target/calibration.txt`. Levels that are not
//! asked for keep their rows on the page; whoever leaves one out knows that it plays as before.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it talks to whoever started it")]

mod fit;
mod game;
mod player;
#[path = "../../../players/examples/levels/ratings.rs"]
mod ratings;
mod report;
mod uci;

use std::collections::HashMap;
use std::fs::{OpenOptions, read_to_string, write};
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use chess_engine::{EngineLevel, Searcher};
use shakmaty::{Chess, Color, Move};

use fit::{Results, fit};
use player::{Player, Who};

const OPENINGS: usize = 150;
/// Enough, in rating points; the time goes to others then.
const SURE_ENOUGH: f64 = 50.0;
/// So far apart that a game tells nearly nothing.
const TOO_UNEQUAL: f64 = 640.0;
const FIRST_GAMES: u32 = 10;
/// The strength of level 10 in one line takes so many games, however sure its rating is by then.
const LINE_GAMES: u32 = 200;
const MOST_GAMES: u32 = 400;
const PROGRESS_EVERY: Duration = Duration::from_secs(30);
const TRUSTED_FROM: u8 = 7;

struct Wish {
    minutes: u64,
    threads: usize,
    levels: (u8, u8),
    results: String,
    write: Option<String>,
}

fn wish() -> Wish {
    let mut wish = Wish {
        minutes: 60,
        threads: 2,
        levels: (1, 10),
        results: "target/calibration.txt".to_owned(),
        write: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(flag) = words.next() {
        let value = words.next().unwrap_or_else(|| panic!("{flag} needs a value"));
        match flag.as_str() {
            "--minutes" => wish.minutes = value.parse().expect("minutes"),
            "--threads" => wish.threads = value.parse().expect("a number of threads"),
            "--levels" => {
                let (low, high) = value.split_once('-').unwrap_or((&value, &value));
                wish.levels = (low.parse().expect("a level"), high.parse().expect("a level"));
            }
            "--results" => wish.results = value,
            "--write" => wish.write = Some(value),
            _ => panic!("{flag} is none of --minutes --threads --levels --results --write"),
        }
    }
    wish
}

/// Who plays whom: the weak opponents among each other, and each level against those near it.
/// Never level against level: two of a kind, one seeing a little more, exaggerate the difference.
fn pairings(levels: (u8, u8)) -> Vec<(Who, Who)> {
    let level = |n: u8| Who::EngineLevel(EngineLevel::new(n).expect("a level from 1 to 10"));
    let (fairy, stockfish) = (Who::Fairy, Who::Stockfish);
    let weak = [-9, -7, -5, -4, -3, -1].map(fairy);
    let mut pairs: Vec<(Who, Who)> = weak.windows(2).map(|pair| (pair[0], pair[1])).collect();
    pairs.extend([-5, -4, -3, -1].map(|skill| (fairy(skill), stockfish(0))));
    if levels.0 > 6 {
        pairs.clear();
    }
    let table: [&[Who]; 10] = [
        &[Who::Random, fairy(-9), fairy(-7)],
        &[fairy(-9), fairy(-7), fairy(-5)],
        &[fairy(-7), fairy(-5), fairy(-4), stockfish(0)],
        &[fairy(-5), fairy(-4), fairy(-3), stockfish(0)],
        &[fairy(-4), fairy(-3), fairy(-1), stockfish(0)],
        &[fairy(-1), stockfish(0), stockfish(1)],
        &[stockfish(0), stockfish(1), stockfish(2), stockfish(3)],
        &[stockfish(2), stockfish(3), stockfish(4)],
        &[stockfish(4), stockfish(5), stockfish(6)],
        &[stockfish(7), stockfish(8), stockfish(9)],
    ];
    for n in levels.0..=levels.1 {
        pairs.extend(table[usize::from(n) - 1].iter().map(|&other| (level(n), other)));
    }
    pairs
}

fn least_games(pair: &(Who, Who)) -> u32 {
    if *pair == report::line() { LINE_GAMES } else { FIRST_GAMES }
}

/// What a level plays against itself after a few openings: if that changes, it is another player.
/// Long enough for a small change of the search to show.
fn fingerprint(level: EngineLevel, openings: &[Vec<Move>]) -> u64 {
    let mut searcher = Searcher::new();
    let mut sum: u64 = 0xcbf2_9ce4_8422_2325;
    let (games, plies) = match level.get() {
        10 => (4, 6),
        9 => (8, 40),
        _ => (16, 80),
    };
    for opening in openings.iter().take(games) {
        let mut line = opening.clone();
        for _ in 0..plies {
            let stop = AtomicBool::new(false);
            let choice = searcher.best_move(&[], &Chess::default(), &line, level, 1, &stop);
            let Some(choice) = choice else { break };
            line.push(choice.mv);
            for byte in format!("{choice:?}").bytes() {
                sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    sum
}

struct Run {
    wish: Wish,
    openings: Vec<Vec<Move>>,
    pairs: Vec<(Who, Who)>,
    names: HashMap<Who, String>,
    until: Instant,
    state: Mutex<State>,
}

struct State {
    results: Results,
    /// Started, whether finished or not.
    begun: HashMap<(Who, Who), u32>,
    /// In this run.
    spent: HashMap<(Who, Who), Duration>,
    told: Instant,
}

impl Run {
    fn new(wish: Wish) -> Run {
        let openings = game::openings(OPENINGS);
        let pairs = pairings(wish.levels);
        let mut names = HashMap::new();
        for who in pairs.iter().flat_map(|&(first, second)| [first, second]) {
            names.entry(who).or_insert_with(|| match who {
                Who::EngineLevel(level) => {
                    format!("{}@{:x}", who.name(), fingerprint(level, &openings))
                }
                _ => who.name(),
            });
        }
        let results = recall(&wish.results, &pairs, &names);
        let begun = results.iter().map(|(&pair, score)| (pair, score.games)).collect();
        let until = Instant::now() + Duration::from_secs(60 * wish.minutes);
        let state =
            Mutex::new(State { results, begun, spent: HashMap::new(), told: Instant::now() });
        Run { wish, openings, pairs, names, until, state }
    }

    /// The pairing that has had least time so far for how much is in doubt, among those that still
    /// tell something, and the number of its next game.
    fn next(&self) -> Option<((Who, Who), u32)> {
        let mut state = self.state.lock().expect("no thread panics while holding it");
        let ratings = fit(&state.results);
        let doubt = |pair: &(Who, Who)| {
            let error = |who: Who| ratings.get(&who).map_or(0.0, |rating| rating.error);
            error(pair.0).max(error(pair.1))
        };
        let begun = |pair: &(Who, Who)| state.begun.get(pair).copied().unwrap_or(0);
        let tells = |pair: &(Who, Who)| {
            let value = |who: Who| who.known_rating().or(ratings.get(&who).map(|it| it.value));
            let apart = value(pair.0).zip(value(pair.1)).map_or(0.0, |(a, b)| (a - b).abs());
            apart < TOO_UNEQUAL && begun(pair) < MOST_GAMES && doubt(pair) > SURE_ENOUGH
        };
        let had = |pair: &(Who, Who)| {
            let spent = state.spent.get(pair).map_or(0.0, Duration::as_secs_f64);
            if begun(pair) < FIRST_GAMES { 0.0 } else { spent / doubt(pair).powi(2) }
        };
        let useful = |pair: &&(Who, Who)| begun(pair) < least_games(pair) || tells(pair);
        let candidates = self.pairs.iter().filter(useful);
        let &pair = candidates.min_by(|a, b| had(a).total_cmp(&had(b)))?;
        let number = begun(&pair);
        state.begun.insert(pair, number + 1);
        Some((pair, number))
    }

    fn work(&self) {
        // Kept from game to game: some take long to start.
        let mut seats: HashMap<Who, Player> = HashMap::new();
        while Instant::now() < self.until
            && let Some((pair, number)) = self.next()
        {
            let mut take = |who: Who| seats.remove(&who).unwrap_or_else(|| Player::new(who));
            let (mut first, mut second) = (take(pair.0), take(pair.1));
            let opening = &self.openings[number as usize / 2 % self.openings.len()];
            let colour = Color::from_white(number % 2 == 0);
            let trusting = matches!(pair.0, Who::EngineLevel(level) if level.get() >= TRUSTED_FROM);
            let (seed, at) = (u64::from(number), Instant::now());
            let halves = game::play(&mut first, &mut second, colour, opening, seed, trusting);
            seats.extend([(pair.0, first), (pair.1, second)]);
            self.record(pair, halves, at.elapsed());
        }
    }

    fn record(&self, pair: (Who, Who), halves: u8, took: Duration) {
        let line = format!("{}\t{}\t{halves}\n", self.names[&pair.0], self.names[&pair.1]);
        let mut state = self.state.lock().expect("no thread panics while holding it");
        let file = OpenOptions::new().create(true).append(true).open(&self.wish.results);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.unwrap_or_else(|error| panic!("{} cannot be written: {error}", self.wish.results));
        state.results.entry(pair).or_default().add(u32::from(halves));
        *state.spent.entry(pair).or_default() += took;
        if state.told.elapsed() > PROGRESS_EVERY {
            state.told = Instant::now();
            let left = self.until.saturating_duration_since(Instant::now()).as_secs() / 60;
            eprintln!(
                "{left} minutes left\n{}",
                report::table(&state.results, &fit(&state.results), "")
            );
        }
    }
}

fn recall(path: &str, pairs: &[(Who, Who)], names: &HashMap<Who, String>) -> Results {
    let mut results = Results::new();
    for line in read_to_string(path).unwrap_or_default().lines() {
        let mut words = line.split('\t');
        let (first, second, halves) = (words.next(), words.next(), words.next());
        let of = |who: &Who, name: Option<&str>| names.get(who).map(String::as_str) == name;
        let pair = pairs.iter().find(|pair| of(&pair.0, first) && of(&pair.1, second));
        if let (Some(&pair), Some(Ok(halves))) = (pair, halves.map(str::parse::<u32>)) {
            results.entry(pair).or_default().add(halves);
        }
    }
    results
}

fn machine() -> String {
    let cpu = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores", model.unwrap_or("unknown"))
}

fn main() {
    let run = Run::new(wish());
    eprintln!(
        "{} games known",
        run.state.lock().expect("nobody else yet").begun.values().sum::<u32>()
    );
    std::thread::scope(|scope| {
        for _ in 0..run.wish.threads {
            scope.spawn(|| run.work());
        }
    });
    let state = run.state.into_inner().expect("no thread panicked");
    let ratings = fit(&state.results);
    println!("{}", report::table(&state.results, &ratings, ""));
    for (who, rating) in ratings {
        eprintln!("{}: {:.0} ±{:.0}", who.name(), rating.value, rating.error);
    }
    if let Some(path) = run.wish.write {
        let before = read_to_string(&path).unwrap_or_default();
        let page = report::page(&state.results, &fit(&state.results), &machine(), &before);
        write(&path, page).unwrap_or_else(|error| panic!("{path} cannot be written: {error}"));
    }
}
