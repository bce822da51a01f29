//! Executing an experiment: stages, batches, looks at the precision, the end.
//!
//! The launcher runs a whole batch ahead and records it; between batches this decides whether to
//! go on. Warm-up and the first block are batches of their own, because a failure there stops.

use std::ops::ControlFlow;
use std::time::Duration;

use etalon_core::analysis::widest_half_width;
use etalon_core::model::{Accept, Look, Note, Phase, StoppedBy};
use etalon_core::plan::{FEWEST_BLOCKS, Stage, Stopping, Stream, look_at};
use etalon_probe::clock;
use etalon_probe::launcher::protocol::{Batch, Failure, OnFailure, Over, Setup};
use etalon_probe::launcher::{Launcher, LauncherError};
use etalon_probe::peers::{Others, Presence};
use etalon_record::sink::WriteError;
use etalon_record::store::NewRecord;

use crate::error::RunError;
use crate::experiment::{Experiment, Output, Progress, Watcher};
use crate::record::Records;

/// How often the watcher is asked whether to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// Progress costs reading the record; it is kept below this share of the time.
const PROGRESS_SHARE: u32 = 50;

/// Executions in a batch at most: the launcher holds a batch in memory.
const BATCH: usize = 2000;

/// If the fewest blocks take more than this many budgets, the user is told.
const BUDGETS_WORTH_A_WARNING: f64 = 3.0;

/// How an execution ended.
#[derive(Debug)]
pub struct Finished {
    /// Why.
    pub stopped_by: StoppedBy,
    /// The failure that stopped it, if one did.
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
    let started_ns = clock::now_ns();
    let mut launcher = start(experiment, &records, started_ns)?;
    records.begin(experiment, &jiff::Timestamp::now().to_string(), launcher.floor_rss())?;
    let mut session = Session { experiment, records, watcher, launcher: &mut launcher };
    let ended = session.all_stages();
    let finished = match ended {
        Ok(finished) => finished,
        Err(error) => Finished { stopped_by: StoppedBy::Error, failure: None, error: Some(error) },
    };
    session.close(finished, &presence)
}

fn start(
    experiment: &Experiment,
    records: &Records<'_>,
    started_ns: u64,
) -> Result<Launcher, RunError> {
    let setup = Setup {
        commands: experiment.commands.clone(),
        environment: experiment.environment.clone(),
        directory: Some(experiment.cwd.clone().into_os_string().into()),
        stdio: experiment.stdio.clone(),
        timeout_ns: experiment.timeout_ns,
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
type Flow = ControlFlow<(StoppedBy, Option<Failure>)>;

struct Session<'a> {
    experiment: &'a Experiment,
    records: Records<'a>,
    watcher: &'a mut dyn Watcher,
    launcher: &'a mut Launcher,
}

/// A stage under way.
struct Under {
    stage: Stage,
    /// Number of its first measured and its first warm-up block in the run set.
    first: u32,
    first_warmup: u32,
    /// Measured blocks finished.
    done: u32,
    began_ns: u64,
}

impl Session<'_> {
    fn all_stages(&mut self) -> Result<Finished, RunError> {
        let plan = &self.experiment.plan;
        let (mut first, mut first_warmup) = (0, 0);
        let mut last = StoppedBy::Runs;
        for stage in plan.stages(self.experiment.commands.len()) {
            let mut under =
                Under { stage, first, first_warmup, done: 0, began_ns: clock::now_ns() };
            match self.stage(&mut under)? {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break((StoppedBy::Precision, _)) if last != StoppedBy::Budget => {
                    last = StoppedBy::Precision;
                }
                ControlFlow::Break((StoppedBy::Precision, _)) => {}
                ControlFlow::Break((StoppedBy::Budget, _)) => last = StoppedBy::Budget,
                ControlFlow::Break((stopped_by, failure)) => {
                    return Ok(Finished { stopped_by, failure, error: None });
                }
            }
            first += under.done;
            first_warmup += plan.warmup;
        }
        Ok(Finished { stopped_by: last, failure: None, error: None })
    }

    /// One stage to its end: warm-up, first block, and on until its stopping rule holds. Breaks
    /// with the reason unless the number of blocks asked for was reached.
    fn stage(&mut self, under: &mut Under) -> Result<Flow, RunError> {
        let warmup = self.experiment.plan.warmup;
        let mut warmed = 0;
        while warmed < warmup {
            let count = (warmup - warmed).min(self.batch_size(&under.stage));
            let flow = self.warm_up(under, warmed, count)?;
            if flow.is_break() {
                return Ok(flow);
            }
            warmed += count;
        }
        under.began_ns = clock::now_ns();
        let flow = self.blocks(under, 1, None)?;
        if flow.is_break() {
            return Ok(flow);
        }
        match self.experiment.plan.stopping {
            Stopping::Runs(runs) => self.blocks(under, runs, None),
            Stopping::Precision { target, budget } => self.until_precise(under, target, budget),
        }
    }

    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn until_precise(
        &mut self,
        under: &mut Under,
        target: f64,
        budget: f64,
    ) -> Result<Flow, RunError> {
        let budget = budget * under.stage.subjects.len() as f64;
        let first_block = (clock::now_ns() - under.began_ns) as f64 / 1e9;
        let expected = first_block * f64::from(FEWEST_BLOCKS);
        if expected > BUDGETS_WORTH_A_WARNING * budget {
            self.watcher.will_take(expected);
        }
        let deadline = under.began_ns + (budget * 1e9) as u64;
        for look in 0.. {
            let deadline = (look > 0).then_some(deadline);
            let flow = self.blocks(under, look_at(look), deadline)?;
            let out_of_time = matches!(flow, ControlFlow::Break((StoppedBy::Budget, _)));
            if flow.is_break() && !out_of_time {
                return Ok(flow);
            }
            let widest = self.look(under)?;
            if widest.is_some_and(|w| w <= target) {
                return Ok(ControlFlow::Break((StoppedBy::Precision, None)));
            }
            if out_of_time || clock::now_ns() >= under.began_ns + (budget * 1e9) as u64 {
                return Ok(ControlFlow::Break((StoppedBy::Budget, None)));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Looks at the precision and records that it did.
    fn look(&mut self, under: &Under) -> Result<Option<f64>, RunError> {
        let run_set = self.records.read()?;
        let widest = widest_half_width(run_set, &under.stage.subjects, &self.experiment.settings)
            .map_err(RunError::Analysis)?;
        self.records.look(&Look { blocks: under.done, widest })?;
        Ok(widest)
    }

    /// Executes measured blocks until `upto` are done.
    fn blocks(
        &mut self,
        under: &mut Under,
        upto: u32,
        deadline: Option<u64>,
    ) -> Result<Flow, RunError> {
        while under.done < upto {
            let first_of_all = under.done == 0;
            let most = if first_of_all { 1 } else { self.batch_size(&under.stage) };
            let count = (upto - under.done).min(most);
            let number = under.first + under.done;
            let plan = &self.experiment.plan;
            let batch = Batch {
                phase: Phase::Measured,
                first_block: number,
                blocks: (number..number + count)
                    .map(|n| plan.block(&under.stage, Stream::Measured, n))
                    .collect(),
                deadline_ns: deadline,
                on_failure: if first_of_all { self.on_failure() } else { OnFailure::Continue },
            };
            let (finished, flow) = self.batch(&batch, under, upto)?;
            under.done += finished;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn warm_up(&mut self, under: &Under, from: u32, count: u32) -> Result<Flow, RunError> {
        let number = under.first_warmup + from;
        let plan = &self.experiment.plan;
        let batch = Batch {
            phase: Phase::Warmup,
            first_block: number,
            blocks: (number..number + count)
                .map(|n| plan.block(&under.stage, Stream::Warmup, n))
                .collect(),
            deadline_ns: None,
            on_failure: self.on_failure(),
        };
        self.batch(&batch, under, plan.warmup).map(|(_, flow)| flow)
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
        let mut asked_to_stop = false;
        let mut next_progress_ns = 0;
        let over = loop {
            if let Some(over) = self.launcher.wait(Some(PATIENCE)).map_err(RunError::Launcher)? {
                break over;
            }
            if self.watcher.interrupted() && !asked_to_stop {
                asked_to_stop = true;
                self.launcher.interrupt();
            }
            let now = clock::now_ns();
            if self.watcher.wants_progress() && now >= next_progress_ns {
                self.report_progress(batch.phase, under, of)?;
                let cost = clock::now_ns() - now;
                next_progress_ns = now + u64::from(PROGRESS_SHARE) * cost;
            }
        };
        let flow = match over.why {
            Over::Done if self.watcher.interrupted() => {
                ControlFlow::Break((StoppedBy::Interrupt, None))
            }
            Over::Done => ControlFlow::Continue(()),
            Over::DeadlinePassed => ControlFlow::Break((StoppedBy::Budget, None)),
            Over::Stopped(failure) => ControlFlow::Break((StoppedBy::Failure, Some(failure))),
            Over::Interrupted => ControlFlow::Break((StoppedBy::Interrupt, None)),
            Over::WriteFailed { path, why, safe } => {
                let path = path.as_os_str().into();
                return Err(RunError::Write(WriteError { path, why, safe }));
            }
        };
        Ok((over.blocks, flow))
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
            Stopping::Precision { budget, .. } => {
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
