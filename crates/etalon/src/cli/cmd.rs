//! Options of `etalon cmd`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use etalon_core::model::Accept;

use super::reporting::of_ranking;
use super::schedule::{Limits, Schedule, Surroundings, UntilArg, rare};
use super::{Harness, NOT_PLANNED, Nodes, Recording, Reporting, Resumption, values};
use values::StdoutArg;

/// Time whole commands and rank them
#[derive(Debug, Args)]
#[command(next_help_heading = "Commands", mut_arg("by", |arg| arg.hide(true)), mut_args(rare), mut_args(of_ranking))]
pub(crate) struct Cmd {
    /// Commands, each in one argument
    ///
    /// etalon splits a command into words as a POSIX shell does, but starts no shell; unquoted shell
    /// syntax needs --shell.
    #[arg(value_name = "COMMAND")]
    pub commands: Vec<OsString>,
    /// Read commands from a file, one a line
    ///
    /// `-` is standard input. A line `-n "name"` names the command above it; `#` begins a comment.
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    pub files: Vec<OsString>,
    /// Name the preceding command
    ///
    /// Names given before the first command go to the commands in order.
    #[arg(short = 'n', long = "name", value_name = "NAME")]
    pub names: Vec<String>,
    /// Start a shell for each: '/bin/sh -c'
    ///
    /// The command is its last argument.
    #[arg(short = 's', long, value_name = "CMD")]
    pub shell: Option<OsString>,
    /// What is filled into them.
    #[command(flatten)]
    pub scans: Scans,
    /// How much is executed.
    #[command(flatten)]
    pub amount: Amount,
    /// What is executed around the commands.
    #[command(flatten)]
    pub hooks: Hooks,
    /// What they are executed under, and what is read besides.
    #[command(flatten)]
    pub control: Control,
    /// Have the services that FILE declares there while measuring
    ///
    /// They are started before the first execution and always stopped after the last one. The file is TOML, with a
    /// table [service.NAME] for each; see the guide.
    #[arg(long = "service", value_name = "FILE", help_heading = "Execution")]
    pub services: Vec<OsString>,
    /// Whether they are harnesses.
    #[command(flatten)]
    pub harness: Harness,
    /// In which order.
    #[command(flatten)]
    pub schedule: Schedule,
    /// On which machines.
    #[command(flatten)]
    pub nodes: Nodes,
    /// Where it is kept.
    #[command(flatten)]
    pub recording: Recording,
    /// Whether it goes on with another run.
    #[command(flatten)]
    pub resumption: Resumption,
    /// What becomes of it.
    #[command(flatten)]
    pub reporting: Reporting,
}

/// When enough has been measured.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Amount")]
pub(crate) struct Amount {
    /// Executions of each command
    ///
    /// [default: until --precision or --budget]
    #[arg(short = 'r', long, allow_negative_numbers = true, value_name = "N", value_parser = values::whole(1..=10_000_000))]
    pub runs: Option<u32>,
    /// Warm-up executions, which do not count
    ///
    /// They are recorded and marked.
    #[arg(short = 'w', long, allow_negative_numbers = true, value_name = "K", default_value_t = 0, value_parser = values::whole(0..=1_000_000))]
    pub warmup: u32,
    /// Without -r, stop after this time per command
    ///
    /// [default: 10s]
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = values::duration)]
    pub budget: Option<f64>,
    /// The same for all commands together; each gets an equal part
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", conflicts_with = "budget", value_parser = values::duration)]
    pub total_budget: Option<f64>,
    /// Without -r, stop when every interval is this narrow
    ///
    /// Its half-width is at most this share of its median. [default: 2%]
    #[arg(long, allow_hyphen_values = true, value_name = "SHARE", value_parser = values::share)]
    pub precision: Option<f64>,
    /// Without -r, what ends measuring before the budget is spent
    #[arg(long, value_name = "WHAT", conflicts_with = "runs", default_value = "precision")]
    pub until: UntilArg,
    /// How few and how many.
    #[command(flatten)]
    pub limits: Limits,
    /// Say how many blocks 1, 2 and 5 % take
    ///
    /// And how long, from a pilot of 10 blocks, or as many as -r says. The pilot is saved as any run is.
    #[arg(long, conflicts_with_all = NOT_PLANNED)]
    pub plan: bool,
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
#[command(next_help_heading = "Hooks, not timed, executed by /bin/sh -c")]
pub(crate) struct Hooks {
    /// Execute CMD before each execution
    ///
    /// Give one for all commands, or one for each; so with the other hooks.
    #[arg(short = 'p', long, alias = "pre", value_name = "CMD")]
    pub prepare: Vec<OsString>,
    /// Execute CMD once before a command's first execution
    ///
    /// What a hook starts in the background, such as a server, lives until after cleanup.
    #[arg(long, value_name = "CMD")]
    pub setup: Vec<OsString>,
    /// Execute CMD after each execution
    #[arg(long, value_name = "CMD", hide = true)]
    pub conclude: Vec<OsString>,
    /// Execute CMD once after a command's last execution
    ///
    /// Also after a failure, Ctrl-C or a hang-up.
    #[arg(long, value_name = "CMD")]
    pub cleanup: Vec<OsString>,
}

/// Parameters, filled in for `{VAR}` in all texts of commands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Parameters")]
pub(crate) struct Scans {
    /// Fill each value (a,b,c) in for {VAR}
    ///
    /// Write `\,` for a comma within a value.
    #[arg(short = 'L', long = "parameter-list", value_names = ["VAR", "VALUES"], num_args = 2, allow_hyphen_values = true)]
    pub lists: Vec<String>,
    /// Fill each number from MIN to MAX in for {VAR}
    #[arg(short = 'P', long = "parameter-scan", value_names = ["VAR", "MIN", "MAX"], num_args = 3, allow_negative_numbers = true)]
    pub ranges: Vec<String>,
    /// Step of --parameter-scan: one for all, or one for each
    ///
    /// A negative step counts down. [default: 1]
    #[arg(
        long = "parameter-step-size",
        value_name = "N",
        allow_negative_numbers = true,
        hide = true
    )]
    pub steps: Vec<String>,
}

/// What commands are executed under, what they may do, and what is read of them besides.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Execution")]
pub(crate) struct Control {
    /// Accept every exit code, or these (-i=1,2)
    #[arg(short = 'i', long = "ignore-failure", value_name = "CODES", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = values::accept)]
    pub ignore_failure: Option<Accept>,
    /// End an execution that takes longer than this (5s, 200ms)
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = values::duration)]
    pub timeout: Option<f64>,
    /// Standard input of each execution [default: empty]
    #[arg(long, value_name = "FILE")]
    pub input: Option<OsString>,
    /// Where the commands' output goes: null, inherit, pipe, or a file
    #[arg(long, value_name = "WHERE", default_value = "null", value_parser = values::stdout)]
    pub stdout: StdoutArg,
    /// Let the commands write to the terminal (--stdout inherit)
    #[arg(long, conflicts_with = "stdout", hide = true)]
    pub show_output: bool,
    /// Set an environment variable for the commands (recorded)
    #[arg(long = "env", value_name = "K=V", value_parser = values::env_pair)]
    pub env: Vec<(String, String)>,
    /// Execute commands in this directory
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<OsString>,
    /// On which CPUs, how nicely.
    #[command(flatten)]
    pub surroundings: Surroundings,
    /// Address space layout randomisation
    #[arg(long, value_name = "WHICH", default_value = "keep", hide = true)]
    pub aslr: AslrArg,
    /// Count instructions exactly, too, apart from timing
    ///
    /// In two executions of a command, or five where counts differ: by the CPU where it has such a counter, else by
    /// valgrind, under which they take 9 to 178 times as long. Time, entropy and Python's hash seed are fixed for them;
    /// --count=raw leaves them as they are.
    #[arg(long, value_name = "SEEDS", num_args = 0..=1, require_equals = true, default_missing_value = "fixed", conflicts_with = "counters")]
    pub count: Option<SeedsArg>,
    /// Count events (cycles, instructions, cache misses, …) and block I/O
    ///
    /// etalon measures and reports what counting costs.
    #[arg(long)]
    pub counters: bool,
    /// Give each execution a control group of its own
    ///
    /// It accounts for all of its processes.
    #[arg(long, hide = true)]
    pub cgroup: bool,
}

impl Control {
    /// Whether standard output is shown, or goes somewhere.
    pub(crate) fn has_output(&self) -> bool {
        self.show_output || self.stdout != StdoutArg::Null
    }
}

/// `--count` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeedsArg {
    /// Alike in every execution
    Fixed,
    /// As they are
    Raw,
}

/// `--aslr` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AslrArg {
    /// As the system has it
    Keep,
    /// The same addresses in every execution
    Off,
}
