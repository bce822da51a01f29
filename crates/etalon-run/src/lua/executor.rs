//! The executor of Lua cases: a block at a time, in fresh processes ([`super::block`]).

use std::cell::RefCell;
use std::time::Duration;

use etalon_core::model::{Metric, Observation, Outcome};
use etalon_core::plan::Stage;
use etalon_lua::Limits;
use etalon_probe::launcher::protocol::{Control, Extent, Hook};

use super::cases::LuaCase;
use super::hooks::{CaseHooks, HookRunner};
use super::lines::{Lines, Place};
use crate::error::RunError;
use crate::executor::{Batch, Executed, Executor, Flow};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::Records;
use crate::state::{FailedSubject, Started};

/// How cases are executed.
#[derive(Debug)]
pub struct CaseSetup {
    /// The cases, one per subject.
    pub cases: Vec<LuaCase>,
    /// Seconds per case that a block's share is taken of.
    pub budget: f64,
    /// The limits of workers.
    pub limits: Limits,
    /// The longest that loading, hooks or a sample may take.
    pub timeout: Duration,
    /// The conditions of workers and hooks.
    pub control: Control,
    /// Commands around them.
    pub hooks: CaseHooks,
}

/// The time that a case took in a stage, in ns, its warm-up aside.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    /// Loading its file, and hooks before its first call.
    pub(super) before: f64,
    /// Samples.
    pub(super) samples: f64,
    /// The calls of the last of these.
    pub(super) batch: u64,
}

/// Executes cases of Lua suites.
#[derive(Debug)]
pub struct LuaCases {
    pub(super) setup: CaseSetup,
    /// `CLOCK_MONOTONIC` at the start of the run set.
    pub(super) started_ns: u64,
    /// The record's metrics, which suites may add to.
    metrics: RefCell<Vec<Metric>>,
    /// The time of each case.
    pub(super) spent: Vec<Spent>,
    /// By case, how many calls a sample of its first process had.
    pub(super) batches: Vec<Option<u64>>,
    pub(super) hooks: HookRunner,
    /// The first case of the first stage, once that was begun.
    first: Option<usize>,
}

impl LuaCases {
    /// Nothing is started yet.
    #[must_use]
    pub fn new(setup: CaseSetup) -> LuaCases {
        let spent = vec![Spent::default(); setup.cases.len()];
        let hooks = HookRunner::default();
        let (first, batches) = (None, vec![None; setup.cases.len()]);
        let metrics = RefCell::default();
        LuaCases { setup, started_ns: 0, metrics, spent, batches, hooks, first }
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
        records: &Records<'_>,
        started_ns: u64,
    ) -> Result<Started, RunError> {
        self.started_ns = started_ns;
        self.metrics = RefCell::new(experiment.metrics.clone());
        let CaseSetup { hooks, control, timeout, .. } = &self.setup;
        let timeout_ns = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX);
        self.hooks = HookRunner::start(hooks, control, timeout_ns, records)?;
        Ok(Started { failed: self.known_failures(), ..Started::default() })
    }

    /// Cases whose suites could not be loaded.
    fn known_failures(&self) -> Vec<FailedSubject> {
        let failed = |(index, case): (usize, &LuaCase)| {
            let at = Place { benchmark: index, block: 0 };
            case.failure.as_ref().map(|failure| failure.recorded(at))
        };
        self.setup.cases.iter().enumerate().filter_map(failed).collect()
    }

    /// One: etalon has part in every turn, so there is nothing to run ahead of.
    fn batch_size(&self, _: &Stage) -> u32 {
        1
    }

    fn set_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        let is_first = self.first.is_none();
        self.first.get_or_insert(first_of(stage));
        if self.setup.hooks.around_all && !is_first {
            return Ok(Flow::Continue(()));
        }
        self.hooks.perform(Hook::Setup, first_of(stage), monitor)
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        self.block(batch, monitor)
    }

    /// Executes the cleanup, and says which cases spent more on getting ready than on samples.
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
        let cleaned = if self.setup.hooks.around_all {
            Flow::Continue(())
        } else {
            self.hooks.perform(Hook::Cleanup, first_of(stage), monitor)?
        };
        self.hooks.end(Extent::Stage, monitor)?;
        Ok(cleaned)
    }

    fn put_away(&mut self, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        let cleaned = match self.first.filter(|_| self.setup.hooks.around_all) {
            Some(first) => self.hooks.perform(Hook::Cleanup, first, monitor)?,
            None => Flow::Continue(()),
        };
        self.hooks.end(Extent::All, monitor)?;
        Ok(cleaned)
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

/// The case that the hooks of a stage are told with.
fn first_of(stage: &Stage) -> usize {
    stage.subjects.first().copied().unwrap_or(0)
}
