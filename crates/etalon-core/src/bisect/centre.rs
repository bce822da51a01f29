//! The centre of values of which many may be disturbed: by Student's t with four degrees of freedom in place of a normal
//! distribution.
//!
//! A block of four executions of which each is disturbed in one case of five is whole in two of five: ranks have little
//! power there, because a disturbed block weighs as much as any.

use crate::stats::{Sorted, median, student_t_quantile};

/// A centre with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Centre {
    pub estimate: f64,
    pub lo: f64,
    pub hi: f64,
}

/// The spread of values in terms of a normal distribution's: 1.4826 times the median absolute deviation from the median.
pub(super) fn spread(values: &[f64]) -> Option<f64> {
    let middle = median(&Sorted::new(values).ok()?)?;
    let apart: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    Some(1.4826 * median(&Sorted::new(&apart).ok()?)?)
}

/// The score of Student's t with four degrees of freedom: what is far off says less and less.
fn score(z: f64) -> f64 {
    z / (1.0 + z * z / 4.0)
}

/// How far values lie above 0, in standard errors: the sum of their scores over the root of the sum of squares, which is
/// right for whatever values are symmetric about 0.
pub(super) fn above(values: &[f64], spread: f64) -> f64 {
    let scores = values.iter().map(|value| score(value / spread));
    let (sum, squares) =
        scores.fold((0.0, 0.0), |(sum, squares), it| (sum + it, squares + it * it));
    if squares > 0.0 { sum / f64::sqrt(squares) } else { 0.0 }
}

/// The centre of at least six values with its interval of a level: where [`above`] is 0, and those where it is not beyond
/// Student's quantile of n − 1 degrees of freedom.
pub(super) fn centre(values: &[f64], level: f64) -> Option<Centre> {
    if values.len() < 6 {
        return None;
    }
    let sorted = Sorted::new(values).ok()?;
    let (middle, spread) = (median(&sorted)?, spread(values)?);
    if spread == 0.0 {
        return Some(Centre { estimate: middle, lo: middle, hi: middle });
    }
    let at = |place: f64| above(&values.iter().map(|it| it - place).collect::<Vec<_>>(), spread);
    let t = student_t_quantile(f64::midpoint(1.0, level), values.len() as f64 - 1.0);
    let estimate = outwards(middle, spread, 0.0, &at);
    Some(Centre {
        estimate,
        lo: outwards(estimate, -spread, t, &at),
        hi: outwards(estimate, spread, -t, &at),
    })
}

/// From a place outwards the first one where a falling function is at a value: it may rise again far away, where every
/// value is an outlier.
pub(super) fn outwards(from: f64, step: f64, value: f64, f: &impl Fn(f64) -> f64) -> f64 {
    let begins_above = f(from) > value;
    let step = if (step > 0.0) == begins_above { step } else { -step } / 16.0;
    let mut near = from;
    let mut far = from;
    for _ in 0..16 * 64 {
        far += step;
        if (f(far) > value) != begins_above {
            break;
        }
        near = far;
    }
    for _ in 0..60 {
        let middle = f64::midpoint(near, far);
        if (f(middle) > value) == begins_above { near = middle } else { far = middle }
    }
    f64::midpoint(near, far)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every place of a fine grid: the interval holds those around its estimate that are not beyond Student's quantile.
    #[test]
    fn the_interval_is_what_a_grid_finds() {
        let values: Vec<f64> = (0..23)
            .map(|it| f64::from(it * 7919 % 101) / 40.0 + f64::from(it % 7 / 6) * 30.0)
            .collect();
        let found = centre(&values, 0.95).unwrap();
        let spread = spread(&values).unwrap();
        let t = student_t_quantile(0.975, 22.0);
        let is_in = |place: f64| {
            above(&values.iter().map(|it| it - place).collect::<Vec<_>>(), spread).abs() <= t
        };
        let grid = (0..100_000).map(|it| f64::from(it) / 10_000.0 - 2.0);
        let inner: Vec<f64> = grid.filter(|place| is_in(*place)).collect();
        assert!((inner[0] - found.lo).abs() < 2e-4, "{found:?} {}", inner[0]);
        let connected =
            inner.windows(2).position(|pair| pair[1] - pair[0] > 2e-4).unwrap_or(inner.len() - 1);
        assert!((inner[connected] - found.hi).abs() < 2e-4, "{found:?}");
        assert!(found.lo < found.estimate && found.estimate < found.hi);
    }

    #[test]
    fn few_and_equal_values() {
        assert_eq!(centre(&[1.0; 5], 0.95), None);
        assert_eq!(centre(&[f64::NAN; 9], 0.95), None);
        assert_eq!(centre(&[2.0; 9], 0.95), Some(Centre { estimate: 2.0, lo: 2.0, hi: 2.0 }));
    }

    #[test]
    fn what_is_far_off_moves_nothing() {
        let mut values: Vec<f64> = (0..30).map(|it| f64::from(it * 11 % 30)).collect();
        values.extend([1e6; 8]);
        let near = centre(&values, 0.95).unwrap();
        values.truncate(30);
        values.extend([1e12; 8]);
        let far = centre(&values, 0.95).unwrap();
        assert!(
            (near.estimate - far.estimate).abs() < 1e-3 && (near.hi - far.hi).abs() < 1e-2,
            "{near:?} {far:?}"
        );
    }
}
