//! `etalon compare`, as typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use etalon_core::criteria::Margin;
use etalon_core::query::Projection;
use etalon_core::stats::Correction;
use etalon_core::tables::Centre;
use etalon_record::open::SourceFormat;

use super::{FormatArg, Page, Report, Reporting, values};

/// Compare the same benchmarks in two or more data sets
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct Compare {
    /// Data sets, the base first: files or saved runs
    ///
    /// LABEL=FILE labels a file, - is standard input. Saved runs are @last, @-2 (the one before), @NAME, @ID.
    #[arg(value_name = "DATA", required = true)]
    pub data: Vec<String>,
    /// Format of the files
    ///
    /// auto, etalon, bestguess, bestguess-linux (peak memory in KiB), hyperfine, go, table
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = values::from)]
    pub from: SourceFormat,
    /// Treat unreadable lines as errors
    #[arg(long)]
    pub strict: bool,
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
    pub judging: Judging,
}

impl Compare {
    /// What a report with queries asks for.
    pub(crate) fn of_report(report: &Report) -> Compare {
        let of_reporting = Compare::of_reporting(&report.reporting);
        Compare {
            strict: report.strict,
            from: report.from,
            queries: report.tables.queries.clone(),
            show: Show { view: report.tables.view.unwrap_or(ViewArg::Delta), ..of_reporting.show },
            ..of_reporting
        }
    }

    /// What the options of a report ask of tables, and of their page.
    pub(crate) fn of_reporting(reporting: &Reporting) -> Compare {
        let Reporting { analysis, view, exports } = reporting;
        let mut compare = Compare::of_view(analysis, view);
        compare.show.page = exports.page.clone();
        compare
    }

    /// What the options of a report ask of tables.
    pub(crate) fn of_view(analysis: &super::Analysis, view: &super::View) -> Compare {
        Compare {
            data: Vec::new(),
            strict: false,
            from: SourceFormat::Auto,
            queries: Queries::default(),
            look: Look::default(),
            judging: Judging {
                alpha: analysis.alpha,
                confidence: analysis.confidence,
                correction: analysis.correction,
                margin: analysis.margin,
                at_least: analysis.at_least,
                between: analysis.between,
                history: analysis.history.clone(),
            },
            show: Show {
                style: StyleArg::Etalon,
                format: match view.format {
                    FormatArg::Terminal => OutputArg::Terminal,
                    FormatArg::Markdown => OutputArg::Markdown,
                    FormatArg::Csv => OutputArg::Csv,
                    FormatArg::Json => OutputArg::Json,
                },
                json: view.json,
                view: ViewArg::Delta,
                only: None,
                sort: None,
                summary: false,
                full: view.full,
                quiet: view.quiet,
                page: Page::default(),
            },
            checks: Checks { fail_on: Vec::new(), new: NewArg::Ok, require: Vec::new() },
        }
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

/// How it is judged.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Analysis")]
pub(crate) struct Judging {
    /// Significance level
    ///
    /// [default: 0.05]
    #[arg(long, allow_hyphen_values = true, value_name = "P", value_parser = closed_unit)]
    pub alpha: Option<f64>,
    /// Confidence level of intervals
    ///
    /// [default: 95%; for changes with --fail-on 90%, as their tests are one-sided]
    #[arg(long, allow_hyphen_values = true, value_name = "LEVEL", value_parser = closed_unit)]
    pub confidence: Option<f64>,
    /// Correction over the comparisons of a table: holm, bh, none
    ///
    /// [default: bh; with --fail-on holm, over all tables]
    #[arg(long, value_name = "HOW", value_parser = values::correction)]
    pub correction: Option<Correction>,
    /// Treat differences within this as the same (2%, 10B)
    ///
    /// An amount applies to units of its kind only. [default: 1%]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = values::margin)]
    pub margin: Option<Margin>,
    /// Report a difference only if it is surely above this (5%)
    ///
    /// Its interval has to lie wholly beyond 1 ± this.
    #[arg(long, allow_hyphen_values = true, value_name = "SHARE", value_parser = values::share)]
    pub at_least: Option<f64>,
    /// How much unchanged code differs from run to run (2%)
    ///
    /// For data that were not interleaved; 0 for data known to be interleaved. [default: earlier runs say it, else
    /// 2.5% and the spread of the readings]
    #[arg(long, allow_hyphen_values = true, value_name = "SHARE", value_parser = values::scatter)]
    pub between: Option<f64>,
    /// Take this file or directory for earlier runs
    ///
    /// Besides saved ones. They say how much unchanged code differs from run to run.
    #[arg(long, value_name = "PATH")]
    pub history: Vec<PathBuf>,
}

/// How it is shown.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub(crate) struct Show {
    /// Every table with every row, n and p, and every note
    #[arg(long)]
    pub full: bool,
    /// Only these rows
    #[arg(long, value_name = "WHICH")]
    pub only: Option<OnlyArg>,
    /// Order of the rows
    ///
    /// [default: differences first, the largest change before the others; as in the data with --full]
    #[arg(long, value_name = "BY")]
    pub sort: Option<SortArg>,
    /// One line for each table and column, without rows
    #[arg(long)]
    pub summary: bool,
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
    /// It as a page.
    #[command(flatten)]
    pub page: Page,
}

/// How tables are shaped, as in experiment files. `etalon help tables` lists these; `--help` does not.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Look {
    /// Row below each table
    ///
    /// [default: geomean; none with --view plain and mean]
    #[arg(long, value_name = "WHAT", hide = true)]
    pub summary_row: Option<SummaryArg>,
    /// What stands above each table
    #[arg(long, value_name = "TEXT", hide = true)]
    pub title: Option<String>,
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
            (self.title.is_some(), "--title"),
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

/// What has to hold.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Checks: exit 1 if one fails, 3 if only for unclear data")]
pub(crate) struct Checks {
    /// Fail if anything is so: worse, worse:5%, unclear
    ///
    /// worse:5% is worse by more than a share. A check of one unit (sec/op:worse:5%) overrides one of all
    /// units.
    #[arg(long, value_name = "WHAT", value_parser = fail_on)]
    pub fail_on: Vec<FailOn>,
    /// Fail unless this benchmark is compared in every column
    ///
    /// Its name may omit parts.
    #[arg(long, value_name = "NAME")]
    pub require: Vec<String>,
    /// How checks treat what the base lacks
    ///
    /// Benchmarks, packages and units. What is missing always fails.
    #[arg(long, value_name = "HOW", default_value = "ok")]
    pub new: NewArg,
}

/// `--fail-on` as typed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FailOn {
    /// Something is worse.
    Worse {
        typed: String,
        /// The unit it is about; all of them if absent.
        unit: Option<String>,
        /// By more than this share.
        share: Option<f64>,
    },
    /// Something is unclear.
    Unclear,
}

/// `--new` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewArg {
    /// List them
    Ok,
    /// Fail the check
    Fail,
}

/// `--style` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StyleArg {
    /// etalon's estimates and verdicts
    Etalon,
    /// Exactly what benchstat prints, as text or CSV
    Benchstat,
}

/// `--format` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputArg {
    /// Text for reading
    #[value(alias = "text")]
    Terminal,
    /// GitHub tables
    Markdown,
    /// A row per cell
    Csv,
    /// One JSON document
    Json,
    /// Annotations of a GitHub workflow
    Github,
}

/// `--view` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewArg {
    /// Centre ± interval, change, verdict
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

/// A number from 0 to 1, also in percent.
fn closed_unit(text: &str) -> Result<f64, String> {
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
        None => text.parse(),
    };
    let hint = "write a number from 0 to 1, such as 0.05";
    number.ok().filter(|number| (0.0..=1.0).contains(number)).ok_or_else(|| hint.to_owned())
}

/// `[UNIT:]worse[:P]` or `unclear`; a unit may hold anything but its last word.
fn fail_on(text: &str) -> Result<FailOn, String> {
    let hint = || {
        "write [UNIT:]worse[:P], such as worse, worse:5%, allocs/op:worse or sec/op:worse:5% (slower is the \
         same as worse), or unclear"
            .to_owned()
    };
    if text == "unclear" {
        return Ok(FailOn::Unclear);
    }
    let is_worse = |word: &str| matches!(word, "worse" | "slower");
    let (before, share) = match text.rsplit_once(':') {
        Some((before, last)) if !is_worse(last) => (before, Some(last)),
        _ => (text, None),
    };
    let (unit, word) = match before.rsplit_once(':') {
        Some((unit, word)) => (Some(unit), word),
        None => (None, before),
    };
    if !is_worse(word) || unit == Some("") {
        return Err(hint());
    }
    let share = share.map(values::share).transpose()?;
    Ok(FailOn::Worse { typed: text.to_owned(), unit: unit.map(str::to_owned), share })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use super::*;

    /// Would catch a unit with a colon that is cut in the wrong place, and a misspelling that is taken.
    #[test]
    fn checks_are_read_whole() {
        let worse = |unit: Option<&str>, share| (unit.map(str::to_owned), share);
        for (text, expected) in [
            ("worse", worse(None, None)),
            ("slower", worse(None, None)),
            ("slower:5%", worse(None, Some(0.05))),
            ("allocs/op:worse", worse(Some("allocs/op"), None)),
            ("sec/op:worse:0.5%", worse(Some("sec/op"), Some(0.005))),
            ("a:b:slower:0.02", worse(Some("a:b"), Some(0.02))),
        ] {
            let (unit, share) = expected;
            let expected = FailOn::Worse { typed: text.to_owned(), unit, share };
            assert_eq!(fail_on(text), Ok(expected));
        }
        assert_eq!(fail_on("unclear"), Ok(FailOn::Unclear));
        for bad in [
            "",
            "wors",
            "faster",
            "5%",
            ":worse",
            "sec/op",
            "sec/op:5%",
            "worse:5%:",
            "sec/op:unclear",
            "unclear:5%",
        ] {
            assert!(fail_on(bad).unwrap_err().contains("[UNIT:]worse[:P]"), "{bad}");
        }
        for bad in ["worse:", "worse:5", "worse:-1%", "worse:fast", "worse:0%", "sec/op:worse:5ms"]
        {
            assert!(fail_on(bad).unwrap_err().contains("percentage"), "{bad}");
        }
    }
}
