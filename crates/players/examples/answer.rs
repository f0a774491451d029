//! Says what the computer would play in games that it is told, so that another program can play
//! against it.
//!
//! A line on stdin is a game in JSON: its kind, set-up, seed and moves, and the level and the luck of
//! the computer. A line on stdout is its move, and how many microseconds it took.

use std::{
    io::{self, BufRead, Write},
    time::Instant,
};

use players::{Level, choose};
use rules::{Due, Record, kind};
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Game {
    game: String,
    setup: Box<RawValue>,
    seed: u64,
    moves: Vec<String>,
    level: u8,
    luck: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let game: Game = serde_json::from_str(&line?)?;
        let mut record = Record::start(kind(&game.game)?, game.setup.get(), game.seed)?;
        for text in &game.moves {
            let Due::One(seat) = record.due() else { return Err("nobody is due alone".into()) };
            let step = record.step(seat, text)?;
            record.take(step);
        }
        let Due::One(seat) = record.due() else { return Err("nobody is due alone".into()) };
        let start = Instant::now();
        let level = Level::new(game.level).ok_or("levels go from 1 to 10")?;
        let mv = choose(&record, seat, level, game.luck).ok_or("no move")?;
        writeln!(out, "{mv} {}", start.elapsed().as_micros())?;
        out.flush()?;
    }
    Ok(())
}
