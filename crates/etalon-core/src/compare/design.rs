//! What two samples give to compare, by their design: one value per block, or all values of either side.
//!
//! Owns estimates and tests of both designs. Refuses to know what they mean.

use super::{Design, EquivalenceBounds, Scale};
use crate::estimate::{Estimate, Method, at_least_as_wide};
use crate::sample::{Pairs, Sample};
use crate::stats::{self, Alternative, InsufficientData, Interval, Shift, Sorted, Test};
use crate::units::Base;

/// Pairs, and what was counted for them: differences and quotients of whole numbers that are equal are the
/// same double, and tie. Those of seconds, which are rounded, need not be.
pub(super) struct BlockValues<'a> {
    pairs: &'a Pairs,
    base: &'a Base,
    /// All readings in whole numbers, where they are.
    whole: Option<Pairs>,
}

impl BlockValues<'_> {
    pub(super) fn of<'a>(pairs: &'a Pairs, base: &'a Base) -> BlockValues<'a> {
        let whole = |values: &[f64]| -> Option<Vec<f64>> {
            values.iter().map(|value| base.whole(*value)).collect()
        };
        let whole = || -> Option<Pairs> {
            let (base, candidate) = (whole(&pairs.base)?, whole(&pairs.candidate)?);
            Some(Pairs { base, candidate, ends: pairs.ends.clone(), dropped: pairs.dropped })
        };
        BlockValues { pairs, base, whole: whole() }
    }

    /// Candidate against base within each block, on a scale.
    fn values(&self, scale: Scale) -> Vec<f64> {
        match (&self.whole, scale) {
            (whole, Scale::Ratio) => whole.as_ref().unwrap_or(self.pairs).within_blocks(log_ratio),
            (Some(whole), Scale::Difference) => {
                let differences = whole.within_blocks(|base, candidate| candidate - base);
                differences.into_iter().map(|whole| self.base.of_whole(whole)).collect()
            }
            (None, Scale::Difference) => {
                self.pairs.within_blocks(|base, candidate| candidate - base)
            }
        }
    }
}

/// ln(candidate/base); exchanged sides give exactly the other sign, so that 1 : 3 and 3 : 1 tie.
fn log_ratio(base: f64, candidate: f64) -> f64 {
    if candidate < base { -(base / candidate).ln() } else { (candidate / base).ln() }
}

/// The two samples, as their design lets them be compared.
pub(super) enum Compared<'a> {
    Blocks(BlockValues<'a>),
    Independent { base: &'a Sample, candidate: &'a Sample },
}

fn logs(sample: &Sample) -> Vec<f64> {
    sample.values.iter().map(|v| v.ln()).collect()
}

impl Compared<'_> {
    pub(super) fn design(&self) -> Design {
        match self {
            Compared::Blocks(_) => Design::Blocks,
            Compared::Independent { .. } => Design::Independent,
        }
    }

    pub(super) fn n(&self) -> (usize, usize) {
        match self {
            Compared::Blocks(values) => (values.pairs.blocks(), values.pairs.blocks()),
            Compared::Independent { base, candidate } => (base.len(), candidate.len()),
        }
    }

    fn method(&self) -> Method {
        match self {
            Compared::Blocks(_) => Method::HodgesLehmannPaired,
            Compared::Independent { .. } => Method::HodgesLehmannIndependent,
        }
    }

    fn shift(&self, scale: Scale, level: f64) -> Option<Shift> {
        match (self, scale) {
            (Compared::Blocks(values), _) => {
                stats::one_sample(&Sorted::of(values.values(scale)).ok()?, level)
            }
            (Compared::Independent { base, candidate }, Scale::Ratio) => stats::two_sample(
                &Sorted::of(logs(candidate)).ok()?,
                &Sorted::of(logs(base)).ok()?,
                level,
            ),
            (Compared::Independent { base, candidate }, Scale::Difference) => {
                stats::two_sample(candidate.sorted(), base.sorted(), level)
            }
        }
    }

    /// The ratio, from the Hodges–Lehmann estimate of the log ratios; `step` is the clock's resolution
    /// relative to the smaller median.
    pub(super) fn ratio(&self, level: f64, step: f64) -> Option<Estimate> {
        let shift = self.shift(Scale::Ratio, level)?;
        let value = shift.estimate.exp();
        let widest = shift.interval.as_ref().map_or(0.0, |i| i.hi);
        if !value.is_finite() || !widest.exp().is_finite() {
            return None; // beyond what a double holds
        }
        let interval = shift.interval.map(|i| {
            // By a factor to both sides: no step, however coarse, makes a ratio of times negative.
            let (lo, hi) = (i.lo.exp(), i.hi.exp());
            Interval { lo: lo.min(value / (1.0 + step)), hi: hi.max(value * (1.0 + step)), ..i }
        });
        Some(Estimate { value, interval, method: self.method() })
    }

    pub(super) fn difference(&self, level: f64, step: f64) -> Option<Estimate> {
        let shift = self.shift(Scale::Difference, level)?;
        let interval = shift.interval.map(|i| at_least_as_wide(i, shift.estimate, step));
        Some(Estimate { value: shift.estimate, interval, method: self.method() })
    }

    /// The two-sided test of "no difference".
    pub(super) fn test(&self, scale: Scale) -> Result<Test, InsufficientData> {
        match self {
            Compared::Blocks(values) => {
                stats::signed_rank(&values.values(scale), Alternative::TwoSided)
            }
            // Ranks do not change under the logarithm.
            Compared::Independent { base, candidate } => {
                stats::brunner_munzel(&candidate.values, &base.values, Alternative::TwoSided)
            }
        }
    }

    /// The Mann–Whitney test of independent samples, which other programs have and no verdict rests on.
    pub(super) fn mann_whitney(&self) -> Option<Test> {
        match self {
            Compared::Blocks(_) => None,
            Compared::Independent { base, candidate } => {
                stats::mann_whitney(&candidate.values, &base.values, Alternative::TwoSided).ok()
            }
        }
    }

    /// The test of a departure to one side from a shift, which is a logarithm on the scale of ratios.
    pub(super) fn test_beyond(
        &self,
        scale: Scale,
        shift: f64,
        alternative: Alternative,
    ) -> Result<Test, InsufficientData> {
        let moved = |values: &[f64]| values.iter().map(|v| v - shift).collect::<Vec<f64>>();
        match (self, scale) {
            (Compared::Blocks(values), _) => {
                stats::signed_rank(&moved(&values.values(scale)), alternative)
            }
            (Compared::Independent { base, candidate }, Scale::Ratio) => {
                stats::brunner_munzel(&moved(&logs(candidate)), &logs(base), alternative)
            }
            (Compared::Independent { base, candidate }, Scale::Difference) => {
                stats::brunner_munzel(&moved(&candidate.values), &base.values, alternative)
            }
        }
    }

    pub(super) fn tost_p(&self, scale: Scale, bounds: EquivalenceBounds) -> Option<f64> {
        let (lo, hi) = match scale {
            Scale::Ratio => (bounds.lo.ln(), bounds.hi.ln()),
            Scale::Difference => (bounds.lo, bounds.hi),
        };
        let p = match (self, scale) {
            (Compared::Blocks(values), _) => stats::tost_paired(&values.values(scale), lo, hi),
            (Compared::Independent { base, candidate }, Scale::Ratio) => {
                stats::tost_independent(&logs(candidate), &logs(base), lo, hi)
            }
            (Compared::Independent { base, candidate }, Scale::Difference) => {
                stats::tost_independent(&candidate.values, &base.values, lo, hi)
            }
        };
        p.ok()
    }

    pub(super) fn superiority(&self) -> f64 {
        match self {
            Compared::Blocks(values) => {
                let differences = values.values(Scale::Difference);
                stats::superiority_paired(&differences, &vec![0.0; differences.len()])
            }
            Compared::Independent { base, candidate } => {
                stats::superiority_independent(candidate.sorted(), base.sorted())
            }
        }
        .unwrap_or(0.5)
    }
}
