//! Rates the levels of one game: each plays the one below it, the weakest plays at random, and all
//! play another program where there is one that knows the game.
//!
//! `make calibrate GAME=othello ARGS="--minutes 10"` writes what it found into
//! `crates/players/src/measured.txt`, which the computer quotes and docs/levels.md is made from.
//! Takes up where it was left: what was played is kept in `played.txt` beside this file, with a
//! fingerprint of the levels, so that games of a level that has changed since are forgotten. One
//! thread.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it talks to whoever started it")]

mod fit;
mod game;
mod ratings;

use std::{
    collections::BTreeMap,
    env,
    error::Error,
    fs::{read_to_string, write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use players::{Found, Level, Measured, Solution, fingerprint, levels};
use rules::{Kind, kind};

use fit::{Fit, Results, fit};
use game::{Outside, Who, play};
use ratings::Score;

/// What other program plays, with so many simulations a move.
const SIMULATIONS: [u32; 3] = [10, 100, 1_000];

/// Enough, in rating points; the time goes to others then.
const SURE_ENOUGH: f64 = 30.0;
const SURE_ENOUGH_OUTSIDE: f64 = 80.0;
/// So far apart that a game tells little of another program.
const TOO_UNEQUAL: f64 = 250.0;
const WELL_KNOWN: f64 = 100.0;
/// A step is worth so much more time than another program's rating.
const MORE_WORTH: f64 = 6.0;
const MOST_GAMES: u32 = 4_000;
const PROGRESS_EVERY: Duration = Duration::from_secs(30);

type Pair = (Who, Who);

struct Run {
    kind: Kind,
    /// What the results are kept under.
    names: BTreeMap<Who, String>,
    results: Results,
    spent: BTreeMap<Pair, Duration>,
    outside: Option<Outside>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let kind = kind(&words.next().ok_or("which game?")?)?;
    let mut minutes = 10.0;
    while let Some(flag) = words.next() {
        let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
        match flag.as_str() {
            "--minutes" => minutes = value.parse()?,
            _ => return Err(format!("{flag} is not --minutes").into()),
        }
    }
    let levels: Vec<_> = levels(kind.name).collect();
    let rows: Vec<_> = match calculated(kind, &levels) {
        Some(rows) => rows.iter().map(Measured::write).collect(),
        None if levels.len() > 1 && kind.name != "matrix-game" => {
            let mut run = Run::new(kind, &levels)?;
            run.work(&levels, Duration::from_secs_f64(60.0 * minutes))?;
            [run.rows(&levels), run.others()].concat()
        }
        None => return Err(format!("{} has no levels to tell apart", kind.name).into()),
    };
    let measured = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/measured.txt");
    replace_rows(&measured, kind, ' ', rows.into_iter())
}

fn played() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/levels/played.txt")
}

/// Puts these rows in the place of those that a file has of one game.
fn replace_rows(
    path: &Path,
    kind: Kind,
    between: char,
    rows: impl Iterator<Item = String>,
) -> Result<(), Box<dyn Error>> {
    let before = read_to_string(path)?;
    let mine = format!("{}{between}", kind.name);
    let others = before.lines().filter(|line| !line.starts_with(&mine)).map(str::to_owned);
    let mut lines: Vec<_> = others.chain(rows.map(|row| mine.clone() + &row)).collect();
    // Games in the order of their names, after the lines that say what this is; levels stay in
    // theirs.
    lines.sort_by_key(|line| match line.split(between).next() {
        Some(game) if !line.starts_with('#') => game.to_owned(),
        _ => String::new(),
    });
    write(path, lines.join("\n") + "\n")?;
    Ok(())
}

/// Poker is not measured by games, in which luck decides most.
fn calculated(kind: Kind, levels: &[Level]) -> Option<Vec<Measured>> {
    let of = match kind.name {
        "kuhn-poker" => Solution::of_kuhn,
        "leduc-poker" => Solution::of_leduc,
        _ => return None,
    };
    let row = |level: &Level| {
        let solution = of(*level);
        let (lost, won) = (solution.exploitability(), solution.against_random());
        println!("level {}: loses {lost:.5} at most, wins {won:.4} of random play", level.get());
        let found = Found::Chips { lost, won };
        Measured { level: *level, fingerprint: fingerprint(kind, *level), found }
    };
    Some(levels.iter().map(row).collect())
}

impl Run {
    fn new(kind: Kind, levels: &[Level]) -> Result<Run, Box<dyn Error>> {
        let outside = Outside::start(kind)?;
        let mut names = BTreeMap::from([(Who::Random, "random".to_owned())]);
        for level in levels {
            let name = format!("level {}@{:016x}", level.get(), fingerprint(kind, *level));
            names.insert(Who::Level(*level), name);
        }
        names.extend(SIMULATIONS.map(|n| (Who::Outside(n), format!("mcts {n}"))));
        let mut run = Run { kind, names, results: Results::new(), spent: BTreeMap::new(), outside };
        run.recall()?;
        Ok(run)
    }

    fn recall(&mut self) -> Result<(), Box<dyn Error>> {
        let who = |name: &str| self.names.iter().find(|(_, known)| *known == name);
        for line in read_to_string(played())?.lines() {
            let words: Vec<_> = line.split('\t').collect();
            let [game, first, second, halves, games] = words[..] else { continue };
            if game == self.kind.name
                && let (Some((first, _)), Some((second, _))) = (who(first), who(second))
            {
                let score =
                    Score { halves: halves.parse()?, games: games.parse()?, ..Score::default() };
                self.results.insert((*first, *second), score);
            }
        }
        Ok(())
    }

    /// Writes down what was played so far.
    fn keep(&self) -> Result<(), Box<dyn Error>> {
        let row = |(pair, score): (&Pair, &Score)| {
            let (first, second) = (&self.names[&pair.0], &self.names[&pair.1]);
            format!("{first}\t{second}\t{}\t{}", score.halves, score.games)
        };
        replace_rows(&played(), self.kind, '\t', self.results.iter().map(row))
    }

    fn work(&mut self, levels: &[Level], time: Duration) -> Result<(), Box<dyn Error>> {
        let (until, mut told) = (Instant::now() + time, Instant::now());
        while Instant::now() < until
            && let Some(pair) = self.next(levels)
        {
            let number = self.results.get(&pair).map_or(0, |score| score.games);
            let at = Instant::now();
            let halves = play(self.kind, pair, number.into(), self.outside.as_mut())?;
            *self.spent.entry(pair).or_default() += at.elapsed();
            self.results.entry(pair).or_default().add(halves);
            if told.elapsed() > PROGRESS_EVERY {
                told = Instant::now();
                self.keep()?;
                let left = until.saturating_duration_since(told).as_secs();
                eprintln!("{left} seconds left\n{}", self.told(levels));
            }
        }
        self.keep()?;
        println!("{}", self.told(levels));
        Ok(())
    }

    /// The pairing that has had least time so far for how much is in doubt, among those that still
    /// tell something.
    fn next(&self, levels: &[Level]) -> Option<Pair> {
        let fit = fit(&self.results);
        let games = |pair: &Pair| self.results.get(pair).map_or(0, |score| score.games);
        let doubt = |pair: &Pair| fit.apart(pair.0, pair.1).1;
        let tells = |pair: &Pair| {
            let enough = match pair.1 {
                Who::Outside(_) => SURE_ENOUGH_OUTSIDE,
                _ => SURE_ENOUGH,
            };
            let is_far = fit.knows(pair.1) && fit.apart(pair.0, pair.1).0.abs() > TOO_UNEQUAL;
            let is_step = !matches!(pair.1, Who::Outside(_));
            games(pair) < MOST_GAMES && doubt(pair) > enough && (is_step || !is_far)
        };
        let steps = levels.iter().map(|level| (Who::Level(*level), below(*level)));
        // Another program takes long: it is met by levels that are known already.
        let is_known = steps.clone().all(|step| doubt(&step) < WELL_KNOWN);
        let middle = levels[levels.len() / 2];
        let can_play = is_known && self.outside.is_some();
        let outside = self.names.keys().filter(|who| can_play && matches!(who, Who::Outside(_)));
        let outside = outside.flat_map(|who| levels.iter().map(|level| (Who::Level(*level), *who)));
        // Who has not played yet meets the middle first.
        let outside =
            outside.filter(|(level, who)| fit.knows(*who) || *level == Who::Level(middle));
        let pairs: Vec<_> = steps.chain(outside).collect();
        let had = |pair: &Pair| {
            let spent = self.spent.get(pair).map_or(0.0, Duration::as_secs_f64);
            let worth = if matches!(pair.1, Who::Outside(_)) { 1.0 } else { MORE_WORTH };
            spent / (worth * doubt(pair).powi(2))
        };
        let useful = pairs.into_iter().filter(|pair| tells(pair));
        useful.min_by(|a, b| had(a).total_cmp(&had(b)))
    }

    /// What was found of our levels, a line for each.
    fn rows(&self, levels: &[Level]) -> Vec<String> {
        let fit = fit(&self.results);
        let row = |level: &Level| {
            let who = Who::Level(*level);
            let (rating, error) = fit.apart(who, Who::Random);
            let (step, step_error) = fit.apart(who, below(*level));
            let met = self.results.iter();
            let met = met.filter(|((first, second), _)| *first == who || *second == who);
            let found = Found::Rating {
                rating: rating.round() as i32,
                error: error.round() as i32,
                step: step.round() as i32,
                step_error: step_error.round() as i32,
                games: met.map(|(_, score)| score.games).sum(),
            };
            Measured { level: *level, fingerprint: fingerprint(self.kind, *level), found }.write()
        };
        let measured = levels.iter().filter(|level| fit.knows(Who::Level(**level)));
        measured.map(row).collect()
    }

    /// And of the others.
    fn others(&self) -> Vec<String> {
        let fit = fit(&self.results);
        let others = self.names.keys().filter(|who| matches!(who, Who::Outside(_)));
        let others = others.filter(|who| fit.knows(**who)).map(|who| {
            let (rating, error) = fit.apart(*who, Who::Random);
            format!("{who} {rating:.0} {error:.0}")
        });
        others.collect()
    }

    /// A table to look at.
    fn told(&self, levels: &[Level]) -> String {
        let fit: Fit = fit(&self.results);
        let mut lines = Vec::new();
        for who in self.names.keys().filter(|who| fit.knows(**who)) {
            let (rating, error) = fit.apart(*who, Who::Random);
            let mut line = format!("{:<12} {rating:5.0} ±{error:<4.0}", who.to_string());
            if let Who::Level(level) = who
                && levels.contains(level)
            {
                let (step, error) = fit.apart(*who, below(*level));
                line += &format!(" step {step:4.0} ±{error:<3.0}");
            }
            for ((first, second), score) in &self.results {
                if first == who {
                    let share = 50.0 * f64::from(score.halves) / f64::from(score.games);
                    line += &format!("  {second} {share:.0} % of {}", score.games);
                }
            }
            lines.push(line);
        }
        lines.join("\n")
    }
}

/// Who is next weaker.
fn below(level: Level) -> Who {
    Level::new(level.get() - 1).map_or(Who::Random, Who::Level)
}
