//! The changes of a comparison's rows, the clearest and largest first.

use etalon_core::tables::{Arrangement, By, Row, Table, Tables, Which, arranged};

use super::forest::{self, Entry};
use crate::compare::words::{self, Columns};
use crate::number::counted;

/// Rows of a picture.
const ROWS: usize = 40;

/// A picture for each unit and each data set but the first, where anything has a ratio.
pub(super) fn stills(tables: &Tables) -> Vec<String> {
    let names = Columns::of(tables);
    let by_weight = arranged(tables.clone(), Arrangement { which: Which::All, by: By::Weight });
    let of_table = |table: &Table| {
        let others = 1..table.columns.len();
        let of_column = |at: usize| still(table, at, &words::title(tables, table), &names);
        others.filter_map(of_column).collect::<Vec<_>>()
    };
    by_weight.tables.iter().flat_map(of_table).collect()
}

fn still(table: &Table, at: usize, title: &str, names: &Columns) -> Option<String> {
    let entries: Vec<Entry<'_>> =
        table.rows.iter().filter_map(|row| of_row(row, at, table.rows.len())).collect();
    let (base, other) = (names.label(&table.columns[0]), names.label(&table.columns[at]));
    let more = match entries.len() > ROWS {
        true => format!("; {ROWS} of {}", counted(entries.len(), "row", "rows")),
        false => String::new(),
    };
    let caption = format!("{title}: {other} as a multiple of {base}, with intervals{more}");
    forest::picture(&caption, &entries[..entries.len().min(ROWS)])
}

fn of_row(row: &Row, at: usize, rows: usize) -> Option<Entry<'_>> {
    let comparison = row.cells.get(at)?.as_ref()?.comparison.as_ref()?;
    let evidence = &comparison.assessment.as_ref()?.evidence;
    let name = words::label(&row.labels);
    let name = if name.is_empty() && rows == 1 { "all".to_owned() } else { name };
    Some(Entry { name, evidence, ratio: evidence.ratio.as_ref()? })
}
