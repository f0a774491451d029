//! Plays games that it is told and says what the rules make of them, so that another program can
//! compare.
//!
//! A line on stdin is a game in JSON: its kind, set-up, seed and moves. A line on stdout is how it
//! stood at the start and after every move, and what each seat sees of it then.

use std::io::{self, BufRead, Write};

use rules::{Due, Eye, Record, Seat, kind};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Game {
    game: String,
    setup: Box<RawValue>,
    seed: u64,
    moves: Vec<String>,
}

#[derive(Serialize)]
struct Told {
    views: Vec<Box<RawValue>>,
    states: Vec<State>,
}

#[derive(Serialize)]
struct State {
    due: Vec<Seat>,
    /// Of each of those who are due.
    offers: Vec<Vec<String>>,
    points: Option<Vec<i32>>,
}

impl State {
    fn of(record: &Record) -> State {
        let (due, points) = match record.due() {
            Due::One(seat) => (vec![seat], None),
            Due::Each(seats) => (seats, None),
            Due::Over(outcome) => (Vec::new(), Some(outcome.points)),
        };
        let offers = due.iter().map(|seat| record.offers(*seat)).collect();
        State { due, offers, points }
    }
}

/// Each move is made by the first who is due.
fn play(game: &Game) -> Result<Told, Box<dyn std::error::Error>> {
    let mut record = Record::start(kind(&game.game)?, game.setup.get(), game.seed)?;
    let mut states = vec![State::of(&record)];
    for text in &game.moves {
        let due = &states[states.len() - 1].due;
        let seat = *due.first().ok_or_else(|| format!("{text:?} comes after the end"))?;
        let step = record.step(seat, text)?;
        record.take(step);
        states.push(State::of(&record));
    }
    let eyes = (0..record.seats().len()).map(|seat| Eye::Seat(Seat(seat as u8)));
    let views = eyes.map(|eye| RawValue::from_string(record.view_json(eye)));
    Ok(Told { views: views.collect::<Result<_, _>>()?, states })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let told = play(&serde_json::from_str(&line?)?)?;
        serde_json::to_writer(&mut out, &told)?;
        writeln!(out)?;
        out.flush()?;
    }
    Ok(())
}
