//! Serial dependence: whether values lean on the ones before them, which makes every interval that
//! assumes independence too narrow.

use super::ranks::{doubled_midrank, ties};
use super::sorted::Sorted;

/// Serial dependence of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dependence {
    /// Lag-1 autocorrelation of the ranks, in [−1, 1].
    pub r1: f64,
    /// Number of values.
    pub n: usize,
}

impl Dependence {
    /// Whether r1 is further above what independent values have (mean −1/n, standard deviation about 1/√n)
    /// than one standard deviation: so are 16 % of independent samples, and what it costs them is little.
    #[must_use]
    pub fn is_flagged(&self) -> bool {
        self.is_seen_in(1)
    }

    /// Whether a mean r1 over so many independent series is seen.
    #[must_use]
    pub(crate) fn is_seen_in(&self, series: usize) -> bool {
        let n = self.n as f64;
        self.r1 + 1.0 / n > 1.0 / (n * series as f64).sqrt()
    }

    /// The autocorrelation that r1, which is biased towards 0, is an estimate of: r1 + (1 + 4 max(r1, 0))/n,
    /// in [0, 0.98].
    #[must_use]
    pub(crate) fn autocorrelation(&self) -> f64 {
        (self.r1 + (1.0 + 4.0 * self.r1.max(0.0)) / self.n as f64).clamp(0.0, 0.98)
    }
}

/// Lag-1 autocorrelation Σ(xₜ − x̄)(xₜ₊₁ − x̄) / Σ(xₜ − x̄)² over values in time order, in [−1, 1].
/// `None` for fewer than three values, for values all alike, and for values that are not finite.
/// O(n).
///
/// Box, Jenkins, Reinsel & Ljung, Time Series Analysis (5th ed.), §2.1.5.
#[must_use]
pub fn lag1(values: &[f64]) -> Option<f64> {
    if values.len() < 3 {
        return None;
    }
    let mean = super::moments::mean(values)?;
    // Halved so that no deviation overflows, then scaled so that no square under- or overflows;
    // neither changes the ratio.
    let halves: Vec<f64> = values.iter().map(|v| v / 2.0 - mean / 2.0).collect();
    let largest = halves.iter().fold(0.0, |a: f64, d| a.max(d.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return None;
    }
    let deviations: Vec<f64> = halves.iter().map(|d| d / largest).collect();
    lag1_of(&deviations)
}

/// Lag-1 autocorrelation of the midranks of `values` (time order). `None` where [`lag1`] has none. O(n log n).
///
/// On ranks, because one spike among the values inflates the variance and hides a drift that every
/// other value shows. One-sided, because only positive dependence makes intervals too narrow.
///
/// Bartels, J. American Statistical Association 77 (1982), for ranks in tests of randomness;
/// Bartlett, J. Royal Statistical Society (Suppl.) 8 (1946), for the standard deviation; Marriott & Pope,
/// Biometrika 41 (1954), for the bias.
#[must_use]
pub fn serial_dependence(values: &[f64]) -> Option<Dependence> {
    if values.len() < 3 {
        return None;
    }
    let mut order: Vec<(f64, u32)> = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        // Adding 0.0 turns −0.0 into 0.0, so that equal values are next to each other.
        order.push((value.is_finite().then_some(value + 0.0)?, u32::try_from(at).ok()?));
    }
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut deviations = vec![0.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|a, b| a.0 == b.0) {
        let end = first + equal.len();
        let deviation = deviation((first, end), values.len());
        equal.iter().for_each(|(_, at)| deviations[*at as usize] = deviation);
        first = end;
    }
    Some(Dependence { r1: lag1_of(&deviations)?, n: values.len() })
}

/// The serial dependence of values whose order is known; `sorted` are the same ones.
pub(crate) fn serial_dependence_of_sorted(values: &[f64], sorted: &Sorted) -> Option<Dependence> {
    let n = values.len();
    if n < 3 || sorted.min() == sorted.max() {
        return None;
    }
    let sorted = sorted.as_slice();
    // The largest of equal values and of those below, and the deviation of their ranks.
    let distinct = || ties(sorted).map(|(first, end)| (sorted[first], deviation((first, end), n)));
    let (distinct, of_ranks): (Vec<f64>, Vec<f64>) = distinct().unzip();
    let place = |value: &f64| distinct.partition_point(|other| other < value);
    let deviations: Vec<f64> = values.iter().map(|value| of_ranks[place(value)]).collect();
    Some(Dependence { r1: lag1_of(&deviations)?, n })
}

/// The deviation of the doubled midrank of places first..end of n from its mean, n + 1.
fn deviation((first, end): (usize, usize), n: usize) -> f64 {
    doubled_midrank(first, end) as f64 - (n + 1) as f64
}

/// Σdₜdₜ₊₁/Σdₜ² of deviations from the mean. `None` where there are none.
fn lag1_of(deviations: &[f64]) -> Option<f64> {
    let products: f64 = deviations.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let squares: f64 = deviations.iter().map(|d| d * d).sum();
    (squares > 0.0).then(|| products / squares)
}

#[cfg(test)]
mod tests {
    use super::{serial_dependence, serial_dependence_of_sorted};
    use crate::random::Random;
    use crate::stats::Sorted;

    /// Would catch ranks that ties, zeros of either sign, few values or constants get wrong where the order is known.
    #[test]
    fn a_known_order_changes_nothing() {
        let mut random = Random::new(3);
        for n in [0, 1, 2, 3, 4, 7, 50, 201] {
            for distinct in [1, 2, 3, 1_000] {
                let mut value = |_| random.below(distinct) as f64 - 1.0;
                let values: Vec<f64> = (0..n).map(&mut value).collect();
                let negative: Vec<f64> = values.iter().map(|value| -value * 1e300).collect();
                for values in [values, negative] {
                    let sorted = Sorted::new(&values).expect("finite");
                    let known = serial_dependence_of_sorted(&values, &sorted);
                    assert_eq!(known, serial_dependence(&values), "{values:?}");
                }
            }
        }
    }
}
