//! Two samples on one scale: estimate, interval and tests of their shift, stretched where values depend on the ones
//! before them.

use crate::stats::{self, Alternative, InsufficientData, Shift, Sorted, Stretch, Test};

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

impl SortedValues {
    fn of(values: &Values) -> Option<SortedValues> {
        Some(match values {
            Values::Blocks(values) => SortedValues::Blocks(Sorted::new(values).ok()?),
            Values::Independent { base, candidate } => SortedValues::Independent {
                base: Sorted::new(base).ok()?,
                candidate: Sorted::new(candidate).ok()?,
            },
        })
    }
}

/// Values of one scale.
pub(super) struct Scaled {
    values: Values,
    /// The same, sorted once for all that asks for their order; absent if one is not finite.
    sorted: Option<SortedValues>,
    /// By how much serial dependence widens what they say.
    pub(super) stretch: Option<Stretch>,
}

impl Scaled {
    pub(super) fn new(values: Values) -> Scaled {
        let stretch = match &values {
            Values::Blocks(values) => Stretch::of_one(values),
            Values::Independent { base, candidate } => Stretch::of_two(candidate, base),
        };
        let sorted = SortedValues::of(&values);
        Scaled { values, sorted, stretch }
    }

    /// The shift of the candidate, with its interval.
    pub(super) fn shift(&self, level: f64) -> Option<Shift> {
        let shift = match self.sorted.as_ref()? {
            SortedValues::Blocks(values) => stats::one_sample(values, level),
            SortedValues::Independent { base, candidate } => {
                stats::two_sample(candidate, base, level)
            }
        }?;
        Some(self.stretch.map_or(shift, |stretch| stretch.shift(shift)))
    }

    /// The test of a shift.
    pub(super) fn test(
        &self,
        shift: f64,
        alternative: Alternative,
    ) -> Result<Test, InsufficientData> {
        let plain = self.plain(shift, alternative)?;
        let Some((stretch, found)) = self.stretch.zip(self.shift(0.5)) else { return Ok(plain) };
        let p_of = |shift| self.plain(shift, alternative).map(|test| test.p);
        Ok(Test { p: stretch.p((found.estimate, shift), alternative, p_of)?, ..plain })
    }

    /// The test of independent values.
    fn plain(&self, shift: f64, alternative: Alternative) -> Result<Test, InsufficientData> {
        let moved = |values: &[f64]| values.iter().map(|v| v - shift).collect::<Vec<f64>>();
        match &self.values {
            Values::Blocks(values) => stats::signed_rank(&moved(values), alternative),
            Values::Independent { base, candidate } => {
                stats::brunner_munzel(&moved(candidate), base, alternative)
            }
        }
    }

    /// p of the test that the candidate's values are larger, or smaller, with so many values of base and candidate more
    /// that are beyond all others: large ones, or small ones.
    pub(super) fn with_lost(
        &self,
        (base, candidate): (usize, usize),
        (lost, alternative): (f64, Alternative),
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
