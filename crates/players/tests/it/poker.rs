//! The values of small poker games are known, and so is what an answer to our play could win.

use players::{Level, Solution};

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
    for of in [Solution::of_kuhn, Solution::of_leduc] {
        let levels: Vec<_> = Level::all().map(|level| of(level).exploitability()).collect();
        let thirds = [levels[0], levels[3], levels[6], levels[9]];
        assert!(thirds.is_sorted_by(|a, b| a > b), "{levels:?}");
    }
}
