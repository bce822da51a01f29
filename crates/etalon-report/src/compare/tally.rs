//! A table's comparisons in one line: how many of each verdict, and the geometric mean; or that a data set
//! has nothing of the table. What has to be said of the columns follows, where no table says it.

use etalon_core::tables::{Table, Tables};
use indexmap::IndexMap;

use super::words::{self, Columns};
use crate::tidied::change;
use crate::words::{cell_note, counts};

/// A line for each table and column but the base, and for each column that a table lacks.
pub(super) fn lines(tables: &Tables) -> Vec<String> {
    let columns = Columns::new(tables);
    let mut lines = Vec::new();
    for (table, lacking) in tables.tables.iter().zip(super::lacking(tables)) {
        let title = words::title(tables, table);
        for (at, labels) in table.columns.iter().enumerate().skip(1) {
            lines.push(format!("{title}, {}: {}", columns.label(labels), tally(table, at)));
        }
        let missing = |labels| format!("{title}, {}: missing", columns.label(labels));
        lines.extend(lacking.into_iter().map(missing));
    }
    lines
}

/// Notes on columns, each once, with all columns that it is about.
pub(super) fn notes(tables: &Tables) -> Vec<String> {
    let columns = Columns::new(tables);
    let mut said: IndexMap<String, Vec<String>> = IndexMap::new();
    for table in &tables.tables {
        for (labels, summary) in table.columns.iter().zip(&table.summaries) {
            for note in &summary.notes {
                let (of, label) = (said.entry(cell_note(note)).or_default(), columns.label(labels));
                if !of.contains(&label) {
                    of.push(label);
                }
            }
        }
    }
    said.into_iter().map(|(note, of)| format!("{}: {note}", of.join(", "))).collect()
}

fn tally(table: &Table, column: usize) -> String {
    let cells = table.rows.iter().filter_map(|row| row.cells[column].as_ref());
    let comparisons = cells.filter_map(|cell| cell.comparison.as_ref());
    let assessments = comparisons.filter_map(|comparison| comparison.assessment.as_deref());
    let counts = counts(assessments, table.direction, &table.base);
    let counts: Vec<String> = counts.into_iter().map(|(_, text)| text).collect();
    let summary = &table.summaries[column];
    let mean = summary.ratio.map_or("no geometric mean".to_owned(), |ratio| {
        format!("geometric mean {}", change(ratio, summary.interval))
    });
    format!("{}; {mean}", counts.join(", "))
}
