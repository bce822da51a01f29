//! The terminal report: opening lines, a table per benchmark, the ranking, footnotes.
//!
//! One file per section. Every section fits the width it is given (80 columns and up); what is
//! wider is wrapped, never cut. The same analysis gives the same bytes.

mod explain;
mod footnotes;
mod opening;
mod ranking;
mod style;
mod summary;
mod words;

use std::io::{self, Write};

use etalon_core::analysis::Analysis;

pub use style::Colour;
pub use words::reason_text;

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

/// How the report is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// How much of each benchmark.
    pub statistics: Statistics,
    /// Whether tests are shown.
    pub explanation: Explanation,
    /// Terminal columns; below 80 counts as 80.
    pub width: usize,
    /// Whether verdicts are coloured.
    pub colour: Colour,
}

/// The narrowest width the layout is made for.
pub const NARROWEST: usize = 80;

/// The widest a table grows: beyond it lines are harder to follow than to wrap.
const WIDEST: usize = 120;

/// Writes the report.
///
/// # Errors
/// What the writer returns.
pub fn write(analysis: &Analysis, view: View, out: &mut dyn Write) -> io::Result<()> {
    let view = View { width: view.width.clamp(NARROWEST, WIDEST), ..view };
    let mut sections = vec![opening::lines(analysis, view)];
    if view.statistics != Statistics::None {
        let all = 0..analysis.benchmarks.len();
        sections.extend(all.map(|index| summary::lines(analysis, index, view)));
    }
    if let Some(ranking) = &analysis.ranking
        && analysis.benchmarks.len() > 1
    {
        if view.explanation == Explanation::Full {
            sections.push(explain::settings(analysis, ranking));
        }
        sections.push(ranking::lines(analysis, ranking, view));
    }
    sections.push(footnotes::lines(analysis, view));
    let mut first = true;
    for lines in sections.iter().filter(|lines| !lines.is_empty()) {
        if !first {
            writeln!(out)?;
        }
        first = false;
        for line in lines {
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    out.flush()
}
