//! Cells by etalon's rules: estimates, evidence, and verdicts within a family.
//!
//! Owns what a family is: the comparisons of one table, all columns with the base; those of a check are one in
//! all tables (`super::check`). Samples of one file that share blocks are compared within them; all others are
//! independent. What evidence and families mean is `crate::verdict`'s.

use super::gather::Gathered;
use super::grid::{Grid, Sampled};
use super::nothing;
use super::summary::{CellRuns, Summed, summaries};
use super::{Cell, ColumnSummary, Comparison, LeftOut, Method};
use crate::compare::{
    Design, EarlierRuns, EstimateChoice, Estimates, Evidence, Origin, family_dependence,
};
use crate::criteria::Criteria;
use crate::estimate::{self, Estimate};
use crate::family::{self, Family, Pair};
use crate::model::{Kind, Level, Metric};
use crate::notes::{CellNote, ComparisonNote, DesignNote, Need, NoteKind};
use crate::sample::Sample;
use crate::stats::{self, Correction, Dependence, InsufficientData, Interval};
use crate::threads::each;
use crate::verdict::{Assessment, Decision, Reason};

/// The cells of a table and its summaries. Comparisons of rows that have a check's criteria wait for the other tables.
pub(super) fn cells(
    gathered: &Gathered<'_>,
    grid: &Grid,
    method: &Method,
    checked: &[Option<Criteria>],
) -> (Vec<Vec<Option<Cell>>>, Vec<ColumnSummary>, LeftOut) {
    let dependence = dependence(gathered, grid);
    let is_checked = |at: usize| checked.get(at).and_then(Option::as_ref);
    let row = |at| Sampling::new((gathered, grid), at, (method, is_checked(at)), dependence);
    let threads = method.threads;
    let (mut rows, runs): (Vec<_>, Vec<_>) =
        each(grid.rows.len(), threads, |at| row(at).cells()).into_iter().unzip();
    let unchecked: Vec<usize> = (0..rows.len()).filter(|at| is_checked(*at).is_none()).collect();
    if !unchecked.is_empty() {
        assess_table((&mut rows, &unchecked), &method.criteria);
        if let Some(share) = picked((&rows, &unchecked), &method.criteria) {
            let with: Vec<usize> =
                unchecked.into_iter().filter(|at| has_difference(&rows[*at])).collect();
            let again = |at: usize| row(with[at]).picked_estimates(&rows[with[at]], share);
            let again = each(with.len(), threads, again);
            with.into_iter().zip(again).for_each(|(at, again)| show_picked(&mut rows[at], again));
        }
    }
    let (summaries, left_out) =
        summaries(&Summed { gathered, grid, method, rows: &rows, runs: &runs });
    (rows, summaries, left_out)
}

/// The share of a table's comparisons in which Benjamini and Hochberg's correction found a difference: their intervals
/// miss more often than those of all, because chance picked some of them. Of level 1 − αR/m, where R of m were picked,
/// the share of those that miss is α at most. Absent where nothing or everything was picked.
///
/// Benjamini & Yekutieli, J. American Statistical Association 100 (2005).
#[allow(clippy::cast_precision_loss)] // numbers of comparisons
fn picked((rows, of_family): (&[Vec<Option<Cell>>], &[usize]), criteria: &Criteria) -> Option<f64> {
    let all = || of_family.iter().flat_map(|at| assessments(&rows[*at]));
    let tested = || all().filter(|it| !it.evidence.exact);
    let differing = tested().filter(|it| it.decision.is_difference()).count();
    let share = differing as f64 / tested().count().max(1) as f64;
    let is_meant = criteria.correction() == Correction::BenjaminiHochberg;
    (is_meant && share > 0.0 && share < 1.0).then_some(share)
}

fn assessments(row: &[Option<Cell>]) -> impl Iterator<Item = &Assessment> {
    row.iter().flatten().filter_map(|cell| cell.comparison.as_ref()?.assessment.as_deref())
}

fn has_difference(row: &[Option<Cell>]) -> bool {
    assessments(row).any(|it| it.decision.is_difference() && !it.evidence.exact)
}

/// Shows the differences of a row by the estimates of `again`.
fn show_picked(row: &mut [Option<Cell>], again: Vec<Option<Estimates>>) {
    for (cell, again) in row.iter_mut().zip(again) {
        let Some(Comparison { assessment: Some(shown), notes, .. }) =
            cell.as_mut().and_then(|cell| cell.comparison.as_mut())
        else {
            continue;
        };
        if let Some(estimates) = again {
            let asked = shown.evidence.shown().level;
            notes.push(NoteKind::Comparison(ComparisonNote::Picked {
                level: estimates.level,
                asked,
            }));
            shown.evidence.shown = EstimateChoice::Picked(Box::new(estimates));
        }
    }
}

/// The serial dependence of all comparisons of a table together, where they are within blocks.
fn dependence(gathered: &Gathered<'_>, grid: &Grid) -> Option<Dependence> {
    let pairs = |row: &Vec<Option<usize>>| -> Vec<(Sample, Sample)> {
        let Some(&Some(base)) = row.first() else { return Vec::new() };
        let sample = |cell: usize| gathered.sample(cell, gathered.values(cell));
        let others = row.iter().skip(1).copied().flatten();
        let in_blocks = others.filter(|cell| origin(gathered, base, *cell) == Origin::SameRunSet);
        in_blocks.filter_map(|cell| Some((sample(base)?, sample(cell)?))).collect()
    };
    let pairs: Vec<(Sample, Sample)> = grid.cells.iter().flat_map(pairs).collect();
    family_dependence(pairs.iter().map(|(base, other)| (base, other)), pairs.len())
}

/// The samples of a row, and how they are compared.
struct Sampling<'a, 'd> {
    gathered: &'a Gathered<'d>,
    grid: &'a Grid,
    row: Vec<Option<Sampled>>,
    samples: Vec<Option<Sample>>,
    method: &'a Method,
    /// The criteria of comparisons instead, where a check is about the unit.
    checked: Option<&'a Criteria>,
    /// The serial dependence that the comparisons of the table show together.
    dependence: Option<Dependence>,
}

impl<'a, 'd> Sampling<'a, 'd> {
    fn new(
        (gathered, grid): (&'a Gathered<'d>, &'a Grid),
        at: usize,
        (method, checked): (&'a Method, Option<&'a Criteria>),
        dependence: Option<Dependence>,
    ) -> Sampling<'a, 'd> {
        let mut row = grid.sampled(at, gathered);
        let sample = |cell: &mut Option<Sampled>| {
            let Sampled { cell, values, .. } = cell.as_mut()?;
            gathered.sample(*cell, std::mem::take(values))
        };
        let samples = row.iter_mut().map(sample).collect();
        Sampling { gathered, grid, row, samples, method, checked, dependence }
    }

    /// The cells, and the runs of each where runs are compared.
    fn cells(&self) -> (Vec<Option<Cell>>, Vec<Option<CellRuns>>) {
        let all = 0..self.row.len();
        let cells: Vec<Option<Cell>> = all.clone().map(|at| self.cell(at)).collect();
        let is_of_runs =
            assessments(&cells).any(|it| matches!(it.evidence.design, Design::Runs(_)));
        let runs = |at: usize| {
            let (sampled, sample) = self.row[at].as_ref().zip(self.samples[at].as_ref())?;
            is_of_runs.then(|| CellRuns::from_sample(self.gathered, sampled.cell, sample)).flatten()
        };
        (cells, all.map(runs).collect())
    }

    fn cell(&self, at: usize) -> Option<Cell> {
        let (sampled, sample) = (self.row[at].as_ref()?, self.samples[at].as_ref()?);
        let own_level = self.level(sampled);
        let metric = self.metric(self.step(sampled));
        let (centre, own) = match is_published(self.gathered, sampled.cell) {
            true => (Estimate::point(*sample.values.first()?, own_level), Vec::new()),
            false => centre(sample, &metric, own_level)?,
        };
        let varies = (!sampled.varying.is_empty())
            .then(|| NoteKind::Cell(CellNote::Varies(sampled.varying.clone())));
        let comparison = self.with_base(at);
        let copies = self.gathered.copies(sampled.cell);
        let copies = (copies > 0).then_some(NoteKind::Design(DesignNote::Copies { runs: copies }));
        let nothing = nothing::note((self.gathered, self.grid), sampled.cell, centre.value);
        let nothing = nothing.map(NoteKind::Cell);
        // More centres of harnesses would be no readings either.
        let is_of_readings = self.gathered.level(sampled.cell) == Level::Readings;
        let is_true = |note: &NoteKind| {
            is_of_readings || !matches!(note, NoteKind::Cell(CellNote::IntervalNeeds { .. }))
        };
        // Counts of work have a rule without intervals, and who counted says whether they are exact.
        let is_of_work = self.grid.metric.is_of_work();
        let own = own.into_iter().filter(|note| is_true(note) && !is_of_work);
        let notes = varies.into_iter().chain(copies).chain(own).chain(nothing).collect();
        let mean = self.method.means.then(|| mean(sample, own_level)).flatten().map(Box::new);
        Some(Cell { n: sample.len(), centre, mean, notes, comparison })
    }

    /// The estimates of those that differ, of which a family picked so many: of so many, intervals are to hold as
    /// often as asked.
    fn picked_estimates(&self, row: &[Option<Cell>], share: f64) -> Vec<Option<Estimates>> {
        let differs = |cell: &Option<Cell>| {
            cell.as_ref().is_some_and(|cell| is_difference(cell.comparison.as_ref()))
        };
        let again = |(at, cell)| {
            let pair = self.pair(at).filter(|_| differs(cell))?;
            self.family().differing(&pair, &self.earlier(at), (self.criteria(), share))
        };
        row.iter().enumerate().map(again).collect()
    }

    /// The comparison of a cell with the base; its family follows.
    fn with_base(&self, at: usize) -> Option<Comparison> {
        let (pair, criteria) = (self.pair(at)?, self.criteria());
        let evidence = self.family().evidence(&pair, &self.earlier(at), criteria)?;
        let mut comparison = compared(evidence, &pair.criteria(criteria));
        if self.grid.metric.is_of_work() && !self.is_counted_as_base(at) {
            let assessment = comparison.assessment.as_deref_mut()?;
            assessment.decision = Decision::withheld(Reason::CountedOtherwise);
        }
        Some(comparison)
    }

    /// Whether the work of a cell was counted as that of the base.
    fn is_counted_as_base(&self, at: usize) -> bool {
        let data = self.gathered.data;
        let run_set = |at: usize| {
            self.row[at].as_ref().and_then(|it| self.gathered.cells[it.cell].run_set(data))
        };
        run_set(0).zip(run_set(at)).is_some_and(|(one, other)| data.are_counted_alike([one, other]))
    }

    fn family(&self) -> Family<'_> {
        let (metric, scales) = (&self.grid.metric, self.method.scales);
        Family { metric, scales, dependence: self.dependence }
    }

    /// The criteria of comparisons.
    fn criteria(&self) -> &Criteria {
        self.checked.unwrap_or(&self.method.criteria)
    }

    /// A cell beside the base; absent of the base itself, and where somebody published a side. A column that is only
    /// the first of those that are here is no base.
    fn pair(&self, at: usize) -> Option<Pair<'_>> {
        let has_base = self.grid.has_base && at > 0;
        Some(Pair { base: self.side(0).filter(|_| has_base)?, candidate: self.side(at)? })
    }

    fn side(&self, at: usize) -> Option<family::Side<'_>> {
        let (sampled, sample) = (self.row[at].as_ref()?, self.samples[at].as_ref()?);
        let level = self.checked.map_or(self.level(sampled), |checked| checked.confidence);
        side(self.gathered, sampled.cell, sample, level)
    }

    /// Earlier runs of a cell's benchmark and of the base's.
    fn earlier(&self, at: usize) -> Vec<EarlierRuns> {
        match [0, at].map(|at| self.row[at].as_ref()) {
            [Some(base), Some(other)] => {
                earlier(self.gathered, [base.cell, other.cell], &self.grid.metric.name)
            }
            _ => Vec::new(),
        }
    }

    fn step(&self, cell: &Sampled) -> Option<f64> {
        self.gathered.resolution(cell.cell)
    }

    fn level(&self, cell: &Sampled) -> f64 {
        self.method.criteria.level(self.gathered.cells[cell.cell].asked)
    }

    fn metric(&self, resolution: Option<f64>) -> Metric {
        Metric { resolution, ..self.grid.metric.clone() }
    }
}

fn is_difference(comparison: Option<&Comparison>) -> bool {
    let assessment = comparison.and_then(|comparison| comparison.assessment.as_deref());
    assessment.is_some_and(|it| it.decision.is_difference())
}

/// Earlier runs of the benchmarks of two cells.
pub(super) fn earlier(gathered: &Gathered<'_>, cells: [usize; 2], unit: &str) -> Vec<EarlierRuns> {
    let data = gathered.data;
    if data.history.is_empty() {
        return Vec::new();
    }
    match cells.map(|cell| gathered.measured(cell)) {
        [Some(base), Some(candidate)] => data.history.earlier(data, unit, [&[base], &[candidate]]),
        _ => Vec::new(),
    }
}

/// Whether a cell holds what somebody published.
pub(super) fn is_published(gathered: &Gathered<'_>, cell: usize) -> bool {
    let run_set = gathered.cells[cell].run_set(gathered.data);
    run_set.is_some_and(|run_set| gathered.data.run_sets[run_set.at()].published)
}

/// A cell as a side of comparisons; absent where somebody published it.
pub(super) fn side<'a>(
    gathered: &Gathered<'_>,
    cell: usize,
    sample: &'a Sample,
    level: f64,
) -> Option<family::Side<'a>> {
    let run_set = gathered.cells[cell].run_set(gathered.data);
    let (resolution, values) = (gathered.resolution(cell), gathered.level(cell));
    let side = || family::Side { sample, run_set, resolution, level, values };
    (!is_published(gathered, cell)).then(side)
}

pub(super) fn origin(gathered: &Gathered<'_>, base: usize, other: usize) -> Origin {
    let run_set = |cell: usize| gathered.cells[cell].run_set(gathered.data);
    family::origin(run_set(base), run_set(other))
}

fn centre(sample: &Sample, metric: &Metric, level: f64) -> Option<(Estimate, Vec<NoteKind>)> {
    if metric.kind == Kind::Exact && sample.is_constant() {
        return Some((Estimate::point(sample.values[0], level), Vec::new()));
    }
    let median = estimate::median(sample, level, metric.resolution)?;
    let mut notes = Vec::new();
    if metric.kind == Kind::Exact {
        let (lo, hi) = (sample.sorted().min()?, sample.sorted().max()?);
        notes.push(NoteKind::Cell(CellNote::NotExact { lo, hi }));
    }
    if let Err(InsufficientData::TooFew { needs }) = median.interval {
        notes.push(NoteKind::Cell(CellNote::IntervalNeeds { need: Need::AtLeast(needs), level }));
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
fn compared(evidence: Evidence, criteria: &Criteria) -> Comparison {
    let p = evidence.test.ok().map(|test| test.p);
    let significant = match evidence.exact {
        true => !evidence.is_equal(),
        false => p.is_some_and(|p| p <= criteria.alpha),
    };
    let notes =
        ComparisonNote::on_evidence(&evidence).into_iter().map(NoteKind::Comparison).collect();
    let n = evidence.n;
    let assessment = Some(Box::new(Assessment::in_family(evidence, criteria)));
    Comparison { n, p, significant, notes, assessment }
}

/// Assesses all comparisons of these rows of a table together; the numbers rise.
fn assess_table((rows, family): (&mut [Vec<Option<Cell>>], &[usize]), criteria: &Criteria) {
    let mut of_family: Vec<&mut Option<Cell>> = rows
        .iter_mut()
        .enumerate()
        .filter(|(at, _)| family.binary_search(at).is_ok())
        .flat_map(|(_, row)| row)
        .collect();
    let cells = of_family.iter_mut().filter_map(|cell| cell.as_mut());
    let comparisons = cells.filter_map(|cell| cell.comparison.as_mut());
    let assessments = comparisons.filter_map(|comparison| comparison.assessment.as_deref_mut());
    family::assess(assessments, criteria);
    of_family.into_iter().flatten().for_each(Cell::note_tails);
}
