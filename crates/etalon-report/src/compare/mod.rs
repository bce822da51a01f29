//! Tables of comparisons, rendered.
//!
//! Owns what `etalon compare` prints from [`etalon_core::tables::Tables`]: for a terminal and as Markdown
//! (one layout, [`crate::table`]), for programs ([`json()`], [`csv()`], [`github()`]), and as benchstat
//! prints it ([`benchstat`]). Computes nothing.

pub mod benchstat;
mod data;
mod grid;
mod scale;
mod tally;
mod words;

use etalon_core::tables::Tables;

use crate::table;
use crate::terminal::Colour;
use crate::text::{hanging, wrap};

pub use data::{csv, github, json};

/// What is shown of each cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellView {
    /// Centre ± interval; of later columns the change from the base, p and the verdict.
    Delta,
    /// Centre ± interval in nanoseconds, bytes or things, with thousands separators.
    Plain,
    /// Percent of the largest of the row, and that.
    OfMax,
    /// Percent of the smallest of the row, and that.
    OfMin,
    /// Over the base, and the verdict.
    Ratio,
}

/// What is shown of each table.
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
    (cells, detail): (CellView, Detail),
    remarks: &[String],
    (columns, colour): (usize, Colour),
) -> Vec<String> {
    if detail == Detail::Summary {
        // Not wrapped: one line each, for whoever reads line by line.
        return tally::lines(tables);
    }
    let mut lines: Vec<String> = Vec::new();
    let mut notes = grid::Footnotes::default();
    for table in &tables.tables {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let grid = grid::grid(tables, table, cells, &mut notes);
        let shown = table::terminal(&grid, columns, colour);
        // A table without rows is nothing; that all are left out is said.
        if shown.is_empty() {
            lines.push(format!("{}: no such rows", grid.title));
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
pub fn markdown(
    tables: &Tables,
    (cells, detail): (CellView, Detail),
    remarks: &[String],
) -> String {
    let items = |texts: Vec<String>| -> String {
        texts.iter().map(|text| format!("- {}\n", table::paragraph(text))).collect()
    };
    if detail == Detail::Summary {
        return items(tally::lines(tables));
    }
    let mut notes = grid::Footnotes::default();
    let mut out = String::new();
    for table in &tables.tables {
        let grid = grid::grid(tables, table, cells, &mut notes);
        out.push_str(&table::markdown(&grid, 3));
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
