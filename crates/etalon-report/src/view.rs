//! How a report is shown: what a reader chose, for the terminal and for Markdown alike.

mod charset;
mod sections;

pub use charset::Charset;
pub use sections::{Section, Sections};

/// Whose report it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Style {
    /// etalon's: the answer first, one screen.
    #[default]
    Etalon,
    /// BestGuess's listings: a box per command and the ranking.
    BestGuess,
    /// lua-measure's sections.
    LuaMeasure,
}

/// How much of everything is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// One screen: the answer, one table, the notes that change how it is read.
    #[default]
    Screen,
    /// Every table, every note, every name whole.
    Full,
}

/// How a reader gets the rest of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Again {
    /// By the same command with other options.
    #[default]
    Options,
    /// From the run that was just saved.
    Saved,
}

/// How much is shown of each benchmark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Statistics {
    /// Every metric, with quartiles.
    Full,
    /// Total CPU time and wall clock, without quartiles.
    Mini,
    /// Nothing: only what compares them.
    #[default]
    None,
}

/// Whether the tests behind the ranking are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Explanation {
    /// Ranking only.
    #[default]
    Brief,
    /// Every test with its settings.
    Full,
}

/// How the report is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Whose habits it follows.
    pub style: Style,
    /// How much of everything; of errors the first line and the last, or all of it.
    pub detail: Detail,
    /// How much of each benchmark.
    pub statistics: Statistics,
    /// Whether tests are shown.
    pub explanation: Explanation,
    /// Sections beside tables and ranking.
    pub sections: Sections,
    /// Columns; below [`NARROWEST`] counts as that.
    pub width: usize,
    /// Whether verdicts are coloured.
    pub colour: Colour,
    /// Which characters.
    pub charset: Charset,
    /// How a reader gets the rest.
    pub again: Again,
}

impl View {
    /// etalon's own report on one screen, as a pipe gets it.
    pub const SCREEN: View = View {
        style: Style::Etalon,
        detail: Detail::Screen,
        statistics: Statistics::None,
        explanation: Explanation::Brief,
        sections: Sections::NONE,
        width: NARROWEST,
        colour: Colour::Never,
        charset: Charset::Unicode,
        again: Again::Options,
    };

    /// Whether anything beside the screen of etalon's own style is asked for.
    pub(crate) fn shows_more(&self) -> bool {
        self.statistics != Statistics::None
            || self.explanation == Explanation::Full
            || self.sections != Sections::NONE
    }
}

impl Default for View {
    fn default() -> View {
        View::SCREEN
    }
}

/// The narrowest width the layout is made for.
pub const NARROWEST: usize = 80;

/// The width that a wider terminal counts as. A wider layout has to be asked for.
pub const WIDEST: usize = 200;

/// The widest lines of sentences: longer ones are harder to follow than to wrap.
pub(crate) const WIDEST_TEXT: usize = 120;

/// Whether to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// ANSI colours.
    Ansi,
}
