//! Parity: two words, one number.

use proptest::{prelude::*, sample::select};
use rules::{
    Eye, Illegal, Record, Turn, kind,
    parity::{self, A, B, EvenOrOdd, Parity, View},
};

fn record(seed: u64) -> Record {
    Record::start(kind("parity").unwrap(), "{}", seed).unwrap()
}

fn view(record: &Record) -> View {
    record.view::<Parity>(Eye::Public).unwrap()
}

fn played(seed: u64, a: &str, b: &str) -> Record {
    let mut record = record(seed);
    record.push(Turn::new(1, B, b)).unwrap();
    record.push(Turn::new(2, A, a)).unwrap();
    record
}

/// A seed with which this number is drawn.
fn seed_of(number: u8) -> u64 {
    (0..1000).find(|seed| parity::drawn(*seed) == number).unwrap()
}

fn check(drawn: u8, a: &str, b: &str, outcome: &str, points: [u8; 2]) {
    let record = played(seed_of(drawn), a, b);
    let over = record.due().outcome().cloned().unwrap();
    assert_eq!(over.text, outcome, "{a} {b}");
    let view = view(&record);
    assert_eq!((view.match_points, view.winner), (Some(points), over.winner()), "{a} {b}");
    assert_eq!(view.drawn_number, Some(drawn));
    assert_eq!(view.number_parity, Some([EvenOrOdd::Even, EvenOrOdd::Odd][usize::from(drawn % 2)]));
    assert_eq!(view.verdict().unwrap().points(), points);
    assert!(matches!(record.check(A, "even"), Err(Illegal::Over(_))));
}

#[test]
fn who_alone_was_right_wins() {
    check(4, "even", "odd", "A wins: 4 was drawn", [3, 0]);
    check(4, "odd", "even", "B wins: 4 was drawn", [0, 3]);
    check(7, "even", "odd", "B wins: 7 was drawn", [0, 3]);
    check(10, "even", "even", "Draw: 10 was drawn", [1, 1]);
    check(1, "even", "even", "Draw: 1 was drawn", [1, 1]);
    check(4, "even", "default", "A wins by forfeit", [3, 0]);
    check(4, "odd", "default", "A wins by forfeit", [3, 0]);
    check(4, "default", "odd", "B wins by forfeit", [0, 3]);
    check(4, "default", "default", "Double forfeit", [0, 0]);
}

#[test]
fn the_view_speaks_the_words_of_the_wire() {
    let written = serde_json::to_value(view(&played(seed_of(8), "even", "default"))).unwrap();
    let expected = r#"{"choices":["even",null],"drawn_number":8,"number_parity":"even",
        "winner":0,"forfeited":[1],"match_points":[3,0]}"#;
    assert_eq!(written, serde_json::from_str::<serde_json::Value>(expected).unwrap());
}

#[test]
fn only_even_and_odd_are_choices() {
    for text in ["", "Even", "ODD", "even ", "2", "\"even\"", "both"] {
        let Err(Illegal::Rule { options, .. }) = record(1).check(A, text) else { panic!("{text}") };
        assert_eq!(options, ["even", "odd"]);
    }
}

#[test]
fn every_number_is_drawn_about_as_often() {
    let mut drawn = [0; 10];
    (0..10_000).for_each(|seed| drawn[usize::from(parity::drawn(seed)) - 1] += 1);
    assert!(drawn.iter().all(|n| (900..1100).contains(n)), "{drawn:?}");
}

proptest! {
    #[test]
    fn the_draw_depends_on_nobody(
        seed: u64,
        moves in [select(vec!["even", "odd", "default"]), select(vec!["even", "odd", "default"])],
    ) {
        let mut other = record(seed);
        other.push(Turn::new(1, A, moves[0])).unwrap();
        other.push(Turn::new(2, B, moves[1])).unwrap();
        let seen = view(&played(seed, moves[0], moves[1]));
        prop_assert_eq!(&seen, &view(&other), "whoever was first");
        prop_assert_eq!(seen.drawn_number, Some(parity::drawn(seed)));
    }
}
