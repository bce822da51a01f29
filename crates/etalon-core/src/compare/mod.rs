//! Comparing two samples: the design that the data have, and the evidence a verdict needs. What the evidence means is
//! decided in [`crate::verdict`].
//!
//! Refuses to pair across run sets, to form a ratio when any value is ≤ 0, and to report an
//! interval narrower than the clock.

mod allotted;
mod between;
mod counts;
mod design;
mod earlier;
mod evidence;
mod layouts;
mod nodes;
mod one_sided;
mod replicated;
mod scaled;
mod shared_dependence;
mod stretches;
mod tail;
#[cfg(test)]
mod twins;

pub use allotted::BetterUse;
pub use between::{Replication, ScatterFrom, SideRuns, ratio_of_runs};
pub use counts::COUNTS_NEEDED;
pub use earlier::{Earlier, EarlierRun, EarlierRuns, Odd, Spread, Unused};
pub use evidence::{Design, EquivalenceBounds, EstimateChoice, Estimates, Evidence, Scale};
pub use layouts::OverLayouts;
pub use nodes::{AboutNodes, DISAGREE, NodeShift, OverNodes};
pub use one_sided::OneSided;
pub use shared_dependence::family_dependence;
pub use tail::{Beyond, Tail, TailKind, WorseSide};

use design::{Compared, Request, ShiftsOf};
pub(crate) use evidence::ROUNDING;

use crate::criteria::{Criteria, Margin, Sidedness};
use crate::estimate::Estimate;
use crate::model::{Kind, Level, Metric};
use crate::sample::{Pairs, Sample, median_in, pairs};
use crate::stats::{self, Dependence, InsufficientData};
use crate::units::Base;

/// Whether two samples may be paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Both come from one run set; blocks they share pair.
    SameRunSet,
    /// They come from different run sets; never paired.
    DifferentRunSets,
}

/// On which scales two samples are compared: each costs as much as the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scales {
    /// On that of the verdict.
    OfVerdict,
    /// On that of differences besides.
    Both,
}

/// Two samples of a metric that are to be compared.
#[derive(Debug, Clone, Copy)]
pub struct Contrast<'a> {
    /// The metric, with the coarser resolution of the two.
    pub metric: &'a Metric,
    /// The sample that the other is compared with.
    pub base: &'a Sample,
    /// The sample that is compared.
    pub candidate: &'a Sample,
    /// Whether blocks may pair.
    pub origin: Origin,
    /// Earlier runs of the base's benchmark, and of the candidate's where that is another one; none where there are
    /// none.
    pub earlier: &'a [EarlierRuns],
    /// The serial dependence that pairs of the same family show together ([`family_dependence`]).
    pub dependence: Option<Dependence>,
    /// On which scales estimates are asked for.
    pub scales: Scales,
}

impl Contrast<'_> {
    fn scale(&self, margin: Margin, has_ratio: bool) -> Scale {
        match margin {
            Margin::Relative(_) if has_ratio => Scale::Ratio,
            _ => Scale::Difference,
        }
    }

    /// The values of the blocks that both share, where their samples may be paired.
    fn pairs(&self) -> Option<Pairs> {
        match self.origin {
            Origin::SameRunSet => pairs(self.base, self.candidate),
            Origin::DifferentRunSets => None,
        }
    }

    /// Whether a side's times never differ although their metric scatters: the clock is too coarse. Counts and sizes
    /// may well be constant.
    fn has_zero_variance(&self) -> bool {
        let is_time = *self.metric.unit.base() == Base::Seconds;
        let is_constant = || self.base.has_zero_variance() || self.candidate.has_zero_variance();
        self.metric.kind == Kind::Noisy && is_time && is_constant()
    }
}

/// The evidence of two samples, at the levels of `criteria` and with their margin. `None` if
/// either sample is empty.
///
/// O(n log n); see [`crate::stats`] for the sources.
#[must_use]
pub fn compare(contrast: &Contrast<'_>, criteria: &Criteria) -> Option<Evidence> {
    evidence(contrast, criteria, Extent::Everything)
}

/// The estimates that a difference of the two is decided by, and nothing else: those that [`compare`]
/// has ([`Evidence::differing`]), for a fraction of its cost.
pub(crate) fn differing(contrast: &Contrast<'_>, criteria: &Criteria) -> Option<Estimates> {
    Some(evidence(contrast, criteria, Extent::Differing)?.differing)
}

/// The part of the evidence that is looked at: nothing else has to be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of it.
    Everything,
    /// The estimates that a difference is decided by.
    Differing,
}

/// The evidence, or as much of it as is asked for. Estimates on the scale of differences are made where they are
/// asked for, and where a ratio does not exist at both levels.
fn evidence(contrast: &Contrast<'_>, criteria: &Criteria, extent: Extent) -> Option<Evidence> {
    let Contrast { metric, base, candidate, .. } = *contrast;
    if metric.is_of_work() {
        return counts::evidence(contrast, criteria);
    }
    if metric.kind == Kind::Exact && base.is_constant() && candidate.is_constant() {
        let exact = || exact(contrast, criteria, (base.values[0], candidate.values[0]));
        return (!base.is_empty() && !candidate.is_empty()).then(exact);
    }
    let is_of_differences = matches!(criteria.margin, Margin::Absolute(..))
        || criteria.conditions.epsilon.is_some()
        || contrast.scales == Scales::Both;
    if !is_of_differences {
        let evidence = on_scales(contrast, criteria, (extent, Scales::OfVerdict))?;
        let has_ratio = |of: &Estimates| of.ratio.is_some() || of.difference.is_some();
        if has_ratio(&evidence.differing) && has_ratio(&evidence.sameness) {
            return Some(evidence);
        }
    }
    on_scales(contrast, criteria, (extent, Scales::Both))
}

/// The evidence of values that are not exact. On the scale of the verdict only where that is asked for, and where all
/// values are above 0.
fn on_scales(
    contrast: &Contrast<'_>,
    criteria: &Criteria,
    (extent, scales): (Extent, Scales),
) -> Option<Evidence> {
    let Contrast { metric, base, candidate, dependence, .. } = *contrast;
    let medians = (stats::median(base.sorted())?, stats::median(candidate.sorted())?);
    let paired = contrast.pairs();
    let is_of_runs = paired.is_none() && between::is_of_runs(contrast, criteria);
    // Runs are tested, and called the same, by what runs say: of readings there is no need for it.
    let is_tested = extent == Extent::Everything && !is_of_runs;
    let levels = [criteria.confidence, criteria.sameness_level()];
    let parts = paired.as_ref().map_or_else(Vec::new, nodes::parts);
    let of = if nodes::decide(&parts) { ShiftsOf::Parts } else { ShiftsOf::All };
    let request = Request { levels, sameness: is_tested, scales, family: dependence, of };
    let compared = Compared::new((base, candidate), paired.as_ref(), metric.unit.base(), request);
    let step = metric.resolution.unwrap_or(0.0) * (1.0 + ROUNDING);
    let [differing, sameness] = compared.estimates(step, medians.0.min(medians.1))?;
    let scale = contrast.scale(criteria.margin, differing.ratio.is_some());
    let bounds = equivalence_bounds(contrast, criteria.margin, scale, medians.0);
    let mut evidence = Evidence {
        design: compared.design(),
        direction: metric.direction,
        n: compared.n(),
        dropped: paired.as_ref().map_or(0, |p| p.dropped),
        level: Level::Readings,
        lost: (base.lost, candidate.lost),
        p_with_lost: compared.p_with_lost(scale, metric.direction),
        differing,
        sameness,
        shown: EstimateChoice::Differing,
        ratio_of_medians: (medians.0 > 0.0 && medians.1 > 0.0).then(|| medians.1 / medians.0),
        base_median: medians.0,
        scale,
        bounds,
        exact: false,
        test: if is_tested { compared.test(scale) } else { Err(InsufficientData::Empty) },
        mann_whitney: None,
        one_sided: None,
        tost_p: bounds.filter(|_| is_tested).and_then(|bounds| compared.tost_p(scale, bounds)),
        shape: is_tested.then(|| compared.shape(scale)).flatten(),
        superiority: compared.superiority(),
        tail: Tail::count((base, candidate), paired.as_ref(), criteria.margin, metric),
        tail_apart: None,
        zero_variance: contrast.has_zero_variance(),
        dependence: compared.dependence(scale, criteria.confidence),
    };
    // Between runs, some can be slow as a whole.
    if is_tested {
        evidence.tail_apart = tail_apart(&evidence, contrast, paired.as_ref(), criteria.margin);
    }
    if is_of_runs {
        return Some(between::between(&evidence, contrast, criteria));
    }
    if let Some(pairs) = &paired {
        evidence = nodes::over_nodes(evidence, contrast, (pairs, &parts), criteria);
        evidence = layouts::over_layouts(evidence, contrast, pairs, criteria);
    }
    Some(in_asked_direction((evidence, is_tested), &compared, criteria.sides))
}

/// Readings tested in the direction that a check asks for, if they are tested; machines, layouts and runs have such
/// tests of their own.
fn in_asked_direction(
    (evidence, is_tested): (Evidence, bool),
    compared: &Compared<'_>,
    sides: Sidedness,
) -> Evidence {
    match (sides, &evidence.design) {
        (Sidedness::One { tolerated }, Design::Blocks | Design::Independent) if is_tested => {
            one_sided::asked(evidence, compared, tolerated)
        }
        _ => evidence,
    }
}

/// The bounds within which two samples are the same: those of the margin, or any where all values are one.
fn equivalence_bounds(
    contrast: &Contrast<'_>,
    margin: Margin,
    scale: Scale,
    base_median: f64,
) -> Option<EquivalenceBounds> {
    let Contrast { base, candidate, .. } = *contrast;
    EquivalenceBounds::from_margin(margin, scale, base_median)
        .or_else(|| base.is_constant_as(candidate).then_some(EquivalenceBounds::ANY))
}

/// Who is in the tail more often than what typically differs explains; where nobody is more often in it, nothing is
/// counted again. What typically differs is that of the medians: the estimate moves with a tail.
fn tail_apart(
    evidence: &Evidence,
    contrast: &Contrast<'_>,
    pairs: Option<&Pairs>,
    margin: Margin,
) -> Option<Box<Tail>> {
    let Contrast { metric, base, candidate, .. } = *contrast;
    evidence.tail.filter(|tail| tail.worse.is_some())?;
    let medians = match pairs {
        Some(pairs) => {
            let (base, candidate) = pairs.by_block();
            (median_in(&mut base.to_vec())?, median_in(&mut candidate.to_vec())?)
        }
        None => (stats::median(base.sorted())?, stats::median(candidate.sorted())?),
    };
    let typical = match evidence.scale {
        Scale::Ratio => medians.1 / medians.0,
        Scale::Difference => medians.1 - medians.0,
    };
    let typical = (evidence.scale, typical);
    Tail::apart((base, candidate), pairs, margin, metric, typical).map(Box::new)
}

/// The evidence of exact values that are the same on each side: they have no error, so every interval is a point and
/// there is nothing to test.
fn exact(contrast: &Contrast<'_>, criteria: &Criteria, (a, b): (f64, f64)) -> Evidence {
    let Contrast { metric, base, candidate, .. } = *contrast;
    let point = |value| Estimate::point(value, criteria.confidence);
    let ratio = (a > 0.0 && b > 0.0).then(|| b / a);
    let scale = contrast.scale(criteria.margin, ratio.is_some());
    let (ratio_of_medians, ratio) = (ratio, ratio.map(point));
    let (level, difference) = (criteria.confidence, Some(point(b - a)));
    let estimates = Estimates { level, ratio, difference };
    Evidence {
        design: Design::Independent,
        direction: metric.direction,
        n: (base.len(), candidate.len()),
        dropped: 0,
        level: Level::Readings,
        lost: (base.lost, candidate.lost),
        p_with_lost: None,
        differing: estimates,
        sameness: estimates,
        shown: EstimateChoice::Differing,
        ratio_of_medians,
        base_median: a,
        scale,
        bounds: EquivalenceBounds::from_margin(criteria.margin, scale, a),
        exact: true,
        test: Err(InsufficientData::Exact),
        mann_whitney: None,
        one_sided: None,
        tost_p: None,
        shape: None,
        superiority: match b.total_cmp(&a) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        },
        tail: None,
        tail_apart: None,
        zero_variance: false,
        dependence: None,
    }
}
