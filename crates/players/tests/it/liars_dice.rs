//! The computer at liar's dice: it goes by its own dice and what was bid, and says nothing silly at
//! any level.

use std::collections::BTreeSet;

use players::{Level, choose, levels};
use rules::{Due, Eye, Record, Seat, kind};
use serde_json::Value;

const FACES: [&str; 6] = ["ones", "twos", "threes", "fours", "fives", "sixes"];

fn start(seats: usize, dice: usize, seed: u64) -> Record {
    let setup = format!(r#"{{"seats": {seats}, "dice": {dice}}}"#);
    Record::start(kind("liars-dice").unwrap(), &setup, seed).unwrap()
}

fn push(record: &mut Record, text: &str) {
    let step = record.step(next(record).unwrap(), text).unwrap_or_else(|e| panic!("{text}: {e}"));
    record.take(step);
}

fn next(record: &Record) -> Option<Seat> {
    match record.due() {
        Due::One(seat) => Some(seat),
        _ => None,
    }
}

fn own(record: &Record, seat: Seat) -> Vec<u64> {
    let view: Value = serde_json::from_str(&record.view_json(Eye::Seat(seat))).unwrap();
    let dice = view["dice"][usize::from(seat.0)].as_array().unwrap();
    dice.iter().map(|die| die.as_u64().expect("one's own are seen")).collect()
}

/// How many dice of a bid's face are in a hand, and how many it is on; none of liar.
fn held_of(hand: &[u64], text: &str) -> Option<(usize, usize)> {
    let (word, count) = text.split_once(" x ")?;
    let face = FACES.iter().position(|face| *face == word)? as u64 + 1;
    let held = hand.iter().filter(|die| [face, 6].contains(*die)).count();
    Some((held, count.parse().unwrap()))
}

fn all_levels() -> Vec<Level> {
    levels("liars-dice").collect()
}

/// Whoever answers this bid says liar at every level, or at none, where it is so by how many dice of
/// the bid's face they have.
#[track_caller]
fn check(seats: usize, dice: usize, bid: &str, of: impl Fn(usize) -> bool, is_liar: bool) {
    let mut looked = 0;
    for seed in 0..60 {
        let mut record = start(seats, dice, seed);
        push(&mut record, bid);
        let hand = own(&record, Seat(1));
        let (held, _) = held_of(&hand, bid).unwrap();
        if !of(held) {
            continue;
        }
        looked += 1;
        for level in all_levels() {
            let said = choose(&record, Seat(1), level, seed).unwrap();
            assert_eq!(said == "liar", is_liar, "{bid}, {hand:?}, level {}: {said}", level.get());
        }
    }
    assert!(looked > 3, "{bid}: {looked}");
}

#[test]
fn what_the_own_dice_make_impossible_is_a_lie() {
    for (seats, dice, bid) in
        [(2, 1, "ones x 2"), (2, 5, "fours x 10"), (3, 4, "fives x 12"), (6, 5, "threes x 30")]
    {
        check(seats, dice, bid, |held| held < dice, true);
    }
}

#[test]
fn what_the_own_dice_prove_is_no_lie() {
    for (seats, dice, bid, enough) in
        [(2, 2, "ones x 1", 1), (4, 5, "twos x 1", 1), (2, 5, "fours x 2", 2)]
    {
        check(seats, dice, bid, |held| held >= enough, false);
    }
}

/// The chance that so many dice have a face, or wild sixes, so often or more.
fn at_least(dice: usize, wanted: usize, chance: f64) -> f64 {
    match (dice, wanted) {
        (_, 0) => 1.0,
        (0, _) => 0.0,
        _ => {
            chance * at_least(dice - 1, wanted - 1, chance)
                + (1.0 - chance) * at_least(dice - 1, wanted, chance)
        }
    }
}

#[test]
fn nobody_bids_what_is_hardly_possible() {
    for (seats, dice, seeds) in [(2, 5, 30), (2, 1, 60), (3, 2, 30), (4, 5, 6), (6, 5, 3)] {
        for (level, seed) in
            all_levels().into_iter().flat_map(|level| (0..seeds).map(move |s| (level, s)))
        {
            let mut record = start(seats, dice, seed);
            while let Some(seat) = next(&record) {
                let hand = own(&record, seat);
                let said = choose(&record, seat, level, seed).unwrap();
                if let Some((held, count)) = held_of(&hand, &said) {
                    let face = if said.starts_with("sixes") { 1.0 / 6.0 } else { 1.0 / 3.0 };
                    let unseen = (seats - 1) * dice;
                    let chance = at_least(unseen, count.saturating_sub(held), face);
                    let level = level.get();
                    assert!(
                        chance > 0.1,
                        "level {level}, {hand:?} of {seats} seats: {said} {chance}"
                    );
                }
                push(&mut record, &said);
            }
        }
    }
}

#[test]
fn it_does_not_always_say_the_same() {
    for (level, moves) in all_levels()
        .into_iter()
        .flat_map(|level| ["", "threes x 2", "twos x 3,fives x 3"].map(|moves| (level, moves)))
    {
        let mut record = start(2, 5, 1);
        moves.split(',').filter(|text| !text.is_empty()).for_each(|text| push(&mut record, text));
        let seat = next(&record).unwrap();
        let said: BTreeSet<_> =
            (0..100).filter_map(|luck| choose(&record, seat, level, luck)).collect();
        assert!(said.len() > 1, "level {} after {moves:?}: {said:?}", level.get());
    }
}
