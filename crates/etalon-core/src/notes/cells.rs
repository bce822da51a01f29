//! Notes on the cells and the columns of a table. Refuses to decide how often one is shown.

/// A remark on the values of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum CellNote {
    /// Values of one cell were measured under circumstances that no query mentions.
    Varies(Vec<String>),
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
    /// A call takes no longer than an empty loop.
    OptimisedAway,
    /// An operation takes less than an empty loop does on a fast CPU, of which none was measured.
    BelowLoop,
}

/// A remark on a column as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnNote {
    /// The rows of a column are not those of the base, so their means are of different things.
    SetDiffers,
    /// A geometric mean of values that are not all above 0.
    NotPositive,
    /// A geometric mean of ratios that are not all above 0.
    RatiosNotPositive,
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
