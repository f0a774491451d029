//! The computer sees what decides a game at once, plays well enough not to be silly, and knows
//! nothing that its seat does not.

use std::collections::BTreeMap;

use players::choose;
use rules::{Dice, Due, Eye, KINDS, Kind, Record, Seat, Tag, kind};

use crate::at;

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
            level => choose(&record, seat, at(level), seed + 1000).unwrap(),
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
            let text = choose(&record, seat, at(level), 7).expect(kind.name);
            assert_eq!(record.check(seat, &text).as_deref(), Ok(text.as_str()), "{}", kind.name);
            let again = choose(&record, seat, at(level), 7);
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
fn above_the_middle_tic_tac_toe_is_never_lost() {
    let kind = kind("tic-tac-toe").unwrap();
    let levels: Vec<_> = players::levels(kind.name).map(players::Level::get).collect();
    // Whoever asks for more than there is gets the highest.
    let above = levels.iter().copied().filter(|level| usize::from(*level) * 2 > levels.len() + 1);
    for one in above.chain([10]) {
        for (other, seed) in (0..4).flat_map(|other| (0..40).map(move |seed| (other, seed))) {
            assert_ne!(winner(kind, [one, other], seed), Some(Seat(1)), "{one} {other} {seed}");
            assert_ne!(winner(kind, [other, one], seed), Some(Seat(0)), "{other} {one} {seed}");
        }
    }
}

#[test]
fn nim_that_is_won_is_won() {
    let kind = kind("nim").unwrap();
    for seed in 0..20 {
        assert_eq!(winner(kind, [10, 10], seed), Some(Seat(0)), "3, 5 and 7 are won");
        assert_eq!(winner(kind, [6, 0], seed), Some(Seat(0)));
    }
}

#[test]
fn chance_is_beaten() {
    for name in ["connect-four", "gomoku", "hex", "othello"] {
        let kind = kind(name).unwrap();
        for seed in 0..4 {
            assert_eq!(winner(kind, [0, 10], seed), Some(Seat(1)), "{name}, seed {seed}");
        }
    }
}

#[test]
fn a_win_at_once_is_taken_and_a_loss_is_seen_coming() {
    for (name, moves, best) in [
        ("tic-tac-toe", "a1 b1 a2 b2", vec!["a3"]),
        ("tic-tac-toe", "a1 b2 a2", vec!["a3"]),
        ("connect-four", "4 1 4 1 4 2", vec!["4"]),
        ("connect-four", "4 1 4 1 4", vec!["4"]),
        // Two at the bottom with room on both sides: a third would make two threats.
        ("connect-four", "4 4 3", vec!["2", "5"]),
        ("gomoku", "a1 a2 b1 b2 c1 c2 d1", vec!["e1"]),
        ("gomoku", "a1 a2 b1 b2 c1 c2 d1 e1 h8 d2 o15", vec!["e2"]),
        // An open three must be stopped, at either end or one further.
        ("gomoku", "h8 a1 i8 b3 j8", vec!["f8", "g8", "k8", "l8"]),
        ("gomoku", "h8 a1 i8 b3 j8 o15", vec!["g8", "k8"]),
        ("nim", "1:3 2:5", vec!["3:7"]),
    ] {
        let mut record = start(kind(name).unwrap(), 1);
        for text in moves.split_whitespace() {
            let Due::One(seat) = record.due() else { panic!("{moves} ends before {text}") };
            push(&mut record, seat, text);
        }
        let Due::One(seat) = record.due() else { panic!("{moves} is over") };
        for luck in 1..=4 {
            let chosen = choose(&record, seat, at(10), luck).unwrap();
            assert!(best.contains(&chosen.as_str()), "{name} {moves}: {chosen}");
        }
    }
}

#[test]
fn whoever_holds_the_king_calls_and_whoever_holds_the_jack_folds() {
    let hand = |seed| Record::start(kind("kuhn-poker").unwrap(), r#"{"hands": 1}"#, seed).unwrap();
    for seed in 0..20 {
        let mut record = hand(seed);
        push(&mut record, Seat(0), "bet");
        let view = record.view_json(Eye::Seat(Seat(1)));
        let chosen = choose(&record, Seat(1), at(10), seed).unwrap();
        if view.contains(r#""K""#) {
            assert_eq!(chosen, "bet", "{view}");
        }
        if view.contains(r#""J""#) {
            assert_eq!(chosen, "pass", "{view}");
        }
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
            let choice = choose(&record, Seat(0), at(4), 9);
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
    let choose = |record: &Record, seat| choose(record, Seat(seat), at(1), 1);
    assert_eq!(choose(&record, 0), None, "its move is sealed");
    assert!(choose(&record, 1).is_some());
    assert_eq!(choose(&record, 2), None);
    assert_eq!(choose(&start(kind("dungeon").unwrap(), 1), 0), None, "nobody guesses it");
}

#[test]
fn a_kind_that_nobody_has_written_a_player_for_is_played_all_the_same() {
    for kind in crate::toys::KINDS {
        let mut record = start(*kind, 3);
        loop {
            let seat = match record.due() {
                Due::One(seat) => seat,
                Due::Each(seats) => seats[0],
                Due::Over(_) => break,
            };
            let text = choose(&record, seat, at(2), 5).expect(kind.name);
            push(&mut record, seat, &text);
        }
    }
}
