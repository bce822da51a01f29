//! lua-measure's listing: cases, file by file: what printed what, how it was sampled, the tables, and what else is asked
//! for.

use etalon_core::analysis::{Analysis, Suite};
use etalon_core::metrics;

use super::bestguess::{boxplots, heading as heading_of, ranked, shapes};
use crate::cases::{self, FileReport};
use crate::table::{self, Rules};
use crate::text::{clean, hanging, wrap};
use crate::view::{Explanation, View};
use crate::words;

/// All sections about cases; none without any.
pub(super) fn sections(analysis: &Analysis, view: View) -> Vec<Vec<String>> {
    let mut sections = Vec::new();
    if !cases::any(analysis) {
        return sections;
    }
    for execution in &analysis.executions {
        let mut lines = Vec::new();
        if words::several_sources(analysis) {
            lines.extend(wrap(&format!("{}:", clean(&execution.source)), view.width));
        }
        for (label, value) in cases::environment(&execution.context, execution.started.as_deref()) {
            lines.extend(hanging(&format!("  {label:8}  "), &value, view.width));
        }
        sections.push(lines);
    }
    for file in cases::files(analysis, view) {
        sections.extend(heading(&file, view));
        sections.extend(file.suites.iter().flat_map(|suite| suite_lines(analysis, suite, view)));
    }
    sections
}

fn heading(file: &FileReport<'_>, view: View) -> Vec<Vec<String>> {
    let mut printed = wrap(&format!("Exec: {}", file.file), view.width);
    let lines = file.printed.iter().flat_map(|line| wrap(line, view.width - 4));
    printed.extend(lines.map(|line| format!("    {line}")));
    let items = file.cases.iter().flat_map(|case| {
        let rest = case.rest.iter().flat_map(|line| hanging("        ", line, view.width));
        hanging("  - ", &case.text(), view.width).into_iter().chain(rest)
    });
    vec![printed, items.collect()]
}

fn suite_lines(analysis: &Analysis, suite: &Suite, view: View) -> Vec<Vec<String>> {
    let tables = cases::tables(analysis, suite, view.statistics);
    let mut sections: Vec<Vec<String>> = tables
        .iter()
        .map(|table| table::terminal(table, view.width, view.colour, Rules::Drawn))
        .collect();
    for &member in &suite.members {
        let mut shapes = shapes(analysis, member, view);
        shapes.retain(|lines| !lines.is_empty());
        if let Some(first) = shapes.first_mut() {
            first.splice(0..0, heading_of(analysis, member, view));
        }
        sections.extend(shapes);
    }
    sections.push(boxplots(analysis, &suite.members, view));
    let others = analysis.settings.metric != metrics::WALL || view.explanation == Explanation::Full;
    let ranking = analysis.rankings.iter().find(|r| r.scope.as_ref() == Some(&suite.scope));
    if let Some(ranking) = ranking.filter(|_| others) {
        sections.extend(ranked(analysis, ranking, view));
    }
    sections
}
