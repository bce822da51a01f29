//! Intervals, and the typed reasons for having none.

use super::sorted::NotFinite;

/// A closed confidence interval [`lo`, `hi`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end, in the unit of the values.
    pub lo: f64,
    /// Upper end, not below `lo`.
    pub hi: f64,
    /// The confidence that was asked for, in (0, 1). The distribution-free intervals of this
    /// crate cover at least that: their own steps are discrete.
    pub level: f64,
}

impl Interval {
    /// Half the width.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        // Halved first: the ends may lie further apart than the largest number.
        self.hi / 2.0 - self.lo / 2.0
    }

    /// Whether `x` lies within, the ends included.
    #[must_use]
    pub fn contains(&self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// Whether the whole interval lies within [`lo`, `hi`], the ends included.
    #[must_use]
    pub fn lies_inside(&self, lo: f64, hi: f64) -> bool {
        lo <= self.lo && self.hi <= hi
    }
}

/// Why a statistic does not exist for the data given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InsufficientData {
    /// A sample without values.
    #[error("no values")]
    Empty,
    /// Too few values for the level asked for.
    #[error("needs at least {needs} values")]
    TooFew {
        /// The smallest number of values (on each side, where there are two) that would do.
        needs: usize,
    },
    /// A value is NaN or infinite, or the result is too large to be a number.
    #[error("a value is not a finite number")]
    NotFinite,
    /// The level asked for is not between 0 and 1, both excluded.
    #[error("the level must lie between 0 and 1")]
    LevelOutOfRange,
    /// The lower bound of a band does not lie below its upper bound.
    #[error("the band's lower bound must lie below its upper")]
    EmptyBand,
    /// All values are equal, where a spread is divided by.
    #[error("all values are equal")]
    ZeroVariance,
    /// The values within each sample are equal but the samples differ: nothing says how much they
    /// vary, and no number of standard deviations is the answer.
    #[error("the values of each sample are all equal")]
    ZeroVarianceWithin,
    /// The values are exact: they are compared as they are, and nothing is tested.
    #[error("the values are exact: there is nothing to test")]
    Exact,
}

impl From<NotFinite> for InsufficientData {
    fn from(_: NotFinite) -> InsufficientData {
        InsufficientData::NotFinite
    }
}

/// Whether a level is one.
pub(super) fn check_level(level: f64) -> Result<(), InsufficientData> {
    if level > 0.0 && level < 1.0 { Ok(()) } else { Err(InsufficientData::LevelOutOfRange) }
}

/// Whether an interval that misses `tail` of the probability on each side covers `level`.
///
/// Compared as coverages, not as `tail ≤ (1 − level)/2`: 1 − 0.9 is a little below 0.1 in binary,
/// and an interval covering exactly 0.9 (Mann–Whitney, 3 against 3) would be refused.
pub(super) fn covers(tail: f64, level: f64) -> bool {
    1.0 - 2.0 * tail >= level
}
