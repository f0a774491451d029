//! What can be chosen when a game is created: what the card lists, no more and no less, and nothing
//! that makes a game too large to be told.

use std::collections::BTreeSet;

use rules::{Glimpse, KINDS, Key, Kind, Record};
use serde_json::{Map, Value, json};

use super::{Setting, settings};

/// No key takes a number as large as this, nor a list as long.
const UNBOUNDED: u32 = 1_000;

fn kinds() -> impl Iterator<Item = Kind> {
    super::kinds().map(|(kind, _)| kind)
}

/// Whether it has rooms and pages of its own, which write its set-ups and show its positions: lists
/// then show of it what only these understand.
pub(super) fn has_pages_of_its_own(kind: Kind) -> bool {
    let record = Record::start(kind, "{}", 1).expect("a set-up may leave out everything");
    serde_json::from_str::<Glimpse>(&record.glimpse()).is_err()
}

fn card_keys(kind: Kind) -> &'static [Key] {
    kind.card.expect("only kinds with a card are checked").keys
}

fn can_start(kind: Kind, setup: &Map<String, Value>) -> bool {
    Record::start(kind, &Value::Object(setup.clone()).to_string(), 1).is_ok()
}

#[test]
fn the_card_lists_the_keys_of_the_set_up() {
    for kind in kinds() {
        let listed: BTreeSet<_> = card_keys(kind).iter().map(|key| key.name).collect();
        let read: BTreeSet<_> = kind.setup_keys().iter().copied().collect();
        assert!(listed.is_subset(&read), "{}: of {listed:?}, only {read:?} are read", kind.name);
        let mut chosen: BTreeSet<_> = kind.choices().map(|key| key.name).collect();
        // It is no part of the set-up.
        chosen.remove("seed");
        assert!(chosen.is_subset(&read), "{}: of {chosen:?}, only {read:?} are read", kind.name);
        // What else there is, rooms of its own choose.
        if !has_pages_of_its_own(kind) {
            assert_eq!(listed, read, "{}: its card and its set-up differ", kind.name);
        }
    }
}

#[test]
fn a_key_that_the_card_does_not_list_is_refused() {
    for kind in kinds().filter(|kind| !has_pages_of_its_own(*kind)) {
        for value in [json!(null), json!(1), json!("made up")] {
            let setup = json!({ "made_up": value }).to_string();
            let said = Record::start(kind, &setup, 1).map(|_| ()).map_err(|why| why.to_string());
            let refused = Err("the set-up has no key \"made_up\"".to_owned());
            assert_eq!(said, refused, "{}: {setup}", kind.name);
        }
    }
}

#[test]
fn every_key_has_a_value_that_will_do_and_ones_that_are_too_large() {
    for kind in kinds().filter(|kind| !has_pages_of_its_own(*kind)) {
        for key in card_keys(kind) {
            let alone = |value| Map::from_iter([(key.name.to_owned(), value)]);
            let choices = choices(kind, &Map::new(), key);
            assert!(!choices.is_empty(), "{}: what can {} be?", kind.name, key.name);
            for number in [UNBOUNDED, u32::MAX] {
                for value in [json!(number), json!([number]), json!(vec![1; UNBOUNDED as usize])] {
                    assert!(
                        !can_start(kind, &alone(value)),
                        "{}: {} takes numbers or lists without bound",
                        kind.name,
                        key.name
                    );
                }
            }
        }
    }
}

/// The set-ups with the most in them: each key as large as it may be, given those before it, whichever
/// comes first.
pub(super) fn largest() -> Vec<Setting> {
    let kinds = kinds().filter(|kind| !has_pages_of_its_own(*kind));
    kinds.flat_map(|kind| largest_of(kind).into_iter().map(move |setup| of(kind, setup))).collect()
}

fn of(kind: Kind, setup: Map<String, Value>) -> Setting {
    let setup = Value::Object(setup).to_string();
    let seats = kind.names(&setup).expect("it was tried").len();
    Setting { kind, seats, setup }
}

fn largest_of(kind: Kind) -> Vec<Map<String, Value>> {
    let keys: Vec<_> = card_keys(kind).iter().collect();
    let backwards: Vec<_> = keys.iter().rev().copied().collect();
    [keys, backwards].iter().flat_map(|keys| largest_by(kind, keys)).collect()
}

fn largest_by(kind: Kind, keys: &[&Key]) -> Vec<Map<String, Value>> {
    let mut setups = vec![Map::new()];
    for key in keys {
        setups = setups.into_iter().flat_map(|setup| with_key(kind, setup, key)).collect();
    }
    setups
}

/// The set-up as it is, where no value of this key goes with it.
fn with_key(kind: Kind, setup: Map<String, Value>, key: &Key) -> Vec<Map<String, Value>> {
    let choices = choices(kind, &setup, key);
    if choices.is_empty() {
        return vec![setup];
    }
    choices.into_iter().map(|value| with(&setup, key, value)).collect()
}

fn with(setup: &Map<String, Value>, key: &Key, value: Value) -> Map<String, Value> {
    let mut setup = setup.clone();
    setup.insert(key.name.to_owned(), value);
    setup
}

/// The largest number that will do, or the longest list of the largest, or true, or whichever words
/// of what the card says of the key.
fn choices(kind: Kind, setup: &Map<String, Value>, key: &Key) -> Vec<Value> {
    let will_do = |value: &Value| can_start(kind, &with(setup, key, value.clone()));
    let numbers = || (0..UNBOUNDED).rev();
    let number = numbers().map(|number| json!(number)).find(will_do);
    let list = || {
        let most = numbers().find(|number| will_do(&json!([number])))?;
        (1..100).rev().map(|long| json!(vec![most; long])).find(will_do)
    };
    let is_true = || Some(json!(true)).filter(will_do);
    if let Some(value) = number.or_else(list).or_else(is_true) {
        return vec![value];
    }
    let words = key.about.split(|c: char| !c.is_alphanumeric() && c != '-');
    let words: BTreeSet<_> = words.filter(|word| !word.is_empty()).collect();
    words.into_iter().map(|word| json!(word)).filter(will_do).collect()
}

#[test]
fn every_kind_that_people_sit_down_to_is_shown() {
    let is_listed = |setting: &Setting| KINDS.iter().any(|kind| kind.name == setting.kind.name);
    for setting in settings().iter().filter(|setting| is_listed(setting)) {
        let is_drawn_elsewhere = has_pages_of_its_own(setting.kind);
        // A league tells it by the words.
        if is_drawn_elsewhere && setting.seats == 1 {
            continue;
        }
        super::play(setting, 7, 8, 250, |record| {
            for eye in setting.eyes() {
                let shown = record.show(eye);
                let is_shown =
                    !shown.text.is_empty() && (is_drawn_elsewhere || !shown.drawing.is_empty());
                assert!(is_shown, "{} shows nothing to {eye:?}", setting.kind.name);
            }
        });
    }
}
