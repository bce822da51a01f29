//! The probability of superiority: how often one side's value is the smaller one. An effect size
//! in plain words, free of units and of any assumption about shape.

use super::ranks::doubled_wins;
use super::sorted::Sorted;

/// P(x < y) + ½·P(x = y) for a value of each sample drawn at random: over all pairs, in [0, 1].
/// `None` if either sample is empty. O(n + m).
///
/// Vargha & Delaney, J. Educational and Behavioral Statistics 25 (2000).
#[must_use]
pub fn superiority_independent(x: &Sorted, y: &Sorted) -> Option<f64> {
    let pairs = x.len() as u128 * y.len() as u128;
    (pairs > 0).then(|| doubled_wins(y, x) as f64 / (2 * pairs) as f64)
}

/// The share of pairs in which the first is the smaller one, of their differences (first less second): of those below
/// 0, and half of those that are 0; in [0, 1]. `None` without pairs. O(n).
#[must_use]
pub fn superiority_paired(differences: &[f64]) -> Option<f64> {
    let pairs = differences.len();
    let points = |difference: &f64| match difference.partial_cmp(&0.0) {
        Some(std::cmp::Ordering::Less) => 2_u64,
        Some(std::cmp::Ordering::Equal) => 1,
        _ => 0,
    };
    let doubled: u64 = differences.iter().map(points).sum();
    (pairs > 0).then(|| doubled as f64 / (2 * pairs) as f64)
}
