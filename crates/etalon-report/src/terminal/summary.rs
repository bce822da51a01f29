//! The table of one benchmark: a row per metric with mode, minimum, quartiles and maximum, one
//! unit a row.

use etalon_core::analysis::{Analysis, MetricSummary, Summary};

use super::{Statistics, View, words};
use crate::text::{clean, left, right, wrap};

/// Metrics shown, in order.
const FULL: [&str; 7] = ["cpu", "user", "sys", "wall", "rss", "faults", "csw"];
const MINI: [&str; 2] = ["cpu", "wall"];

/// Width of the metric's title.
const TITLE: usize = 17;
/// Width of a number.
const NUMBER: usize = 8;

/// The names of the metrics a table shows, in order.
pub(crate) fn metrics_shown(statistics: Statistics) -> &'static [&'static str] {
    match statistics {
        Statistics::Full => &FULL,
        Statistics::Mini => &MINI,
        Statistics::None => &[],
    }
}

/// Heading and failures.
pub(super) fn heading(analysis: &Analysis, index: usize, view: View) -> Vec<String> {
    let benchmark = &analysis.benchmarks[index];
    let what = if benchmark.case.is_some() { "Case" } else { "Command" };
    let heading = format!("{what} {}: {}", index + 1, words::name(analysis, index));
    let mut lines = wrap(&heading, view.width);
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

/// The table; nothing without any of its metrics.
pub(super) fn table(analysis: &Analysis, index: usize, view: View) -> Vec<String> {
    let benchmark = &analysis.benchmarks[index];
    let names = metrics_shown(view.statistics);
    let quartiles = view.statistics == Statistics::Full;
    let rows: Vec<&MetricSummary> =
        names.iter().filter_map(|name| benchmark.metric(name)).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![header(quartiles)];
    for (i, summary) in rows.iter().enumerate() {
        let ends = if i + 1 == rows.len() { ("╰", "╯") } else { ("│", "│") };
        lines.push(row(summary, quartiles, ends));
    }
    lines
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
        (o.not_started, "not started"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    parts.join(", ")
}

fn header(quartiles: bool) -> String {
    let titles: &[&str] = if quartiles {
        &["Min", "Q₁", "Median", "Q₃", "Max"]
    } else {
        &["Min", "Median", "Max"]
    };
    let columns: String = titles.iter().map(|t| right(t, NUMBER + 1)).collect();
    format!("{}{}    ╭{columns}   ╮", " ".repeat(TITLE), right("Mode", NUMBER + 1))
}

fn row(summary: &MetricSummary, quartiles: bool, ends: (&str, &str)) -> String {
    let q = &summary.quartiles;
    let shown = words::unit_of(summary);
    let mode = summary.mode.map_or_else(|| "-".to_owned(), |mode| shown.plain_within(mode, NUMBER));
    let values: &[f64] =
        if quartiles { &[q.min, q.q1, q.median, q.q3, q.max] } else { &[q.min, q.median, q.max] };
    let columns: String =
        values.iter().map(|v| right(&shown.plain_within(*v, NUMBER), NUMBER + 1)).collect();
    format!(
        "{}{} {}{}{columns}   {}",
        right(&words::metric_title(&summary.metric), TITLE),
        right(&mode, NUMBER + 1),
        left(shown.symbol(), 3),
        ends.0,
        ends.1
    )
}
