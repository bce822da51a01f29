//! Sections beside the opening, for who asks: spread, shape, graphs, tests, and the tables of cases.
//!
//! Owns the order of these parts. Commands come first, then cases suite by suite.

use etalon_core::analysis::{Analysis, Execution, Suite, Summary};
use etalon_core::dataset::ProcessOutput;

use super::{evidence, services, shape, spread, suites, variation};
use crate::cases;
use crate::document::{Document, Part};
use crate::drawn;
use crate::number::counted;
use crate::text::{clean, hanging, wrap};
use crate::view::{Explanation, Section, Statistics, View};
use crate::words;

/// Lines that are shown of what a process of a case printed. Because a suite that prints in every call prints 64 KiB.
const MOST_LINES: usize = 20;

/// All of it; nothing where nothing is asked for.
pub(crate) fn asked(analysis: &Analysis, view: View) -> Document {
    let mut parts = vec![Part::Tables(spread::tables(analysis, view.statistics))];
    let all = 0..analysis.benchmarks.len();
    let commands: Vec<usize> = all.filter(|at| analysis.benchmarks[*at].case.is_none()).collect();
    // Whoever asks for everything gets the tables of shapes, too; graphs are asked for by themselves.
    let sections = match view.statistics {
        Statistics::Full => view.sections.with(Section::Distribution).with(Section::Tail),
        Statistics::Mini | Statistics::None => view.sections,
    };
    parts.extend(shapes(analysis, &commands, View { sections, ..view }));
    if view.sections.has(Section::Variation) {
        parts.push(Part::Lines(variation::lines(analysis, view.width)));
    }
    let is_explained = view.explanation == Explanation::Full;
    let of_commands = analysis.rankings.iter().filter(|it| it.scope.is_none() && is_explained);
    parts.extend(of_commands.flat_map(|ranking| evidence::parts(analysis, ranking)));
    if view.shows_more() {
        parts.extend(services::table(analysis).map(|table| Part::Tables(vec![table])));
        parts.extend(outputs(analysis, view));
        for suite in &analysis.suites {
            parts.extend(suite_parts(analysis, suite, view));
        }
    }
    Document { parts }
}

/// Tables and drawings of how values are distributed.
fn shapes(analysis: &Analysis, of: &[usize], view: View) -> Vec<Part> {
    let is_asked = |section| view.sections.has(section);
    let mut parts = Vec::new();
    if is_asked(Section::Distribution) {
        parts.push(Part::Tables(vec![shape::distribution(analysis, of)]));
    }
    if is_asked(Section::Tail) {
        parts.push(Part::Tables(vec![shape::tail(analysis, of)]));
    }
    if is_asked(Section::Graph) {
        let graph = |&index: &usize| {
            let bars = drawn::graph(analysis, index, view);
            let name = (!bars.is_empty()).then(|| words::case_name(analysis, index));
            let name = name.iter().flat_map(|name| wrap(name, view.width));
            Part::Lines(name.chain(bars).collect())
        };
        parts.extend(of.iter().map(graph));
    }
    if is_asked(Section::Boxplot) {
        parts.push(Part::Lines(drawn::boxplots(analysis, of, view)));
    }
    parts
}

/// The environment of cases, where more is asked for than times.
pub(crate) fn surroundings(analysis: &Analysis, view: View) -> Document {
    if !cases::any(analysis) || !view.shows_more() {
        return Document::default();
    }
    let of = |execution: &Execution| {
        let mut lines = Vec::new();
        if words::several_sources(analysis) {
            lines.extend(wrap(&clean(&execution.source), view.width));
        }
        for (label, value) in cases::environment(&execution.context, execution.started.as_deref()) {
            lines.extend(hanging(&format!("  {label:8}  "), &value, view.width));
        }
        Part::Lines(lines)
    };
    Document { parts: analysis.executions.iter().map(of).collect() }
}

/// Text that files of cases printed, and the cases themselves.
fn outputs(analysis: &Analysis, view: View) -> Vec<Part> {
    let mut parts = Vec::new();
    for file in cases::files(analysis, view).iter().filter(|file| !file.printed.is_empty()) {
        let printed = file.printed.iter().flat_map(|line| wrap(line, view.width - 2));
        let mut lines = wrap(&format!("{} printed:", file.file), view.width);
        lines.extend(printed.map(|line| format!("  {line}")));
        parts.push(Part::Lines(lines));
    }
    parts.extend(printed(analysis, view));
    parts
}

/// Text that cases printed while they were executed.
fn printed(analysis: &Analysis, view: View) -> Vec<Part> {
    let of_case = |(index, summary): (usize, &Summary)| {
        let name = words::case_name(analysis, index);
        let outputs = summary.case.as_ref()?.printed.iter();
        let lines: Vec<String> =
            outputs.flat_map(|output| printed_by(&name, output, view)).collect();
        (!lines.is_empty()).then_some(Part::Lines(lines))
    };
    analysis.benchmarks.iter().enumerate().filter_map(of_case).collect()
}

fn printed_by(name: &str, output: &ProcessOutput, view: View) -> Vec<String> {
    let times = counted(output.processes as usize, "process", "processes");
    let mut lines = wrap(&format!("{name} printed, in {times}:"), view.width);
    let all: Vec<String> = output
        .text
        .trim_end()
        .lines()
        .flat_map(|line| wrap(&clean(line.trim_end()), view.width - 2))
        .collect();
    lines.extend(all.iter().take(MOST_LINES).map(|line| format!("  {line}")));
    if all.len() > MOST_LINES {
        lines.push(format!("  … {} more", counted(all.len() - MOST_LINES, "line", "lines")));
    }
    lines
}

/// The tables of a suite, its shapes and its tests.
fn suite_parts(analysis: &Analysis, suite: &Suite, view: View) -> Vec<Part> {
    let scope = (analysis.suites.len() > 1).then(|| words::scope(&suite.scope));
    let mut parts = Vec::new();
    for mut table in cases::own_tables(analysis, suite, view.statistics) {
        table.title = scope.iter().fold(table.title, |title, scope| format!("{scope}: {title}"));
        parts.push(Part::Tables(vec![table]));
    }
    parts.extend(shapes(analysis, &suite.members, view));
    let ranking = suites::ranking(analysis, suite);
    let ranking = ranking.filter(|_| view.explanation == Explanation::Full);
    parts.extend(ranking.into_iter().flat_map(|ranking| evidence::parts(analysis, ranking)));
    parts
}
