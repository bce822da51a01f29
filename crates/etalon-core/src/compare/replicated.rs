//! Evidence of readings as evidence of what they were repeated in: runs of the experiment, or machines.
//!
//! Owns how a comparison of replicates takes the place of estimates and tests in the evidence. Refuses to know what the
//! replicates are: [`super::between`] and [`super::nodes`] say it.

use super::{Contrast, Design, EquivalenceBounds, Estimates, Evidence, OneSided, Scale};
use crate::criteria::Sidedness;
use crate::estimate::{Estimate, Method, at_least_as_wide};
use crate::model::Direction;
use crate::stats::{BetweenRuns, InsufficientData, Interval, PMethod, Test};

/// The comparison of replicates on both scales, and how little a reading can be known by.
pub(super) struct Replicated {
    /// Absent where readings have no ratio.
    ratio: Option<Result<BetweenRuns, InsufficientData>>,
    difference: Option<Result<BetweenRuns, InsufficientData>>,
    /// How estimates are made, and p.
    methods: (Method, PMethod),
    /// The resolution, base units.
    step: f64,
    smaller_median: f64,
}

impl Replicated {
    /// Of evidence of readings, on the scales that it has.
    pub(super) fn new(
        (evidence, contrast): (&Evidence, &Contrast<'_>),
        methods: (Method, PMethod),
        compared: impl Fn(Scale) -> Result<BetweenRuns, InsufficientData>,
    ) -> Replicated {
        let base = evidence.base_median;
        Replicated {
            ratio: evidence.differing.ratio.map(|_| compared(Scale::Ratio)),
            difference: evidence.differing.difference.map(|_| compared(Scale::Difference)),
            methods,
            step: contrast.metric.resolution.unwrap_or(0.0),
            smaller_median: evidence.ratio_of_medians.map_or(base, |ratio| base.min(base * ratio)),
        }
    }

    /// That on the scale of the verdict.
    pub(super) fn decisive(&self, scale: Scale) -> Result<BetweenRuns, InsufficientData> {
        match (scale, self.ratio) {
            (Scale::Ratio, Some(ratio)) => ratio,
            _ => self.difference.unwrap_or(Err(InsufficientData::NotFinite)),
        }
    }

    /// The evidence with the estimates and tests of replicates in place of those of readings.
    pub(super) fn judged(&self, evidence: &Evidence, design: Design, sides: Sidedness) -> Evidence {
        let decisive = self.decisive(evidence.scale);
        let bounds = evidence.bounds;
        let judged = Evidence {
            design,
            differing: self.estimates(&evidence.differing),
            sameness: self.estimates(&evidence.sameness),
            test: decisive.map(|found| self.test(&found, found.p(0.0))),
            tost_p: decisive.ok().and_then(|found| tost_p(&found, evidence.scale, bounds?)),
            ..evidence.clone()
        };
        match (sides, decisive) {
            (Sidedness::One { tolerated }, Ok(found)) => self.one_sided(judged, &found, tolerated),
            _ => judged,
        }
    }

    /// Both estimates with intervals of the level that those of readings have.
    fn estimates(&self, of_readings: &Estimates) -> Estimates {
        let level = of_readings.level;
        let method = self.methods.0;
        let ratio = of_readings.ratio.zip(self.ratio).map(|(of_readings, found)| {
            let value = found.map_or(of_readings.value, |found| found.difference.exp());
            let step = self.step / self.smaller_median;
            let interval = found.and_then(|found| found.interval(level)).map(|i| Interval {
                lo: i.lo.exp().min(value / (1.0 + step)),
                hi: i.hi.exp().max(value * (1.0 + step)),
                ..i
            });
            Estimate { value, interval, method }
        });
        let ratio = ratio.filter(|ratio| {
            ratio.value.is_finite() && ratio.interval.is_ok_and(|i| i.hi.is_finite())
                || ratio.interval.is_err()
        });
        let difference = of_readings.difference.zip(self.difference).map(|(of_readings, found)| {
            let value = found.map_or(of_readings.value, |found| found.difference);
            let interval = found.and_then(|found| found.interval(level));
            let interval = interval.map(|i| at_least_as_wide(i, value, self.step));
            Estimate { value, interval, method }
        });
        Estimates { level, ratio, difference }
    }

    fn test(&self, found: &BetweenRuns, p: f64) -> Test {
        let statistic = found.difference / found.standard_error();
        Test { statistic, p, method: self.methods.1 }
    }

    /// The tests of a check: worse, and better, by more than is tolerated.
    fn one_sided(
        &self,
        mut evidence: Evidence,
        found: &BetweenRuns,
        tolerated: Option<f64>,
    ) -> Evidence {
        let share = tolerated.unwrap_or(0.0);
        let size = match evidence.scale {
            Scale::Ratio => share.ln_1p(),
            Scale::Difference => share * evidence.base_median.abs(),
        };
        let (above, below) = (found.p_greater(size), found.p_less(-size));
        let higher_is_better = evidence.direction == Direction::Higher;
        let (worse, better) = if higher_is_better { (below, above) } else { (above, below) };
        let is_worse = (found.difference >= 0.0) != higher_is_better;
        evidence.test = Ok(self.test(found, if is_worse { worse } else { better }));
        evidence.one_sided = Some(Box::new(OneSided { worse, better, tolerated, is_worse }));
        evidence
    }
}

/// p of "differs by more than the bounds": the larger one of the two one-sided ones.
fn tost_p(found: &BetweenRuns, scale: Scale, bounds: EquivalenceBounds) -> Option<f64> {
    let EquivalenceBounds { lo, hi } = bounds;
    let (lo, hi) = match scale {
        Scale::Ratio => (lo.ln(), hi.ln()),
        Scale::Difference => (lo, hi),
    };
    (lo < hi).then(|| found.p_greater(lo).max(found.p_less(hi)))
}
