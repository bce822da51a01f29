//! The blocks that a comparison takes, as the document of a pilot has them.

use serde::Serialize;

/// The blocks that a comparison takes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Plan<'a> {
    /// The chance to see each difference.
    pub(crate) power: f64,
    /// The level that the smallest p of the family has to reach.
    pub(crate) strictest: f64,
    /// The two of the comparison that scatters most, or the one that was measured alone.
    pub(crate) subjects: Vec<&'a str>,
    /// The number of comparisons; of subjects where each was measured alone.
    pub(crate) comparisons: usize,
    /// The pilot in figures.
    pub(crate) pilot: PilotFigures,
    /// The blocks that each difference takes.
    pub(crate) differences: Vec<PlannedDifference>,
    /// The blocks that each takes by CPU time, where wall clock is planned by and that was measured, too.
    pub(crate) beside: Option<PlannedBeside>,
    /// The blocks that it takes to know medians better; `null` where subjects are compared.
    pub(crate) precision: Option<KnownMedian>,
}

/// A pilot in figures.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PilotFigures {
    /// Its blocks.
    pub(crate) blocks: u32,
    /// Seconds that they took.
    pub(crate) seconds: f64,
    /// The scatter of log ratios from block to block, as a standard deviation.
    pub(crate) scatter: f64,
    /// Whether blocks resemble those before them.
    pub(crate) dependent: bool,
}

/// The blocks that a difference takes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PlannedDifference {
    /// How large it is, as a share.
    pub(crate) difference: f64,
    /// Blocks for every comparison.
    pub(crate) each: BlocksNeeded,
    /// Blocks for half of the comparisons; `null` with one.
    pub(crate) half: Option<BlocksNeeded>,
}

/// What differences take by another metric.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PlannedBeside {
    /// Its name.
    pub(crate) metric: &'static str,
    /// The blocks that each difference takes.
    pub(crate) differences: Vec<PlannedDifference>,
}

/// A number of blocks, or why there is none.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BlocksNeeded {
    /// Why there is no number: `within_margin`, `not_beyond` (`--at-least`), `too_many`.
    #[cfg_attr(test, schemars(extend("enum" = ["within_margin", "not_beyond", "too_many", null])))]
    pub(crate) why: Option<&'static str>,
    /// The number of blocks.
    pub(crate) blocks: Option<u32>,
    /// The likely range.
    pub(crate) likely: Option<[u32; 2]>,
    /// Seconds that they take.
    pub(crate) seconds: Option<f64>,
    /// A command line that measures so many.
    pub(crate) command: Option<String>,
}

/// How well a median is known.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KnownMedian {
    /// The half-width of its interval over it.
    pub(crate) reached: f64,
    /// Half-widths that may be asked for.
    pub(crate) targets: Vec<Target>,
}

/// The blocks that a half-width takes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Target {
    /// The half-width, as a share of the median.
    pub(crate) half_width: f64,
    /// The number of blocks; `null` where that is too large.
    pub(crate) blocks: Option<u32>,
    /// Seconds that they take.
    pub(crate) seconds: Option<f64>,
}
