//! Hypothesis tests: their questions, their answers, and the two ways from a statistic to p.

use super::interval::covers;
use super::normal::{normal_quantile, normal_sf};

/// Which departures from the null hypothesis count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alternative {
    /// Either direction.
    TwoSided,
    /// The values (the first sample's values) tend to be smaller.
    Less,
    /// The values (the first sample's values) tend to be larger.
    Greater,
}

/// How a p value was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PMethod {
    /// From the exact distribution of the statistic, given the ties and zeros of the data.
    Exact,
    /// From a normal approximation with tie and zero corrections and continuity correction.
    Normal,
    /// From Student's t distribution.
    StudentT,
    /// From the half-width of an interval between runs.
    BetweenRuns,
}

/// The answer of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    /// The statistic; each test says which.
    pub statistic: f64,
    /// Probability of a statistic at least as far out under the null hypothesis, in [0, 1].
    pub p: f64,
    /// How p was computed.
    pub method: PMethod,
}

/// p from exact tails. Two-sided: twice the smaller, at most 1.
pub(super) fn exact_p(Tails { lower, upper }: Tails, alternative: Alternative) -> f64 {
    match alternative {
        Alternative::Less => lower,
        Alternative::Greater => upper,
        Alternative::TwoSided => (2.0 * lower.min(upper)).min(1.0),
    }
}

/// The tails of an exact distribution at a statistic s.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tails {
    /// P(S ≤ s).
    pub(crate) lower: f64,
    /// P(S ≥ s).
    pub(crate) upper: f64,
}

/// The normal approximation of a statistic's distribution.
#[derive(Debug, Clone, Copy)]
pub(super) struct NormalApproximation {
    pub(super) mean: f64,
    /// The standard deviation.
    pub(super) sd: f64,
}

/// p of a statistic `deviation` above its mean, in a normal approximation with standard deviation
/// `sd` > 0. The continuity correction of ½ moves the statistic towards its mean, not past it
/// where the alternative is two-sided.
pub(super) fn normal_p(deviation: f64, sd: f64, alternative: Alternative) -> f64 {
    match alternative {
        Alternative::Less => normal_sf((-deviation - 0.5) / sd),
        Alternative::Greater => normal_sf((deviation - 0.5) / sd),
        Alternative::TwoSided => (2.0 * normal_sf((deviation.abs() - 0.5) / sd)).min(1.0),
    }
}

/// The largest c ≥ 0 with 1 − 2·P(S ≤ c) ≥ `level` in the approximation of [`normal_p`]: how much
/// an interval that inverts the test may cut off at each end. `None` if there is none.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // not negative where it counts
pub(super) fn normal_critical(of: NormalApproximation, level: f64) -> Option<u64> {
    let NormalApproximation { mean, sd } = of;
    let fits = |c: f64| covers(normal_p(c - mean, sd, Alternative::Less), level);
    let z = normal_quantile((1.0 - level) / 2.0);
    // The solution up to rounding, so one step to each side settles it.
    let near = (mean - 0.5 + z * sd).floor();
    let largest = [near + 1.0, near, near - 1.0].into_iter().find(|&c| fits(c))?;
    (largest >= 0.0).then_some(largest as u64)
}

/// The smallest n whose `smallest_p(n)` is at most `alpha`.
///
/// An `alpha` that is not a positive normal number counts as the smallest one, so that a search
/// over p values that shrink with n ends.
pub(super) fn needed(alpha: f64, smallest_p: impl Fn(usize) -> f64) -> usize {
    let alpha = alpha.max(f64::MIN_POSITIVE);
    (1..).find(|&n| smallest_p(n) <= alpha).unwrap_or(usize::MAX)
}
