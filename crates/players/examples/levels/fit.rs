//! How much stronger one is than another, and how sure that is. Random play is rated 0.

use crate::{
    game::Who,
    ratings::{self, DEVIATIONS, Matrix, likeliest, slope_and_curve, unknown},
};

pub type Results = ratings::Results<Who>;

/// How unsure one is of somebody who has not played.
const UNKNOWN: f64 = 1_000.0;

pub struct Fit {
    /// In the order of the numbers in `values`; random play is not among them.
    free: Vec<Who>,
    values: Vec<f64>,
    covariance: Matrix,
}

fn known(who: Who) -> Option<f64> {
    (who == Who::Random).then_some(0.0)
}

pub fn fit(results: &Results) -> Fit {
    let mut results = results.clone();
    // Every pairing is taken to have drawn one game more than it has, for nobody is infinitely
    // stronger.
    results.values_mut().for_each(|score| score.add(1));
    let free = unknown(&results, known);
    let (values, covariance) = likeliest(vec![0.0; free.len()], |values| {
        let (slope, mut curve) = slope_and_curve(&results, &free, values, known);
        for (n, row) in curve.iter_mut().enumerate() {
            // A trace of doubt keeps the matrix invertible for those who are not joined to random
            // play.
            row[n] += UNKNOWN.powi(-2) / 10.0;
        }
        (slope, curve)
    });
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
