//! The arithmetic of `make calibrate`, which nobody would see fail.

#[path = "../../examples/levels/ratings.rs"]
#[expect(dead_code, reason = "who calibrates says how sure it is, and how many games were drawn")]
mod ratings;

use ratings::{Results, SCALE, Score, likeliest, slope_and_curve, unknown};

fn score(halves: u32, games: u32) -> Score {
    Score { halves, games, ..Score::default() }
}

/// Player 0 is rated 100; nobody else is rated.
fn known(who: u8) -> Option<f64> {
    (who == 0).then_some(100.0)
}

#[track_caller]
fn check(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
}

#[test]
fn who_scores_three_quarters_is_stronger_by_the_logarithm_of_three() {
    let results = Results::from([((1, 0), score(300, 200)), ((2, 1), score(75, 50))]);
    let free = unknown(&results, known);
    assert_eq!(free, [1, 2]);
    let begin = vec![0.0; free.len()];
    let (values, covariance) =
        likeliest(begin, |values| slope_and_curve(&results, &free, values, known));
    let step = 400.0 * 3_f64.log10();
    check(values[0], 100.0 + step);
    check(values[1], 100.0 + 2.0 * step);
    // The less was played the less is known, and who is further from what is known has it worse.
    let variance = |games: f64| SCALE * SCALE / (games * 0.75 * 0.25);
    check(covariance[0][0], variance(200.0));
    check(covariance[1][1], variance(200.0) + variance(50.0));
}
