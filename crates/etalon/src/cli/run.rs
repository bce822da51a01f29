//! Options of `etalon run`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::ab::of_command;
use super::schedule::{Limits, Schedule, Surroundings, UntilArg, rare};
use super::{
    Based, BenchArgs, Comparison, CopyArgs, NOT_PLANNED, Nodes, Recording, Reporting, Resumption,
    SeedsArg, values,
};

/// Measure Lua functions, scripts, and experiments of a file
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Cases", mut_args(rare), mut_args(of_command))]
pub(crate) struct Run {
    /// Lua files, directories with *_bench.lua in them, or an experiment file (.toml)
    #[arg(value_name = "PATH", required_unless_present_any = ["chunks", "scripts", "resume"])]
    pub paths: Vec<OsString>,
    /// Measure a chunk of Lua code; several are compared
    #[arg(short = 'e', long = "eval", value_name = "CODE")]
    pub chunks: Vec<String>,
    /// Measure a Lua script as it is; several are compared
    ///
    /// A fresh process executes it once in every block. Its wall time is recorded, and numbers that it prints as lines
    /// such as `name: value`. It is executed where etalon was started, or in --cwd.
    #[arg(long = "script", value_name = "FILE")]
    pub scripts: Vec<OsString>,
    /// Only cases that match: a word, /regexp/ or query
    ///
    /// A word or /regexp/ is searched in names and tags. Queries are those of compare, with the keys .name,
    /// .fullname, /PARAMETER, .file, group and tag.
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Leave out cases that match this query
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true, hide = true)]
    pub exclude: Option<String>,
    /// List the cases and measure nothing
    #[arg(long)]
    pub list: bool,
    /// Say what an experiment file would execute, and measure nothing
    #[arg(long, conflicts_with = "list")]
    pub dry_run: bool,
    /// How much is measured.
    #[command(flatten)]
    pub amount: RunAmount,
    /// How cases are sampled.
    #[command(flatten)]
    pub sampling: SamplingArgs,
    /// What is executed around the cases.
    #[command(flatten)]
    pub hooks: RunHooks,
    /// Which Luas execute them.
    #[command(flatten)]
    pub hosts: HostArgs,
    /// Against which revision.
    #[command(flatten)]
    pub sides: SideArgs,
    /// Execute cases in this directory
    ///
    /// [default: each suite's own; with -e the current one]
    #[arg(long, value_name = "DIR", help_heading = "Execution")]
    pub cwd: Option<OsString>,
    /// Have the services that FILE declares there while measuring
    ///
    /// They are started before the first execution and always stopped after the last one. The file is TOML, with a
    /// table [service.NAME] for each; see the guide.
    #[arg(long = "service", value_name = "FILE", help_heading = "Execution")]
    pub services: Vec<OsString>,
    /// What they are executed under.
    #[command(flatten)]
    pub surroundings: Surroundings,
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
    /// What becomes of two sides.
    #[command(flatten)]
    pub based: Based,
}

impl Run {
    /// What is asked of two sides.
    pub(crate) fn comparison(&self) -> Comparison {
        self.reporting.comparison(&self.based)
    }
}

/// Against which revision of the project suites are measured.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Sides")]
pub(crate) struct SideArgs {
    /// Compare with this revision of the project around: a commit, a branch, a tag
    ///
    /// Suites and experiment files are those of the working tree on both sides; what they load or execute is each side's
    /// own.
    #[arg(long, value_name = "REV", conflicts_with_all = ["chunks", "scripts", "cwd", "resume"])]
    pub base: Option<OsString>,
    /// Build each side with CMD before anything is measured
    #[arg(long, value_name = "CMD", requires = "base")]
    pub build: Option<OsString>,
    /// How they are copied.
    #[command(flatten)]
    pub copying: CopyArgs,
    /// Whose suites are executed.
    #[command(flatten)]
    pub benches: BenchArgs,
}

/// Which Luas execute cases.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Execution")]
pub(crate) struct HostArgs {
    /// Execute cases on this Lua: a program, openresty or embedded
    ///
    /// Any Lua from 5.1 to 5.4, LuaJIT or nginx with Lua, by its name in PATH or its path; openresty is the nginx of
    /// resty, or the one that is installed. Several are compared, with every case on each. [default: embedded, the
    /// LuaJIT inside etalon]
    #[arg(long, value_name = "HOST")]
    pub lua: Vec<String>,
    /// Execute cases with the JIT compiler on, off, or each (on,off)
    ///
    /// With on,off, every case is measured with each. A process is started with its compiler on or off, and stays
    /// so. [default: on]
    #[arg(long, value_name = "WHICH", value_delimiter = ',')]
    pub jit: Vec<JitArg>,
}

/// What a JIT compiler does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum JitArg {
    /// It compiles.
    On,
    /// It compiles nothing.
    Off,
}

/// When enough has been measured.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Amount")]
pub(crate) struct RunAmount {
    /// Blocks, each with a fresh process per case
    ///
    /// [default: until --precision or --budget, at least 10]
    #[arg(short = 'r', long, allow_negative_numbers = true, value_name = "N", value_parser = values::whole(1..=1_000_000))]
    pub runs: Option<u32>,
    /// Time per case, of which a block takes a twelfth
    ///
    /// Without -r, measuring stops when it is spent. [default: 3s]
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = values::duration)]
    pub budget: Option<f64>,
    /// Time for all cases together; each gets an equal part
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", conflicts_with = "budget", value_parser = values::duration)]
    pub total_budget: Option<f64>,
    /// Without -r, stop when every interval is this narrow
    ///
    /// Its half-width is at most this share of its median. [default: half of the file's rciw, else 2.5%]
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
    #[arg(long, conflicts_with_all = NOT_PLANNED, conflicts_with_all = ["list", "dry_run", "only", "summary", "fail_on", "checks", "require"])]
    pub plan: bool,
}

/// Commands around cases.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Hooks around cases, not timed, executed by /bin/sh -c")]
pub(crate) struct RunHooks {
    /// Execute CMD before each process of a case
    ///
    /// Every block has one process per case. A suite's own hooks are separate.
    #[arg(short = 'p', long, alias = "pre", value_name = "CMD")]
    pub prepare: Option<OsString>,
    /// Execute CMD once before the cases that are measured together
    #[arg(long, value_name = "CMD")]
    pub setup: Option<OsString>,
    /// Execute CMD after every block, once for each process in it
    #[arg(long, value_name = "CMD", hide = true)]
    pub conclude: Option<OsString>,
    /// Execute CMD once after these cases
    ///
    /// Also after a failure, Ctrl-C or a hang-up.
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
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Sampling")]
pub(crate) struct SamplingArgs {
    /// Call a case for this long before its first reading
    ///
    /// In every process. [default: the file's, else until times stay level, 150ms at most]
    #[arg(short = 'w', long, allow_hyphen_values = true, value_name = "TIME", value_parser = values::duration_or_zero)]
    pub warmup: Option<f64>,
    /// When garbage is collected
    ///
    /// -1: never while sampling; 0: fully before each sample; N: after each sample in steps of N KB.
    /// [default: the file's, else 0]
    #[arg(long, allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(i64).range(-1..=4_294_967_295), hide = true)]
    pub gc_step: Option<i64>,
    /// End a case whose loading, hook or sample takes longer than this
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", default_value = "60s", value_parser = values::duration)]
    pub timeout: f64,
    /// Limit the memory of a case's process, such as 500MB
    ///
    /// etalon's own limit (ulimit -v) holds too. [default: half of what is available]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = values::size)]
    pub memory_limit: Option<u64>,
    /// Count instructions of calls exactly, too, apart from timing
    ///
    /// By valgrind, in four processes of a case, or ten where counts differ, which take a second or two each. Time,
    /// entropy and the seeds that hang on them are fixed for them; --count=raw leaves them as they are.
    #[arg(long, value_name = "SEEDS", num_args = 0..=1, require_equals = true, default_missing_value = "fixed", hide = true)]
    pub count: Option<SeedsArg>,
    /// Show the empty loop as a case of its own
    ///
    /// etalon never subtracts it.
    #[arg(long, hide = true)]
    pub show_overhead: bool,
}

/// As with nothing typed.
impl Default for SamplingArgs {
    fn default() -> SamplingArgs {
        SamplingArgs {
            warmup: None,
            gc_step: None,
            timeout: 60.0,
            memory_limit: None,
            count: None,
            show_overhead: false,
        }
    }
}
