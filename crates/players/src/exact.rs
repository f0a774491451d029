//! Functions whose last bit is the same on every machine. Those of the standard library differ
//! between systems, and a move may hang on one bit; sums, products, quotients and roots do not
//! differ.

use std::f64::consts::{LN_2, SQRT_2};

/// The natural logarithm of a number above 0.
pub(crate) fn ln(number: u32) -> f64 {
    let mut power = number.ilog2();
    let mut rest = f64::from(number) / f64::from(1_u32 << power);
    if rest > SQRT_2 {
        power += 1;
        rest /= 2.0;
    }
    // ln x = 2 artanh((x - 1) / (x + 1)), and this quotient is below 0.172.
    let part = (rest - 1.0) / (rest + 1.0);
    let series = (0..11).rev().fold(0.0, |sum, n| sum * part * part + 1.0 / f64::from(2 * n + 1));
    f64::from(power) * LN_2 + 2.0 * part * series
}

/// e to the power of `-x`, for `x` from 0 to 700.
pub(crate) fn exp_of_minus(x: f64) -> f64 {
    let halvings = (x / LN_2).floor();
    let rest = x - halvings * LN_2;
    let series = (1..18).rev().fold(1.0, |sum, n| 1.0 - rest * (1.0 / f64::from(n)) * sum);
    series * f64::from_bits((1023 - halvings as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_they_should_be() {
        let is_near = |found: f64, right: f64| (found - right).abs() <= 1e-15 * right.abs();
        for number in (1..2_000).chain([65_537, 1_000_003, u32::MAX]) {
            let (found, right) = (ln(number), f64::from(number).ln());
            assert!(is_near(found, right), "ln {number}: {found}, not {right}");
        }
        for x in (0..7_000).map(|n| f64::from(n) / 10.0) {
            let (found, right) = (exp_of_minus(x), (-x).exp());
            assert!((found - right).abs() <= 1e-13 * right, "exp -{x}: {found}, not {right}");
        }
    }
}
