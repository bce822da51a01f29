//! The time that an experiment takes: how many blocks a limited time allows, and what turns out to take longer or shorter
//! than was said.
//!
//! Refuses to look at what was measured.

use etalon_core::pace::Pace;
use etalon_core::plan::{Stage, Stopping};

use crate::error::RunError;
use crate::execute::{Session, Under, seconds};
use crate::executor::Flow;
use crate::experiment::{Experiment, Naming};

/// After so many blocks it is known how long all of them take.
const TELLING: u32 = 3;

/// By how many times all blocks have to take longer than was said for it to be told: after the first of them, which has
/// more to do than the others, and after [`TELLING`], when what takes as many times less is told, too.
const FAR_OFF: f64 = 3.0;
const OFF: f64 = 1.25;

/// Seconds that nobody waits for: so much less need not be told.
const NOTHING: f64 = 2.0;

impl Session<'_> {
    /// The blocks that show how long all of them take: what turns out to take longer than was said is told after the first
    /// where it is far longer, else a little later, for the first has more to do than the others.
    pub(crate) fn first_and_more(&mut self, under: &mut Under, all: u32) -> Result<Flow, RunError> {
        self.foretell(under, all, |takes, said| takes <= FAR_OFF * said);
        let flow = self.blocks(under, TELLING.min(all), self.deadline(under))?;
        if flow.is_continue() && under.done > 1 {
            let is_counted = matches!(self.monitor.experiment.plan.stopping, Stopping::Runs(_));
            let is_less = |takes, said| said > OFF * takes && said > takes + NOTHING;
            let is_as_said =
                |takes, said| takes <= OFF * said && !(is_counted && is_less(takes, said));
            self.foretell(under, all, is_as_said);
        }
        Ok(flow)
    }

    /// Tells how long so many blocks of every stage take, where that is not as was said; both in s. What has to end in a
    /// limited time does.
    #[allow(clippy::cast_precision_loss)] // numbers of subjects
    fn foretell(&mut self, under: &Under, all: u32, is_as_said: impl Fn(f64, f64) -> bool) {
        let Experiment { plan, stages, .. } = self.monitor.experiment;
        let subjects = stages.iter().map(|stage| stage.subjects.len()).sum::<usize>() as f64;
        let said = self.monitor.watcher.promised();
        let promised = match plan.stopping {
            Stopping::Runs(_) => said,
            Stopping::Precision { budget, .. } | Stopping::Decided { budget } => {
                Some(said.unwrap_or(0.0).max(budget * subjects))
            }
        };
        let others = self.elapsed(under) - under.first;
        let pace = Pace { first: under.first, others, blocks: under.done };
        let Some((promised, stage)) = promised.zip(pace.seconds(all)) else { return };
        let expected = stage * subjects / under.stage.subjects.len().max(1) as f64;
        let is_limited = plan.limits.within.is_some();
        if !is_limited && !self.has_told && !is_as_said(expected, promised) {
            self.has_told = true;
            self.monitor.watcher.will_take(all, expected);
        }
    }

    /// The number of blocks, once the first is done: a harness has as many benchmarks as it turns out to have.
    pub(crate) fn blocks_to_do(&mut self, under: &Under, planned: u32) -> u32 {
        let monitor = &mut self.monitor;
        let is_of_harness = monitor.experiment.naming != Naming::Subjects && under.done == 1;
        let runs = match is_of_harness {
            true => monitor.watcher.first_block(monitor.records.record, planned).max(planned),
            false => planned,
        };
        self.monitor.plan.stopping = Stopping::Runs(runs);
        if let Some(deadline) = self.deadline(under) {
            let affordable = self.affordable(under, deadline);
            if affordable < runs {
                self.monitor.watcher.will_allow(affordable);
            }
        }
        runs
    }

    /// The number of blocks of a stage that are done by a time, at the pace of those that are done.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub(crate) fn affordable(&self, under: &Under, deadline_ns: u64) -> u32 {
        let a_block = self.elapsed(under) / f64::from(under.done.max(1));
        let left = seconds(self.executor.now_ns(), deadline_ns);
        under.done + (left / a_block.max(f64::MIN_POSITIVE)).ceil() as u32
    }

    /// When the last block of a stage may begin, where all stages together have a limited time: each has its share, and
    /// what those before it left or overdrew; setting up and warming up are part of it. The last block ends as far before
    /// that time as behind it.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub(crate) fn deadline(&self, under: &Under) -> Option<u64> {
        let Experiment { plan, stages, .. } = self.monitor.experiment;
        let within = f64::from(plan.limits.within?);
        let subjects = |of: &[Stage]| of.iter().map(|stage| stage.subjects.len()).sum::<usize>();
        let upto = subjects(stages.get(self.began.stage..=under.number).unwrap_or(stages));
        let share = upto as f64 / subjects(stages).max(1) as f64;
        let a_block = self.elapsed(under) / f64::from(under.done.max(1));
        let seconds = (within * share - a_block / 2.0).max(0.0);
        Some(self.began.at_ns + (seconds * 1e9) as u64)
    }
}
