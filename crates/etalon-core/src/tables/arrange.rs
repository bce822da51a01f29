//! Which rows are shown and in which order.
//!
//! Owns the meaning of "changed" and the orders by size of change and by p. Refuses to touch a summary:
//! it is of all rows, whichever are shown.

use super::{Cell, Comparison, Row, Table, Tables};
use crate::verdict::{Assessment, Verdict};

/// Which rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    #[default]
    All,
    /// Those in which a verdict claims a difference.
    Changed,
    /// Those in which a verdict claims a difference, and of those in which one claims nothing the few with the
    /// largest changes.
    Open,
}

/// So many open rows of a table stand beside those that changed. Because: where nothing can be told, a screen full
/// of that hides the few rows that say more.
const OPEN: usize = 5;

/// In which order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum By {
    /// As the query has it.
    #[default]
    Query,
    /// The largest change of any column first, as a factor; those without a ratio last.
    Delta,
    /// Labels by their bytes.
    Name,
    /// The smallest p of any column first, what is exact and differs before; those without one last.
    P,
    /// Rows with a difference before the others, of each kind the largest change first, as a factor; what
    /// differs without a ratio, as from 0, before all.
    Weight,
}

/// Which rows, in which order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Which.
    pub which: Which,
    /// In which order.
    pub by: By,
}

/// The tables with only those rows, in that order. Tables without any stay, for their summaries.
#[must_use]
pub fn arranged(mut tables: Tables, Arrangement { which, by }: Arrangement) -> Tables {
    for table in &mut tables.tables {
        match which {
            Which::All => {}
            Which::Changed => table.rows.retain(is_changed),
            Which::Open => {
                let mut left = room(&table.rows);
                let least = least_open(&table.rows, left);
                table.rows.retain(|row| {
                    let is_open = !is_changed(row) && is_unclear(row) && weight(row) >= least;
                    let is_shown = is_open && left > 0;
                    left -= usize::from(is_shown);
                    is_changed(row) || is_shown
                });
            }
        }
        match by {
            By::Query => {}
            By::Name => table.rows.sort_by(|a, b| a.labels.cmp(&b.labels)),
            By::Delta => table.rows.sort_by(|a, b| change(b).total_cmp(&change(a))),
            By::P => table.rows.sort_by(|a, b| p(a).total_cmp(&p(b))),
            By::Weight => table.rows.sort_by(|a, b| {
                is_changed(b).cmp(&is_changed(a)).then(weight(b).total_cmp(&weight(a)))
            }),
        }
    }
    tables
}

/// How much a reader has to know of a comparison, the most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// It got worse.
    Worse,
    /// It differs, where neither direction is the better one.
    Differs,
    /// It got better.
    Better,
    /// Only one of both data sets has it.
    OneSided,
    /// Nothing could be told.
    Unclear,
    /// Any difference lies within the margin.
    Same,
    /// Nothing was tested.
    Untested,
}

/// A row held against the base in one column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compared<'t> {
    /// The table.
    pub table: &'t Table,
    /// The row in it.
    pub row: &'t Row,
    /// Their places.
    pub place: (usize, usize),
    /// Which of the columns of all tables is held against the first.
    pub column: usize,
    /// Its cell of the base, and that of the column.
    pub cells: [Option<&'t Cell>; 2],
    /// What a reader has to know of it.
    pub concern: Concern,
}

/// What the leading tables compare, all tables together: what got worse first, of each kind the largest change.
#[must_use]
pub fn worst_first(tables: &Tables) -> Vec<Compared<'_>> {
    let mut all: Vec<Compared<'_>> = Vec::new();
    for (at, table) in tables.tables.iter().enumerate().filter(|(_, it)| tables.leads(it)) {
        let places: Vec<Option<usize>> = tables
            .columns
            .iter()
            .map(|labels| table.columns.iter().position(|own| own == labels))
            .collect();
        for (nth, row) in table.rows.iter().enumerate() {
            let cell = |column: usize| row.cells[places[column]?].as_ref();
            let pairs = (1..places.len()).map(|column| (column, [cell(0), cell(column)]));
            all.extend(pairs.filter_map(|(column, cells)| {
                let concern = concern(cells)?;
                Some(Compared { table, row, place: (at, nth), column, cells, concern })
            }));
        }
    }
    let size = |it: &Compared<'_>| it.cells[1].map_or(0.0, |cell| heaviest(of_cell(cell)));
    let mut sized: Vec<(f64, Compared<'_>)> = all.into_iter().map(|it| (size(&it), it)).collect();
    sized.sort_by(|(a, one), (b, other)| one.concern.cmp(&other.concern).then(b.total_cmp(a)));
    sized.into_iter().map(|(_, it)| it).collect()
}

/// Of the base's cell and another one; nothing without either.
fn concern(cells: [Option<&Cell>; 2]) -> Option<Concern> {
    let cell = match cells {
        [None, None] => return None,
        [Some(_), Some(cell)] => cell,
        _ => return Some(Concern::OneSided),
    };
    let Some(assessment) = of_cell(cell) else { return Some(Concern::Untested) };
    Some(match assessment.decision.verdict {
        Verdict::Slower => Concern::Worse,
        Verdict::Faster => Concern::Better,
        Verdict::Same => Concern::Same,
        Verdict::Unclear if assessment.decision.is_difference() => Concern::Differs,
        Verdict::Unclear => Concern::Unclear,
    })
}

fn of_cell(cell: &Cell) -> Option<&Assessment> {
    cell.comparison.as_ref()?.assessment.as_deref()
}

fn open(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| !is_changed(row) && is_unclear(row))
}

/// How many open rows are shown: one more than [`OPEN`] where there are so many, because a line that says of a single
/// row that it is left out takes as much room as the row.
fn room(rows: &[Row]) -> usize {
    if open(rows).count() == OPEN + 1 { OPEN + 1 } else { OPEN }
}

/// The smallest change of so many open rows with the largest.
fn least_open(rows: &[Row], room: usize) -> f64 {
    let mut changes: Vec<f64> = open(rows).map(weight).collect();
    changes.sort_by(|a, b| b.total_cmp(a));
    changes.get(room - 1).copied().unwrap_or(f64::NEG_INFINITY)
}

fn comparisons(row: &Row) -> impl Iterator<Item = &Comparison> {
    row.cells.iter().flatten().filter_map(|cell: &Cell| cell.comparison.as_ref())
}

fn assessments(row: &Row) -> impl Iterator<Item = &Assessment> {
    comparisons(row).filter_map(|comparison| comparison.assessment.as_deref())
}

fn is_changed(row: &Row) -> bool {
    assessments(row).any(|it| it.decision.is_difference())
}

fn is_unclear(row: &Row) -> bool {
    assessments(row).any(|it| it.decision.verdict == Verdict::Unclear)
}

/// The largest change, as [`change`] has it; of a difference without a ratio beyond all.
pub(super) fn weight(row: &Row) -> f64 {
    heaviest(assessments(row))
}

fn heaviest<'r>(assessments: impl IntoIterator<Item = &'r Assessment>) -> f64 {
    let differs =
        |it: &Assessment| it.decision.is_difference() && it.evidence.shown().ratio.is_none();
    let weight = |it: &'r Assessment| if differs(it) { f64::INFINITY } else { largest(Some(it)) };
    assessments.into_iter().map(weight).fold(largest(None), f64::max)
}

/// The largest distance of a ratio from 1, as a logarithm; below all of them without a ratio. Those that are equal but
/// for rounding are equal: their rows keep their order.
fn change(row: &Row) -> f64 {
    largest(assessments(row))
}

fn largest<'r>(assessments: impl IntoIterator<Item = &'r Assessment>) -> f64 {
    let ratio = |it: &Assessment| Some(it.evidence.shown().ratio?.value);
    let ratios = assessments.into_iter().filter_map(ratio);
    let largest = ratios.map(|ratio| ratio.ln().abs()).fold(-1.0, f64::max);
    (largest * 1e9).round() / 1e9
}

/// The smallest p; 0 for exact values that differ, above all of them without any.
fn p(row: &Row) -> f64 {
    let p = |comparison: &Comparison| comparison.p.or(comparison.significant.then_some(0.0));
    comparisons(row).filter_map(p).fold(2.0, f64::min)
}
