//! Notes on two sides of a project: what their second builds say, which files they read, how they were made.

/// A remark on two sides.
#[derive(Debug, Clone, PartialEq)]
pub enum SidesNote {
    /// Verdicts about a quantity of a row are withheld, because a side differs from its own second build.
    Moved(Moved),
    /// Verdicts are withheld for others of these besides.
    MoreMoved {
        /// How many.
        count: usize,
    },
    /// Verdicts about a quantity are withheld in all rows, because a side moved in many.
    ManyMoved {
        /// Of which quantity.
        unit: String,
        /// In how many rows.
        moved: usize,
        /// Of so many.
        rows: usize,
    },
    /// How to tell a build that differs by itself from a disturbed one.
    Repeat,
    /// Each side agrees with its own second build, but for what other notes say of quantities that do not lead.
    BuildsAgree {
        /// How many comparisons there are.
        compared: usize,
        /// How many of them said something else.
        moved: usize,
        /// The change that would have been seen, where the quantity scatters.
        visible: Option<Visible>,
    },
    /// No difference between the builds of a side could have been seen in a row, however large.
    BuildsUnchecked {
        /// How many comparisons of rows there were.
        compared: usize,
        /// The fewest blocks with which one of them can show something.
        blocks: u32,
        /// The change of the quantity that would have been seen in all rows alike.
        whole: Option<(String, f64)>,
    },
    /// A value is the mean of a side's builds in a block, and what is compared are pairs of builds.
    BuildsAveraged,
    /// Builds of a side differ in where code is placed: a value is their mean in a block, and what is compared are layouts.
    Layouts {
        /// How many there are of each side.
        each: usize,
        /// The standard deviation of those of one side as a share, in the row where it is largest: what placement alone
        /// does. Absent without ratios.
        scatter: Option<f64>,
    },
    /// Each side was built once.
    BuiltOnce,
    /// Which files are read could not be looked at.
    Untraced {
        /// Why.
        why: String,
    },
    /// Both sides execute the same bytes.
    SameBytes,
    /// No file that was opened differs between the sides.
    NothingOpenedDiffers {
        /// Whether files were opened at all.
        opened: OpenedFiles,
        /// The files that were listed or asked about.
        listed: ListedFiles,
    },
    /// Programs are asked over sockets, whose files nobody looked at.
    OthersAsked {
        /// Which.
        programs: String,
    },
    /// Benchmarks differ between the sides.
    BenchmarksDiffer {
        /// Which, with their files.
        which: String,
        /// Those that were executed.
        executed: BenchmarksOf,
    },
    /// How the sides were made, the base first.
    Made {
        /// Each of them.
        sides: Box<[BuiltSide; 2]>,
        /// The command that built them, and how many seconds it took.
        built: Option<(String, Option<String>)>,
    },
}

/// A side that differs from its own second build.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// Of which quantity.
    pub unit: String,
    /// Which side.
    pub side: String,
    /// The row of it, with what tells its table apart: the values of its keys; absent of all rows together.
    pub row: Option<Vec<Option<String>>>,
    /// The second build against the first, where there is a ratio.
    pub ratio: Option<f64>,
}

/// The smallest changes of a build that would have been seen with power 0.9, as shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Visible {
    /// Of which quantity.
    pub unit: String,
    /// In one row, of the row and side where it is largest.
    pub row: f64,
    /// In all rows alike, of the side where it is larger; absent of one row.
    pub whole: Option<f64>,
}

/// Benchmarks that two sides executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BenchmarksOf {
    /// Those of the head, on both.
    Head,
    /// Each side's own, as it was asked for.
    Own,
    /// Each side's own, because the head's do not build on the base.
    OwnForWant,
}

/// Whether files of the sides were opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenedFiles {
    /// Some were.
    Some,
    /// None was.
    None,
}

/// The files that were listed or asked about in the sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListedFiles {
    /// It differs, in these names.
    Differs(String),
    /// It is the same on both.
    Same,
    /// Nobody knows.
    Unknown,
}

/// A side as it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltSide {
    /// `base` or `head`.
    pub side: &'static str,
    /// The revision as it was typed, or the working tree.
    pub asked: String,
    /// The revision that this is.
    pub revision: Option<String>,
    /// Builds that an earlier etalon made.
    pub kept: Option<KeptBuilds>,
}

/// Builds from earlier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptBuilds {
    /// So many seconds before.
    pub seconds: u64,
    /// How many, where others are of now: `1 of 2`.
    pub some: Option<String>,
}
