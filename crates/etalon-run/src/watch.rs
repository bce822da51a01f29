//! What whoever watches an execution is told, and asked.

use etalon_record::store::NewRecord;

/// Where an execution stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// The first subject of the stage under way; absent where there is one stage.
    pub subject: Option<usize>,
    /// Whether this is warming up.
    pub warmup: bool,
    /// Blocks finished in this stage.
    pub blocks: u32,
    /// Blocks that are planned for it, where that is known.
    pub of: Option<u32>,
    /// Median so far of the ranked metric per subject, base units.
    pub medians: Vec<Option<f64>>,
    /// Seconds left at most, where that can be said.
    pub seconds_left: Option<f64>,
}

/// Whoever watches an execution.
pub trait Watcher {
    /// Whether progress is worth computing.
    fn wants_progress(&self) -> bool;
    /// Called now and then while executing.
    fn progress(&mut self, progress: &Progress);
    /// Ten blocks alone will take this many seconds, much longer than the budget.
    fn will_take(&mut self, seconds: f64);
    /// Whether the user asked to stop since this was called last.
    fn interrupted(&mut self) -> bool;
    /// A stage is done, its cleanup included, and another follows. The record holds all there is up to
    /// now and is being written on afterwards; nothing is executed meanwhile.
    fn stage_done(&mut self, record: &NewRecord);
}
