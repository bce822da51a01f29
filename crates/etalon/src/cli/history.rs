//! Subcommands and options of `etalon history`.

use std::ffi::{OsStr, OsString};

use clap::{Args, Parser, Subcommand, ValueEnum};
use jiff::Timestamp;

use super::history_check::HistoryCheck;
use super::{Cli, Command, values};

/// Follow benchmarks from commit to commit
#[derive(Debug, Args)]
#[command(
    subcommand_value_name = "SUBCOMMAND",
    override_usage = "etalon history [--html FILE | SUBCOMMAND]",
    args_conflicts_with_subcommands = true
)]
pub(crate) struct History {
    /// Write all series and their points as one page
    ///
    /// As `etalon history check --html FILE` does, which has options beside it.
    #[arg(long, value_name = "FILE")]
    pub html: Option<OsString>,
    /// An action; list without
    #[command(subcommand)]
    pub action: Option<HistoryAction>,
}

impl History {
    /// The check that writes a page.
    pub(crate) fn page(file: &OsStr) -> Option<Box<HistoryCheck>> {
        let words = ["etalon", "history", "check", "--html"].map(OsStr::new);
        let cli = Cli::try_parse_from(words.into_iter().chain([file])).ok()?;
        let Command::History(history) = cli.command else { return None };
        match history.action {
            Some(HistoryAction::Check(check)) => Some(check),
            _ => None,
        }
    }
}

/// Actions on the history.
#[derive(Debug, Subcommand)]
pub(crate) enum HistoryAction {
    /// Add what runs or files measured, each of one commit
    Add(HistoryAdd),
    /// Add files of many commits
    ///
    /// data.js of github-action-benchmark, results of asv, Bencher Metric Format, and whatever else etalon reads. The
    /// commit is what the file says, else its name.
    Import(HistoryAdd),
    /// List series, those with the newest points first
    #[command(alias = "ls")]
    List(HistoryList),
    /// Show the points of a series
    Show(HistoryShow),
    /// Find steps, the worst series first
    Check(Box<HistoryCheck>),
    /// Write all points for other programs
    ///
    /// Or merge them into a PostgreSQL that a team shares: URL is postgres://USER@HOST/DATABASE, its password may be in
    /// PGPASSWORD. There is no TLS: a server elsewhere is reached through a tunnel. Whatever was there before is not there
    /// twice.
    Export(HistoryExport),
    /// Add again what is gone: every saved run that was added before
    ///
    /// After a power loss, or when the database was moved away. Files that are no saved runs are to be added again.
    Rebuild,
}

/// Data that are added, and where they belong.
#[derive(Debug, Args)]
pub(crate) struct HistoryAdd {
    /// @last, @-2, @NAME, @ID, or files of any format that etalon reads
    #[arg(required = true, value_name = "RUN|FILE")]
    pub data: Vec<OsString>,
    /// Where it belongs.
    #[command(flatten)]
    pub belongs: Belongs,
    /// This metric only
    ///
    /// May be given several times. [default: all but parts of others]
    #[arg(long = "metric", value_name = "NAME")]
    pub metrics: Vec<String>,
}

/// Where points belong.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Belongs {
    /// The commit that was measured
    ///
    /// [default: as the data say, else the one that is checked out here]
    #[arg(long, value_name = "REV")]
    pub commit: Option<String>,
    /// The branch that the commit is on
    ///
    /// Each has series of its own. [default: the one that is checked out here]
    #[arg(long, value_name = "NAME")]
    pub branch: Option<String>,
    /// When the commit was made: 2026-11-21, 2026-11-21T10:00:00Z
    ///
    /// [default: as git, else the data say]
    #[arg(long, value_name = "TIME", value_parser = values::moment)]
    pub time: Option<Timestamp>,
    /// The name of the series
    ///
    /// Of several benchmarks its beginning. [default: the names of the benchmarks]
    #[arg(long, value_name = "NAME")]
    pub series: Option<String>,
    /// The project
    ///
    /// [default: the name of the directory that is the top of the working tree]
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// The machine
    ///
    /// Each has series of its own. [default: as the data say; of ratios its kind]
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
}

/// Which series are listed.
#[derive(Debug, Args)]
pub(crate) struct HistoryList {
    /// Those that have all these words in project, benchmark, metric, branch or machine
    pub words: Vec<String>,
    /// So many
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    pub number: usize,
    /// All of them
    #[arg(long, conflicts_with = "number")]
    pub all: bool,
}

/// Which series is shown, and how.
#[derive(Debug, Args)]
pub(crate) struct HistoryShow {
    /// Its benchmark, or words that only it has in project, benchmark, metric, branch or machine
    #[arg(required = true, value_name = "SERIES")]
    pub words: Vec<String>,
    /// How
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: HistoryFormat,
}

/// How points are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum HistoryFormat {
    /// A table.
    #[default]
    Terminal,
    /// With a header, every field.
    Csv,
    /// One list of objects.
    Json,
}

/// A format, and where it is written.
#[derive(Debug, Args)]
pub(crate) struct HistoryExport {
    /// The format
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: HistoryTo,
    /// The file, replaced as a whole, or the database
    #[arg(value_name = "FILE|URL")]
    pub file: OsString,
    /// Replace an existing non-empty file
    #[arg(long)]
    pub force: bool,
}

/// Formats of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HistoryTo {
    /// CSV with a header.
    Csv,
    /// A JSON object a line.
    Jsonl,
    /// A table by columns.
    Parquet,
    /// Tables of a database, raw readings included.
    Postgres,
}
