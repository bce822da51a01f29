//! The rows of a table together: each further column against the first, every column sorted, and rows over a size.

use etalon_core::tables::{Table, Tables, growing_rows, scatters, sorted_rows};

use super::{Still, growth, scatter, sorted_rows};
use crate::compare::words::Columns;

/// Tables with such pictures.
const TABLES: usize = 4;

/// The pictures of each table, which is called so.
pub(super) fn stills(tables: &Tables, title: impl Fn(&Table) -> String) -> Vec<Still> {
    let names = Columns::new(tables);
    let of_table = |table: &Table| {
        let title = title(table);
        let name = |at: usize| names.label(&table.columns[at]);
        // Of a single column nothing has to be said.
        let beside = |at: usize| if table.columns.len() > 1 { name(at) } else { String::new() };
        let mut stills: Vec<Still> = Vec::new();
        stills.extend(
            scatters(table).iter().filter_map(|it| scatter::still(table, it, &title, name)),
        );
        stills
            .extend(sorted_rows(table).and_then(|it| sorted_rows::still(table, &it, &title, name)));
        let growing = growing_rows(&tables.row_keys, table);
        stills.extend(growing.iter().filter_map(|it| growth::still(it, &title, beside)));
        stills
    };
    tables.tables.iter().take(TABLES).flat_map(of_table).collect()
}
