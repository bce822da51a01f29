//! Options of `etalon bisect`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, Args};

use super::ab::{AbHooks, of_command};
use super::cmd::Control;
use super::{CopyArgs, Harness, Page, Recording, Resumption, values};

/// Find the commit that made a command slower or faster
///
/// Both ends are measured first, with second builds. If they differ, commits between them are built and measured beside
/// both ends until one is named, and that one and its neighbour are measured again.
#[derive(Debug, Args)]
#[command(next_help_heading = "Commits", mut_args(of_command), mut_arg("count", counting))]
pub(crate) struct Bisect {
    /// A commit before the change: a commit, a branch, a tag
    #[arg(id = "base", value_name = "GOOD", required_unless_present = "resume")]
    pub good: Option<OsString>,
    /// A commit behind it
    #[arg(value_name = "BAD", required_unless_present = "resume")]
    pub bad: Option<OsString>,
    /// The command, word by word
    ///
    /// It is executed in the directory of the commit that corresponds to this one; {side} is the top of it.
    #[arg(value_name = "COMMAND", last = true, required_unless_present = "resume")]
    pub command: Vec<OsString>,
    /// Build each commit with CMD when it is needed
    ///
    /// By /bin/sh -c, in each copy. A commit that does not build is left out.
    #[arg(long, value_name = "CMD")]
    pub build: Option<OsString>,
    /// Only commits that change PATH
    #[arg(long = "path", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Commits of merged branches, too
    ///
    /// In the order of `git log --topo-order`. Without it a merge is one commit.
    #[arg(long)]
    pub all_commits: bool,
    /// Leave out commits that print what neither end prints
    ///
    /// Each is executed once before; standard output and exit code count.
    #[arg(long)]
    pub same_output: bool,
    /// How they are copied.
    #[command(flatten)]
    pub copying: CopyArgs,
    /// How much is measured.
    #[command(flatten)]
    pub amount: BisectAmount,
    /// Whether it is a harness.
    #[command(flatten)]
    pub harness: Harness,
    /// Follow the benchmark of a harness that matches
    ///
    /// A word, /regexp/ or query, which one benchmark of --results has to pass.
    #[arg(
        long,
        value_name = "QUERY",
        allow_hyphen_values = true,
        requires = "results",
        help_heading = "Execution"
    )]
    pub filter: Option<String>,
    /// Commands around the command.
    #[command(flatten)]
    pub hooks: AbHooks,
    /// Its surroundings.
    #[command(flatten)]
    pub control: Control,
    /// Where it is kept.
    #[command(flatten)]
    pub recording: Recording,
    /// Whether it is the rest of another.
    #[command(flatten)]
    pub resumption: Resumption,
    /// How it is shown.
    #[command(flatten)]
    pub shown: BisectShown,
}

/// How much is measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Amount")]
pub(crate) struct BisectAmount {
    /// The most blocks that prove that the ends differ
    ///
    /// Looked at after 15, 23, 34, 51, … of them, which is paid for.
    #[arg(short = 'r', long, value_name = "N", default_value_t = 60, value_parser = values::whole(6..=100_000))]
    pub runs: u32,
    /// The chance that naming a commit takes
    #[arg(long, value_name = "P", default_value_t = 0.98, value_parser = confidence)]
    pub confidence: f64,
    /// Begin no block after this time
    ///
    /// A change that is small beside the scatter, which takes thousands of executions, is searched with it only.
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub total_budget: Option<f64>,
    /// Seed of all random choices, always recorded
    ///
    /// [default: a new one]
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    pub seed: Option<u64>,
}

/// How the answer is shown.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Report")]
pub(crate) struct BisectShown {
    /// The metric that changed (etalon help metrics)
    #[arg(long, value_name = "NAME")]
    pub metric: Option<String>,
    /// One JSON document
    #[arg(long)]
    pub json: bool,
    /// Print no remarks on standard error
    #[arg(long)]
    pub quiet: bool,
    /// It as a page.
    #[command(flatten)]
    pub page: Page,
}

/// Counting, where commits are searched by it.
fn counting(arg: Arg) -> Arg {
    arg.help("Search by counts of instructions, which repeat; time only confirms").long_help(
        "Search by counts of instructions, which repeat; time only confirms\n\nTwo executions of each commit, five of \
         the ends, by the CPU where it has such a counter, else by valgrind; seeds of programs are fixed, and \
         --count=raw leaves them as they are. The commit and the one before are timed then.",
    )
}

fn confidence(text: &str) -> Result<f64, String> {
    let level = values::level(text)?;
    match level > 0.5 {
        true => Ok(level),
        false => Err("has to be above 0.5".to_owned()),
    }
}
