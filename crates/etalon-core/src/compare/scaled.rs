//! Two samples on one scale: estimate, interval and tests of their shift, stretched where values depend on the ones
//! before them.

use crate::sample::Sample;
use crate::stats::{self, Alternative, Dependence, InsufficientData, Shift, Sorted, Stretch, Test};

/// What is compared, in time order: one value per block, or all values of either side.
pub(super) enum Values {
    Blocks(Vec<f64>),
    Independent { base: Vec<f64>, candidate: Vec<f64> },
}

/// The same in order of size.
enum SortedValues {
    Blocks(Sorted),
    Independent { base: Sorted, candidate: Sorted },
}

/// Two independent samples, and the serial dependence of each, which is the same on every scale.
#[derive(Clone, Copy)]
pub(super) struct Independent<'a> {
    base: &'a Sample,
    candidate: &'a Sample,
    dependence: [Option<Dependence>; 2],
}

impl Independent<'_> {
    pub(super) fn of<'a>(base: &'a Sample, candidate: &'a Sample) -> Independent<'a> {
        let dependence = [candidate, base].map(|of| stats::serial_dependence(&of.values));
        Independent { base, candidate, dependence }
    }
}

/// Values of one scale, and their shift.
pub(super) struct Scaled {
    values: Values,
    /// The same, sorted once for all that asks for their order; absent if one is not finite.
    sorted: Option<SortedValues>,
    /// By how much serial dependence widens what they say.
    pub(super) stretch: Option<Stretch>,
    /// The shift of the candidate, with intervals of two levels.
    shifts: Option<[Shift; 2]>,
}

impl Scaled {
    /// Values of blocks, to which a `family` lends its dependence.
    pub(super) fn of_blocks(
        values: Vec<f64>,
        levels: [f64; 2],
        family: Option<Dependence>,
    ) -> Scaled {
        let stretch = Stretch::of_one(&values, family);
        let sorted = Sorted::new(&values).ok();
        let shifts = sorted.as_ref().and_then(|values| stats::one_sample_at(values, levels));
        Scaled::new(Values::Blocks(values), sorted.map(SortedValues::Blocks), stretch, shifts)
    }

    /// What a function that keeps their order makes of two samples.
    pub(super) fn of_independent(
        samples: Independent<'_>,
        scale: impl Fn(f64) -> f64 + Copy,
        levels: [f64; 2],
    ) -> Scaled {
        let Independent { base, candidate, dependence } = samples;
        let on = |of: &Sample| of.values.iter().copied().map(scale).collect::<Vec<f64>>();
        let sorted = |of: &Sample| of.sorted().mapped(scale).ok();
        let sorted = sorted(base).zip(sorted(candidate));
        let shifts = sorted.as_ref().and_then(|(base, of)| stats::two_sample_at(of, base, levels));
        let sorted = sorted.map(|(base, candidate)| SortedValues::Independent { base, candidate });
        let (base, candidate) = (on(base), on(candidate));
        let stretch = Stretch::of_dependent([&candidate, &base], dependence);
        Scaled::new(Values::Independent { base, candidate }, sorted, stretch, shifts)
    }

    fn new(
        values: Values,
        sorted: Option<SortedValues>,
        stretch: Option<Stretch>,
        shifts: Option<[Shift; 2]>,
    ) -> Scaled {
        let stretched = |shift| stretch.map_or(shift, |stretch| stretch.shift(shift));
        Scaled { values, sorted, stretch, shifts: shifts.map(|shifts| shifts.map(stretched)) }
    }

    /// The shift of the candidate, with an interval of each level.
    pub(super) fn shifts(&self) -> Option<[Shift; 2]> {
        self.shifts
    }

    /// The estimate of that shift.
    pub(super) fn estimate(&self) -> Option<f64> {
        self.shifts.map(|[shift, _]| shift.estimate)
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
            SortedValues::Blocks(values) => stats::signed_rank_around(values, shift, alternative),
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
            Values::Blocks(values) => {
                let far = 2.0 * lost * all(values);
                let values = with(&with(values, candidate, far), base, -far);
                stats::signed_rank(&values, alternative)
            }
            Values::Independent { base: a, candidate: b } => {
                let far = 2.0 * lost * all(a).max(all(b));
                stats::brunner_munzel(&with(b, candidate, far), &with(a, base, far), alternative)
            }
        };
        Some(test.ok()?.p)
    }

    pub(super) fn values(&self) -> &Values {
        &self.values
    }
}
