//! Notes on what a check of tables came to: why it fails, and what it says nothing about.
//!
//! Conditions are data, as they were typed. The subject of a note is the place in a table.

use crate::stats::Interval;

/// A remark on a check.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckNote {
    /// A value is worse.
    Worse {
        /// The condition that it breaks.
        condition: String,
        /// By how much.
        change: Option<Change>,
    },
    /// A value is worse, and a waiver accepts that.
    Waived {
        /// The condition that it would break.
        condition: String,
        /// By how much.
        change: Option<Change>,
        /// The waiver.
        waiver: String,
        /// Its reason.
        reason: String,
    },
    /// A value is worse, and a waiver for it does not hold.
    NotWaived {
        /// The condition that it breaks.
        condition: String,
        /// By how much.
        change: Option<Change>,
        /// The waiver.
        waiver: String,
        /// Why not.
        why: NotWaivedReason,
    },
    /// A series of a history has no recent point.
    Stale,
    /// A series of a history has too few points to look for anything.
    TooShort {
        /// How many it has.
        points: usize,
    },
    /// A waiver of a history is no longer needed: nothing is found that it accepts.
    Gone {
        /// The waiver.
        waiver: String,
    },
    /// The head's file of checks says something else than the base's, which holds.
    Changed {
        /// The path of the file.
        file: String,
        /// Entries that the head has and the base lacks, as they are shown.
        added: Vec<String>,
        /// The reverse.
        removed: Vec<String>,
    },
    /// An entry of a file of checks is about no row.
    AboutNothing {
        /// The entry.
        entry: String,
    },
    /// A comparison is unclear.
    Unclear {
        /// The condition that it breaks.
        condition: String,
        /// The change so far.
        change: Option<Change>,
    },
    /// No verdict was possible, and a check that cannot fail has not passed.
    Withheld {
        /// The condition that stays open.
        condition: String,
        /// Why.
        why: WithheldReason,
    },
    /// Nothing was compared with anything in a unit that can be worse.
    NothingCompared {
        /// The condition that is about nothing.
        condition: String,
    },
    /// Rows are unclear, and pass.
    UnclearPasses {
        /// How many.
        unclear: usize,
        /// Of how many.
        compared: usize,
    },
    /// A unit has no direction, and is not checked.
    WithoutDirection {
        /// Which.
        unit: String,
    },
    /// The base has it, and another data set lacks it.
    Missing,
    /// The base lacks it; the condition that refuses it, where there is one.
    New {
        /// As it was typed.
        refused_by: Option<String>,
    },
    /// A benchmark that has to be compared is not.
    Required {
        /// The condition.
        condition: String,
        /// Why not.
        why: UncomparedReason,
    },
    /// Something at a place of a file is broken, or has ended without passing.
    Broken {
        /// The message of the reader of the file.
        reason: String,
    },
    /// A time, size or rate below 0.
    Negative {
        /// Of which benchmark.
        name: String,
        /// In which unit.
        unit: String,
    },
    /// More of the kind before it.
    More {
        /// How many.
        count: usize,
    },
}

/// A ratio to the base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The ratio.
    pub ratio: f64,
    /// Its interval; absent of exact values, and where there is none.
    pub interval: Option<Interval>,
}

/// Why no verdict was possible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WithheldReason {
    /// Too few values.
    Needs {
        /// How many would do.
        at_least: usize,
    },
    /// Too few values for so many comparisons.
    FamilyNeeds {
        /// How many would do.
        at_least: usize,
        /// How many comparisons.
        family: usize,
    },
    /// Readings of a time never differ, and look worse.
    BelowTheClock(Option<Change>),
    /// A side differs from its own second build.
    ControlMoved,
    /// A side has centres alone, which its harness formed.
    NoRawData,
}

/// Why a waiver does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotWaivedReason {
    /// Its last day is over.
    Expired,
    /// The far end of the interval is beyond it.
    Beyond,
    /// The base's file lacks it: only the head's has it.
    OfHead,
}

/// Why a benchmark is not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UncomparedReason {
    /// A column lacks it.
    Missing,
    /// There is nothing beside it.
    Alone,
    /// The data have none of that name.
    Unknown,
}
