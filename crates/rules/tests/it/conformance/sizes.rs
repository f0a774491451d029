//! Every answer within its size: whoever is told something has to read it.

use rules::{Record, Tag};

use super::{Setting, play, seats, settings};

/// In bytes, what kinds of today take at most, with some room.
const VIEW: usize = 3_000;
/// A world takes more words than a board.
const VIEW_OF_A_WORLD: usize = 10_000;
/// A thousand moves that are told one by one.
const OFFERS: usize = 6_000;
const GLIMPSE: usize = 6_000;
const REPORT: usize = 1_000;

#[test]
fn nothing_that_is_told_is_longer_than_it_may_be() {
    for setting in settings() {
        for seed in 0..3 {
            play(&setting, seed, seed + 9, 400, |record| check(&setting, record));
        }
    }
}

fn check(setting: &Setting, record: &Record) {
    let view = if setting.has(Tag::Solo) { VIEW_OF_A_WORLD } else { VIEW };
    for eye in setting.eyes() {
        within(setting, "view", record.view_json(eye).len(), view);
    }
    for seat in seats(setting.seats) {
        let offers = serde_json::to_string(&record.offers(seat)).expect("texts can be written");
        within(setting, "offers", offers.len(), OFFERS);
    }
    within(setting, "glimpse", record.glimpse().len(), GLIMPSE);
    let report = record.turns().last().and_then(|turn| turn.report.as_ref());
    within(setting, "report", report.map_or(0, String::len), REPORT);
}

fn within(setting: &Setting, what: &str, size: usize, most: usize) {
    assert!(size <= most, "{}: its {what} has {size} bytes, more than {most}", setting.kind.name);
}
