//! Executing an experiment: stages, batches, the end.
//!
//! The launcher runs a whole batch ahead and records it; between batches this decides whether to
//! go on ([`crate::looks`]). Warm-up and the first block are batches of their own, because a failure
//! there stops. What is executed once around a stage is [`crate::hooks`]'s.

use std::ops::ControlFlow;
use std::time::Duration;

use etalon_core::model::{Accept, Note, Phase, StoppedBy};
use etalon_core::plan::{Plan, Stage, Stopping, Stream};
use etalon_probe::clock;
use etalon_probe::launcher::protocol::{Batch, Failure, OnFailure, Over, Setup};
use etalon_probe::launcher::{Finished as Ended, Launcher, LauncherError};
use etalon_probe::peers::{Others, Presence};
use etalon_record::sink::WriteError;
use etalon_record::store::NewRecord;

use crate::error::RunError;
use crate::experiment::{Experiment, Output, Progress, Watcher};
use crate::hooks::Hooks;
use crate::record::Records;
use crate::standing::{Standing, Within};

/// How often the watcher is asked whether to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// Progress costs reading the record; it is kept below this share of the time.
const PROGRESS_SHARE: u32 = 50;

/// Executions in a batch at most: the launcher holds a batch in memory.
const BATCH: usize = 2000;

/// How an execution ended.
#[derive(Debug)]
pub struct Finished {
    /// Why.
    pub stopped_by: StoppedBy,
    /// The failure that stopped it, or that of a cleanup after everything was done.
    pub failure: Option<Failure>,
    /// What went wrong around it, if something did; the record holds everything up to there.
    pub error: Option<RunError>,
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
    let records = Records { record, second };
    let standing = standing(experiment);
    let now = jiff::Timestamp::now();
    let started_ns = clock::now_ns().saturating_sub(elapsed_ns(experiment, &standing, now));
    let hooks = Hooks::of(&experiment.around);
    let mut launcher = start(experiment, &records, &hooks, started_ns)?;
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
        Err(error) => Finished { stopped_by: StoppedBy::Error, failure: None, error: Some(error) },
    };
    session.close(finished, &presence)
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
    /// When it began, had there been one sitting.
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
        for (number, stage) in stages.into_iter().enumerate().skip(standing.stage) {
            let before =
                if number == standing.stage { standing.within.clone() } else { Within::default() };
            let (done, began_ns) = (before.done, clock::now_ns());
            let mut under = Under { stage, next, next_warmup, done, began_ns, before };
            if let Some(stopped_by) = self.stops_before_a_stage() {
                let failure = self.cleanup_failed.take();
                return Ok(Finished { stopped_by, failure, error: None });
            }
            match self.surrounded(&mut under)? {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break((StoppedBy::Precision, _)) if last == StoppedBy::Budget => {}
                ControlFlow::Break((
                    stopped_by @ (StoppedBy::Precision | StoppedBy::Decided | StoppedBy::Budget),
                    _,
                )) => last = stopped_by,
                ControlFlow::Break((stopped_by, failure)) => {
                    return Ok(Finished { stopped_by, failure, error: None });
                }
            }
            (next, next_warmup) = (under.next, under.next_warmup);
        }
        if self.interrupted {
            last = StoppedBy::Interrupt;
        }
        Ok(Finished { stopped_by: last, failure: self.cleanup_failed.take(), error: None })
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
        under.began_ns = clock::now_ns().saturating_sub(under.before.spent_ns);
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

    /// Executes measured blocks until `upto` are done.
    pub(crate) fn blocks(
        &mut self,
        under: &mut Under,
        upto: u32,
        deadline: Option<u64>,
    ) -> Result<Flow, RunError> {
        while under.done < upto {
            let first_of_all = under.done == 0;
            let most = if first_of_all { 1 } else { self.batch_size(&under.stage) };
            let count = (upto - under.done).min(most);
            let batch = Batch {
                deadline_ns: deadline,
                on_failure: if first_of_all { self.on_failure() } else { OnFailure::Continue },
                ..self.scheduled(&under.stage, Phase::Measured, under.next, count)
            };
            let (finished, flow) = self.batch(&batch, under, upto)?;
            under.done += finished;
            under.next += finished;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn warm_up(&mut self, under: &mut Under, count: u32) -> Result<Flow, RunError> {
        let batch = Batch {
            on_failure: self.on_failure(),
            ..self.scheduled(&under.stage, Phase::Warmup, under.next_warmup, count)
        };
        let (finished, flow) = self.batch(&batch, under, self.experiment.plan.warmup)?;
        under.next_warmup += finished;
        Ok(flow)
    }

    /// Blocks as the plan has them: orders and sizes of the environment.
    fn scheduled(&self, stage: &Stage, phase: Phase, first: u32, count: u32) -> Batch {
        let plan: &Plan = &self.experiment.plan;
        let stream = match phase {
            Phase::Warmup => Stream::Warmup,
            Phase::Measured => Stream::Measured,
        };
        let numbers = first..first + count;
        Batch {
            phase,
            first_block: first,
            blocks: numbers.clone().map(|n| plan.block(stage, stream, n)).collect(),
            padding: numbers.filter_map(|n| plan.padding(stream, n)).collect(),
            ..Batch::default()
        }
    }

    /// In warm-up and first block: with every exit code accepted only a command that cannot be
    /// started stops; it never will be.
    fn on_failure(&self) -> OnFailure {
        if self.experiment.commands.iter().all(|c| c.accept == Accept::Any) {
            OnFailure::StopIfNotStarted
        } else {
            OnFailure::Stop
        }
    }

    fn batch_size(&self, stage: &Stage) -> u32 {
        u32::try_from((BATCH / stage.subjects.len().max(1)).max(1)).unwrap_or(1)
    }

    /// Hands a batch over and waits for it, watching. The number of finished blocks, and whether
    /// to go on.
    fn batch(&mut self, batch: &Batch, under: &Under, of: u32) -> Result<(u32, Flow), RunError> {
        self.launcher.begin(batch).map_err(RunError::Launcher)?;
        let mut next_progress_ns = 0;
        let over = loop {
            if let Some(over) = self.wait()? {
                break over;
            }
            let now = clock::now_ns();
            if self.watcher.wants_progress() && now >= next_progress_ns {
                self.report_progress(batch.phase, under, of)?;
                let cost = clock::now_ns() - now;
                next_progress_ns = now + u64::from(PROGRESS_SHARE) * cost;
            }
        };
        let blocks = over.blocks;
        Ok((blocks, self.flow(over)?))
    }

    /// Waits a little for the launcher; an interrupt is passed on to it.
    pub(crate) fn wait(&mut self) -> Result<Option<Ended>, RunError> {
        let over = self.launcher.wait(Some(PATIENCE)).map_err(RunError::Launcher)?;
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

    #[allow(clippy::cast_precision_loss)] // seconds
    fn report_progress(&mut self, phase: Phase, under: &Under, of: u32) -> Result<(), RunError> {
        let run_set = self.records.read()?;
        let rows = |&i: &usize| run_set.series.get(i).map_or(0, |series| series.rows);
        let blocks = under.stage.subjects.iter().map(rows).min().unwrap_or(0);
        let settings = &self.experiment.settings;
        let elapsed = (clock::now_ns() - under.began_ns) as f64 / 1e9;
        let rest =
            |of: u32| elapsed / f64::from(blocks.max(1)) * f64::from(of.saturating_sub(blocks));
        let (of, seconds_left) = match self.experiment.plan.stopping {
            Stopping::Runs(runs) => (Some(runs), (blocks > 0).then(|| rest(runs))),
            Stopping::Precision { budget, .. } | Stopping::Decided { budget } => {
                let budget = budget * under.stage.subjects.len() as f64;
                let to_look = (blocks > 0).then(|| rest(of));
                (None, to_look.map(|s| s.max(budget - elapsed).max(0.0)))
            }
        };
        let medians = etalon_core::analysis::medians(run_set, &settings.metric);
        let sequential = under.stage.subjects.len() < self.experiment.commands.len();
        self.watcher.progress(&Progress {
            command: sequential.then(|| under.stage.subjects.first().copied()).flatten(),
            warmup: phase == Phase::Warmup,
            blocks,
            of,
            medians,
            seconds_left,
        });
        Ok(())
    }

    /// Writes the end. If that fails too, the first error is the one to tell.
    fn close(self, mut finished: Finished, presence: &Presence) -> Result<Finished, RunError> {
        let note = match presence.others() {
            Others::Seen => Some(Note {
                about: "machine".to_owned(),
                text: "another etalon was measuring at the same time".to_owned(),
            }),
            Others::None | Others::Unknown => None,
        };
        if let Err(error) = self.records.finish(
            note.as_ref(),
            &finished.stopped_by,
            &jiff::Timestamp::now().to_string(),
        ) && finished.error.is_none()
        {
            finished = Finished { stopped_by: StoppedBy::Error, error: Some(error), ..finished };
        }
        Ok(finished)
    }
}
