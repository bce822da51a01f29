//! What can be typed after `etalon run`.

use std::ffi::OsString;

use clap::Args;

use super::schedule::{Limits, Schedule, Surroundings, UntilArg};
use super::{Reporting, values};

/// Shown below its help.
pub(super) const EXAMPLES: &str = "\
Examples:
  etalon run examples/                     all suites of a directory (*_bench.lua)
  etalon run my_bench.lua --filter json    the cases whose name contains json
  etalon run -e 'return #(\"x\"):rep(100)' -e 'return 1'
  etalon report @last --format markdown    the last result again, as GitHub tables";

/// `etalon run`.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // switches as typed
pub(crate) struct Run {
    /// Suites: Lua files of any name, or directories, in which etalon searches for *_bench.lua
    #[arg(value_name = "PATH", required_unless_present_any = ["chunks", "resume"])]
    pub paths: Vec<OsString>,
    /// Measure a chunk of Lua code. etalon compares several with each other
    #[arg(short = 'e', long = "eval", value_name = "CODE")]
    pub chunks: Vec<String>,
    /// Measure only cases that match this query, in the language of compare. A word or /regexp/ is
    /// searched in names and tags. Keys are .name, .fullname, /PARAMETER, .file, group and tag
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Leave out cases that match this query
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub exclude: Option<String>,
    /// List the cases and measure nothing
    #[arg(long)]
    pub list: bool,
    /// Write each row of raw data to FILE as it is measured: BestGuess's columns in a .csv, else JSON
    /// Lines
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<OsString>,
    /// Replace an existing non-empty output file
    #[arg(long)]
    pub force: bool,
    /// Do not save the run; -o still writes it, and @last stays what it is
    #[arg(long)]
    pub no_save: bool,
    /// Execute cases in this directory [default: each suite's own; with -e the current one]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<OsString>,
    /// Resume an interrupted run (@last, @NAME, @ID, a file) in a new record, with its cases, seed and
    /// schedule. Only options for output and report may be added
    #[arg(long, value_name = "RUN")]
    pub resume: Option<OsString>,
    /// How much is measured.
    #[command(flatten)]
    pub amount: RunAmount,
    /// In which order.
    #[command(flatten)]
    pub schedule: Schedule,
    /// What is executed around the cases.
    #[command(flatten)]
    pub hooks: RunHooks,
    /// What they are executed under.
    #[command(flatten)]
    pub surroundings: Surroundings,
    /// How cases are sampled.
    #[command(flatten)]
    pub sampling: SamplingArgs,
    /// What becomes of it.
    #[command(flatten)]
    pub reporting: Reporting,
}

/// When enough has been measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Amount")]
pub(crate) struct RunAmount {
    /// Blocks, each with a fresh process per case [default: until --precision or --budget, at
    /// least 10]
    #[arg(short = 'r', long, allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub runs: Option<u32>,
    /// How few and how many.
    #[command(flatten)]
    pub limits: Limits,
    /// Without -r, what ends measuring before the budget is spent
    #[arg(long, value_name = "WHAT", conflicts_with = "runs", default_value = "precision")]
    pub until: UntilArg,
    /// Without -r, stop when the half-width of every interval is at most this share of its median
    /// [default: half of the file's rciw, else 2.5%]
    #[arg(long, allow_hyphen_values = true, value_name = "SHARE", value_parser = values::share)]
    pub precision: Option<f64>,
    /// Time per case. A block takes a twelfth of it; without -r, measuring stops when it is spent
    /// [default: 3s]
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = values::duration)]
    pub budget: Option<f64>,
    /// Time for all cases together, in place of --budget; each gets an equal part
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", conflicts_with = "budget", value_parser = values::duration)]
    pub total_budget: Option<f64>,
}

/// Commands around cases.
#[derive(Debug, Args)]
#[command(
    next_help_heading = "Hooks (commands, not timed, executed by /bin/sh -c; a suite's own hooks are separate)"
)]
pub(crate) struct RunHooks {
    /// Execute CMD once before the cases that are measured together
    #[arg(long, value_name = "CMD")]
    pub setup: Option<OsString>,
    /// Execute CMD before each process of a case, of which every block has one
    #[arg(short = 'p', long, alias = "pre", value_name = "CMD")]
    pub prepare: Option<OsString>,
    /// Execute CMD after every block, once for each process in it
    #[arg(long, value_name = "CMD")]
    pub conclude: Option<OsString>,
    /// Execute CMD once after these cases, also after a failure, Ctrl-C or a hang-up
    #[arg(long, value_name = "CMD")]
    pub cleanup: Option<OsString>,
}

impl RunAmount {
    /// As [`super::Amount::check`]; here a budget is how much time a block gets, too.
    ///
    /// # Errors
    /// In words, with what to do.
    pub(crate) fn check(&self) -> Result<(), String> {
        match (self.runs, self.precision) {
            (Some(runs), Some(_)) => Err(format!(
                "-r {runs} with --precision: each says when to stop; leave one of them out"
            )),
            (None, Some(_)) if self.until == UntilArg::Decided => Err(
                "--until decided with --precision: each says when to stop; leave one of them out"
                    .to_owned(),
            ),
            _ => Ok(()),
        }
    }
}

/// How cases are sampled.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sampling")]
pub(crate) struct SamplingArgs {
    /// In every process, call a case for this long before its first reading [default: the file's, else
    /// 50ms]
    #[arg(short = 'w', long, allow_hyphen_values = true, value_name = "TIME", value_parser = values::duration_or_zero)]
    pub warmup: Option<f64>,
    /// When garbage is collected: -1 never while sampling, 0 fully before each sample, N after each
    /// sample in steps of N KB [default: the file's, else 0]
    #[arg(long, allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(i64).range(-1..=4_294_967_295))]
    pub gc_step: Option<i64>,
    /// End a case whose loading, hook or single sample takes longer than this
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", default_value = "60s", value_parser = values::duration)]
    pub timeout: f64,
    /// Limit the memory of a case's process, such as 500MB; etalon's own limit (ulimit -v) holds too
    /// [default: half of what is available]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = values::size)]
    pub memory_limit: Option<u64>,
    /// Show the empty loop as a case of its own. etalon never subtracts it
    #[arg(long)]
    pub show_overhead: bool,
}
