//! Runs of an experiment: which rows each produced, and when it began.
//!
//! Owns that a record is one run, and that a source may hold several, which its reader tells apart. Refuses to
//! know what follows from it: that is the comparison's.

use super::Dataset;
use super::ids::RunSetId;
use crate::sample::{Clock, Moment, RunEnd, Sample};

/// Rows from here on are of this run of their run set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunStart {
    /// The first of them.
    pub row: u32,
    /// Whose.
    pub run_set: RunSetId,
    /// Its number within the run set, from 0.
    pub number: u32,
}

/// A run: of which run set, and its number in it.
pub type RunOf = (RunSetId, u32);

impl Dataset {
    /// Says that the rows added from now on are of this run of a run set. The first need not be said.
    pub fn begin_run(&mut self, run_set: RunSetId, number: u32) {
        let runs = &mut self.run_sets[run_set.at()].runs;
        *runs = (*runs).max(number.saturating_add(1));
        let row = u32::try_from(self.len()).unwrap_or(u32::MAX);
        self.run_starts.push(RunStart { row, run_set, number });
    }

    /// The run a row is of. O(log runs).
    #[must_use]
    pub fn run_of(&self, row: usize) -> RunOf {
        let run_set = self.run_set_of(row);
        let before = self.run_starts.partition_point(|start| start.row as usize <= row);
        let last = before.checked_sub(1).map(|at| self.run_starts[at]);
        let number = last.filter(|start| start.run_set == run_set).map_or(0, |start| start.number);
        (run_set, number)
    }

    /// Whether all rows of a run set are one run, as far as is known.
    #[must_use]
    pub(crate) fn is_one_run(&self, run_set: RunSetId) -> bool {
        self.run_sets[run_set.at()].runs <= 1
    }

    /// When a run began: by the calendar where its source says that, else its place in the source.
    #[must_use]
    pub(crate) fn began(&self, (run_set, number): RunOf) -> Option<Moment> {
        if self.is_one_run(run_set) {
            let at = self.run_sets[run_set.at()].began?;
            return Some(Moment { clock: Clock::Calendar, at });
        }
        Some(Moment { clock: Clock::Order(run_set.at()), at: f64::from(number) })
    }

    /// The sample with the runs that these rows, of one benchmark of one run set, are of.
    pub(super) fn with_runs(&self, sample: Sample, rows: &[u32]) -> Sample {
        let Some(first) = rows.first() else { return sample };
        let run = |row: &u32| self.run_of(*row as usize);
        let first = run(first);
        let ends = match self.is_one_run(first.0) || sample.len() != rows.len() {
            true => vec![self.run_end(first, sample.len())],
            false => self.run_ends(&rows.iter().map(run).collect::<Vec<RunOf>>()),
        };
        sample.in_runs(ends)
    }

    /// Where each run ends among values, given the run of each.
    #[must_use]
    pub(crate) fn run_ends(&self, runs: &[RunOf]) -> Vec<RunEnd> {
        let mut end = 0;
        let ends = runs.chunk_by(PartialEq::eq).map(|of| {
            end += of.len();
            self.run_end(of[0], end)
        });
        ends.collect()
    }

    /// Where a run ends among values, nothing being known of its waiting.
    #[must_use]
    pub(crate) fn run_end(&self, run: RunOf, end: usize) -> RunEnd {
        RunEnd { end, began: self.began(run), waited: 0.0 }
    }
}
