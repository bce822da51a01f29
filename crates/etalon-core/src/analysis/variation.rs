//! Why readings of the ranked metric differ: what of a benchmark's rows is looked at.
//!
//! Owns which recorded numbers are held against the readings. Refuses to know what follows: `crate::variation` does.

use super::Analysis;
use super::subject::{Subject, subjects};
use crate::dataset::{Column, Dataset};
use crate::metrics;
use crate::sample::Places;
use crate::variation::{self, Cause, Levels, Readings, Waiting};

/// Why readings of a benchmark differ.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variation {
    /// How many readings were looked at.
    pub readings: usize,
    /// What is seen, strongest first.
    pub causes: Vec<Cause>,
    /// Shares of the variance by level, outermost first; empty where there is one level only.
    pub levels: Levels,
}

/// Of more rows every second, third … is looked at.
const ENOUGH: usize = 20_000;
/// Of more benchmarks, which a person does not read one by one, nothing is looked for: it would take seconds.
const MOST_BENCHMARKS: usize = 1_000;

impl Analysis {
    /// Says of each benchmark why its readings of the ranked metric differ, of the data that were analysed. Some 30 ms for
    /// 10,000 readings, as much as everything else: for who asks.
    pub fn explain(&mut self, data: &Dataset) {
        let subjects = subjects(data);
        if subjects.len() > MOST_BENCHMARKS {
            return;
        }
        for (summary, subject) in self.benchmarks.iter_mut().zip(&subjects) {
            let metric = &self.settings.metric;
            summary.variation =
                summary.metric(metric).is_some().then(|| variation(subject, metric));
        }
    }
}

/// Why readings of a metric differ.
fn variation(subject: &Subject<'_>, metric: &str) -> Variation {
    let every = subject.group.rows.len().div_ceil(ENOUGH).max(1);
    let mut rows: Vec<u32> = subject.group.rows.iter().copied().step_by(every).collect();
    if !subject.data.are_in_order(&rows) && subject.group.placed {
        rows.sort_by_key(|row| subject.data.rows.place(*row as usize));
    }
    // Not every row of a case is a reading: its process says other things at its end.
    let Some(Column { rows, values }) = subject.read_in(&rows, metric) else {
        return Variation::default();
    };
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
        values,
        blocks,
    };
    Variation {
        readings: readings.values.len(),
        causes: variation::causes(&readings),
        levels: levels(subject, &rows, &readings),
    }
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

/// The shares of runs, blocks and readings, of those that there are several of.
fn levels(subject: &Subject<'_>, rows: &[u32], readings: &Readings) -> Levels {
    let runs: Vec<_> = rows.iter().map(|row| subject.data.run_of(*row as usize)).collect();
    let mut number = 0;
    let mut run_ids = Vec::with_capacity(runs.len());
    for at in 0..runs.len() {
        number += u32::from(at > 0 && runs[at] != runs[at - 1]);
        run_ids.push(number);
    }
    let runs = (number > 0).then_some(("run", &run_ids[..]));
    let blocks = (!readings.blocks.is_empty()).then_some(("block", &readings.blocks[..]));
    let groups: Vec<(&str, &[u32])> = runs.into_iter().chain(blocks).collect();
    if groups.is_empty() {
        return Levels::new();
    }
    variation::levels(&readings.values, &groups, "reading")
}
