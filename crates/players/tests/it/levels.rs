//! Levels are told apart: what was measured of them is in order, and still true of those that play.

use players::{
    Found, Level, Measured, Strength, fingerprint, graded, levels, measured, nearest, strength,
};
use rules::KINDS;

#[test]
fn every_level_is_measured() {
    for kind in graded() {
        for level in levels(kind.name) {
            let strength = strength(&kind, level);
            assert!(matches!(strength, Strength::Found(_)), "{} {}", kind.name, level.get());
        }
        assert_eq!(measured(kind.name).len(), levels(kind.name).count(), "{}", kind.name);
    }
}

#[test]
fn levels_are_in_order_and_no_step_is_smaller_than_its_error() {
    for kind in graded() {
        let mut most = f64::INFINITY;
        for row in measured(kind.name) {
            let level = format!("{}, level {}", kind.name, row.level.get());
            match row.found {
                Found::Rating { step, step_error, .. } => {
                    assert!(step > step_error, "{level}: {step} ±{step_error}");
                }
                Found::Chips { lost, .. } => {
                    assert!(lost < most, "{level}: {lost}");
                    most = lost;
                }
            }
        }
    }
}

#[test]
fn what_was_measured_is_what_plays() {
    let rows =
        graded().flat_map(|kind| measured(kind.name).into_iter().map(move |row| (kind, row)));
    let changed: Vec<_> = rows
        .filter_map(|(kind, row)| {
            let now = fingerprint(kind, row.level);
            let row_now = Measured { fingerprint: now, ..row };
            (now != row.fingerprint).then(|| format!("{} {}", kind.name, row_now.write()))
        })
        .collect();
    assert!(changed.is_empty(), "these play otherwise now, see make calibrate: {changed:#?}");
}

#[test]
fn whoever_asks_for_more_than_there_is_gets_the_highest() {
    let level = |number| Level::new(number).unwrap();
    for kind in KINDS.iter() {
        let most = levels(kind.name).count() as u8;
        for number in 1..=10 {
            assert_eq!(nearest(kind.name, level(number)).get(), number.min(most), "{}", kind.name);
        }
    }
    assert_eq!(levels("parity").count(), 1, "nobody can tell what the other will do");
    assert_eq!(levels("a kind of somebody else's").count(), 10);
}
