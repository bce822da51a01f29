//! The surroundings of an executor at work: the experiment, its record, and whoever watches.
//!
//! Owns how often progress is computed and told. Refuses to decide anything.

use etalon_core::analysis::medians;
use etalon_core::estimate::Estimate;
use etalon_core::model::Phase;
use etalon_core::pace::{Standing, share_of_blocks, time_left};
use etalon_core::plan::{Plan, Stopping};
use etalon_probe::clock;
use etalon_probe::launcher::awake_ns;

use crate::error::RunError;
use crate::experiment::{Experiment, Naming};
use crate::record::Records;
use crate::state::Position;
use crate::watch::{Progress, Watcher};

/// Progress costs reading, sorting and drawing; each is kept below this share of the time.
const PROGRESS_SHARE: u64 = 200;

/// How often progress is told at most: often enough to be seen to move.
const TOLD_EVERY_NS: u64 = 100_000_000;

/// How often medians are computed at most: figures that change faster cannot be read.
const MEDIANS_EVERY_NS: u64 = 500_000_000;

/// So many subjects make a block that is worth watching while it is executed.
const MANY: usize = 12;

/// How often a subject is told to be under way at most. Others wait to be measured meanwhile.
const UNDER_WAY_EVERY_NS: u64 = 1_000_000_000;

/// The surroundings of an executor at work.
pub struct Monitor<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Its plan, with the number of blocks that it turned out to take.
    pub(crate) plan: Plan,
    /// Where observations go.
    pub records: &'a Records<'a>,
    pub(crate) watcher: &'a mut dyn Watcher,
    /// Whether the user asked to stop.
    pub(crate) was_interrupted: bool,
    /// Says once that what is under way has to end, where the user has not asked for that.
    pub(crate) alarm: Option<Box<dyn FnMut() -> bool>>,
    pub(crate) position: Position,
    /// As they were computed last.
    medians: Vec<Option<Estimate>>,
    /// When medians are computed again, and when progress was and is told again.
    next_medians_ns: u64,
    told_ns: u64,
    next_told_ns: u64,
}

impl<'a> Monitor<'a> {
    pub(crate) fn new(
        experiment: &'a Experiment,
        records: &'a Records<'a>,
        watcher: &'a mut dyn Watcher,
    ) -> Monitor<'a> {
        Monitor {
            experiment,
            plan: experiment.plan.clone(),
            records,
            watcher,
            was_interrupted: false,
            alarm: None,
            position: Position::at_the_start(),
            medians: Vec::new(),
            next_medians_ns: 0,
            told_ns: 0,
            next_told_ns: 0,
        }
    }

    /// Whether what is under way has to end, because the user asked to stop since this was called last, or for another
    /// reason. Executors ask about ten times a second.
    pub fn interrupted(&mut self) -> bool {
        let interrupted = self.watcher.interrupted();
        self.was_interrupted |= interrupted;
        let alarmed = self.alarm.as_mut().is_some_and(|alarm| alarm());
        if alarmed {
            self.alarm = None;
        }
        interrupted || alarmed
    }

    /// Tells whoever watches how far it is, if that is due. Reads what is new in the record: executors call it
    /// where that disturbs nothing.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn progress(&mut self) -> Result<(), RunError> {
        let now = clock::now_ns();
        if !self.watcher.wants_progress() || now < self.next_told_ns {
            return Ok(());
        }
        let data = self.records.read()?;
        // Medians of what is not a subject are nobody's here.
        if now >= self.next_medians_ns && self.experiment.naming == Naming::Subjects {
            self.medians = medians(&data, &self.experiment.settings);
            let cost = clock::now_ns() - now;
            self.next_medians_ns = now + MEDIANS_EVERY_NS.max(PROGRESS_SHARE * cost);
        }
        drop(data);
        self.tell(None, now);
        Ok(())
    }

    /// Says which subject is under way, if nothing was told for a while. Reads nothing: executors call it between
    /// two executions.
    pub(crate) fn under_way(&mut self, subject: usize) {
        let now = clock::now_ns();
        if self.watcher.wants_progress() && now >= self.told_ns + UNDER_WAY_EVERY_NS {
            self.tell(Some(subject), now);
        }
    }

    fn tell(&mut self, under_way: Option<usize>, now: u64) {
        let Position { subjects, phase, .. } = &self.position;
        let standing = self.standing();
        let plan = &self.plan;
        let progress = Progress {
            subjects,
            under_way,
            warmup: *phase == Phase::Warmup,
            blocks: standing.blocks,
            executed: self.executed(standing.blocks),
            medians: &self.medians,
            share: share_of_blocks(plan, &standing),
            left: time_left(plan, &standing).filter(|_| *phase == Phase::Measured),
        };
        self.watcher.progress(&progress);
        let cost = clock::now_ns() - now;
        (self.told_ns, self.next_told_ns) = (now, now + TOLD_EVERY_NS.max(PROGRESS_SHARE * cost));
    }

    #[allow(clippy::cast_precision_loss)] // seconds
    fn standing(&self) -> Standing {
        let Position { subjects, before, after, phase, done, next, elapsed, at_ns } =
            &self.position;
        // A batch is recorded while it is executed: of several subjects, the last block seen is under way.
        let finished = next + u32::from(subjects.len() > 1);
        let last = self.records.last_block().map_or(0, |last| last + 1);
        let blocks =
            if *phase == Phase::Measured { done + last.saturating_sub(finished) } else { 0 };
        Standing {
            before: *before,
            subjects: subjects.len(),
            after: *after,
            blocks,
            elapsed: elapsed + awake_ns().saturating_sub(*at_ns) as f64 / 1e9,
            part: self.executed(blocks).map_or(0.0, |done| done as f64 / subjects.len() as f64),
            wanted: self.wanted(blocks),
        }
    }

    /// The subjects executed in the block under way after so many, where a block has many of them.
    fn executed(&self, blocks: u32) -> Option<usize> {
        let Position { subjects, phase, done, next, .. } = &self.position;
        let under_way = next + blocks.saturating_sub(*done);
        let is_long = subjects.len() >= MANY && *phase == Phase::Measured;
        is_long.then(|| self.records.executed_in(under_way).min(subjects.len()))
    }

    /// Blocks after which every interval of the stage should be as narrow as is wanted: they narrow with the root
    /// of the number.
    fn wanted(&self, blocks: u32) -> Option<f64> {
        let Stopping::Precision { target, .. } = self.experiment.plan.stopping else { return None };
        let of = |&subject: &usize| {
            let width = self.medians.get(subject)?.as_ref()?.relative_half_width()?;
            let wider = width / self.experiment.target(subject, target);
            Some(f64::from(blocks) * wider * wider)
        };
        let all: Option<Vec<f64>> = self.position.subjects.iter().map(of).collect();
        all?.into_iter().max_by(f64::total_cmp)
    }
}
