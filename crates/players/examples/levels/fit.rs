//! The ratings that explain the results best, and how sure they are.

use std::collections::BTreeMap;

use crate::game::Who;

/// Points of the first player in halves, and games.
#[derive(Clone, Copy, Default)]
pub struct Score {
    pub halves: u32,
    pub games: u32,
}

impl Score {
    pub fn add(&mut self, halves: u32) {
        self.halves += halves;
        self.games += 1;
    }
}

pub type Results = BTreeMap<(Who, Who), Score>;

/// Rating points by which the odds grow e-fold.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Half of an interval that holds the truth 95 times in 100, in standard deviations.
const DEVIATIONS: f64 = 1.96;

/// How unsure one is of somebody who has not played.
const UNKNOWN: f64 = 1_000.0;

type Matrix = Vec<Vec<f64>>;

pub struct Fit {
    /// In the order of the numbers in `values`; random play is not among them.
    free: Vec<Who>,
    values: Vec<f64>,
    covariance: Matrix,
}

/// Maximum likelihood, by Newton's method. Random play is rated 0. Every pairing is taken to have
/// drawn one game more than it has, for nobody is infinitely stronger.
pub fn fit(results: &Results) -> Fit {
    let mut free: Vec<Who> = results.keys().flat_map(|(first, second)| [*first, *second]).collect();
    free.sort_unstable();
    free.dedup();
    free.retain(|who| *who != Who::Random);
    let mut values = vec![0.0; free.len()];
    let mut covariance = Matrix::new();
    for _ in 0..50 {
        let (slope, curve) = slope_and_curve(results, &free, &values);
        covariance = inverted(curve);
        for (value, row) in values.iter_mut().zip(&covariance) {
            let step: f64 = row.iter().zip(&slope).map(|(a, b)| a * b).sum();
            *value += step.clamp(-200.0, 200.0);
        }
    }
    Fit { free, values, covariance }
}

impl Fit {
    fn at(&self, who: Who) -> Option<usize> {
        self.free.iter().position(|other| *other == who)
    }

    pub fn knows(&self, who: Who) -> bool {
        who == Who::Random || self.at(who).is_some()
    }

    /// How much stronger the one is than the other, and how sure that is.
    pub fn apart(&self, one: Who, other: Who) -> (f64, f64) {
        if !self.knows(one) || !self.knows(other) {
            return (0.0, UNKNOWN);
        }
        let places = [(self.at(one), 1.0), (self.at(other), -1.0)];
        let places = || places.iter().filter_map(|(at, sign)| Some((at.as_ref()?, sign)));
        let apart = places().map(|(at, sign)| sign * self.values[*at]).sum();
        let variance: f64 = places()
            .flat_map(|(a, one)| places().map(move |(b, other)| (*a, *b, one * other)))
            .map(|(a, b, sign)| sign * self.covariance[a][b])
            .sum();
        (apart, DEVIATIONS * variance.max(0.0).sqrt())
    }
}

fn slope_and_curve(results: &Results, free: &[Who], values: &[f64]) -> (Vec<f64>, Matrix) {
    let mut slope = vec![0.0; free.len()];
    // A trace of doubt keeps the matrix invertible for those who are not joined to random play.
    let doubt = |n, m| if n == m { UNKNOWN.powi(-2) / 10.0 } else { 0.0 };
    let row = |n| (0..free.len()).map(|m| doubt(n, m)).collect();
    let mut curve: Matrix = (0..free.len()).map(row).collect();
    for ((first, second), score) in results {
        let place = |who: &Who| free.iter().position(|other| other == who);
        let (a, b) = (place(first), place(second));
        let value = |place: Option<usize>| place.map_or(0.0, |n| values[n]);
        let expected = 1.0 / (1.0 + ((value(b) - value(a)) / SCALE).exp());
        let games = f64::from(score.games) + 1.0;
        let points = f64::from(score.halves) / 2.0 + 0.5;
        let surplus = (points - games * expected) / SCALE;
        let weight = games * expected * (1.0 - expected) / (SCALE * SCALE);
        for (place, sign) in [(a, 1.0), (b, -1.0)] {
            if let Some(n) = place {
                slope[n] += sign * surplus;
                curve[n][n] += weight;
            }
        }
        if let (Some(a), Some(b)) = (a, b) {
            curve[a][b] -= weight;
            curve[b][a] -= weight;
        }
    }
    (slope, curve)
}

/// By Gauss and Jordan; the matrix is small, symmetric and positive.
fn inverted(mut matrix: Matrix) -> Matrix {
    let size = matrix.len();
    let unit = |n| (0..size).map(|m| f64::from(u8::from(n == m))).collect();
    let mut inverse: Matrix = (0..size).map(unit).collect();
    for pivot in 0..size {
        let by = matrix[pivot][pivot];
        for column in 0..size {
            matrix[pivot][column] /= by;
            inverse[pivot][column] /= by;
        }
        for row in (0..size).filter(|row| *row != pivot) {
            let by = matrix[row][pivot];
            for column in 0..size {
                matrix[row][column] -= by * matrix[pivot][column];
                inverse[row][column] -= by * inverse[pivot][column];
            }
        }
    }
    inverse
}
