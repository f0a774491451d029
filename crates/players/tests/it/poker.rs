//! The values of small poker games are known, and so is what an answer to our play could win.

use players::{Solution, choose, levels};
use rules::{Due, Record, kind};

use crate::at;

#[test]
fn kuhn_poker_is_worth_an_eighteenth_to_the_second() {
    let solution = Solution::of_kuhn(at(10));
    assert!((solution.value() + 1.0 / 18.0).abs() < 1e-4, "{}", solution.value());
    assert!(solution.exploitability() < 1e-3, "{}", solution.exploitability());
}

#[test]
fn leduc_poker_is_worth_as_much_as_is_known() {
    let solution = Solution::of_leduc(at(10));
    assert!((solution.value() + 0.085_606).abs() < 2e-3, "{}", solution.value());
    assert!(solution.exploitability() < 0.05, "{}", solution.exploitability());
}

#[test]
fn higher_levels_are_harder_to_exploit() {
    for (kind, of) in
        [("kuhn-poker", Solution::of_kuhn as fn(_) -> _), ("leduc-poker", Solution::of_leduc)]
    {
        let lost: Vec<_> = levels(kind).map(|level| of(level).exploitability()).collect();
        assert!(lost.is_sorted_by(|worse, better| worse * 0.8 > *better), "{kind}: {lost:?}");
    }
}

/// The points of two levels in a game whose cards are dealt from `seed`.
fn points(levels: [u8; 2], seed: u64) -> [f64; 2] {
    let mut record = Record::start(kind("leduc-poker").unwrap(), "{}", seed).unwrap();
    loop {
        let seat = match record.due() {
            Due::One(seat) => seat,
            Due::Each(_) => panic!("one moves at a time"),
            Due::Over(outcome) => return [0, 1].map(|seat| f64::from(outcome.points[seat])),
        };
        let text = choose(&record, seat, at(levels[usize::from(seat.0)]), seed + 7_000).unwrap();
        let step = record.step(seat, &text).unwrap();
        record.take(step);
    }
}

fn variance(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}

/// The standard error of a level's lead over a similar one is at most 0.7 of that over independent
/// deals if both play each deal in both seats.
#[test]
fn the_same_deal_in_both_seats_cancels_much_of_the_luck() {
    for levels in [[9, 8], [9, 7]] {
        let swapped = [levels[1], levels[0]];
        let of_pair = |seed| (points(levels, seed)[0] + points(swapped, seed)[1]) / 2.0;
        let single = |seed| {
            if seed % 2 == 0 { points(levels, seed)[0] } else { points(swapped, seed)[1] }
        };
        let pairs: Vec<_> = (0..500).map(of_pair).collect();
        let singles: Vec<_> = (2_000..3_000).map(single).collect();
        let ratio = (variance(&pairs) * 2.0 / variance(&singles)).sqrt();
        assert!(ratio <= 0.7, "{levels:?}: {ratio}");
    }
}
