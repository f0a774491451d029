//! The ratings that explain the results best, and how sure they are.

use std::collections::BTreeMap;

use crate::player::Who;

/// Points of the first player in halves, and games.
#[derive(Clone, Copy, Default)]
pub struct Score {
    pub halves: u32,
    pub games: u32,
    pub draws: u32,
}

impl Score {
    pub fn add(&mut self, halves: u32) {
        self.halves += halves;
        self.games += 1;
        self.draws += u32::from(halves == 1);
    }
}

pub type Results = BTreeMap<(Who, Who), Score>;

#[derive(Clone, Copy)]
pub struct Rating {
    pub value: f64,
    /// Half the width of the interval that holds the true value 95 times in 100.
    pub error: f64,
}

/// Rating points by which the odds grow e-fold.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

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

/// How far off a rating of an error like this usually is.
const ERROR_IN_DEVIATIONS: f64 = 1.96;

/// Where it was before, and how far off that usually is. All of them were measured in one chain and
/// err together, so they count as much as one.
fn earlier(who: Who) -> Option<(f64, f64)> {
    let (_, rating) = EARLIER.iter().find(|(other, _)| *other == who)?;
    Some((rating.value, rating.error / ERROR_IN_DEVIATIONS))
}

/// Maximum likelihood, by Newton's method: everybody whose rating is not known is free.
pub fn fit(results: &Results) -> BTreeMap<Who, Rating> {
    let mut free: Vec<Who> = results
        .keys()
        .flat_map(|&(first, second)| [first, second])
        .filter(|who| who.known_rating().is_none())
        .collect();
    free.sort_unstable();
    free.dedup();
    let mut values: Vec<f64> = vec![MIDDLE; free.len()];
    let mut inverse = Vec::new();
    for _ in 0..60 {
        let (mut slope, mut curve) = slope_and_curve(results, &free, &values);
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
        inverse = inverted(curve);
        for (value, row) in values.iter_mut().zip(&inverse) {
            let step: f64 = row.iter().zip(&slope).map(|(a, b)| a * b).sum();
            *value += step.clamp(-150.0, 150.0);
        }
    }
    let scatter = scatter(results, &free, &values);
    let variances = inverse.iter().map(|row| product(row, &scatter, row));
    let errors = variances.map(|variance| ERROR_IN_DEVIATIONS * variance.max(0.0).sqrt());
    let ratings = values.iter().zip(errors).map(|(&value, error)| Rating { value, error });
    free.iter().copied().zip(ratings).collect()
}

type Matrix = Vec<Vec<f64>>;

fn slope_and_curve(results: &Results, free: &[Who], values: &[f64]) -> (Vec<f64>, Matrix) {
    let mut slope = vec![0.0; free.len()];
    let mut curve = vec![vec![0.0; free.len()]; free.len()];
    for (&(first, second), score) in results {
        let place = |who: Who| free.iter().position(|&other| other == who);
        let (a, b) = (place(first), place(second));
        let rating = |who: Who, place: Option<usize>| {
            who.known_rating().or(place.map(|n| values[n])).unwrap_or(0.0)
        };
        let expected = 1.0 / (1.0 + ((rating(second, b) - rating(first, a)) / SCALE).exp());
        let games = f64::from(score.games);
        let surplus = (f64::from(score.halves) / 2.0 - games * expected) / SCALE;
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

/// How much the results vary around what is expected. Drawn games vary less than the model says,
/// and make the ratings surer.
fn scatter(results: &Results, free: &[Who], values: &[f64]) -> Matrix {
    let mut scaled = Results::new();
    let mut sum: Matrix = vec![vec![0.0; free.len()]; free.len()];
    for (&pair, score) in results {
        scaled.clear();
        scaled.insert(pair, *score);
        let (_, curve) = slope_and_curve(&scaled, free, values);
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

/// By Gauss and Jordan; the matrix is small, symmetric and positive.
fn inverted(mut matrix: Matrix) -> Matrix {
    let size = matrix.len();
    let mut inverse: Matrix =
        (0..size).map(|n| (0..size).map(|m| f64::from(u8::from(n == m))).collect()).collect();
    for pivot in 0..size {
        let by = matrix[pivot][pivot];
        for column in 0..size {
            matrix[pivot][column] /= by;
            inverse[pivot][column] /= by;
        }
        for row in (0..size).filter(|&row| row != pivot) {
            let by = matrix[row][pivot];
            for column in 0..size {
                matrix[row][column] -= by * matrix[pivot][column];
                inverse[row][column] -= by * inverse[pivot][column];
            }
        }
    }
    inverse
}
