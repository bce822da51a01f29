//! Lines of the record of Lua cases beside those that workers speak.

use std::cell::RefCell;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use etalon_core::dataset::TraceAborts;
use etalon_core::metrics;
use etalon_core::model::{
    Coordinates, Direction, Kind, Metric, Note, Number, Observation, Outcome, Phase,
};
use etalon_lua::{AbortLine, MetricLine, Reading};
use etalon_record::Text;
use etalon_record::raw::write;

use super::failure::CaseFailure;
use crate::error::RunError;
use crate::experiment::Experiment;
use crate::record::Records;
use crate::state::FailedSubject;

/// The record under way: its files, and its metrics, which suites may add to.
#[derive(Clone, Copy)]
pub(super) struct Lines<'a> {
    pub(super) records: &'a Records<'a>,
    pub(super) experiment: &'a Experiment,
    pub(super) metrics: &'a RefCell<Vec<Metric>>,
}

/// The part of a record that one case has: its lines of one block.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) benchmark: usize,
    pub(super) block: u32,
}

impl Lines<'_> {
    /// An observation as its worker wrote it; a sample, as a row of the CSV file, is what one call takes.
    pub(super) fn observed(&self, reading: &Reading) -> Result<(), RunError> {
        let row = |rows: &mut Vec<u8>| {
            if let Some(observation) = per_call(reading) {
                self.records.row(rows, &observation, &self.metrics.borrow());
            }
        };
        self.records.lines(|lines| lines.extend_from_slice(&reading.line), row)
    }

    /// A case that did not get there.
    pub(super) fn failed(&self, at: Place, failure: &CaseFailure) -> Result<(), RunError> {
        let FailedSubject { observation, stderr } = failure.recorded(at);
        self.records.observation(&observation, Some(&stderr))
    }

    /// Records processes that were left running, as an observation without a value.
    pub(super) fn left(&self, at: Place, orphans: u32) -> Result<(), RunError> {
        if orphans == 0 {
            return Ok(());
        }
        let observation = Observation { orphans, ..plain(at, Outcome::Ok) };
        let metrics = self.metrics.borrow();
        self.records.lines(|line| write::observation(line, &observation, &metrics, None), |_| {})
    }

    /// Numbers of the suite's own.
    pub(super) fn own_metrics(
        &self,
        at: Place,
        own: &[MetricLine],
        kind: Kind,
    ) -> Result<(), RunError> {
        if own.is_empty() {
            return Ok(());
        }
        let mut metrics = self.metrics.borrow_mut();
        let mut observation = plain(at, Outcome::Ok);
        let mut lines = Vec::new();
        for line in own {
            let metric = metric_of(line, kind);
            let known = metrics.iter().position(|known| known.name == metric.name);
            let index = known.unwrap_or(metrics.len());
            if let Some(known) = known {
                if let Some(text) = disagreement(&metrics[known], &metric) {
                    let about = self.experiment.label(at.benchmark);
                    write::note(&mut lines, &Note::new(about, text));
                }
                if metrics[known].unit.base() != metric.unit.base() {
                    continue;
                }
            } else {
                write::metric(&mut lines, &metric);
                metrics.push(metric.clone());
            }
            let value = match &metrics[index].unit {
                unit if *unit == metric.unit => line.value,
                unit => unit.from_base(metric.unit.to_base(line.value)),
            };
            observation.values.push((index, Number::Float(value)));
        }
        write::observation(&mut lines, &observation, &metrics, None);
        self.records.lines(|line| line.extend_from_slice(&lines), |_| {})
    }

    /// Records traces that a JIT compiler gave up in a process of a case.
    pub(super) fn aborts(&self, benchmark: usize, aborts: &[AbortLine]) -> Result<(), RunError> {
        let mut lines = Vec::new();
        for AbortLine { reason, at, count } in aborts {
            let (reason, at) = (reason.clone(), at.clone());
            let aborts = TraceAborts { reason, at, count: *count, processes: 1 };
            write::aborted(&mut lines, benchmark, &aborts);
        }
        self.records.lines(|line| line.extend_from_slice(&lines), |_| {})
    }

    /// A remark about a case.
    pub(super) fn note(&self, benchmark: usize, text: &str) -> Result<(), RunError> {
        let about = self.experiment.label(benchmark);
        self.records.note(&Note::new(about, text))
    }

    /// Records the output of a case.
    pub(super) fn printed(
        &self,
        benchmark: usize,
        output: etalon_lua::Output,
    ) -> Result<(), RunError> {
        if output.text.is_empty() {
            return Ok(());
        }
        let text = printed_text(output);
        self.records.lines(|line| write::printed_by(line, benchmark, text), |_| {})
    }
}

/// Output as a text; where it was too much, how much more there was.
#[must_use]
pub fn printed_text(output: etalon_lua::Output) -> Text {
    let mut bytes = output.text;
    if output.lost > 0 {
        bytes.extend_from_slice(format!("\n… {} bytes more\n", output.lost).as_bytes());
    }
    Text::from(OsString::from_vec(bytes))
}

/// A sample as what one call took; other readings are no rows.
#[allow(clippy::cast_precision_loss)] // a count of calls
fn per_call(reading: &Reading) -> Option<Observation> {
    let per_call =
        reading.value(metrics::WALL)? / reading.observation.iterations.unwrap_or(1) as f64;
    let metric =
        etalon_lua::metrics::all().iter().position(|metric| metric.name == metrics::WALL)?;
    let Observation { benchmark, phase, coordinates, .. } = reading.observation;
    let values = vec![(metric, Number::Float(per_call))];
    let at = Place { benchmark, block: coordinates.block? };
    Some(Observation { phase, values, ..plain(at, Outcome::Ok) })
}

impl CaseFailure {
    /// The failure as the record has it.
    pub(super) fn recorded(&self, at: Place) -> FailedSubject {
        let orphans = self.orphans;
        FailedSubject {
            observation: Observation { orphans, ..plain(at, self.outcome.clone()) },
            stderr: Text::from(self.message.as_str()),
        }
    }
}

fn plain(at: Place, outcome: Outcome) -> Observation {
    let Place { benchmark, block } = at;
    Observation {
        outcome,
        ..Observation::new(
            benchmark,
            Phase::Measured,
            Coordinates { node: None, block: Some(block), turn: Some(0), at_ns: None },
            Vec::new(),
        )
    }
}

/// The disagreement of a metric of the suite's own with one before it of its name.
fn disagreement(known: &Metric, metric: &Metric) -> Option<String> {
    let name = &metric.name;
    let (before, here) = (known.unit.symbol(), metric.unit.symbol());
    if known.unit.base() != metric.unit.base() {
        return Some(format!(
            "its metric {name} is in {here}, the one before in {before}: it is left out, give it \
             another name"
        ));
    }
    (known.direction != metric.direction).then(|| {
        format!("its metric {name} says another direction than the one before, which counts")
    })
}

fn metric_of(line: &MetricLine, kind: Kind) -> Metric {
    Metric {
        direction: match line.direction.as_str() {
            "lower" => Direction::Lower,
            "higher" => Direction::Higher,
            _ => Direction::Neither,
        },
        kind,
        ..Metric::new(line.name.clone(), &line.unit)
    }
}
