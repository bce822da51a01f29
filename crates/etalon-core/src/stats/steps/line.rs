//! A line in place of steps: a level that changed slowly.

use super::long_run::{LongRun, news, residuals};

/// A line through a stretch.
pub(super) struct Line {
    /// From the first point to the last.
    pub(super) size: f64,
    /// Its standard error.
    pub(super) error: f64,
}

/// The line through values, if it is better than a step at `at` and than `stairs`, which equal steps would be, by
/// Schwarz's criterion: a line has a slope, a step a size and a place. Its error is that of the slope by least squares,
/// with the long-run variance.
///
/// Schwarz, Annals of Statistics 6 (1978).
pub(super) fn better_than_steps(
    values: &[f64],
    scatter: &LongRun,
    at: usize,
    stairs: &[usize],
) -> Option<Line> {
    let n = values.len() as f64;
    let price = |steps: usize| (2.0 * steps as f64 - 1.0) * n.ln();
    let line = |i: usize| i as f64;
    let (of_line, slope) = unexplained(values, scatter.phi, line);
    let (of_step, _) = unexplained(values, scatter.phi, |i| f64::from(u8::from(i >= at)));
    // What is left of stairs depends less on its neighbours than what is left of one step.
    let phi = LongRun::around(values, stairs).phi;
    let of_stairs = news(&residuals(values, stairs), phi);
    let (beside_stairs, _) = unexplained(values, phi, line);
    let is_better = n * of_line.ln() <= n * of_step.ln() + price(1)
        && n * beside_stairs.ln() <= n * of_stairs.ln() + price(stairs.len());
    let squares = n * (n * n - 1.0) / 12.0;
    is_better.then(|| Line {
        size: slope * (n - 1.0),
        error: (n - 1.0) * (scatter.variance / squares).sqrt(),
    })
}

/// The squares that a level and a shape leave of what is new in values, and how much of the shape is in them. The level
/// is the same at each point: it takes the means away.
fn unexplained(values: &[f64], phi: f64, shape: impl Fn(usize) -> f64) -> (f64, f64) {
    let new: Vec<f64> = values.windows(2).map(|pair| pair[1] - phi * pair[0]).collect();
    let shape: Vec<f64> = (1..values.len()).map(|i| shape(i) - phi * shape(i - 1)).collect();
    let n = new.len() as f64;
    let mean = |of: &[f64]| of.iter().sum::<f64>() / n;
    let (middle, centre) = (mean(&new), mean(&shape));
    let (mut squares, mut own, mut both) = (0.0, 0.0, 0.0);
    for (u, z) in new.iter().zip(&shape) {
        let (u, z) = (u - middle, z - centre);
        squares += u * u;
        own += z * z;
        both += u * z;
    }
    let slope = if own > 0.0 { both / own } else { 0.0 };
    (squares - slope * both, slope)
}
