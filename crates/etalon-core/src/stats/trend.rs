//! Trend and step: whether values in time order go one way, by how much, and whether they change level once.

use super::hypothesis::{Alternative, PMethod, Test, normal_p};
use super::moments::mean;
use super::quantile::median;
use super::rank_correlation::midranks;
use super::sorted::Sorted;

/// Mann–Kendall's test that values in time order have no trend. The statistic is S, the number of pairs of which the
/// later one is larger, less the number of pairs of which it is smaller.
///
/// p is two-sided, from a normal approximation with variance (n(n − 1)(2n + 5) − Σt(t − 1)(2t + 5))/18 over the runs
/// of t equal values, and a continuity correction. `None` below four values, for values all alike, and for values
/// that are not finite. O(n log n).
///
/// Mann, Econometrica 13 (1945); Kendall, Rank Correlation Methods (4th ed., 1975), §4.
#[must_use]
pub(crate) fn mann_kendall(values: &[f64]) -> Option<Test> {
    let n = values.len();
    let ranks = midranks(values).filter(|_| n >= 4)?;
    // Of each pair: counted in a Fenwick tree over doubled midranks, which are at most 2n.
    let mut seen = vec![0_i64; 2 * n + 1];
    let mut s = 0_i64;
    for (before, &rank) in (0_i64..).zip(&ranks.doubled) {
        let below = up_to(&seen, rank - 1);
        let above = before - up_to(&seen, rank);
        s += below - above;
        let mut at = rank;
        while at <= 2 * n {
            seen[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    let term = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
    let ties: f64 = ranks.ties.iter().map(|t| term(*t as f64)).sum();
    let variance = (term(n as f64) - ties) / 18.0;
    if variance <= 0.0 {
        return None;
    }
    // S goes in steps of two: half a step is 1, so both are halved for a correction of ½.
    let p = normal_p(s as f64 / 2.0, variance.sqrt() / 2.0, Alternative::TwoSided);
    Some(Test { statistic: s as f64, p, method: PMethod::Normal })
}

/// How many were counted at places 1 to `at`.
fn up_to(seen: &[i64], mut at: usize) -> i64 {
    let mut sum = 0;
    while at > 0 {
        sum += seen[at];
        at &= at - 1;
    }
    sum
}

/// Values beyond so many are put together: their pairs are all looked at.
const SLOPES_OF: usize = 200;

/// Theil–Sen's slope: the median of (xⱼ − xᵢ)/(j − i) over all pairs i < j of values in time order, per step. Of more
/// than 200 values it is that of 200 means of consecutive ones. `None` below two values. O(n).
///
/// Sen, J. American Statistical Association 63 (1968).
#[must_use]
pub(crate) fn theil_sen(values: &[f64]) -> Option<f64> {
    let bins = values.len().min(SLOPES_OF);
    let end = |bin: usize| values.len() * bin / bins.max(1);
    let point = |bin: usize| {
        let (first, end) = (end(bin), end(bin + 1));
        Some(((first + end - 1) as f64 / 2.0, mean(&values[first..end])?))
    };
    let points: Option<Vec<(f64, f64)>> = (0..bins).map(point).collect();
    let points = points?;
    let mut slopes = Vec::with_capacity(bins * bins.saturating_sub(1) / 2);
    for (i, a) in points.iter().enumerate() {
        slopes.extend(points[i + 1..].iter().map(|b| (b.1 - a.1) / (b.0 - a.0)));
    }
    if slopes.is_empty() {
        return None;
    }
    // The two middle ones, or the middle one twice, without sorting all.
    let (all, half) = (slopes.len(), slopes.len() / 2);
    let (below, &mut upper, _) = slopes.select_nth_unstable_by(half, f64::total_cmp);
    let lower = match all % 2 {
        0 => below.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        _ => upper,
    };
    median(&Sorted::from_vec(vec![lower, upper]).ok()?)
}

/// Where values in time order change level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Index of the first value after it.
    pub at: usize,
    /// The two-sided p that there is no such place.
    pub p: f64,
}

/// Pettitt's test that values in time order have one level. Its statistic is K, the largest |2Σr − t(n + 1)| over the
/// sums of the first t midranks; `at` is the first t that has it.
///
/// p is 2·exp(−6K²/(n³ + n²)), at most 1, which is too large rather than too small. `None` below four values, for
/// values all alike, and for values that are not finite. O(n log n).
///
/// Pettitt, J. Royal Statistical Society C 28 (1979).
#[must_use]
pub(crate) fn pettitt(values: &[f64]) -> Option<Step> {
    let n = values.len();
    let ranks = midranks(values).filter(|ranks| n >= 4 && ranks.ties != [n])?;
    let (mut sum, mut largest, mut at) = (0_i64, 0, 0);
    for (t, &doubled) in (1..n).zip(&ranks.doubled) {
        sum += i64::try_from(doubled).ok()? - i64::try_from(n + 1).ok()?;
        if sum.abs() > largest {
            (largest, at) = (sum.abs(), t);
        }
    }
    let (k, n) = (largest as f64, n as f64);
    let p = (2.0 * (-6.0 * k * k / (n * n * n + n * n)).exp()).min(1.0);
    Some(Step { at, p })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Would catch a wrong count of pairs, ties included, and a variance that SciPy's Kendall test does not have.
    #[test]
    fn pairs_are_counted_as_the_definition_says() {
        let mut random = Random::new(5);
        for n in [4, 5, 17, 60] {
            for distinct in [2, 5, 1000] {
                let values: Vec<f64> = (0..n).map(|_| random.below(distinct) as f64).collect();
                let mut s = 0.0;
                for (i, a) in values.iter().enumerate() {
                    s += values[i + 1..]
                        .iter()
                        .map(|b| (b - a).partial_cmp(&0.0))
                        .fold(0.0, |sum, it| sum + f64::from(it.map_or(0, |it| it as i8)));
                }
                if let Some(test) = mann_kendall(&values) {
                    assert!((test.statistic - s).abs() < 0.5, "{values:?}");
                }
            }
        }
    }

    /// Would catch a variance, a correction or an exponent that differs from the published formulas.
    #[test]
    fn known_series_have_known_p() {
        let rising: Vec<f64> = (0..10).map(f64::from).collect();
        let test = mann_kendall(&rising).unwrap();
        // S = 45, variance 10·9·25/18 = 125, z = 44/√125.
        assert!((test.statistic - 45.0).abs() < 1e-12);
        assert!((test.p - 8.303_070_332_641e-5).abs() < 1e-12, "{}", test.p);
        assert!((theil_sen(&rising).unwrap() - 1.0).abs() < 1e-12);
        // With ties: S, its variance and the slopes as SciPy's `kendalltau` and `theilslopes` have them.
        let tied = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9].map(f64::from);
        let test = mann_kendall(&tied).unwrap();
        assert!((test.statistic - 55.0).abs() < 1e-12);
        assert!((test.p - 0.006_863_794_985_449_032).abs() < 1e-14, "{}", test.p);
        assert!((theil_sen(&tied).unwrap() - 4.0 / 9.0).abs() < 1e-12);
        let mut step = vec![1.0, 3.0, 2.0, 4.0, 0.0];
        step.extend([10.0, 12.0, 11.0, 14.0, 13.0]);
        let found = pettitt(&step).unwrap();
        // K = 25: 2·exp(−6·625/1100).
        assert_eq!(found.at, 5);
        assert!((found.p - 2.0 * (-3750.0_f64 / 1100.0).exp()).abs() < 1e-12);
        assert_eq!(mann_kendall(&[1.0; 9]), None);
        assert_eq!(pettitt(&[1.0; 9]), None);
        let long: Vec<f64> = (0..1000).map(|i| 3.0 - 0.25 * f64::from(i)).collect();
        assert!((theil_sen(&long).unwrap() + 0.25).abs() < 1e-9);
    }

    /// Would catch tests that find trends or steps in what has none more often than they say.
    #[test]
    fn steady_values_are_seldom_called_otherwise() {
        let mut random = Random::new(8);
        let (mut trends, mut steps) = (0, 0);
        for _ in 0..1000 {
            let values: Vec<f64> = (0..30).map(|_| random.uniform().powi(4)).collect();
            trends += u32::from(mann_kendall(&values).unwrap().p <= 0.05);
            steps += u32::from(pettitt(&values).unwrap().p <= 0.05);
        }
        assert!((30..=70).contains(&trends), "{trends}");
        assert!(steps <= 60, "{steps}");
    }
}
