//! Metrics and benchmarks that workers name as they come, each for itself: their numbers in the one record.
//!
//! Owns that what several workers name alike is one, and what is to be written before it is used. Refuses metrics that
//! are alike in name alone.

use std::collections::HashMap;

use etalon_core::model::Metric;
use etalon_record::raw::write;

use crate::experiment::{Experiment, Naming};

/// The names of a record so far.
#[derive(Debug, Default)]
pub(super) struct Register {
    /// Those of the experiment, then what workers have added.
    metrics: Vec<Metric>,
    /// The lines of benchmarks that workers have named, with their numbers in the record.
    benchmarks: HashMap<Vec<u8>, usize>,
    /// How many benchmarks the record has that are subjects.
    subjects: usize,
    /// Whether workers may name benchmarks.
    is_open: bool,
    /// Lines that the record does not have yet.
    unwritten: Vec<u8>,
}

impl Register {
    /// The names that the record of an experiment has before the first answer.
    pub(super) fn new(experiment: &Experiment) -> Register {
        let is_open = experiment.naming != Naming::Subjects;
        let subjects = match experiment.naming {
            Naming::Subjects | Naming::Behind(_) => experiment.benchmarks.len(),
            Naming::Harness(_) => 0,
        };
        let before = experiment.resumed.as_ref().map(|resumed| &resumed.record);
        let metrics = before.map_or(&experiment.metrics, |record| &record.metrics).clone();
        let mut register = Register { metrics, subjects, is_open, ..Register::default() };
        let later = before.and_then(|record| record.benchmarks.get(subjects..));
        for line in later.unwrap_or_default() {
            let mut bytes = Vec::new();
            write::benchmark(&mut bytes, line);
            register.benchmarks.insert(bytes, register.count());
        }
        register
    }

    pub(super) fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    fn count(&self) -> usize {
        self.subjects + self.benchmarks.len()
    }

    /// The numbers of what a worker has named that has named nothing yet.
    pub(super) fn first_numbers(&self) -> Vec<usize> {
        (0..self.subjects).collect()
    }

    /// Takes a metric with its line.
    ///
    /// # Errors
    /// In words, if there is another one of its name.
    pub(super) fn metric(&mut self, metric: &Metric, line: &[u8]) -> Result<(), String> {
        match self.metrics.iter().find(|known| known.name == metric.name) {
            None => {
                self.metrics.push(metric.clone());
                self.write(line);
                Ok(())
            }
            Some(known) if known.unit == metric.unit => Ok(()),
            Some(known) => {
                let (name, here, there) = (&metric.name, &metric.unit, &known.unit);
                let (here, there) = (here.symbol(), there.symbol());
                Err(format!("its metric {name} is in {here}, and in {there} elsewhere"))
            }
        }
    }

    /// Takes the line of a benchmark: its number in the record. Nothing where workers name none.
    pub(super) fn benchmark(&mut self, line: &[u8]) -> Option<usize> {
        if !self.is_open {
            return None;
        }
        let mut bytes = line.to_vec();
        bytes.push(b'\n');
        let next = self.count();
        if let Some(known) = self.benchmarks.get(&bytes) {
            return Some(*known);
        }
        self.write(line);
        self.benchmarks.insert(bytes, next);
        Some(next)
    }

    fn write(&mut self, line: &[u8]) {
        self.unwritten.extend_from_slice(line);
        self.unwritten.push(b'\n');
    }

    /// The lines of what was named since this was called last; nothing where nothing was.
    pub(super) fn unwritten(&mut self) -> Option<Vec<u8>> {
        Some(std::mem::take(&mut self.unwritten)).filter(|lines| !lines.is_empty())
    }
}
