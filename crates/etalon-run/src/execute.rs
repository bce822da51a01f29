//! The loop: an experiment from its first stage, or where it stood, to its end, whatever its subjects are.
//!
//! Here: the course of things. Whether to go on is decided in [`crate::looks`], where a resumed experiment
//! stands in [`crate::resume`]; what a subject is and how a block of them is executed is the [`Executor`]'s.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use etalon_core::model::Phase;
use etalon_core::pace::Pace;
use etalon_core::plan::{Stage, Stopping, Stream};
use etalon_core::run_set::StoppedBy;
use etalon_core::stats::Looks;
use etalon_probe::clock;
use etalon_probe::launcher::awake_ns;
use etalon_probe::launcher::protocol::Failure;
use etalon_probe::peers::Presence;

use crate::error::RunError;
use crate::executor::{Batch, Executor, Flow, Stop};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::{Files, Records};
use crate::resume::{ResumePoint, StageProgress};
use crate::state::{Beginning, Damage, Finished, Position};
use crate::watch::Watcher;

/// After so many blocks it is said what all of them will show: enough for a first idea of the scatter.
const FIRST_BLOCKS: u32 = 10;

/// Executes an experiment into a new record (and a second file). The record is complete when this
/// returns, whatever happened; it is closed by whoever owns it.
///
/// # Errors
/// If the record cannot be begun or the executor cannot start: nothing was measured then.
pub fn execute(
    experiment: &Experiment,
    executor: &mut dyn Executor,
    files: Files<'_>,
    watcher: &mut dyn Watcher,
) -> Result<Finished, RunError> {
    let records = Records::new(files, experiment);
    let resume_point = ResumePoint::replayed(experiment, executor);
    let now = crate::today::now();
    let elapsed_ns = elapsed_ns(experiment, &resume_point, now);
    let started_ns = clock::now_ns().saturating_sub(elapsed_ns);
    executor.begin(experiment, &records, started_ns)?;
    let presence = Presence::announce();
    let started = executor.start(experiment, &records, started_ns)?;
    records.begin(experiment, &started, &now.to_string())?;
    let mut session = Session {
        monitor: Monitor::new(experiment, &records, watcher),
        executor,
        given_up: resume_point.given_up.clone(),
        looks: resume_point.looks,
        cleanup_failed: None,
        pace: Pace::default(),
        began: Beginning::default(),
        has_told: false,
    };
    let ended = session.all_stages(&resume_point);
    let put_away = session.executor.put_away(&mut session.monitor);
    session.executor.end();
    let (stopped_by, failure, error) = match (ended, put_away) {
        (Ok(Stop { by, failure }), Ok(cleaned)) => {
            let last = cleaned.break_value().and_then(|stop| stop.failure);
            (by, failure.or(last), None)
        }
        (Ok(Stop { failure, .. }), Err(error)) => (StoppedBy::Error, failure, Some(error)),
        (Err(error), _) => (StoppedBy::Error, None, Some(error)),
    };
    let (damage, pace) = (Damage::default(), session.pace);
    let finished = Finished { stopped_by, failure, error, damage, pace };
    Ok(records.close(finished, &presence))
}

/// Time since the run set started, of one that is resumed: times of executions go on from there, the
/// pause included. Never before the last of them, whatever happened to the clock.
fn elapsed_ns(experiment: &Experiment, resume: &ResumePoint, now: jiff::Timestamp) -> u64 {
    let header = experiment.resumed.as_ref().map(|resumed| &resumed.record.header);
    let started = header.and_then(|h| h.started.as_ref()?.parse::<jiff::Timestamp>().ok());
    let since = started.map_or(0, |started| now.duration_since(started).as_nanos());
    u64::try_from(since).unwrap_or(0).max(resume.ended_ns)
}

/// An execution under way.
pub(crate) struct Session<'a> {
    pub(crate) monitor: Monitor<'a>,
    pub(crate) executor: &'a mut dyn Executor,
    /// By subject, whether it is left out of all that follows.
    pub(crate) given_up: Vec<bool>,
    /// Looks taken at the verdicts so far.
    pub(crate) looks: Looks,
    /// A cleanup that failed.
    cleanup_failed: Option<Failure>,
    /// How long blocks took.
    pace: Pace,
    pub(crate) began: Beginning,
    /// Whether it was told how long it takes.
    pub(crate) has_told: bool,
}

/// A stage under way.
pub(crate) struct Under {
    pub(crate) stage: Stage,
    /// Its place among the experiment's.
    pub(crate) number: usize,
    /// Number of the next measured and the next warm-up block in the run set.
    next: u32,
    next_warmup: u32,
    /// Measured blocks finished, those of earlier sittings included.
    pub(crate) done: u32,
    /// When it began, had there been one sitting and no pause, see [`Executor::now_ns`].
    pub(crate) began_ns: u64,
    /// Seconds of its first block.
    pub(crate) first: f64,
    /// Progress of earlier sittings.
    pub(crate) before: StageProgress,
}

impl Session<'_> {
    fn all_stages(&mut self, resume: &ResumePoint) -> Result<Stop, RunError> {
        let experiment = self.monitor.experiment;
        let mut last = match experiment.plan.stopping {
            Stopping::Runs(_) => StoppedBy::Runs,
            Stopping::Precision { .. } => StoppedBy::Precision,
            Stopping::Decided { .. } => StoppedBy::Decided,
        };
        let (mut next, mut next_warmup) = (resume.next, resume.next_warmup);
        let mut replaced = BTreeMap::new();
        for (number, stage) in experiment.stages.iter().enumerate() {
            if number < resume.stage {
                self.replace(stage, &mut replaced);
                continue;
            }
            let mut subjects = stage.subjects.clone();
            if let Some(first) = subjects.first_mut() {
                *first = replaced.get(first).copied().unwrap_or(*first);
            }
            let before = if number == resume.stage {
                resume.within.clone()
            } else {
                StageProgress::default()
            };
            let (done, began_ns) = (before.done, self.executor.now_ns());
            let mut under = Under {
                stage: Stage { subjects },
                number,
                next,
                next_warmup,
                done,
                began_ns,
                first: 0.0,
                before,
            };
            self.begins(&under, resume);
            if let Some(by) = self.stops_before_a_stage() {
                return Ok(Stop { by, failure: self.cleanup_failed.take() });
            }
            match self.surrounded(&mut under)? {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break(stop) => match goes_on(&last, &stop.by) {
                    Some(by) => last = by,
                    None => return Ok(stop),
                },
            }
            (next, next_warmup) = (under.next, under.next_warmup);
            self.replace(stage, &mut replaced);
            // The last is for whoever called, who has all of it in a moment.
            if number + 1 < experiment.stages.len() && !self.monitor.was_interrupted {
                self.monitor.watcher.stage_done(self.monitor.records.record);
            }
        }
        let by = if self.monitor.was_interrupted { StoppedBy::Interrupt } else { last };
        Ok(Stop { by, failure: self.cleanup_failed.take() })
    }

    /// Notes where the time of all stages begins: with the first that earlier sittings have not finished.
    fn begins(&mut self, under: &Under, resume: &ResumePoint) {
        if under.number == resume.stage {
            let at_ns = under.began_ns.saturating_sub(under.before.spent_ns);
            self.began = Beginning { stage: under.number, at_ns };
        }
    }

    /// Finds who takes the place of the first subject of a stage, which was given up, in the stages that
    /// follow: the next of this one.
    fn replace(&self, stage: &Stage, replaced: &mut BTreeMap<usize, usize>) {
        if let Some(&first) = stage.subjects.first()
            && self.given_up[first]
            && !replaced.contains_key(&first)
        {
            replaced.extend(self.present(stage).first().map(|&next| (first, next)));
        }
    }

    /// The reason to stop before the next stage: an interrupt, or a cleanup that failed.
    fn stops_before_a_stage(&self) -> Option<StoppedBy> {
        if self.monitor.was_interrupted {
            return Some(StoppedBy::Interrupt);
        }
        self.cleanup_failed.as_ref().map(|_| StoppedBy::Failure)
    }

    /// A stage with what is executed once before and after it. The cleanups are executed whatever
    /// came before them, a setup that failed included.
    fn surrounded(&mut self, under: &mut Under) -> Result<Flow, RunError> {
        if self.is_finished(under)? {
            return Ok(ControlFlow::Continue(()));
        }
        let flow = match self.executor.set_up(&under.stage, &mut self.monitor) {
            Ok(ControlFlow::Continue(())) => self.stage(under),
            stopped => stopped,
        };
        if !matches!(flow, Err(RunError::Launcher(_))) {
            let cleaned = self.executor.clean_up(&under.stage, &mut self.monitor)?;
            if let ControlFlow::Break(Stop { failure: Some(failure), .. }) = cleaned {
                self.cleanup_failed.get_or_insert(failure);
            }
        }
        flow
    }

    /// One stage to its end: warm-up, first block, and on until its stopping rule holds. Breaks
    /// with the reason unless the number of blocks asked for was reached.
    fn stage(&mut self, under: &mut Under) -> Result<Flow, RunError> {
        let came_ns = self.executor.now_ns();
        let flow = self.warm_up(under)?;
        if flow.is_break() {
            return Ok(flow);
        }
        under.began_ns = self.executor.now_ns().saturating_sub(under.before.spent_ns);
        let flow = self.blocks(under, 1, None)?;
        if flow.is_break() {
            return Ok(flow);
        }
        let is_all = self.monitor.experiment.stages.len() == 1;
        if is_all && self.monitor.watcher.refuses(self.monitor.records.record) {
            return Ok(Stop::by(StoppedBy::Interrupt));
        }
        let first_ns = self.executor.now_ns();
        under.first = self.elapsed(under);
        let flow = match self.monitor.experiment.plan.stopping {
            Stopping::Runs(planned) => {
                let runs = self.blocks_to_do(under, planned);
                let flow = self.first_and_more(under, runs)?;
                if flow.is_break() {
                    return Ok(flow);
                }
                let flow = self.first_blocks(under, runs)?;
                if flow.is_break() {
                    return Ok(flow);
                }
                self.blocks(under, runs, self.deadline(under))
            }
            Stopping::Precision { budget, .. } | Stopping::Decided { budget } => {
                self.until(under, budget)
            }
        };
        let ended_ns = self.executor.now_ns();
        let (first, others) = (seconds(came_ns, first_ns), seconds(first_ns, ended_ns));
        self.pace.add(Pace { first, others, blocks: under.done });
        flow
    }

    /// The first of many blocks, for whoever then says what all of them will show.
    fn first_blocks(&mut self, under: &mut Under, runs: u32) -> Result<Flow, RunError> {
        let is_new = under.done < FIRST_BLOCKS && self.monitor.experiment.stages.len() == 1;
        if runs < 2 * FIRST_BLOCKS || !is_new || !self.monitor.watcher.foresees() {
            return Ok(ControlFlow::Continue(()));
        }
        let deadline = self.deadline(under);
        let flow = self.blocks(under, FIRST_BLOCKS, deadline)?;
        if flow.is_continue() && under.done == FIRST_BLOCKS {
            let affordable = |deadline: u64| self.affordable(under, deadline).min(runs);
            let expected = deadline.map_or(runs, affordable);
            self.monitor.watcher.first_blocks(self.monitor.records.record, expected);
        }
        Ok(flow)
    }

    /// The warm-up blocks of a stage. Each sitting has its own.
    fn warm_up(&mut self, under: &mut Under) -> Result<Flow, RunError> {
        let warmup = self.monitor.experiment.plan.warmup;
        let mut warmed = 0;
        while warmed < warmup {
            let count = (warmup - warmed).min(self.executor.batch_size(&under.stage));
            let batch = self.scheduled(under, Phase::Warmup, count);
            let (finished, flow) = self.batch(&batch, under)?;
            under.next_warmup += finished;
            if flow.is_break() {
                return Ok(flow);
            }
            warmed += count;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Executes measured blocks until `upto` are done, or the deadline, or nobody is left.
    pub(crate) fn blocks(
        &mut self,
        under: &mut Under,
        upto: u32,
        deadline_ns: Option<u64>,
    ) -> Result<Flow, RunError> {
        while under.done < upto && !self.present(&under.stage).is_empty() {
            let most = if under.done == 0 { 1 } else { self.executor.batch_size(&under.stage) };
            let count = (upto - under.done).min(most);
            let batch = Batch { deadline_ns, ..self.scheduled(under, Phase::Measured, count) };
            let (finished, flow) = self.batch(&batch, under)?;
            under.done += finished;
            under.next += finished;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The subjects of a stage that were not given up, in its order.
    pub(crate) fn present(&self, stage: &Stage) -> Vec<usize> {
        stage.subjects.iter().copied().filter(|&subject| !self.given_up[subject]).collect()
    }

    /// The next blocks as the plan has them: orders and sizes of the environment.
    fn scheduled(&self, under: &Under, phase: Phase, count: u32) -> Batch {
        let plan = &self.monitor.experiment.plan;
        let (stream, first) = match phase {
            Phase::Warmup => (Stream::Warmup, under.next_warmup),
            Phase::Measured => (Stream::Measured, under.next),
        };
        let stage = Stage { subjects: self.present(&under.stage) };
        let numbers = first..first + count;
        Batch {
            phase,
            first,
            orders: numbers.clone().map(|n| plan.block(&stage, stream, n)).collect(),
            padding: numbers.filter_map(|n| plan.padding(stream, n)).collect(),
            deadline_ns: None,
            first_of_stage: under.done == 0,
        }
    }

    /// Hands a batch over. The number of finished blocks, and whether to go on.
    fn batch(&mut self, batch: &Batch, under: &Under) -> Result<(u32, Flow), RunError> {
        let stages = &self.monitor.experiment.stages;
        let subjects = |of: &[Stage]| of.iter().map(|stage| stage.subjects.len()).sum();
        self.monitor.position = Position {
            subjects: self.present(&under.stage),
            before: subjects(&stages[..under.number]),
            after: subjects(&stages[under.number + 1..]),
            phase: batch.phase,
            done: under.done,
            next: under.next,
            elapsed: self.elapsed(under),
            at_ns: awake_ns(),
        };
        self.monitor.progress()?;
        let executed = self.executor.execute(batch, &mut self.monitor)?;
        for subject in executed.given_up {
            self.given_up[subject] = true;
        }
        let interrupted = self.monitor.interrupted() || self.monitor.was_interrupted;
        let flow = match executed.flow {
            ControlFlow::Continue(()) if interrupted => Stop::by(StoppedBy::Interrupt),
            flow => flow,
        };
        Ok((executed.blocks, flow))
    }

    /// Seconds spent in a stage.
    pub(crate) fn elapsed(&self, under: &Under) -> f64 {
        seconds(under.began_ns, self.executor.now_ns())
    }
}

/// Why an experiment ends whose stage ended for this reason, if other stages follow that one.
fn goes_on(last: &StoppedBy, by: &StoppedBy) -> Option<StoppedBy> {
    match by {
        StoppedBy::Budget | StoppedBy::Runs => Some(by.clone()),
        // Blocks that were to be no more than so many, and came to an answer.
        StoppedBy::Decided if *last == StoppedBy::Runs => Some(StoppedBy::Decided),
        StoppedBy::Precision | StoppedBy::Decided => Some(last.clone()),
        StoppedBy::Failure | StoppedBy::Interrupt | StoppedBy::Error => None,
    }
}

#[allow(clippy::cast_precision_loss)] // seconds
pub(crate) fn seconds(from_ns: u64, to_ns: u64) -> f64 {
    to_ns.saturating_sub(from_ns) as f64 / 1e9
}
