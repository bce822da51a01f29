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
pub fn quantile(sorted: &Sorted, q: f64) -> Option<f64> {
    quantile_on(sorted, q, |value| value)
}

/// The quantile of a monotone function of the values.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ h ≤ n − 1
fn quantile_on(sorted: &Sorted, q: f64, on: impl Fn(f64) -> f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&q) {
        return None;
    }
    let values = sorted.as_slice();
    let last = values.len().checked_sub(1)?;
    let h = last as f64 * q;
    let below = (h.floor() as usize).min(last);
    let above = (below + 1).min(last);
    Some(between(on(values[below]), on(values[above]), h - below as f64))
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

/// The median of the values of both. `None` if there is none. O(m + n).
pub(crate) fn median_of_both(x: &Sorted, y: &Sorted) -> Option<f64> {
    let (mut x, mut y) = (x.as_slice(), y.as_slice());
    let all = x.len() + y.len();
    let (mut lower, mut upper) = (None, None);
    for _ in 0..=all / 2 {
        let next = match (x, y) {
            ([a, rest @ ..], others) if others.first().is_none_or(|b| a <= b) => {
                x = rest;
                a
            }
            (_, [b, rest @ ..]) => {
                y = rest;
                b
            }
            _ => return None,
        };
        (lower, upper) = (upper, Some(*next));
    }
    let lower = if all.is_multiple_of(2) { lower } else { upper };
    Some(f64::midpoint(lower?, upper?))
}

/// Minimum, quartiles (type 7) and maximum. `None` if empty. O(1).
#[must_use]
pub fn quartiles(sorted: &Sorted) -> Option<Quartiles> {
    quartiles_on(sorted, |value| value)
}

/// The quartiles of a monotone function of the values, which is asked only for those that it takes.
pub(crate) fn quartiles_on(sorted: &Sorted, on: impl Fn(f64) -> f64) -> Option<Quartiles> {
    // −0.0 becomes 0.0, as wherever values are sorted.
    let on = |value| on(value) + 0.0;
    Some(Quartiles {
        min: on(sorted.min()?),
        q1: quantile_on(sorted, 0.25, on)?,
        median: quantile_on(sorted, 0.5, on)?,
        q3: quantile_on(sorted, 0.75, on)?,
        max: on(sorted.max()?),
    })
}

#[cfg(test)]
mod tests {
    use super::{median, median_of_both, quartiles, quartiles_on};
    use crate::random::Random;
    use crate::stats::Sorted;

    /// Against the median of all values together.
    #[test]
    fn the_median_of_both_is_that_of_the_pooled_values() {
        let mut random = Random::new(9);
        for (m, n) in [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (2, 1), (3, 0), (9, 4), (20, 21)] {
            for distinct in [1, 3, 1_000_000] {
                let mut of = |n| -> Vec<f64> {
                    (0..n).map(|_| random.below(distinct) as f64 - 1.0).collect()
                };
                let [x, y] = [m, n].map(|n| Sorted::new(&of(n)).expect("finite"));
                assert_eq!(median_of_both(&x, &y), median(&x.pooled(&y)), "{x:?} {y:?}");
            }
        }
    }

    /// Against the quartiles of all values, each taken to the scale.
    #[test]
    fn only_the_values_that_quartiles_are_made_of_are_taken_to_a_scale() {
        let mut random = Random::new(6);
        for n in [0, 1, 2, 3, 4, 5, 9, 100] {
            for distinct in [1, 3, 1_000_000] {
                let values: Vec<f64> =
                    (0..n).map(|_| 0.5 + random.below(distinct) as f64 / 2.0).collect();
                let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
                let [sorted, logs] = [values, logs].map(|of| Sorted::new(&of).expect("finite"));
                assert_eq!(quartiles_on(&sorted, f64::ln), quartiles(&logs));
            }
        }
    }
}
