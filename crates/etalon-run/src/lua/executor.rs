//! The executor of Lua cases: a block at a time, in fresh processes ([`super::block`]).

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::Duration;

use etalon_core::model::{Metric, Observation, Outcome};
use etalon_core::plan::Stage;
use etalon_lua::{Host, Limits};

use super::cases::LuaCase;
use super::lines::Lines;
use crate::error::RunError;
use crate::executor::{Batch, Executed, Executor, Flow, Started};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::Records;

/// How cases are executed.
#[derive(Debug)]
pub struct CaseSetup {
    /// The cases, one per subject.
    pub cases: Vec<LuaCase>,
    /// Seconds per case that a block's share is taken of.
    pub budget: f64,
    /// How workers are started.
    pub host: Host,
    /// What they may use.
    pub limits: Limits,
    /// The longest that loading, hooks or a sample may take.
    pub timeout: Duration,
}

/// What the time of a case went into in a stage, in ns, its warm-up aside.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    /// Loading its file, and hooks before its first call.
    pub(super) before: f64,
    /// Samples.
    pub(super) samples: f64,
}

/// Executes cases of Lua suites.
#[derive(Debug)]
pub struct LuaCases {
    pub(super) setup: CaseSetup,
    /// `CLOCK_MONOTONIC` at the start of the run set.
    pub(super) started_ns: u64,
    /// The record's metrics, which suites may add to.
    metrics: RefCell<Vec<Metric>>,
    /// What the time of each case went into.
    pub(super) spent: Vec<Spent>,
}

impl LuaCases {
    /// Nothing is started yet.
    #[must_use]
    pub fn new(setup: CaseSetup) -> LuaCases {
        let spent = vec![Spent::default(); setup.cases.len()];
        LuaCases { setup, started_ns: 0, metrics: RefCell::default(), spent }
    }

    /// The record under way.
    pub(super) fn lines<'s, 'a: 's>(&'s self, monitor: &Monitor<'a>) -> Lines<'s> {
        let Monitor { records, experiment, .. } = *monitor;
        Lines { records, experiment, metrics: &self.metrics }
    }
}

impl Executor for LuaCases {
    fn start(
        &mut self,
        experiment: &Experiment,
        _: &Records<'_>,
        started_ns: u64,
    ) -> Result<Started, RunError> {
        self.started_ns = started_ns;
        self.metrics = RefCell::new(experiment.metrics.clone());
        let failed = |(index, case): (usize, &LuaCase)| {
            case.failure.as_ref().map(|failure| failure.observation(index, 0))
        };
        let failed = self.setup.cases.iter().enumerate().filter_map(failed).collect();
        Ok(Started { failed, ..Started::default() })
    }

    /// One: etalon has part in every turn, so there is nothing to run ahead of.
    fn batch_size(&self, _: &Stage) -> u32 {
        1
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        self.block(batch, monitor)
    }

    /// Says which cases spent more on getting ready than on samples.
    fn clean_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        for &case in &stage.subjects {
            let spent = std::mem::take(&mut self.spent[case]);
            if spent.before > spent.samples {
                self.lines(monitor).note(
                    case,
                    "loading the file and its hooks took more time than the samples; --budget TIME \
                     changes how many a process takes",
                )?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// In the first block of a stage, or when it never ended, there is no point in trying again.
    fn gives_up(&self, outcome: &Outcome, first_block: bool) -> bool {
        *outcome != Outcome::Ok && (first_block || *outcome == Outcome::TimedOut)
    }

    /// A case ends with a reading that is of no turn, or does not get there.
    fn completes(&self, observation: &Observation) -> bool {
        observation.coordinates.turn.is_none() || observation.outcome != Outcome::Ok
    }
}
