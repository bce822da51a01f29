//! benchstat's text.

use etalon_core::notes::NoteKind;
use etalon_core::tables::{ColumnSummary, Labels, Row, Table};

use super::layout::{Layout, Side};
use super::number::{Scale, change, reach};
use super::words;

/// Columns of the layout that name a row, show a centre, and show a comparison.
const LABEL: usize = 1;
const CENTRE: usize = 3;
const DELTA: usize = 3;
const RULE: &str = " │ ";

/// Where a column of the table begins in the layout.
fn start(column: usize) -> usize {
    if column == 0 { LABEL } else { LABEL + CENTRE + (column - 1) * (CENTRE + DELTA) }
}

/// One table with its footnotes.
pub(super) fn table(table: &Table) -> String {
    let mut page = Page { layout: Layout::default(), notes: Vec::new() };
    let edge = start(table.columns.len() + 1);
    header(&mut page.layout, &table.columns, edge);
    units(&mut page.layout, table, edge);
    for row in &table.rows {
        page.row(table, row);
    }
    if table.rows.len() > 1 {
        page.summaries(table);
    }
    let mut out = page.layout.render();
    for (at, note) in page.notes.iter().enumerate() {
        out.push_str(&format!("{} {note}\n", superscript(at + 1)));
    }
    out
}

/// A line for each key of the columns; neighbours that agree so far share one cell.
fn header(layout: &mut Layout, columns: &[Labels], edge: usize) {
    for level in 0..columns[0].len() {
        layout.row();
        let mut from = 0;
        for node in columns.chunk_by(|a, b| a[..=level] == b[..=level]) {
            let (begin, end) = (start(from), start(from + node.len()));
            layout.at(begin);
            let value = node[0][level].as_deref().unwrap_or_default();
            layout.span(end - begin, value, Side::Centre, RULE);
            from += node.len();
        }
        right_edge(layout, edge);
    }
}

fn right_edge(layout: &mut Layout, edge: usize) {
    layout.at(edge);
    layout.span(1, "", Side::Left, " │");
}

fn units(layout: &mut Layout, table: &Table, edge: usize) {
    layout.row();
    for column in 0..table.columns.len() {
        let begin = start(column);
        layout.at(begin);
        layout.span(CENTRE, &table.unit, Side::Centre, RULE);
        if column > 0 {
            layout.span(DELTA, "vs base", Side::Left, "  ");
        }
        for col in begin + 1..layout.next() {
            layout.narrow(col);
        }
    }
    right_edge(layout, edge);
}

struct Page {
    layout: Layout,
    notes: Vec<String>,
}

impl Page {
    /// A cell with the numbers of notes, new ones added.
    fn notes<'n>(&mut self, notes: impl IntoIterator<Item = &'n NoteKind>) {
        let mut numbers = Vec::new();
        for note in notes {
            let text = words::note(note);
            let known = self.notes.iter().position(|known| *known == text);
            let at = known.unwrap_or_else(|| {
                self.notes.push(text);
                self.notes.len() - 1
            });
            numbers.push(superscript(at + 1));
        }
        self.layout.cell(&numbers.join(" "), Side::Left);
    }

    fn row(&mut self, table: &Table, row: &Row) {
        self.layout.row();
        self.layout.cell(&words::label(&row.labels), Side::Left);
        let centres = row.cells.iter().flatten().map(|cell| cell.centre.value);
        let scale = Scale::fitting(centres, &table.unit);
        for (column, cell) in row.cells.iter().enumerate() {
            let Some(cell) = cell else { continue };
            self.layout.at(start(column));
            self.layout.cell(&scale.show(cell.centre.value), Side::Right);
            self.layout.span(1, &reach(&cell.centre), Side::Right, " ± ");
            self.notes(&cell.notes);
            if let (Some(comparison), Some(base)) = (&cell.comparison, &row.cells[0]) {
                self.layout.cell(&words::delta(base, cell, comparison), Side::Right);
                self.layout.cell(&format!("({})", words::evidence(comparison)), Side::Left);
                self.notes(&comparison.notes);
            }
        }
    }

    fn summaries(&mut self, table: &Table) {
        self.layout.row();
        self.layout.cell("geomean", Side::Left);
        for (column, ColumnSummary { mean, ratio, notes, .. }) in table.summaries.iter().enumerate()
        {
            if let Some(mean) = mean {
                self.layout.at(start(column));
                self.layout.cell(&Scale::fitting([*mean], &table.unit).show(*mean), Side::Right);
            }
            if column > 0 {
                self.layout.at(start(column) + CENTRE);
                match ratio {
                    Some(ratio) => self.layout.cell(&change(*ratio), Side::Right),
                    None => self.layout.cell("?", Side::Left),
                }
            }
            self.layout.at(start(column + 1) - 1);
            self.notes(notes);
        }
    }
}

fn superscript(number: usize) -> String {
    let digit = |c: char| c.to_digit(10).and_then(|d| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(d as usize));
    number.to_string().chars().filter_map(digit).collect()
}
