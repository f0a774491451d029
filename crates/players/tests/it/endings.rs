//! Small and late positions are played as well as can be: compared with looking at every game that
//! can come of them.

use players::choose;
use rules::{Dice, Due, Record, Seat, kind};

use crate::at;

fn start(name: &str, setup: &str, seed: u64) -> Record {
    Record::start(kind(name).unwrap(), setup, seed).unwrap()
}

fn after(record: &Record, seat: Seat, text: &str) -> Record {
    let mut next = record.copy();
    let step = next.step(seat, text).unwrap();
    next.take(step);
    next
}

/// What the position is worth to `seat` with best play, by trying everything.
fn worth(record: &Record, seat: Seat) -> i32 {
    let due = match record.due() {
        Due::One(due) => due,
        Due::Each(_) => panic!("one moves at a time"),
        Due::Over(outcome) => return outcome.points[usize::from(seat.0)],
    };
    let worths = record.offers(due).into_iter().map(|mv| worth(&after(record, due, &mv), seat));
    if due == seat { worths.max().unwrap() } else { worths.min().unwrap() }
}

/// A game that the dice have played until so many moves were left at most.
fn late(name: &str, setup: &str, seed: u64, left: usize) -> Option<(Record, Seat)> {
    let mut record = start(name, setup, seed);
    let mut dice = Dice::new(seed, 1);
    loop {
        let Due::One(seat) = record.due() else { return None };
        if record.view_json(rules::Eye::Public).matches('.').count() <= left {
            return Some((record, seat));
        }
        let offers = record.offers(seat);
        let drawn = dice.below(offers.len() as u32) as usize;
        record = after(&record, seat, &offers[drawn]);
    }
}

/// The highest level throws nothing away.
fn check(name: &str, setup: &str, left: usize) {
    let mut looked = 0;
    for seed in 0..60 {
        let Some((record, seat)) = late(name, setup, seed, left) else { continue };
        let chosen = choose(&record, seat, at(10), seed).unwrap();
        let reached = worth(&after(&record, seat, &chosen), seat);
        assert_eq!(reached, worth(&record, seat), "{name}, seed {seed}: {chosen}");
        looked += 1;
    }
    assert!(looked > 10, "{looked}");
}

#[test]
fn the_end_of_othello_is_played_without_a_fault() {
    check("othello", "{}", 6);
}

#[test]
fn the_end_of_hex_is_played_without_a_fault() {
    check("hex", r#"{"size": 5}"#, 7);
}

#[test]
fn a_small_board_of_breakthrough_is_played_without_a_fault() {
    check("breakthrough", r#"{"rows": 4, "columns": 3, "opening": 4}"#, 12);
}

#[test]
fn a_small_board_of_hex_is_won_from_the_first_stone_on() {
    for luck in 0..3 {
        let mut record = start("hex", r#"{"size": 5}"#, 1);
        while let Due::One(seat) = record.due() {
            let text = choose(&record, seat, at(10), luck).unwrap();
            record = after(&record, seat, &text);
        }
        assert_eq!(record.due().outcome().unwrap().winner(), Some(Seat(0)));
    }
}
