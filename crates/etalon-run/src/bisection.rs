//! The search for a commit around any executor: which builds of which commits a block holds follows from the blocks before.
//!
//! Subjects are builds of commits, those of a commit beside each other. What the loop would execute is of no account here:
//! every block is that of the course ([`etalon_core::bisect::Course`]), which is read from the record, so that one that was
//! cut short goes on where it was. Refuses to know how a commit is built.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::ControlFlow;

use etalon_core::analysis::Bisected;
use etalon_core::bisect::{Member, Step};
use etalon_core::model::{Coordinates, NotStarted, Observation, Outcome, Phase};
use etalon_core::plan::{Stage, Stream};
use etalon_core::run_set::StoppedBy;
use etalon_record::Text;

use crate::error::RunError;
use crate::executor::{Batch, Executed, Executor, Flow, Stop};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::Records;
use crate::state::{FailedSubject, Started};

/// Whoever has the commits.
pub trait Commits {
    /// Makes a build of a commit ready to be executed, both from 0; one that is ready stays.
    ///
    /// # Errors
    /// If it is nobody's fault but the machine's.
    fn ready(
        &mut self,
        member: Member,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Supplied, RunError>;

    /// A remark on a bisection as it stands now, if there is one to make; `seconds` were spent on it.
    fn told(&mut self, found: &mut Bisected, seconds: f64) -> Option<String>;
}

/// A build of a commit.
#[derive(Debug)]
pub enum Supplied {
    /// It can be executed.
    Ready,
    /// There is none.
    Lacking {
        /// Why.
        why: NotStarted,
        /// The last words of what failed.
        said: Text,
    },
    /// The user did not want to wait.
    Interrupted,
}

/// An executor whose subjects are builds of commits.
pub struct Bisecting<E> {
    executor: E,
    commits: Box<dyn Commits>,
    found: Bisected,
    ready: BTreeSet<Member>,
    /// On the executor's clock.
    began_ns: u64,
}

impl<E: Executor> Bisecting<E> {
    /// `found` is a bisection at its beginning.
    pub fn new(executor: E, commits: Box<dyn Commits>, found: Bisected) -> Bisecting<E> {
        let began_ns = executor.now_ns();
        Bisecting { executor, commits, found, ready: BTreeSet::new(), began_ns }
    }

    /// Reads what is new in the record.
    fn read(&mut self, monitor: &mut Monitor<'_>) -> Result<(), RunError> {
        self.found.read(&*monitor.records.read()?);
        #[allow(clippy::cast_precision_loss)] // seconds
        let seconds = self.executor.now_ns().saturating_sub(self.began_ns) as f64 / 1e9;
        if let Some(said) = self.commits.told(&mut self.found, seconds) {
            monitor.watcher.remark(&said);
        }
        Ok(())
    }

    /// The next block, whose builds are ready; or why there is none.
    fn next(
        &mut self,
        monitor: &mut Monitor<'_>,
    ) -> Result<ControlFlow<Stop, Vec<Member>>, RunError> {
        loop {
            let Step::Block(members) = self.found.step() else {
                return Ok(ControlFlow::Break(Stop { by: StoppedBy::Decided, failure: None }));
            };
            let new = members.iter().find(|member| !self.ready.contains(*member));
            let Some(&member) = new else { return Ok(ControlFlow::Continue(members)) };
            match self.commits.ready(member, &mut || monitor.interrupted())? {
                Supplied::Ready => {
                    self.ready.insert(member);
                }
                Supplied::Lacking { why, said } => {
                    let (benchmark, outcome) = (self.subject(member), Outcome::NotStarted { why });
                    let coordinates =
                        Coordinates { node: None, block: None, turn: None, at_ns: None };
                    let nothing =
                        Observation::new(benchmark, Phase::Measured, coordinates, Vec::new());
                    let observation = Observation { outcome, ..nothing };
                    monitor.records.observation(&observation, Some(&said))?;
                    self.read(monitor)?;
                }
                Supplied::Interrupted => {
                    monitor.was_interrupted = true;
                    return Ok(ControlFlow::Break(Stop {
                        by: StoppedBy::Interrupt,
                        failure: None,
                    }));
                }
            }
        }
    }

    fn subject(&self, (commit, build): Member) -> usize {
        commit * self.found.asked().builds + build
    }
}

impl<E: fmt::Debug> fmt::Debug for Bisecting<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = f.debug_struct("Bisecting");
        all.field("executor", &self.executor).field("found", &self.found).finish_non_exhaustive()
    }
}

impl<E: Executor> Executor for Bisecting<E> {
    fn begin(
        &mut self,
        experiment: &Experiment,
        records: &Records<'_>,
        started_ns: u64,
    ) -> Result<(), RunError> {
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

    /// The next block is not known before one is done.
    fn batch_size(&self, _: &Stage) -> u32 {
        1
    }

    fn set_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.executor.set_up(stage, monitor)
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        self.read(monitor)?;
        let members = match self.next(monitor)? {
            ControlFlow::Continue(members) => members,
            ControlFlow::Break(stop) => {
                let flow = ControlFlow::Break(stop);
                return Ok(Executed { blocks: 0, given_up: Vec::new(), flow });
            }
        };
        let subjects = members.into_iter().map(|member| self.subject(member)).collect();
        let order = monitor.plan.block(&Stage { subjects }, Stream::Measured, batch.first);
        // What fails is left out by the course.
        let block = Batch { orders: vec![order], first_of_stage: false, ..batch.clone() };
        let executed = self.executor.execute(&block, monitor)?;
        self.read(monitor)?;
        Ok(Executed { given_up: Vec::new(), ..executed })
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

    fn completes(&self, observation: &Observation) -> bool {
        self.executor.completes(observation)
    }
}
