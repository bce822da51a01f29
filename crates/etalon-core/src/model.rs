//! The model: what was declared, what was executed, what one reading produced.
//!
//! Plain public data, shared by the record (which reads and writes it), the executors (which
//! produce it) and the analysis (which reads it). No behaviour beyond derived facts; nothing
//! here knows about files, clocks or statistics. What is kept of all executions is
//! [`crate::dataset`]; samples are made there.

use std::collections::BTreeMap;

use crate::metrics;
use crate::units::Unit;

mod bisection;
mod case;
mod harness;
mod node;
mod not_started;
mod note;
mod outcomes;
mod service;
mod sides;
mod stop_signal;

pub use bisection::{Bisection, COMMIT, Commit};
pub use case::{Case, CaseHost, Collector, EMPTY_LOOP, Sampling, Warmup};
pub use harness::Harness;
pub use node::{BlockOfTwo, Node, Nodes, Stay};
pub use not_started::NotStarted;
pub use note::{Note, NoteCode};
pub use outcomes::OutcomeCounts;
pub use service::{Service, ServiceEnd};
pub use sides::{BASE, BUILD, HEAD, SIDE, SaidBy, Sides, place_of};
pub use stop_signal::StopSignal;

/// Which way a metric is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Smaller values are better (times, memory).
    Lower,
    /// Larger values are better (throughput).
    Higher,
    /// Neither; the metric is shown and never judged.
    Neither,
}

/// Whether repeated readings of a metric scatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Readings scatter; differences need statistics.
    Noisy,
    /// Readings are deterministic; values are compared as they are.
    Exact,
}

/// The thing that a recorded value is of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Per {
    /// The whole observation.
    #[default]
    Observation,
    /// The whole observation, and to be read per iteration: columns hold value over iterations.
    Iteration,
}

/// A named quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// The name used on the command line and in the record, such as `wall`.
    pub name: String,
    /// The unit values are recorded in.
    pub unit: Unit,
    /// Which way is better.
    pub direction: Direction,
    /// Whether readings scatter.
    pub kind: Kind,
    /// The smallest step the metric's source can show, in base units, where it is known.
    pub resolution: Option<f64>,
    /// The thing that a recorded value is of.
    pub per: Per,
}

impl Metric {
    /// One of commands as most are: it scatters, less of it is better, an observation has one value, and nothing is known
    /// of its steps.
    #[must_use]
    pub fn new(name: impl Into<String>, unit: &str) -> Metric {
        let (direction, kind, per) = (Direction::Lower, Kind::Noisy, Per::Observation);
        Metric { name: name.into(), unit: Unit::new(unit), direction, kind, resolution: None, per }
    }
}

impl Metric {
    /// Whether it is of work that was counted exactly; also of a unit of tables.
    #[must_use]
    pub fn is_of_work(&self) -> bool {
        self.kind == Kind::Exact && metrics::by_unit(&self.name) == metrics::INSTRUCTIONS
    }
}

/// A benchmark's identity: name and ordered parameters, nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BenchmarkKey {
    /// The name it is shown under.
    pub name: String,
    /// Parameter names and values, in the order they were declared.
    pub params: Vec<(String, String)>,
}

impl BenchmarkKey {
    /// The name of a command: with those parameters behind it whose values do not stand
    /// in it, `x 5 [m=0.2]`, and always its side and build, which no name is made of. The empty command has no name of
    /// its own.
    #[must_use]
    pub fn label(&self) -> String {
        let is_of_side = self.params.iter().any(|(key, side)| key == SIDE && sides::is_one(side));
        self.with_params(|key, value| {
            is_of_side && [SIDE, BUILD].contains(&key) || !self.name.contains(value)
        })
    }

    /// The name with all parameters behind it.
    #[must_use]
    pub(crate) fn full_label(&self) -> String {
        self.with_params(|_, _| true)
    }

    /// The name with the parameters behind it that are to be shown.
    fn with_params(&self, shown: impl Fn(&str, &str) -> bool) -> String {
        let name = if self.name.is_empty() { "(empty)" } else { &self.name };
        let params = self.params.iter().filter(|(key, value)| shown(key, value));
        let params: Vec<String> = params.map(|(key, value)| format!("{key}={value}")).collect();
        if params.is_empty() { name.to_owned() } else { format!("{name} [{}]", params.join(", ")) }
    }
}

/// Which non-zero exit codes count as a completed execution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Accept {
    /// Only 0.
    #[default]
    Zero,
    /// Any exit code. Death by a signal, a timeout or a failed start is still none.
    Any,
    /// 0 and these.
    Codes(Vec<i32>),
}

impl Accept {
    /// Whether an execution that ended this way is measured material.
    #[must_use]
    pub fn accepts(&self, outcome: &Outcome) -> bool {
        match (outcome, self) {
            (Outcome::Ok, _) | (Outcome::Failed { .. }, Accept::Any) => true,
            (Outcome::Failed { code }, Accept::Codes(codes)) => codes.contains(code),
            _ => false,
        }
    }
}

/// Whether rows of a benchmark are readings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Level {
    /// Single readings.
    #[default]
    Readings,
    /// Centres alone, as some harnesses write them: they are shown, and nothing can be tested.
    Summary,
}

/// A declared benchmark.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Benchmark {
    /// Name and parameters: its identity.
    pub key: BenchmarkKey,
    /// The command, as the user typed it (lossy where it is not UTF-8; the record keeps the
    /// bytes). `None` where a foreign source does not say.
    pub command: Option<String>,
    /// The program and arguments its command is handed to, where one was asked for.
    pub shell: Option<String>,
    /// A hash of its program, or its suite's file, where that is known: which code it is.
    pub hash: Option<Box<str>>,
    /// Which outcomes count.
    pub accept: Accept,
    /// Whether its rows are readings.
    pub level: Level,
    /// Where it is declared and how it is sampled, if it is a function.
    pub case: Option<Case>,
}

impl Benchmark {
    /// One of that name alone.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Benchmark {
        let key = BenchmarkKey { name: name.into(), params: Vec::new() };
        Benchmark { key, ..Benchmark::default() }
    }

    /// Its name: a command as its key says; a case with all its parameters, because its name is
    /// not made of them and a value that stands in it by chance says nothing.
    #[must_use]
    pub fn label(&self) -> String {
        match self.case {
            Some(_) => self.key.full_label(),
            None => self.key.label(),
        }
    }

    /// The file and the group that declare it, and its key: two benchmarks of a run set with the same are one. What it
    /// is called, and what it executes, are no part of it.
    #[must_use]
    pub(crate) fn identity(&self) -> (Option<(&str, Option<&str>)>, &BenchmarkKey) {
        (self.case.as_ref().map(Case::place), &self.key)
    }

    /// The level of its intervals that its file asks for.
    #[must_use]
    pub fn asked_level(&self) -> Option<f64> {
        self.case.as_ref().map(|case| case.sampling.confidence)
    }
}

/// How one execution ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Exit code 0.
    Ok,
    /// A non-zero exit code.
    Failed {
        /// The exit code.
        code: i32,
    },
    /// Ended by a signal. A [`StopSignal`] here means that it stopped itself, and was ended for it.
    Killed {
        /// The signal number.
        signal: i32,
    },
    /// Ended because it took longer than the timeout.
    TimedOut,
    /// It came to its end, but was continued after a stop in between (Ctrl-Z and `fg`): its times
    /// hold the pause. However it ended, it is no measurement, and no failure either.
    Suspended,
    /// It was not executed.
    NotStarted {
        /// The reason.
        why: NotStarted,
    },
}

impl Outcome {
    /// Whether the execution failed, was killed or timed out.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(self, Outcome::Failed { .. } | Outcome::Killed { .. } | Outcome::TimedOut)
    }

    /// Whether a run fails that has it among what does not count.
    #[must_use]
    pub fn fails_its_run(&self) -> bool {
        match self {
            Outcome::NotStarted { why } => why.is_failure(),
            outcome => outcome.is_failure(),
        }
    }
}

/// Whether an observation is part of the result or came before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Executed to warm up; recorded, never part of a sample.
    Warmup,
    /// Part of the result.
    Measured,
}

/// A recorded number: an integer stays one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer as it was read.
    Integer(i64),
    /// A finite floating-point number.
    Float(f64),
}

impl Number {
    /// The nearest double. (Exact up to 2⁵³ ns, 104 days.)
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // stated above
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Integer(i) => i as f64,
            Number::Float(x) => x,
        }
    }
}

/// Where an observation belongs. Blocks are numbered within one run set; two observations pair only
/// if they share a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coordinates {
    /// The number of the machine among the [nodes](Nodes) of the run set; absent where it was executed on one.
    pub node: Option<u32>,
    /// The block, counted from 0 within its phase, over all nodes; absent in data that has no blocks.
    pub block: Option<u32>,
    /// The turn within the block, where a block holds several observations of a benchmark; those of
    /// one turn were made side by side.
    pub turn: Option<u32>,
    /// Nanoseconds from the start of the run set (on a node: of what this node executes of it) to the start of this
    /// execution, where known. Clocks of nodes are not related.
    pub at_ns: Option<u64>,
}

/// The product of one reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Index into the run set's benchmarks.
    pub benchmark: usize,
    /// Warm-up or result.
    pub phase: Phase,
    /// Where it belongs.
    pub coordinates: Coordinates,
    /// How it ended.
    pub outcome: Outcome,
    /// Descendants that were still alive at its end and were killed.
    pub orphans: u32,
    /// How often the benchmark was repeated within it, where that is more than a program's one time; a foreign
    /// source may say 0 or less.
    pub iterations: Option<i64>,
    /// Values as recorded, by index into the run set's metrics; what was not available is not here.
    pub values: Vec<(usize, Number)>,
}

impl Observation {
    /// One that ended well and left nothing behind.
    #[must_use]
    pub fn new(
        benchmark: usize,
        phase: Phase,
        coordinates: Coordinates,
        values: Vec<(usize, Number)>,
    ) -> Observation {
        let (outcome, orphans, iterations) = (Outcome::Ok, 0, None);
        Observation { benchmark, phase, coordinates, outcome, orphans, iterations, values }
    }
}

/// Facts about machine, tool and environment, by name, in a fixed order. Never part of a key.
pub type Context = BTreeMap<String, String>;

/// The outcome of a run in a few words, for a line of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The benchmark it is about, where it is about one of several.
    pub about: Option<String>,
    /// The words, such as `1.18 × faster`.
    pub text: String,
}

impl Answer {
    /// One about no benchmark more than about another.
    #[must_use]
    pub fn about_all(text: impl Into<String>) -> Answer {
        Answer { about: None, text: text.into() }
    }
}
