//! What can be typed of analyses and reports: after every command that shows one.

use std::ffi::OsString;

use clap::{Arg, Args, ValueEnum};

use etalon_core::criteria::Margin;
use etalon_core::stats::Correction;
use etalon_record::open::SourceFormat;

use super::tuning::{self, Tuning};
use super::values;
use super::{Exports, Queries, ViewArg};

/// What becomes of measured data: the same wherever there are any.
#[derive(Debug, Args)]
pub(crate) struct Reporting {
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

/// `etalon report`.
#[derive(Debug, Args)]
#[command(mut_args(as_recorded))]
pub(crate) struct Report {
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
    /// Tables in place of the ranking.
    #[command(flatten)]
    pub tables: TablesAsked,
}

/// Tables of recorded data: with any of these options.
#[derive(Debug, Args)]
pub(crate) struct TablesAsked {
    /// What is compared with what.
    #[command(flatten)]
    pub queries: Queries,
    /// What is shown of each cell of a table
    #[arg(long, value_name = "VIEW", help_heading = "Queries")]
    pub view: Option<ViewArg>,
}

impl TablesAsked {
    /// Whether tables are asked for.
    pub(crate) fn is_asked(&self) -> bool {
        let Queries { filter, row, col, table, ignore } = &self.queries;
        [filter, row, col, table, ignore].iter().any(|query| query.is_some()) || self.view.is_some()
    }
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
pub(crate) struct Analysis {
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
#[allow(clippy::struct_excessive_bools)] // switches as typed; their meaning is `view::View`
pub(crate) struct View {
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

impl View {
    /// Whether sections of the ranking's report are asked for.
    pub(crate) fn has_sections(&self) -> bool {
        let View { mini_stats, no_stats, graph, boxplot, .. } = *self;
        let View { dist_stats, tail_stats, explain, full, .. } = *self;
        [mini_stats, no_stats, graph, boxplot, dist_stats, tail_stats, explain, full]
            .contains(&true)
    }
}

/// `--format` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// For reading
    Terminal,
    /// GitHub tables
    Markdown,
    /// A row per benchmark, as --export-csv
    Csv,
    /// One document
    Json,
}
