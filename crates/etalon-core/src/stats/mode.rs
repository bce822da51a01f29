//! The half-sample mode: where values lie densest, without a bandwidth to choose.

use super::sorted::Sorted;

/// Below this many values the estimate jumps between accidental neighbours.
pub(crate) const FEWEST_FOR_MODE: usize = 10;

/// The half-sample mode: the densest half of the sample, the densest half of that, and so on to
/// three values or fewer. Unit of the values, within their range. `None` below 10 values. O(n).
///
/// "Half" is ⌈n/2⌉ consecutive order statistics; among equally narrow halves the lowest is taken.
/// Three left: the mean of the closer pair, the middle one if both gaps are equal.
///
/// Bickel & Frühwirth, "On a fast, robust estimator of the mode", Computational Statistics & Data
/// Analysis 50 (2006), algorithm 2.
#[must_use]
pub fn half_sample_mode(sorted: &Sorted) -> Option<f64> {
    if sorted.len() < FEWEST_FOR_MODE {
        return None;
    }
    let mut values = sorted.as_slice();
    while values.len() > 3 {
        values = densest_half(values);
    }
    Some(match *values {
        [a, b, c] if b - a < c - b => f64::midpoint(a, b),
        [a, b, c] if b - a > c - b => f64::midpoint(b, c),
        [_, b, _] => b,
        [a, b] => f64::midpoint(a, b),
        _ => return None, // a half of four or more has two or more
    })
}

/// The narrowest run of half the values; `windows` ends with the last run.
fn densest_half(values: &[f64]) -> &[f64] {
    let half = values.len().div_ceil(2);
    let width = |window: &[f64]| window[half - 1] - window[0];
    let narrower = |a, b| if width(b) < width(a) { b } else { a };
    values.windows(half).reduce(narrower).unwrap_or(values)
}
