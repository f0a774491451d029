//! Rates the levels of one game: each plays the one below it, the lowest plays at random, and what
//! they score says how far apart they are.
//!
//! `calibrate othello 200 '{"opening": 4}'` plays 200 games for each step, seats exchanged, and
//! prints a table in Markdown. The games are the same on every machine; only the times differ.

use std::{
    env,
    io::{self, Write},
    time::{Duration, Instant},
};

use players::{Level, choose};
use rules::{Dice, Due, Kind, Record, Seat, kind};

/// A level, or somebody who moves at random.
type Player = Option<Level>;

struct Score {
    /// Of the stronger: one for a win, half for a draw.
    points: f64,
    games: u32,
}

impl Score {
    /// How much stronger, and how sure that is (one standard deviation).
    fn rating(&self) -> (f64, f64) {
        let games = f64::from(self.games);
        // Half a win for either, for nobody is infinitely stronger.
        let share = (self.points + 0.5) / (games + 1.0);
        let error = (share * (1.0 - share) / games).sqrt();
        let slope = 400.0 / std::f64::consts::LN_10 / (share * (1.0 - share));
        (400.0 * (share / (1.0 - share)).log10(), slope * error)
    }
}

#[derive(Default)]
struct Clock {
    moves: u32,
    spent: Duration,
    most: Duration,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut flags = env::args().skip(1);
    let kind = kind(&flags.next().ok_or("which game?")?)?;
    let games = flags.next().map_or(Ok(100), |games| games.parse())?;
    let setup = flags.next().unwrap_or("{}".to_owned());
    let mut out = io::stdout().lock();
    writeln!(out, "| level | rating | error | ms a move | at most |\n|---|---|---|---|---|")?;
    let (mut rating, mut below) = (0.0, None);
    for level in Level::all() {
        let mut clock = Clock::default();
        let mut score = Score { points: 0.0, games };
        for number in 0..games {
            score.points += play(kind, &setup, number.into(), level, below, &mut clock)?;
        }
        let (more, error) = score.rating();
        rating += more;
        let mean = clock.spent.as_secs_f64() * 1e3 / f64::from(clock.moves.max(1));
        let most = clock.most.as_secs_f64() * 1e3;
        let level_number = level.get();
        writeln!(out, "| {level_number} | {rating:.0} | {error:.0} | {mean:.1} | {most:.0} |")?;
        out.flush()?;
        below = Some(level);
    }
    Ok(())
}

/// What the stronger scores. Every other game it sits second, with the same seed.
fn play(
    kind: Kind,
    setup: &str,
    number: u64,
    stronger: Level,
    weaker: Player,
    clock: &mut Clock,
) -> Result<f64, Box<dyn std::error::Error>> {
    let mut record = Record::start(kind, setup, number / 2)?;
    let own = Seat((number % 2) as u8);
    loop {
        let seat = match record.due() {
            Due::One(seat) => seat,
            Due::Each(seats) => seats[0],
            Due::Over(outcome) => {
                let winner = outcome.winner();
                return Ok(if winner == Some(own) {
                    1.0
                } else if winner.is_none() {
                    0.5
                } else {
                    0.0
                });
            }
        };
        let luck = number << 20 | u64::from(record.next_number());
        let player = if seat == own { Some(stronger) } else { weaker };
        let text = match player {
            Some(level) => {
                let start = Instant::now();
                let text = choose(&record, seat, level, luck).ok_or("the computer has no move")?;
                if seat == own {
                    let spent = start.elapsed();
                    clock.moves += 1;
                    clock.spent += spent;
                    clock.most = clock.most.max(spent);
                }
                text
            }
            None => {
                let offers = record.offers(seat);
                let drawn = Dice::new(luck, 1).below(offers.len() as u32);
                offers[drawn as usize].clone()
            }
        };
        let step = record.step(seat, &text)?;
        record.take(step);
    }
}
