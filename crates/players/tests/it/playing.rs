//! The computer sees what decides a game at once, plays well enough not to be silly, and knows
//! nothing that its seat does not.

use std::collections::BTreeMap;

use players::choose;
use rules::{Dice, Due, Eye, KINDS, Kind, Record, Seat, Tag, kind};

use crate::{at, toys};

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
        let text = match levels[usize::from(seat.0 % 2)] {
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

/// All kinds for several players but chess, which has an engine of its own.
pub fn kinds() -> impl Iterator<Item = Kind> {
    let kinds = KINDS.iter().copied().filter(|kind| kind.name != "chess");
    kinds.filter(|kind| kind.card.is_some_and(|card| !card.has(Tag::Solo)))
}

#[test]
fn a_kind_without_a_player_of_its_own_is_played_to_its_end() {
    for kind in toys::KINDS {
        winner(*kind, [2, 1], 3);
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
    for name in ["breakthrough", "connect-four", "gomoku", "hex", "othello"] {
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
        ("breakthrough", "a2a3 h7h6 a3a4 h6h5 a4a5 h5h4 a5b6 h4g3 b6a7 g3h2", vec!["a7b8"]),
        ("breakthrough", "a2a3 h7h6 a3a4 h6h5 a4a5 h5h4 a5b6 h4g3 b6a7", vec!["b8a7"]),
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
    kinds().chain(toys::KINDS.iter().copied()).for_each(check_choices);
}

#[test]
#[should_panic(expected = "chooses by what it cannot see")]
fn it_is_found_out_where_a_move_is_chosen_by_what_is_hidden() {
    check_choices(Kind::of::<toys::Boxes<{ toys::PEEKS_AT_MOVE }>>());
}

fn check_choices(kind: Kind) {
    let name = kind.name;
    for seat in (0..start(kind, 0).seats().len() as u8).map(Seat) {
        let pairs = looking_alike(kind, seat);
        let [.., last] = &pairs[..] else { panic!("{name}: no two games look alike to {seat:?}") };
        let check = |games: &[Record; 2], level| {
            let chosen = games.each_ref().map(|game| choose(game, seat, at(level), 9));
            assert!(chosen[0].is_some(), "{name}");
            assert_eq!(chosen[0], chosen[1], "{name}: level {level} chooses by what it cannot see");
        };
        pairs.iter().for_each(|pair| check(pair, 1));
        check(last, 10);
    }
}

fn texts(record: &Record) -> Vec<&str> {
    record.turns().iter().map(|turn| turn.text.as_str()).collect()
}

/// An offer, or where it is a range like `bid 0..40`, its first or its last number.
fn end(offer: &str, is_first: bool) -> String {
    match (offer.split_once(".."), offer.rsplit_once(' ')) {
        (Some((first, _)), _) if is_first => first.to_owned(),
        (Some((_, last)), Some((word, _))) => format!("{word} {last}"),
        _ => offer.to_owned(),
    }
}

/// Pairs of games with different seeds that look the same to `seat` up to now, when it is to move:
/// one at the start, and one after each of a few moves more.
fn looking_alike(kind: Kind, seat: Seat) -> Vec<[Record; 2]> {
    let view = |record: &Record| record.view_json(Eye::Seat(seat));
    let mut starts: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for seed in 0..2_000 {
        starts.entry(view(&start(kind, seed))).or_default().push(seed);
    }
    let seeds = starts.into_values().max_by_key(Vec::len).expect("a game begins somehow");
    // By how many moves were made, and what the seat has seen since the start.
    let mut games: BTreeMap<(usize, String), Vec<Record>> = BTreeMap::new();
    for seed in seeds.into_iter().take(24) {
        let (mut record, mut history) = (start(kind, seed), String::new());
        for number in 0..6 {
            history.push_str(&view(&record));
            if record.due().includes(seat) {
                let alike = games.entry((record.turns().len(), history.clone())).or_default();
                alike.push(record.copy());
            }
            let mover = match record.due() {
                Due::One(seat) => seat,
                Due::Each(seats) => seats[0],
                Due::Over(_) => break,
            };
            // Others do this or that, and the seat always the same.
            let plan = if mover == seat { 0 } else { seed % 4 };
            let offers = record.offers(mover);
            let mut dice = Dice::new(plan, number);
            let drawn = &offers[dice.below(offers.len() as u32) as usize];
            push(&mut record, mover, &end(drawn, dice.below(2) == 0));
        }
    }
    // Of those that are as long, the two whose turns differ, if any do: what was hidden differs too.
    let mut pairs: BTreeMap<usize, [Record; 2]> = BTreeMap::new();
    for ((number, _), mut alike) in games {
        alike.sort_by(|one, other| texts(one).cmp(&texts(other)));
        let (Some(last), Some(first)) = (alike.pop(), alike.into_iter().next()) else { continue };
        if !pairs.contains_key(&number) || texts(&first) != texts(&last) {
            pairs.insert(number, [first, last]);
        }
    }
    pairs.into_values().collect()
}

#[test]
fn only_who_is_due_has_a_move_to_choose() {
    let mut record = start(kind("even-odd").unwrap(), 1);
    let choose = |record: &Record, seat| choose(record, Seat(seat), at(1), 1);
    let before = choose(&record, 1);
    push(&mut record, Seat(0), "3");
    assert_eq!(choose(&record, 0), None, "its move is sealed");
    assert!(before.is_some());
    assert_eq!(choose(&record, 1), before, "whether the other's move is in makes no difference");
    assert_eq!(choose(&record, 2), None);
    assert_eq!(choose(&start(kind("dungeon").unwrap(), 1), 0), None, "nobody guesses it");
}
