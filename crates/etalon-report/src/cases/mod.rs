//! The report of cases, file by file, before it is laid out: what was executed where, tables, and
//! sentences. The terminal and Markdown show the same of it.
//!
//! Sections are those of lua-measure's report, in its words or in etalon's. Computes nothing: what a column means is
//! with `core::analysis::CaseFacts` and in `docs/lua.md`, "Reading the report".

mod compiling;
mod environment;
mod listing;
mod means;
mod memory;
mod metrics;
mod own;
mod performance;
mod reliability;
mod sampling;
mod shared_unit;

use etalon_core::analysis::{Analysis, CaseFacts, MetricSummary, Suite, Summary};

pub(crate) use environment::{environment, seconds};
pub(crate) use listing::CaseSentence;
pub(crate) use metrics::script_metrics;
pub(crate) use own::own_tables;

use crate::table::{Cell, Table};
use crate::text::clean;
use crate::view::{Statistics, View};
use crate::words::{self, case_name};

/// The report of a file.
pub(crate) struct FileReport<'a> {
    /// The file, safe to show.
    pub(crate) file: String,
    /// Text that it printed while it was loaded, as safe lines.
    pub(crate) printed: Vec<String>,
    /// A sentence per case: how it was sampled, or why it was not.
    pub(crate) cases: Vec<CaseSentence>,
    /// Its suites: one, or one a group and job.
    pub(crate) suites: Vec<&'a Suite>,
}

/// Whether there are cases to report.
pub(crate) fn any(analysis: &Analysis) -> bool {
    !analysis.suites.is_empty()
}

/// All files, in the order of the data.
pub(crate) fn files(analysis: &Analysis, view: View) -> Vec<FileReport<'_>> {
    let mut reports: Vec<(&str, Vec<&Suite>)> = Vec::new();
    for suite in &analysis.suites {
        let file = suite.scope.file.as_str();
        match reports.iter_mut().find(|(known, _)| *known == file) {
            Some((_, suites)) => suites.push(suite),
            None => reports.push((file, vec![suite])),
        }
    }
    reports
        .into_iter()
        .map(|(file, suites)| FileReport {
            file: clean(file),
            printed: printed(analysis, file),
            cases: listing::sentences(analysis, &suites, view),
            suites,
        })
        .collect()
}

fn printed(analysis: &Analysis, file: &str) -> Vec<String> {
    let outputs = analysis.executions.iter().flat_map(|execution| &execution.outputs);
    let of_file = outputs.filter(|output| output.file == file);
    let lines = of_file.flat_map(|output| output.text.trim_end().lines());
    lines.map(|line| clean(line.trim_end())).collect()
}

/// The tables of a suite as lua-measure has them, in order; each says of which group and job it is.
pub(crate) fn tables(analysis: &Analysis, suite: &Suite, statistics: Statistics) -> Vec<Table> {
    let mut tables = statistics_tables(analysis, suite, statistics);
    let within = [suite.scope.group.as_deref().map(clean), words::job(&suite.scope)];
    for within in within.into_iter().flatten() {
        tables.iter_mut().for_each(|t| t.title = format!("{}: {within}", t.title));
    }
    tables
}

fn statistics_tables(analysis: &Analysis, suite: &Suite, statistics: Statistics) -> Vec<Table> {
    let mut tables = Vec::new();
    if statistics == Statistics::Full {
        tables.push(sampling::table(analysis, suite));
    }
    if statistics != Statistics::None {
        tables.push(memory::table(analysis, suite));
        tables.push(metrics::table(analysis, suite));
    }
    if statistics == Statistics::Full {
        tables.push(reliability::table(analysis, suite));
    }
    tables.push(performance::table(analysis, suite));
    if statistics == Statistics::Full {
        tables.extend(means::table(analysis, suite));
    }
    tables.retain(|table| !table.rows.is_empty());
    tables
}

/// A case with samples.
#[derive(Clone, Copy)]
struct Measured<'a> {
    index: usize,
    summary: &'a Summary,
    facts: &'a CaseFacts,
    wall: &'a MetricSummary,
}

/// The cases of a suite that have samples, in the order of the data.
fn measured<'a>(analysis: &'a Analysis, suite: &Suite) -> Vec<Measured<'a>> {
    let case = |&index: &usize| {
        let summary = &analysis.benchmarks[index];
        let (facts, wall) = (summary.case.as_ref()?, summary.metric(etalon_core::metrics::WALL)?);
        Some(Measured { index, summary, facts, wall })
    };
    suite.members.iter().filter_map(case).collect()
}

/// Cases by a number, those without one last; equal ones in the order of the data.
fn sorted<'a>(
    mut cases: Vec<Measured<'a>>,
    key: impl Fn(&Measured<'a>) -> Option<f64>,
) -> Vec<Measured<'a>> {
    let key = |case: &Measured<'a>| key(case).unwrap_or(f64::INFINITY);
    cases.sort_by(|a, b| key(a).total_cmp(&key(b)));
    cases
}

/// The cell that names a case.
fn name(analysis: &Analysis, index: usize) -> Cell {
    Cell::words(case_name(analysis, index))
}

/// Columns put together into rows.
fn rows(columns: Vec<Vec<Cell>>) -> Vec<Vec<Cell>> {
    let height = columns.iter().map(Vec::len).min().unwrap_or(0);
    let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
    (0..height).map(|_| columns.iter_mut().filter_map(Iterator::next).collect()).collect()
}
