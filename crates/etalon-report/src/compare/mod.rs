//! Tables of comparisons, rendered.
//!
//! Owns what `etalon compare` prints from [`etalon_core::tables::Tables`]: for a terminal and as Markdown
//! (one layout, [`crate::table`]), for programs ([`json()`], [`csv()`], [`github()`]), and as benchstat
//! prints it ([`benchstat`]). Computes nothing.

pub mod benchstat;
mod data;
mod footnotes;
mod grid;
mod page;
mod scale;
mod tally;
mod words;

use etalon_core::tables::{ColumnSummary, Tables};

use crate::table;
use crate::terminal::Colour;
use crate::text::{hanging, wrap};

pub use data::{csv, github, json};
use footnotes::Footnotes;
use words::Columns;

/// What is shown of each table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Of each cell.
    pub cells: CellView,
    /// Under the rows.
    pub summary: SummaryRow,
    /// All of it, or one line.
    pub detail: Detail,
}

/// What is shown of each cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellView {
    /// Centre ± interval; of later columns the change from the base, p and the verdict.
    Delta,
    /// The same with arithmetic means for centres. Changes and verdicts stay what they are: of the
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

/// What stands under the rows of a table.
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

/// All of a table, or one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// All its rows.
    Rows,
    /// One line for each column but the base.
    Summary,
}

/// The tables for a terminal of so many columns.
#[must_use]
pub fn terminal(
    tables: &Tables,
    view: View,
    remarks: &[String],
    (columns, colour): (usize, Colour),
) -> Vec<String> {
    if view.detail == Detail::Summary {
        // Not wrapped: one line each, for whoever reads line by line.
        return tally::lines(tables);
    }
    let mut lines: Vec<String> = Vec::new();
    let mut notes = Footnotes::default();
    for table in layouts(tables, view, &mut notes) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let shown = table::terminal(&table, columns, colour);
        // A table without rows is nothing; that all are left out is said.
        if shown.is_empty() {
            lines.push(format!("{}: no such rows", table.title));
        }
        lines.extend(shown);
    }
    lines.push(String::new());
    for (at, note) in notes.texts.iter().enumerate() {
        lines.extend(hanging(&format!("[{}] ", at + 1), note, columns));
    }
    lines.extend(remarks.iter().flat_map(|remark| wrap(remark, columns)));
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The tables as GitHub reads them.
#[must_use]
pub fn markdown(tables: &Tables, view: View, remarks: &[String]) -> String {
    let items = |texts: Vec<String>| -> String {
        texts.iter().map(|text| format!("- {}\n", table::paragraph(text))).collect()
    };
    if view.detail == Detail::Summary {
        return items(tally::lines(tables));
    }
    let mut notes = Footnotes::default();
    let mut out = String::new();
    for table in layouts(tables, view, &mut notes) {
        out.push_str(&table::markdown(&table, 3));
        out.push('\n');
    }
    out.push_str(&items(tally::lines(tables)));
    let numbered = notes.texts.iter().enumerate();
    let numbered: Vec<String> = numbered.map(|(at, note)| format!("[{}] {note}", at + 1)).collect();
    if !numbered.is_empty() || !remarks.is_empty() {
        out.push('\n');
    }
    out.push_str(&items(numbered));
    out.push_str(&items(remarks.to_vec()));
    out
}

/// The tables as they will stand.
fn layouts(tables: &Tables, view: View, notes: &mut Footnotes) -> Vec<table::Table> {
    let columns = Columns::of(tables);
    match view.cells {
        CellView::Plain => page::pages(tables, &columns, view.summary, notes),
        _ => {
            let grid = |table| grid::grid(tables, table, (&columns, view), notes);
            tables.tables.iter().map(grid).collect()
        }
    }
}
