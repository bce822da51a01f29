//! Why readings of the ranked metric differ: what of a benchmark's rows is looked at.
//!
//! Owns which recorded numbers are held against the readings. Refuses to know what follows: `crate::variation` does.

use super::Analysis;
use super::subject::{Subject, subjects};
use super::together::Together;
use crate::dataset::{Column, Dataset};
use crate::metrics;
use crate::notes::{ExecutionNote, MetricNote, Note, NoteKind};
use crate::sample::Places;
use crate::stats::{self, Sorted};
use crate::variation::{self, Cause, CauseKind, Levels, Readings, Waiting};

/// Why readings of a benchmark differ.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variation {
    /// How many readings were looked at.
    pub readings: usize,
    /// How many points in time they are: blocks, where these hold several.
    pub points: usize,
    /// Causes that are seen, strongest first.
    pub causes: Vec<Cause>,
    /// Shares of the variance by level, outermost first; empty where there is one level only.
    pub levels: Levels,
    /// How many samples are best taken in each block; absent where it is not known what another block costs.
    pub repetitions: Option<Repetitions>,
}

/// How many samples in a block give the narrowest median in a given time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repetitions {
    /// As many; absent where more always pay, because blocks do not differ.
    pub best: Option<f64>,
    /// Seconds of warm-up that another block costs: at least, because its process has to start, too.
    pub block: f64,
    /// Seconds that another sample costs.
    pub sample: f64,
}

/// Of more rows every second, third … is looked at.
const ENOUGH: usize = 20_000;
/// Of more benchmarks, which a person does not read one by one, nothing is looked for: it would take seconds.
const MOST_BENCHMARKS: usize = 1_000;
/// Nobody asked for the note of the strongest cause, so it must not be waited for: of more benchmarks, or more rows,
/// there is none.
const NOTED_BENCHMARKS: usize = 12;
const NOTED_ROWS: usize = 20_000;
/// Of more readings of a benchmark every second, third … is looked at for that note: all of 500 took 6 ms, which is
/// more than everything else of a report.
const NOTED_ENOUGH: usize = 100;
/// Nor must it be a false alarm, or of no consequence: it has at least this share of the variance, and at most this p.
const NOTED_SHARE: f64 = 0.3;
const NOTED_P: f64 = 0.001;

impl Analysis {
    /// Says of each benchmark why its readings of the ranked metric differ, of the data that were analysed. Some 30 ms
    /// for 10,000 readings, as much as everything else: for who asks.
    pub fn explain(&mut self, data: &Dataset) {
        let subjects = subjects(data);
        if subjects.len() > MOST_BENCHMARKS {
            return;
        }
        let metric = &self.settings.metric;
        let thinned = |subject: &Subject<'_>| thinned(subject, metric, ENOUGH);
        let together = Together::new(&subjects, &self.settings, thinned);
        let is_asked = |summary: &super::Summary| summary.metric(metric).is_some();
        let among = self.benchmarks.iter().filter(|summary| is_asked(summary)).count();
        for (at, (summary, subject)) in self.benchmarks.iter_mut().zip(&subjects).enumerate() {
            let others = |thinned: &Column| together.others(at, subject, thinned);
            let scope = Scope { metric, enough: ENOUGH, among };
            summary.variation = is_asked(summary).then(|| variation(subject, scope, others));
        }
    }
}

impl Analysis {
    /// Adds a note of the strongest cause of variation among all benchmarks, if that has at least 30 % of the variance
    /// of its benchmark and p ≤ 0.001, and no other note says the same.
    pub fn note_cause(&mut self, data: &Dataset) {
        if self.benchmarks.len() > NOTED_BENCHMARKS || data.len() > NOTED_ROWS {
            return;
        }
        let subjects = subjects(data);
        let metric = &self.settings.metric;
        let strongest = |(summary, subject): (&super::Summary, &Subject<'_>)| {
            let base = summary.metric(metric)?.metric.unit.base().clone();
            let computed;
            let found = match &summary.variation {
                Some(variation) => variation,
                None => {
                    // Its p is held against what is noted.
                    let scope = Scope { metric, enough: NOTED_ENOUGH, among: 1 };
                    computed = variation(subject, scope, |_| None);
                    &computed
                }
            };
            // What all have in common is no reason to doubt what compares them.
            let is_own = |cause: &&Cause| cause.kind != CauseKind::Together;
            let mut cause = found.causes.iter().find(is_own)?.clone();
            if let (CauseKind::Step { after, .. }, None) = (&mut cause.kind, &summary.variation) {
                *after *= every(subject, NOTED_ENOUGH);
            }
            let waited = |note: &Note| {
                matches!(note.what, NoteKind::Executions(ExecutionNote::Waited { .. }))
            };
            let said = cause.kind == CauseKind::Waiting && self.notes.iter().any(waited);
            let counts = cause.share >= NOTED_SHARE && cause.p <= NOTED_P && !said;
            counts.then(|| (summary.label.clone(), cause, base))
        };
        let found = self.benchmarks.iter().zip(&subjects).filter_map(strongest);
        let found = found.max_by(|(_, a, _), (_, b, _)| a.share.total_cmp(&b.share));
        let note = |(about, cause, base)| Note {
            about,
            what: NoteKind::Metric(MetricNote::Varies { cause, base }),
        };
        self.notes.extend(found.map(note));
    }
}

/// Every so many rows are looked at.
fn every(subject: &Subject<'_>, enough: usize) -> usize {
    subject.group.rows.len().div_ceil(enough).max(1)
}

/// The readings of a metric in time order, of several nodes one after the other; of more than enough rows every second, third …
fn thinned(subject: &Subject<'_>, metric: &str, enough: usize) -> Option<Column> {
    let every = every(subject, enough);
    let mut rows: Vec<u32> = subject.group.rows.iter().copied().step_by(every).collect();
    let data = subject.data;
    if subject.group.placed && data.are_on_nodes(&rows) {
        rows.sort_by_key(|row| (data.node_of(*row as usize), data.rows.place(*row as usize)));
    } else if !data.are_in_order(&rows) && subject.group.placed {
        rows.sort_by_key(|row| data.rows.place(*row as usize));
    }
    // Not every row of a case is a reading: its process says other things at its end.
    subject.read_in(&rows, metric)
}

/// The readings that are looked at.
#[derive(Clone, Copy)]
struct Scope<'a> {
    metric: &'a str,
    /// Of more than so many every second, third …
    enough: usize,
    /// Benchmarks that are looked at together.
    among: usize,
}

/// Why readings of a metric differ, with how far other benchmarks were from what is usual for them.
fn variation(
    subject: &Subject<'_>,
    Scope { metric, enough, among }: Scope<'_>,
    others: impl Fn(&Column) -> Option<Vec<f64>>,
) -> Variation {
    let Some(thinned) = thinned(subject, metric, enough) else { return Variation::default() };
    let others = others(&thinned);
    let Column { rows, values } = thinned;
    let column = |name: &str| subject.read_in(&rows, name).filter(|it| it.rows == rows);
    let column = |name: &str| column(name).map(|column| column.values);
    let blocks = match subject.data.places(&rows) {
        Places::Turns(places) => places.iter().map(|(block, _)| *block).collect(),
        Places::None | Places::Blocks(_) => Vec::new(),
    };
    let readings = Readings {
        resolution: subject.measure(metric).and_then(|measure| measure.metric.resolution),
        waiting: waiting(subject, &rows),
        faults: column(metrics::FAULTS).filter(|_| metric != metrics::FAULTS),
        switches: column(metrics::CSW).filter(|_| metric != metrics::CSW),
        others,
        values,
        blocks,
    };
    let levels = levels(subject, &rows, &readings);
    Variation {
        readings: readings.values.len(),
        points: match readings.blocks.is_empty() {
            true => readings.values.len(),
            false => readings.blocks.chunk_by(|a, b| a == b).count(),
        },
        // What happens in time happens on a node: nothing is looked for over several.
        causes: match subject.data.are_on_nodes(&rows) {
            true => Vec::new(),
            false => variation::causes(&readings, among),
        },
        repetitions: repetitions(subject, metric, &rows, &readings, &levels),
        levels,
    }
}

/// How many samples of a case are best taken in each process.
#[allow(clippy::cast_precision_loss)] // counts of calls
fn repetitions(
    subject: &Subject<'_>,
    metric: &str,
    rows: &[u32],
    readings: &Readings,
    levels: &Levels,
) -> Option<Repetitions> {
    let [.., block, _] = &levels[..] else { return None };
    if metric != metrics::WALL || block.level != BLOCK {
        return None;
    }
    let of_rows = rows.iter().zip(&readings.values);
    let samples = of_rows
        .map(|(row, value)| Some(subject.data.rows.iterations(*row as usize)? as f64 * value));
    let sample = stats::median(&Sorted::from_vec(samples.collect::<Option<_>>()?).ok()?)?;
    let mut warmups = std::collections::BTreeMap::<u32, f64>::new();
    for batch in &subject.group.tally(subject.data)?.warmups {
        *warmups.entry(batch.block).or_default() += batch.seconds;
    }
    let block = stats::median(&Sorted::from_vec(warmups.into_values().collect()).ok()?)?;
    let inner = levels[levels.len() - 2..].to_vec();
    let best = variation::best_repetitions(&inner, &[block, sample]);
    (block > 0.0 && sample > 0.0).then(|| Repetitions {
        best: best.first().copied().flatten(),
        block,
        sample,
    })
}

/// How long each row waited: as counted, and at most where it was not counted, as that is little where others were.
fn waiting(subject: &Subject<'_>, rows: &[u32]) -> Option<Waiting> {
    let cells = |name: &str| subject.cells_in(rows, name);
    let (counted, at_most) = (cells(metrics::CPU_WAIT), cells(metrics::CPU_WAIT_MAX));
    let of_row = |row: &u32| counted.get(row).or_else(|| at_most.get(row)).copied();
    let seconds: Vec<f64> = rows.iter().map(of_row).collect::<Option<_>>()?;
    match counted.is_empty() {
        true => {
            let taken = subject.read_in(rows, metrics::IVCSW).filter(|it| it.rows == rows)?.values;
            Some(Waiting::AtMost { seconds, taken })
        }
        false => Some(Waiting::Counted(seconds)),
    }
}

/// The name of the level of blocks.
const BLOCK: &str = "block";

/// The shares of runs, nodes, blocks and readings, of those that there are several of.
fn levels(subject: &Subject<'_>, rows: &[u32], readings: &Readings) -> Levels {
    let runs: Vec<_> = rows.iter().map(|row| subject.data.run_of(*row as usize)).collect();
    let mut number = 0;
    let mut run_ids = Vec::with_capacity(runs.len());
    for at in 0..runs.len() {
        number += u32::from(at > 0 && runs[at] != runs[at - 1]);
        run_ids.push(number);
    }
    let runs = (number > 0).then_some(("run", &run_ids[..]));
    let blocks = (!readings.blocks.is_empty()).then_some((BLOCK, &readings.blocks[..]));
    let nodes = || rows.iter().filter_map(|row| subject.data.node_of(*row as usize));
    let node_ids: Vec<u32> = nodes().collect();
    let nodes = subject.data.are_on_nodes(rows).then_some(("node", &node_ids[..]));
    let groups: Vec<(&str, &[u32])> = runs.into_iter().chain(nodes).chain(blocks).collect();
    if groups.is_empty() {
        return Levels::new();
    }
    variation::levels(&readings.values, &groups, "reading")
}
