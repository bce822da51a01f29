//! Two samples on one scale: estimate, interval and tests of their shift, stretched where values depend on the ones
//! before them.

use std::sync::Arc;

use super::Scale;
use crate::sample::{Sample, median_in};
use crate::stats::{
    self, Alternative, Dependence, InsufficientData, Interval, Shift, SignedBlocks, Sorted,
    Stretch, Test,
};

/// The p of normality below which values are not near-normal.
const UNLIKELY: f64 = 0.05;

/// So many values show a distribution.
const SHOWN: usize = 200;

/// The compared values in time order: so many per block, or all of either side on a scale.
enum Values<'a> {
    Blocks(Vec<f64>, usize),
    Independent(Independent<'a>, Scale),
}

/// Values in order of size, sorted once for all that ask for it.
enum SortedValues {
    Blocks(SignedBlocks),
    Independent { base: Sorted, candidate: Sorted },
}

/// Two independent samples, and the serial dependence of each, which is the same on every scale.
#[derive(Clone, Copy)]
pub(super) struct Independent<'a> {
    base: &'a Sample,
    candidate: &'a Sample,
    dependence: [Option<Dependence>; 2],
}

impl<'a> Independent<'a> {
    pub(super) fn new(base: &'a Sample, candidate: &'a Sample) -> Independent<'a> {
        let dependence = [candidate, base].map(Sample::dependence);
        Independent { base, candidate, dependence }
    }

    /// Candidate and base on a scale, in time order.
    fn on(&self, scale: Scale) -> [Vec<f64>; 2] {
        let on = on(scale);
        [self.candidate, self.base].map(|of| of.values.iter().copied().map(on).collect())
    }
}

/// The transformation of a scale for a value of one of two independent samples: it keeps their order.
fn on(scale: Scale) -> fn(f64) -> f64 {
    match scale {
        Scale::Ratio => f64::ln,
        Scale::Difference => |value| value,
    }
}

/// The means of blocks of so many values.
#[allow(clippy::cast_precision_loss)] // a few builds
pub(super) fn block_means(values: &[f64], each: usize) -> Vec<f64> {
    let mean = |block: &[f64]| block.iter().sum::<f64>() / block.len() as f64;
    values.chunks(each.max(1)).map(mean).collect()
}

/// Values of one scale, and their shift.
pub(super) struct Scaled<'a> {
    values: Values<'a>,
    /// Absent if a value is not finite, and of parts.
    sorted: Option<SortedValues>,
    /// By how much serial dependence widens what they say.
    pub(super) stretch: Option<Stretch>,
    /// The shift of the candidate, with intervals of two levels.
    shifts: Option<[Shift; 2]>,
}

impl<'a> Scaled<'a> {
    /// Values of blocks, `each` of every block, to which a `family` lends its dependence. Blocks depend on one another
    /// as their means do.
    pub(super) fn in_blocks(
        (values, each): (Vec<f64>, usize),
        levels: [f64; 2],
        family: Option<Dependence>,
    ) -> Scaled<'a> {
        let stretch = match each {
            1 => Stretch::from_values(&values, family),
            _ => Stretch::from_values(&block_means(&values, each), family),
        };
        let blocks = SignedBlocks::new(&values, each).ok();
        let shifts = blocks.as_ref().and_then(|blocks| blocks.shift_at(levels));
        let sorted = blocks.map(SortedValues::Blocks);
        let shifts = shifts.map(|shifts| shifts.map(|shift| stretched(shift, stretch)));
        Scaled { values: Values::Blocks(values, each), sorted, stretch, shifts }
    }

    /// Values of blocks that are compared part by part: that they have a shift is said, by their median, and nothing of it
    /// is looked at.
    pub(super) fn in_parts((values, each): (Vec<f64>, usize)) -> Scaled<'a> {
        let is_finite = values.iter().all(|value| value.is_finite());
        let median = median_in(&mut values.clone()).filter(|_| is_finite);
        let interval = Err(InsufficientData::Empty);
        let shifts = median.map(|estimate| [Shift { estimate, interval }; 2]);
        Scaled { values: Values::Blocks(values, each), sorted: None, stretch: None, shifts }
    }

    /// Two samples on a scale. Where nobody looks at the second interval, the first stands in its place, unless the
    /// second might be beyond what a double holds on the scale of ratios: that also decides whether there is a ratio.
    pub(super) fn independent(
        samples: Independent<'a>,
        scale: Scale,
        levels: [f64; 2],
        both: bool,
    ) -> Scaled<'a> {
        let stretch = Stretch::from_sides(samples.dependence, || samples.on(scale));
        let sorted = |of: &Sample| of.sorted().mapped(on(scale)).ok();
        let sorted = sorted(samples.base).zip(sorted(samples.candidate));
        let shifts = sorted.as_ref().and_then(|(base, candidate)| {
            let at = |levels| stats::two_sample_at(candidate, base, levels);
            if both {
                return at(levels);
            }
            let [shift] = stats::two_sample_at(candidate, base, [levels[0]])?;
            let hi = candidate.max()? - base.min()?;
            let widest = Interval { lo: shift.estimate, hi, level: levels[1] };
            let widest = stretched(Shift { interval: Ok(widest), ..shift }, stretch);
            if scale == Scale::Difference || is_held(&widest) {
                return Some([shift; 2]);
            }
            at(levels)
        });
        let shifts = shifts.map(|shifts| shifts.map(|shift| stretched(shift, stretch)));
        let sorted = sorted.map(|(base, candidate)| SortedValues::Independent { base, candidate });
        Scaled { values: Values::Independent(samples, scale), sorted, stretch, shifts }
    }

    /// The shift of the candidate, with an interval of each level.
    pub(super) fn shifts(&self) -> Option<[Shift; 2]> {
        self.shifts
    }

    /// The estimate of that shift.
    pub(super) fn estimate(&self) -> Option<f64> {
        self.shifts.map(|[shift, _]| shift.estimate)
    }

    /// The values of blocks (their means, where they hold several) about their estimate, ascending, where they are not
    /// near-normal: normal values are taken for others in [`UNLIKELY`] of cases. Of many so many, evenly. Absent of few,
    /// which show no shape.
    pub(super) fn shape(&self) -> Option<Arc<[f64]>> {
        let Values::Blocks(values, each) = &self.values else { return None };
        // Of parts no shape is looked at.
        let (estimate, _) = self.estimate().zip(self.sorted.as_ref())?;
        let values = Sorted::from_vec(block_means(values, *each)).ok()?;
        if stats::anderson_darling(&values).ok()?.p >= UNLIKELY {
            return None;
        }
        let values = values.as_slice();
        let shown = values.len().min(SHOWN);
        let at = |place: usize| values[(2 * place + 1) * values.len() / (2 * shown)] - estimate;
        Some((0..shown).map(at).collect())
    }

    /// The test of a shift.
    pub(super) fn test(
        &self,
        shift: f64,
        alternative: Alternative,
    ) -> Result<Test, InsufficientData> {
        let plain = self.plain(shift, alternative)?;
        let Some((stretch, found)) = self.stretch.zip(self.estimate()) else { return Ok(plain) };
        let p_of = |shift| self.plain(shift, alternative).map(|test| test.p);
        Ok(Test { p: stretch.p(found, shift, alternative, p_of)?, ..plain })
    }

    /// The test of independent values.
    fn plain(&self, shift: f64, alternative: Alternative) -> Result<Test, InsufficientData> {
        match self.sorted.as_ref().ok_or(InsufficientData::NotFinite)? {
            SortedValues::Blocks(blocks) => blocks.signed_rank(shift, alternative),
            SortedValues::Independent { base, candidate } => {
                stats::brunner_munzel_moved(candidate, shift, base, alternative)
            }
        }
    }

    /// p of the test that the candidate's values are larger, or smaller, with so many values of base and candidate more
    /// that are beyond all others: large ones, or small ones.
    pub(super) fn with_lost(
        &self,
        (base, candidate): (usize, usize),
        lost: f64,
        alternative: Alternative,
    ) -> Option<f64> {
        let with = |values: &[f64], more: usize, far: f64| -> Vec<f64> {
            values.iter().copied().chain(std::iter::repeat_n(far, more)).collect()
        };
        let all = |values: &[f64]| values.iter().fold(1.0, |a: f64, v| a.max(v.abs()));
        let test = match &self.values {
            Values::Blocks(values, each) => {
                let far = 2.0 * lost * all(values);
                let values = with(&with(values, candidate * each, far), base * each, -far);
                SignedBlocks::new(&values, *each).ok()?.signed_rank(0.0, alternative)
            }
            Values::Independent(samples, scale) => {
                let [b, a] = samples.on(*scale);
                let far = 2.0 * lost * all(&a).max(all(&b));
                stats::brunner_munzel(&with(&b, candidate, far), &with(&a, base, far), alternative)
            }
        };
        Some(test.ok()?.p)
    }
}

/// Whether the ratio that a shift of logarithms is, and its interval, are within what a double holds.
pub(super) fn is_held(shift: &Shift) -> bool {
    let widest = shift.interval.as_ref().map_or(0.0, |interval| interval.hi);
    shift.estimate.exp().is_finite() && widest.exp().is_finite()
}

/// A shift with its limits moved by serial dependence, where there is some.
fn stretched(shift: Shift, stretch: Option<Stretch>) -> Shift {
    stretch.map_or(shift, |stretch| stretch.shift(shift))
}
