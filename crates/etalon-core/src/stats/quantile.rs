//! Quantiles by the one definition used everywhere in etalon: Hyndman & Fan's type 7.

use super::sorted::Sorted;

/// The five-number summary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quartiles {
    /// Smallest value.
    pub min: f64,
    /// Quantile 0.25.
    pub q1: f64,
    /// Quantile 0.5.
    pub median: f64,
    /// Quantile 0.75.
    pub q3: f64,
    /// Largest value.
    pub max: f64,
}

/// The `q` quantile, type 7: with h = (n − 1)·q, linear between the values at ranks ⌊h⌋ and
/// ⌊h⌋ + 1 (from 0). Unit of the values; within their range. `None` for an empty sample and for a
/// `q` outside [0, 1]. O(1).
///
/// Hyndman & Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996).
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ h ≤ n − 1
pub fn quantile(sorted: &Sorted, q: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&q) {
        return None;
    }
    let values = sorted.as_slice();
    let last = values.len().checked_sub(1)?;
    let h = last as f64 * q;
    let below = (h.floor() as usize).min(last);
    let above = (below + 1).min(last);
    Some(between(values[below], values[above], h - below as f64))
}

/// The point a share `t` of the way from `a` to `b`, never outside them; exactly the mean of the
/// two at ½.
fn between(a: f64, b: f64, t: f64) -> f64 {
    if t == 0.0 || a == b {
        a
    } else if t == 0.5 {
        f64::midpoint(a, b)
    } else {
        // In two halves: b − a may be larger than the largest number. Monotone in t.
        let half = (b / 2.0 - a / 2.0) * t;
        (a + half + half).clamp(a, b)
    }
}

/// The median: the middle value, or the mean of the two middle ones. `None` if empty. O(1).
#[must_use]
pub fn median(sorted: &Sorted) -> Option<f64> {
    quantile(sorted, 0.5)
}

/// Minimum, quartiles (type 7) and maximum. `None` if empty. O(1).
#[must_use]
pub fn quartiles(sorted: &Sorted) -> Option<Quartiles> {
    Some(Quartiles {
        min: sorted.min()?,
        q1: quantile(sorted, 0.25)?,
        median: median(sorted)?,
        q3: quantile(sorted, 0.75)?,
        max: sorted.max()?,
    })
}
