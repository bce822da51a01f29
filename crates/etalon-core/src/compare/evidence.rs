//! The evidence of a comparison: design, estimates, tests and tails, as plain data.
//!
//! Owns which estimates are shown, and the remarks that every report makes. Refuses to compute evidence
//! ([`super::compare`]) and to say what it means ([`crate::verdict`]).

use std::sync::Arc;

use super::between::Replication;
use super::layouts::OverLayouts;
use super::nodes::{AboutNodes, OverNodes};
use super::one_sided::OneSided;
use super::tail::Tail;
use crate::criteria::Margin;
use crate::estimate::Estimate;
use crate::model::{Direction, Level};
use crate::sample::Lost;
use crate::stats::{InsufficientData, Interval, Test, Widening};

/// How two samples relate.
#[derive(Debug, Clone, PartialEq)]
pub enum Design {
    /// Executed side by side in the same blocks of one run set.
    Blocks,
    /// Independent samples of what does not differ from run to run.
    Independent,
    /// Executed side by side in blocks of one run set on several machines: nodes are compared.
    Nodes(Box<OverNodes>),
    /// Executed side by side in blocks of one run set, each side in several builds that are placed otherwise: layouts
    /// are compared.
    Layouts(Box<OverLayouts>),
    /// Independent samples of what does: runs of the experiment are compared.
    Runs(Box<Replication>),
}

impl Design {
    /// Whether each value compared is of one block that holds both sides.
    #[must_use]
    pub fn is_in_blocks(&self) -> bool {
        matches!(self, Design::Blocks | Design::Nodes(_) | Design::Layouts(_))
    }

    /// Whether more readings say more: about how runs, layouts or machines differ they do not.
    #[must_use]
    pub(crate) fn gains_by_more(&self) -> bool {
        match self {
            Design::Blocks | Design::Independent => true,
            Design::Nodes(over) => over.about == AboutNodes::These,
            Design::Layouts(_) | Design::Runs(_) => false,
        }
    }
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
    pub(super) const ANY: EquivalenceBounds =
        EquivalenceBounds { lo: -f64::MIN_POSITIVE, hi: f64::MIN_POSITIVE };

    /// A relative margin m is [1/(1+m), 1+m] of ratios; on the difference scale it takes its size from the
    /// base's median, and has none of a median of 0.
    pub(super) fn from_margin(
        margin: Margin,
        scale: Scale,
        base_median: f64,
    ) -> Option<EquivalenceBounds> {
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

/// The evidence of two samples about each other.
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
    /// Whether both sides have readings.
    pub level: Level,
    /// Executions of base and candidate that failed, were killed or timed out.
    pub lost: (Lost, Lost),
    /// One-sided p of the difference with these as the worst values of all; absent where neither side lost many.
    pub p_with_lost: Option<f64>,
    /// Estimates that a difference is decided by: intervals of the level of the criteria.
    pub differing: Estimates,
    /// Estimates that sameness is decided by: intervals of level 1 − 2 alpha.
    pub sameness: Estimates,
    /// Which estimates are shown ([`Evidence::shown`]).
    pub shown: EstimateChoice,
    /// Median of the candidate over median of the base; absent if either is ≤ 0.
    pub ratio_of_medians: Option<f64>,
    /// Median of the base, base units.
    pub base_median: f64,
    /// The scale the test and the verdict use.
    pub scale: Scale,
    /// The differences that count as the same on that scale; absent if the margin is relative and the base's median
    /// gives it no size.
    pub bounds: Option<EquivalenceBounds>,
    /// Whether the values are exact and the same on each side: any difference is one.
    pub exact: bool,
    /// The test of "no difference": two-sided, or where one side was asked about that of the side on which the
    /// estimate lies.
    pub test: Result<Test, InsufficientData>,
    /// The Mann–Whitney test of independent samples, for reports that show other programs' tests: no verdict rests on
    /// it, and [`super::compare`] leaves it out.
    pub mann_whitney: Option<Box<Test>>,
    /// The tests of both sides, where one was asked about.
    pub one_sided: Option<Box<OneSided>>,
    /// p of "differs by more than the margin"; absent without bounds or a test.
    pub tost_p: Option<f64>,
    /// The values of blocks about their estimate, ascending, on the scale of the verdict, where they are not near-normal;
    /// of many some hundred.
    pub shape: Option<Arc<[f64]>>,
    /// Probability that the candidate's value is the smaller one, ties half: within blocks when
    /// blocked, over all pairs when not.
    pub superiority: f64,
    /// How often either side is much worse than what is typical; absent of exact values, and where no direction
    /// is worse.
    pub tail: Option<Tail>,
    /// Who is in the tail far more often than what typically differs explains, the candidate moved by that; absent
    /// where nobody is.
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
    /// Candidate minus base, base units; absent where a ratio is decided by and nobody asked for it
    /// ([`super::Scales`]).
    pub difference: Option<Estimate>,
}

/// Which estimates of a comparison are shown.
#[derive(Debug, Clone, PartialEq)]
pub enum EstimateChoice {
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

/// The share that logarithms and their way back may round off: readings that never differ give an interval
/// without width.
pub(crate) const ROUNDING: f64 = 1e-12;

impl Evidence {
    /// The estimates that the verdict was made on.
    #[must_use]
    pub fn shown(&self) -> &Estimates {
        match &self.shown {
            EstimateChoice::Differing => &self.differing,
            EstimateChoice::Sameness => &self.sameness,
            EstimateChoice::Picked(estimates) => estimates,
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
