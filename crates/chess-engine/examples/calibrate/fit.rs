//! The ratings that explain the results best, and how sure they are.

use std::collections::BTreeMap;

use crate::player::Who;
use crate::ratings::{self, DEVIATIONS, Matrix, SCALE, likeliest, slope_and_curve, unknown};

pub type Results = ratings::Results<Who>;

#[derive(Clone, Copy)]
pub struct Rating {
    pub value: f64,
    /// Half the width of the interval that holds the true value 95 times in 100.
    pub error: f64,
}

const MIDDLE: f64 = 1300.0;

/// What 7,535 games found before, whose record is lost, of opponents that have not changed since.
const EARLIER: [(Who, Rating); 7] = [
    (Who::Random, Rating { value: 112.0, error: 62.0 }),
    (Who::Fairy(-9), Rating { value: 280.0, error: 56.0 }),
    (Who::Fairy(-7), Rating { value: 335.0, error: 53.0 }),
    (Who::Fairy(-5), Rating { value: 531.0, error: 49.0 }),
    (Who::Fairy(-4), Rating { value: 786.0, error: 48.0 }),
    (Who::Fairy(-3), Rating { value: 1022.0, error: 48.0 }),
    (Who::Fairy(-1), Rating { value: 1282.0, error: 48.0 }),
];

/// Where it was before, and how far off that usually is. All of them were measured in one chain and
/// err together, so they count as much as one.
fn earlier(who: Who) -> Option<(f64, f64)> {
    let (_, rating) = EARLIER.iter().find(|(other, _)| *other == who)?;
    Some((rating.value, rating.error / DEVIATIONS))
}

pub fn fit(results: &Results) -> BTreeMap<Who, Rating> {
    let free = unknown(results, Who::known_rating);
    let (values, inverse) = likeliest(vec![MIDDLE; free.len()], |values| {
        let (mut slope, mut curve) = slope_and_curve(results, &free, values, Who::known_rating);
        for (n, row) in curve.iter_mut().enumerate() {
            // Half a game drawn against the middle keeps who has won or lost everything in reach.
            let weight = 0.5 * 0.25 / (SCALE * SCALE);
            slope[n] += weight * (MIDDLE - values[n]);
            row[n] += weight;
            if let Some((value, deviation)) = earlier(free[n]) {
                let weight = 1.0 / (EARLIER.len() as f64 * deviation * deviation);
                slope[n] += weight * (value - values[n]);
                row[n] += weight;
            }
        }
        (slope, curve)
    });
    let scatter = scatter(results, &free, &values);
    let variances = inverse.iter().map(|row| product(row, &scatter, row));
    let errors = variances.map(|variance| DEVIATIONS * variance.max(0.0).sqrt());
    let ratings = values.iter().zip(errors).map(|(&value, error)| Rating { value, error });
    free.iter().copied().zip(ratings).collect()
}

/// How much the results vary around what is expected. Drawn games vary less than the model says,
/// and make the ratings surer.
fn scatter(results: &Results, free: &[Who], values: &[f64]) -> Matrix {
    let mut scaled = Results::new();
    let mut sum: Matrix = vec![vec![0.0; free.len()]; free.len()];
    for (&pair, score) in results {
        scaled.clear();
        scaled.insert(pair, *score);
        let (_, curve) = slope_and_curve(&scaled, free, values, Who::known_rating);
        let part = f64::from(score.halves) / 2.0 / f64::from(score.games);
        let model = (part * (1.0 - part)).max(1e-3);
        let drawn = f64::from(score.draws) / f64::from(score.games) / 4.0;
        let share = ((model - drawn) / model).clamp(0.3, 1.0);
        for (row, other) in sum.iter_mut().zip(curve) {
            for (cell, other) in row.iter_mut().zip(other) {
                *cell += share * other;
            }
        }
    }
    let count = EARLIER.len() as f64;
    let pull = |who: &Who| earlier(*who).map_or(0.0, |(_, deviation)| 1.0 / (count * deviation));
    for (row, a) in sum.iter_mut().zip(free) {
        for (cell, b) in row.iter_mut().zip(free) {
            *cell += pull(a) * pull(b);
        }
    }
    sum
}

fn product(left: &[f64], middle: &Matrix, right: &[f64]) -> f64 {
    let row = |row: &Vec<f64>| row.iter().zip(right).map(|(a, b)| a * b).sum::<f64>();
    middle.iter().zip(left).map(|(middle, a)| a * row(middle)).sum()
}
