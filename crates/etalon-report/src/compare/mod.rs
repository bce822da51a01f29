//! Tables of comparisons, rendered.
//!
//! Owns what `etalon compare` prints from [`etalon_core::tables::Tables`]: for a terminal and as Markdown
//! (one document, `screen`), below a pull request ([`comment()`]), for programs ([`csv()`], [`github()`], [`junit()`];
//! [`crate::json::tables()`]).
//! Computes nothing.

mod comment;
mod data;
mod evidence;
mod families;
mod footnotes;
mod headline;
mod junit;
mod page;
pub mod presented;
mod rest;
mod rows;
mod screen;
mod sheets;
mod tally;
pub(crate) mod words;

use std::collections::HashSet;

use etalon_core::model::Answer;
use etalon_core::notes::Note;
use etalon_core::tables::{self, Arrangement, By, ColumnSummary, Labels, Tables, Which};

use crate::document::{self, Document, Part};
use crate::view::{Detail, NARROWEST, View};
use crate::words::note_sentences;

pub use comment::{Frame, comment};
pub use data::{csv, github};
pub use evidence::{foreseen, order_unsaid};
pub use headline::count_and_time;
pub use junit::junit;
pub use presented::Look;

/// The parts of a comparison that are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contents<'a> {
    /// Of each cell.
    pub cells: CellView,
    /// Under the rows.
    pub summary: SummaryRow,
    /// Which rows, in which order.
    pub rows: Arrangement,
    /// How tables look that are relative to a row or the base.
    pub look: Look<'a>,
}

/// The content of each cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellView {
    /// Centre ± interval; of later columns the change from the base, p and the verdict.
    Delta,
    /// Arithmetic means for centres. Changes and verdicts stay as they are: they are of the
    /// samples.
    Mean,
    /// A page for reading: a column for each unit, centre ± interval in nanoseconds, bytes or things,
    /// with thousands separators.
    Plain,
    /// Percent of the largest of the row, and that.
    OfMax,
    /// Percent of the smallest of the row, and that.
    OfMin,
    /// Over the base, and the verdict.
    Ratio,
}

/// The row under the rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryRow {
    /// The geometric mean of each column.
    GeometricMean,
    /// The sum of each column over the rows that no column lacks.
    Total,
    /// Nothing.
    None,
}

impl SummaryRow {
    /// A column's value.
    fn value(self, summary: &ColumnSummary) -> Option<f64> {
        match self {
            SummaryRow::GeometricMean => summary.mean,
            SummaryRow::Total => summary.total,
            SummaryRow::None => None,
        }
    }
}

/// Sentences beside the tables.
#[derive(Debug, Clone, Copy, Default)]
pub struct Remarks<'a> {
    /// Why a check failed.
    pub failed: &'a [Note],
    /// Remarks on the data as a whole.
    pub remarks: &'a [Note],
    /// The command that would measure such data interleaved, where there is one.
    pub interleaved_by: Option<&'a str>,
}

/// For each table the columns that others have and it lacks: data sets without its package or its unit.
#[must_use]
pub fn lacking(tables: &Tables) -> Vec<Vec<&Labels>> {
    let all = distinct(tables.tables.iter().flat_map(|table| &table.columns));
    let lacks = |table: &tables::Table| {
        all.iter().copied().filter(|column| !table.columns.contains(column)).collect()
    };
    tables.tables.iter().map(lacks).collect()
}

/// Each once, in order of appearance.
fn distinct<'a>(labels: impl Iterator<Item = &'a Labels>) -> Vec<&'a Labels> {
    let mut seen = HashSet::new();
    labels.filter(|labels| seen.insert(*labels)).collect()
}

/// The comparison for a terminal: one screen, or every table. Why a check failed is for standard error.
#[must_use]
pub fn terminal(
    tables: Tables,
    contents: Contents<'_>,
    said: Remarks<'_>,
    view: View,
) -> Vec<String> {
    let view = View { width: view.width.max(NARROWEST), ..view };
    document::terminal(&screen::document(tables, contents, said, view.detail), view)
}

/// The comparison as GitHub reads it, after the reasons why a check failed.
#[must_use]
pub fn markdown(
    tables: Tables,
    contents: Contents<'_>,
    said: Remarks<'_>,
    detail: Detail,
) -> String {
    let is_screen = detail == Detail::Screen && contents.cells == CellView::Delta;
    let folded = is_screen.then(|| every_row(&tables, contents));
    let mut parts = failed(said);
    let screen = screen::document(tables, contents, said, detail);
    parts.extend(document::markdown(&screen));
    parts.extend(folded.filter(|(rows, _)| *rows > rows_of(&screen)).map(|(_, folded)| folded));
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_end_matches('\n')).collect();
    parts.join("\n\n") + "\n"
}

/// The tables with every row, folded, and how many rows these are.
fn every_row(tables: &Tables, contents: Contents<'_>) -> (usize, String) {
    let all = complete(tables, contents);
    let text = document::markdown(&all).join("\n\n");
    // GitHub reads Markdown within HTML behind an empty line.
    let folded = format!("<details>\n<summary>Every row</summary>\n\n{text}\n\n</details>");
    (rows_of(&all), folded)
}

/// The tables with every row, and their footnotes.
fn complete(tables: &Tables, contents: Contents<'_>) -> Document {
    let mut all = screen::document(tables.clone(), contents, Remarks::default(), Detail::Full);
    all.parts.retain(|part| matches!(part, Part::Tables(_) | Part::Footnotes(_)));
    all
}

/// The two parts of a page: why a check failed with the screen, and every row where the screen does not say all of it.
pub(crate) fn page_parts(
    tables: &Tables,
    contents: Contents<'_>,
    said: Remarks<'_>,
) -> (Document, Document) {
    let mut screen = Document::default();
    if !said.failed.is_empty() {
        screen.parts.push(Part::Answer("Failed:".to_owned()));
        screen.parts.push(Part::Notes(note_sentences(said.failed)));
    }
    let shown = screen::document(tables.clone(), contents, said, Detail::Screen);
    let rest = match contents.cells {
        CellView::Delta => {
            let rows = Arrangement { which: Which::All, by: By::Query };
            complete(tables, Contents { rows, ..contents })
        }
        _ => Document::default(),
    };
    screen.parts.extend(shown.parts);
    (screen, rest)
}

fn rows_of(document: &Document) -> usize {
    let of_part = |part: &Part| match part {
        Part::Tables(tables) => tables.iter().map(|table| table.rows.len()).sum(),
        _ => 0,
    };
    document.parts.iter().map(of_part).sum()
}

/// A line for each table and column but the base, and what has to be said of the columns. Not wrapped, for whoever
/// reads line by line.
#[must_use]
pub fn summary(tables: &Tables) -> Vec<String> {
    [tally::lines(tables), tally::notes(tables)].concat()
}

/// The verdicts on the leading quantity, in the first column beside the base: `time: 1 slower`. Absent where nothing is
/// compared.
#[must_use]
pub fn brief(tables: &Tables) -> Option<Answer> {
    headline::brief(tables).map(Answer::about_all)
}

/// The answer in one line: for each data set but the base how many rows changed which way.
#[must_use]
pub fn headline(tables: &Tables) -> Option<String> {
    let words = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = |line: &String| {
        let parts = line.split("   ").map(words).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("; ")
    };
    let lines: Vec<String> = headline::lines(tables).iter().map(line).collect();
    (!lines.is_empty()).then(|| lines.join(" | "))
}

/// The summary as GitHub reads it.
#[must_use]
pub fn summary_markdown(tables: &Tables, said: Remarks<'_>) -> String {
    let mut parts = failed(said);
    parts.push(document::list(&summary(tables)));
    parts.join("\n\n") + "\n"
}

fn failed(said: Remarks<'_>) -> Vec<String> {
    if said.failed.is_empty() {
        return Vec::new();
    }
    vec!["**Failed:**".to_owned(), document::list(&note_sentences(said.failed))]
}
