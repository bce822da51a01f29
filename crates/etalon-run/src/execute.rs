//! Executing an experiment: from its first stage, or where it stood, to its end.
//!
//! Here: the course of things. Blocks are handed to the launcher in [`crate::batches`], whether to go
//! on is decided in [`crate::looks`], what is executed once around a stage is [`crate::hooks`]'s.

use std::ops::ControlFlow;
use std::time::Duration;

use etalon_core::model::StoppedBy;
use etalon_core::plan::{Stage, Stopping};
use etalon_probe::clock;
use etalon_probe::launcher::protocol::{Failure, Over, Setup};
use etalon_probe::launcher::{Finished as Ended, Launcher, LauncherError, awake_ns};
use etalon_probe::peers::Presence;
use etalon_record::altered::Altered;
use etalon_record::sink::WriteError;
use etalon_record::store::NewRecord;

use crate::error::RunError;
use crate::experiment::{Experiment, Output, Watcher};
use crate::hooks::Hooks;
use crate::record::Records;
use crate::standing::{Standing, Within};

/// How often the watcher is asked whether to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// How an execution ended.
#[derive(Debug)]
pub struct Finished {
    /// Why.
    pub stopped_by: StoppedBy,
    /// The failure that stopped it, or that of a cleanup after everything was done.
    pub failure: Option<Failure>,
    /// What went wrong around it, if something did; the record holds everything up to there.
    pub error: Option<RunError>,
    /// What became of its files meanwhile.
    pub damage: Damage,
}

/// What somebody else did to the files of an execution.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Damage {
    /// To the record.
    pub record: Option<Altered>,
    /// To the second file.
    pub second: Option<Altered>,
}

impl Finished {
    /// An execution that ended, its files as they should be.
    pub(crate) fn by(stopped_by: StoppedBy, failure: Option<Failure>) -> Finished {
        Finished { stopped_by, failure, error: None, damage: Damage::default() }
    }

    /// An execution that an error ended.
    pub(crate) fn with(error: RunError) -> Finished {
        Finished { error: Some(error), ..Finished::by(StoppedBy::Error, None) }
    }
}

/// Executes an experiment into a new record (and a second file). The record is complete when this
/// returns, whatever happened; it is closed by whoever owns it.
///
/// # Errors
/// If the record cannot be begun or the launcher cannot be set up: nothing was measured then.
pub fn execute(
    experiment: &Experiment,
    record: &NewRecord,
    second: Option<&Output>,
    watcher: &mut dyn Watcher,
) -> Result<Finished, RunError> {
    let presence = Presence::announce();
    let records = Records::new(record, second, &experiment.settings.metric);
    let standing = standing(experiment);
    let now = jiff::Timestamp::now();
    let started_ns = clock::now_ns().saturating_sub(elapsed_ns(experiment, &standing, now));
    let hooks = Hooks::of(&experiment.around);
    let mut launcher = start(experiment, &records, &hooks, started_ns)?;
    let ranked = &experiment.settings.metric;
    if let Some(missing) = launcher.ready().unavailable.iter().find(|u| u.metric == *ranked) {
        let (metric, why) = (ranked.clone(), missing.why.clone());
        return Err(RunError::NotAvailable { metric, why });
    }
    records.begin(experiment, &now.to_string(), launcher.ready())?;
    let mut session = Session {
        experiment,
        records,
        watcher,
        launcher: &mut launcher,
        hooks,
        looks: standing.looks,
        interrupted: false,
        cleanup_failed: None,
    };
    let ended = session.all_stages(&standing);
    let finished = match ended {
        Ok(finished) => finished,
        Err(error) => Finished::with(error),
    };
    Ok(session.records.close(finished, &presence))
}

/// Where it stands: at its beginning, unless it is gone on with.
fn standing(experiment: &Experiment) -> Standing {
    let Some(resumed) = &experiment.resumed else { return Standing::default() };
    let stages = experiment.plan.stages(experiment.commands.len());
    let wall = resumed.record.metrics.iter().position(|metric| metric.name == "wall");
    Standing::of(&stages, &resumed.record.events, wall)
}

/// Time since the run set started, of one that is gone on with: times of executions go on from
/// there, the pause included. Never before the last of them, whatever happened to the clock.
fn elapsed_ns(experiment: &Experiment, standing: &Standing, now: jiff::Timestamp) -> u64 {
    let header = experiment.resumed.as_ref().map(|resumed| &resumed.record.header);
    let started = header.and_then(|h| h.started.as_ref()?.parse::<jiff::Timestamp>().ok());
    let since = started.map_or(0, |started| now.duration_since(started).as_nanos());
    u64::try_from(since).unwrap_or(0).max(standing.ended_ns)
}

fn start(
    experiment: &Experiment,
    records: &Records<'_>,
    hooks: &Hooks,
    started_ns: u64,
) -> Result<Launcher, RunError> {
    let setup = Setup {
        commands: experiment.commands.clone(),
        hooks: hooks.distinct.clone(),
        environment: experiment.environment.clone(),
        directory: Some(experiment.cwd.clone().into_os_string().into()),
        stdio: experiment.stdio.clone(),
        timeout_ns: experiment.timeout_ns,
        control: experiment.control.clone(),
        counters: experiment.counters,
        cgroup: experiment.cgroup,
        metrics: experiment.metrics.iter().map(|m| m.name.clone()).collect(),
        started_ns,
    };
    let (record, second) = records.destinations(experiment);
    Launcher::start(&setup, &record, second.as_ref()).map_err(|error| match error {
        LauncherError::Refused(refusal) => RunError::Refused(refusal),
        error => RunError::Launcher(error),
    })
}

/// Why a stage was left, if the experiment is not to go on.
pub(crate) type Flow = ControlFlow<(StoppedBy, Option<Failure>)>;

pub(crate) struct Session<'a> {
    pub(crate) experiment: &'a Experiment,
    pub(crate) records: Records<'a>,
    pub(crate) watcher: &'a mut dyn Watcher,
    pub(crate) launcher: &'a mut Launcher,
    pub(crate) hooks: Hooks,
    /// Looks taken so far.
    pub(crate) looks: u32,
    /// Whether the user asked to stop.
    pub(crate) interrupted: bool,
    /// A cleanup that failed.
    pub(crate) cleanup_failed: Option<Failure>,
}

/// A stage under way.
pub(crate) struct Under {
    pub(crate) stage: Stage,
    /// Number of the next measured and the next warm-up block in the run set.
    pub(crate) next: u32,
    pub(crate) next_warmup: u32,
    /// Measured blocks finished, those of earlier sittings included.
    pub(crate) done: u32,
    /// When it began, had there been one sitting and no pause, see [`awake_ns`].
    pub(crate) began_ns: u64,
    /// What earlier sittings left.
    pub(crate) before: Within,
}

impl Session<'_> {
    fn all_stages(&mut self, standing: &Standing) -> Result<Finished, RunError> {
        let plan = &self.experiment.plan;
        let stages = plan.stages(self.experiment.commands.len());
        let (mut next, mut next_warmup) = (standing.next, standing.next_warmup);
        let mut last = StoppedBy::Runs;
        let count = stages.len();
        for (number, stage) in stages.into_iter().enumerate().skip(standing.stage) {
            let before =
                if number == standing.stage { standing.within.clone() } else { Within::default() };
            let (done, began_ns) = (before.done, awake_ns());
            let mut under = Under { stage, next, next_warmup, done, began_ns, before };
            if let Some(stopped_by) = self.stops_before_a_stage() {
                let failure = self.cleanup_failed.take();
                return Ok(Finished::by(stopped_by, failure));
            }
            match self.surrounded(&mut under)? {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break((StoppedBy::Precision, _)) if last == StoppedBy::Budget => {}
                ControlFlow::Break((
                    stopped_by @ (StoppedBy::Precision | StoppedBy::Decided | StoppedBy::Budget),
                    _,
                )) => last = stopped_by,
                ControlFlow::Break((stopped_by, failure)) => {
                    return Ok(Finished::by(stopped_by, failure));
                }
            }
            (next, next_warmup) = (under.next, under.next_warmup);
            // The last is for whoever called, who has all of it in a moment.
            if number + 1 < count && !self.interrupted {
                self.watcher.stage_done(self.records.record);
            }
        }
        if self.interrupted {
            last = StoppedBy::Interrupt;
        }
        Ok(Finished::by(last, self.cleanup_failed.take()))
    }

    /// What the cleanup of the stage before means for the next.
    fn stops_before_a_stage(&self) -> Option<StoppedBy> {
        if self.interrupted {
            return Some(StoppedBy::Interrupt);
        }
        self.cleanup_failed.as_ref().map(|_| StoppedBy::Failure)
    }

    /// A stage with what is executed once before and after it. The cleanups are executed whatever
    /// came before them, a setup that failed included.
    fn surrounded(&mut self, under: &mut Under) -> Result<Flow, RunError> {
        if self.is_finished(under) {
            return Ok(ControlFlow::Continue(()));
        }
        let flow = match self.set_up(&under.stage) {
            Ok(ControlFlow::Continue(())) => self.stage(under),
            stopped => stopped,
        };
        if !matches!(flow, Err(RunError::Launcher(_))) {
            self.clean_up(&under.stage)?;
        }
        flow
    }

    /// One stage to its end: warm-up, first block, and on until its stopping rule holds. Breaks
    /// with the reason unless the number of blocks asked for was reached.
    fn stage(&mut self, under: &mut Under) -> Result<Flow, RunError> {
        let warmup = self.experiment.plan.warmup;
        let mut warmed = 0;
        while warmed < warmup {
            let count = (warmup - warmed).min(self.batch_size(&under.stage));
            let flow = self.warm_up(under, count)?;
            if flow.is_break() {
                return Ok(flow);
            }
            warmed += count;
        }
        under.began_ns = awake_ns().saturating_sub(under.before.spent_ns);
        let flow = self.blocks(under, 1, None)?;
        if flow.is_break() {
            return Ok(flow);
        }
        match self.experiment.plan.stopping {
            Stopping::Runs(runs) => self.blocks(under, runs, None),
            Stopping::Precision { budget, .. } | Stopping::Decided { budget } => {
                self.until(under, budget)
            }
        }
    }

    /// Waits a little for the launcher; an interrupt is passed on to it.
    pub(crate) fn wait(&mut self) -> Result<Option<Ended>, RunError> {
        let over = self.launcher.wait(Some(PATIENCE)).map_err(RunError::Launcher)?;
        if let Some(over) = &over {
            self.records.count(over.appended);
        }
        if over.is_none() && self.watcher.interrupted() {
            self.interrupted = true;
            self.launcher.interrupt();
        }
        Ok(over)
    }

    /// What follows from how a request ended.
    pub(crate) fn flow(&mut self, over: Ended) -> Result<Flow, RunError> {
        self.interrupted |= self.watcher.interrupted();
        Ok(match over.why {
            Over::Done if self.interrupted => ControlFlow::Break((StoppedBy::Interrupt, None)),
            Over::Done => ControlFlow::Continue(()),
            Over::DeadlinePassed => ControlFlow::Break((StoppedBy::Budget, None)),
            Over::Stopped(failure) => {
                self.note_failure(&failure)?;
                ControlFlow::Break((StoppedBy::Failure, Some(failure)))
            }
            Over::Interrupted => ControlFlow::Break((StoppedBy::Interrupt, None)),
            Over::WriteFailed { path, why, safe } => {
                let path = path.as_os_str().into();
                return Err(RunError::Write(WriteError { path, why, safe }));
            }
        })
    }
}
