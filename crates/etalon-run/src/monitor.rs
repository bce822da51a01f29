//! What an executor has at hand while it executes: the experiment, its record, and whoever watches.
//!
//! Owns how often progress is computed. Refuses to decide anything.

use etalon_core::analysis::medians;
use etalon_core::model::Phase;
use etalon_core::plan::Stopping;
use etalon_probe::clock;

use crate::error::RunError;
use crate::experiment::Experiment;
use crate::record::Records;
use crate::watch::{Progress, Watcher};

/// Progress costs sorting what there is; it is kept below this share of the time.
const PROGRESS_SHARE: u64 = 200;

/// What an executor has at hand.
pub struct Monitor<'a> {
    /// What is executed.
    pub experiment: &'a Experiment,
    /// Where observations go.
    pub records: &'a Records<'a>,
    pub(crate) watcher: &'a mut dyn Watcher,
    /// Whether the user asked to stop.
    pub(crate) was_interrupted: bool,
    pub(crate) position: Position,
    next_progress_ns: u64,
}

/// Where the loop stands, for whoever watches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position {
    /// The first subject of the stage and how many it has.
    pub(crate) subject: usize,
    pub(crate) subjects: usize,
    pub(crate) phase: Phase,
    /// Measured blocks finished in the stage, and the number of the next.
    pub(crate) done: u32,
    pub(crate) next: u32,
    /// Blocks after which the loop has something to do.
    pub(crate) upto: u32,
    /// Time spent in the stage when this was written, in s, and when that was.
    pub(crate) elapsed: f64,
    pub(crate) at_ns: u64,
}

impl<'a> Monitor<'a> {
    pub(crate) fn new(
        experiment: &'a Experiment,
        records: &'a Records<'a>,
        watcher: &'a mut dyn Watcher,
    ) -> Monitor<'a> {
        let position = Position {
            subject: 0,
            subjects: 0,
            phase: Phase::Measured,
            done: 0,
            next: 0,
            upto: 0,
            elapsed: 0.0,
            at_ns: 0,
        };
        let (was_interrupted, next_progress_ns) = (false, 0);
        Monitor { experiment, records, watcher, was_interrupted, position, next_progress_ns }
    }

    /// Whether the user asked to stop since this was called last. Executors ask about ten times a second.
    pub fn interrupted(&mut self) -> bool {
        let interrupted = self.watcher.interrupted();
        self.was_interrupted |= interrupted;
        interrupted
    }

    /// Tells whoever watches how far it is, if that is due. Reads the record: executors call it where that
    /// disturbs nothing.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn progress(&mut self) -> Result<(), RunError> {
        let now = clock::now_ns();
        if !self.watcher.wants_progress() || now < self.next_progress_ns {
            return Ok(());
        }
        let progress = self.computed(now)?;
        self.watcher.progress(&progress);
        let cost = clock::now_ns() - now;
        self.next_progress_ns = now + PROGRESS_SHARE * cost;
        Ok(())
    }

    #[allow(clippy::cast_precision_loss)] // seconds
    fn computed(&self, now: u64) -> Result<Progress, RunError> {
        let Position { subject, subjects, phase, done, next, upto, elapsed, at_ns } = self.position;
        let data = self.records.read()?;
        // A batch is recorded while it is executed: the last block seen is under way.
        let under_way = self.records.last_block().map_or(0, |last| last.saturating_sub(next));
        let blocks = if phase == Phase::Measured { done + under_way } else { 0 };
        let elapsed = elapsed + now.saturating_sub(at_ns) as f64 / 1e9;
        let a_block = (blocks > 0).then(|| elapsed / f64::from(blocks));
        let rest = |of: u32| a_block.map(|a_block| a_block * f64::from(of.saturating_sub(blocks)));
        let (of, seconds_left) = match self.experiment.plan.stopping {
            Stopping::Runs(runs) => (Some(runs), rest(runs)),
            Stopping::Precision { budget, .. } | Stopping::Decided { budget } => {
                let budget = budget * subjects as f64;
                (None, rest(upto).map(|s| s.max(budget - elapsed).max(0.0)))
            }
        };
        Ok(Progress {
            subject: (self.experiment.stages.len() > 1).then_some(subject),
            warmup: phase == Phase::Warmup,
            blocks,
            of,
            medians: medians(&data, &self.experiment.settings.metric),
            seconds_left,
        })
    }
}
