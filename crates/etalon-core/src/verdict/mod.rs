//! From evidence to one of four verdicts, with the reasons and about how many more blocks would
//! settle an open one. The order of the rules is the contract (`docs/statistics.md`).
//!
//! [`assess_all`] is the way in: the comparisons of one family together. Refuses to call anything
//! "the same" because no difference was found.

mod assessment;
mod conditions;
mod fresh;
mod moved;
mod obstacles;
mod outlook;
mod reason;
mod smallest_visible;

pub use assessment::{Adjusted, Assessment, assess_all};
pub(crate) use assessment::{Member, NO_CHANGE, assess};
pub use moved::Moved;
pub use outlook::More;
pub use reason::Reason;

use conditions::unmet;
use obstacles::{Obstacles, family_needs};

use crate::compare::{Design, Evidence, WorseSide};
use crate::criteria::Criteria;
use crate::model::{Direction, Level};
use crate::sample::Lost;
use crate::stats::{InsufficientData, Interval};

/// The answer about a candidate, seen from the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Better by more than chance explains.
    Faster,
    /// Worse by more than chance explains.
    Slower,
    /// Any difference lies within the margin.
    Same,
    /// The data do not settle it.
    Unclear,
}

impl Verdict {
    /// Its name, stable: it stands in `--json`. Reports choose words by the quantity.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Same => "same",
            Verdict::Unclear => "unclear",
        }
    }

    /// Whether it claims a difference.
    #[must_use]
    pub fn is_difference(self) -> bool {
        matches!(self, Verdict::Faster | Verdict::Slower)
    }
}

/// A verdict with its reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The candidate seen from the base.
    pub verdict: Verdict,
    /// Why, the most important first.
    pub reasons: Vec<Reason>,
    /// About how many more blocks (values a side when independent) would settle an open verdict; absent if
    /// settled, not to be said, or beyond a million.
    pub more: Option<Box<More>>,
}

impl Decision {
    /// Whether it claims a difference: also where neither direction is the better one.
    #[must_use]
    pub fn is_difference(&self) -> bool {
        self.verdict.is_difference() || self.reasons == [Reason::BeyondChance]
    }

    /// The verdict's name, but that a difference in a unit of which neither direction is better is one; stable.
    #[must_use]
    pub fn name(&self) -> &'static str {
        if self.is_difference() && !self.verdict.is_difference() {
            return "differs";
        }
        self.verdict.name()
    }

    /// No verdict, whatever the data show.
    #[must_use]
    pub(crate) fn withheld(reason: Reason) -> Decision {
        Decision::new(Verdict::Unclear, vec![reason])
    }

    /// No verdict about two sides of which some do nothing that can be seen; absent where both do something.
    #[must_use]
    pub(crate) fn on_nothing(base: bool, candidate: bool) -> Option<Decision> {
        let side = if candidate { WorseSide::Candidate } else { WorseSide::Base };
        (base || candidate).then(|| Decision::withheld(Reason::DoesNothing { side }))
    }

    /// Whether a side does nothing that can be seen, so that no factor means anything.
    #[must_use]
    pub fn is_void(&self) -> bool {
        matches!(self.reasons[..], [Reason::DoesNothing { .. }])
    }

    fn new(verdict: Verdict, reasons: Vec<Reason>) -> Decision {
        Decision { verdict, reasons, more: None }
    }
}

/// Decides. Executions that failed rank worst: where they are many, only what does not depend on them holds.
#[must_use]
pub fn decide(evidence: &Evidence, adjusted: &Adjusted, criteria: &Criteria) -> Decision {
    if evidence.level == Level::Summary {
        return Decision::withheld(Reason::NoRawData);
    }
    let decision = decide_values(evidence, adjusted, criteria);
    let sides = [(WorseSide::Base, evidence.lost.0), (WorseSide::Candidate, evidence.lost.1)];
    let many = sides.into_iter().find(|(_, lost): &(WorseSide, Lost)| lost.too_many());
    // A difference that is found with them at the far end of all values is one.
    let holds = |p: f64| p <= adjusted.strictest / 2.0;
    let is_robust = decision.is_difference() && evidence.p_with_lost.is_some_and(holds);
    match many.filter(|_| !is_robust) {
        Some((side, lost)) => {
            Decision::new(Verdict::Unclear, vec![Reason::Failures { side, lost }])
        }
        None => decision,
    }
}

/// The verdict about the values. The rules, in order: values that are exact; too few values; `same`, unless one side is
/// much worse more often; a difference; otherwise `unclear` with what stands in the way.
fn decide_values(evidence: &Evidence, adjusted: &Adjusted, criteria: &Criteria) -> Decision {
    if evidence.exact {
        return exactly(evidence, criteria);
    }
    let n = evidence.n.0.min(evidence.n.1);
    let (Ok(test), Some((interval, none))) = (&evidence.test, decisive_interval(evidence)) else {
        return too_few(evidence, adjusted, n);
    };
    let excludes_none = !interval.contains(none);
    let significant = adjusted.p.is_some_and(|p| p <= criteria.alpha);
    let inside = is_inside(evidence);
    let is_significant = adjusted.tost_p.is_some_and(|p| p <= criteria.one_sided_alpha());
    // So few that no p passes the correction have no interval that would.
    let has_enough = || family_needs(evidence, adjusted, n).is_none();
    let same = (inside && is_significant) || (is_nothing(evidence) && has_enough());
    let tail = evidence.tail.filter(|tail| tail.worse.is_some());
    if same && tail.is_none() {
        let reason = match excludes_none && significant {
            true => Reason::RealButBelowMargin,
            false => Reason::WithinMargin,
        };
        return Decision::new(Verdict::Same, vec![reason]);
    }
    let unmet = unmet(evidence, interval, criteria);
    if excludes_none && significant && unmet.is_empty() {
        return match within_tolerated(evidence, interval) {
            Some(at_least) => Decision::new(Verdict::Unclear, vec![Reason::NotBeyond { at_least }]),
            None => Decision::new(side(evidence, interval, none), vec![Reason::BeyondChance]),
        };
    }
    // Between runs, it is their scatter that the interval allows for.
    let is_of_runs = matches!(evidence.design, Design::Runs(_));
    if evidence.zero_variance && !excludes_none && !is_of_runs {
        return Decision::new(Verdict::Unclear, vec![Reason::BelowTheClock]);
    }
    if let Some(tail) = tail.filter(|_| same) {
        return Decision::new(Verdict::Unclear, vec![Reason::MoreOftenWorse(tail)]);
    }
    let obstacles = Obstacles { interval, none, inside, significant, unmet, n, p: test.p };
    let reasons = obstacles.reasons(evidence, adjusted);
    // So many settle nothing, whatever they are.
    let needed = |reason: &Reason| match reason {
        Reason::FamilyNeeds { at_least, .. } => Some(at_least.saturating_sub(n)),
        _ => None,
    };
    let least = reasons.iter().filter_map(needed).max().unwrap_or(0);
    let more = outlook::more(evidence, adjusted, criteria, least).map(Box::new);
    Decision { verdict: Verdict::Unclear, reasons, more }
}

/// The verdict about values without error: equal ones are the same, others differ unless the margin says
/// otherwise, or more was asked of a difference. Counts may vary a little, or be too few.
fn exactly(evidence: &Evidence, criteria: &Criteria) -> Decision {
    let Some((interval, none)) = decisive_interval(evidence) else {
        return Decision::new(Verdict::Unclear, Vec::new());
    };
    let varies = interval.hi > interval.lo;
    if evidence.is_equal() && !varies {
        return Decision::new(Verdict::Same, vec![Reason::WithinMargin]);
    }
    if evidence.bounds.is_some_and(|bounds| bounds.contain(interval)) {
        let reason = match interval.contains(none) {
            true => Reason::WithinMargin,
            false => Reason::RealButBelowMargin,
        };
        return Decision::new(Verdict::Same, vec![reason]);
    }
    if let Err(InsufficientData::TooFew { needs: at_least }) = evidence.test {
        return Decision::new(Verdict::Unclear, vec![Reason::Needs { at_least }]);
    }
    if varies && interval.contains(none) {
        return Decision::new(Verdict::Unclear, vec![Reason::CountsVary]);
    }
    let unmet = unmet(evidence, interval, criteria);
    if !unmet.is_empty() {
        return Decision::new(Verdict::Unclear, unmet);
    }
    Decision::new(side(evidence, interval, none), vec![Reason::BeyondChance])
}

/// Whether the interval of sameness lies within the margin.
fn is_inside(evidence: &Evidence) -> bool {
    let decisive = evidence.decisive(&evidence.sameness);
    let interval = decisive.and_then(|(estimate, _)| estimate.interval.ok());
    evidence.bounds.zip(interval).is_some_and(|(bounds, interval)| bounds.contain(interval))
}

/// Whether both intervals have no width where nothing differs: so many values are equal that no other shift is left.
/// Any margin holds that, also one that is a share of nothing, and no correction makes it wider.
fn is_nothing(evidence: &Evidence) -> bool {
    [&evidence.differing, &evidence.sameness].into_iter().all(|estimates| {
        let decisive = evidence.decisive(estimates);
        let interval = decisive.and_then(|(it, none)| Some((it.interval.ok()?, none)));
        interval.is_some_and(|(interval, none)| interval.lies_inside(none, none))
    })
}

/// The interval the verdict is made on, and what "no difference" is on its scale.
fn decisive_interval(evidence: &Evidence) -> Option<(Interval, f64)> {
    let (estimate, none) = evidence.decisive(&evidence.differing)?;
    estimate.interval.ok().map(|interval| (interval, none))
}

fn too_few(evidence: &Evidence, adjusted: &Adjusted, n: usize) -> Decision {
    let lacking =
        evidence.decisive(&evidence.differing).and_then(|(estimate, _)| estimate.interval.err());
    let Some(InsufficientData::TooFew { needs }) = lacking else {
        return Decision::new(Verdict::Unclear, vec![Reason::Needs { at_least: 1 }]);
    };
    // With as many as an interval needs, some p could still pass no correction.
    let (at_least, reason) = match family_needs(evidence, adjusted, n) {
        Some(at_least) if at_least > needs => {
            (at_least, Reason::FamilyNeeds { at_least, family: adjusted.family })
        }
        _ => (needs, Reason::Needs { at_least: needs }),
    };
    let more = evidence
        .design
        .gains_by_more()
        .then(|| Box::new(More::exactly(at_least.saturating_sub(n))));
    Decision { verdict: Verdict::Unclear, reasons: vec![reason], more }
}

fn side(evidence: &Evidence, interval: Interval, none: f64) -> Verdict {
    let lower = interval.hi < none;
    match (evidence.direction, lower) {
        (Direction::Lower, true) | (Direction::Higher, false) => Verdict::Faster,
        (Direction::Lower, false) | (Direction::Higher, true) => Verdict::Slower,
        (Direction::Neither, _) => Verdict::Unclear,
    }
}

/// The share that a check tolerates, if the interval is not wholly beyond it: ties and the resolution can keep it
/// within although the test rejects.
fn within_tolerated(evidence: &Evidence, interval: Interval) -> Option<f64> {
    let tolerated = evidence.one_sided.as_ref()?.tolerated?;
    let bounds = evidence.bounds?;
    (interval.lo <= bounds.hi && interval.hi >= bounds.lo).then_some(tolerated)
}
