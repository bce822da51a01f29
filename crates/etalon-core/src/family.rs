//! A family of comparisons: samples and pairs in; dependence, evidence and assessments out.
//!
//! Owns all that comparisons of one family have in common, whoever asks for them: which sides share blocks, the serial
//! dependence that pairs show together, the coarser resolution and the higher level of two sides, and the assessment of
//! the family. Refuses to say which pairs there are: rankings and tables know that.

use std::borrow::Cow;

use crate::compare::{
    Contrast, EarlierRuns, Estimates, Evidence, Origin, Scales, compare, differing,
};
use crate::criteria::Criteria;
use crate::dataset::RunSetId;
use crate::model::{Level, Metric};
use crate::sample::Sample;
use crate::stats::Dependence;
use crate::verdict::{self, Assessment, Member};

/// A side of a comparison.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) sample: &'a Sample,
    /// The run set of all its values; absent where they are of several.
    pub(crate) run_set: Option<RunSetId>,
    /// The smallest step of its readings in base units, where it is known.
    pub(crate) resolution: Option<f64>,
    /// The level of its intervals, for which its own file may ask.
    pub(crate) level: f64,
    /// Whether its values are readings.
    pub(crate) values: Level,
}

/// Two sides that are compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) base: Side<'a>,
    pub(crate) candidate: Side<'a>,
}

impl<'a> Pair<'a> {
    /// Its samples, where they may share blocks: those show the serial dependence of a family.
    pub(crate) fn in_blocks(&self) -> Option<(&'a Sample, &'a Sample)> {
        let is_one_run = self.origin() == Origin::SameRunSet;
        is_one_run.then_some((self.base.sample, self.candidate.sample))
    }

    fn origin(&self) -> Origin {
        origin(self.base.run_set, self.candidate.run_set)
    }

    fn resolution(&self) -> Option<f64> {
        let steps = [self.base.resolution, self.candidate.resolution].into_iter().flatten();
        steps.max_by(f64::total_cmp)
    }

    /// Whether both sides have readings.
    fn values(&self) -> Level {
        match [self.base.values, self.candidate.values].contains(&Level::Summary) {
            true => Level::Summary,
            false => Level::Readings,
        }
    }

    /// The criteria of a family for this pair: intervals of the higher level of its sides.
    pub(crate) fn criteria(&self, criteria: &Criteria) -> Criteria {
        Criteria { confidence: self.base.level.max(self.candidate.level), ..*criteria }
    }
}

/// Whether sides of these run sets may pair: in one experiment only.
pub(crate) fn origin(base: Option<RunSetId>, candidate: Option<RunSetId>) -> Origin {
    match base.zip(candidate) {
        Some((base, candidate)) if base == candidate => Origin::SameRunSet,
        _ => Origin::DifferentRunSets,
    }
}

/// Terms that all comparisons of a family share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Family<'a> {
    pub(crate) metric: &'a Metric,
    pub(crate) scales: Scales,
    /// The dependence that its pairs show together ([`crate::compare::family_dependence`]).
    pub(crate) dependence: Option<Dependence>,
}

impl Family<'_> {
    /// The evidence of a pair beside its earlier runs. Absent where a side is empty.
    pub(crate) fn evidence(
        &self,
        pair: &Pair<'_>,
        earlier: &[EarlierRuns],
        criteria: &Criteria,
    ) -> Option<Evidence> {
        let metric = self.metric_of(pair);
        let evidence = compare(&self.contrast(pair, earlier, &metric), &pair.criteria(criteria))?;
        Some(Evidence { level: pair.values(), ..evidence })
    }

    /// The estimates that a difference of a pair is decided by, with intervals that miss this `share` of what those of
    /// the pair miss by themselves.
    pub(crate) fn differing(
        &self,
        pair: &Pair<'_>,
        earlier: &[EarlierRuns],
        (criteria, share): (&Criteria, f64),
    ) -> Option<Estimates> {
        let criteria = pair.criteria(criteria);
        let confidence = 1.0 - (1.0 - criteria.confidence) * share;
        let metric = self.metric_of(pair);
        differing(&self.contrast(pair, earlier, &metric), &Criteria { confidence, ..criteria })
    }

    /// The metric with the coarser resolution of a pair, which depends on the number of iterations.
    fn metric_of(&self, pair: &Pair<'_>) -> Cow<'_, Metric> {
        let resolution = pair.resolution();
        match self.metric.resolution == resolution {
            true => Cow::Borrowed(self.metric),
            false => Cow::Owned(Metric { resolution, ..self.metric.clone() }),
        }
    }

    fn contrast<'c>(
        &self,
        pair: &Pair<'c>,
        earlier: &'c [EarlierRuns],
        metric: &'c Metric,
    ) -> Contrast<'c> {
        Contrast {
            metric,
            base: pair.base.sample,
            candidate: pair.candidate.sample,
            origin: pair.origin(),
            earlier,
            dependence: self.dependence,
            scales: self.scales,
        }
    }
}

/// Assesses the comparisons of one family together.
pub(crate) fn assess<'a>(
    assessments: impl Iterator<Item = &'a mut Assessment>,
    criteria: &Criteria,
) {
    let members = assessments.map(|assessment| Member { assessment, repeats: None });
    verdict::assess(&mut members.collect::<Vec<_>>(), criteria);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::family_dependence;

    fn sample(values: impl Fn(u32) -> f64) -> Sample {
        Sample::new((0..20).map(values).collect(), (0..20).collect()).unwrap()
    }

    fn side(sample: &Sample, run_set: usize) -> Side<'_> {
        let run_set = RunSetId::new(run_set).ok();
        Side { sample, run_set, resolution: None, level: 0.95, values: Level::Readings }
    }

    /// Would catch a family with the dependence of sides that share no block.
    #[test]
    fn only_sides_of_one_run_set_show_their_dependence() {
        let (steady, drifting) = (sample(|_| 100.0), sample(|block| f64::from(100 + block)));
        let seen = |candidate: usize| {
            let pair = Pair { base: side(&steady, 0), candidate: side(&drifting, candidate) };
            family_dependence([pair; 3].iter().filter_map(Pair::in_blocks), 3).is_some()
        };
        assert_eq!([0, 1].map(seen), [true, false]);
    }

    /// Would catch a pair that is held against the terms of one of its sides.
    #[test]
    fn a_pair_has_the_coarser_step_and_the_higher_level_of_its_sides() {
        let metric = Metric { resolution: Some(1e-9), ..Metric::new("wall", "ns") };
        let scales = Scales::OfVerdict;
        let family = Family { metric: &metric, scales, dependence: None };
        let steady = sample(|_| 100.0);
        let coarse = Side { resolution: Some(1e-6), ..side(&steady, 0) };
        let sure = Side { level: 0.99, ..side(&steady, 0) };
        for (base, candidate) in [(coarse, sure), (sure, coarse)] {
            let pair = Pair { base, candidate };
            let criteria = pair.criteria(&Criteria::default());
            let terms = (family.metric_of(&pair).resolution, criteria.confidence);
            assert_eq!(terms, (Some(1e-6), 0.99));
        }
    }

    /// Would catch a verdict about centres that a harness formed, on whichever side they are.
    #[test]
    fn a_pair_with_a_side_of_centres_has_no_verdict() {
        let metric = Metric::new("wall", "ns");
        let family = Family { metric: &metric, scales: Scales::OfVerdict, dependence: None };
        let (fast, slow) =
            (sample(|block| f64::from(100 + block)), sample(|block| f64::from(900 + block)));
        let centres = |side| Side { values: Level::Summary, ..side };
        let (fast, slow) = (side(&fast, 0), side(&slow, 0));
        let criteria = Criteria::default();
        for (base, candidate, is_difference) in [
            (fast, slow, true),
            (centres(fast), slow, false),
            (fast, centres(slow), false),
            (centres(fast), centres(slow), false),
        ] {
            let evidence = family.evidence(&Pair { base, candidate }, &[], &criteria).unwrap();
            let mut assessment = Assessment::in_family(evidence, &criteria);
            assess(std::iter::once(&mut assessment), &criteria);
            let decision = assessment.decision;
            assert_eq!(decision.is_difference(), is_difference, "{decision:?}");
        }
    }
}
