//! Options of `etalon ab`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, Args, Command, ValueEnum};

use super::checks::Checks;
use super::cmd::Control;
use super::compare::Show;
use super::judgement::{Judgement, of_tables};
use super::{Comparison, Harness, NOT_PLANNED_OF_TABLES, Nodes, Recording, values};

/// Compare two revisions of a project, built first, interleaved
#[derive(Debug, Args)]
#[command(next_help_heading = "Sides", mut_args(of_tables), mut_args(of_command))]
pub(crate) struct Ab {
    /// The older side: a commit, a branch, a tag
    #[arg(value_name = "BASE")]
    pub base: OsString,
    /// The newer side [default: the working tree]
    ///
    /// Of the working tree, tracked files as they are now and untracked ones that git does not ignore.
    #[arg(value_name = "HEAD")]
    pub head: Option<OsString>,
    /// The command, word by word
    ///
    /// It is executed in the directory of the side that corresponds to this one; {side} is the top of the side.
    #[arg(value_name = "COMMAND", last = true)]
    pub command: Vec<OsString>,
    /// Read commands from a file, one a line
    ///
    /// A line `-n "name"` names the command above it; `#` begins a comment.
    #[arg(short = 'f', long = "file", value_name = "FILE", conflicts_with = "command")]
    pub files: Vec<OsString>,
    /// Build each side with CMD before anything is measured
    ///
    /// By /bin/sh -c, in each copy of each side.
    #[arg(long, value_name = "CMD")]
    pub build: Option<OsString>,
    /// How they are copied.
    #[command(flatten)]
    pub copying: CopyArgs,
    /// BASE and HEAD are directories that are ready
    ///
    /// Nothing is copied or built, and there are no second builds.
    #[arg(long, requires = "head", conflicts_with_all = ["build", "along"])]
    pub dir: bool,
    /// Add the ratios to the history, under NAME
    ///
    /// BASE is their anchor. The newer side is then a commit: the one that is checked out, if no other is named.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["dir", "plan", "no_save"])]
    pub series: Option<String>,
    /// Measure only if both sides print the same
    ///
    /// Each is executed before, the base twice; standard output and exit code count.
    #[arg(long)]
    pub same_output: bool,
    /// How much is measured.
    #[command(flatten)]
    pub amount: AbAmount,
    /// What is executed around the commands.
    #[command(flatten)]
    pub hooks: AbHooks,
    /// What they are executed under.
    #[command(flatten)]
    pub control: Control,
    /// Whether they are harnesses.
    #[command(flatten)]
    pub harness: Harness,
    /// Have the services that FILE declares there while measuring
    #[arg(long = "service", value_name = "FILE", help_heading = "Execution")]
    pub services: Vec<OsString>,
    /// On which machines.
    #[command(flatten)]
    pub nodes: Nodes,
    /// Where it is kept.
    #[command(flatten)]
    pub recording: Recording,
    /// How it is shown.
    #[command(flatten)]
    pub show: Show,
    /// Say below the tables why readings differ, and what would cure it
    ///
    /// Drift, steps, several modes, a slow first reading, waiting, page faults, switches.
    #[arg(long, help_heading = "Report", conflicts_with_all = ["plan", "json", "format", "summary"])]
    pub explain_noise: bool,
    /// What has to hold.
    #[command(flatten)]
    pub checks: Checks,
    /// How it is judged.
    #[command(flatten)]
    pub judging: Judgement,
}

/// How two sides are copied, and what becomes of their builds.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Sides")]
pub(crate) struct CopyArgs {
    /// Build anew what was built before
    ///
    /// A build is kept and used again for the same files, command, variables and compilers; the report says its age. What
    /// else a build depends on, such as libraries of the system, is not known.
    #[arg(long, requires = "base")]
    pub rebuild: bool,
    /// Neither use nor keep builds
    #[arg(long, requires = "base", conflicts_with = "rebuild")]
    pub no_cache: bool,
    /// Take along PATH, which git ignores
    ///
    /// Each copy has it then, such as .env or node_modules.
    #[arg(long = "copy", value_name = "PATH", requires = "base")]
    pub along: Vec<PathBuf>,
    /// Build each side once
    ///
    /// Without second builds nobody sees a difference that building alone makes.
    #[arg(long, requires = "base")]
    pub no_control: bool,
    /// Build each side K times, its code placed otherwise each time
    ///
    /// A build command has ETALON_LAYOUT=1 … K in its environment to place code by (`etalon help layouts`); of Go, etalon
    /// does it. Intervals come from the K layouts of each side: the answer is about the code, not about two builds of it.
    #[arg(long, value_name = "K", requires = "base", conflicts_with = "no_control", value_parser = values::whole(3..=9))]
    pub layouts: Option<u32>,
}

/// Whose benchmarks are executed on two sides.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Sides")]
pub(crate) struct BenchArgs {
    /// Execute the head's benchmarks on both sides, or each side's own
    ///
    /// Of Go these are test files and testdata, of Lua the suites. A report says where they differ. [default: head; of a
    /// package of Go whose base they do not build on, own]
    #[arg(long, value_name = "SIDE", requires = "base")]
    pub bench_from: Option<BenchFrom>,
}

/// Whose benchmarks are executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchFrom {
    /// Those of the newer side.
    Head,
    /// Each side's own.
    Own,
}

/// An option of builds where a command makes them.
pub(super) fn of_command(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "rebuild" | "no_cache" => arg.requires("build"),
        _ => arg,
    }
}

/// How much is measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Amount")]
pub(crate) struct AbAmount {
    /// Measure so many blocks
    ///
    /// A block executes every command once in every copy of both sides.
    #[arg(short = 'r', long, value_name = "N", default_value_t = 30, default_value_if("plan", "true", "10"), value_parser = values::whole(1..=10_000_000))]
    pub runs: u32,
    /// Warm-up executions in each copy, which do not count
    #[arg(short = 'w', long, value_name = "K", default_value_t = 0, value_parser = values::whole(0..=1_000_000))]
    pub warmup: u32,
    /// Begin no block after this time
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub total_budget: Option<f64>,
    /// Seed of all random choices, always recorded
    ///
    /// [default: a new one]
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    pub seed: Option<u64>,
    /// Say how many blocks 1, 2 and 5 % take
    ///
    /// And how long, from a pilot of 10 blocks, or as many as -r says. The pilot is saved as any run is.
    #[arg(long, conflicts_with_all = NOT_PLANNED_OF_TABLES)]
    pub plan: bool,
}

/// Commands around the commands.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Hooks, not timed, executed by /bin/sh -c")]
pub(crate) struct AbHooks {
    /// Execute CMD before each execution, where that is executed
    #[arg(short = 'p', long, value_name = "CMD")]
    pub prepare: Option<OsString>,
    /// Execute CMD after each execution
    #[arg(long, value_name = "CMD", hide = true)]
    pub conclude: Option<OsString>,
}

impl Ab {
    /// Options that say where a record goes, how a result is shown and what it is held against, and not how it comes
    /// about.
    pub(crate) fn reporting() -> Command {
        let judged = Judgement::augment_args(Checks::augment_args(Command::new("reporting")));
        Show::augment_args(Recording::augment_args(judged))
    }

    /// What is asked of the comparison.
    pub(crate) fn comparison(&self) -> Comparison {
        let (show, checks) = (self.show.clone(), self.checks.clone());
        Comparison { show, checks, judging: self.judging.clone(), ..Comparison::default() }
    }
}
