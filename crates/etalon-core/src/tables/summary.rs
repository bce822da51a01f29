//! The columns of a table in one line each.
//!
//! Owns which rows a summary is over, and the geometric mean of ratios with its interval. Where runs are compared,
//! a run has one value: the geometric mean of its rows, because what befalls a run befalls all of them. Refuses
//! benchstat's rules: those are [`super::benchstat`]'s.

use super::context::differences;
use super::gather::Gathered;
use super::grid::Grid;
use super::{Cell, ColumnSummary, LeftOut, Method};
use crate::compare::{Design, EarlierRuns, SideRuns, ratio_of_runs};
use crate::criteria::Criteria;
use crate::dataset::RunOf;
use crate::dataset::history::Side;
use crate::estimate::Estimate;
use crate::notes::{ColumnNote, NoteKind};
use crate::sample::Sample;
use crate::stats::{self, InsufficientData, Interval, RunsOfSide, Within};

/// The material that columns are summarised from.
#[derive(Clone, Copy)]
pub(super) struct Summed<'a, 'd> {
    pub gathered: &'a Gathered<'d>,
    pub grid: &'a Grid,
    pub method: &'a Method,
    pub rows: &'a [Vec<Option<Cell>>],
    /// The runs of the cells.
    pub runs: &'a [Vec<Option<CellRuns>>],
}

/// The runs of a cell, with which they are.
#[derive(Debug, Clone)]
pub(super) struct CellRuns {
    of: Vec<RunOf>,
    side: SideRuns,
}

impl CellRuns {
    pub(super) fn from_sample(
        gathered: &Gathered<'_>,
        cell: usize,
        sample: &Sample,
    ) -> Option<CellRuns> {
        let side = SideRuns::from_sample(sample)?;
        Some(CellRuns { of: gathered.runs(cell), side })
    }
}

/// The columns in one line each, and which rows are left out of it: all columns are summarised over the
/// same rows.
pub(super) fn summaries(summed: &Summed<'_, '_>) -> (Vec<ColumnSummary>, LeftOut) {
    let Summed { gathered, grid, rows, .. } = *summed;
    let whole = |at: usize| Some((at, rows[at].iter().map(Option::as_ref).collect::<Option<_>>()?));
    let complete: Vec<(usize, Vec<&Cell>)> = (0..rows.len()).filter_map(whole).collect();
    let is_idle = |row: &[&Cell]| row.iter().any(|cell| cell.is_idle());
    let is_positive = |row: &[&Cell]| row.iter().all(|cell| cell.centre.value > 0.0);
    let idle = complete.iter().filter(|(_, row)| is_idle(row)).count();
    let (places, positive): (Vec<usize>, Vec<&Vec<&Cell>>) = complete
        .iter()
        .filter(|(_, row)| !is_idle(row) && is_positive(row))
        .map(|(at, row)| (*at, row))
        .unzip();
    let left_out = LeftOut {
        rows: rows.len(),
        incomplete: rows.len() - complete.len(),
        idle,
        not_positive: complete.len() - idle - positive.len(),
    };
    let centres = |rows: &mut dyn Iterator<Item = &Vec<&Cell>>, column: usize| -> Vec<f64> {
        rows.map(|row| row[column].centre.value).collect()
    };
    let cells =
        |column: usize| grid.cells.iter().filter_map(|row| row[column]).collect::<Vec<usize>>();
    let summary = |column: usize| {
        let all = centres(&mut complete.iter().map(|(_, row)| row), column);
        let mean = stats::geometric_mean(&centres(&mut positive.iter().copied(), column));
        let mut summary = ColumnSummary {
            mean,
            ratio: None,
            interval: None,
            total: (!all.is_empty()).then(|| all.iter().sum()),
            notes: Vec::new(),
        };
        if column > 0 && grid.has_base {
            (summary.ratio, summary.interval) = match column_design(summed, &places, column) {
                ColumnDesign::Runs(ratio) => (Some(ratio.value), ratio.interval.ok()),
                ColumnDesign::OtherRuns => (mean_ratio(&positive, column).0, None),
                ColumnDesign::Readings => mean_ratio(&positive, column),
            };
            let differences = differences(gathered, &cells(0), &cells(column));
            if !differences.is_empty() {
                summary.notes.push(NoteKind::Column(ColumnNote::OtherMachine(differences)));
            }
        }
        summary
    };
    ((0..grid.cols.len()).map(summary).collect(), left_out)
}

/// The geometric mean of a column's ratios, as they stand in its rows, and its interval for just these
/// benchmarks: their errors are independent, so what the logarithms' intervals reach to each side adds up in
/// squares. Absent where a row has none, or one of another level.
#[allow(clippy::cast_precision_loss)] // rows of a table
fn mean_ratio(rows: &[&Vec<&Cell>], column: usize) -> (Option<f64>, Option<Interval>) {
    let ratio = |row: &&Vec<&Cell>| {
        row[column].comparison.as_ref()?.assessment.as_deref()?.evidence.differing.ratio
    };
    let Some(ratios) = rows.iter().map(ratio).collect::<Option<Vec<Estimate>>>() else {
        return (None, None);
    };
    let values: Vec<f64> = ratios.iter().map(|ratio| ratio.value).collect();
    let Some(mean) = stats::geometric_mean(&values) else { return (None, None) };
    let reach = |Estimate { value, interval, .. }: &Estimate| {
        let interval = interval.ok()?;
        Some([(value / interval.lo).ln().powi(2), (interval.hi / value).ln().powi(2)])
    };
    let reaches: Option<Vec<[f64; 2]>> = ratios.iter().map(reach).collect();
    let levels: Option<Vec<f64>> =
        ratios.iter().map(|ratio| Some(ratio.interval.ok()?.level)).collect();
    let is_one = |levels: &Vec<f64>| levels.windows(2).all(|of| of[0].to_bits() == of[1].to_bits());
    let level = levels.filter(is_one).and_then(|levels| levels.first().copied());
    let interval = reaches.zip(level).and_then(|(reaches, level)| {
        let side = |at: usize| {
            let squares: f64 = reaches.iter().map(|reach| reach[at]).sum();
            (squares.sqrt() / rows.len() as f64).exp()
        };
        let interval = Interval { lo: mean / side(0), hi: mean * side(1), level };
        (interval.lo.is_finite() && interval.hi.is_finite()).then_some(interval)
    });
    (Some(mean), interval)
}

/// The design by which a column's rows are compared.
enum ColumnDesign {
    /// By the same runs: the ratio of their geometric means.
    Runs(Estimate),
    /// By runs that are not the same in all rows, or have no interval.
    OtherRuns,
    /// Not between runs.
    Readings,
}

/// The design of a column; of the same runs with the geometric mean of its ratios to the base's.
fn column_design(summed: &Summed<'_, '_>, rows: &[usize], column: usize) -> ColumnDesign {
    let compared = |row: &usize| replication(summed.rows[*row][column].as_ref()?);
    let replications: Vec<(Option<f64>, f64, usize)> = rows.iter().filter_map(compared).collect();
    let Some(&(_, level, _)) = replications.first() else { return ColumnDesign::Readings };
    let is_one_level = replications.iter().all(|(_, own, _)| own.to_bits() == level.to_bits());
    if replications.len() != rows.len() || !is_one_level {
        return ColumnDesign::OtherRuns;
    }
    let side = |column: usize| mean_side(rows.iter().map(|row| summed.runs[*row][column].as_ref()));
    let Some((base, candidate)) = side(0).zip(side(column)) else { return ColumnDesign::OtherRuns };
    let earlier = earlier(summed, rows, column);
    let within = within(&replications, level);
    let criteria = Criteria { confidence: level, ..summed.method.criteria };
    ratio_of_runs((&base, &candidate), within, &earlier, &criteria)
        .map_or(ColumnDesign::OtherRuns, ColumnDesign::Runs)
}

/// The precision of the mean by readings alone: rows scatter independently within a run.
#[allow(clippy::cast_precision_loss)] // rows of a table, values of a cell
fn within(
    replications: &[(Option<f64>, f64, usize)],
    level: f64,
) -> Result<Within, InsufficientData> {
    let squares = replications.iter().map(|(within, ..)| within.map(|half| half * half));
    let squares: Option<Vec<f64>> = squares.collect();
    let squares = squares.ok_or(InsufficientData::TooFew { needs: 2 })?;
    Ok(Within {
        half_width: squares.iter().sum::<f64>().sqrt() / replications.len() as f64,
        level,
        df: replications.iter().map(|(_, _, df)| *df).sum::<usize>().max(1) as f64,
    })
}

/// The precision of a cell by its readings alone where runs are compared, the level of its interval and the degrees of
/// freedom of its readings.
fn replication(cell: &Cell) -> Option<(Option<f64>, f64, usize)> {
    let evidence = &cell.comparison.as_ref()?.assessment.as_deref()?.evidence;
    let Design::Runs(replication) = &evidence.design else { return None };
    Some((
        replication.within,
        evidence.differing.level,
        (evidence.n.0 + evidence.n.1).saturating_sub(2),
    ))
}

/// The runs of a column: of each the mean over rows of the logarithms, and the quadratic mean of the rows' spreads.
/// Absent if rows are of different runs.
#[allow(clippy::cast_precision_loss)] // rows of a table
fn mean_side<'a>(cells: impl Iterator<Item = Option<&'a CellRuns>>) -> Option<SideRuns> {
    let cells: Vec<&CellRuns> = cells.collect::<Option<_>>()?;
    let first = cells.first()?;
    if cells.iter().any(|cell| cell.of != first.of || cell.side.began.len() != first.of.len()) {
        return None;
    }
    let over_rows = |of: &dyn Fn(&CellRuns) -> f64| {
        cells.iter().map(|cell| of(cell)).sum::<f64>() / cells.len() as f64
    };
    let runs = 0..first.of.len();
    let centres = runs.clone().map(|run| over_rows(&|cell| cell.side.values.centres[run]));
    let spreads =
        runs.clone().map(|run| over_rows(&|cell| cell.side.values.spreads[run].powi(2)).sqrt());
    let waited = runs.map(|run| over_rows(&|cell| cell.side.values.waited[run]));
    let values = RunsOfSide {
        centres: centres.collect(),
        spreads: spreads.collect(),
        waited: waited.collect(),
    };
    let readings =
        (0..first.of.len()).map(|run| cells.iter().map(|cell| cell.side.readings[run]).sum());
    Some(SideRuns { values, began: first.side.began.clone(), readings: readings.collect() })
}

/// Earlier runs that have all of the rows.
fn earlier(summed: &Summed<'_, '_>, rows: &[usize], column: usize) -> Vec<EarlierRuns> {
    let Summed { gathered, grid, .. } = *summed;
    let data = gathered.data;
    let side = |column: usize| -> Option<Vec<Side>> {
        rows.iter().map(|row| gathered.measured(grid.cells[*row][column]?)).collect()
    };
    let sides = || side(0).zip(side(column));
    match (!data.history.is_empty()).then(sides).flatten() {
        Some((base, candidate)) => {
            data.history.earlier(data, &grid.metric.name, [&base, &candidate])
        }
        None => Vec::new(),
    }
}
