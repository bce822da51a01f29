//! Tables that are nearly empty: each row has columns of its own, so that nothing in it is compared.
//!
//! Owns from which size on that is said. Refuses to make such a table, and to forbid it.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::ask::Query;
use super::gather::{Gathered, gather};
use super::method::Numbers;
use crate::dataset::Dataset;
use crate::query::TupleId;

/// A table that is nearly empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sparse {
    /// How many rows it would have.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    /// Its cells: places with a value.
    pub cells: usize,
}

/// Places of a table that are never too many. Because: whatever they hold, they take some 100 MB.
const FEW_PLACES: usize = 300_000;

/// Places for each cell, from which on a table is nearly empty.
const NEARLY_EMPTY: usize = 100;

impl Query {
    /// A table that these queries would make nearly empty, where they are not the usual ones: each row has
    /// columns of its own, so that nothing in it is compared. Linear in the values.
    #[must_use]
    pub fn sparse(&self, data: &Dataset) -> Option<Sparse> {
        if self.has_usual_places() {
            return None;
        }
        sparse(&gather(data, self.clone(), Numbers::Nearest))
    }
}

/// The first table that has many places, nearly all of them empty. Linear in the cells.
fn sparse(gathered: &Gathered<'_>) -> Option<Sparse> {
    let mut by_table: BTreeMap<TupleId, Vec<usize>> = BTreeMap::new();
    for (index, cell) in gathered.cells.iter().enumerate() {
        by_table.entry(cell.table).or_default().push(index);
    }
    let of = |members: &Vec<usize>| {
        let all = || members.iter().map(|index| &gathered.cells[*index]);
        let rows: FxHashSet<TupleId> = all().map(|cell| cell.row).collect();
        let columns: FxHashSet<TupleId> = all().map(|cell| cell.col).collect();
        Sparse { rows: rows.len(), columns: columns.len(), cells: members.len() }
    };
    by_table.values().map(of).find(|Sparse { rows, columns, cells }| {
        let places = rows.saturating_mul(*columns);
        places > FEW_PLACES && places / NEARLY_EMPTY > *cells
    })
}
