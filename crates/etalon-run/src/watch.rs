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
    /// The fewest blocks alone will take this many seconds, much longer than the budget.
    fn will_take(&mut self, blocks: u32, seconds: f64);
    /// Whether it says something after the first blocks.
    fn foresees(&self) -> bool {
        false
    }
    /// The first blocks are done, and the record holds them; about so many will be measured in all. Nothing is executed
    /// meanwhile.
    fn first_blocks(&mut self, _record: &NewRecord, _expected: u32) {}
    /// Whether the user asked to stop since this was called last.
    fn interrupted(&mut self) -> bool;
    /// A stage is done, its cleanup included, and another follows. The record holds all there is up to
    /// now and is being written on afterwards; nothing is executed meanwhile.
    fn stage_done(&mut self, record: &NewRecord);
}
