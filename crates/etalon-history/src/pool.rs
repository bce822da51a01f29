//! Repeats of one point as one: all of them count alike, and none is chosen.

use etalon_core::stats;

/// The value of a point, by one run or by all of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// The value: a ratio, or base units.
    pub value: f64,
    /// Its interval, where there is one.
    pub interval: Option<(f64, f64)>,
    /// Readings behind it.
    pub n: u64,
}

/// Level of the intervals of points.
pub const LEVEL: f64 = 0.95;

/// The mean of what runs say, on the scale of logarithms where all values are above 0; absent of none. Its interval is
/// that of the runs' own widths (√Σh²/k) or Student's of their values, whichever is wider: runs scatter by more than
/// their readings do, and two runs say little of how much.
#[must_use]
#[allow(clippy::cast_precision_loss)] // some runs
pub fn pooled(parts: &[Part]) -> Option<Part> {
    if let [only] = parts {
        return Some(*only);
    }
    let has_logarithms = |part: &Part| {
        part.value > 0.0 && part.interval.is_none_or(|(lo, hi)| lo > 0.0 && hi.is_finite())
    };
    let on_logarithms = parts.iter().all(has_logarithms);
    let to = |value: f64| if on_logarithms { value.ln() } else { value };
    let back = |value: f64| if on_logarithms { value.exp() } else { value };
    let values: Vec<f64> = parts.iter().map(|part| to(part.value)).collect();
    let mean = stats::mean(&values)?;
    let half = |part: &Part| part.interval.map(|(lo, hi)| (to(hi) - to(lo)) / 2.0);
    let halves: Option<Vec<f64>> = parts.iter().map(half).collect();
    let within = halves.map(|halves| {
        halves.iter().map(|half| half * half).sum::<f64>().sqrt() / parts.len() as f64
    });
    let between = stats::mean_interval(&values, LEVEL).ok().map(|it| it.half_width());
    let half = within.into_iter().chain(between).max_by(f64::total_cmp);
    let interval = half.map(|half| (back(mean - half), back(mean + half)));
    Some(Part { value: back(mean), interval, n: parts.iter().map(|part| part.n).sum() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn part(value: f64, half: f64) -> Part {
        Part { value, interval: Some((value - half, value + half)), n: 10 }
    }

    /// Would catch a run that is preferred, and an interval that forgets that runs differ.
    #[test]
    fn runs_count_alike_and_their_scatter_counts() {
        assert_eq!(pooled(&[]), None);
        assert_eq!(pooled(&[part(2.0, 0.1)]), Some(part(2.0, 0.1)));
        let two = pooled(&[part(-1.0, 0.1), part(1.0, 0.1)]).unwrap();
        let (lo, hi) = two.interval.unwrap();
        // t with one degree of freedom: 12.706 · √2 / √2.
        assert!(two.value.abs() < 1e-12 && (hi - 12.706).abs() < 1e-3 && (lo + hi).abs() < 1e-9);
        let alike = pooled(&[part(-1.0, 0.1), part(-1.0, 0.1)]).unwrap().interval.unwrap();
        assert!((alike.1 + 1.0 - 0.1 / 2f64.sqrt()).abs() < 1e-12, "{alike:?}");
    }

    proptest! {
        /// Would catch a value that depends on the order of runs, or that a product computes otherwise.
        #[test]
        fn the_pooled_value_is_the_root_of_the_product(values in prop::collection::vec(0.01f64..100.0, 2..12)) {
            let parts: Vec<Part> = values.iter().map(|v| Part { value: *v, interval: None, n: 1 }).collect();
            let reversed: Vec<Part> = parts.iter().rev().copied().collect();
            let product: f64 = values.iter().product();
            #[allow(clippy::cast_precision_loss)]
            let slow = product.powf(1.0 / values.len() as f64);
            let (one, other) = (pooled(&parts).unwrap(), pooled(&reversed).unwrap());
            prop_assert!((one.value / slow - 1.0).abs() < 1e-9);
            prop_assert!((one.value / other.value - 1.0).abs() < 1e-12);
            prop_assert_eq!(one.n, values.len() as u64);
            let (lo, hi) = one.interval.unwrap();
            prop_assert!(lo <= one.value && one.value <= hi);
        }
    }
}
