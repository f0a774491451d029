//! Says how even the openings of a game are: its highest level plays both sides after each of many,
//! and what the first player scores is counted.
//!
//! `cargo run --release -p players --example openings -- othello`, then how many openings, 200 if it
//! is not said, the level, the highest if it is not said, and the set-up, the usual one if it is not
//! said.

#![expect(clippy::print_stdout, reason = "it talks to whoever started it")]

use std::{env, error::Error};

use players::{Level, choose, nearest, usual_setup};
use rules::{Due, Kind, Record, kind};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let kind = kind(&words.next().ok_or("which game?")?)?;
    let openings = words.next().map_or(Ok(200), |word| word.parse())?;
    let level = words.next().map_or(Ok(Level::MOST), |word| word.parse())?;
    let level = nearest(kind.name, Level::new(level).ok_or("levels go from 1 to 10")?);
    let setup = words.next().unwrap_or_else(|| usual_setup(&kind).to_owned());
    let (mut won, mut drawn) = (0, 0);
    for seed in 0..openings {
        match play(kind, &setup, seed, level)? {
            Some(0) => won += 1,
            Some(_) => {}
            None => drawn += 1,
        }
    }
    let lost = openings - won - drawn;
    let percent = (f64::from(won as u32) + f64::from(drawn as u32) / 2.0) * 100.0 / openings as f64;
    println!(
        "{} {setup}, level {} on both sides: the first player won {won}, drew {drawn} and lost \
         {lost} of {openings} games: {percent:.1} %",
        kind.name,
        level.get(),
    );
    Ok(())
}

/// The seat that won, if one has.
fn play(kind: Kind, setup: &str, seed: u64, level: Level) -> Result<Option<u8>, Box<dyn Error>> {
    let mut record = Record::start(kind, setup, seed)?;
    loop {
        let seat = match record.due() {
            Due::One(seat) => seat,
            Due::Each(seats) => seats[0],
            Due::Over(outcome) => return Ok(outcome.winner().map(|seat| seat.0)),
        };
        let text = choose(&record, seat, level, seed).ok_or("it has no move")?;
        let step = record.step(seat, &text)?;
        record.take(step);
    }
}
