//! Options of analyses and reports: of every command that shows one.

use std::ffi::OsString;

use clap::builder::{PossibleValuesParser, StyledStr, TypedValueParser};
use clap::{Arg, Args, ValueEnum};

use etalon_record::open::SourceFormat;
use etalon_report::view::Style;

use super::checks::Checks;
use super::compare::QUERIES;
use super::judgement::Judgement;
use super::tuning::{self, Tunings};
use super::values;
use super::{
    Comparison, Exports, Framing, OutputArg, Queries, RowArgs, Show, SortArg, StyleArg, ViewArg,
};

/// Why a comment, and tests, are refused where nothing is held against a base.
pub(crate) const OF_SIDES: &str = "--format comment and junit say how two sides or data sets compare: `etalon ab BASE`, --base \
                                   of `etalon go` and `etalon run`, `etalon compare OLD NEW`, or `etalon report` of \
                                   such a run; choose --format markdown here";

/// What becomes of measured data: the same wherever there are any.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Reporting {
    /// How to show it.
    #[command(flatten)]
    pub view: View,
    /// How to analyse.
    #[command(flatten)]
    pub analysis: Analysis,
    /// What else is written.
    #[command(flatten)]
    pub exports: Exports,
}

/// Report from saved data of etalon, BestGuess, hyperfine or Go
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Data", mut_args(as_recorded))]
pub(crate) struct Report {
    /// Files (- is standard input) or saved runs: @last, @-2, @NAME, @ID
    ///
    /// @-2 is the run before the last.
    #[arg(value_name = "DATA", required = true)]
    pub data: Vec<OsString>,
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
    /// What becomes of it.
    #[command(flatten)]
    pub reporting: Reporting,
    /// Of what has a base: two sides, or columns.
    #[command(flatten)]
    pub based: Based,
    /// Tables in place of the ranking.
    #[command(flatten)]
    pub tables: TablesAsked,
}

/// What is asked of data with a base only: of two sides, or of columns of tables.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Based {
    /// Which rows.
    #[command(flatten)]
    pub rows: RowArgs,
    /// What has to hold.
    #[command(flatten)]
    pub checks: Checks,
}

impl Based {
    /// The first option that is given and needs a base.
    pub(crate) fn given(&self, reporting: &Reporting) -> Option<&'static str> {
        let view = &reporting.view;
        let asked = [
            (self.rows.only.is_some(), "--only"),
            (self.rows.summary, "--summary"),
            (reporting.exports.sort.row_order().is_some(), "--sort delta, name and p"),
            (!view.json && view.format == FormatArg::Github, "--format github"),
            (view.style == ReportStyle::Benchstat, "--style benchstat"),
        ];
        let of_rows = asked.into_iter().find_map(|(asked, what)| asked.then_some(what));
        self.checks.given().or(of_rows)
    }
}

impl Report {
    /// What is asked of tables.
    pub(crate) fn comparison(&self) -> Comparison {
        let reported = self.reporting.comparison(&self.based);
        let view = self.tables.view.unwrap_or_default();
        let show = Show { view, ..reported.show };
        Comparison { queries: self.tables.queries.clone(), show, ..reported }
    }
}

impl Reporting {
    /// What is asked of tables with a base, and of their page.
    pub(crate) fn comparison(&self, based: &Based) -> Comparison {
        let reported = self.view.comparison(&self.analysis.judging);
        let Exports { page, sort, .. } = &self.exports;
        let (page, rows, sort) = (page.clone(), based.rows.clone(), sort.row_order());
        let metric = self.analysis.metric.clone();
        let show = Show { metric, page, rows, sort, ..reported.show };
        Comparison { show, checks: based.checks.clone(), ..reported }
    }
}

/// Tables of recorded data: with any of these options.
#[derive(Debug, Clone, Args)]
pub(crate) struct TablesAsked {
    /// What is compared with what.
    #[command(flatten)]
    pub queries: Queries,
    /// What tables show of each cell
    #[arg(long, value_name = "VIEW", help_heading = QUERIES)]
    pub view: Option<ViewArg>,
}

impl TablesAsked {
    /// Whether tables are asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.queries.are_asked() || self.view.is_some()
    }
}

/// The options of an analysis where the data say what was asked for: that comes before any default.
fn as_recorded(arg: Arg) -> Arg {
    if arg.get_id() == "sort" {
        return arg.hide(false);
    }
    let recorded = ["metric", "margin", "alpha", "confidence", "correction", "between"];
    if !recorded.contains(&arg.get_id().as_str()) {
        return arg;
    }
    let recorded = |help: Option<&StyledStr>| {
        let help = help.map(ToString::to_string).unwrap_or_default();
        help.replace("[default: ", "[default: as recorded, else ")
    };
    let (help, long_help) = (recorded(arg.get_help()), recorded(arg.get_long_help()));
    arg.help(help).long_help(long_help)
}

/// The options of a report that never has a base: without what only tables of columns have.
pub(super) fn of_ranking(arg: Arg) -> Arg {
    use {FormatArg as Format, ReportStyle as Style};
    match arg.get_id().as_str() {
        "format" => arg.value_parser(one_of(&[
            Format::Terminal,
            Format::Markdown,
            Format::Comment,
            Format::Csv,
            Format::Json,
            Format::Junit,
        ])),
        "style" => arg.value_parser(one_of(&[Style::Etalon, Style::Bestguess, Style::LuaMeasure])),
        "sort" => arg.value_parser(one_of(&[SortArg::Auto, SortArg::Command, SortArg::MeanTime])),
        _ => arg,
    }
}

/// Some of the values of an option.
fn one_of<T: ValueEnum + Clone + Send + Sync + 'static>(
    values: &[T],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.iter().filter_map(ValueEnum::to_possible_value))
        .try_map(|name| T::from_str(&name, false))
}

/// Options of every command that analyses. Absent means: as recorded with the data.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Analysis")]
pub(crate) struct Analysis {
    /// Metric to rank by: wall, cpu, … (etalon help metrics)
    ///
    /// [default: wall; cpu for data in BestGuess's columns]
    #[arg(long, value_name = "NAME")]
    pub metric: Option<String>,
    /// Compare the others with this one: a name or a command
    ///
    /// Instead of all pairs; for functions, instead of the first.
    #[arg(long, value_name = "NAME")]
    pub reference: Option<String>,
    /// Compare functions with the same value of this parameter only
    ///
    /// Several are separated by commas; `none` compares all of a file or group. [default: the parameters that all
    /// names of a file, or group, share]
    #[arg(long, value_name = "PARAM", value_delimiter = ',')]
    pub by: Vec<String>,
    /// What verdicts are held against.
    #[command(flatten)]
    pub judging: Judgement,
    /// BestGuess's settings, separated by commas
    ///
    /// width=COLUMNS, alpha=P, effect=N (--margin in µs). Two more conditions of a difference: epsilon=N (its
    /// interval excludes 0 even when moved by N µs) and super=P (the slower one is better at most this often).
    #[arg(short = 'x', value_name = "KEY=VALUE", value_parser = tuning::parse, hide = true)]
    pub tuning: Vec<Tunings>,
}

/// Options of every command that shows a report.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Report")]
#[allow(clippy::struct_excessive_bools)] // switches as typed; their meaning is `view::View`
pub(crate) struct View {
    /// Every table, every note, names whole
    #[arg(long)]
    pub full: bool,
    /// Add every test behind the ranking, with its settings
    #[arg(short = 'E', long)]
    pub explain: bool,
    /// Add box plots of all commands on one axis
    #[arg(short = 'B', long, hide = true)]
    pub boxplot: bool,
    /// Add a bar per execution or sample, scaled to the maximum
    #[arg(short = 'G', long, hide = true)]
    pub graph: bool,
    /// Add how values are distributed, and how far from normal
    #[arg(short = 'D', long, hide = true)]
    pub dist_stats: bool,
    /// Add the tail of each command's values
    #[arg(short = 'T', long, hide = true)]
    pub tail_stats: bool,
    /// Add why readings differ, and what would cure it
    ///
    /// Drift, steps, several modes, a slow first reading, waiting, page faults, switches.
    #[arg(long)]
    pub explain_noise: bool,
    /// Only CPU time and wall clock
    ///
    /// Of functions, only memory and times.
    #[arg(short = 'M', long, conflicts_with = "no_stats", hide = true)]
    pub mini_stats: bool,
    /// Only the ranking and sections asked for by other options
    #[arg(short = 'N', long, hide = true)]
    pub no_stats: bool,
    /// Whose report
    #[arg(long, value_name = "NAME", default_value = "etalon")]
    pub style: ReportStyle,
    /// Format
    #[arg(long, value_name = "FORMAT", default_value = "terminal")]
    pub format: FormatArg,
    /// One JSON document (--format json)
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Print no progress and no remarks on standard error
    #[arg(long)]
    pub quiet: bool,
    /// Title and line to repeat it.
    #[command(flatten)]
    pub framing: Framing,
}

impl View {
    /// The format of a report.
    pub(crate) fn format(&self) -> FormatArg {
        if self.json { FormatArg::Json } else { self.format }
    }

    /// Refuses what a ranking has no place for.
    ///
    /// # Errors
    /// In words, with what to do.
    pub(crate) fn check_ranks(&self) -> Result<(), &'static str> {
        match (self.format(), self.framing.given()) {
            (FormatArg::Comment | FormatArg::Junit, _) => Err(OF_SIDES),
            (_, Some(_)) => Err(
                "--title and --repeat are for comments, and --title for tables; leave them out here",
            ),
            _ => Ok(()),
        }
    }

    /// Whether sections of the ranking's report are asked for.
    pub(crate) fn has_sections(&self) -> bool {
        let View { mini_stats, no_stats, graph, boxplot, .. } = *self;
        let View { dist_stats, tail_stats, explain, explain_noise, .. } = *self;
        [mini_stats, no_stats, graph, boxplot, dist_stats, tail_stats, explain, explain_noise]
            .contains(&true)
    }

    /// Tables that are shown and judged so.
    pub(crate) fn comparison(&self, judging: &Judgement) -> Comparison {
        let format = match self.format {
            FormatArg::Terminal => OutputArg::Terminal,
            FormatArg::Markdown => OutputArg::Markdown,
            FormatArg::Comment => OutputArg::Comment,
            FormatArg::Csv => OutputArg::Csv,
            FormatArg::Json => OutputArg::Json,
            FormatArg::Github => OutputArg::Github,
            FormatArg::Junit => OutputArg::Junit,
        };
        let style = match self.style {
            ReportStyle::Benchstat => StyleArg::Benchstat,
            ReportStyle::Etalon | ReportStyle::Bestguess | ReportStyle::LuaMeasure => {
                StyleArg::Etalon
            }
        };
        let View { json, full, quiet, .. } = *self;
        let framing = self.framing.clone();
        let show = Show { format, json, full, quiet, style, framing, ..Show::default() };
        Comparison { show, judging: judging.clone(), ..Comparison::default() }
    }

    /// Whose report is shown. benchstat's is of tables, which ask for their own style.
    pub(crate) fn style(&self) -> Style {
        match self.style {
            ReportStyle::Etalon | ReportStyle::Benchstat => Style::Etalon,
            ReportStyle::Bestguess => Style::BestGuess,
            ReportStyle::LuaMeasure => Style::LuaMeasure,
        }
    }
}

/// `--style` as typed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportStyle {
    /// The answer first, one screen
    #[default]
    Etalon,
    /// A box per command, and the ranking by CPU time
    Bestguess,
    /// The five sections of lua-measure
    LuaMeasure,
    /// Of two sides, or columns: what benchstat prints
    Benchstat,
}

/// `--format` as typed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// Text for reading
    #[default]
    Terminal,
    /// GitHub tables
    Markdown,
    /// A comment for a pull request, of two sides
    Comment,
    /// A row per benchmark, as in --export-csv
    Csv,
    /// One JSON document
    Json,
    /// Of two sides, or columns: annotations of a GitHub workflow
    Github,
    /// JUnit XML, of two sides: a row is a test, which fails where it got worse
    Junit,
}
