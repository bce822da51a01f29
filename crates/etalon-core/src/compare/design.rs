//! Values that two samples give to compare, by their design: one per block (of every build of the sides, where these
//! are several), or all of either side.
//!
//! Owns estimates and tests of both designs. Refuses to know what they mean.

use std::sync::Arc;

use super::scaled::{Independent, Scaled, block_means, is_held};
use super::{Design, EquivalenceBounds, Estimates, Scale, Scales};
use crate::estimate::{Estimate, Method, at_least_as_wide};
use crate::model::Direction;
use crate::sample::{Pairs, Sample};
use crate::stats::{
    self, Alternative, Dependence, InsufficientData, Interval, Shift, Test, Widening,
};
use crate::units::Base;

/// Pairs, and what was counted for them: differences and quotients of whole numbers that are equal are the
/// same double, and tie. Those of seconds, which are rounded, need not be.
struct BlockValues<'a> {
    pairs: &'a Pairs,
    base: &'a Base,
    /// Whether all readings are whole numbers.
    are_whole: bool,
}

impl BlockValues<'_> {
    fn new<'a>(pairs: &'a Pairs, base: &'a Base) -> BlockValues<'a> {
        let mut all = pairs.readings().flat_map(|of| of.base.iter().chain(&of.candidate));
        let are_whole = all.all(|value| base.whole(*value).is_some());
        BlockValues { pairs, base, are_whole }
    }

    /// Candidate against base, on a scale.
    fn between(&self, scale: Scale) -> impl Fn(f64, f64) -> f64 + Copy {
        let counted = |value: f64| match self.are_whole {
            true => self.base.whole(value).unwrap_or(value),
            false => value,
        };
        move |base, candidate| match scale {
            Scale::Ratio => log_ratio(counted(base), counted(candidate)),
            Scale::Difference => counted(candidate) - counted(base),
        }
    }

    /// Candidate against base within each block, on a scale; where sides were built several times of each build.
    fn values(&self, scale: Scale) -> Vec<f64> {
        let mut values = self.pairs.within_builds(self.between(scale));
        if self.are_whole && scale == Scale::Difference {
            values.iter_mut().for_each(|whole| *whole = self.base.value_from_whole(*whole));
        }
        values
    }
}

/// Candidate against base within each block, on a scale; where sides were built several times of each build.
pub(super) fn within_blocks(pairs: &Pairs, unit: &Base, scale: Scale) -> Vec<f64> {
    BlockValues::new(pairs, unit).values(scale)
}

/// Candidate against base in each reading, on a scale; of sides that were built several times in each block, by the mean of
/// their builds.
pub(super) fn within_readings(pairs: &Pairs, unit: &Base, scale: Scale) -> Vec<f64> {
    let of = BlockValues::new(pairs, unit);
    if !pairs.builds.is_empty() {
        return block_means(&of.values(scale), pairs.each());
    }
    let between = of.between(scale);
    pairs
        .base
        .iter()
        .zip(&pairs.candidate)
        .map(|(base, candidate)| between(*base, *candidate))
        .collect()
}

/// ln(candidate/base); exchanged sides give exactly the other sign, so that 1 : 3 and 3 : 1 tie.
fn log_ratio(base: f64, candidate: f64) -> f64 {
    if candidate < base { -(base / candidate).ln() } else { (candidate / base).ln() }
}

/// A request for part of a comparison.
#[derive(Clone, Copy)]
pub(super) struct Request {
    /// Levels of the intervals: of those that a difference is decided by, and of those that sameness is.
    pub levels: [f64; 2],
    /// Whether the latter are looked at.
    pub sameness: bool,
    /// On which scales.
    pub scales: Scales,
    /// The dependence that pairs of one family show together.
    pub family: Option<Dependence>,
    /// The values whose shifts, intervals and tests are looked at.
    pub of: ShiftsOf,
}

/// The values that a comparison is decided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShiftsOf {
    /// All of both samples.
    All,
    /// Those of each machine by itself: what all say together stands nowhere.
    Parts,
}

/// Computed shifts, by scale.
struct Computed<'a> {
    /// That of ratios where all values are above 0, else that of differences.
    scale: Scale,
    /// On that scale.
    own: Scaled<'a>,
    /// On that of differences beside ratios.
    difference: Option<Scaled<'a>>,
}

/// The two samples, as their design lets them be compared.
pub(super) struct Compared<'a> {
    samples: (&'a Sample, &'a Sample),
    design: Design,
    n: (usize, usize),
    /// Of the intervals.
    levels: [f64; 2],
    on: Computed<'a>,
    superiority: Option<f64>,
}

impl Compared<'_> {
    /// Within blocks, where there are pairs. The ratio only where all values are above 0; the difference where there
    /// is no ratio, and where it is wanted.
    pub(super) fn new<'a>(
        samples: (&'a Sample, &'a Sample),
        pairs: Option<&Pairs>,
        unit: &Base,
        request: Request,
    ) -> Compared<'a> {
        let (base, candidate) = samples;
        let Request { levels, sameness, scales, family, of } = request;
        let has_ratio = base.is_positive() && candidate.is_positive();
        let scale = if has_ratio { Scale::Ratio } else { Scale::Difference };
        let computed = |on: &mut dyn FnMut(Scale) -> Scaled<'a>| {
            let is_both = has_ratio && scales == Scales::Both;
            let difference = is_both.then(|| on(Scale::Difference));
            Computed { scale, own: on(scale), difference }
        };
        match pairs {
            Some(pairs) => {
                let values = BlockValues::new(pairs, unit);
                let n = (pairs.blocks(), pairs.blocks());
                let differences = values.values(Scale::Difference);
                let superiority = stats::superiority_paired(&differences);
                // A million of them are not kept for nothing.
                let is_asked = !has_ratio || scales == Scales::Both;
                let mut differences = is_asked.then_some(differences);
                let mut of_scale = |scale| match scale {
                    Scale::Ratio => values.values(scale),
                    Scale::Difference => differences.take().unwrap_or_else(|| values.values(scale)),
                };
                let each = pairs.each();
                let on = computed(&mut |scale| {
                    let values = (of_scale(scale), each);
                    match of {
                        ShiftsOf::All => Scaled::in_blocks(values, levels, family),
                        ShiftsOf::Parts => Scaled::in_parts(values),
                    }
                });
                Compared { samples, design: Design::Blocks, n, levels, on, superiority }
            }
            None => {
                let both = Independent::new(base, candidate);
                let mut on = |scale| Scaled::independent(both, scale, levels, sameness);
                let n = (base.len(), candidate.len());
                let superiority = stats::superiority_independent(candidate.sorted(), base.sorted());
                let on = computed(&mut on);
                Compared { samples, design: Design::Independent, n, levels, on, superiority }
            }
        }
    }

    pub(super) fn design(&self) -> Design {
        self.design.clone()
    }

    pub(super) fn n(&self) -> (usize, usize) {
        self.n
    }

    fn method(&self) -> Method {
        match self.design {
            Design::Blocks | Design::Nodes(_) | Design::Layouts(_) => Method::HodgesLehmannPaired,
            Design::Independent | Design::Runs(_) => Method::HodgesLehmannIndependent,
        }
    }

    /// The values compared on a scale, where they are; else on the other.
    fn on(&self, scale: Scale) -> &Scaled<'_> {
        match (&self.on.difference, scale) {
            (Some(difference), Scale::Difference) => difference,
            _ => &self.on.own,
        }
    }

    /// Ratio and difference with intervals of each level; `resolution` is that of the clock, and the smaller median
    /// that it is a share of. Absent where there is no difference: of values above 0 there is one.
    pub(super) fn estimates(&self, step: f64, median: f64) -> Option<[Estimates; 2]> {
        let Computed { scale, own, difference } = &self.on;
        let (ratios, differences) = match (scale, difference) {
            (Scale::Difference, _) => (None, Some(own.shifts()?)),
            (Scale::Ratio, Some(difference)) => (own.shifts(), Some(difference.shifts()?)),
            (Scale::Ratio, None) => (own.shifts(), None),
        };
        let at = |level: usize| Estimates {
            level: self.levels[level],
            ratio: ratios.and_then(|ratios| self.ratio(ratios[level], step / median)),
            difference: differences.map(|differences| self.difference(differences[level], step)),
        };
        Some([at(0), at(1)])
    }

    /// The ratio, from the Hodges–Lehmann estimate of the log ratios; `step` is the clock's resolution
    /// relative to the smaller median.
    fn ratio(&self, shift: Shift, step: f64) -> Option<Estimate> {
        if !is_held(&shift) {
            return None;
        }
        let value = shift.estimate.exp();
        let interval = shift.interval.map(|i| {
            // By a factor to both sides: no step, however coarse, makes a ratio of times negative.
            let (lo, hi) = (i.lo.exp(), i.hi.exp());
            Interval { lo: lo.min(value / (1.0 + step)), hi: hi.max(value * (1.0 + step)), ..i }
        });
        Some(Estimate { value, interval, method: self.method() })
    }

    fn difference(&self, shift: Shift, step: f64) -> Estimate {
        let interval = shift.interval.map(|i| at_least_as_wide(i, shift.estimate, step));
        Estimate { value: shift.estimate, interval, method: self.method() }
    }

    /// The two-sided test of "no difference".
    pub(super) fn test(&self, scale: Scale) -> Result<Test, InsufficientData> {
        self.on(scale).test(0.0, Alternative::TwoSided)
    }

    /// The test of a departure to one side from a shift, which is a logarithm on the scale of ratios.
    pub(super) fn test_beyond(
        &self,
        scale: Scale,
        shift: f64,
        alternative: Alternative,
    ) -> Result<Test, InsufficientData> {
        self.on(scale).test(shift, alternative)
    }

    pub(super) fn tost_p(&self, scale: Scale, bounds: EquivalenceBounds) -> Option<f64> {
        let band = match scale {
            Scale::Ratio => (bounds.lo.ln(), bounds.hi.ln()),
            Scale::Difference => (bounds.lo, bounds.hi),
        };
        stats::tost(band, |shift, alternative| self.on(scale).test(shift, alternative)).ok()
    }

    /// p of the difference that the estimate shows, one-sided, with executions that failed as the worst of all;
    /// absent where neither side lost many.
    pub(super) fn p_with_lost(&self, scale: Scale, direction: Direction) -> Option<f64> {
        let (base, candidate) = (self.samples.0.lost, self.samples.1.lost);
        if !base.too_many() && !candidate.too_many() {
            return None;
        }
        let worst = if direction == Direction::Higher { -1.0 } else { 1.0 };
        let on = self.on(scale);
        let side = if on.estimate()? > 0.0 { Alternative::Greater } else { Alternative::Less };
        on.with_lost((base.count, candidate.count), worst, side)
    }

    /// By how much serial dependence widens the interval on a scale, at a level.
    pub(super) fn dependence(&self, scale: Scale, level: f64) -> Option<Widening> {
        self.on(scale).stretch.map(|stretch| stretch.widening(level))
    }

    /// The values of blocks about their estimate, where they are not near-normal.
    pub(super) fn shape(&self, scale: Scale) -> Option<Arc<[f64]>> {
        self.on(scale).shape()
    }

    pub(super) fn superiority(&self) -> f64 {
        self.superiority.unwrap_or(0.5)
    }
}
