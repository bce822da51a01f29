//! Which rows are shown and in which order, within tables and over several.
//!
//! Owns the meaning of "changed" and the orders by size of change and by p. Refuses to touch a summary:
//! it is of all rows, whichever are shown.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Cell, Comparison, Row, Table, Tables};
use crate::verdict::{Assessment, NO_CHANGE, Verdict};

/// Which rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    #[default]
    All,
    /// Those in which a verdict claims a difference.
    Changed,
    /// Those in which a verdict claims a difference, and of those in which one claims nothing the few of a unit with
    /// the largest changes, in whichever table they stand.
    Open,
}

/// So many open rows of a unit stand beside those that changed. Because: where nothing can be told, a screen full
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
    /// Rows that break a check before all others, those with a difference before the rest, of each kind the largest
    /// change first, as a factor; what differs without a ratio, as from 0, before other differences.
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
    let mut open = match which {
        Which::Open => open_rows(&tables),
        Which::All | Which::Changed => HashMap::new(),
    };
    for table in &mut tables.tables {
        match which {
            Which::All => {}
            Which::Changed => table.rows.retain(is_changed),
            Which::Open => {
                let mut none = (f64::INFINITY, 0);
                let left = open.get_mut(&table.unit).unwrap_or(&mut none);
                table.rows.retain(|row| is_changed(row) || is_among(row, left));
            }
        }
        let is_checked = table.is_checked();
        table.rows.sort_by(|a, b| order(by, (is_checked, a), (is_checked, b)));
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
    /// The reason for a reader to look at it.
    pub concern: Concern,
}

/// Comparisons of the leading tables, all tables together: what got worse first, of each kind the largest change.
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
    let size = |it: &Compared<'_>| {
        it.cells[1].and_then(cell_assessment).map_or(NO_CHANGE, Assessment::weight)
    };
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
    let Some(assessment) = cell_assessment(cell) else { return Some(Concern::Untested) };
    Some(match assessment.decision.verdict {
        Verdict::Slower => Concern::Worse,
        Verdict::Faster => Concern::Better,
        Verdict::Same => Concern::Same,
        Verdict::Unclear if assessment.decision.is_difference() => Concern::Differs,
        Verdict::Unclear => Concern::Unclear,
    })
}

fn cell_assessment(cell: &Cell) -> Option<&Assessment> {
    cell.comparison.as_ref()?.assessment.as_deref()
}

/// The first rows of some tables together, each as its table and its place there, in the order that holds within tables:
/// what says most, says it wherever it stands.
#[must_use]
pub fn foremost(tables: &Tables, among: &[usize], by: By, room: usize) -> Vec<(usize, usize)> {
    let places = |at: &usize| {
        let rows = 0..tables.tables[*at].rows.len();
        let at = *at;
        rows.map(move |row| (at, row))
    };
    let mut all: Vec<(usize, usize)> = among.iter().flat_map(places).collect();
    let row = |(at, row): &(usize, usize)| {
        let table: &Table = &tables.tables[*at];
        (table.is_checked(), &table.rows[*row])
    };
    all.sort_by(|a, b| order(by, row(a), row(b)));
    all.truncate(room);
    all
}

/// The order of two rows, each with whether its table is checked.
fn order(by: By, (a_checked, a): (bool, &Row), (b_checked, b): (bool, &Row)) -> Ordering {
    let fails = |is_checked: bool, row: &Row| is_checked && is_worse(row);
    match by {
        By::Query => Ordering::Equal,
        By::Name => a.labels.cmp(&b.labels),
        By::Delta => change(b).total_cmp(&change(a)),
        By::P => p(a).total_cmp(&p(b)),
        By::Weight => {
            let failing = fails(b_checked, b).cmp(&fails(a_checked, a));
            failing.then(is_changed(b).cmp(&is_changed(a))).then(weight(b).total_cmp(&weight(a)))
        }
    }
}

/// Of each unit with open rows: the smallest change of those that are shown, and how many of them there is room for.
/// One more than [`OPEN`] where there are so many, because a line that says of a single row that it is left out takes
/// as much room as the row.
fn open_rows(tables: &Tables) -> HashMap<String, (f64, usize)> {
    let mut changes: HashMap<&str, Vec<f64>> = HashMap::new();
    for table in &tables.tables {
        let open = table.rows.iter().filter(|row| !is_changed(row) && is_unclear(row));
        changes.entry(&table.unit).or_default().extend(open.map(weight));
    }
    let of_unit = |(unit, mut changes): (&str, Vec<f64>)| {
        let room = if changes.len() == OPEN + 1 { OPEN + 1 } else { OPEN };
        changes.sort_by(|a, b| b.total_cmp(a));
        let least = changes.get(room - 1).copied().unwrap_or(f64::NEG_INFINITY);
        (unit.to_owned(), (least, room))
    };
    changes.into_iter().map(of_unit).collect()
}

/// Whether an open row is among those that are shown, of which there are fewer left then.
fn is_among(row: &Row, (least, left): &mut (f64, usize)) -> bool {
    let is_shown = *left > 0 && is_unclear(row) && weight(row) >= *least;
    *left -= usize::from(is_shown);
    is_shown
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

/// Whether a verdict says worse.
fn is_worse(row: &Row) -> bool {
    assessments(row).any(|it| it.decision.verdict == Verdict::Slower)
}

/// The largest change, as [`change`] has it; of a difference without a ratio beyond all.
pub(super) fn weight(row: &Row) -> f64 {
    assessments(row).map(Assessment::weight).fold(NO_CHANGE, f64::max)
}

/// The largest distance of a ratio from 1, as a logarithm; below all of them without a ratio.
fn change(row: &Row) -> f64 {
    let changes = assessments(row).map(Assessment::weight);
    changes.filter(|change| change.is_finite()).fold(NO_CHANGE, f64::max)
}

/// The smallest p; 0 for exact values that differ, above all of them without any.
fn p(row: &Row) -> f64 {
    let p = |comparison: &Comparison| comparison.p.or(comparison.significant.then_some(0.0));
    comparisons(row).filter_map(p).fold(2.0, f64::min)
}
