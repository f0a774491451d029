//! Looking ahead: it sees what decides the game at once, plays well enough not to be silly, and
//! knows nothing that its seat does not.

use std::collections::BTreeMap;

use rules::{Dice, Due, Eye, KINDS, Kind, Record, Seat, kind};

use crate::toys;

const PLAYOUTS: u32 = 2_000;

fn start(kind: Kind, seed: u64) -> Record {
    Record::start(kind, "{}", seed).unwrap()
}

fn push(record: &mut Record, seat: Seat, text: &str) {
    let step = record.step(seat, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    record.take(step);
}

/// Plays a game between the two and says who has won. A player without playouts moves at random.
fn winner(kind: Kind, playouts: [u32; 2], seed: u64) -> Option<Seat> {
    let mut record = start(kind, seed);
    loop {
        let seat = match record.due() {
            Due::One(seat) => seat,
            Due::Each(seats) => seats[0],
            Due::Over(outcome) => return outcome.winner(),
        };
        let text = match playouts[usize::from(seat.0)] {
            0 => {
                let offers = record.offers(seat);
                let chance = Dice::new(seed, record.next_number()).below(offers.len() as u32);
                offers[chance as usize].clone()
            }
            playouts => record.choose(seat, playouts, seed + 1000).unwrap(),
        };
        push(&mut record, seat, &text);
    }
}

#[test]
fn tic_tac_toe_is_never_lost_as_second() {
    let kind = kind("tic-tac-toe").unwrap();
    for seed in 0..25 {
        for first in [0, PLAYOUTS] {
            let winner = winner(kind, [first, PLAYOUTS], seed);
            assert_ne!(winner, Some(Seat(0)), "seed {seed}");
        }
    }
}

#[test]
fn connect_four_is_won_against_chance() {
    let kind = kind("connect-four").unwrap();
    for seed in 0..10 {
        assert_eq!(winner(kind, [0, 300], seed), Some(Seat(1)), "seed {seed}");
    }
}

#[test]
fn a_win_in_one_is_taken_and_a_loss_in_one_is_seen() {
    for (name, moves, best) in [
        ("tic-tac-toe", "a1 b1 a2 b2", vec!["a3"]),
        ("tic-tac-toe", "a1 b2 a2", vec!["a3"]),
        ("connect-four", "4 1 4 1 4 2", vec!["4"]),
        ("connect-four", "4 1 4 1 4", vec!["4"]),
        ("gomoku", "a1 a2 b1 b2 c1 c2 d1", vec!["e1"]),
        ("gomoku", "a1 a2 b1 b2 c1 c2 d1 e1 h8 d2 o15", vec!["e2"]),
        ("nim", "1:3 2:5", vec!["3:7"]),
    ] {
        let mut record = start(kind(name).unwrap(), 1);
        for text in moves.split_whitespace() {
            let Due::One(seat) = record.due() else { panic!("{moves} ends before {text}") };
            push(&mut record, seat, text);
        }
        let Due::One(seat) = record.due() else { panic!("{moves} is over") };
        for seed in 0..3 {
            let chosen = record.choose(seat, 50, seed).unwrap();
            assert!(best.contains(&chosen.as_str()), "{name} {moves}: {chosen}");
        }
    }
}

#[test]
fn whoever_holds_the_king_bets_and_whoever_holds_the_jack_folds() {
    let hand = |seed| Record::start(kind("kuhn-poker").unwrap(), r#"{"hands": 1}"#, seed).unwrap();
    for seed in 0..20 {
        let mut record = hand(seed);
        push(&mut record, Seat(0), "bet");
        let view = record.view_json(Eye::Seat(Seat(1)));
        let chosen = record.choose(Seat(1), PLAYOUTS, 5).unwrap();
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
    for kind in KINDS.iter().chain(toys::KINDS).copied().filter(|kind| kind.card.is_some()) {
        // Only games that look the same to the seat are compared.
        let mut chosen: BTreeMap<String, Option<String>> = BTreeMap::new();
        let mut again = 0;
        for seed in 0..25 {
            let record = start(kind, seed);
            let choice = record.choose(Seat(0), 16, 9);
            match chosen.insert(record.view_json(Eye::Seat(Seat(0))), choice.clone()) {
                Some(before) => {
                    assert_eq!(before, choice, "{}", kind.name);
                    again += 1;
                }
                None => continue,
            }
        }
        assert!(again > 0 || chosen.values().all(Option::is_none), "{}", kind.name);
    }
}

#[test]
fn only_who_is_due_has_a_move_to_choose() {
    let mut record = start(kind("even-odd").unwrap(), 1);
    push(&mut record, Seat(0), "3");
    assert_eq!(record.choose(Seat(0), 10, 1), None, "its move is sealed");
    assert!(record.choose(Seat(1), 10, 1).is_some());
    assert_eq!(record.choose(Seat(2), 10, 1), None);
    assert_eq!(
        start(kind("dungeon").unwrap(), 1).choose(Seat(0), 10, 1),
        None,
        "nobody guesses it"
    );
}
