//! Watching an execution: what is told, and what is asked.

use etalon_core::estimate::Estimate;
use etalon_core::pace::TimeLeft;
use etalon_record::store::NewRecord;

/// Where an execution stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress<'a> {
    /// The subjects of the stage under way.
    pub subjects: &'a [usize],
    /// The one of them that is under way, where the executor says so.
    pub under_way: Option<usize>,
    /// Whether this is warming up.
    pub warmup: bool,
    /// Blocks finished in this stage.
    pub blocks: u32,
    /// Subjects executed in the block under way, where those are many.
    pub executed: Option<usize>,
    /// Median so far of the ranked metric per benchmark, base units, with its interval.
    pub medians: &'a [Option<Estimate>],
    /// The share of all blocks that is done, where their number is known.
    pub share: Option<f64>,
    /// The time left as it is estimated now, where that can be said.
    pub left: Option<TimeLeft>,
}

/// Whoever watches an execution.
pub trait Watcher {
    /// Whether progress is worth computing.
    fn wants_progress(&self) -> bool;
    /// Called now and then while executing.
    fn progress(&mut self, progress: &Progress<'_>);
    /// So many blocks, the fewest there can be, will take this many seconds in all: longer than [`Watcher::promised`], or
    /// than the budget.
    fn will_take(&mut self, blocks: u32, seconds: f64);
    /// The seconds that everything was said to take, where that was said.
    fn promised(&self) -> Option<f64> {
        None
    }
    /// The first block of a harness is done, so that its benchmarks are known, and so many blocks are planned: the number
    /// of blocks to execute. The record holds the first; nothing is executed meanwhile.
    fn first_block(&mut self, _record: &NewRecord, planned: u32) -> u32 {
        planned
    }
    /// Whether the first block, all that is measured of an experiment of one stage up to now, has not what was asked for, so
    /// that nothing else is to be measured.
    fn refuses(&mut self, _record: &NewRecord) -> bool {
        false
    }
    /// The time that was asked for allows about so many blocks, fewer than the number that was asked for.
    fn will_allow(&mut self, _blocks: u32) {}
    /// Whether it says something after the first blocks.
    fn foresees(&self) -> bool {
        false
    }
    /// The first blocks are done, and the record holds them; about so many will be measured in all. Nothing is executed
    /// meanwhile.
    fn first_blocks(&mut self, _record: &NewRecord, _expected: u32) {}
    /// Something happened that the user should know at once.
    fn remark(&mut self, _said: &str) {}
    /// Whether the user asked to stop since this was called last.
    fn interrupted(&mut self) -> bool;
    /// A stage is done, its cleanup included, and another follows. The record holds all there is up to
    /// now and is being written on afterwards; nothing is executed meanwhile.
    fn stage_done(&mut self, record: &NewRecord);
}
