//! Comparing two samples: which design the data have, ratio and difference with their intervals,
//! and the evidence a verdict needs. What the evidence means is decided in [`crate::verdict`].
//!
//! Refuses to pair across run sets, to form a ratio when any value is ≤ 0, and to report an
//! interval narrower than the clock.

mod between;
mod design;
mod earlier;
mod family;
mod one_sided;
mod scaled;
mod stretches;
mod tail;
#[cfg(test)]
mod twins;

pub use between::{Replication, ScatterFrom, SideRuns, ratio_of_runs};
pub use earlier::{Earlier, EarlierRun, EarlierRuns, Odd, Spread, Unused};
pub use family::family_dependence;
pub use one_sided::OneSided;
pub use tail::{Beyond, Tail, TailKind, Worse};

use design::{Compared, Wanted};

use crate::criteria::{Criteria, Margin, Sides};
use crate::estimate::Estimate;
use crate::model::{Direction, Kind, Metric};
use crate::sample::{Lost, Pairs, Sample, median_in, pairs};
use crate::stats::{self, Dependence, InsufficientData, Interval, Test, Widening};
use crate::units::Base;

/// How two samples relate.
#[derive(Debug, Clone, PartialEq)]
pub enum Design {
    /// Executed side by side in the same blocks of one run set.
    Blocks,
    /// Independent samples of what does not differ from run to run.
    Independent,
    /// Independent samples of what does: runs of the experiment are compared.
    Runs(Box<Replication>),
}

/// Whether two samples may be paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Both come from one run set; blocks they share pair.
    SameRunSet,
    /// They come from different run sets; never paired.
    DifferentRunSets,
}

/// The scale a verdict is made on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Candidate over base; 1 is "no difference".
    Ratio,
    /// Candidate minus base in base units; 0 is "no difference".
    Difference,
}

/// The largest differences that still count as the same, on the scale of the verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EquivalenceBounds {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

impl EquivalenceBounds {
    /// Where a relative margin has no size and nothing differs at all: 0 against 0 is the same within any
    /// margin, however small.
    const ANY: EquivalenceBounds =
        EquivalenceBounds { lo: -f64::MIN_POSITIVE, hi: f64::MIN_POSITIVE };

    /// A relative margin m is [1/(1+m), 1+m] of ratios; on the difference scale it takes its size from the
    /// base's median, and has none of a median of 0.
    fn of(margin: Margin, scale: Scale, base_median: f64) -> Option<EquivalenceBounds> {
        let around_zero = |size: f64| EquivalenceBounds { lo: -size, hi: size };
        match (margin, scale) {
            (Margin::Relative(m), Scale::Ratio) => {
                Some(EquivalenceBounds { lo: 1.0 / (1.0 + m), hi: 1.0 + m })
            }
            (Margin::Relative(m), Scale::Difference) => {
                let size = m * base_median.abs();
                (size > 0.0).then(|| around_zero(size))
            }
            (Margin::Absolute(size, _), _) => Some(around_zero(size)),
        }
    }

    /// Whether an interval lies inside.
    #[must_use]
    pub fn contain(&self, interval: Interval) -> bool {
        interval.lies_inside(self.lo, self.hi)
    }
}

/// On which scales two samples are compared: each costs as much as the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scales {
    /// On that of the verdict.
    OfVerdict,
    /// On that of differences besides.
    Both,
}

/// What two samples say about each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// How the samples relate.
    pub design: Design,
    /// Which way the metric is better.
    pub direction: Direction,
    /// Values compared: the number of common blocks on both sides when blocked.
    pub n: (usize, usize),
    /// Blocks that dropped out because one side has no value there.
    pub dropped: usize,
    /// Executions of base and candidate that failed, were killed or timed out.
    pub lost: (Lost, Lost),
    /// One-sided p of the difference with these as the worst values of all; absent where neither side lost many.
    pub p_with_lost: Option<f64>,
    /// What a difference is decided by: intervals of the level of the criteria.
    pub differing: Estimates,
    /// What sameness is decided by: intervals of level 1 − 2 alpha.
    pub sameness: Estimates,
    /// Which estimates are shown ([`Evidence::shown`]).
    pub shown: Shown,
    /// Median of the candidate over median of the base; absent if either is ≤ 0.
    pub ratio_of_medians: Option<f64>,
    /// Median of the base, base units.
    pub base_median: f64,
    /// The scale the test and the verdict use.
    pub scale: Scale,
    /// What counts as the same on that scale; absent if the margin is relative and the base's median gives it
    /// no size.
    pub bounds: Option<EquivalenceBounds>,
    /// Whether the values are exact and the same on each side: any difference is one.
    pub exact: bool,
    /// The test of "no difference": two-sided, or where one side was asked about that of the side on which the
    /// estimate lies.
    pub test: Result<Test, InsufficientData>,
    /// The Mann–Whitney test of independent samples, for reports that show other programs' tests: no verdict rests on
    /// it, and [`compare`] leaves it out.
    pub mann_whitney: Option<Box<Test>>,
    /// The tests of both sides, where one was asked about.
    pub one_sided: Option<Box<OneSided>>,
    /// p of "differs by more than the margin"; absent without bounds or a test.
    pub tost_p: Option<f64>,
    /// Probability that the candidate's value is the smaller one, ties half: within blocks when
    /// blocked, over all pairs when not.
    pub superiority: f64,
    /// How often either side is much worse than what is typical; absent of exact values, and where no direction
    /// is worse.
    pub tail: Option<Tail>,
    /// Who is in the tail far more often than what typically differs explains, the candidate moved by that; absent where
    /// nobody is.
    pub tail_apart: Option<Box<Tail>>,
    /// Whether the readings of a side are all the same although the metric scatters.
    pub zero_variance: bool,
    /// Serial dependence, where it was seen: within blocks of what they say, of independent samples in the
    /// stronger of the two.
    pub dependence: Option<Widening>,
}

/// Both estimates of a comparison, with intervals of one level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimates {
    /// The level, in (0, 1).
    pub level: f64,
    /// Candidate over base; absent if any value is ≤ 0 or it is beyond what a double holds.
    pub ratio: Option<Estimate>,
    /// Candidate minus base, base units; absent where a ratio is decided by and nobody asked for it ([`Scales`]).
    pub difference: Option<Estimate>,
}

/// Which estimates of a comparison are shown.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// Those that a difference is decided by; of an open verdict, too.
    Differing,
    /// Those that sameness is decided by.
    Sameness,
    /// Those of a difference that was picked among many.
    Picked(Box<Estimates>),
}

impl Estimates {
    /// The interval of the ratio, where it exists.
    #[must_use]
    pub fn ratio_interval(&self) -> Option<Interval> {
        self.ratio.and_then(|ratio| ratio.interval.ok())
    }
}

/// What logarithms and their way back may round off, as a share: readings that never differ give an interval
/// without width.
const ROUNDING: f64 = 1e-12;

/// What every report has to say of evidence besides the verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Remark {
    /// Blocks with a side missing dropped out.
    Dropped {
        /// How many.
        blocks: usize,
    },
    /// The ratio of medians lies outside the ratio's interval.
    RatioOfMediansOutside {
        /// The ratio of medians.
        ratio: f64,
    },
    /// Times are the same, but a side could be slow in a share of its readings, and none of that be seen.
    Unseen {
        /// The largest such share.
        share: f64,
    },
    /// A side is much worse far more often, which what typically differs does not explain.
    MoreOftenWorse(Tail),
    /// Neighbouring values resemble each other, and the interval is wider for it.
    SerialDependence(Widening),
    /// The sides waited for a CPU differently long, as shares of their wall clock: the interval holds the difference
    /// with that time and without.
    Waited {
        /// The base's.
        base: f64,
        /// The candidate's.
        candidate: f64,
    },
}

/// Sides whose waiting differs by this share of their wall clock are told so.
const WAITING_WORTH_SAYING: f64 = 0.05;

impl Evidence {
    /// What every report has to say of it besides the verdict.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if self.dropped > 0 {
            remarks.push(Remark::Dropped { blocks: self.dropped });
        }
        remarks.extend(self.dependence.map(Remark::SerialDependence));
        if let Design::Runs(replication) = &self.design
            && let Replication { waited: [base, candidate], compared, .. } = **replication
            && compared.is_some_and(|runs| runs.waited != 0.0)
            && (candidate - base).abs() >= WAITING_WORTH_SAYING
        {
            remarks.push(Remark::Waited { base, candidate });
        }
        if let (Scale::Ratio, Some(interval), Some(ratio)) =
            (self.scale, self.differing.ratio_interval(), self.ratio_of_medians)
            && (ratio < interval.lo * (1.0 - ROUNDING) || ratio > interval.hi * (1.0 + ROUNDING))
        {
            remarks.push(Remark::RatioOfMediansOutside { ratio });
        }
        remarks
    }

    /// The estimates that the verdict was made on.
    #[must_use]
    pub fn shown(&self) -> &Estimates {
        match &self.shown {
            Shown::Differing => &self.differing,
            Shown::Sameness => &self.sameness,
            Shown::Picked(estimates) => estimates,
        }
    }

    /// The interval of the ratio, where it exists.
    #[must_use]
    pub fn ratio_interval(&self) -> Option<Interval> {
        self.shown().ratio_interval()
    }

    /// Of some estimates the one that the verdict is made on, and what "no difference" is on its scale.
    pub(crate) fn decisive(&self, of: &Estimates) -> Option<(Estimate, f64)> {
        match self.scale {
            Scale::Ratio => of.ratio.map(|ratio| (ratio, 1.0)),
            Scale::Difference => of.difference.map(|difference| (difference, 0.0)),
        }
    }

    /// Whether the estimates say that nothing differs at all.
    pub(crate) fn is_equal(&self) -> bool {
        self.differing.difference.is_some_and(|difference| difference.value == 0.0)
    }
}

/// Two samples of a metric that are to be compared.
#[derive(Debug, Clone, Copy)]
pub struct Contrast<'a> {
    /// The metric, with the coarser resolution of the two.
    pub metric: &'a Metric,
    /// What the other is compared with.
    pub base: &'a Sample,
    /// What is compared.
    pub candidate: &'a Sample,
    /// Whether blocks may pair.
    pub origin: Origin,
    /// Earlier runs of the base's benchmark, and of the candidate's where that is another one; none where there are none.
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
}

/// What two samples say about each other, at the levels of `criteria` and with their margin. `None` if
/// either sample is empty.
///
/// O(n log n); see [`crate::stats`] for the sources.
#[must_use]
pub fn compare(contrast: &Contrast<'_>, criteria: &Criteria) -> Option<Evidence> {
    evidence(contrast, criteria, Asked::Everything)
}

/// What a difference of the two is decided by, and nothing else: the estimates that [`compare`] has
/// ([`Evidence::differing`]), for a fraction of its cost.
pub(crate) fn differing(contrast: &Contrast<'_>, criteria: &Criteria) -> Option<Estimates> {
    Some(evidence(contrast, criteria, Asked::Differing)?.differing)
}

/// What of the evidence is looked at: nothing else has to be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// All of it.
    Everything,
    /// The estimates that a difference is decided by.
    Differing,
}

/// The evidence, or as much of it as is asked for. Estimates on the scale of differences are made where they are
/// asked for, and where a ratio does not exist at both levels.
fn evidence(contrast: &Contrast<'_>, criteria: &Criteria, asked: Asked) -> Option<Evidence> {
    let Contrast { metric, base, candidate, .. } = *contrast;
    if metric.kind == Kind::Exact && base.is_constant() && candidate.is_constant() {
        return (!base.is_empty() && !candidate.is_empty()).then(|| exact(contrast, criteria));
    }
    let is_of_differences = matches!(criteria.margin, Margin::Absolute(..))
        || criteria.conditions.epsilon.is_some()
        || contrast.scales == Scales::Both;
    if !is_of_differences {
        let found = on_scales(contrast, criteria, (asked, Scales::OfVerdict))?;
        let has_ratio = |of: &Estimates| of.ratio.is_some() || of.difference.is_some();
        if has_ratio(&found.differing) && has_ratio(&found.sameness) {
            return Some(found);
        }
    }
    on_scales(contrast, criteria, (asked, Scales::Both))
}

/// The evidence of values that are not exact. On the scale of the verdict only where that is asked for, and where all
/// values are above 0.
fn on_scales(
    contrast: &Contrast<'_>,
    criteria: &Criteria,
    (asked, scales): (Asked, Scales),
) -> Option<Evidence> {
    let Contrast { metric, base, candidate, origin, dependence, .. } = *contrast;
    let medians = (stats::median(base.sorted())?, stats::median(candidate.sorted())?);
    let paired = match origin {
        Origin::SameRunSet => pairs(base, candidate),
        Origin::DifferentRunSets => None,
    };
    let is_of_runs = paired.is_none() && between::is_of_runs(contrast, criteria);
    // Runs are tested, and called the same, by what runs say: of readings there is no need for it.
    let is_tested = asked == Asked::Everything && !is_of_runs;
    let levels = [criteria.confidence, criteria.sameness_level()];
    let wanted = Wanted { levels, sameness: is_tested, scales, family: dependence };
    let compared = Compared::of((base, candidate), paired.as_ref(), metric.unit.base(), wanted);
    let step = metric.resolution.unwrap_or(0.0) * (1.0 + ROUNDING);
    let [differing, sameness] = compared.estimates(step, medians.0.min(medians.1))?;
    let scale = contrast.scale(criteria.margin, differing.ratio.is_some());
    let bounds = EquivalenceBounds::of(criteria.margin, scale, medians.0)
        .or_else(|| base.is_constant_as(candidate).then_some(EquivalenceBounds::ANY));
    let mut evidence = Evidence {
        design: compared.design(),
        direction: metric.direction,
        n: compared.n(),
        dropped: paired.as_ref().map_or(0, |p| p.dropped),
        lost: (base.lost, candidate.lost),
        p_with_lost: compared.p_with_lost(scale, metric.direction),
        differing,
        sameness,
        shown: Shown::Differing,
        ratio_of_medians: (medians.0 > 0.0 && medians.1 > 0.0).then(|| medians.1 / medians.0),
        base_median: medians.0,
        scale,
        bounds,
        exact: false,
        test: match is_tested {
            true => compared.test(scale),
            false => Err(InsufficientData::Empty),
        },
        mann_whitney: None,
        one_sided: None,
        tost_p: bounds.filter(|_| is_tested).and_then(|bounds| compared.tost_p(scale, bounds)),
        superiority: compared.superiority(),
        tail: Tail::of((base, candidate), paired.as_ref(), criteria.margin, metric),
        tail_apart: None,
        zero_variance: scatters_in_time(metric)
            && (base.has_zero_variance() || candidate.has_zero_variance()),
        dependence: compared.dependence(scale, criteria.confidence),
    };
    // Between runs, some can be slow as a whole.
    if is_tested {
        evidence.tail_apart = tail_apart(&evidence, contrast, paired.as_ref(), criteria.margin);
    }
    Some(match criteria.sides {
        _ if is_of_runs => between::between(&evidence, contrast, criteria),
        Sides::One { tolerated } if is_tested => one_sided::asked(evidence, &compared, tolerated),
        _ => evidence,
    })
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

/// What exact values that are the same on each side say: they have no error, so every interval is a point and
/// there is nothing to test.
fn exact(contrast: &Contrast<'_>, criteria: &Criteria) -> Evidence {
    let Contrast { metric, base, candidate, .. } = *contrast;
    let (a, b) = (base.values[0], candidate.values[0]);
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
        lost: (base.lost, candidate.lost),
        p_with_lost: None,
        differing: estimates,
        sameness: estimates,
        shown: Shown::Differing,
        ratio_of_medians,
        base_median: a,
        scale,
        bounds: EquivalenceBounds::of(criteria.margin, scale, a),
        exact: true,
        test: Err(InsufficientData::Exact),
        mann_whitney: None,
        one_sided: None,
        tost_p: None,
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

/// Times of a scattering metric that never differ mean that the clock is too coarse. Counts and
/// sizes may well be constant.
fn scatters_in_time(metric: &Metric) -> bool {
    metric.kind == Kind::Noisy && *metric.unit.base() == Base::Seconds
}
