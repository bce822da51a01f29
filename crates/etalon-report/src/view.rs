//! How a report is shown: what a reader chose, for the terminal and for Markdown alike.

mod sections;

pub use sections::{Section, Sections};

/// How much is shown of each benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistics {
    /// Every metric, with quartiles.
    Full,
    /// Total CPU time and wall clock, without quartiles.
    Mini,
    /// Nothing: only the ranking.
    None,
}

/// Whether the tests behind the ranking are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explanation {
    /// Ranking only.
    Brief,
    /// Every test with its settings.
    Full,
}

/// How much is shown of what errors said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// The first line and the last.
    Brief,
    /// All of it.
    Whole,
}

/// How the report is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// How much of each benchmark.
    pub statistics: Statistics,
    /// Whether tests are shown.
    pub explanation: Explanation,
    /// How much of errors.
    pub errors: Errors,
    /// What is shown beside tables and ranking.
    pub sections: Sections,
    /// Columns; below [`NARROWEST`] counts as that.
    pub width: usize,
    /// Whether verdicts are coloured.
    pub colour: Colour,
}

/// The narrowest width the layout is made for.
pub const NARROWEST: usize = 80;

/// What a wider terminal counts as: beyond it lines are harder to follow than to wrap. A wider
/// layout has to be asked for.
pub const WIDEST: usize = 120;

/// Whether to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// ANSI colours.
    Ansi,
}
