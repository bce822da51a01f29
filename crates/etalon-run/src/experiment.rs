//! An experiment as the executor takes it: everything decided, nothing typed. And what whoever
//! watches is told.

use std::fs::File;
use std::path::PathBuf;

use etalon_core::model::{Context, Metric, Note};
use etalon_core::plan::{Plan, Settings};
use etalon_probe::launcher::protocol::{Cgroup, Command, Control, Counters, Execute, Stdio};
use etalon_record::raw::Unfinished;
use etalon_record::store::NewRecord;
use etalon_record::{BenchmarkLine, Text};

/// Everything an execution needs to know.
#[derive(Debug)]
pub struct Experiment {
    /// The benchmarks as the record keeps them.
    pub benchmarks: Vec<BenchmarkLine>,
    /// The commands behind them, in the same order.
    pub commands: Vec<Command>,
    /// What is executed once before and once after them, in the same order.
    pub around: Vec<Around>,
    /// What is measured.
    pub metrics: Vec<Metric>,
    /// Order, number, stopping rule, seed.
    pub plan: Plan,
    /// What the analysis is asked for; the stopping rule looks at its metric.
    pub settings: Settings,
    /// The commands' environment, `NAME=VALUE`.
    pub environment: Vec<Text>,
    /// The absolute directory they are executed in.
    pub cwd: PathBuf,
    /// Where they read and write.
    pub stdio: Stdio,
    /// Longest time one execution may take, in ns.
    pub timeout_ns: Option<u64>,
    /// What they are executed under.
    pub control: Control,
    /// Whether events are counted.
    pub counters: Counters,
    /// Whether each execution gets a control group.
    pub cgroup: Cgroup,
    /// Facts about machine and tool.
    pub context: Context,
    /// The tool and its version, for the record.
    pub tool: String,
    /// The command line, for the record.
    pub argv: Vec<Text>,
    /// Remarks about the experiment itself, for the record.
    pub notes: Vec<Note>,
    /// The record it goes on from, if it is not a new experiment.
    pub resumed: Option<Resumed>,
}

/// An execution that is gone on with.
#[derive(Debug)]
pub struct Resumed {
    /// What it is called.
    pub id: String,
    /// What there is of it.
    pub record: Unfinished,
}

/// What is executed once around all executions of a command in a stage.
#[derive(Debug, Clone, Default)]
pub struct Around {
    /// Before the first.
    pub setup: Option<Execute>,
    /// After the last, also after a failure or an interrupt.
    pub cleanup: Option<Execute>,
}

/// The second place observations go to, besides the saved record (`-o`).
#[derive(Debug)]
pub struct Output {
    /// The open file; written at its end.
    pub file: File,
    /// Its name, for errors.
    pub path: PathBuf,
    /// What its lines are.
    pub format: Format,
}

/// What the lines of the second file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A record like the saved one.
    Record,
    /// CSV rows in BestGuess's columns.
    Rows,
}

/// Where an execution stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Index of the command a sequential stage executes; absent when all share the blocks.
    pub command: Option<usize>,
    /// Whether this is warming up.
    pub warmup: bool,
    /// Blocks finished in this stage.
    pub blocks: u32,
    /// Blocks that are planned for it, where that is known.
    pub of: Option<u32>,
    /// Median so far of the ranked metric per command, base units.
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
