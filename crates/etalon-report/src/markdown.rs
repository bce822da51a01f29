//! The report as Markdown, as GitHub reads it: of cases in the layout of lua-measure's report, of
//! commands a table each and their ranking.
//!
//! Shows what the terminal shows. What is drawn there rather than written (graphs, box plots, boxes)
//! stands in code blocks. Refuses to let a name, a note or what a suite printed be taken for syntax.

use std::io::{self, Write};

use etalon_core::analysis::{Analysis, Comparison, Execution, Ranked, Ranking, Suite};
use etalon_core::metrics;

use crate::cases::{self, CaseSentence, FileReport};
use crate::document::fenced;
use crate::listings::bestguess;
use crate::number::DisplayUnit;
use crate::table::{self, ABSENT, Align, Cell, Column, Table, escaped, paragraph};
use crate::view::{Colour, Explanation, NARROWEST, Style, View};
use crate::words::{case_name, machine, margin_text, metric_title, ratio_text, verdict_word, why};
use crate::{document, screen};

/// Writes the report.
///
/// # Errors
/// Errors of the writer.
pub fn write(analysis: &Analysis, view: View, out: &mut dyn Write) -> io::Result<()> {
    let view = View { width: view.width.max(NARROWEST), colour: Colour::Never, ..view };
    let mut parts = vec!["# Benchmark Reports".to_owned()];
    // What is asked for in etalon's own style begins with them.
    if view.style != Style::Etalon || !view.shows_more() {
        parts.extend(environments(analysis));
    }
    if view.style == Style::Etalon {
        parts.extend(document::markdown(&screen::opening(analysis, view)));
        parts.extend(document::markdown(&screen::surroundings(analysis, view)));
        parts.extend(document::markdown(&screen::asked(analysis, view)));
    } else {
        parts.extend(commands(analysis, view));
        for file in cases::files(analysis, view) {
            parts.extend(heading(&file));
            parts
                .extend(file.suites.iter().flat_map(|suite| suite_markdown(analysis, suite, view)));
        }
    }
    let closing = document::markdown(&screen::closing(analysis, view));
    if !closing.is_empty() {
        parts.push("## Notes".to_owned());
        parts.extend(closing);
    }
    parts.retain(|part| !part.is_empty());
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_end_matches('\n')).collect();
    writeln!(out, "{}", parts.join("\n\n"))?;
    out.flush()
}

fn environments(analysis: &Analysis) -> Vec<String> {
    let block = |execution: &Execution| {
        let rows = cases::environment(&execution.context, execution.started.as_deref());
        let lines: Vec<String> =
            rows.into_iter().map(|(label, value)| format!("{label:8}: {value}")).collect();
        if lines.is_empty() { String::new() } else { fenced(&lines) }
    };
    analysis.executions.iter().map(block).collect()
}

fn heading(file: &FileReport<'_>) -> Vec<String> {
    let mut parts = vec![format!("## Exec: {}", escaped(&file.file))];
    if !file.printed.is_empty() {
        parts.push(fenced(&file.printed));
    }
    parts.push(file.cases.iter().map(item).collect::<Vec<_>>().join("\n"));
    parts
}

/// The item of a case, with the lines of its error as they are.
fn item(case: &CaseSentence) -> String {
    let text = format!("- {}", paragraph(&case.text()));
    if case.rest.is_empty() {
        return text;
    }
    let rest = fenced(&case.rest);
    let rest: Vec<String> = rest.lines().map(|line| format!("  {line}")).collect();
    format!("{text}\n\n{}\n", rest.join("\n"))
}

fn suite_markdown(analysis: &Analysis, suite: &Suite, view: View) -> Vec<String> {
    let tables = cases::tables(analysis, suite, view.statistics);
    let mut parts: Vec<String> = tables.iter().map(|t| table::markdown(t, 3)).collect();
    for &member in &suite.members {
        parts.extend(drawn(analysis, member, view, 3));
    }
    parts.push(boxplots(analysis, &suite.members, view));
    let own = analysis.rankings.iter().find(|r| r.scope.as_ref() == Some(&suite.scope));
    let others = analysis.settings.metric != metrics::WALL || view.explanation == Explanation::Full;
    parts.extend(own.filter(|_| others).and_then(|r| ranking(analysis, r, view)));
    parts
}

/// Graph, distribution and tail of a benchmark, as far as they are asked for.
fn drawn(analysis: &Analysis, index: usize, view: View, level: usize) -> Vec<String> {
    let shapes = bestguess::shapes(analysis, index, view);
    let shapes: Vec<_> = shapes.iter().filter(|lines| !lines.is_empty()).collect();
    if shapes.is_empty() {
        return Vec::new();
    }
    let name = escaped(&case_name(analysis, index));
    let mut parts = vec![format!("{} {name}", "#".repeat(level))];
    parts.extend(shapes.into_iter().map(|lines| fenced(lines)));
    parts
}

fn boxplots(analysis: &Analysis, benchmarks: &[usize], view: View) -> String {
    let lines = bestguess::boxplots(analysis, benchmarks, view);
    if lines.is_empty() { String::new() } else { fenced(&lines) }
}

fn commands(analysis: &Analysis, view: View) -> Vec<String> {
    let all = 0..analysis.benchmarks.len();
    let commands: Vec<usize> =
        all.filter(|&index| analysis.benchmarks[index].case.is_none()).collect();
    let mut parts = Vec::new();
    for &index in &commands {
        let summary = bestguess::summary_table(analysis, index, view, usize::MAX);
        parts.push(table::markdown(&summary, 2));
        parts.extend(drawn(analysis, index, view, 3));
    }
    parts.push(boxplots(analysis, &commands, view));
    let of_commands = analysis.rankings.iter().filter(|ranking| ranking.scope.is_none());
    parts.extend(of_commands.filter_map(|r| ranking(analysis, r, view)));
    parts
}

/// The ranking; none of a single benchmark. With the tests asked for it is the terminal's.
fn ranking(analysis: &Analysis, ranking: &Ranking, view: View) -> Option<String> {
    if ranking.rows.len() < 2 {
        return None;
    }
    if view.explanation == Explanation::Full {
        let sections = bestguess::ranked(analysis, ranking, view);
        let sections: Vec<String> =
            sections.iter().filter(|lines| !lines.is_empty()).map(|lines| fenced(lines)).collect();
        return Some(sections.join("\n\n"));
    }
    let letters = ranking.rows.iter().any(|row| !row.letters.is_empty());
    let mut columns = vec![
        Column::new("Name", Align::Left),
        Column::new(&metric_title(&ranking.metric), Align::Right),
        Column::new("Ratio", Align::Left),
        Column::new("Verdict", Align::Left),
        Column::new("Why", Align::Left),
    ];
    if letters {
        columns.push(Column::new("Letters", Align::Left));
    }
    let row = |row: &Ranked| {
        let mut cells = ranked(analysis, ranking, row).to_vec();
        if letters {
            cells.push(Cell::words(row.letters.clone()));
        }
        cells
    };
    let margin = margin_text(ranking.criteria.margin, ranking.metric.unit.base());
    let machine = machine(ranking).map_or(String::new(), |machine| format!(", {machine}"));
    let table = Table {
        title: format!("Ranking: {}{machine}", metric_title(&ranking.metric)),
        caption: format!("Ratios and verdicts are against the first row; same: within {margin}."),
        columns,
        rows: ranking.rows.iter().map(row).collect(),
        ..Table::default()
    };
    Some(table::markdown(&table, if ranking.scope.is_some() { 3 } else { 2 }))
}

fn ranked(analysis: &Analysis, ranking: &Ranking, row: &Ranked) -> [Cell; 5] {
    let median = row.median.map(|median| {
        let shown = DisplayUnit::fitting(&ranking.metric, median);
        shown.said(median)
    });
    let comparison = row.comparison.map(|index| &ranking.comparisons[index]);
    let verdict = |c: &Comparison| {
        let word = verdict_word(&c.assessment, ranking.metric.unit.base());
        Cell::verdict(word, c.assessment.decision.verdict)
    };
    let ratio =
        comparison.and_then(|c| c.assessment.evidence.shown().ratio.as_ref()).map(ratio_text);
    [
        Cell::words(case_name(analysis, row.benchmark)),
        Cell::words_or_absent(median),
        Cell::words_or_absent(ratio),
        comparison.map_or(Cell::words(ABSENT), verdict),
        Cell::words(comparison.and_then(|c| why(&c.assessment)).unwrap_or_default()),
    ]
}
