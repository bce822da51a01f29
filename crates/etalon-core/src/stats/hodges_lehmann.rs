//! Hodges–Lehmann estimates of location and shift, with the intervals that invert the rank tests.
//!
//! Both are order statistics of all pairwise values, found by [`super::selection`] without forming
//! the pairs.

use super::interval::{InsufficientData, Interval, check_level, covers};
use super::mann_whitney::{mann_whitney_critical, mann_whitney_smallest_p};
use super::selection::{Averages, Differences, Selection, Staircase};
use super::signed_rank::{signed_rank_critical, signed_rank_smallest_p};
use super::sorted::Sorted;

/// A location or shift with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// The point estimate, unit of the values.
    pub estimate: f64,
    /// The interval that inverts the matching test, or why there is none.
    pub interval: Result<Interval, InsufficientData>,
}

/// Location of a sample: the median of its N = n(n + 1)/2 Walsh averages (xᵢ + xⱼ)/2, i ≤ j.
///
/// The interval [A₍c₊₁₎, A₍N₋c₎] holds the centres the signed-rank test at 1 − `level` does not
/// reject; c from [`super::signed_rank_critical`], the distribution without ties. It is closed, so
/// ties only make it conservative: its coverage stays at least `level` (Noether 1967). Unit of the
/// values. `None` for an empty sample. About O(n log n), memory O(n).
///
/// Hodges & Lehmann, Annals of Mathematical Statistics 34 (1963); Noether, "Wilcoxon Confidence
/// Intervals for Location Parameters in the Discrete Case", J. American Statistical Association 62
/// (1967).
#[must_use]
pub fn one_sample(sorted: &Sorted, level: f64) -> Option<Shift> {
    let mut averages = Selection::new(Averages::new(sorted));
    let cut = signed_rank_critical(sorted.len(), level);
    shift(&mut averages, cut, level, signed_rank_smallest_p)
}

/// Shift of `x` against `y`: the median of the N = mn differences xᵢ − yⱼ.
///
/// The interval [D₍c₊₁₎, D₍N₋c₎] holds the shifts the Mann–Whitney test at 1 − `level` does not
/// reject; c from [`super::mann_whitney_critical`], otherwise as [`one_sample`]. Unit of the
/// values. `None` if either sample is empty or the shift is too large to be a number. About
/// O((m + n) log(m + n)), memory O(m + n).
///
/// Hodges & Lehmann (1963); Lehmann, Nonparametrics (1975), §2.6.
#[must_use]
pub fn two_sample(x: &Sorted, y: &Sorted, level: f64) -> Option<Shift> {
    let mut differences = Selection::new(Differences::new(x, y));
    let cut = mann_whitney_critical(x.len(), y.len(), level);
    shift(&mut differences, cut, level, mann_whitney_smallest_p)
}

/// The median of the pairwise values, and the interval that leaves out `cut` at each end.
fn shift<S: Staircase>(
    pairs: &mut Selection<S>,
    cut: Option<u64>,
    level: f64,
    smallest_p: fn(usize) -> f64,
) -> Option<Shift> {
    let total = pairs.total();
    let middle = (pairs.kth(total.div_ceil(2))?, pairs.kth(total / 2 + 1)?);
    let estimate = f64::midpoint(middle.0, middle.1);
    let mut interval = || {
        check_level(level)?;
        let Some(cut) = cut else {
            let enough = |n: &usize| covers(smallest_p(*n) / 2.0, level);
            return Err(InsufficientData::TooFew {
                needs: (1..).find(enough).unwrap_or(usize::MAX),
            });
        };
        match (pairs.kth(cut + 1), pairs.kth(total - cut)) {
            (Some(lo), Some(hi)) if lo.is_finite() && hi.is_finite() => {
                Ok(Interval { lo, hi, level })
            }
            _ => Err(InsufficientData::NotFinite),
        }
    };
    let interval = interval();
    estimate.is_finite().then_some(Shift { estimate, interval })
}
