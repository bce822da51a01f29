//! Options of `etalon go`. Go's own flags in Go's spelling are translated before: [`super::go_flags`].

use std::ffi::OsString;

use clap::Args;

use super::checks::Checks;
use super::compare::Show;
use super::judgement::{Judgement, of_tables};
use super::recording::of_go;
use super::{BenchArgs, Comparison, CopyArgs, NOT_PLANNED_OF_TABLES, Nodes, Recording, values};

/// Measure benchmarks of Go packages, also against a revision
#[derive(Debug, Args)]
#[command(next_help_heading = "Benchmarks", mut_args(of_tables), mut_args(of_go))]
pub(crate) struct Go {
    /// Packages as go test takes them
    #[arg(value_name = "PACKAGES", default_value = ".")]
    pub packages: Vec<String>,
    /// What test binaries are given as it is, such as -integration
    #[arg(value_name = "ARGS", last = true)]
    pub arguments: Vec<OsString>,
    /// Only benchmarks that match, as -bench of go test
    ///
    /// A regular expression for each level: X/MinIO is the sub-benchmarks of X that match MinIO.
    #[arg(long, value_name = "RE", default_value = ".", allow_hyphen_values = true)]
    pub bench: String,
    /// Compare with this revision: a commit, a branch, a tag
    ///
    /// Both sides are built from copies, the working tree with its untracked files too; files that git ignores are in
    /// neither. The sides of a benchmark follow each other in every block.
    #[arg(long, value_name = "REV", conflicts_with = "base_binary")]
    pub base: Option<String>,
    /// How sides are copied.
    #[command(flatten)]
    pub copying: CopyArgs,
    /// Whose benchmarks are executed.
    #[command(flatten)]
    pub benches: BenchArgs,
    /// Compare with this test binary (go test -c)
    ///
    /// Of the one package that is named; it is executed in the directory of that.
    #[arg(long, value_name = "FILE")]
    pub base_binary: Option<OsString>,
    /// How much is measured.
    #[command(flatten)]
    pub amount: GoAmount,
    /// How packages are built.
    #[command(flatten)]
    pub building: GoBuilding,
    /// Have the services that FILE declares there while measuring
    ///
    /// They are started before the first execution and always stopped after the last one. The file is TOML, with a
    /// table [service.NAME] for each; see the guide.
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

/// How much is measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Amount")]
pub(crate) struct GoAmount {
    /// Measure so many blocks
    ///
    /// A block executes every benchmark once on every side. Verdicts rest on blocks. [default: 10, or as many as a verdict
    /// takes among so many benchmarks]
    #[arg(short = 'r', long, value_name = "N", value_parser = values::whole(1..=10_000_000))]
    pub runs: Option<u32>,
    /// How long, or how often (100x), a benchmark is repeated
    ///
    /// As -benchtime of go test. [default: Go's, 1s]
    #[arg(long, value_name = "T")]
    pub benchtime: Option<String>,
    /// Results of each benchmark in a block
    ///
    /// As -count of go test. They are readings of one block: more blocks say more. [default: 1]
    #[arg(long, value_name = "N", value_parser = values::whole(1..=1_000_000))]
    pub count: Option<u32>,
    /// Execute benchmarks with so many processors, such as 1,2,4
    ///
    /// As -cpu of go test (GOMAXPROCS): a benchmark has a row for each number.
    #[arg(long, value_name = "LIST", value_parser = values::processors, hide = true)]
    pub cpu: Option<String>,
    /// End an execution of a test binary that takes longer
    ///
    /// As -timeout of go test, which does not end benchmarks by itself; 0 is no limit.
    #[arg(long, value_name = "T", default_value = "10m", value_parser = values::go_timeout)]
    pub timeout: values::GoTimeout,
    /// Leave out benchmarks that match, as -skip of go test
    #[arg(long, value_name = "RE", allow_hyphen_values = true, hide = true)]
    pub skip: Option<String>,
    /// Tell benchmarks to be short, as -short of go test
    #[arg(long, hide = true)]
    pub short: bool,
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

/// How packages are built.
#[derive(Debug, Args)]
#[command(next_help_heading = "Building")]
pub(crate) struct GoBuilding {
    /// Build tags, as -tags of go build
    #[arg(long, value_name = "LIST", hide = true)]
    pub tags: Option<String>,
    /// Give FLAG to go list and go test, such as -race
    ///
    /// Go's own flags are taken in Go's spelling, too: etalon help go-test.
    #[arg(long = "go-flag", value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<OsString>,
}

impl Go {
    /// What is asked of the comparison.
    pub(crate) fn comparison(&self) -> Comparison {
        let (show, checks) = (self.show.clone(), self.checks.clone());
        Comparison { show, checks, judging: self.judging.clone(), ..Comparison::default() }
    }
}
