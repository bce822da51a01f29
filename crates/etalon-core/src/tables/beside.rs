//! Rows of tables with the readings of two columns beside each other, for pictures.
//!
//! Owns which rows those are: the clearest and largest changes, a few of each leading table. Refuses benchstat's
//! tables, whose cells have no evidence.

use super::axes::unpooled;
use super::gather::{Gathered, gather};
use super::grid::{self, Grid};
use super::verdicts::origin;
use super::{Method, Numbers, Query, Style, Table, Tables, arrange};
use crate::compare::{Evidence, Origin};
use crate::criteria::Criteria;
use crate::dataset::Dataset;
use crate::model::Metric;
use crate::plots::{JointLevel, Pair, pair};
use crate::sample::Sample;

/// Tables with pictures, and rows of each and of its columns together.
const TABLES: usize = 4;
const ROWS: usize = 4;

/// A row of a table, a column beside the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// Which table.
    pub table: usize,
    /// Which row of it.
    pub row: usize,
    /// Which column.
    pub column: usize,
    /// The metric of the table.
    pub metric: Metric,
    /// The readings of both.
    pub pair: Pair,
}

/// The rows of tables that were made of these data by this query and this method, the largest change first. Linear in
/// the rows of the data.
#[must_use]
pub fn beside(data: &Dataset, query: Query, method: &Method, tables: &Tables) -> Vec<Beside> {
    if method.style == Style::Benchstat {
        return Vec::new();
    }
    let numbers = Numbers::Nearest;
    let gathered = unpooled(gather(data, query, numbers), numbers);
    let grids = grid::grids(&gathered);
    let mut all = Vec::new();
    let each = tables.tables.iter().zip(&grids).enumerate();
    for (at, (table, grid)) in each.filter(|(_, (table, _))| tables.leads(table)).take(TABLES) {
        let metric = table.metric();
        let places = by_change(table);
        let pairs = places.len();
        for (row, column) in places.into_iter().take(ROWS) {
            let found = found(&gathered, (table, grid), (row, column), (&method.criteria, pairs));
            let metric = metric.clone();
            all.extend(found.map(|pair| Beside { table: at, row, column, metric, pair }));
        }
    }
    all
}

/// The readings of a cell beside those of the first of its row, in a picture of some of so many pairs.
fn found(
    gathered: &Gathered<'_>,
    (table, grid): (&Table, &Grid),
    (row, column): (usize, usize),
    (criteria, pairs): (&Criteria, usize),
) -> Option<Pair> {
    let cells = grid.cells.get(row)?;
    let (base, other) = (cells.first().copied()??, cells.get(column).copied()??);
    let evidence = evidence(table, row, column)?;
    let (one, two) = (sample(gathered, base)?, sample(gathered, other)?);
    let is_one_run = origin(gathered, base, other) == Origin::SameRunSet;
    let level = criteria.level(gathered.cells[base].asked);
    Some(pair((0, column), (&one, &two), is_one_run, (evidence, JointLevel { level, pairs })))
}

fn sample(gathered: &Gathered<'_>, cell: usize) -> Option<Sample> {
    gathered.sample(cell, gathered.values(cell))
}

fn evidence(table: &Table, row: usize, column: usize) -> Option<&Evidence> {
    let comparison = table.rows.get(row)?.cells.get(column)?.as_ref()?.comparison.as_ref()?;
    Some(&comparison.assessment.as_ref()?.evidence)
}

/// Rows and columns that scatter, the largest change first.
fn by_change(table: &Table) -> Vec<(usize, usize)> {
    let places = (0..table.rows.len())
        .flat_map(|row| (1..table.columns.len()).map(move |column| (row, column)));
    let scatters =
        |(row, column): &(usize, usize)| evidence(table, *row, *column).is_some_and(|it| !it.exact);
    let mut places: Vec<(usize, usize)> = places.filter(scatters).collect();
    let weight = |row: usize| arrange::weight(&table.rows[row]);
    places.sort_by(|a, b| weight(b.0).total_cmp(&weight(a.0)).then(a.cmp(b)));
    places
}
