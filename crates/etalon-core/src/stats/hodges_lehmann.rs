//! Hodges–Lehmann estimates of location and shift, with the intervals that invert the rank tests.
//!
//! Both are order statistics of all pairwise values, found by [`super::selection`] without forming
//! the pairs.

use super::brunner_munzel::{brunner_munzel_smallest_p, tails};
use super::interval::{InsufficientData, Interval, check_level, covers};
use super::normal::normal_quantile;
use super::placements::Placements;
use super::quantile::quartiles;
use super::remembered::Remembered;
use super::selection::{Averages, Differences, Selection, middle_number};
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
    one_sample_at(sorted, [level]).map(|[shift]| shift)
}

/// One-sample shift with an interval of each level: the search for the next starts from the one before.
pub(crate) fn one_sample_at<const N: usize>(
    sorted: &Sorted,
    levels: [f64; N],
) -> Option<[Shift; N]> {
    let mut averages = Selection::new(Averages::new(sorted));
    let estimate = averages.median().filter(|estimate| estimate.is_finite())?;
    Some(levels.map(|level| {
        let interval = inner(&mut averages, signed_rank_critical(sorted.len(), level), level);
        Shift { estimate, interval }
    }))
}

/// Shift of `x` against `y`: the median of the mn differences xᵢ − yⱼ.
///
/// The interval holds the shifts that the Brunner–Munzel test at 1 − `level` does not reject, its exact
/// distribution taken without ties. Its ends are found by bisection from the estimate outwards; they are
/// differences themselves, and belong to it: with ties it is conservative, and need not agree with the test. Unit
/// of the values. `None` if either sample is empty or the shift is too large to be a number. About
/// O((m + n) log(m + n)), memory O(m + n).
///
/// Hodges & Lehmann (1963); Brunner & Munzel, Biometrical J. 42 (2000).
#[must_use]
pub fn two_sample(x: &Sorted, y: &Sorted, level: f64) -> Option<Shift> {
    two_sample_at(x, y, [level]).map(|[shift]| shift)
}

/// Two-sample shift with an interval of each level.
pub(crate) fn two_sample_at<const N: usize>(
    x: &Sorted,
    y: &Sorted,
    levels: [f64; N],
) -> Option<[Shift; N]> {
    let mut differences = Selection::new(Differences::new(x, y));
    let estimate = differences.median().filter(|estimate| estimate.is_finite())?;
    let interval = |level| {
        check_level(level)?;
        let smallest_p = brunner_munzel_smallest_p(x.len(), y.len());
        if !covers(smallest_p / 2.0, level) {
            return Err(too_few(level, |n| brunner_munzel_smallest_p(n, n)));
        }
        let lo = 0.0 - upper_difference(y, x, -estimate, level);
        let hi = upper_difference(x, y, estimate, level);
        let exists = lo.is_finite() && hi.is_finite();
        exists.then_some(Interval { lo, hi, level }).ok_or(InsufficientData::NotFinite)
    };
    Some(levels.map(|level| Shift { estimate, interval: interval(level) }))
}

/// The last shift of x against y, from the estimate upwards, that the test does not reject: a difference xᵢ − yⱼ.
fn upper_difference(x: &Sorted, y: &Sorted, estimate: f64, level: f64) -> f64 {
    let largest = x.max().zip(y.min()).map_or(f64::NAN, |(x, y)| x - y);
    upper_end(&Upwards { estimate, largest, level, samples: &[x, y] }, |shift| {
        let placed = Placements::new(x.as_slice(), y.as_slice(), shift);
        let (around, is_on_one) = (placed.around, placed.ties > 0);
        Probe { tail: tails(&placed).lower, around, is_on_one }
    })
}

/// Where the upper end of an interval is looked for.
pub(super) struct Upwards<'a> {
    pub estimate: f64,
    /// The largest of the pairwise values that ends are.
    pub largest: f64,
    pub level: f64,
    /// The samples whose scatter says how far to go at first.
    pub samples: &'a [&'a Sorted],
}

/// An answer of a test about a shift.
pub(super) struct Probe {
    /// The probability of values that are so small against it.
    pub tail: f64,
    /// The pairwise values next to it, between which the test says the same of all shifts.
    pub around: (f64, f64),
    /// Whether it is such a value itself, of which the answer is.
    pub is_on_one: bool,
}

/// The last shift, from the estimate upwards, that a test does not reject: one of the pairwise values between which it
/// does not change. To twelve digits, where there are so many.
///
/// On the normal scale the tail is nearly straight: two probes of three aim, every third halves what is left,
/// which no distribution makes slow.
pub(super) fn upper_end(start: &Upwards<'_>, probe: impl Fn(f64) -> Probe) -> f64 {
    let Upwards { estimate, largest, level, samples } = *start;
    let limit = -normal_quantile((1.0 - level) / 2.0);
    // Not below the first, and not above the second; each with how far its score is from the limit.
    let (mut from, mut to) = ((estimate, -limit), (largest, f64::INFINITY));
    let mut step = 0_u32;
    while let Some(middle) = between(from.0, to.0, step / 3) {
        let aim = match step % 3 {
            2 => middle,
            _ if to.1.is_finite() => from.0 + (to.0 - from.0) * from.1 / (from.1 - to.1),
            // Past the first probe the straight line through it, from the start.
            _ if step > 0 => estimate + (from.0 - estimate) * limit / (limit + from.1),
            _ => {
                let errors = samples.iter().map(|sample| standard_error(sample));
                estimate + limit * errors.fold(0.0, f64::hypot)
            }
        };
        step += 1;
        let shift = if from.0 < aim && aim < to.0 { aim } else { middle };
        let Probe { tail, around: (below, above), is_on_one } = probe(shift);
        let score = -normal_quantile(tail) - limit;
        // The test rejects the values moved down by the shift, as too small. It says the same of all shifts between
        // two neighbouring pairwise values.
        if covers(tail, level) {
            to = (below.max(from.0), score);
        } else {
            from = (if is_on_one { shift } else { above }, score);
        }
    }
    to.0
}

/// The standard error of a normal sample's centre with this interquartile range.
fn standard_error(sorted: &Sorted) -> f64 {
    let spread = quartiles(sorted).map_or(0.0, |found| (found.q3 - found.q1) / 1.349);
    spread / (sorted.len() as f64).sqrt()
}

/// A number between two, ends excluded: in the middle, or every other time in the middle of those that can be
/// represented, which no distribution makes slow. None if the two are the same to twelve digits.
fn between(from: f64, to: f64, step: u32) -> Option<f64> {
    let close = 1e-12 * from.abs().max(to.abs());
    let apart = to - from > close;
    let middle =
        if step.is_multiple_of(2) { f64::midpoint(from, to) } else { middle_number(from, to) };
    (apart && from < middle && middle < to).then_some(middle)
}

thread_local! {
    /// How many values an interval of a level needs.
    static TOO_FEW: Remembered<InsufficientData> = const { Remembered::new() };
}

/// The interval of the pairwise values that leaves out `cut` at each end.
fn inner(
    averages: &mut Selection<Averages<'_>>,
    cut: Option<u64>,
    level: f64,
) -> Result<Interval, InsufficientData> {
    check_level(level)?;
    let Some(cut) = cut else {
        let needs = || too_few(level, signed_rank_smallest_p);
        return Err(TOO_FEW.with(|known| known.get((level, 0.0), needs)));
    };
    let total = averages.total();
    match (averages.kth(cut + 1), averages.kth(total - cut)) {
        (Some(lo), Some(hi)) if lo.is_finite() && hi.is_finite() => Ok(Interval { lo, hi, level }),
        _ => Err(InsufficientData::NotFinite),
    }
}

pub(super) fn too_few(level: f64, smallest_p: impl Fn(usize) -> f64) -> InsufficientData {
    let enough = |n: &usize| covers(smallest_p(*n) / 2.0, level);
    InsufficientData::TooFew { needs: (1..).find(enough).unwrap_or(usize::MAX) }
}
