//! What can be typed: the subcommands and their options, exactly as typed. What they mean is
//! worked out in `crate::cmd`, `crate::report` and `crate::runs`.

pub mod commands;
mod compare;
mod convert;
mod exports;
mod run;
pub mod tuning;
pub mod values;

use std::ffi::OsString;

use clap::{Arg, Args, Parser, Subcommand, ValueEnum};

use etalon_core::criteria::Margin;
use etalon_core::model::Accept;
use etalon_core::stats::Correction;
use etalon_record::open::SourceFormat;
use tuning::Tuning;
use values::{CpuList, StdoutArg};

pub use compare::{
    Compare, FailOn, NewArg, OnlyArg, OutputArg, Queries, Show, SortArg as RowSortArg, StyleArg,
    SummaryArg, ViewArg,
};
pub use convert::{Convert, To};
pub use exports::{Exports, SortArg, TimeUnitArg};
pub use run::Run;

/// Times commands in randomised blocks, keeps every observation, gives verdicts.
#[derive(Debug, Parser)]
#[command(name = "etalon", version, about, max_term_width = 100, infer_long_args = false)]
#[command(after_help = "Every execution is saved; `etalon report @last` shows it again.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Time whole commands and rank them
    #[command(after_help = CMD_EXAMPLES)]
    Cmd(Box<Cmd>),
    /// Measure functions: Lua suites and chunks of code
    #[command(after_help = RUN_EXAMPLES)]
    Run(Box<Run>),
    /// Any report from saved data, etalon's, BestGuess's, hyperfine's or Go's
    Report(Box<Report>),
    /// The same benchmarks in two or more data sets
    #[command(after_help = compare::EXAMPLES)]
    Compare(Box<Compare>),
    /// Data of any known format in another
    Convert(Convert),
    /// List, show, name and remove saved run sets
    Runs(Runs),
}

const CMD_EXAMPLES: &str = "\
Examples:
  etalon cmd -r 30 'ls -l' 'ls -lR'        30 randomised blocks of both
  etalon cmd -s '/bin/bash -c' '' 'ls -l'  what the shell costs, and what it costs with ls
  etalon cmd -o raw.csv -f commands.txt    commands from a file, raw data to a file
  etalon report @last -E                   the last result again, with every test behind it";

const RUN_EXAMPLES: &str = "\
Examples:
  etalon run examples/                     all suites of a directory (*_bench.lua)
  etalon run my_bench.lua --filter json    the cases whose name matches
  etalon run -e 'return #(\"x\"):rep(100)' -e 'return 1'
  etalon report @last --format markdown    the last result again, as GitHub tables";

/// `etalon cmd`.
#[derive(Debug, Args)]
pub struct Cmd {
    /// Commands, each one argument; split into words as a POSIX shell would, without a shell (unquoted
    /// shell syntax is refused without --shell)
    #[arg(value_name = "COMMAND")]
    pub commands: Vec<OsString>,
    /// Raw data, row by row as measured: FILE.csv in BestGuess's columns, any other name as JSON Lines
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<OsString>,
    /// Replace an existing non-empty output file
    #[arg(long)]
    pub force: bool,
    /// Do not save the run; -o still writes it, and @last stays what it is
    #[arg(long)]
    pub no_save: bool,
    /// Commands from a file, one a line (`#` comments, `-n "name"` lines; `-` is standard input)
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    pub files: Vec<OsString>,
    /// Pass each command as one argument to this program and its arguments, such as '/bin/bash -c'
    #[arg(short = 's', long, value_name = "CMD")]
    pub shell: Option<OsString>,
    /// Count non-zero exits as measured: any, or only these codes (-i=1,2)
    #[arg(short = 'i', long = "ignore-failure", value_name = "CODES", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = values::accept)]
    pub ignore_failure: Option<Accept>,
    /// Name the command before it; before the first command, names for the commands in order
    #[arg(short = 'n', long = "name", value_name = "NAME")]
    pub names: Vec<String>,
    /// End an execution that takes longer (5s, 200ms)
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = values::duration)]
    pub timeout: Option<f64>,
    /// Let the commands write to the terminal (the same as --stdout inherit)
    #[arg(long, conflicts_with = "stdout")]
    pub show_output: bool,
    /// Where the commands' output goes: null, inherit, pipe, or a file
    #[arg(long, value_name = "WHERE", default_value = "null", value_parser = values::stdout)]
    pub stdout: StdoutArg,
    /// A file each execution reads as its standard input [default: empty]
    #[arg(long, value_name = "FILE")]
    pub input: Option<OsString>,
    /// Set an environment variable for the commands (recorded)
    #[arg(long = "env", value_name = "K=V", value_parser = values::env_pair)]
    pub env: Vec<(String, String)>,
    /// The directory commands are executed in
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<OsString>,
    /// Go on with an interrupted execution (@last, @NAME, @ID, a file): same commands, seed and
    /// schedule, into a new record; takes no other options than those for output and report
    #[arg(long, value_name = "RUN")]
    pub resume: Option<OsString>,
    /// How much is executed.
    #[command(flatten)]
    pub amount: Amount,
    /// In which order.
    #[command(flatten)]
    pub schedule: Schedule,
    /// What is executed around the commands.
    #[command(flatten)]
    pub hooks: Hooks,
    /// What is filled into them.
    #[command(flatten)]
    pub scans: Scans,
    /// What they are executed under, and what is read besides.
    #[command(flatten)]
    pub control: Control,
    /// What becomes of it.
    #[command(flatten)]
    pub reporting: Reporting,
}

/// What becomes of measured data: the same wherever there are any.
#[derive(Debug, Args)]
pub struct Reporting {
    /// How to analyse.
    #[command(flatten)]
    pub analysis: Analysis,
    /// How to show it.
    #[command(flatten)]
    pub view: View,
    /// What else is written.
    #[command(flatten)]
    pub exports: Exports,
}

/// When enough has been measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Amount")]
pub struct Amount {
    /// Executions of each command [default: until --precision or --budget]
    #[arg(short = 'r', long, allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub runs: Option<u32>,
    /// Warm-up executions of each command, recorded and marked, never part of the result
    #[arg(short = 'w', long, allow_negative_numbers = true, value_name = "K", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub warmup: u32,
    /// Without -r: stop when every interval is narrow enough, or every comparison has a verdict
    /// (spends alpha over its looks)
    #[arg(long, value_name = "WHAT", conflicts_with = "runs", default_value = "precision")]
    pub until: UntilArg,
    /// Without -r: stop when every interval's half-width is at most this share of its median
    /// [default: 2%]
    #[arg(long, allow_hyphen_values = true, value_name = "SHARE", value_parser = values::share)]
    pub precision: Option<f64>,
    /// Without -r: stop when this time per command is spent [default: 10s]
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = values::duration)]
    pub budget: Option<f64>,
}

impl Amount {
    /// Whether all of it can be obeyed: a stopping rule beside a fixed number, or one beside
    /// another, would be taken and ignored.
    ///
    /// # Errors
    /// In words, with what to do.
    pub fn check(&self) -> Result<(), String> {
        let until_decided = self.until == UntilArg::Decided;
        let (what, other) = match (self.runs, self.precision, self.budget) {
            (Some(runs), Some(_), _) => (format!("-r {runs}"), "--precision"),
            (Some(runs), _, Some(_)) => (format!("-r {runs}"), "--budget"),
            (None, Some(_), _) if until_decided => ("--until decided".to_owned(), "--precision"),
            _ => return Ok(()),
        };
        Err(format!("{what} with {other}: each says when to stop; leave one of them out"))
    }
}

/// In which order commands are executed, and what is random about it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Order")]
pub struct Schedule {
    /// Randomised blocks, blocks in the order given and its reverse by turns, or all of one command
    /// and then all of the next [default: blocks; sequential if --setup or --cleanup differ]
    #[arg(long, value_name = "ORDER")]
    pub order: Option<OrderArg>,
    /// Seed of all random choices [default: a new one, recorded]
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    pub seed: Option<u64>,
    /// Enlarge the environment by another random number of bytes in every block
    #[arg(long)]
    pub randomize_env: bool,
}

/// Commands around the commands; each is one for all of them, or one for each.
#[derive(Debug, Args)]
#[command(next_help_heading = "Hooks (not timed, executed by /bin/sh -c)")]
pub struct Hooks {
    /// Execute CMD once before a command's first execution; one for all commands, or one for each
    #[arg(long, value_name = "CMD")]
    pub setup: Vec<OsString>,
    /// Execute CMD before each execution
    #[arg(short = 'p', long, alias = "pre", value_name = "CMD")]
    pub prepare: Vec<OsString>,
    /// Execute CMD after each execution
    #[arg(long, value_name = "CMD")]
    pub conclude: Vec<OsString>,
    /// Execute CMD once after a command's last execution, also after a failure, Ctrl-C or a hang-up
    #[arg(long, value_name = "CMD")]
    pub cleanup: Vec<OsString>,
}

/// Parameters, filled in for `{VAR}` in commands, hooks and names.
#[derive(Debug, Args)]
#[command(next_help_heading = "Parameters")]
pub struct Scans {
    /// Repeat for VAR each of these, separated by commas (`\,` is one within a value)
    #[arg(short = 'L', long = "parameter-list", value_names = ["VAR", "VALUES"], num_args = 2, allow_hyphen_values = true)]
    pub lists: Vec<String>,
    /// Repeat for VAR each number from MIN to MAX
    #[arg(short = 'P', long = "parameter-scan", value_names = ["VAR", "MIN", "MAX"], num_args = 3, allow_negative_numbers = true)]
    pub ranges: Vec<String>,
    /// The step of --parameter-scan, one for all or one for each; negative to go down [default: 1]
    #[arg(long = "parameter-step-size", value_name = "N", allow_negative_numbers = true)]
    pub steps: Vec<String>,
}

/// What commands are executed under, and what is read of them besides.
#[derive(Debug, Args)]
#[command(next_help_heading = "Control")]
pub struct Control {
    /// Execute commands on these CPUs only: numbers and ranges, such as 0,2-3
    #[arg(long, value_name = "LIST", value_parser = values::cpus)]
    pub cpu: Option<CpuList>,
    /// The commands' niceness, -20 (favoured, needs a privilege) to 19
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-20..=19))]
    pub nice: Option<i32>,
    /// Address space layout randomisation: off gives every execution the same addresses
    #[arg(long, value_name = "WHICH", default_value = "keep")]
    pub aslr: AslrArg,
    /// Count events (cycles, instructions, cache misses, …) and block I/O; the cost is measured and
    /// reported
    #[arg(long)]
    pub counters: bool,
    /// Give each execution a control group, which sees whole process trees
    #[arg(long)]
    pub cgroup: bool,
}

/// `etalon report`.
#[derive(Debug, Args)]
#[command(mut_args(as_recorded))]
pub struct Report {
    /// Files (- is standard input), or saved run sets: @last, @-2 (the one before), @NAME, @ID
    #[arg(value_name = "DATA", required = true)]
    pub data: Vec<OsString>,
    /// Treat unreadable lines as errors
    #[arg(long)]
    pub strict: bool,
    /// What the files are: auto, etalon, bestguess, bestguess-linux (peak memory in KiB), hyperfine,
    /// go
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = values::from)]
    pub from: SourceFormat,
    /// What becomes of it.
    #[command(flatten)]
    pub reporting: Reporting,
}

/// The options of an analysis where the data say what was asked for: that comes before any default.
fn as_recorded(arg: Arg) -> Arg {
    let of_analysis = ["metric", "margin", "alpha", "confidence", "correction"];
    match arg.get_help() {
        Some(help) if of_analysis.contains(&arg.get_id().as_str()) => {
            let help = help.to_string().replace("[default: ", "[default: as recorded, else ");
            arg.help(help)
        }
        _ => arg,
    }
}

/// Options of every command that analyses. Absent means: as recorded with the data.
#[derive(Debug, Args)]
#[command(next_help_heading = "Analysis")]
pub struct Analysis {
    /// The metric that is ranked: cpu, wall, user, sys, rss, faults, csw, … [default: cpu; wall of
    /// functions and where CPU times are missing]
    #[arg(long, value_name = "NAME")]
    pub metric: Option<String>,
    /// Compare the others with this one (a name or a command) instead of all pairs (of functions:
    /// instead of the first)
    #[arg(long, value_name = "NAME")]
    pub reference: Option<String>,
    /// Differences within this count as the same: 1%, or an amount such as 200us or 10B, for metrics
    /// of that kind only [default: 1%]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = values::margin)]
    pub margin: Option<Margin>,
    /// Call a difference one only if its interval lies wholly beyond 1 ± this (5%)
    #[arg(long, allow_hyphen_values = true, value_name = "SHARE", value_parser = values::share)]
    pub at_least: Option<f64>,
    /// Significance level [default: 0.05]
    #[arg(long, allow_hyphen_values = true, value_name = "P", value_parser = values::open_unit)]
    pub alpha: Option<f64>,
    /// Level of the intervals [default: 95%]
    #[arg(long, allow_hyphen_values = true, value_name = "LEVEL", value_parser = values::level)]
    pub confidence: Option<f64>,
    /// Correction for several comparisons [default: holm]
    #[arg(long, value_name = "HOW", value_parser = values::correction)]
    pub correction: Option<Correction>,
    /// As BestGuess has them: width=COLUMNS, alpha=P, effect=N (--margin in µs), and as further
    /// conditions of a difference epsilon=N (µs the interval is moved by) and super=P (how often the
    /// slower one may be better)
    #[arg(short = 'x', value_name = "KEY=VALUE", value_parser = tuning::parse)]
    pub tuning: Vec<Tuning>,
}

/// Options of every command that shows a report.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
#[allow(clippy::struct_excessive_bools)] // switches as typed; their meaning is `terminal::View`
pub struct View {
    /// Only CPU time and wall clock of each command; of functions, memory and times
    #[arg(short = 'M', long, conflicts_with = "no_stats")]
    pub mini_stats: bool,
    /// Only the ranking, and what else is asked for
    #[arg(short = 'N', long)]
    pub no_stats: bool,
    /// A bar per execution or sample, scaled to the maximum
    #[arg(short = 'G', long)]
    pub graph: bool,
    /// Box plots of all commands on one axis
    #[arg(short = 'B', long)]
    pub boxplot: bool,
    /// How each command's values are distributed, and how far from normal
    #[arg(short = 'D', long)]
    pub dist_stats: bool,
    /// The tail of each command's values
    #[arg(short = 'T', long)]
    pub tail_stats: bool,
    /// Every test behind the ranking, with its settings
    #[arg(short = 'E', long)]
    pub explain: bool,
    /// All that the errors of cases say, instead of their first and last lines
    #[arg(long)]
    pub full: bool,
    /// The analysis as one JSON document (the same as --format json)
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// How the report is written
    #[arg(long, value_name = "FORMAT", default_value = "terminal")]
    pub format: FormatArg,
    /// No progress and no remarks on standard error
    #[arg(long)]
    pub quiet: bool,
}

/// `etalon runs`.
#[derive(Debug, Args)]
pub struct Runs {
    /// What to do with them; list without
    #[command(subcommand)]
    pub action: Option<RunsAction>,
}

/// Actions on saved run sets.
#[derive(Debug, Subcommand)]
pub enum RunsAction {
    /// All saved run sets, newest first
    List,
    /// Facts recorded with a run set
    Show {
        /// @last, @-2, @NAME or @ID
        run: String,
    },
    /// Give a run set a name to be found by, as @NAME
    Name {
        /// @last, @-2, @NAME or @ID
        run: String,
        /// Letters, digits, `.`, `_`, `-`
        name: String,
    },
    /// Remove run sets
    Remove {
        /// @last, @-2, @NAME or @ID
        #[arg(required = true)]
        runs: Vec<String>,
    },
}

/// `--format` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// For reading
    Terminal,
    /// GitHub tables
    Markdown,
    /// A row per benchmark, as --export-csv
    Csv,
    /// One document
    Json,
}

/// `--order` as typed.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum OrderArg {
    /// Randomised blocks
    Blocks,
    /// Blocks in the order given and its reverse by turns
    Abba,
    /// One command after the other
    Sequential,
}

/// `--until` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UntilArg {
    /// Every interval is narrow enough
    Precision,
    /// Every comparison has a verdict
    Decided,
}

/// `--aslr` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AslrArg {
    /// As the machine has it
    Keep,
    /// The same addresses in every execution
    Off,
}
