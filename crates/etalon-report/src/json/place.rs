//! A place in tables, which a finding of a check is about.

use etalon_core::tables::{Labels, Table, Tables};

/// A place in tables: a unit, with a row or a column where it is about one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub(super) unit: String,
    /// The values of the keys that are known of it.
    pub(super) labels: Vec<(String, Option<String>)>,
}

impl Place {
    /// The place of a cell; without a row, of all of them.
    #[must_use]
    pub fn new(tables: &Tables, table: &Table, row: Option<&Labels>, column: &Labels) -> Place {
        let Tables { table_keys, row_keys, col_keys, .. } = tables;
        let row = row.into_iter().flat_map(|row| row_keys.iter().zip(row));
        let all = table_keys.iter().zip(&table.labels).chain(row);
        let labels = all.chain(col_keys.iter().zip(column));
        let labels = labels.map(|(key, value)| (key.clone(), value.clone())).collect();
        Place { unit: table.unit.clone(), labels }
    }

    /// A whole unit.
    #[must_use]
    pub fn whole_unit(unit: &str) -> Place {
        Place { unit: unit.to_owned(), labels: Vec::new() }
    }
}
