//! `etalon compare`, as typed.

use clap::{Args, ValueEnum};
use etalon_core::query::Projection;
use etalon_core::tables::Centre;
use etalon_record::open::SourceFormat;

use super::checks::Checks;
use super::judgement::{Judgement, of_tables};
use super::{Page, values};

/// Compare the same benchmarks in two or more data sets
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Data", mut_args(of_tables))]
pub(crate) struct Compare {
    /// Data sets, the base first: files or saved runs
    ///
    /// LABEL=FILE labels a file, - is standard input. Saved runs are @last, @-2 (the one before), @NAME, @ID.
    #[arg(value_name = "DATA", required = true)]
    pub data: Vec<String>,
    /// Format of the files
    ///
    /// auto, etalon, bestguess, bestguess-linux (peak memory in KiB), hyperfine, go, table, or a harness:
    /// pytest-benchmark, pyperf, asv, google-benchmark, nanobench, perf-stat, gnu-time, criterion, cargo-criterion, jmh,
    /// mitata, tinybench, vitest, bencher, github-action-benchmark
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = values::from)]
    pub from: SourceFormat,
    /// Treat unreadable lines as errors
    #[arg(long)]
    pub strict: bool,
    /// What is compared, and how that is shown and judged.
    #[command(flatten)]
    pub comparison: Comparison,
}

/// What is asked of a comparison, whichever command shows one.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Comparison {
    /// The data sets as typed: none of them is replaced by a page.
    #[arg(skip)]
    pub data: Vec<String>,
    /// How it is shown.
    #[command(flatten)]
    pub show: Show,
    /// How tables are shaped.
    #[command(flatten)]
    pub look: Look,
    /// What is compared with what.
    #[command(flatten)]
    pub queries: Queries,
    /// What has to hold.
    #[command(flatten)]
    pub checks: Checks,
    /// How it is judged.
    #[command(flatten)]
    pub judging: Judgement,
}

impl Compare {
    /// The comparison, of these data sets.
    pub(crate) fn comparison(&self) -> Comparison {
        Comparison { data: self.data.clone(), ..self.comparison.clone() }
    }
}

/// The heading of queries.
pub(super) const QUERIES: &str = "Queries, in benchstat's language";

/// What is compared with what, in benchstat's language.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = QUERIES)]
pub(crate) struct Queries {
    /// Take only these measurements
    ///
    /// key:value, /regexp/ for a value, AND, OR, -, parentheses.
    #[arg(long, alias = "f", value_name = "QUERY", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// A row for each value of these keys
    ///
    /// [default: .fullname]
    #[arg(long, value_name = "KEYS", allow_hyphen_values = true)]
    pub row: Option<String>,
    /// A column for each value of these keys
    ///
    /// [default: .file]
    #[arg(long, value_name = "KEYS", allow_hyphen_values = true)]
    pub col: Option<String>,
    /// A table for each value of these keys
    ///
    /// [default: keys that vary within a file; .config with --style benchstat]
    #[arg(long, value_name = "KEYS", allow_hyphen_values = true)]
    pub table: Option<String>,
    /// Let these keys vary within a cell
    #[arg(long, value_name = "KEYS", allow_hyphen_values = true)]
    pub ignore: Option<String>,
    /// Columns in place of the default, where none are typed.
    #[arg(skip)]
    pub columns: Option<Projection>,
}

/// How it is shown.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Report")]
pub(crate) struct Show {
    /// Only this metric: wall, cpu, … (etalon help metrics)
    #[arg(long, value_name = "NAME")]
    pub metric: Option<String>,
    /// Every table with every row, n and p, and every note
    #[arg(long)]
    pub full: bool,
    /// Which rows.
    #[command(flatten)]
    pub rows: RowArgs,
    /// Order of the rows
    ///
    /// [default: differences first, the largest change before the others; as in the data with --full]
    #[arg(long, value_name = "BY")]
    pub sort: Option<SortArg>,
    /// What tables show of each cell
    #[arg(long, value_name = "VIEW", default_value = "delta")]
    pub view: ViewArg,
    /// Rules and words
    #[arg(long, value_name = "STYLE", default_value = "etalon")]
    pub style: StyleArg,
    /// Format
    #[arg(long, value_name = "FORMAT", default_value = "terminal")]
    pub format: OutputArg,
    /// One JSON document (--format json)
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Print no remarks on standard error
    #[arg(long)]
    pub quiet: bool,
    /// Title and line to repeat it.
    #[command(flatten)]
    pub framing: Framing,
    /// It as a page.
    #[command(flatten)]
    pub page: Page,
}

impl Queries {
    /// Whether one is typed.
    pub(crate) fn are_asked(&self) -> bool {
        let Queries { filter, row, col, table, ignore, columns: _ } = self;
        [filter, row, col, table, ignore].iter().any(|query| query.is_some())
    }
}

/// Which rows of tables are shown.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Report")]
pub(crate) struct RowArgs {
    /// Only these rows
    #[arg(long, value_name = "WHICH")]
    pub only: Option<OnlyArg>,
    /// One line for each table and column, without rows
    #[arg(long)]
    pub summary: bool,
}

/// The frame of tables and comments. Topics list these; `--help` does not.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Framing {
    /// Title above each table, or in the first line of a comment
    #[arg(long, value_name = "TEXT", hide = true)]
    pub title: Option<String>,
    /// The line to repeat it in a comment; empty for none
    ///
    /// [default: as recorded]
    #[arg(long, value_name = "LINE", allow_hyphen_values = true, hide = true)]
    pub repeat: Option<String>,
}

impl Framing {
    /// The first option that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let asked = [(self.title.is_some(), "--title"), (self.repeat.is_some(), "--repeat")];
        asked.into_iter().find_map(|(asked, what)| asked.then_some(what))
    }
}

/// How tables are shaped, as in experiment files. `etalon help tables` lists these; `--help` does not.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Look {
    /// Row below each table
    ///
    /// [default: geomean; none with --view plain and mean]
    #[arg(long, value_name = "WHAT", hide = true)]
    pub summary_row: Option<SummaryArg>,
    /// What stands for the readings of a cell
    ///
    /// [default: median; a ratio is the one that its verdict is about]
    #[arg(long, value_name = "WHAT", hide = true)]
    pub centre: Option<CentreArg>,
    /// Add a column with the value that ratios are to
    ///
    /// With of-max and of-min there is one anyway: the value that is 100 %.
    #[arg(long, hide = true)]
    pub raw: bool,
    /// Decimals of percents and ratios
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=9), hide = true)]
    pub digits: Option<u8>,
    /// Add who is best in each row, who is the same and who cannot be told from it
    ///
    /// All pairs of a row are compared, corrected together (Holm).
    #[arg(long, hide = true)]
    pub fastest: bool,
    /// Add letters to cells: those of a row that share one are not told apart
    #[arg(long, hide = true)]
    pub letters: bool,
}

impl Look {
    /// The first option that is given for tables that are relative to a row or the base.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let asked = [
            (self.centre.is_some(), "--centre"),
            (self.raw, "--raw"),
            (self.digits.is_some(), "--digits"),
            (self.fastest, "--fastest"),
            (self.letters, "--letters"),
        ];
        asked.into_iter().find_map(|(asked, what)| asked.then_some(what))
    }

    /// What stands for the readings of a cell, if that is asked for.
    pub(crate) fn centre(&self) -> Option<Centre> {
        self.centre.map(|centre| match centre {
            CentreArg::Median => Centre::Median,
            CentreArg::Mean => Centre::Mean,
        })
    }

    /// By which centre rows are ranked, if they are.
    pub(crate) fn ranks(&self) -> Option<Centre> {
        let centre = self.centre().unwrap_or(Centre::Median);
        (self.fastest || self.letters).then_some(centre)
    }
}

/// `--centre` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CentreArg {
    /// The median
    Median,
    /// The arithmetic mean
    Mean,
}

/// `--style` as typed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StyleArg {
    /// etalon's estimates and verdicts
    #[default]
    Etalon,
    /// Exactly what benchstat prints, as text or CSV
    Benchstat,
}

/// `--format` as typed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputArg {
    /// Text for reading
    #[value(alias = "text")]
    #[default]
    Terminal,
    /// GitHub tables
    Markdown,
    /// A comment for a pull request: the answer, what got worse, the rest folded
    Comment,
    /// A row per cell
    Csv,
    /// One JSON document
    Json,
    /// Annotations of a GitHub workflow
    Github,
    /// JUnit XML: a row is a test, which fails where it got worse
    Junit,
}

/// `--view` as typed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewArg {
    /// Centre ± interval, change, verdict
    #[default]
    Delta,
    /// As delta, with arithmetic means
    Mean,
    /// One page with a column for each unit, in nanoseconds and bytes, with thousands separators
    Plain,
    /// Percent of the row's largest value, and that value
    OfMax,
    /// Percent of the row's smallest value, and that value
    OfMin,
    /// Ratio to the base
    Ratio,
}

/// `--summary-row` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummaryArg {
    /// Geometric mean of each column
    Geomean,
    /// Sum of each column, over the rows that no column lacks
    Total,
    /// No summary row
    None,
}

/// `--only` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnlyArg {
    /// Rows with a difference
    Changed,
}

/// `--sort` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortArg {
    /// The largest change first
    Delta,
    /// Names, in byte order
    Name,
    /// The smallest p first
    P,
}
