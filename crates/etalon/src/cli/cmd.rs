//! What can be typed after `etalon cmd`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use etalon_core::model::Accept;

use super::schedule::{Schedule, Surroundings, UntilArg};
use super::{Reporting, values};
use values::StdoutArg;

/// Shown below its help.
pub(super) const EXAMPLES: &str = "\
Examples:
  etalon cmd -r 30 'ls -l' 'ls -lR'        30 randomised blocks of both
  etalon cmd -s '/bin/bash -c' '' 'ls -l'  what the shell costs, and what it costs with ls
  etalon cmd -o raw.csv -f commands.txt    commands from a file, raw data to a file
  etalon report @last -E                   the last result again, with every test behind it";

/// `etalon cmd`.
#[derive(Debug, Args)]
pub(crate) struct Cmd {
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

/// When enough has been measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Amount")]
pub(crate) struct Amount {
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
    /// The same for all commands together, divided among them
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", conflicts_with = "budget", value_parser = values::duration)]
    pub total_budget: Option<f64>,
}

impl Amount {
    /// Whether all of it can be obeyed: a stopping rule beside a fixed number, or one beside
    /// another, would be taken and ignored.
    ///
    /// # Errors
    /// In words, with what to do.
    pub(crate) fn check(&self) -> Result<(), String> {
        let until_decided = self.until == UntilArg::Decided;
        let (what, other) = match (self.runs, self.precision, self.budget.or(self.total_budget)) {
            (Some(runs), Some(_), _) => (format!("-r {runs}"), "--precision"),
            (Some(runs), _, Some(_)) => {
                let budget = if self.budget.is_some() { "--budget" } else { "--total-budget" };
                (format!("-r {runs}"), budget)
            }
            (None, Some(_), _) if until_decided => ("--until decided".to_owned(), "--precision"),
            _ => return Ok(()),
        };
        Err(format!("{what} with {other}: each says when to stop; leave one of them out"))
    }
}

/// Commands around the commands; each is one for all of them, or one for each.
#[derive(Debug, Args)]
#[command(next_help_heading = "Hooks (not timed, executed by /bin/sh -c)")]
pub(crate) struct Hooks {
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
pub(crate) struct Scans {
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
pub(crate) struct Control {
    /// On which CPUs, how nicely.
    #[command(flatten)]
    pub surroundings: Surroundings,
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

/// `--aslr` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AslrArg {
    /// As the machine has it
    Keep,
    /// The same addresses in every execution
    Off,
}
