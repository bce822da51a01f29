//! The one way from evidence to a verdict: evidence → the family's correction → decision.
//!
//! A family is the comparisons of a ranking, of one table, or of all tables of a check. Exact values have no
//! p: they are in no family, and decided by themselves. A comparison without a test counts as p = 1: leaving it
//! out would make the others look better.

use super::outlook::extent;
use super::smallest_visible::smallest_visible;
use super::{Decision, Reason, Verdict, decide};
use crate::compare::{EstimateChoice, Evidence, Scale};
use crate::criteria::Criteria;
use crate::stats::{self, Correction};

/// A family's view of one comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjusted {
    /// p of the difference after the correction; absent without a test.
    pub p: Option<f64>,
    /// p of sameness after the correction, in its own family.
    pub tost_p: Option<f64>,
    /// Comparisons in the family; none of exact values.
    pub family: usize,
    /// The correction applied.
    pub correction: Correction,
    /// The level that the smallest p of the family has to reach.
    pub strictest: f64,
}

/// A comparison's evidence, its place in the family, and its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// The evidence of the samples.
    pub evidence: Evidence,
    /// The p's after the family's correction.
    pub adjusted: Adjusted,
    /// The decision.
    pub decision: Decision,
    /// The smallest change that these data could be expected to show, with power 0.9 at the family's alpha: a share
    /// on the scale of ratios, an amount in base units on that of differences. Absent of exact values and without
    /// an interval.
    pub smallest_visible: Option<f64>,
}

/// Less than every change: what no ratio is formed of, and what a side does nothing in.
pub(crate) const NO_CHANGE: f64 = -1.0;

impl Assessment {
    /// How far it finds the sides apart: the distance of the ratio from 1 as a logarithm, of a difference without a ratio
    /// beyond all. Those that are equal but for rounding are equal: their rows keep their order.
    #[must_use]
    pub fn weight(&self) -> f64 {
        let differs = self.decision.is_difference();
        match self.evidence.shown().ratio.filter(|_| !self.decision.is_void()) {
            Some(ratio) => (ratio.value.ln().abs() * 1e9).round() / 1e9,
            None if differs => f64::INFINITY,
            None => NO_CHANGE,
        }
    }

    /// A comparison by itself: a family of one, or of none where the values are exact.
    #[must_use]
    pub(crate) fn alone(evidence: Evidence, criteria: &Criteria) -> Assessment {
        let mut assessment = Assessment::in_family(evidence, criteria);
        if !assessment.evidence.exact {
            assessment.decide(criteria);
        }
        assessment
    }

    /// A comparison that is undecided until its family is assessed ([`assess`]); where the values are exact it is in
    /// none, and decided.
    pub(crate) fn in_family(evidence: Evidence, criteria: &Criteria) -> Assessment {
        let family = usize::from(!evidence.exact);
        let adjusted = Adjusted {
            p: evidence.test.ok().map(|test| test.p),
            tost_p: evidence.tost_p,
            family,
            correction: criteria.correction(),
            strictest: criteria.alpha,
        };
        let decision = Decision::new(Verdict::Unclear, Vec::new());
        let mut assessment = Assessment { evidence, adjusted, decision, smallest_visible: None };
        if assessment.evidence.exact {
            assessment.decide(criteria);
        }
        assessment
    }

    /// Whether it settles, by another metric of the same executions, what a comparison leaves open: that is unclear for
    /// nothing but its own scatter, and this one is settled with an interval at most half as wide.
    #[must_use]
    pub fn speaks_for(&self, open: &Assessment) -> bool {
        let half_width = |of: &Assessment| {
            let ratio = of.evidence.differing.ratio?;
            extent(&ratio, Scale::Ratio).map(|(half_width, _)| half_width)
        };
        let is_open = open.decision.verdict == Verdict::Unclear && !open.decision.is_difference();
        let is_for_scatter =
            |it: &Reason| !matches!(it, Reason::ControlMoved | Reason::Failures { .. });
        let is_settled = self.decision.is_difference() || self.decision.verdict == Verdict::Same;
        let narrower =
            half_width(self).zip(half_width(open)).is_some_and(|(own, its)| own <= its / 2.0);
        is_open && is_settled && narrower && open.decision.reasons.iter().all(is_for_scatter)
    }

    /// Decides, and shows the estimates that the verdict is made on.
    fn decide(&mut self, criteria: &Criteria) {
        self.decision = decide(&self.evidence, &self.adjusted, criteria);
        self.smallest_visible = smallest_visible(&self.evidence, &self.adjusted);
        self.evidence.shown = match self.decision.verdict {
            Verdict::Same => EstimateChoice::Sameness,
            _ => EstimateChoice::Differing,
        };
    }

    /// p's of "worse" (of any difference, where no side was asked about), of "better", and of "not the same".
    fn p(&self) -> [f64; 3] {
        let Evidence { test, one_sided, tost_p, .. } = &self.evidence;
        let p = test.map_or(1.0, |test| test.p);
        let [worse, better] =
            one_sided.as_ref().map_or([p, p], |sides| [sides.worse, sides.better]);
        [worse, better, tost_p.unwrap_or(1.0)]
    }
}

/// A comparison in a family.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    /// The comparison whose p is corrected.
    pub assessment: &'a mut Assessment,
    /// The place of the member that it repeats, as Go's `MB/s` repeats its `ns/op`: the two count once.
    pub repeats: Option<usize>,
}

/// Assesses the comparisons of one family.
#[must_use]
pub fn assess_all(evidence: Vec<Evidence>, criteria: &Criteria) -> Vec<Assessment> {
    let single = |evidence| Assessment::in_family(evidence, criteria);
    let mut assessments: Vec<Assessment> = evidence.into_iter().map(single).collect();
    let member = |assessment| Member { assessment, repeats: None };
    assess(&mut assessments.iter_mut().map(member).collect::<Vec<_>>(), criteria);
    assessments
}

/// Assesses comparisons together. O(k log k).
pub(crate) fn assess(members: &mut [Member<'_>], criteria: &Criteria) {
    let tested = |member: &Member<'_>| !member.assessment.evidence.exact;
    let counts: Vec<bool> = members
        .iter()
        .map(|member| tested(member) && !member.repeats.is_some_and(|of| tested(&members[of])))
        .collect();
    // The place of each member among those that count.
    let mut places: Vec<usize> = Vec::with_capacity(members.len());
    let mut raw: Vec<[f64; 3]> = Vec::new();
    for (member, counts) in members.iter().zip(&counts) {
        places.push(raw.len());
        if *counts {
            raw.push(member.assessment.p());
        }
    }
    let correction = criteria.correction();
    let adjust = |which: usize, factor: &dyn Fn(f64) -> f64| {
        let p: Vec<f64> = raw.iter().map(|p| p[which]).collect();
        stats::adjust_by(&p, correction, factor)
    };
    let factor = |step| criteria.factor(step);
    let (worse, better) = (adjust(0, &factor), adjust(1, &factor));
    let same = adjust(2, &|step| criteria.sameness_factor(step));
    let strictest = criteria.strictest(raw.len());
    for (at, member) in members.iter_mut().enumerate() {
        let Assessment { evidence, adjusted, .. } = &mut *member.assessment;
        if evidence.exact {
            continue;
        }
        let leader = member.repeats.filter(|_| !counts[at]).unwrap_or(at);
        let place = places[leader];
        let is_better = evidence.one_sided.as_ref().is_some_and(|sides| !sides.is_worse);
        let p = if is_better { better[place] } else { worse[place] };
        *adjusted = Adjusted {
            p: evidence.test.ok().map(|_| p),
            tost_p: evidence.tost_p.map(|_| same[place]),
            family: raw.len(),
            correction,
            strictest,
        };
        member.assessment.decide(criteria);
    }
}
