//! Every answer within its size: whoever is told something has to read it. And whoever looks up the
//! rules of a game.

use std::{fs, path::Path};

use rules::{KINDS, Record, Tag};

use super::{Setting, choices, play, seats, settings};

/// In bytes, what kinds of today take at most, with some room.
const VIEW: usize = 3_000;
/// A world takes more words than a board.
const VIEW_OF_A_WORLD: usize = 10_000;
/// A thousand moves that are told one by one.
const OFFERS: usize = 6_000;
const GLIMPSE: usize = 6_000;
/// A board of 19 by 19 with a stone on every point, which is the largest that can be asked for.
const LARGEST_GLIMPSE: usize = 14_000;
const REPORT: usize = 1_000;
const REVEALED: usize = 200;

/// A new game is one file of so many lines.
const LINES: usize = 250;
/// These came before that was said, and take a folder each.
const LARGE: [&str; 3] = ["chess", "dungeon", "league"];

#[test]
fn nothing_that_is_told_is_longer_than_it_may_be() {
    for setting in settings() {
        for seed in 0..3 {
            play(&setting, seed, seed + 9, 400, |record| check(&setting, record, GLIMPSE));
        }
    }
}

#[test]
fn the_largest_game_that_can_be_set_up_is_within_the_sizes() {
    for setting in choices::largest() {
        play(&setting, 1, 9, 400, |record| check(&setting, record, LARGEST_GLIMPSE));
    }
}

fn check(setting: &Setting, record: &Record, glimpse: usize) {
    let view = if setting.has(Tag::Solo) { VIEW_OF_A_WORLD } else { VIEW };
    for eye in setting.eyes() {
        within(setting, "view", record.view_json(eye).len(), view);
    }
    for seat in seats(setting.seats) {
        let offers = serde_json::to_string(&record.offers(seat)).expect("texts can be written");
        within(setting, "offers", offers.len(), OFFERS);
    }
    within(setting, "glimpse", record.glimpse().len(), glimpse);
    let report = record.turns().last().and_then(|turn| turn.report.as_ref());
    let revealed = record.revealed().iter().map(|(_, text)| text.len()).max();
    within(setting, "revealed", revealed.unwrap_or_default(), REVEALED);
    within(setting, "report", report.map_or(0, String::len), REPORT);
}

fn within(setting: &Setting, what: &str, size: usize, most: usize) {
    assert!(
        size <= most,
        "{} {}: its {what} has {size} bytes, more than {most}",
        setting.kind.name,
        setting.setup
    );
}

#[test]
fn the_rules_of_a_game_are_one_short_file() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |file: &Path| fs::read_to_string(file).unwrap_or_else(|e| panic!("{file:?}: {e}"));
    let library = read(&source.join("lib.rs"));
    let listed = library.lines().filter_map(|line| line.trim().strip_prefix("Kind::of::<"));
    let files: Vec<_> = listed.map(|kind| kind.split("::").next().unwrap_or(kind)).collect();
    assert_eq!(files.len(), KINDS.len(), "each kind is one line where they are listed");
    for file in files.iter().filter(|file| !LARGE.contains(file)) {
        let lines = read(&source.join(format!("{file}.rs"))).lines().count();
        assert!(lines <= LINES, "{file}.rs has {lines} lines, more than {LINES}");
        assert!(!source.join(file).exists(), "{file} has a folder beside its file");
    }
}
