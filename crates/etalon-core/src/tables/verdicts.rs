//! Cells by etalon's rules: estimates, evidence, and verdicts within a family.
//!
//! Owns the family: the comparisons of one table, all columns with the base; those of a check are one in all
//! tables (`super::check`). Samples of one file that
//! share blocks are compared within them; all others are independent. Values declared exact are compared
//! as they are, and are in no family. What evidence means is `crate::verdict`'s.

use std::sync::Arc;

use super::check::{self, Held, OneSided};
use super::context::differences;
use super::gather::Gathered;
use super::grid::{Grid, Sampled};
use super::note::{Need, Note};
use super::{Cell, Centre, ColumnSummary, Comparison, LeftOut, Method, Reach, each};
use crate::compare::{Evidence, Origin, Question, compare};
use crate::estimate;
use crate::model::{Direction, Kind, Metric, Per};
use crate::plan::Conditions;
use crate::sample::Sample;
use crate::stats::{self, Interval, Lacking};
use crate::units::{Base, Unit};
use crate::verdict::{Adjusted, Decision, Rules, Sides, Verdict, decide};

/// A verdict about a cell, seen from the base.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The cell over the base; absent if a value is not above 0.
    pub ratio: Option<f64>,
    /// The ratio's interval; that of exact values is the ratio itself.
    pub interval: Option<Interval>,
    /// The cell minus the base.
    pub difference: f64,
    /// The difference's interval; that of exact values is the difference itself.
    pub difference_interval: Option<Interval>,
    /// What the samples say; absent for exact values.
    pub evidence: Option<Evidence>,
    /// p after the family's correction; absent for exact values.
    pub adjusted: Option<Adjusted>,
    /// The tests of a check; absent outside of one, and for exact values.
    pub one_sided: Option<OneSided>,
    /// What follows.
    pub decision: Decision,
}

/// What is said of a unit.
pub(super) type Of<'u> = (&'u str, Kind, Direction);

/// The cells of a table and its summaries. Comparisons that are in a check wait for the other tables.
pub(super) fn cells(
    gathered: &Gathered<'_>,
    grid: &Grid,
    of: Of<'_>,
    held: &Held,
) -> (Vec<Vec<Option<Cell>>>, Vec<ColumnSummary>, LeftOut) {
    let metric = metric(of);
    let row = |row| row_of(gathered, &grid.sampled(row, gathered), &metric, held);
    let mut rows = each(grid.rows.len(), held.method.threads, row);
    if held.checked.is_none() {
        judge(&mut rows, of.2, &held.method);
    }
    let (summaries, left_out) = summaries(gathered, grid, &rows);
    (rows, summaries, left_out)
}

fn metric((unit, kind, direction): Of<'_>) -> Metric {
    Metric {
        name: unit.to_owned(),
        unit: Unit::new(&base(unit).to_string()),
        direction,
        kind,
        resolution: None,
        per: Per::Observation,
    }
}

/// What values in a tidied unit are counted in: times are in seconds (`p99-sec/op`), sizes in bytes, anything
/// else is a number of things. Rates, and times and sizes that tidying leaves in a unit of their own, are
/// neither: an amount of time or memory cannot be held against them.
#[must_use]
pub fn base(unit: &str) -> Base {
    let (numerator, denominator) = unit.split_once('/').unwrap_or((unit, ""));
    let word = numerator.rsplit(['-', '*']).next().unwrap_or(numerator);
    let of_time = |word: &str| word == "sec" || *Unit::new(word).base() == Base::Seconds;
    match word {
        _ if of_time(denominator) => Base::Other(unit.to_owned()),
        "sec" | "s" => Base::Seconds,
        "B" => Base::Bytes,
        _ if matches!(Unit::new(word).base(), Base::Seconds | Base::Bytes) => {
            Base::Other(unit.to_owned())
        }
        _ => Base::Count,
    }
}

fn row_of(
    gathered: &Gathered<'_>,
    row: &[Option<Sampled>],
    metric: &Metric,
    held: &Held,
) -> Vec<Option<Cell>> {
    let method = &held.method;
    let samples: Vec<Option<Sample>> =
        row.iter().map(|cell| sample(gathered, cell.as_ref()?)).collect();
    let base = row.first().and_then(Option::as_ref).zip(samples.first().and_then(Option::as_ref));
    let step = |cell: &Sampled| gathered.resolution(cell.cell);
    let cell = |at: usize| {
        let (sampled, sample) = (row[at].as_ref()?, samples[at].as_ref()?);
        let metric = Metric { resolution: step(sampled), ..metric.clone() };
        let (centre, own) = centre(sample, &metric, method.confidence)?;
        let varies = (!sampled.varying.is_empty()).then(|| Note::Varies(sampled.varying.clone()));
        let comparison = base.filter(|_| at > 0).and_then(|(base_cell, base)| {
            let origin = origin(gathered, base_cell.cell, sampled.cell);
            let question = Question { confidence: held.level, margin: method.margin, origin };
            let steps = [step(base_cell), metric.resolution].into_iter().flatten();
            let metric = Metric { resolution: steps.max_by(f64::total_cmp), ..metric.clone() };
            let mut evidence = compare(&metric, base, sample, question)?;
            if evidence.exact {
                return Some(exact(evidence, metric.direction, method));
            }
            let one_sided = held.checked.and_then(|share| {
                check::test((base, sample), (&metric, origin), &mut evidence, share)
            });
            Some(tested(evidence, one_sided, method))
        });
        let notes = varies.into_iter().chain(own).collect();
        let mean = mean(sample, method.confidence);
        Some(Cell { n: sample.len(), centre, mean, notes, comparison })
    };
    (0..row.len()).map(cell).collect()
}

/// The values of a cell with their blocks. Values that are not finite are no values of a dataset.
fn sample(gathered: &Gathered<'_>, sampled: &Sampled) -> Option<Sample> {
    let values = || sampled.values.clone();
    let sample = match gathered.places(sampled.cell) {
        Some(places) if places.windows(2).any(|pair| pair[0].0 == pair[1].0) => {
            Sample::of_turns(values(), places.into())
        }
        Some(places) => Sample::new(values(), places.iter().map(|(block, _)| *block).collect()),
        None => Sample::new(gathered.independent(sampled.cell), Arc::new([])),
    };
    sample.ok()
}

fn origin(gathered: &Gathered<'_>, base: usize, other: usize) -> Origin {
    let file = |cell: usize| gathered.cells[cell].file(gathered.data);
    match (file(base), file(other)) {
        (Some(a), Some(b)) if a == b => Origin::SameRunSet,
        _ => Origin::DifferentRunSets,
    }
}

fn centre(sample: &Sample, metric: &Metric, level: f64) -> Option<(Centre, Vec<Note>)> {
    if metric.kind == Kind::Exact && sample.is_constant() {
        let value = sample.values[0];
        let interval = Interval { lo: value, hi: value, level };
        return Some((Centre { value, reach: Reach::Within(interval) }, Vec::new()));
    }
    let median = estimate::median(sample, level, metric.resolution)?;
    let mut notes = Vec::new();
    if metric.kind == Kind::Exact {
        let (lo, hi) = (sample.sorted().min()?, sample.sorted().max()?);
        notes.push(Note::NotExact { lo, hi });
    }
    let reach = match median.interval {
        Ok(interval) => Reach::Within(interval),
        Err(lacking) => {
            if let Lacking::TooFew { needs } = lacking {
                notes.push(Note::IntervalNeeds { need: Need::AtLeast(needs), level });
            }
            Reach::Unbounded
        }
    };
    Some((Centre { value: median.value, reach }, notes))
}

/// The arithmetic mean with Student's interval.
fn mean(sample: &Sample, level: f64) -> Option<Centre> {
    let value = stats::mean(&sample.values)?;
    let reach = match stats::mean_interval(&sample.values, level) {
        Ok(interval) => Reach::Within(interval),
        // Values that are all the same leave it no width.
        Err(_) if sample.len() > 1 && sample.is_constant() => {
            Reach::Within(Interval { lo: value, hi: value, level })
        }
        Err(_) => Reach::Unbounded,
    };
    Some(Centre { value, reach })
}

/// A comparison that waits for its family.
fn tested(evidence: Evidence, one_sided: Option<OneSided>, method: &Method) -> Comparison {
    let p = evidence.test.as_ref().ok().map(|test| test.p);
    let ratio = evidence.ratio.as_ref();
    let waiting = Decision { verdict: Verdict::Unclear, reasons: Vec::new(), more_blocks: None };
    Comparison {
        n: evidence.n,
        p,
        significant: p.is_some_and(|p| p <= method.alpha),
        notes: evidence.remarks().into_iter().map(Note::Remark).collect(),
        judged: Some(Box::new(Judged {
            ratio: ratio.map(|ratio| ratio.value),
            interval: ratio.and_then(|ratio| ratio.interval.as_ref().ok()).copied(),
            difference: evidence.difference.value,
            difference_interval: evidence.difference.interval.as_ref().ok().copied(),
            evidence: Some(evidence),
            adjusted: None,
            one_sided,
            decision: waiting,
        })),
    }
}

/// Values that are exact are in no family: their comparison is decided at once.
fn exact(evidence: Evidence, direction: Direction, method: &Method) -> Comparison {
    let correction = method.correction;
    let alone = Adjusted { p: None, same_p: None, family: 0, correction };
    let decision = decide(&evidence, alone, rules(direction, method));
    let significant = evidence.difference.value != 0.0;
    let mut comparison = Comparison { significant, ..tested(evidence, None, method) };
    if let Some(judged) = comparison.judged.as_deref_mut() {
        judged.evidence = None;
        judged.decision = decision;
    }
    comparison
}

/// What a table's verdicts are held against.
fn rules(direction: Direction, method: &Method) -> Rules {
    Rules {
        alpha: method.alpha,
        at_least: method.at_least,
        conditions: Conditions::default(),
        direction,
        sides: Sides::Two,
    }
}

/// Decides all comparisons of a table together. One without a p counts as p = 1.
fn judge(rows: &mut [Vec<Option<Cell>>], direction: Direction, method: &Method) {
    let evidence = |cell: &Option<Cell>| -> Option<(f64, f64)> {
        let evidence = cell.as_ref()?.comparison.as_ref()?.judged.as_deref()?.evidence.as_ref()?;
        let p = evidence.test.as_ref().map_or(1.0, |test| test.p);
        Some((p, evidence.same_p.unwrap_or(1.0)))
    };
    let raw: Vec<(f64, f64)> = rows.iter().flatten().filter_map(evidence).collect();
    let adjust = |p: fn(&(f64, f64)) -> f64| {
        stats::adjust(&raw.iter().map(p).collect::<Vec<f64>>(), method.correction)
    };
    let (differ, same) = (adjust(|p| p.0), adjust(|p| p.1));
    let rules = rules(direction, method);
    let mut adjusted = differ.into_iter().zip(same);
    for cell in rows.iter_mut().flatten().flatten() {
        let Some(judged) = cell.comparison.as_mut().and_then(|c| c.judged.as_mut()) else {
            continue;
        };
        let Some(evidence) = &judged.evidence else { continue };
        let Some((differ, same)) = adjusted.next() else { continue };
        let adjusted = Adjusted {
            p: evidence.test.as_ref().ok().map(|_| differ),
            same_p: evidence.same_p.map(|_| same),
            family: raw.len(),
            correction: method.correction,
        };
        judged.decision = decide(evidence, adjusted, rules);
        judged.adjusted = Some(adjusted);
    }
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
/// squares. Absent where a row has none.
#[allow(clippy::cast_precision_loss)] // rows of a table
fn mean_ratio(rows: &[&Vec<&Cell>], column: usize) -> (Option<f64>, Option<Interval>) {
    let judged = |row: &&Vec<&Cell>| {
        let judged = row[column].comparison.as_ref()?.judged.as_deref()?;
        Some((judged.ratio?, judged.interval))
    };
    let Some(judged) = rows.iter().map(judged).collect::<Option<Vec<_>>>() else {
        return (None, None);
    };
    let ratios: Vec<f64> = judged.iter().map(|(ratio, _)| *ratio).collect();
    let Some(mean) = stats::geometric_mean(&ratios) else { return (None, None) };
    let reach = |(ratio, interval): &(f64, Option<Interval>)| {
        interval.map(|i| [(ratio / i.lo).ln().powi(2), (i.hi / ratio).ln().powi(2)])
    };
    let reaches: Option<Vec<[f64; 2]>> = judged.iter().map(reach).collect();
    let level = judged.first().and_then(|(_, interval)| *interval).map(|interval| interval.level);
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
