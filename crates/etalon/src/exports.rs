//! `--html`, `--svg`, `--export-*` and `--hyperfine-csv`: from what was asked for to files replaced.
//!
//! Checked before anything is measured, written once there is something to write: after each finished stage of an
//! experiment, and at its end, also if that is an interrupt or a failure. An export that fails leaves its file as it was
//! and does not keep the others from being written; the command then exits with 2.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use etalon_core::analysis::{Analysis, analyse};
use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::plan::Settings;
use etalon_core::plots;
use etalon_record::foreign::{Schema, write_hyperfine};
use etalon_report::export::{
    Sort, TimeUnit, asciidoc, bestguess_csv, bestguess_hyperfine_csv, failures, for_spreadsheets,
    hyperfine_csv, markdown, orgmode, times,
};
use etalon_report::html::page;
use etalon_report::svg::{Drawn, stills};
use etalon_report::table::Table;
use etalon_report::text::clean;

use crate::cli::{self, SortArg, TimeUnitArg};
use crate::convert;
use crate::failure::Failure;
use crate::output;
use crate::pages::{self, Page};
use crate::replace::Target;

/// The content of a file.
#[derive(Debug, Clone, Copy)]
enum Content {
    /// From the analysis.
    Csv(fn(&Analysis) -> Vec<u8>),
    /// From the data.
    HyperfineJson,
    /// From an analysis by wall clock.
    Table(fn(&Table) -> String),
}

/// An export's option, what was typed for it, what it writes.
type ExportOption = (&'static str, fn(&cli::Exports) -> Option<&OsString>, Content);

const ALL: [ExportOption; 7] = [
    ("--export-csv", |e| e.export_csv.as_ref(), Content::Csv(bestguess_csv)),
    (HYPERFINE_OPTION, |e| e.export_hyperfine.as_ref(), Content::Csv(hyperfine_csv)),
    (HYPERFINE_CSV, |e| e.hyperfine_csv.as_ref(), Content::Csv(bestguess_hyperfine_csv)),
    ("--export-json", |e| e.export_json.as_ref(), Content::HyperfineJson),
    ("--export-markdown", |e| e.export_markdown.as_ref(), Content::Table(markdown)),
    ("--export-asciidoc", |e| e.export_asciidoc.as_ref(), Content::Table(asciidoc)),
    ("--export-orgmode", |e| e.export_orgmode.as_ref(), Content::Table(orgmode)),
];

const HYPERFINE_OPTION: &str = "--export-hyperfine";
const HYPERFINE_CSV: &str = "--hyperfine-csv";

/// Exports asked for, their files checked.
#[derive(Debug)]
pub(crate) struct Exports<'a> {
    options: &'a cli::Exports,
    page: Option<Page>,
    files: Vec<(Target, Content)>,
}

impl<'a> Exports<'a> {
    /// Those that write nothing, of the same options.
    pub(crate) fn nowhere(&self) -> Exports<'a> {
        Exports { options: self.options, page: None, files: Vec::new() }
    }

    /// Whether a file is written.
    pub(crate) fn is_asked(&self) -> bool {
        self.page.is_some() || !self.files.is_empty()
    }

    /// Checks all files. `in_use` are files that must not be replaced: where data come from or go.
    pub(crate) fn check(
        options: &'a cli::Exports,
        in_use: &[&Path],
    ) -> Result<Exports<'a>, Failure> {
        let page = Page::check(&options.page, in_use)?;
        let mut files: Vec<(Target, Content)> = Vec::new();
        for (option, name, content) in ALL {
            let Some(name) = name(options) else { continue };
            let target = Target::check(option, name, pages::INSTEAD)?;
            let mut others =
                files.iter().map(|(other, _)| other).chain(page.iter().filter_map(Page::target));
            if let Some(other) = others.find(|other| other.is_same_as(&target)) {
                let other = other.subject();
                return Err(Failure::about(
                    target.subject(),
                    format!("is also {other}; name two files"),
                ));
            }
            pages::check_in_use(&target, in_use)?;
            files.push((target, content));
        }
        Ok(Exports { options, page, files })
    }

    /// Whether none was asked for.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.page.is_none()
    }

    /// The page that was asked for.
    pub(crate) fn page(&self) -> Option<&Page> {
        self.page.as_ref()
    }

    /// Writes all files, from the analysis and the data that it is of. What could not be written.
    pub(crate) fn write(&self, analysis: &Analysis, data: &Dataset) -> Vec<Failure> {
        let tables = self.files.iter().any(|(_, content)| matches!(content, Content::Table(_)));
        let table = if tables { table(analysis, data, self.options) } else { None };
        let page = self.page.iter().map(|asked| pictured(asked, analysis, data));
        let mut failures: Vec<Failure> = page.filter_map(Result::err).collect();
        for (target, content) in &self.files {
            let written = match content {
                Content::Csv(bytes) => {
                    let exact = bytes(analysis);
                    let asked = self.options.spreadsheet;
                    let bytes = if asked { for_spreadsheets(&exact) } else { exact };
                    target.replace(|out| out.write_all(&bytes))
                }
                Content::Table(text) => match &table {
                    Some(table) => target.replace(|out| out.write_all(text(table).as_bytes())),
                    None => Err(Failure::about(
                        target.subject(),
                        "the data have no wall-clock times, of which this table is",
                    )),
                },
                Content::HyperfineJson => hyperfine_json(target, data),
            };
            failures.extend(written.err());
        }
        failures
    }

    /// Remarks for whoever asked for the files, or for none.
    pub(crate) fn remarks(&self, analysis: &Analysis) -> Vec<String> {
        let without_failures = self.without_failures(analysis);
        self.without_cpu(analysis)
            .into_iter()
            .chain(self.without_table())
            .chain(without_failures)
            .collect()
    }

    /// Failures of commands in files that have no place for them.
    fn without_failures(&self, analysis: &Analysis) -> Option<String> {
        let has_no_place = |subject: &str| {
            [HYPERFINE_OPTION, HYPERFINE_CSV].iter().any(|it| subject.starts_with(it))
        };
        let (target, _) = self.files.iter().find(|(target, _)| has_no_place(target.subject()))?;
        let failed: Vec<String> = analysis
            .benchmarks
            .iter()
            .filter_map(|summary| {
                Some(format!("{}: {}", clean(&summary.label), failures(summary)?))
            })
            .collect();
        let about = target.subject();
        (!failed.is_empty())
            .then(|| format!("{about}: has no column for failures ({})", failed.join("; ")))
    }

    /// Options of tables where no table is written.
    fn without_table(&self) -> Option<String> {
        if self.files.iter().any(|(_, content)| matches!(content, Content::Table(_))) {
            return None;
        }
        let unit = self.options.time_unit.is_some().then_some("--time-unit");
        let sort = (self.options.sort != SortArg::Auto).then_some("--sort");
        let typed: Vec<&str> = unit.into_iter().chain(sort).collect();
        let (options, are) = match typed.len() {
            0 => return None,
            1 => (typed[0].to_owned(), "is"),
            _ => (typed.join(" and "), "are"),
        };
        Some(format!(
            "{options} {are} of exported tables only, and none was asked for (--export-markdown, \
             --export-asciidoc, --export-orgmode)"
        ))
    }

    fn without_cpu(&self, analysis: &Analysis) -> Option<String> {
        let (target, _) =
            self.files.iter().find(|(target, _)| target.subject().starts_with(HYPERFINE_CSV))?;
        let without = analysis.benchmarks.iter().all(|b| b.metric(metrics::CPU).is_none());
        let about = target.subject();
        without.then(|| format!("{about}: the data have no CPU times, its columns are empty"))
    }
}

/// The page and its pictures, for which readings are looked at once more.
fn pictured(asked: &Page, analysis: &Analysis, data: &Dataset) -> Result<(), Failure> {
    let mut explained = analysis.clone();
    explained.explain(data);
    let (groups, growing) = (plots::analysis_groups(&explained, data), plots::growing(&explained));
    let drawn = Drawn { groups: &groups, growing: &growing };
    let of_page = || pages::data(data, &analysis.settings.metric);
    asked.write(|| Ok(page(&explained, drawn, &of_page())), || stills(&explained, drawn))
}

/// Tells all failures but the last, which whoever called is to end with.
pub(crate) fn tell(mut failures: Vec<Failure>) -> Result<(), Failure> {
    let Some(last) = failures.pop() else { return Ok(()) };
    for earlier in &failures {
        output::remark(&format!("etalon: {}", earlier.message()));
    }
    Err(last)
}

/// Writes hyperfine's JSON. Nothing is said of what it cannot hold: the record is there, and has it.
fn hyperfine_json(target: &Target, data: &Dataset) -> Result<(), Failure> {
    convert::one_document(data)?;
    let written = target.replace(|out| write_hyperfine(data, Schema::Two, out));
    written.map(|_not_held| ())
}

/// The table of wall-clock times. Its ratios are of wall clock too, whatever the report ranks.
fn table(analysis: &Analysis, data: &Dataset, options: &cli::Exports) -> Option<Table> {
    let unit = options.time_unit.map(|unit| match unit {
        TimeUnitArg::Nanosecond => TimeUnit::Nanosecond,
        TimeUnitArg::Microsecond => TimeUnit::Microsecond,
        TimeUnitArg::Millisecond => TimeUnit::Millisecond,
        TimeUnitArg::Second => TimeUnit::Second,
    });
    let sort = match options.sort {
        SortArg::MeanTime => Sort::MeanTime,
        _ => Sort::Command,
    };
    if analysis.settings.metric == metrics::WALL {
        return times(analysis, unit, sort).ok();
    }
    let settings = Settings { metric: metrics::WALL.to_owned(), ..analysis.settings.clone() };
    let by_wall = analyse(data, &settings).ok()?;
    times(&by_wall, unit, sort).ok()
}
