//! Handing blocks to the launcher, and telling the watcher how far it is.
//!
//! The launcher runs a whole batch ahead and records it. Warm-up and the first block are batches of
//! their own, because a failure there stops. Refuses to decide how many blocks there are to be.

use std::ops::ControlFlow;

use etalon_core::model::{Accept, Phase};
use etalon_core::plan::{Stage, Stopping, Stream};
use etalon_probe::clock;
use etalon_probe::launcher::protocol::{Batch, OnFailure};
use etalon_probe::launcher::{awake_ns, paused_ns};

use crate::error::RunError;
use crate::execute::{Flow, Session, Under};
use crate::experiment::Progress;

/// Progress costs reading the record; it is kept below this share of the time.
const PROGRESS_SHARE: u32 = 50;

/// Executions in a batch at most: the launcher holds a batch in memory.
const BATCH: usize = 2000;

impl Session<'_> {
    /// Executes measured blocks until `upto` are done, or the `deadline` (of [`awake_ns`]).
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
                deadline_ns: deadline.map(|deadline| deadline + paused_ns()),
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

    pub(crate) fn warm_up(&mut self, under: &mut Under, count: u32) -> Result<Flow, RunError> {
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
        let plan = &self.experiment.plan;
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

    pub(crate) fn batch_size(&self, stage: &Stage) -> u32 {
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

    #[allow(clippy::cast_precision_loss)] // seconds
    fn report_progress(&mut self, phase: Phase, under: &Under, of: u32) -> Result<(), RunError> {
        let data = self.records.read()?;
        let groups = data.groups();
        let rows = |&i: &usize| groups.get(i).map_or(0, |group| group.rows.len());
        let blocks = under.stage.subjects.iter().map(rows).min().unwrap_or(0);
        let blocks = u32::try_from(blocks).unwrap_or(u32::MAX);
        let settings = &self.experiment.settings;
        let elapsed = (awake_ns() - under.began_ns) as f64 / 1e9;
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
        let medians = etalon_core::analysis::medians(&data, &settings.metric);
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
}
