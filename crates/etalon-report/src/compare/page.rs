//! Pages for reading: tables that differ in their unit only, side by side, a column for each unit.
//!
//! Owns which tables share a page, and its rows: those of all of them, a row for each benchmark and, where
//! there are several, each column of the comparison. Refuses verdicts: a page says how large things are.

use std::collections::{HashMap, HashSet};

use etalon_core::tables::{self, Arrangement, By, Cell, Labels, Row, Table, Tables, Which};

use super::footnotes::Footnotes;
use super::words::{self, Columns};
use super::{SummaryRow, distinct};
use crate::table::{self, Align, Column};
use crate::tidied::{plain, plain_number, plain_unit};

/// The tables with only those rows, in that order; a row that is shown is shown in all tables that share its page.
pub(super) fn arranged(mut all: Tables, rows: Arrangement) -> Tables {
    if rows.which != Which::All {
        let some = tables::arranged(all.clone(), Arrangement { by: By::Query, ..rows });
        let labels = |table: &Table| table.rows.iter().map(|row| row.labels.clone()).collect();
        let kept: HashSet<(Labels, Labels)> = some
            .tables
            .iter()
            .flat_map(|table| {
                let rows: Vec<Labels> = labels(table);
                rows.into_iter().map(|row| (table.labels.clone(), row))
            })
            .collect();
        for table in &mut all.tables {
            let labels = &table.labels;
            table.rows.retain(|row| kept.contains(&(labels.clone(), row.labels.clone())));
        }
    }
    tables::arranged(all, Arrangement { which: Which::All, ..rows })
}

/// A page for each set of table keys.
pub(super) fn pages(
    tables: &Tables,
    columns: &Columns,
    summary: SummaryRow,
    notes: &mut Footnotes,
) -> Vec<table::Table> {
    let mut groups: Vec<(&Labels, Vec<&Table>)> = Vec::new();
    for table in &tables.tables {
        match groups.iter_mut().find(|(labels, _)| **labels == table.labels) {
            Some((_, group)) => group.push(table),
            None => groups.push((&table.labels, vec![table])),
        }
    }
    let page = |(labels, group): (&Labels, Vec<&Table>)| table::Table {
        title: words::named(&tables.table_keys, labels),
        ..page(tables, columns, &group, summary, notes)
    };
    groups.into_iter().map(page).collect()
}

/// The cells of one unit, found by their labels.
struct Side<'t> {
    table: &'t Table,
    rows: HashMap<&'t Labels, &'t Row>,
}

impl<'t> Side<'t> {
    fn new(table: &'t Table) -> Side<'t> {
        Side { table, rows: table.rows.iter().map(|row| (&row.labels, row)).collect() }
    }

    fn column(&self, set: &Labels) -> Option<usize> {
        self.table.columns.iter().position(|column| column == set)
    }

    fn cell(&self, row: &Labels, set: &Labels) -> Option<&'t Cell> {
        self.rows.get(row)?.cells[self.column(set)?].as_ref()
    }

    /// A value with its footnotes.
    fn shown(&self, row: &Labels, set: &Labels, notes: &mut Footnotes) -> [table::Cell; 2] {
        let cell = self.cell(row, set);
        let text = cell.map(|cell| plain(&cell.centre, &self.table.base));
        [table::Cell::words_or_absent(text), notes.cell(cell)]
    }

    /// A cell of the summary row.
    fn summed(&self, what: SummaryRow, set: &Labels, notes: &mut Footnotes) -> [table::Cell; 2] {
        let at = self.column(set);
        let value = at.and_then(|at| what.value(&self.table.summaries[at]));
        let text = value.map(|value| plain_number(value, &self.table.base));
        let own = words::left_out(self.table, what).filter(|_| value.is_some());
        [table::Cell::words_or_absent(text), notes.marks(own)]
    }
}

fn page<'t>(
    tables: &Tables,
    columns: &Columns,
    group: &[&'t Table],
    summary: SummaryRow,
    notes: &mut Footnotes,
) -> table::Table {
    let sides: Vec<Side<'t>> = group.iter().map(|table| Side::new(table)).collect();
    let rows = distinct(group.iter().flat_map(|table| table.rows.iter().map(|row| &row.labels)));
    let sets = distinct(group.iter().flat_map(|table| &table.columns));
    let mut titles = vec![Column::new(&title(&tables.row_keys), Align::Left)];
    if sets.len() > 1 {
        titles.push(Column::new(&title(&tables.col_keys), Align::Left));
    }
    for table in group {
        let unit = crate::text::clean(&plain_unit(&table.unit, &table.base));
        titles.push(Column::new(&unit, Align::Right).first());
        titles.push(Column::untitled("notes", Align::Left));
    }
    let label = |set: &&'t Labels| {
        let of = |side: &Side<'t>| Some(&side.table.summaries[side.column(set)?]);
        (*set, notes.labelled(&columns.label(set), sides.iter().filter_map(of)))
    };
    let labels: Vec<(&Labels, table::Cell)> = sets.iter().map(label).collect();
    let mut page = table::Table { columns: titles, ..table::Table::default() };
    for row in rows {
        let cells = |set: &Labels| sides.iter().flat_map(|s| s.shown(row, set, notes)).collect();
        page.rows.extend(block(words::label(row), &labels, cells));
    }
    if let Some(name) = words::summary(summary).filter(|_| !page.rows.is_empty()) {
        let cells =
            |set: &Labels| sides.iter().flat_map(|s| s.summed(summary, set, notes)).collect();
        page.rows.extend(block(name.to_owned(), &labels, cells));
    }
    page.without_empty_columns()
}

/// A row for each data set that has something; the name stands in the first one only.
fn block(
    mut name: String,
    sets: &[(&Labels, table::Cell)],
    mut cells: impl FnMut(&Labels) -> Vec<table::Cell>,
) -> Vec<Vec<table::Cell>> {
    let mut rows = Vec::new();
    for (set, label) in sets {
        let values = cells(set);
        if values.iter().all(|cell| matches!(cell.text.as_str(), "" | table::ABSENT)) {
            continue;
        }
        let mut row = vec![table::Cell::words(std::mem::take(&mut name))];
        if sets.len() > 1 {
            row.push(label.clone());
        }
        row.extend(values);
        rows.push(row);
    }
    rows
}

/// The title over the values of keys.
fn title(keys: &[String]) -> String {
    let title = |key: &String| match key.as_str() {
        ".fullname" | ".name" => "Benchmark".to_owned(),
        ".file" => "File".to_owned(),
        key => crate::text::clean(key.trim_start_matches(['/', '.'])),
    };
    keys.iter().map(title).collect::<Vec<_>>().join(", ")
}
