//! Why a verdict is what it is, as data: `etalon-report` words it.

use crate::compare::{Tail, WorseSide};
use crate::sample::Lost;
use crate::stats::Correction;

/// Why a verdict is what it is. Numbers and what they are of.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// The interval lies within the margin.
    WithinMargin,
    /// It does, and it excludes "no difference" all the same.
    RealButBelowMargin,
    /// The interval excludes "no difference" and p passes.
    BeyondChance,
    /// No interval exists at this confidence with so few values.
    Needs {
        /// The smallest number that could settle anything.
        at_least: usize,
    },
    /// No p can be small enough for the family with so few values.
    FamilyNeeds {
        /// The smallest number with which some p could pass.
        at_least: usize,
        /// Comparisons in the family.
        family: usize,
    },
    /// The interval contains "no difference".
    IntervalIncludesNone,
    /// Runs that were not interleaved do not differ, and cannot show more than that.
    NoDifferenceSeen {
        /// How far apart they are at most: a share of the base, or an amount in base units where there is no ratio.
        apart: f64,
    },
    /// The interval reaches beyond the margin.
    IntervalBeyondMargin,
    /// The difference is not significant after the correction.
    NotSignificant {
        /// p of this comparison alone.
        p: f64,
        /// p after the correction.
        adjusted: f64,
        /// How p was corrected.
        correction: Correction,
        /// Comparisons in the family.
        family: usize,
    },
    /// Within the margin, but that is not significant after the correction.
    SamenessNotSignificant {
        /// p of this comparison alone.
        p: f64,
        /// p after the correction.
        adjusted: f64,
    },
    /// The interval is not wholly beyond the share asked for.
    NotBeyond {
        /// `--at-least`.
        at_least: f64,
    },
    /// The difference's interval includes 0 when moved by ± epsilon.
    WithinEpsilon {
        /// Seconds asked for.
        epsilon: f64,
    },
    /// The slower one has the better reading too often.
    TooOftenBetter {
        /// How often, ties half.
        probability: f64,
        /// The most that was asked for.
        at_most: f64,
    },
    /// Readings that never differ, by no more than the clock's resolution: it is too coarse.
    BelowTheClock,
    /// Too many executions of a side failed, were killed or timed out for the verdict to hold if these rank
    /// worst.
    Failures {
        /// Which of the two it is.
        side: WorseSide,
        /// How many.
        lost: Lost,
    },
    /// Typical values agree, but one side is much worse more often.
    MoreOftenWorse(Tail),
    /// A side differs from its own second build.
    ControlMoved,
    /// Calls of a side do nothing that can be seen: a compiler removed them, or it is the empty loop.
    DoesNothing {
        /// Which of the two it is.
        side: WorseSide,
    },
    /// A side has centres alone, which its harness formed.
    NoRawData,
    /// Counts of a side differ among themselves by too much for the difference of the two.
    CountsVary,
    /// Counts of the two sides were not made by the same means.
    CountedOtherwise,
}

impl Reason {
    /// Its code, stable: it stands in `--json`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Reason::WithinMargin => "within_margin",
            Reason::RealButBelowMargin => "real_but_below_margin",
            Reason::BeyondChance => "beyond_chance",
            Reason::Needs { .. } => "needs",
            Reason::FamilyNeeds { .. } => "family_needs",
            Reason::IntervalIncludesNone => "interval_includes_none",
            Reason::NoDifferenceSeen { .. } => "no_difference_seen",
            Reason::IntervalBeyondMargin => "interval_beyond_margin",
            Reason::NotSignificant { .. } => "not_significant",
            Reason::SamenessNotSignificant { .. } => "sameness_not_significant",
            Reason::NotBeyond { .. } => "not_beyond",
            Reason::WithinEpsilon { .. } => "within_epsilon",
            Reason::TooOftenBetter { .. } => "too_often_better",
            Reason::BelowTheClock => "below_the_clock",
            Reason::Failures { .. } => "failures",
            Reason::MoreOftenWorse(_) => "more_often_worse",
            Reason::ControlMoved => "control_moved",
            Reason::DoesNothing { .. } => "does_nothing",
            Reason::NoRawData => "no_raw_data",
            Reason::CountsVary => "counts_vary",
            Reason::CountedOtherwise => "counted_otherwise",
        }
    }

    /// Whether it settles a verdict; others stand in its way.
    #[must_use]
    pub fn settles(&self) -> bool {
        matches!(self, Reason::WithinMargin | Reason::BeyondChance)
    }
}
