//! The values of small poker games are known, and so is what an answer to our play could win.

use players::{Solution, levels};

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
