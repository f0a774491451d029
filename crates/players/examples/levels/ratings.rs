//! The ratings that explain results best, by whoever calibrates: what `make calibrate` of chess and of
//! the other games share. Whom it rates, and what was known before, is theirs to say.

use std::collections::BTreeMap;

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

pub type Results<Who> = BTreeMap<(Who, Who), Score>;

pub type Matrix = Vec<Vec<f64>>;

/// Rating points by which the odds grow e-fold.
pub const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Half of an interval that holds the truth 95 times in 100, in standard deviations.
pub const DEVIATIONS: f64 = 1.96;

/// Nobody's rating changes more at once.
const STRIDE: f64 = 150.0;
const STRIDES: usize = 60;

/// Everybody in these results whose rating is not known, in order.
pub fn unknown<Who: Copy + Ord>(
    results: &Results<Who>,
    known: impl Fn(Who) -> Option<f64>,
) -> Vec<Who> {
    let all = results.keys().flat_map(|(first, second)| [*first, *second]);
    let mut free: Vec<_> = all.filter(|who| known(*who).is_none()).collect();
    free.sort_unstable();
    free.dedup();
    free
}

/// The values that are likeliest, by Newton's method, and how they vary together. `slope_and_curve`
/// says how the likelihood changes with them.
pub fn likeliest(
    mut values: Vec<f64>,
    slope_and_curve: impl Fn(&[f64]) -> (Vec<f64>, Matrix),
) -> (Vec<f64>, Matrix) {
    let mut covariance = Matrix::new();
    for _ in 0..STRIDES {
        let (slope, curve) = slope_and_curve(&values);
        covariance = inverted(curve);
        for (value, row) in values.iter_mut().zip(&covariance) {
            let step: f64 = row.iter().zip(&slope).map(|(a, b)| a * b).sum();
            *value += step.clamp(-STRIDE, STRIDE);
        }
    }
    (values, covariance)
}

/// Of the results alone. `free` have these values; everybody else's rating is known.
pub fn slope_and_curve<Who: Copy + Ord>(
    results: &Results<Who>,
    free: &[Who],
    values: &[f64],
    known: impl Fn(Who) -> Option<f64>,
) -> (Vec<f64>, Matrix) {
    let mut slope = vec![0.0; free.len()];
    let mut curve = vec![vec![0.0; free.len()]; free.len()];
    for ((first, second), score) in results {
        let place = |who: &Who| free.binary_search(who).ok();
        let (a, b) = (place(first), place(second));
        let rating = |who: &Who, place: Option<usize>| {
            place.map(|n| values[n]).or(known(*who)).unwrap_or(0.0)
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
