//! The table of one benchmark, on a terminal and in Markdown: a row per metric with mode, minimum,
//! quartiles and maximum, one unit a row.

use etalon_core::analysis::{Analysis, MetricSummary, Summary};
use etalon_core::metrics;

use super::boxed::{self, NUMBER};
use crate::table::{Align, Cell, Column, Table};
use crate::text::{clean, wrap};
use crate::view::{Statistics, Style, View};
use crate::words;

/// Metrics shown, in order.
const FULL: [&str; 7] = [
    metrics::CPU,
    metrics::USER,
    metrics::SYS,
    metrics::WALL,
    metrics::RSS,
    metrics::FAULTS,
    metrics::CSW,
];
const MINI: [&str; 2] = [metrics::CPU, metrics::WALL];

/// The names of the metrics a table shows, in order; BestGuess has no page faults.
pub(super) fn metrics_shown(statistics: Statistics, style: Style) -> Vec<&'static str> {
    let all: &[&str] = match statistics {
        Statistics::Full => &FULL,
        Statistics::Mini => &MINI,
        Statistics::None => &[],
    };
    let is_shown = |name: &&&str| style != Style::BestGuess || **name != metrics::FAULTS;
    all.iter().filter(is_shown).copied().collect()
}

/// Heading and failures.
pub(crate) fn heading(analysis: &Analysis, index: usize, view: View) -> Vec<String> {
    let benchmark = &analysis.benchmarks[index];
    let mut lines = wrap(&title(analysis, index), view.width);
    if let Some(command) = command_line(benchmark) {
        lines.extend(wrap(&command, view.width - 2).iter().map(|line| format!("  {line}")));
    }
    if benchmark.outcomes.not_ok() > 0 && benchmark.case.is_none() {
        lines.push(format!("  {}", outcomes(benchmark)));
    }
    if benchmark.metrics.is_empty() {
        lines.push("  nothing measured".to_owned());
    }
    lines
}

fn title(analysis: &Analysis, index: usize) -> String {
    let what = words::kind(&analysis.benchmarks[index]);
    format!("{what} {}: {}", index + 1, words::name(analysis, index))
}

/// The table in a box, with quartiles if all statistics are shown.
pub(super) fn boxed(analysis: &Analysis, index: usize, view: View) -> Vec<String> {
    let full = view.statistics == Statistics::Full;
    let columns: &[usize] = if full { &[1, 2, 3, 4, 5, 6] } else { &[1, 2, 4, 6] };
    boxed::boxed(&table(analysis, index, view, NUMBER), columns)
}

/// The table, its numbers at most `width` wide; without rows if there is none of its metrics.
pub(crate) fn table(analysis: &Analysis, index: usize, view: View, width: usize) -> Table {
    let titles = ["Mode", "Min", "Q₁", "Median", "Q₃", "Max"];
    let mut columns = vec![Column::new("Metric", Align::Left)];
    columns.extend(titles.map(|title| Column::new(title, Align::Right)));
    let row = |summary: &MetricSummary| {
        let (q, unit) = (&summary.quartiles, words::unit_of(summary));
        let number = |v| format!("{} {}", unit.plain_within(v, width), unit.symbol());
        let mode = Cell::words_or_absent(summary.mode.map(number));
        let mut cells = vec![Cell::words(words::metric_title(&summary.metric)), mode];
        cells.extend([q.min, q.q1, q.median, q.q3, q.max].map(|v| Cell::words(number(v))));
        cells
    };
    let metrics = metrics_shown(view.statistics, view.style).into_iter();
    let metrics = metrics.filter_map(|name| analysis.benchmarks[index].metric(name));
    let rows = metrics.map(row).collect();
    Table { title: title(analysis, index), columns, rows, ..Table::default() }
}

/// The command itself where the benchmark has another name: a display name must not hide it.
fn command_line(benchmark: &Summary) -> Option<String> {
    let declared = &benchmark.benchmark;
    let command = declared.command.as_ref()?;
    if *command == declared.key.name {
        return None;
    }
    Some(clean(command)).filter(|c| !c.is_empty())
}

fn outcomes(benchmark: &Summary) -> String {
    let o = benchmark.outcomes;
    let parts = [
        (o.ok, "ok"),
        (o.failed, "failed"),
        (o.killed, "killed"),
        (o.timed_out, "timed out"),
        (o.suspended, "suspended"),
        (o.not_started, "not started"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    parts.join(", ")
}
