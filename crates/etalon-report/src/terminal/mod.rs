//! The terminal report: opening lines; per benchmark a table and what else is asked for; box plots;
//! the ranking; footnotes.
//!
//! One file per section. Every section fits the width it is given (80 columns and up); what is
//! wider is wrapped, never cut. The same analysis gives the same bytes.

mod axis;
mod boxplot;
mod cases;
mod distribution;
mod explain;
mod footnotes;
mod frame;
mod graph;
mod opening;
mod page;
mod ranking;
mod summary;
mod tail;

use std::io::{self, Write};

use etalon_core::analysis::{Analysis, Ranking};

use crate::table;
use crate::view::{Explanation, NARROWEST, Section, Statistics, View};

pub(crate) use footnotes::footnotes;
pub(crate) use opening::sentences;
pub(crate) use page::table as page_table;
pub(crate) use summary::table as summary_table;

/// Writes the report.
///
/// # Errors
/// What the writer returns.
pub fn write(analysis: &Analysis, view: View, out: &mut dyn Write) -> io::Result<()> {
    let view = View { width: view.width.max(NARROWEST), ..view };
    let page = page::table(analysis, view.statistics);
    // What stands on the page does not stand under each benchmark again.
    let each = if page.is_some() { View { statistics: Statistics::None, ..view } } else { view };
    let page = page.map(|page| table::terminal(&page, view.width, view.colour));
    let mut sections = vec![opening::lines(analysis, view), page.unwrap_or_default()];
    let all = 0..analysis.benchmarks.len();
    let commands: Vec<usize> =
        all.filter(|&index| analysis.benchmarks[index].case.is_none()).collect();
    sections.extend(commands.iter().flat_map(|&index| benchmark(analysis, index, each)));
    sections.push(boxplots(analysis, &commands, view));
    for ranking in analysis.rankings.iter().filter(|ranking| ranking.scope.is_none()) {
        sections.extend(ranked(analysis, ranking, view));
    }
    sections.extend(cases::sections(analysis, view));
    sections.push(footnotes::lines(analysis, view));
    let mut first = true;
    for lines in sections.iter().filter(|lines| !lines.is_empty()) {
        if !first {
            writeln!(out)?;
        }
        first = false;
        for line in lines {
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    out.flush()
}

/// A ranking and, where that is asked for, the settings of its tests.
pub(crate) fn ranked(analysis: &Analysis, ranking: &Ranking, view: View) -> Vec<Vec<String>> {
    if ranking.rows.len() < 2 {
        return Vec::new();
    }
    let settings = match view.explanation {
        Explanation::Full => explain::settings(analysis, ranking),
        Explanation::Brief => Vec::new(),
    };
    vec![settings, ranking::lines(analysis, ranking, view)]
}

/// The graph, the distribution and the tail of one benchmark, as far as they are asked for.
pub(crate) fn shapes(analysis: &Analysis, index: usize, view: View) -> Vec<Vec<String>> {
    let asked = |section| view.sections.has(section);
    let mut parts = Vec::new();
    if asked(Section::Graph) {
        parts.push(graph::lines(analysis, index, view));
    }
    if asked(Section::Distribution) {
        parts.push(distribution::lines(analysis, index));
    }
    if asked(Section::Tail) {
        parts.push(tail::lines(analysis, index));
    }
    parts
}

/// The box plots of some benchmarks, where they are asked for.
pub(crate) fn boxplots(analysis: &Analysis, benchmarks: &[usize], view: View) -> Vec<String> {
    if view.sections.has(Section::Boxplot) {
        boxplot::lines(analysis, benchmarks, view)
    } else {
        Vec::new()
    }
}

/// The table of one benchmark and the sections about it. The heading stands on what comes first.
fn benchmark(analysis: &Analysis, index: usize, view: View) -> Vec<Vec<String>> {
    let mut parts = vec![summary::boxed(analysis, index, view)];
    parts.extend(shapes(analysis, index, view));
    if view.statistics == Statistics::None && parts.len() == 1 {
        return Vec::new();
    }
    parts.retain(|lines| !lines.is_empty());
    let mut first = summary::heading(analysis, index, view);
    if !parts.is_empty() {
        first.extend(parts.remove(0));
    }
    parts.insert(0, first);
    parts
}
