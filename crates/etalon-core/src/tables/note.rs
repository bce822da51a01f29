//! Notes on a cell, a comparison or a summary.
//!
//! Notes are data; each report words them. Refuses to decide how often one is shown.

use crate::compare::Remark;

/// A non-fatal remark about a cell, a comparison or a summary.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// Values of one cell were measured under circumstances that no query mentions.
    Varies(Vec<String>),
    /// Runs of one cell are copies of others of it, and were left out.
    Copies {
        /// How many.
        runs: usize,
    },
    /// Too few values for an interval.
    IntervalNeeds {
        /// How many would do.
        need: Need,
        /// The level asked for.
        level: f64,
    },
    /// Values declared to be exact are not all the same.
    NotExact {
        /// Smallest value.
        lo: f64,
        /// Largest value.
        hi: f64,
    },
    /// All values of both samples are the same, and nothing can be tested.
    AllEqual,
    /// Too few values for any difference to be found.
    DifferenceNeeds {
        /// How many would do.
        need: Need,
        /// The significance level asked for.
        alpha: f64,
    },
    /// The rows of a column are not those of the base, so their means are of different things.
    SetDiffers,
    /// A geometric mean of values that are not all above 0.
    NotPositive,
    /// A geometric mean of ratios that are not all above 0.
    RatiosNotPositive,
    /// A remark that every report makes of such evidence.
    Remark(Remark),
    /// The correction picked this comparison of many: its interval has this level, for as many to hold as were asked.
    Picked {
        /// The level of the interval.
        level: f64,
        /// The share that is to hold.
        asked: f64,
    },
    /// A comparison of what was measured on different machines, with the facts that differ.
    OtherMachine(Vec<Difference>),
}

/// A fact that differs between two columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The key that varies, as queries spell it.
    pub key: String,
    /// The base's value; absent if it has none.
    pub base: Option<String>,
    /// The other's.
    pub other: Option<String>,
}

/// How many values are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// At least so many.
    AtLeast(usize),
    /// More than so many, the largest number that was tried.
    MoreThan(usize),
}
