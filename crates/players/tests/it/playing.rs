//! The computer sees what decides a game at once, plays well enough not to be silly, and knows
//! nothing that its seat does not.

use std::collections::BTreeMap;

use players::{Level, choose};
use rules::{Dice, Due, Eye, KINDS, Kind, Record, Seat, Tag, kind};

fn start(kind: Kind, seed: u64) -> Record {
    Record::start(kind, "{}", seed).unwrap()
}

fn push(record: &mut Record, seat: Seat, text: &str) {
    let step = record.step(seat, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    record.take(step);
}

/// Plays a game between the two and says who has won. Who has no level moves at random.
fn winner(kind: Kind, levels: [u8; 2], seed: u64) -> Option<Seat> {
    let mut record = start(kind, seed);
    loop {
        let seat = match record.due() {
            Due::One(seat) => seat,
            Due::Each(seats) => seats[0],
            Due::Over(outcome) => return outcome.winner(),
        };
        let text = match levels[usize::from(seat.0)] {
            0 => {
                let offers = record.offers(seat);
                let chance = Dice::new(seed, record.next_number()).below(offers.len() as u32);
                offers[chance as usize].clone()
            }
            level => choose(&record, seat, Level::new(level), seed + 1000).unwrap(),
        };
        push(&mut record, seat, &text);
    }
}

/// All kinds that more than one plays and chess has no engine for.
fn kinds() -> impl Iterator<Item = Kind> {
    let kinds = KINDS.iter().copied().filter(|kind| kind.name != "chess");
    kinds.filter(|kind| kind.card.is_some_and(|card| !card.has(Tag::Solo)))
}

#[test]
fn a_computer_plays_every_kind_at_every_level() {
    for kind in kinds() {
        for level in [1, 5, 10] {
            let record = start(kind, 1);
            let seat = Seat(0);
            let text = choose(&record, seat, Level::new(level), 7).expect(kind.name);
            assert_eq!(record.check(seat, &text).as_deref(), Ok(text.as_str()), "{}", kind.name);
            let again = choose(&record, seat, Level::new(level), 7);
            assert_eq!(again, Some(text), "{}: the same dice, the same move", kind.name);
        }
    }
}

#[test]
fn a_computer_plays_every_kind_to_its_end() {
    for kind in kinds() {
        winner(kind, [2, 1], 3);
    }
}

#[test]
fn the_same_move_is_chosen_whatever_is_hidden_and_whatever_comes() {
    for kind in kinds() {
        // Only games that look the same to the seat are compared.
        let mut chosen: BTreeMap<String, Option<String>> = BTreeMap::new();
        let mut again = 0;
        for seed in 0..25 {
            let record = start(kind, seed);
            let choice = choose(&record, Seat(0), Level::new(4), 9);
            match chosen.insert(record.view_json(Eye::Seat(Seat(0))), choice.clone()) {
                Some(before) => {
                    assert_eq!(before, choice, "{}", kind.name);
                    again += 1;
                }
                None => continue,
            }
        }
        assert!(again > 0, "{}", kind.name);
    }
}

#[test]
fn only_who_is_due_has_a_move_to_choose() {
    let mut record = start(kind("even-odd").unwrap(), 1);
    push(&mut record, Seat(0), "3");
    let choose = |record: &Record, seat| choose(record, Seat(seat), Level::new(1), 1);
    assert_eq!(choose(&record, 0), None, "its move is sealed");
    assert!(choose(&record, 1).is_some());
    assert_eq!(choose(&record, 2), None);
    assert_eq!(choose(&start(kind("dungeon").unwrap(), 1), 0), None, "nobody guesses it");
}
