//! Secrets: nothing that a seat is told depends on what is hidden from it, and a guess of what is
//! hidden does not either.
//!
//! That a move is told, or that a guess peeks, is shown to be found out, by games that get one thing
//! wrong.

use std::collections::{BTreeMap, BTreeSet};

use rules::{Dice, Due, Eye, Guess, Kind, Record, Seat, Tag};
use serde_json::Value;

use super::{
    LONGEST, Setting, TEXTS, any_due, any_move, expand, json, play, push, seats, seen, settings,
};
use crate::toys::{self, Boxes};

/// So often a guess is drawn where each is played to its end.
const FEW_DRAWS: u64 = 8;
/// So often, that whatever is possible is drawn if it is one of `FEW`.
const MANY_DRAWS: u64 = 80;
const FEW: usize = 10;

/// Every kind where more than one plays.
fn shared() -> impl Iterator<Item = Setting> {
    settings().into_iter().filter(|setting| !setting.has(Tag::Solo))
}

/// Those where somebody knows what another does not.
fn hidden() -> impl Iterator<Item = Setting> {
    shared().filter(|setting| setting.has(Tag::Hidden))
}

#[test]
fn no_move_is_told_before_the_view_tells_it() {
    shared().for_each(|setting| check_moves(&setting));
}

#[test]
fn a_guess_looks_like_the_game() {
    hidden().for_each(|setting| check_looks(&setting));
}

#[test]
fn a_guess_does_not_depend_on_what_is_hidden() {
    hidden().for_each(|setting| check_guesses(&setting));
}

#[test]
fn a_guess_knows_nothing_that_is_dealt_to_another() {
    hidden().for_each(|setting| check_deals(&setting));
}

fn wrong<const FAULT: u8>() -> Setting {
    Setting { kind: Kind::of::<Boxes<FAULT>>(), seats: 2, setup: "{}".to_owned() }
}

#[test]
#[should_panic(expected = "depends on another's move")]
fn it_is_found_out_where_secret_moves_are_told() {
    check_moves(&wrong::<{ toys::TELLS_MOVES }>());
}

#[test]
#[should_panic(expected = "depends on another's move")]
fn it_is_found_out_where_a_report_tells_a_secret() {
    check_moves(&wrong::<{ toys::TELLS_IN_REPORT }>());
}

#[test]
#[should_panic(expected = "looks different")]
fn it_is_found_out_where_a_glimpse_tells_a_secret() {
    check_looks(&wrong::<{ toys::TELLS_IN_GLIMPSE }>());
}

#[test]
#[should_panic(expected = "looks different")]
fn it_is_found_out_where_what_is_revealed_tells_a_secret() {
    check_looks(&wrong::<{ toys::REVEALS_TOO_MUCH }>());
}

#[test]
#[should_panic(expected = "a guess knows another's move")]
fn it_is_found_out_where_a_guess_peeks_at_a_move() {
    check_moves(&wrong::<{ toys::PEEKS_AT_MOVE }>());
}

#[test]
#[should_panic(expected = "keeps what is dealt")]
fn it_is_found_out_where_a_guess_keeps_what_was_dealt() {
    check_deals(&wrong::<{ toys::PEEKS_AT_CHANCE }>());
}

#[test]
#[should_panic(expected = "a guess knows the secret")]
fn it_is_found_out_where_a_guess_is_made_from_the_secret() {
    check_guesses(&wrong::<{ toys::PEEKS_A_LITTLE }>());
}

/// The same game twice, but for the moves of the others. As long as it looks the same to a seat, all
/// that the seat is told is the same, and so is what it guesses.
fn check_moves(setting: &Setting) {
    let name = setting.kind.name;
    for (seat, seed) in seats(setting.seats).flat_map(|seat| (0..4).map(move |seed| (seat, seed))) {
        let eye = Eye::Seat(seat);
        let mut games = [setting.start(seed), setting.start(seed)];
        for number in 1..30 {
            let Some(mover) = any_due(&games[0], &mut Dice::new(1, number)) else { break };
            for (game, plan) in games.iter_mut().zip([2, 3]) {
                let plan = if mover == seat { 4 } else { plan };
                let text = any_move(game, mover, &mut Dice::new(plan, number));
                push(game, mover, &text);
            }
            let [one, other] = &games;
            let is_over = games.iter().any(|game| game.due().outcome().is_some());
            if is_over || one.view_json(eye) != other.view_json(eye) {
                break;
            }
            let (told, otherwise) = (seen(one, eye), seen(other, eye));
            assert_eq!(told, otherwise, "{name}: what {seat:?} is told depends on another's move");
            if setting.has(Tag::Hidden) {
                let fates = [one, other].map(|game| fates(setting, game, seat));
                assert_eq!(fates[0], fates[1], "{name}: a guess knows another's move");
            }
        }
    }
}

/// A guess differs from the game in nothing but what the seat has not seen, so whatever is told to the
/// seat, or to everybody, must be the same in both. And something must be hidden.
fn check_looks(setting: &Setting) {
    let name = setting.kind.name;
    let mut is_anything_hidden = false;
    for seed in 0..20 {
        play(setting, seed, 11, 8, |record| {
            for seat in seats(setting.seats) {
                for draw in 0..FEW_DRAWS {
                    check_look(record, seat, &guess(record, seat, draw));
                }
                let fates: BTreeSet<_> = fates(setting, record, seat).into_iter().collect();
                is_anything_hidden = is_anything_hidden || fates.len() > 1;
            }
        });
    }
    assert!(is_anything_hidden, "{name} says that something is hidden, but no guess varies");
}

fn check_look(record: &Record, seat: Seat, guess: &Guess) {
    let wrong = format!("{}: a guess of {seat:?} looks different", record.kind().name);
    for eye in [Eye::Seat(seat), Eye::Public] {
        assert_eq!(guess.view_json(eye), record.view_json(eye), "{wrong}");
        // Who is in already is no secret, and stands beside the position.
        if guess.due() == record.due() {
            assert_eq!(json(&guess.show(eye)), json(&record.show(eye)), "{wrong}");
        }
        let turns = record.turns_seen(eye);
        let guessed = turns.map(|told| {
            let turn = &record.turns()[told.number as usize - 1];
            (told.into_owned(), guess.turn_seen(turn, eye).into_owned())
        });
        guessed.for_each(|(told, guessed)| assert_eq!(told, guessed, "{wrong}"));
    }
    // A sealed move that waits for the others stands beside the position, too.
    if guess.due() == record.due() {
        let last = record.turns().len() as u32;
        let revealed = record.revealed().iter().find(|(turn, _)| *turn == last);
        assert_eq!(guess.revealed().as_ref(), revealed.map(|(_, text)| text), "{wrong}");
    }
    if let Some(glimpse) = guess.glimpse() {
        assert_eq!(glimpse, record.glimpse(), "{wrong}");
    }
    if record.due().includes(seat) {
        assert_eq!(guess.offers(seat), record.offers(seat), "{wrong}");
        for text in TEXTS {
            assert_eq!(guess.check(seat, text), record.check(seat, text), "{wrong}: {text:?}");
        }
    }
}

/// Games that look the same to one seat up to now.
#[derive(Default)]
struct Alike {
    /// What is seen by anybody in any of these games.
    truths: BTreeMap<String, BTreeSet<String>>,
    /// The same in each of the seat's guesses.
    guesses: BTreeMap<String, BTreeSet<String>>,
    fates: Option<Vec<String>>,
}

/// From the same dice comes the same guess, whatever the secret is: guessed from a guess, and in
/// another game that looks the same. Where there are few secrets, over many draws each is hit upon.
fn check_guesses(setting: &Setting) {
    let name = setting.kind.name;
    let mut games: BTreeMap<(Seat, String), Alike> = BTreeMap::new();
    for seed in 0..20 {
        let mut histories = vec![String::new(); setting.seats];
        play(setting, seed, 11, 8, |record| {
            for (seat, history) in seats(setting.seats).zip(&mut histories) {
                history.push_str(&seen(record, Eye::Seat(seat)));
                let fates = fates(setting, record, seat);
                let other = guess(record, seat, MANY_DRAWS);
                for (draw, fate) in (0..).zip(&fates) {
                    let again = other.again(seat, &mut Dice::new(draw, 0));
                    let again = self::fate(setting, again.expect("a guess can be guessed from"));
                    assert_eq!(*fate, again, "{name}: a guess knows the secret");
                }
                let alike = games.entry((seat, history.clone())).or_default();
                match &alike.fates {
                    Some(before) => {
                        assert_eq!(*before, fates, "{name}: a guess knows the secret");
                    }
                    None => {
                        alike.fates = Some(fates);
                        for draw in 0..MANY_DRAWS {
                            let guess = guess(record, seat, draw);
                            note(setting, &mut alike.guesses, |eye| guess.view_json(eye));
                        }
                    }
                }
                note(setting, &mut alike.truths, |eye| record.view_json(eye));
            }
        });
    }
    for ((seat, _), alike) in games {
        for (eye, guessed) in alike.guesses.iter().filter(|(_, guessed)| guessed.len() <= FEW) {
            let missed: Vec<_> = alike.truths[eye].difference(guessed).collect();
            assert!(missed.is_empty(), "{name}: {seat:?} never guesses {missed:#?}");
        }
    }
}

/// Adds what everybody sees.
fn note(
    setting: &Setting,
    views: &mut BTreeMap<String, BTreeSet<String>>,
    view: impl Fn(Eye) -> String,
) {
    for eye in setting.eyes() {
        views.entry(format!("{eye:?}")).or_default().insert(view(eye));
    }
}

/// What only one seat knows, a guess of another's does not keep. What one knows alone is what differs
/// between games that look the same to the public; it is looked for in every number and word of the
/// view.
fn check_deals(setting: &Setting) {
    let mut dealt: BTreeMap<(String, Seat, String), BTreeSet<String>> = BTreeMap::new();
    let mut unseen = BTreeSet::new();
    let mut varied = BTreeSet::new();
    for seed in 0..20 {
        let mut public = String::new();
        play(setting, seed, 11, 8, |record| {
            public.push_str(&record.view_json(Eye::Public));
            let known = |seat| leaves(&record.view_json(Eye::Seat(seat)));
            for other in seats(setting.seats) {
                for (path, leaf) in known(other) {
                    dealt.entry((public.clone(), other, path)).or_default().insert(leaf);
                }
            }
            for (seat, other) in pairs(setting.seats) {
                let (own, truth) = (known(seat), known(other));
                let hidden = truth.iter().filter(|(path, leaf)| own.get(*path) != Some(leaf));
                unseen.extend(hidden.map(|(path, _)| (seat, other, path.clone())));
                for draw in 0..FEW_DRAWS {
                    let guessed = leaves(&guess(record, seat, draw).view_json(Eye::Seat(other)));
                    let differing =
                        truth.iter().filter(|(path, leaf)| guessed.get(*path) != Some(leaf));
                    varied.extend(differing.map(|(path, _)| (seat, other, path.clone())));
                }
            }
        });
    }
    let secrets = dealt.into_iter().filter(|(_, leaves)| leaves.len() > 1);
    let secrets: BTreeSet<_> = secrets.map(|((_, other, path), _)| (other, path)).collect();
    let is_secret =
        |(_, other, path): &&(Seat, Seat, String)| secrets.contains(&(*other, path.clone()));
    let kept: Vec<_> = unseen.difference(&varied).filter(is_secret).collect();
    assert!(kept.is_empty(), "{}: a guess keeps what is dealt: {kept:?}", setting.kind.name);
}

/// Everybody and everybody else.
fn pairs(number: usize) -> impl Iterator<Item = (Seat, Seat)> {
    let all = seats(number).flat_map(move |seat| seats(number).map(move |other| (seat, other)));
    all.filter(|(seat, other)| seat != other)
}

/// Every number and word in a view, by where it stands.
fn leaves(view: &str) -> BTreeMap<String, String> {
    fn add(path: String, value: &Value, leaves: &mut BTreeMap<String, String>) {
        match value {
            Value::Array(values) => {
                for (at, value) in values.iter().enumerate() {
                    add(format!("{path}/{at}"), value, leaves);
                }
            }
            Value::Object(values) => {
                for (key, value) in values {
                    add(format!("{path}/{key}"), value, leaves);
                }
            }
            leaf => {
                leaves.insert(path, leaf.to_string());
            }
        }
    }
    let mut leaves = BTreeMap::new();
    add(String::new(), &serde_json::from_str(view).expect("a view is JSON"), &mut leaves);
    leaves
}

fn guess(record: &Record, seat: Seat, draw: u64) -> Guess {
    record.guess(seat, &mut Dice::new(draw, 0)).expect("what is hidden from a seat can be guessed")
}

/// What becomes of a few guesses of this seat.
fn fates(setting: &Setting, record: &Record, seat: Seat) -> Vec<String> {
    (0..FEW_DRAWS).map(|draw| fate(setting, guess(record, seat, draw))).collect()
}

/// What everybody sees in a guess, and in the end, if everybody makes the first move that is offered
/// and the same dice fall: it tells what nobody sees yet.
fn fate(setting: &Setting, mut guess: Guess) -> String {
    let views = |guess: &Guess| {
        setting.eyes().into_iter().map(|eye| guess.view_json(eye)).collect::<Vec<_>>()
    };
    let now = views(&guess);
    for turn in 0..LONGEST as u32 {
        let due = match guess.due() {
            Due::One(seat) => vec![seat],
            Due::Each(seats) => seats,
            Due::Over(_) => break,
        };
        let first = |seat: &Seat| (*seat, expand(&guess.offers(*seat)[0])[0].clone());
        let moves: Vec<_> = due.iter().map(first).collect();
        guess.play(&moves, &mut Dice::new(1, turn)).expect("what is offered can be played");
    }
    format!("{now:?} {:?}", views(&guess))
}
