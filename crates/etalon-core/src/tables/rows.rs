//! The rows of a table together, for pictures: each further column against the first, and each column's rows sorted.
//!
//! Owns from how many rows on they are drawn, and which of many. Refuses rows without a verdict where a column is held
//! against the first: a dot has the shape of its verdict.

use super::{Row, Table};
use crate::compare::{EquivalenceBounds, Scale};
use crate::plots::{Axis, COLUMNS, ends, evenly};
use crate::stats::{self, Sorted};
use crate::verdict::Assessment;

/// Of fewer rows each is read for itself.
const LEAST: usize = 8;
/// Columns that are held against the first, columns whose rows are sorted.
const SCATTERS: usize = 3;
const SORTED: usize = 8;
/// Of more rows than these together: those with the clearest and largest changes, and so many of the others.
const CLEAREST: usize = 200;
const OTHERS: usize = 200;

/// A column of a table against the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    /// Which column.
    pub column: usize,
    /// How values stand, those of both columns.
    pub axis: Axis,
    /// The least and the greatest of them.
    pub ends: (f64, f64),
    /// In the order of the table; of many rows those with the clearest and largest changes, and some of the others.
    pub dots: Vec<ScatterDot>,
    /// Of so many.
    pub of: usize,
    /// The ratios that count as the same; absent where the margin is no ratio.
    pub bounds: Option<EquivalenceBounds>,
}

/// A row of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScatterDot {
    /// Which row.
    pub row: usize,
    /// The centre of the first column.
    pub base: f64,
    /// That of the other.
    pub other: f64,
}

/// The rows of every column by their centre.
#[derive(Debug, Clone, PartialEq)]
pub struct SortedRows {
    /// How centres stand.
    pub axis: Axis,
    /// The columns that have rows, in their order.
    pub columns: Vec<SortedColumn>,
    /// Of so many.
    pub of: usize,
}

/// The rows of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct SortedColumn {
    /// Which column.
    pub column: usize,
    /// How many rows have a value of it, and that value, ascending; of many so many, the first and the last among them.
    pub values: Vec<(usize, f64)>,
    /// Of so many.
    pub rows: usize,
    /// The median of the centres.
    pub median: f64,
}

/// The columns of a table against its first; none of few rows, and where no centre differs. O(n log n) in the rows.
#[must_use]
pub fn scatters(table: &Table) -> Vec<Scatter> {
    let others = 1..table.columns.len();
    others.filter_map(|column| scatter(table, column)).take(SCATTERS).collect()
}

fn scatter(table: &Table, column: usize) -> Option<Scatter> {
    let rows = table.rows.iter().enumerate();
    let all: Vec<(ScatterDot, &Assessment)> =
        rows.filter_map(|(at, row)| compared(at, row, column)).collect();
    if all.len() < LEAST || all.iter().all(|(dot, _)| dot.base == dot.other) {
        return None;
    }
    let ends = ends(all.iter().flat_map(|(dot, _)| [dot.base, dot.other]))?;
    let evidence = all.iter().map(|(_, assessment)| &assessment.evidence);
    let bounds = evidence.filter(|it| it.scale == Scale::Ratio).find_map(|it| it.bounds);
    let bounds = bounds.filter(|it| it.lo > 0.0);
    let axis = Axis::suiting(ends.0, ends.1);
    Some(Scatter { column, axis, ends, of: all.len(), dots: chosen(all), bounds })
}

/// A row that has a verdict, with it.
fn compared(at: usize, row: &Row, column: usize) -> Option<(ScatterDot, &Assessment)> {
    let (base, other) = (row.cells.first()?.as_ref()?, row.cells.get(column)?.as_ref()?);
    let dot = ScatterDot { row: at, base: base.centre.value, other: other.centre.value };
    let is_finite = dot.base.is_finite() && dot.other.is_finite();
    let assessment = other.comparison.as_ref()?.assessment.as_deref()?;
    is_finite.then_some((dot, assessment))
}

/// All of few rows, else the clearest and largest changes, and of the others so many from the least base to the
/// greatest.
fn chosen(mut all: Vec<(ScatterDot, &Assessment)>) -> Vec<ScatterDot> {
    let mut dots: Vec<ScatterDot> = Vec::new();
    if all.len() > CLEAREST + OTHERS {
        let differs = |it: &Assessment| it.decision.is_difference();
        all.sort_by(|(a, of_a), (b, of_b)| {
            differs(of_b).cmp(&differs(of_a)).then(b.distance().total_cmp(&a.distance()))
        });
        let mut others: Vec<ScatterDot> =
            all.split_off(CLEAREST).into_iter().map(|it| it.0).collect();
        others.sort_by(|a, b| a.base.total_cmp(&b.base));
        dots = evenly(&others, OTHERS);
    }
    dots.extend(all.into_iter().map(|it| it.0));
    dots.sort_by_key(|dot| dot.row);
    dots
}

impl ScatterDot {
    /// From the diagonal, as a logarithm; beyond all others where there is no ratio.
    fn distance(&self) -> f64 {
        match self.base > 0.0 && self.other > 0.0 {
            true => (self.other / self.base).ln().abs(),
            false if self.base == self.other => 0.0,
            false => f64::INFINITY,
        }
    }
}

/// The rows of each column, the least first; absent of a single column, of few rows, and where all columns look
/// alike. O(n log n) in the cells.
#[must_use]
pub fn sorted_rows(table: &Table) -> Option<SortedRows> {
    let all: Vec<SortedColumn> =
        (0..table.columns.len()).filter_map(|column| sorted_column(table, column)).collect();
    let most = all.iter().map(|it| it.rows).max()?;
    let is_one = all.windows(2).all(|two| two[0].values == two[1].values);
    if is_one || most < LEAST {
        return None;
    }
    let of = all.len();
    let columns: Vec<SortedColumn> = all.into_iter().take(SORTED).collect();
    let axis = Axis::suiting_all(columns.iter().flat_map(|it| &it.values).map(|it| it.1))?;
    Some(SortedRows { axis, columns, of })
}

fn sorted_column(table: &Table, column: usize) -> Option<SortedColumn> {
    let cells = table.rows.iter().filter_map(|row| row.cells.get(column)?.as_ref());
    let centres: Vec<f64> =
        cells.map(|cell| cell.centre.value).filter(|it| it.is_finite()).collect();
    let sorted = Sorted::from_vec(centres).ok()?;
    let places: Vec<(usize, f64)> = (1..).zip(sorted.as_slice().iter().copied()).collect();
    let median = stats::median(&sorted)?;
    Some(SortedColumn { column, values: evenly(&places, COLUMNS), rows: places.len(), median })
}
