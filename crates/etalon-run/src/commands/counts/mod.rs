//! Counts of work: instructions of whole commands, in executions of their own after those that are timed.
//!
//! Owns when and how often a command is counted, and what is fixed about it: its seeds, and on two sides of a project the
//! path that it is executed at. Refuses to judge counts; `core::compare` does.

mod cachegrind;
mod slot;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use etalon_core::compare::COUNTS_NEEDED;
use etalon_core::metrics;
use etalon_core::model::{Coordinates, Kind, Metric, Note, Number, Observation, Outcome, Phase};
use etalon_core::plan::Stage;
use etalon_probe::launcher::protocol::{Failure, Over, Refusal};
use etalon_probe::{memory_file, travel};
use etalon_record::Text;

use super::once::Once;
use super::setup::CommandSetup;
use crate::error::{RunError, how};
use crate::executor::{Batch, Executed, Executor, Flow, Stop};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::Records;
use crate::sides::Scratch;
use crate::state::{FailedSubject, Started};

use cachegrind::Count;
pub use cachegrind::Valgrind;
use slot::Slot;

/// Counts a side before it is known whether more are needed.
const FIRST: usize = 2;

/// An execution under Valgrind may take so many times as long as one that is timed.
const LONGER: u64 = 200;

/// Functions that are named at most.
const NAMED: usize = 10;

/// The seeds of programs whose work is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seeds {
    /// Time, entropy and Python's hashes are the same in every execution.
    Fixed,
    /// As they are.
    Raw,
}

/// The commands that are counted, and the tool.
#[derive(Debug)]
pub struct CountSpec {
    /// The tool.
    pub valgrind: Valgrind,
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
    /// The metric that counts are of.
    #[must_use]
    pub fn metric() -> Metric {
        Metric { kind: Kind::Exact, ..Metric::new(metrics::INSTRUCTIONS, "count") }
    }

    /// The means, with what two counts have to have in common to be compared.
    fn means(&self) -> String {
        let seeds = match self.seeds {
            Seeds::Fixed => "seeds fixed",
            Seeds::Raw => "seeds as they are",
        };
        format!("cachegrind of {}, {seeds}", self.valgrind.version)
    }
}

/// Commands whose work is counted when they were timed.
#[derive(Debug)]
pub struct Counted<E> {
    executor: E,
    setup: CommandSetup,
    /// Nothing where only time is measured.
    spec: Option<CountSpec>,
    /// Subjects that are left out, because they could not be executed.
    given_up: BTreeSet<usize>,
    /// Whether something ended the stage before its blocks were executed.
    is_cut: bool,
}

impl<E: Executor> Counted<E> {
    /// Around an executor of the commands of a setup; the executor itself without anything to count.
    pub fn new(executor: E, setup: CommandSetup, spec: Option<CountSpec>) -> Counted<E> {
        Counted { executor, setup, spec, given_up: BTreeSet::new(), is_cut: false }
    }
}

impl<E: Executor> Executor for Counted<E> {
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

    /// Counts the work of a stage's commands as long as what their hooks have set up is there.
    fn clean_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        let spec = self.spec.as_ref().filter(|_| !self.is_cut && !monitor.was_interrupted);
        let counted = spec.map_or(Ok(()), |spec| self.count(spec, stage, monitor));
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

/// The end of an execution that was to be counted.
enum Ended {
    /// With a count.
    Counted(Count),
    /// Without one, and why.
    Not(String),
    /// The user does not want to wait.
    Interrupted,
}

impl<E: Executor> Counted<E> {
    fn count(
        &self,
        spec: &CountSpec,
        stage: &Stage,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), RunError> {
        let counting = Counting { spec, setup: &self.setup };
        let is_counted = |subject: &&usize| {
            stage.subjects.contains(*subject) && !self.given_up.contains(*subject)
        };
        for group in &spec.groups {
            let members: Vec<usize> = group.iter().filter(is_counted).copied().collect();
            // Where they are executed one after the other, nobody knows yet whether others differ.
            let is_whole = members.len() == group.len();
            let counts = counting.in_rounds(&members, is_whole, monitor)?;
            let Some(counts) = counts else { return Ok(()) };
            counting.remark(&members, &counts, monitor)?;
        }
        Ok(())
    }
}

/// The commands, as they are executed.
struct Counting<'a> {
    spec: &'a CountSpec,
    setup: &'a CommandSetup,
}

impl Counting<'_> {
    /// The counts of each subject of a group, in rounds; nothing if the user did not want to wait.
    fn in_rounds(
        &self,
        members: &[usize],
        is_whole: bool,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<BTreeMap<usize, Vec<Count>>>, RunError> {
        let mut counts: BTreeMap<usize, Vec<Count>> = BTreeMap::new();
        let mut left = members.to_vec();
        for round in 0..COUNTS_NEEDED {
            if round == FIRST && is_whole && !differ(&counts, self.spec.margin) {
                break;
            }
            for subject in left.clone() {
                match self.once(subject, monitor)? {
                    Ended::Counted(count) => {
                        record(subject, count.total, monitor)?;
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

    /// One execution of a command that is counted.
    fn once(&self, subject: usize, monitor: &mut Monitor<'_>) -> Result<Ended, RunError> {
        let room = &self.spec.room.path;
        let refused = |error: std::io::Error| {
            let subject = Text::from(room.as_os_str());
            RunError::Refused(Refusal { subject, why: error.to_string() })
        };
        cachegrind::clear(room).map_err(refused)?;
        let Some(mut setup) = self.setup.alone(subject) else { return Ok(Ended::Interrupted) };
        setup.timeout_ns = setup.timeout_ns.map(|it| it.saturating_mul(LONGER));
        let slot = Slot::new(room, self.spec.roots.get(subject).and_then(Option::as_deref));
        slot.place().map_err(refused)?;
        for command in &mut setup.commands {
            slot.relocate(command);
            if self.spec.seeds == Seeds::Fixed {
                let environment = &mut command.execute.environment;
                slot::fix_seeds(room, &setup.environment, environment).map_err(refused)?;
            }
            command.execute = self.spec.valgrind.around(&command.execute, room);
        }
        let record = memory_file::create().map_err(refused)?;
        let over = Once::new(&setup, &record, &mut || monitor.interrupted())?.execute()?;
        Ok(match over {
            Over::Done => match cachegrind::read(room).map_err(refused)? {
                Some(count) => Ended::Counted(count),
                None => Ended::Not(without_count(room, None)),
            },
            Over::Stopped(failure) => Ended::Not(without_count(room, Some(&failure))),
            _ => Ended::Interrupted,
        })
    }

    /// Says of counts what is to be known: that they are not exact and why, and where they differ.
    fn remark(
        &self,
        members: &[usize],
        counts: &BTreeMap<usize, Vec<Count>>,
        monitor: &Monitor<'_>,
    ) -> Result<(), RunError> {
        for (subject, of) in counts {
            let about = monitor.experiment.label(*subject);
            let path = self.setup.commands.get(*subject).map(|it| it.execute.path.clone());
            let is_static = path.is_some_and(|it| travel::is_static(Path::new(it.as_os_str())));
            let totals = of.iter().map(|count| count.total);
            let least = totals.clone().min().unwrap_or(0);
            let spread = share(totals.max().unwrap_or(0), least);
            let cause = match (is_static, self.spec.seeds) {
                (true, Seeds::Fixed) => "entropy not fixed, because it is linked statically",
                (false, Seeds::Fixed) => "threads, time-outs, or entropy that is not fixed",
                (_, Seeds::Raw) => "seeds are not fixed",
            };
            let text =
                match (spread > self.spec.margin, is_static && self.spec.seeds == Seeds::Fixed) {
                    (true, _) => format!(
                        "its counts differ among themselves by {}, so they are not exact: {cause}",
                        percent(spread)
                    ),
                    (false, true) => cause.to_owned(),
                    (false, false) => continue,
                };
            monitor.records.note(&Note::new(about, text))?;
        }
        if let [base, head] = members
            && let (Some(one), Some(other)) = (counts.get(base), counts.get(head))
            && differ(counts, self.spec.margin)
            && let Some(text) = one.last().zip(other.last()).and_then(|(a, b)| moved(a, b))
        {
            let about = monitor.experiment.benchmarks.get(*head).map(|line| line.name.clone());
            monitor.records.note(&Note::new(about.unwrap_or_default(), text))?;
        }
        Ok(())
    }
}

/// Whether any two counts differ by more than a share.
fn differ(counts: &BTreeMap<usize, Vec<Count>>, margin: f64) -> bool {
    let totals = || counts.values().flatten().map(|count| count.total);
    let (least, most) = (totals().min().unwrap_or(0), totals().max().unwrap_or(0));
    share(most, least) > margin
}

/// By which share of the one the other is larger.
#[allow(clippy::cast_precision_loss)] // instructions below 2⁵³
fn share(more: u64, less: u64) -> f64 {
    (more as f64 - less as f64) / (less as f64).max(1.0)
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Appends a count to the record.
fn record(subject: usize, total: u64, monitor: &Monitor<'_>) -> Result<(), RunError> {
    let declared = &monitor.experiment.metrics;
    let metric = declared.iter().position(Metric::is_of_work).unwrap_or(declared.len());
    let at = Coordinates::default();
    let value = Number::Integer(i64::try_from(total).unwrap_or(i64::MAX));
    let counted = Observation::new(subject, Phase::Measured, at, vec![(metric, value)]);
    monitor.records.counted(&counted)
}

/// Why an execution has no count.
fn without_count(room: &Path, failure: Option<&Failure>) -> String {
    let ended = failure.map_or("it left no count".to_owned(), |it| how(&it.outcome));
    let said = cachegrind::said(room);
    let stderr = failure.map_or_else(String::new, |it| it.stderr.to_string_lossy().into_owned());
    let first = said.into_iter().chain(stderr.lines().map(str::to_owned)).next();
    let first = first.map_or_else(String::new, |line| format!(": {line}"));
    format!("under valgrind it {ended}{first}")
}

/// Where a count moved: the functions whose own instructions changed most, as shares of all of the base's.
#[allow(clippy::cast_precision_loss)] // instructions below 2⁵³
fn moved(base: &Count, head: &Count) -> Option<String> {
    let names: BTreeSet<&String> = base.functions.keys().chain(head.functions.keys()).collect();
    let own = |count: &Count, name: &String| count.functions.get(name).copied().unwrap_or(0) as f64;
    let change = |name: &String| own(head, name) - own(base, name);
    let mut changed: Vec<(&String, f64)> = names.into_iter().map(|it| (it, change(it))).collect();
    changed.retain(|(_, change)| *change != 0.0);
    changed.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let said = changed.iter().take(NAMED).map(|(name, change)| {
        format!("{name} {:+.3} %", 100.0 * change / (base.total as f64).max(1.0))
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| format!("where the count moved: {}", said.join("; ")))
}
