//! Counts of work: instructions of whole commands and of calls of functions, in executions of their own after those that
//! are timed.
//!
//! Owns when and how often a subject is counted, and what is fixed about it: its seeds, and on two sides of a project the
//! path that it is executed at. How one is executed and counted is its executor's ([`Countable`]). Refuses to judge counts;
//! `core::compare` does.

mod cachegrind;
mod commands;
mod remarks;
mod slot;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use etalon_core::compare::COUNTS_NEEDED;
use etalon_core::metrics;
use etalon_core::model::{
    Coordinates, Kind, Metric, Note, Number, Observation, Outcome, Per, Phase,
};
use etalon_core::plan::Stage;
use etalon_probe::launcher::protocol::Refusal;
use etalon_record::Text;

use crate::error::RunError;
use crate::executor::{Batch, Executed, Executor, Flow, Stop};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::Records;
use crate::sides::Scratch;
use crate::state::{FailedSubject, Started};

pub use cachegrind::{Count, Valgrind};
use remarks::{differ, remark};
pub(crate) use slot::{Slot, fix_seeds};

/// Counts a side before it is known whether more are needed.
const FIRST: usize = 2;

/// An execution under Valgrind may take so many times as long as one that is timed.
pub(crate) const LONGER: u64 = 200;

/// The seeds of programs whose work is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seeds {
    /// Time, entropy and Python's hashes are the same in every execution.
    Fixed,
    /// As they are.
    Raw,
}

/// The means of counting.
#[derive(Debug)]
pub enum Tool {
    /// Valgrind's Cachegrind.
    Cachegrind(Valgrind),
    /// The CPU's own counter, of what programs execute themselves.
    Perf,
}

/// The subjects that are counted, and the tool.
#[derive(Debug)]
pub struct CountSpec {
    /// The tool.
    pub tool: Tool,
    /// Its files, and what programs are given.
    pub room: Scratch,
    /// Whether seeds are fixed.
    pub seeds: Seeds,
    /// The share that counts may differ by and be the same.
    pub margin: f64,
    /// Subjects that are compared with each other, in the order in which they are compared.
    pub groups: Vec<Vec<usize>>,
    /// By subject, the top of the copy that it is executed in, where it is of a side.
    pub roots: Vec<Option<PathBuf>>,
}

impl CountSpec {
    /// The metric that counts of commands are of.
    #[must_use]
    pub fn metric() -> Metric {
        Metric { kind: Kind::Exact, ..Metric::new(metrics::INSTRUCTIONS, "count") }
    }

    /// The metric that counts of calls are of.
    #[must_use]
    pub fn metric_of_calls() -> Metric {
        Metric { per: Per::Iteration, ..CountSpec::metric() }
    }

    /// The means, with what two counts have to have in common to be compared.
    fn means(&self) -> String {
        let seeds = match self.seeds {
            Seeds::Fixed => "seeds fixed",
            Seeds::Raw => "seeds as they are",
        };
        match &self.tool {
            Tool::Cachegrind(valgrind) => format!("cachegrind of {}, {seeds}", valgrind.version),
            Tool::Perf => format!("perf's instructions:u, {seeds}"),
        }
    }

    /// The place of a subject's side, with room for what an execution leaves.
    pub(crate) fn placed(&self, subject: usize) -> Result<Slot<'_>, RunError> {
        let room = &self.room.path;
        let slot = Slot::new(room, self.roots.get(subject).and_then(Option::as_deref));
        let placed = cachegrind::clear(room).and_then(|()| slot.place());
        placed.map(|()| slot).map_err(|error| self.refused(&error))
    }

    /// The words in front of those that a program is called with; none where the CPU counts.
    pub(crate) fn words(&self) -> Vec<OsString> {
        match &self.tool {
            Tool::Cachegrind(valgrind) => valgrind.words(&self.room.path),
            Tool::Perf => Vec::new(),
        }
    }

    /// The count that an execution has left.
    pub(crate) fn left(&self) -> Result<Option<Count>, RunError> {
        cachegrind::read(&self.room.path).map_err(|error| self.refused(&error))
    }

    /// Why an execution has no count: how it ended, with the first line that the tool has said of it, or it itself.
    pub(crate) fn without_count(&self, ended: &str, stderr: &str) -> String {
        let said = cachegrind::said(&self.room.path);
        let lines = stderr.lines().map(|line| cachegrind::own(line).to_owned());
        let first = said.into_iter().chain(lines).find(|line| !line.trim().is_empty());
        let first = first.map_or_else(String::new, |line| format!(": {line}"));
        match self.tool {
            Tool::Cachegrind(_) => format!("under valgrind it {ended}{first}"),
            Tool::Perf => format!("it {ended}{first}"),
        }
    }

    /// The error of something in the room.
    pub(crate) fn refused(&self, error: &io::Error) -> RunError {
        let subject = Text::from(self.room.path.as_os_str());
        RunError::Refused(Refusal { subject, why: error.to_string() })
    }
}

/// The work of one subject that is to be counted once.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    pub(crate) spec: &'a CountSpec,
    pub(crate) subject: usize,
    /// Calls that are counted, where it is called.
    pub(crate) calls: Option<u64>,
}

/// An executor whose subjects can be counted.
pub trait Countable: Executor {
    /// How many calls of a subject are counted together, where it is called; as many of all in its group that differ from it
    /// only in where they are executed.
    fn calls(&self, subject: usize, group: &[usize]) -> Option<u64>;

    /// The program that a subject is executed by.
    fn program(&self, subject: usize) -> Option<PathBuf>;

    /// Counts the work of a subject once.
    ///
    /// # Errors
    /// If it cannot go on.
    fn count(&self, task: Task<'_>, monitor: &mut Monitor<'_>) -> Result<Ended, RunError>;
}

/// The end of an execution that was to be counted.
#[derive(Debug)]
pub enum Ended {
    /// With a count.
    Counted(Count),
    /// Without one, and why.
    Not(String),
    /// The user does not want to wait.
    Interrupted,
}

/// Subjects whose work is counted when they were timed.
#[derive(Debug)]
pub struct Counted<E> {
    executor: E,
    /// Nothing where only time is measured.
    spec: Option<CountSpec>,
    /// Subjects that are left out, because they could not be executed.
    given_up: BTreeSet<usize>,
    /// Subjects that were counted: one may be in several stages.
    done: BTreeSet<usize>,
    /// Whether something ended the stage before its blocks were executed.
    is_cut: bool,
}

impl<E: Countable> Counted<E> {
    /// Around an executor; the executor itself without anything to count.
    pub fn new(executor: E, spec: Option<CountSpec>) -> Counted<E> {
        let (given_up, done) = (BTreeSet::new(), BTreeSet::new());
        Counted { executor, spec, given_up, done, is_cut: false }
    }
}

impl<E: Countable> Executor for Counted<E> {
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
        let means = self.spec.iter().map(|spec| (metrics::COUNTED_BY.to_owned(), spec.means()));
        started.facts.extend(means);
        Ok(started)
    }

    fn now_ns(&self) -> u64 {
        self.executor.now_ns()
    }

    fn batch_size(&self, stage: &Stage) -> u32 {
        self.executor.batch_size(stage)
    }

    fn set_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        let flow = self.executor.set_up(stage, monitor)?;
        self.is_cut = flow.is_break();
        Ok(flow)
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        let executed = self.executor.execute(batch, monitor)?;
        self.given_up.extend(&executed.given_up);
        let is_failure = |stop: &Stop| stop.failure.is_some();
        self.is_cut |= executed.flow.clone().break_value().as_ref().is_some_and(is_failure);
        Ok(executed)
    }

    /// Counts the work of a stage's subjects as long as what their hooks have set up is there.
    fn clean_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        let counted = match &self.spec {
            Some(spec) if !self.is_cut && !monitor.was_interrupted => {
                let is_left = |it: &usize| !self.given_up.contains(it) && !self.done.contains(it);
                let left: BTreeSet<usize> =
                    stage.subjects.iter().copied().filter(is_left).collect();
                let counting = Counting { spec, executor: &self.executor };
                let counted = counting.all(&left, monitor);
                self.done.extend(left);
                counted
            }
            _ => Ok(()),
        };
        let cleaned = self.executor.clean_up(stage, monitor);
        counted.and(cleaned)
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

/// Subjects, as they are executed.
struct Counting<'a, E> {
    spec: &'a CountSpec,
    executor: &'a E,
}

/// The counts of subjects.
type Counts = BTreeMap<usize, Vec<Count>>;

impl<E: Countable> Counting<'_, E> {
    /// Counts these, group by group.
    fn all(&self, subjects: &BTreeSet<usize>, monitor: &mut Monitor<'_>) -> Result<(), RunError> {
        for group in &self.spec.groups {
            let members = group.iter().filter(|it| subjects.contains(it));
            let members: Vec<usize> = members.copied().collect();
            let Some(counts) = self.in_rounds(&members, group, monitor)? else { return Ok(()) };
            remark(self.spec, self.executor, (&members, &counts), monitor)?;
        }
        Ok(())
    }

    /// The counts of each subject of a group, in rounds; nothing if the user did not want to wait.
    fn in_rounds(
        &self,
        members: &[usize],
        group: &[usize],
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<Counts>, RunError> {
        // Where they are executed one after the other, nobody knows yet whether others differ.
        let is_whole = members.len() == group.len();
        let mut counts = Counts::new();
        let mut left = members.to_vec();
        for round in 0..COUNTS_NEEDED {
            if round == FIRST && is_whole && !differ(&counts, self.spec.margin) {
                break;
            }
            for subject in left.clone() {
                let calls = self.executor.calls(subject, group);
                match self.executor.count(Task { spec: self.spec, subject, calls }, monitor)? {
                    Ended::Counted(count) => {
                        record((subject, calls), count.total, monitor)?;
                        counts.entry(subject).or_default().push(count);
                    }
                    Ended::Not(why) => {
                        let about = monitor.experiment.label(subject);
                        let text = format!("its instructions were not counted: {why}");
                        monitor.records.note(&Note::new(about, text))?;
                        left.retain(|it| *it != subject);
                    }
                    Ended::Interrupted => {
                        monitor.was_interrupted = true;
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some(counts))
    }
}

/// Appends a count to the record.
fn record(
    (subject, calls): (usize, Option<u64>),
    total: u64,
    monitor: &Monitor<'_>,
) -> Result<(), RunError> {
    let declared = &monitor.experiment.metrics;
    let metric = declared.iter().position(Metric::is_of_work).unwrap_or(declared.len());
    let at = Coordinates::default();
    let value = Number::Integer(i64::try_from(total).unwrap_or(i64::MAX));
    let counted = Observation::new(subject, Phase::Measured, at, vec![(metric, value)]);
    let iterations = calls.and_then(|calls| i64::try_from(calls).ok());
    monitor.records.counted(&Observation { iterations, ..counted })
}
