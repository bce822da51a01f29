//! Tables of comparisons, rendered.
//!
//! Owns what `etalon compare` prints from [`etalon_core::tables::Tables`]: for a terminal and as Markdown
//! (one layout, [`crate::table`]), for programs ([`csv()`], [`github()`]; [`crate::json::tables()`]), and as benchstat
//! prints it ([`benchstat`]). Computes nothing.

pub mod benchstat;
mod data;
mod footnotes;
mod grid;
mod page;
mod tally;
mod words;

use std::collections::HashSet;

use etalon_core::tables::{self, Arrangement, ColumnSummary, Labels, Tables, Which};

use crate::table;
use crate::text::{hanging, wrap};
use crate::view::Colour;

pub use data::{csv, github};
use footnotes::Footnotes;
pub use tally::lines as tally;
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

/// What is said beside the tables.
#[derive(Debug, Clone, Copy, Default)]
pub struct Remarks<'a> {
    /// Why a check failed.
    pub failed: &'a [String],
    /// The [`tally()`] of all rows, whichever are shown.
    pub tally: &'a [String],
    /// What has to be known of the data as a whole.
    pub remarks: &'a [String],
}

/// What tables are printed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    /// How wide it is.
    pub columns: usize,
    /// Whether it shows colours.
    pub colour: Colour,
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

/// The tables with only those rows, in that order; a page shows a row whole if any of its units changed.
#[must_use]
pub fn arranged(tables: Tables, arrangement: Arrangement, cells: CellView) -> Tables {
    match (cells, arrangement.which) {
        (CellView::Plain, Which::Changed) => {
            let all = Arrangement { which: Which::All, ..arrangement };
            tables::arranged(page::of_changed_rows(tables), all)
        }
        _ => tables::arranged(tables, arrangement),
    }
}

/// The tables for a terminal. Why a check failed is for standard error.
#[must_use]
pub fn terminal(
    tables: &Tables,
    view: View,
    said: Remarks<'_>,
    Terminal { columns, colour }: Terminal,
) -> Vec<String> {
    if view.detail == Detail::Summary {
        // Not wrapped: one line each, for whoever reads line by line.
        return [said.tally, &tally::notes(tables)[..]].concat();
    }
    let mut lines: Vec<String> = Vec::new();
    let mut notes = Footnotes::default();
    for table in layouts(tables, view, &mut notes) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        // A table without rows is nothing; that all are left out is said.
        if table.rows.is_empty() {
            let about = if table.title.is_empty() { "" } else { ": " };
            lines.push(format!("{}{about}no row changed", table.title));
        }
        lines.extend(table::terminal(&table, columns, colour));
    }
    lines.push(String::new());
    for (at, note) in notes.texts.iter().enumerate() {
        lines.extend(hanging(&format!("[{}] ", at + 1), note, columns));
    }
    lines.extend(said.remarks.iter().flat_map(|remark| wrap(remark, columns)));
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The tables as GitHub reads them, after the reasons why a check failed.
#[must_use]
pub fn markdown(tables: &Tables, view: View, said: Remarks<'_>) -> String {
    let items = |texts: &[String]| -> String {
        texts.iter().map(|text| format!("- {}\n", table::paragraph(text))).collect()
    };
    let mut out = String::new();
    if !said.failed.is_empty() {
        out.push_str(&format!("**Failed:**\n\n{}\n", items(said.failed)));
    }
    if view.detail == Detail::Summary {
        return out + &items(said.tally) + &items(&tally::notes(tables));
    }
    let mut notes = Footnotes::default();
    for table in layouts(tables, view, &mut notes).iter().filter(|table| !table.rows.is_empty()) {
        out.push_str(&table::markdown(table, 3));
        out.push('\n');
    }
    out.push_str(&items(said.tally));
    let numbered = notes.texts.iter().enumerate();
    let numbered: Vec<String> = numbered.map(|(at, note)| format!("[{}] {note}", at + 1)).collect();
    if !numbered.is_empty() || !said.remarks.is_empty() {
        out.push('\n');
    }
    out + &items(&numbered) + &items(said.remarks)
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
