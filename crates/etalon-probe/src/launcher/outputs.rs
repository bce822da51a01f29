//! Where observations go: the record, and a second file if one was asked for.
//!
//! Owns: turning an observation into a line and appending it to files that etalon has opened, the
//! record first. Refuses: to go on after a failed write. The lines, and the promise that only whole
//! ones stay in a file, are etalon-record's.

use std::fs::File;
use std::path::Path;

use etalon_core::model::{Direction, Kind, Metric, Observation};
use etalon_core::units::Unit;
use etalon_record::raw::write;
use etalon_record::rows::{Row, row};
use etalon_record::sink::append;
use etalon_record::{BenchmarkLine, Text};

use super::metrics::metrics;
use super::protocol::{Appended, Cgroup, Counters, Over};
use super::wire::Wire;

/// The open files, and what their lines need.
pub(super) struct Outputs {
    record: Target,
    second: Option<(Target, Lines)>,
    metrics: Vec<Metric>,
    line: Vec<u8>,
    appended: Appended,
}

struct Target {
    file: File,
    path: Text,
}

/// The kind of the second file's lines.
enum Lines {
    /// The record's.
    Record,
    /// BestGuess's columns, which name the benchmark.
    Rows(Vec<BenchmarkLine>),
}

impl Outputs {
    /// To these open files, which the wire names.
    pub(super) fn new(wire: &Wire, record: File, second: Option<File>) -> Outputs {
        let second = second.zip(wire.second.clone()).map(|(file, path)| {
            let lines = wire.rows.clone().map_or(Lines::Record, Lines::Rows);
            (Target { file, path }, lines)
        });
        Outputs {
            record: Target { file: record, path: wire.record.clone() },
            second,
            metrics: metrics_named(&wire.setup.metrics),
            line: Vec::with_capacity(1024),
            appended: Appended::default(),
        }
    }

    /// Records an observation; `stderr` is what is kept of what it said if it failed.
    pub(super) fn append(&mut self, observation: &Observation, stderr: &Text) -> Result<(), Over> {
        self.format(observation, stderr);
        self.record.append(&self.line)?;
        self.appended.record += self.line.len() as u64;
        let Some((target, lines)) = &self.second else { return Ok(()) };
        if let Lines::Rows(benchmarks) = lines {
            self.line.clear();
            let metrics = &self.metrics;
            if let Some(benchmark) = benchmarks.get(observation.benchmark) {
                row(&mut self.line, &Row { benchmark, observation, metrics });
            }
        }
        target.append(&self.line)?;
        self.appended.second += self.line.len() as u64;
        Ok(())
    }

    /// Takes the count of bytes that were appended since this was asked last.
    pub(super) fn take_appended(&mut self) -> Appended {
        std::mem::take(&mut self.appended)
    }

    /// Everything that [`Outputs::append`] does with the record's line, but writes nothing.
    pub(super) fn rehearse(&mut self, observation: &Observation) {
        self.format(observation, &Text::default());
        self.line.clear();
        let _wrote_nothing = self.record.append(&self.line);
    }

    /// Makes the record's line.
    fn format(&mut self, observation: &Observation, stderr: &Text) {
        let stderr = (!stderr.as_bytes().is_empty()).then_some(stderr);
        self.line.clear();
        write::observation(&mut self.line, observation, &self.metrics, stderr);
    }
}

impl Target {
    fn append(&self, line: &[u8]) -> Result<(), Over> {
        append(&self.file, line, Path::new(self.path.as_os_str())).map_err(|error| {
            Over::WriteFailed { path: self.path.clone(), why: error.why, safe: error.safe }
        })
    }
}

/// The run set's metrics by name: the launcher's own with their units; the others are never
/// recorded here and only keep their place.
fn metrics_named(names: &[String]) -> Vec<Metric> {
    let own = metrics(None, Counters::On, Cgroup::On);
    let foreign = |name: &String| Metric {
        name: name.clone(),
        unit: Unit::new("count"),
        direction: Direction::Neither,
        kind: Kind::Noisy,
        resolution: None,
        per: etalon_core::model::Per::Observation,
    };
    let named = |name: &String| own.iter().find(|metric| metric.name == *name).cloned();
    names.iter().map(|name| named(name).unwrap_or_else(|| foreign(name))).collect()
}
