//! What is executed and measured: subjects, metrics that they print, and how it is measured.

use indexmap::IndexMap;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Placed, Where};

/// What is executed for each combination of values.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Subject {
    /// What it is called, beside the values. Without one, as the experiment.
    pub(crate) name: Option<Placed>,
    /// The command. No shell reads it. `etalon` as its first word is the etalon that measures, so that
    /// `etalon lua FILE` needs no installed Lua.
    pub(crate) command: Option<Placed>,
    /// A Lua suite instead of a command, relative to this file. Of a suite whose cases have a param that is called like
    /// an axis, a combination measures the cases with its value.
    pub(crate) suite: Option<Placed>,
    /// A package of Go instead of a command, as `go test` names it, relative to this file: its test binary is built once.
    pub(crate) go: Option<Placed>,
    /// Its benchmarks that a combination executes, as `go test -bench` takes them. Without any, the one that the axis
    /// `benchmark` names: `Join/small` is `^BenchmarkJoin$/^small$`.
    pub(crate) bench: Option<Placed>,
    /// How long or how often, as `go test -benchtime` takes it: `100ms`, `50x`.
    pub(crate) benchtime: Option<Placed>,
    /// What is handed to the test binary besides, such as `-integration`.
    pub(crate) arguments: Option<Placed>,
    /// The Lua that executes the suite: `embedded`, `openresty`, a program in PATH or its path. Without one, embedded.
    pub(crate) lua: Option<Placed>,
    /// What the JIT compiler of that Lua does: `on` or `off`.
    pub(crate) jit: Option<Placed>,
    /// Only these combinations: by axis a value or several.
    #[serde(default)]
    pub(crate) only: Where,
    /// A command without whose success a subject is `not installed`, and not an error. Executed once before it, by
    /// /bin/sh -c.
    pub(crate) requires: Option<Placed>,
    /// Variables of its environment.
    #[serde(default)]
    pub(crate) env: IndexMap<String, Placed>,
    /// The directory it is executed in. Without one, that of the file.
    pub(crate) cwd: Option<Placed>,
    /// Executed before each execution, not timed, by /bin/sh -c.
    pub(crate) prepare: Option<Placed>,
    /// Executed after each execution, not timed, by /bin/sh -c.
    pub(crate) conclude: Option<Placed>,
    /// Executed once before it, by /bin/sh -c.
    pub(crate) setup: Option<Placed>,
    /// Executed once after it, by /bin/sh -c.
    pub(crate) cleanup: Option<Placed>,
    /// Exit codes besides 0 that count as success.
    #[serde(default)]
    pub(crate) exit_codes: Vec<i32>,
}

/// A number that programs print.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Metric {
    /// Its unit: ns, us, ms, s, B, kB, MB, KiB, MiB, count or any other word. A number that is printed with another unit
    /// of the same kind is converted.
    pub(crate) unit: String,
    /// It stands in the line that begins with this name: `name value unit`, `name: value`, `name = value`. Without any
    /// place, in the line that begins with the metric's name.
    pub(crate) line: Option<Placed>,
    /// It stands at this path in a JSON document that is printed, whole or as a line: `times.0.pack`.
    pub(crate) json: Option<Placed>,
    /// It is what the first group of this regular expression matches, or all of it.
    pub(crate) pattern: Option<Placed>,
    /// It stands in a Go benchmark line before this unit: `ns/op`, or `BenchmarkJoin ns/op` where there are several.
    pub(crate) go: Option<Placed>,
    /// Which way it is better.
    #[serde(default)]
    pub(crate) better: Better,
    /// Whether repeated readings scatter. Exact ones are compared as they are.
    #[serde(default)]
    pub(crate) kind: Kind,
    /// What the printed number is of. Per iteration, it is divided by what `measure.iterations` says.
    #[serde(default)]
    pub(crate) per: Per,
}

/// Which way a number is better.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Better {
    /// The smaller.
    #[default]
    Lower,
    /// The larger.
    Higher,
    /// It is shown and never judged.
    Neither,
}

/// Whether readings scatter.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// They do.
    #[default]
    Noisy,
    /// They are the same every time.
    Exact,
}

/// What a number is of.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Per {
    /// One execution of the command, or what it says itself.
    #[default]
    Invocation,
    /// All iterations of an execution together.
    Iteration,
}

/// How it is measured.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Measure {
    /// Executions of each cell, or processes of each case. Without a number, 10, or as many as a verdict on a row of the first table needs.
    pub(crate) runs: Option<Placed<u32>>,
    /// Executions of each cell before the measured ones.
    pub(crate) warmup: Option<Placed<u32>>,
    /// The longest that an execution may take, such as `60s`. One that takes longer is ended, and shown as that.
    pub(crate) timeout: Option<Placed>,
    /// The longest that all of it may take, such as `2h`: no block is begun after that.
    pub(crate) budget: Option<Placed>,
    /// In which order cells are executed.
    #[serde(default)]
    pub(crate) order: Order,
    /// The seed of all random choices. Without one, a new one, which is recorded.
    pub(crate) seed: Option<u64>,
    /// The metric that is shown while measuring. Without one, the first that is declared, else wall.
    pub(crate) metric: Option<Placed>,
    /// Where a program prints how often it repeated its work, for metrics per iteration: the name of a line.
    pub(crate) iterations: Option<Placed>,
    /// The commands are harnesses: the format of their results, as `etalon help harnesses` lists them, with `=PATH` behind it
    /// where these are in a file of their own. Every benchmark in them is measured beside the command. In commands and
    /// their environments `{results}` is the path to write them to; without it they are read from standard output.
    pub(crate) results: Option<Placed>,
    /// Instructions are counted, too, apart from timing: `fixed`, with time, entropy and hash seeds the same in every
    /// execution that is counted, or `raw`, as they are. The metric is `instructions`.
    pub(crate) count: Option<Placed<Seeds>>,
    /// Measured on other machines, as `--on` says it: `ssh:HOST,HOST`. Obeyed only together with the same `--on` on the
    /// command line.
    pub(crate) on: Option<Placed>,
    /// The most cells that are measured side by side. A larger matrix is measured in stages, rows of the first table
    /// undivided.
    pub(crate) stage: Option<Placed<usize>>,
}

/// The seeds of programs whose instructions are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Seeds {
    /// Alike in every execution.
    Fixed,
    /// As they are.
    Raw,
}

/// An order of execution.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Order {
    /// Blocks of every cell once, each in a new random order.
    #[default]
    Blocks,
    /// Blocks in the order of the file and its reverse, in turns.
    Abba,
    /// All executions of a cell, then all of the next. Verdicts then need runs.
    Sequential,
}

/// A file that is written before everything.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Generated {
    /// What stands in it.
    pub(crate) text: String,
}
