//! An executor of commands that are harnesses: one execution at a time, and its results after it.

use std::collections::HashSet;
use std::ops::ControlFlow;

use etalon_core::model::{Note, Observation, Outcome, Phase};
use etalon_core::plan::Stage;
use etalon_probe::clock;
use etalon_record::foreign::harness::live::{Execution, Live};

use super::output::ResultsSpec;
use crate::error::RunError;
use crate::executor::{Batch, Executed, Executor, Flow};
use crate::experiment::{Experiment, Resumed};
use crate::monitor::Monitor;
use crate::record::Records;
use crate::state::{FailedSubject, Started};

/// An executor whose subjects are harnesses.
#[derive(Debug)]
pub struct WithResults<E> {
    executor: E,
    spec: ResultsSpec,
    live: Live,
    started_ns: u64,
    /// Remarks that were made already, with their subjects.
    said: HashSet<(usize, String)>,
}

impl<E: Executor> WithResults<E> {
    /// Around this executor, whose subjects are executed one by one.
    #[must_use]
    pub fn new(executor: E, spec: ResultsSpec) -> WithResults<E> {
        let live = Live::new(&[], &[]);
        WithResults { executor, spec, live, started_ns: 0, said: HashSet::new() }
    }

    /// Executes a subject once, and records what it measured.
    fn execute_one(
        &mut self,
        subject: usize,
        batch: &Batch,
        monitor: &mut Monitor<'_>,
    ) -> Result<Executed, RunError> {
        let trouble = |why| RunError::Results { subject: monitor.experiment.label(subject), why };
        let before = self.spec.before(subject).map_err(trouble)?;
        let at_ns = clock::now_ns().saturating_sub(self.started_ns);
        let rows = monitor.records.rows()?;
        let executed = self.executor.execute(batch, monitor)?;
        let Some(outcome) = monitor.records.ended(rows)? else { return Ok(executed) };
        let taken = self.spec.taken(subject, &before);
        let is_first = self.live.known(subject) == 0 && batch.phase == Phase::Measured;
        if let Ok(results) = &taken {
            for remark in &results.remarks {
                let about = if remark.about.is_empty() { "results" } else { &remark.about };
                self.say(subject, format!("{about}: {}", remark.text), monitor)?;
            }
        }
        let taken = taken.map_err(|why| match outcome {
            Outcome::Ok => why,
            _ => format!("the execution did not end well, and {why}"),
        });
        if let Err(why) = &taken {
            // Of an execution that failed its own outcome tells, and ends the first block.
            if is_first && outcome == Outcome::Ok {
                let subject = monitor.experiment.label(subject);
                return Err(RunError::Results { subject, why: why.clone() });
            }
            self.say(subject, why.clone(), monitor)?;
        }
        let execution = Execution {
            subject,
            phase: batch.phase,
            block: batch.first,
            at_ns,
            results: taken.as_ref().map_err(String::as_str),
        };
        let live = &mut self.live;
        monitor.records.lines(|lines| live.add(&execution, lines), |_| {})?;
        Ok(executed)
    }

    /// Appends a remark on a subject, once.
    fn say(&mut self, subject: usize, text: String, monitor: &Monitor<'_>) -> Result<(), RunError> {
        if !self.said.insert((subject, text.clone())) {
            return Ok(());
        }
        monitor.records.note(&Note::new(monitor.experiment.label(subject), text))
    }
}

impl<E: Executor> Executor for WithResults<E> {
    fn begin(
        &mut self,
        experiment: &Experiment,
        records: &Records<'_>,
        started_ns: u64,
    ) -> Result<(), RunError> {
        self.started_ns = started_ns;
        let subjects = &experiment.benchmarks;
        self.live = match &experiment.resumed {
            None => Live::new(subjects, &experiment.metrics),
            Some(Resumed { record, .. }) => {
                let later = record.benchmarks.get(subjects.len()..).unwrap_or_default();
                Live::new(subjects, &record.metrics).with(later)
            }
        };
        self.executor.begin(experiment, records, started_ns)
    }

    fn start(
        &mut self,
        experiment: &Experiment,
        records: &Records<'_>,
        started_ns: u64,
    ) -> Result<Started, RunError> {
        self.executor.start(experiment, records, started_ns)
    }

    fn now_ns(&self) -> u64 {
        self.executor.now_ns()
    }

    /// One: the results of an execution are read before the next one.
    fn batch_size(&self, _: &Stage) -> u32 {
        1
    }

    fn set_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.executor.set_up(stage, monitor)
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        let order = batch.orders.first().cloned().unwrap_or_default();
        let mut given_up = Vec::new();
        for (nth, &subject) in order.iter().enumerate() {
            let one = Batch {
                orders: vec![vec![subject]],
                // A block that was begun is ended.
                deadline_ns: batch.deadline_ns.filter(|_| nth == 0),
                ..batch.clone()
            };
            let executed = self.execute_one(subject, &one, monitor)?;
            given_up.extend(executed.given_up);
            if executed.flow.is_break() {
                return Ok(Executed { blocks: 0, given_up, flow: executed.flow });
            }
        }
        Ok(Executed { blocks: 1, given_up, flow: ControlFlow::Continue(()) })
    }

    fn clean_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.executor.clean_up(stage, monitor)
    }

    fn put_away(&mut self, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.executor.put_away(monitor)
    }

    fn end(&mut self) {
        self.executor.end();
    }

    fn known_failures(&self) -> Vec<FailedSubject> {
        self.executor.known_failures()
    }

    fn gives_up(&self, outcome: &Outcome, first_block: bool) -> bool {
        self.executor.gives_up(outcome, first_block)
    }

    fn completes(&self, observation: &Observation) -> bool {
        self.executor.completes(observation)
    }
}
