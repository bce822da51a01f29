//! How far two samples are apart at one of their quantiles, with an interval.
//!
//! Owns the distribution-free interval of a quantile, and how those of two are put together. Refuses to pair:
//! of values that were measured in the same blocks the interval is too wide rather than too narrow.

use super::interval::{InsufficientData, Interval, check_level};
use super::quantile::quantile;
use super::sorted::Sorted;
use statrs::function::beta::beta_reg;

/// The interval [x₍ₗ₎, x₍ᵤ₎] of the population's `q` quantile: the narrowest ends of which each is missed with at most
/// half of what `level` leaves, by the binomial distribution. Distribution-free; assumes independent values.
/// O(log n) evaluations of the incomplete beta function.
///
/// Conover, Practical Nonparametric Statistics (3rd ed.), §3.2; `scipy.stats.quantile_test` does the same.
///
/// # Errors
/// [`InsufficientData::TooFew`] if an end would lie beyond the values; [`InsufficientData::LevelOutOfRange`], also for
/// a `q` outside (0, 1); [`InsufficientData::Empty`].
pub fn quantile_interval(
    sorted: &Sorted,
    q: f64,
    level: f64,
) -> Result<Interval, InsufficientData> {
    check_level(level)?;
    check_level(q)?;
    let values = sorted.as_slice();
    let n = values.len();
    if n == 0 {
        return Err(InsufficientData::Empty);
    }
    let miss = (1.0 - level) / 2.0;
    // How many values lie below the quantile is binomial: x₍ᵣ₎ (from 1) is above it with P(B ≤ r − 1).
    let below = first(n + 1, |k| at_most(k, n, q) > miss);
    let above = first(n + 1, |k| 1.0 - at_most(k, n, q) <= miss);
    if below == 0 || above >= n {
        return Err(InsufficientData::TooFew { needs: needed(q, miss).max(n + 1) });
    }
    Ok(Interval { lo: values[below - 1], hi: values[above], level })
}

/// The candidate's quantile less that of the base, with its interval: square-and-add of the intervals of both.
///
/// Zou & Donner, Statistics in Medicine 27 (2008): the method of variance estimates recovery.
#[must_use]
pub fn quantile_shift(
    base: &Sorted,
    candidate: &Sorted,
    q: f64,
    level: f64,
) -> Option<(f64, Result<Interval, InsufficientData>)> {
    let (b, c) = (quantile(base, q)?, quantile(candidate, q)?);
    let intervals = quantile_interval(base, q, level)
        .and_then(|of_base| Ok((of_base, quantile_interval(candidate, q, level)?)));
    let interval = intervals.map(|(of_base, of_candidate)| Interval {
        lo: c - b - (c - of_candidate.lo).hypot(of_base.hi - b),
        hi: c - b + (of_candidate.hi - c).hypot(b - of_base.lo),
        level,
    });
    Some((c - b, interval))
}

/// P(B ≤ k), B ~ Binomial(n, q).
fn at_most(k: usize, n: usize, q: f64) -> f64 {
    if k >= n { 1.0 } else { beta_reg((n - k) as f64, k as f64 + 1.0, 1.0 - q) }
}

/// The first of 0, 1, … `end` for which `holds`, which goes on to hold.
fn first(end: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut lo, mut hi) = (0, end);
    while lo < hi {
        let middle = usize::midpoint(lo, hi);
        if holds(middle) { hi = middle } else { lo = middle + 1 }
    }
    lo
}

/// The smallest n of which both ends are among the values.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // above 0
fn needed(q: f64, miss: f64) -> usize {
    (miss.ln() / q.max(1.0 - q).ln()).ceil().max(1.0) as usize
}
