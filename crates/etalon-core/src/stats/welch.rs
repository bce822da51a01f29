//! Means compared by Student's t: Welch's test for two independent samples, all pairs of several,
//! and the interval of one mean.
//!
//! For independent values that are roughly normal, or many: one value per process or block, never
//! the iterations within one. Where nothing varies there is no answer, and the reason is typed.

use super::correction::{Correction, adjust};
use super::effect_size::pooled_d;
use super::interval::{InsufficientData, Interval, check_level};
use super::moments::mean;
use super::student_t::{student_t_quantile, student_t_two_sided};
use super::summaries::{Noise, Summaries, Summary};

/// The result of Welch's test of two samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Welch {
    /// Mean of the first sample, unit of the values.
    pub mean_a: f64,
    /// Mean of the second.
    pub mean_b: f64,
    /// First mean less second, computed from the values: it keeps digits that the two means, each
    /// rounded, have lost.
    pub difference: f64,
    /// The t interval of the difference of the means.
    pub interval: Interval,
    /// The difference in its standard errors.
    pub t: f64,
    /// Welch–Satterthwaite degrees of freedom, from min(m, n) − 1 to m + n − 2, not whole.
    pub df: f64,
    /// Two-sided p in (0, 1]. Where it would underflow it is the smallest normal number, 2·10⁻³⁰⁸,
    /// and means "at most".
    pub p: f64,
    /// Cohen's d with the pooled standard deviation (see [`super::cohens_d`]).
    pub cohens_d: f64,
}

/// Welch's t test of equal means, variances not assumed equal, and the interval of ā − b̄ at `level`.
/// With vₐ = s²ₐ/m, v_b = s²_b/n (n − 1 in both variances): t = (ā − b̄)/√(vₐ + v_b) and
/// df = (vₐ + v_b)²/(vₐ²/(m − 1) + v_b²/(n − 1)). One side without spread is no obstacle. O(m + n).
///
/// Welch, Biometrika 34 (1947); Satterthwaite, Biometrics Bulletin 2 (1946).
///
/// # Errors
/// Fewer than two values on a side; no spread on either side, whether the sides are equal
/// ([`InsufficientData::ZeroVariance`]) or not ([`InsufficientData::ZeroVarianceWithin`]); a value, t or an end of the
/// interval that is not a finite number; a `level` outside (0, 1).
pub fn welch(a: &[f64], b: &[f64], level: f64) -> Result<Welch, InsufficientData> {
    check_level(level)?;
    let both = Summaries::new(&[a, b])?;
    let (x, y) = (&both.samples[0], &both.samples[1]);
    let Noise { error, df } = noise(&both)?;
    let difference = x.less(y);
    let t = difference / error;
    if !t.is_finite() {
        return Err(InsufficientData::NotFinite);
    }
    Ok(Welch {
        mean_a: mean(a).ok_or(InsufficientData::Empty)?,
        mean_b: mean(b).ok_or(InsufficientData::Empty)?,
        difference: both.unscaled(difference)?,
        interval: t_interval(&both, difference, Noise { error, df }, level)?,
        t,
        df,
        p: student_t_two_sided(t, df).max(f64::MIN_POSITIVE),
        cohens_d: pooled_d(x, y)?,
    })
}

/// The standard error of the difference of two means, in the unit of the values, and its degrees of freedom.
/// Sides without spread have an error of 0.
///
/// # Errors
/// As [`welch`], but for zero variance.
pub(super) fn welch_noise(a: &[f64], b: &[f64]) -> Result<Noise, InsufficientData> {
    let both = Summaries::new(&[a, b])?;
    match noise(&both) {
        Ok(Noise { error, df }) => Ok(Noise { error: both.unscaled(error)?, df }),
        Err(InsufficientData::ZeroVariance | InsufficientData::ZeroVarianceWithin) => {
            Ok(Noise { error: 0.0, df: 1.0 })
        }
        Err(lacking) => Err(lacking),
    }
}

/// The noise in the unit of the summaries.
fn noise(both: &Summaries) -> Result<Noise, InsufficientData> {
    let (x, y) = (&both.samples[0], &both.samples[1]);
    let largest = both.largest_spread()?;
    // Variances of the means in units of the larger variance, which their squares cannot leave.
    let variance = |side: &Summary| (side.spread / largest).powi(2) / side.n;
    let (v, w) = (variance(x), variance(y));
    let df = (v + w).powi(2) / (v * v / (x.n - 1.0) + w * w / (y.n - 1.0));
    Ok(Noise { error: (v + w).sqrt() * largest, df })
}

/// The t interval of the mean, x̄ ± t·s/√n at `level`, t with n − 1 degrees of freedom. O(n).
///
/// It covers what it says for independent, normal values. Rare large values break that: with a few
/// spikes in hundreds of values a nominal 95 % may be far less.
///
/// Student, Biometrika 6 (1908).
///
/// # Errors
/// Fewer than two values, all equal, a value or an end that is not finite, a `level` outside (0, 1).
pub fn mean_interval(values: &[f64], level: f64) -> Result<Interval, InsufficientData> {
    check_level(level)?;
    let one = Summaries::new(&[values])?;
    one.largest_spread()?;
    let Summary { n, mean, spread, .. } = one.samples[0];
    t_interval(&one, mean, Noise { error: spread / n.sqrt(), df: n - 1.0 }, level)
}

/// `centre` ± t·error in the unit of the values; `centre` and its noise are scaled.
fn t_interval(
    scale: &Summaries,
    centre: f64,
    noise: Noise,
    level: f64,
) -> Result<Interval, InsufficientData> {
    let half = -student_t_quantile((1.0 - level) / 2.0, noise.df) * noise.error;
    let (lo, hi) = (scale.unscaled(centre - half)?, scale.unscaled(centre + half)?);
    Ok(Interval { lo, hi, level })
}

/// One pair of [`pairwise_welch`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WelchPair {
    /// Position of the first group.
    pub a: usize,
    /// Position of the second group, after the first.
    pub b: usize,
    /// The test of this pair alone, its p not adjusted.
    pub welch: Result<Welch, InsufficientData>,
    /// p adjusted for all pairs, to be compared with alpha; `None` where there is no test.
    pub adjusted_p: Option<f64>,
}

/// Welch's test of every pair of groups, in the order (0, 1), (0, 2), …, (1, 2), …, with p adjusted
/// over all k(k − 1)/2 of them: a pair without a test stays in the family with p = 1, so that a
/// missing one makes no other more significant. Intervals are of each pair alone, not simultaneous.
/// Fewer than two groups have no pairs. O(k·values).
#[must_use]
pub fn pairwise_welch(groups: &[&[f64]], level: f64, correction: Correction) -> Vec<WelchPair> {
    let pairs = (0..groups.len()).flat_map(|a| (a + 1..groups.len()).map(move |b| (a, b)));
    let tests: Vec<_> = pairs.map(|(a, b)| (a, b, welch(groups[a], groups[b], level))).collect();
    let p: Vec<f64> = tests.iter().map(|(_, _, test)| test.map_or(1.0, |test| test.p)).collect();
    let adjusted = adjust(&p, correction);
    let pair = |((a, b, welch), p): ((usize, usize, Result<Welch, InsufficientData>), f64)| {
        let adjusted_p = welch.is_ok().then_some(p);
        WelchPair { a, b, welch, adjusted_p }
    };
    tests.into_iter().zip(adjusted).map(pair).collect()
}
