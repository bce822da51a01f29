//! The seam between the one loop and whatever it executes: an executor knows a kind of subject.
//!
//! The loop ([`crate::execute()`]) owns stages, order, looks, budgets, interruption and resuming. An executor
//! owns one kind of subject: how to start, how to execute blocks of them, how to put them away. A new kind is a
//! module that implements [`Executor`].

use std::ops::ControlFlow;

use etalon_core::model::{Observation, Outcome, Phase};
use etalon_core::plan::Stage;
use etalon_core::run_set::StoppedBy;
use etalon_probe::launcher::awake_ns;
use etalon_probe::launcher::protocol::Failure;

use crate::error::RunError;
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::Records;
use crate::state::{FailedSubject, Started};

/// One kind of subject. Subjects are the experiment's benchmarks, by index.
pub trait Executor {
    /// Has other processes get ready, which then do so while something else is done. `started_ns` on the
    /// monotonic clock is the origin of observations' times.
    ///
    /// # Errors
    /// As [`Executor::start`].
    fn begin(
        &mut self,
        _experiment: &Experiment,
        _records: &Records<'_>,
        _started_ns: u64,
    ) -> Result<(), RunError> {
        Ok(())
    }

    /// Gets ready; executes nothing of the experiment. The record is not begun yet: nothing may be written
    /// to it.
    ///
    /// # Errors
    /// If something that was asked for cannot be had: nothing is measured then.
    fn start(
        &mut self,
        experiment: &Experiment,
        records: &Records<'_>,
        started_ns: u64,
    ) -> Result<Started, RunError>;

    /// The clock that budgets are counted in, in ns.
    fn now_ns(&self) -> u64 {
        awake_ns()
    }

    /// How many blocks of a stage are handed over at once, at most.
    fn batch_size(&self, stage: &Stage) -> u32;

    /// Executes hooks once before the blocks of a stage.
    ///
    /// # Errors
    /// If it cannot go on; a failure of what was executed is a [`Stop`].
    fn set_up(&mut self, _: &Stage, _: &mut Monitor<'_>) -> Result<Flow, RunError> {
        Ok(Flow::Continue(()))
    }

    /// Executes blocks one after the other, and records every observation of them.
    ///
    /// # Errors
    /// If it cannot go on.
    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError>;

    /// Executes hooks once after the blocks of a stage, whatever came before: a failure, an interrupt.
    ///
    /// # Errors
    /// As [`Executor::set_up`].
    fn clean_up(&mut self, _: &Stage, _: &mut Monitor<'_>) -> Result<Flow, RunError> {
        Ok(Flow::Continue(()))
    }

    /// Ends what was there for all stages, whatever came before; the record still takes lines. A failure of what was
    /// executed is a [`Stop`].
    ///
    /// # Errors
    /// If it turns out that what was measured is not what was asked for.
    fn put_away(&mut self, _: &mut Monitor<'_>) -> Result<Flow, RunError> {
        Ok(Flow::Continue(()))
    }

    /// Nothing more will be executed: processes may end while the rest is done. [`Drop`] waits for them.
    fn end(&mut self) {}

    /// Subjects that are known not to work before anything is started.
    fn known_failures(&self) -> Vec<FailedSubject> {
        Vec::new()
    }

    /// Whether a subject whose execution ended like this is left out of all that follows;
    /// `first_block` says whether its stage had no whole block before.
    fn gives_up(&self, _outcome: &Outcome, _first_block: bool) -> bool {
        false
    }

    /// Whether an observation of the measured phase is the last of its subject in its block.
    fn completes(&self, _: &Observation) -> bool {
        true
    }
}

/// Blocks to execute.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// The phase that they are recorded as.
    pub phase: Phase,
    /// The number of the first; the others follow.
    pub first: u32,
    /// The subjects of each in their order.
    pub orders: Vec<Vec<usize>>,
    /// By block, how many bytes the environment is larger; empty if it stays as it is.
    pub padding: Vec<u32>,
    /// No block is begun after this time of [`Executor::now_ns`].
    pub deadline_ns: Option<u64>,
    /// Whether this stage has no measured block yet.
    pub first_of_stage: bool,
}

/// How blocks were executed.
#[derive(Debug)]
pub struct Executed {
    /// How many of them, as a whole.
    pub blocks: u32,
    /// Subjects that are left out of all that follows.
    pub given_up: Vec<usize>,
    /// Whether to go on.
    pub flow: Flow,
}

/// Whether to go on, or why not.
pub type Flow = ControlFlow<Stop>;

/// An end of blocks, a stage or an experiment before the number asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// Why it ended.
    pub by: StoppedBy,
    /// The failure, if that is why.
    pub failure: Option<Failure>,
}

impl Stop {
    /// A reason that is no failure, as a flow.
    pub fn by(by: StoppedBy) -> Flow {
        ControlFlow::Break(Stop { by, failure: None })
    }

    /// Something failed that ends the experiment.
    pub fn failed(failure: Failure) -> Flow {
        ControlFlow::Break(Stop { by: StoppedBy::Failure, failure: Some(failure) })
    }
}
