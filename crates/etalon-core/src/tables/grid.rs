//! Tables before anything is computed: which cell is in which row and column, in order.
//!
//! Owns the order of tables, rows and columns. Refuses rows and columns without a cell: each table has
//! those of its own measurements only.

use std::collections::BTreeMap;

use super::gather::Gathered;
use super::{labels, unit_metric};
use crate::model::Metric;
use crate::query::{ProjectionId, TupleId};

/// One table's cells by row and column, as numbers of [`Gathered::cells`].
#[derive(Debug)]
pub(super) struct Grid {
    pub table: TupleId,
    /// Its unit, as the metric of its values.
    pub metric: Metric,
    /// Whether its first column is the first of all grids, which is the base.
    pub has_base: bool,
    pub rows: Vec<TupleId>,
    pub cols: Vec<TupleId>,
    pub cells: Vec<Vec<Option<usize>>>,
}

/// A cell's values, and what is known of them.
#[derive(Debug)]
pub(super) struct Sampled {
    pub cell: usize,
    pub values: Vec<f64>,
    pub varying: Vec<String>,
}

/// The grids in the order of the tables. O(n log n) for n cells, besides the size of the grids.
pub(super) fn grids(gathered: &Gathered<'_>) -> Vec<Grid> {
    let query = &gathered.query;
    let ranks = |projection: ProjectionId| gathered.evaluator.ranks(projection);
    let (tables, rows, cols) = (ranks(query.table), ranks(query.row), ranks(query.col));
    let rank = |ranks: &[u32], tuple: TupleId| ranks[tuple.0 as usize];
    let mut by_table: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, cell) in gathered.cells.iter().enumerate() {
        by_table.entry(rank(&tables, cell.table)).or_default().push(index);
    }
    let ordered = |tuples: &mut dyn Iterator<Item = TupleId>, ranks: &[u32]| -> Vec<TupleId> {
        let by_rank: BTreeMap<u32, TupleId> =
            tuples.map(|tuple| (rank(ranks, tuple), tuple)).collect();
        by_rank.into_values().collect()
    };
    let base = gathered.cells.iter().map(|cell| rank(&cols, cell.col)).min();
    let grid = |members: Vec<usize>| {
        let at = |index: &usize| &gathered.cells[*index];
        let row_tuples = ordered(&mut members.iter().map(|i| at(i).row), &rows);
        let col_tuples = ordered(&mut members.iter().map(|i| at(i).col), &cols);
        let mut cells = vec![vec![None; col_tuples.len()]; row_tuples.len()];
        for index in &members {
            let place = |tuples: &[TupleId], ranks: &[u32], tuple: TupleId| {
                tuples.partition_point(|other| rank(ranks, *other) < rank(ranks, tuple))
            };
            let row = place(&row_tuples, &rows, at(index).row);
            cells[row][place(&col_tuples, &cols, at(index).col)] = Some(*index);
        }
        let has_base = col_tuples.first().map(|col| rank(&cols, *col)) == base;
        let table = at(&members[0]).table;
        let metric = metric(gathered, table);
        Grid { table, metric, has_base, rows: row_tuples, cols: col_tuples, cells }
    };
    by_table.into_values().map(grid).collect()
}

/// The unit of a table, in which its tuple ends.
fn metric(gathered: &Gathered<'_>, table: TupleId) -> Metric {
    let unit = labels(gathered, gathered.query.table, table).pop().flatten().unwrap_or_default();
    let (direction, kind) = (gathered.data.direction(&unit), gathered.data.kind(&unit));
    unit_metric(&unit, &gathered.base(&unit), direction, kind)
}

/// The columns of all grids, each once, in order.
pub(super) fn columns(gathered: &Gathered<'_>) -> Vec<TupleId> {
    let ranks = gathered.evaluator.ranks(gathered.query.col);
    let by_rank: BTreeMap<u32, TupleId> =
        gathered.cells.iter().map(|cell| (ranks[cell.col.0 as usize], cell.col)).collect();
    by_rank.into_values().collect()
}

impl Grid {
    /// The cells of one row with their values.
    pub(super) fn sampled(&self, row: usize, gathered: &Gathered<'_>) -> Vec<Option<Sampled>> {
        let sampled = |cell: &Option<usize>| {
            let cell = (*cell)?;
            let (values, varying) = (gathered.values(cell), gathered.varying(cell));
            Some(Sampled { cell, values, varying })
        };
        self.cells[row].iter().map(sampled).collect()
    }
}
