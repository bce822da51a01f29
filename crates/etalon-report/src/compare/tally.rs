//! A table's comparisons in one line: how many of each verdict, and the geometric mean.

use etalon_core::tables::{Table, Tables, verdict};
use etalon_core::verdict::Verdict;

use super::scale::change;
use super::words::{self, Columns};

/// A line for each table and column but the base.
pub(super) fn lines(tables: &Tables) -> Vec<String> {
    let columns = Columns::of(tables);
    let of = |table: &Table| -> Vec<String> {
        let label = |column: usize| columns.label(&table.columns[column]);
        (1..table.columns.len()).map(|at| line(tables, table, (at, label(at)))).collect()
    };
    tables.tables.iter().flat_map(of).collect()
}

fn line(tables: &Tables, table: &Table, (column, label): (usize, String)) -> String {
    let cells = table.rows.iter().filter_map(|row| row.cells[column].as_ref());
    let comparisons: Vec<_> = cells.filter_map(|cell| cell.comparison.as_ref()).collect();
    let count = |wanted: Verdict| comparisons.iter().filter(|c| verdict(c) == wanted).count();
    let counts: Vec<String> = [Verdict::Faster, Verdict::Slower, Verdict::Same, Verdict::Unclear]
        .map(|wanted| format!("{} {}", count(wanted), wanted.word()))
        .to_vec();
    let summary = &table.summaries[column];
    let mean = summary.ratio.map_or("no geometric mean".to_owned(), |ratio| {
        format!("geometric mean {}", change(ratio, summary.interval))
    });
    let keys = words::named(&tables.table_keys, &table.labels);
    let unit = crate::text::clean(&table.unit);
    let place = if keys.is_empty() { unit } else { format!("{unit} ({keys})") };
    format!("{place}, {label}: {}; {mean}", counts.join(", "))
}
