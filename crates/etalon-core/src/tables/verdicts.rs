//! Cells by etalon's rules: estimates, evidence, and verdicts within a family.
//!
//! Owns what a family is: the comparisons of one table, all columns with the base; those of a check are one in
//! all tables (`super::check`). Samples of one file that share blocks are compared within them; all others are
//! independent. What evidence and families mean is `crate::verdict`'s.

use super::context::differences;
use super::gather::Gathered;
use super::grid::{Grid, Sampled};
use super::note::{Need, Note};
use super::{Cell, ColumnSummary, Comparison, LeftOut, Method};
use crate::compare::{Contrast, Origin, compare};
use crate::criteria::Criteria;
use crate::estimate::{self, Estimate};
use crate::model::{Kind, Metric};
use crate::sample::Sample;
use crate::stats::{self, InsufficientData, Interval};
use crate::threads::each;
use crate::verdict::{Assessment, Member, assess};

/// How one table's cells are made and compared.
#[derive(Debug, Clone)]
pub(super) struct TableRules {
    /// What its values are.
    pub metric: Metric,
    /// How tables are made.
    pub method: Method,
    /// What its verdicts are held against.
    pub criteria: Criteria,
    /// What its comparisons are held against instead, where a check is about its unit.
    pub checked: Option<Criteria>,
}

/// The cells of a table and its summaries. Comparisons that are in a check wait for the other tables.
pub(super) fn cells(
    gathered: &Gathered<'_>,
    grid: &Grid,
    rules: &TableRules,
) -> (Vec<Vec<Option<Cell>>>, Vec<ColumnSummary>, LeftOut) {
    let row = |row| row_of(gathered, &grid.sampled(row, gathered), rules);
    let mut rows = each(grid.rows.len(), rules.method.threads, row);
    if rules.checked.is_none() {
        assess_table(&mut rows, &rules.criteria);
    }
    let (summaries, left_out) = summaries(gathered, grid, &rows);
    (rows, summaries, left_out)
}

fn row_of(
    gathered: &Gathered<'_>,
    row: &[Option<Sampled>],
    rules: &TableRules,
) -> Vec<Option<Cell>> {
    let samples: Vec<Option<Sample>> = row
        .iter()
        .map(|cell| gathered.sample(cell.as_ref()?.cell, &cell.as_ref()?.values))
        .collect();
    let base = row.first().and_then(Option::as_ref).zip(samples.first().and_then(Option::as_ref));
    let step = |cell: &Sampled| gathered.resolution(cell.cell);
    let level = |cell: &Sampled| rules.criteria.level(gathered.cells[cell.cell].asked);
    let cell = |at: usize| {
        let (sampled, sample) = (row[at].as_ref()?, samples[at].as_ref()?);
        let own_level = level(sampled);
        let metric = Metric { resolution: step(sampled), ..rules.metric.clone() };
        let (centre, own) = centre(sample, &metric, own_level)?;
        let varies = (!sampled.varying.is_empty()).then(|| Note::Varies(sampled.varying.clone()));
        let comparison = base.filter(|_| at > 0).and_then(|(base_cell, base)| {
            let origin = origin(gathered, base_cell.cell, sampled.cell);
            let steps = [step(base_cell), metric.resolution].into_iter().flatten();
            let metric = &Metric { resolution: steps.max_by(f64::total_cmp), ..metric.clone() };
            let contrast = Contrast { metric, base, candidate: sample, origin };
            let confidence = own_level.max(level(base_cell));
            let criteria = Criteria { confidence, ..rules.criteria };
            compared(&contrast, &rules.checked.unwrap_or(criteria))
        });
        let notes = varies.into_iter().chain(own).collect();
        Some(Cell { n: sample.len(), centre, mean: mean(sample, own_level), notes, comparison })
    };
    (0..row.len()).map(cell).collect()
}

fn origin(gathered: &Gathered<'_>, base: usize, other: usize) -> Origin {
    let run_set = |cell: usize| gathered.cells[cell].run_set(gathered.data);
    match (run_set(base), run_set(other)) {
        (Some(a), Some(b)) if a == b => Origin::SameRunSet,
        _ => Origin::DifferentRunSets,
    }
}

fn centre(sample: &Sample, metric: &Metric, level: f64) -> Option<(Estimate, Vec<Note>)> {
    if metric.kind == Kind::Exact && sample.is_constant() {
        return Some((Estimate::point(sample.values[0], level), Vec::new()));
    }
    let median = estimate::median(sample, level, metric.resolution)?;
    let mut notes = Vec::new();
    if metric.kind == Kind::Exact {
        let (lo, hi) = (sample.sorted().min()?, sample.sorted().max()?);
        notes.push(Note::NotExact { lo, hi });
    }
    if let Err(InsufficientData::TooFew { needs }) = median.interval {
        notes.push(Note::IntervalNeeds { need: Need::AtLeast(needs), level });
    }
    Some((median, notes))
}

/// The arithmetic mean with Student's interval; of values that are all the same it has no width.
fn mean(sample: &Sample, level: f64) -> Option<Estimate> {
    let value = stats::mean(&sample.values)?;
    let interval = match stats::mean_interval(&sample.values, level) {
        Err(_) if sample.len() > 1 && sample.is_constant() => {
            Ok(Interval { lo: value, hi: value, level })
        }
        interval => interval,
    };
    Some(Estimate { value, interval, method: estimate::Method::MeanStudent })
}

/// A comparison by itself; its family follows.
fn compared(contrast: &Contrast<'_>, criteria: &Criteria) -> Option<Comparison> {
    let evidence = compare(contrast, criteria)?;
    let p = evidence.test.ok().map(|test| test.p);
    let significant = match evidence.exact {
        true => evidence.difference.value != 0.0,
        false => p.is_some_and(|p| p <= criteria.alpha),
    };
    let notes = evidence.remarks().into_iter().map(Note::Remark).collect();
    let n = evidence.n;
    let assessment = Some(Box::new(Assessment::alone(evidence, criteria)));
    Some(Comparison { n, p, significant, notes, assessment })
}

/// Assesses all comparisons of a table together.
fn assess_table(rows: &mut [Vec<Option<Cell>>], criteria: &Criteria) {
    let cells = rows.iter_mut().flatten().flatten();
    let comparisons = cells.filter_map(|cell| cell.comparison.as_mut());
    let assessments = comparisons.filter_map(|comparison| comparison.assessment.as_deref_mut());
    let member = |assessment| Member { assessment, repeats: None };
    assess(&mut assessments.map(member).collect::<Vec<_>>(), criteria);
    rows.iter_mut().flatten().flatten().for_each(Cell::note_unseen);
}

/// The columns in one line each, and which rows are left out of it: all columns are summarised over the
/// same rows.
fn summaries(
    gathered: &Gathered<'_>,
    grid: &Grid,
    rows: &[Vec<Option<Cell>>],
) -> (Vec<ColumnSummary>, LeftOut) {
    let complete: Vec<Vec<&Cell>> =
        rows.iter().filter_map(|row| row.iter().map(Option::as_ref).collect()).collect();
    let is_positive = |row: &&Vec<&Cell>| row.iter().all(|cell| cell.centre.value > 0.0);
    let positive: Vec<&Vec<&Cell>> = complete.iter().filter(is_positive).collect();
    let left_out = LeftOut {
        incomplete: rows.len() - complete.len(),
        not_positive: complete.len() - positive.len(),
    };
    let centres = |rows: &mut dyn Iterator<Item = &Vec<&Cell>>, column: usize| -> Vec<f64> {
        rows.map(|row| row[column].centre.value).collect()
    };
    let cells =
        |column: usize| grid.cells.iter().filter_map(|row| row[column]).collect::<Vec<usize>>();
    let summary = |column: usize| {
        let all = centres(&mut complete.iter(), column);
        let mean = stats::geometric_mean(&centres(&mut positive.iter().copied(), column));
        let mut summary = ColumnSummary {
            mean,
            ratio: None,
            interval: None,
            total: (!all.is_empty()).then(|| all.iter().sum()),
            notes: Vec::new(),
        };
        if column > 0 {
            (summary.ratio, summary.interval) = mean_ratio(&positive, column);
            let differences = differences(gathered, &cells(0), &cells(column));
            if !differences.is_empty() {
                summary.notes.push(Note::OtherMachine(differences));
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
