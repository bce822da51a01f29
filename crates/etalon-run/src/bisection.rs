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
use etalon_core::metrics;
use etalon_core::model::{Coordinates, NotStarted, Observation, Outcome, Phase};
use etalon_core::plan::{Stage, Stream};
use etalon_core::run_set::StoppedBy;
use etalon_record::Text;

use crate::commands::counts::{CountSpec, Countable, Ended, Task, record as record_count};
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
    ///
    /// # Errors
    /// If it cannot go on.
    fn told(&mut self, found: &mut Bisected, seconds: f64) -> Result<Option<String>, RunError>;
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

/// Counts a subject's work once.
type Count<E> = Box<dyn Fn(&E, usize, &mut Monitor<'_>) -> Result<Ended, RunError>>;

/// An executor whose subjects are builds of commits.
pub struct Bisecting<E> {
    executor: E,
    /// How commits are counted, and the means as the record has them, where they are searched by counts.
    count: Option<(Count<E>, String)>,
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
        Bisecting { executor, count: None, commits, found, ready: BTreeSet::new(), began_ns }
    }

    /// Commits are searched by counts of their work from now on, where there are means to count.
    #[must_use]
    pub fn counting(self, spec: Option<CountSpec>) -> Bisecting<E>
    where
        E: Countable,
    {
        let count = spec.map(|spec| {
            let means = spec.means();
            let count: Count<E> = Box::new(move |executor, subject, monitor| {
                let calls = executor.calls(subject, &[subject]);
                executor.count(Task { spec: &spec, subject, calls }, monitor)
            });
            (count, means)
        });
        Bisecting { count, ..self }
    }

    /// Reads what is new in the record.
    fn read(&mut self, monitor: &mut Monitor<'_>) -> Result<(), RunError> {
        self.found.read(&*monitor.records.read()?);
        #[allow(clippy::cast_precision_loss)] // seconds
        let seconds = self.executor.now_ns().saturating_sub(self.began_ns) as f64 / 1e9;
        if let Some(said) = self.commits.told(&mut self.found, seconds)? {
            monitor.watcher.remark(&said);
        }
        Ok(())
    }

    /// The next block, whose builds are ready; or why there is none.
    fn next(
        &mut self,
        monitor: &mut Monitor<'_>,
    ) -> Result<ControlFlow<Stop, Vec<Member>>, RunError> {
        let stopped = |by| Ok(ControlFlow::Break(Stop { by, failure: None }));
        loop {
            let wanted = match self.found.step() {
                Step::Over(_) => return stopped(StoppedBy::Decided),
                Step::Count(commit) => vec![(commit, 0)],
                Step::Block(members) => members,
            };
            let supplied = match wanted.iter().find(|member| !self.ready.contains(*member)) {
                Some(&member) => {
                    let supplied = self.commits.ready(member, &mut || monitor.interrupted())?;
                    if matches!(supplied, Supplied::Ready) {
                        self.ready.insert(member);
                        continue;
                    }
                    (member, supplied)
                }
                None if matches!(self.found.step(), Step::Count(_)) => {
                    (wanted[0], self.counted(wanted[0], monitor)?)
                }
                None => return Ok(ControlFlow::Continue(wanted)),
            };
            match supplied {
                (_, Supplied::Ready) => self.read(monitor)?,
                (member, Supplied::Lacking { why, said }) => {
                    self.lacks(member, (why, &said), monitor)?;
                }
                (_, Supplied::Interrupted) => {
                    monitor.was_interrupted = true;
                    return stopped(StoppedBy::Interrupt);
                }
            }
        }
    }

    /// Counts the work of a build, and records it.
    fn counted(&mut self, member: Member, monitor: &mut Monitor<'_>) -> Result<Supplied, RunError> {
        let subject = self.subject(member);
        let lacking =
            |why| Supplied::Lacking { why: NotStarted::NoResult(why), said: Text::default() };
        let Some((count, _)) = &self.count else { return Ok(lacking("not counted".to_owned())) };
        Ok(match count(&self.executor, subject, monitor)? {
            Ended::Counted(count) => {
                record_count((subject, None), count.total, monitor)?;
                Supplied::Ready
            }
            Ended::Not(why) => lacking(format!("not counted: {why}")),
            Ended::Interrupted => Supplied::Interrupted,
        })
    }

    /// Records that a build cannot be measured.
    fn lacks(
        &mut self,
        member: Member,
        (why, said): (NotStarted, &Text),
        monitor: &mut Monitor<'_>,
    ) -> Result<(), RunError> {
        let (benchmark, outcome) = (self.subject(member), Outcome::NotStarted { why });
        let at = Coordinates::default();
        let nothing = Observation::new(benchmark, Phase::Measured, at, Vec::new());
        monitor.records.observation(&Observation { outcome, ..nothing }, Some(said))?;
        self.read(monitor)
    }

    /// A commit whose harness wrote no results is left out, as one that does not build. Of an end it is an error.
    fn without_results(
        &mut self,
        members: &[Member],
        error: RunError,
        monitor: &mut Monitor<'_>,
    ) -> Result<Executed, RunError> {
        let RunError::Results { subject, why } = &error else { return Err(error) };
        let last = self.found.course().rules().last;
        let is_it = |it: &&Member| {
            ![0, last].contains(&it.0) && monitor.experiment.label(self.subject(**it)) == *subject
        };
        let Some(&member) = members.iter().find(is_it) else { return Err(error) };
        let why = NotStarted::NoResult(why.clone());
        self.lacks(member, (why, &Text::default()), monitor)?;
        Ok(Executed { blocks: 1, given_up: Vec::new(), flow: ControlFlow::Continue(()) })
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
        let mut started = self.executor.start(experiment, records, started_ns)?;
        let means =
            self.count.iter().map(|(_, means)| (metrics::COUNTED_BY.to_owned(), means.clone()));
        started.facts.extend(means);
        Ok(started)
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
        let subjects = members.iter().map(|member| self.subject(*member)).collect();
        let order = monitor.plan.block(&Stage { subjects }, Stream::Measured, batch.first);
        // What fails is left out by the course.
        let block = Batch { orders: vec![order], first_of_stage: false, ..batch.clone() };
        let executed = match self.executor.execute(&block, monitor) {
            Err(error) => return self.without_results(&members, error, monitor),
            Ok(executed) => executed,
        };
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
