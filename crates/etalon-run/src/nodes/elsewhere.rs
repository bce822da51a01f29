//! An executor that is at work on other machines, seen from here.
//!
//! Owns what is known of subjects without executing them, which the executor says that would do it here. Refuses to start
//! that one.

use etalon_core::model::{Observation, Outcome};
use etalon_core::plan::Stage;

use super::collector::Collector;
use crate::error::RunError;
use crate::executor::{Batch, Executed, Executor, Flow};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::Records;
use crate::state::{FailedSubject, Started};

/// Executes on nodes what another executor would execute here.
pub struct Elsewhere<'a> {
    collector: Collector,
    own: Box<dyn Executor + 'a>,
}

impl<'a> Elsewhere<'a> {
    /// In place of this executor, which is not started.
    #[must_use]
    pub fn new(collector: Collector, own: Box<dyn Executor + 'a>) -> Elsewhere<'a> {
        Elsewhere { collector, own }
    }
}

impl Executor for Elsewhere<'_> {
    fn start(
        &mut self,
        experiment: &Experiment,
        records: &Records<'_>,
        started_ns: u64,
    ) -> Result<Started, RunError> {
        let started = self.collector.start(experiment, records, started_ns)?;
        Ok(Started { failed: self.own.known_failures(), ..started })
    }

    fn batch_size(&self, stage: &Stage) -> u32 {
        self.collector.batch_size(stage)
    }

    fn set_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.collector.set_up(stage, monitor)
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        self.collector.execute(batch, monitor)
    }

    fn clean_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.collector.clean_up(stage, monitor)
    }

    fn put_away(&mut self, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.collector.put_away(monitor)
    }

    fn end(&mut self) {
        self.collector.end();
        self.own.end();
    }

    fn known_failures(&self) -> Vec<FailedSubject> {
        self.own.known_failures()
    }

    fn gives_up(&self, outcome: &Outcome, first_block: bool) -> bool {
        self.own.gives_up(outcome, first_block)
    }

    fn completes(&self, observation: &Observation) -> bool {
        self.own.completes(observation)
    }
}
