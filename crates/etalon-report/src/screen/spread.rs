//! How the values of each metric are spread: a table for each, a row for each benchmark.
//!
//! Owns which metrics are shown, and in which order. Cases have tables of their own.

use etalon_core::analysis::{Analysis, MetricSummary};
use etalon_core::metrics;

use crate::figures::Figures;
use crate::table::{Align, Cell, Column, Table};
use crate::view::Statistics;
use crate::words;

/// Metrics of commands, in order; those of other data follow.
const FIRST: [&str; 7] = [
    metrics::WALL,
    metrics::CPU,
    metrics::USER,
    metrics::SYS,
    metrics::RSS,
    metrics::FAULTS,
    metrics::CSW,
];
/// Of these, what is shown where less is asked for.
const MINI: [&str; 2] = [metrics::WALL, metrics::CPU];
/// Metrics whose sums are shown.
const PARTS: [&str; 5] =
    [metrics::MINFLT, metrics::MAJFLT, metrics::VCSW, metrics::IVCSW, metrics::CPU_WAIT];

/// The tables, with quartiles where all statistics are asked for.
pub(crate) fn tables(analysis: &Analysis, statistics: Statistics) -> Vec<Table> {
    let names = names(analysis, statistics);
    names.into_iter().map(|name| of_metric(analysis, name, statistics)).collect()
}

fn names(analysis: &Analysis, statistics: Statistics) -> Vec<&str> {
    let commands = analysis.benchmarks.iter().filter(|it| it.case.is_none());
    let mut known: Vec<&str> = Vec::new();
    for summary in commands.flat_map(|benchmark| &benchmark.metrics) {
        if !known.contains(&summary.metric.name.as_str()) {
            known.push(&summary.metric.name);
        }
    }
    let of_commands = FIRST.iter().copied().filter(|name| known.contains(name));
    let others =
        known.iter().copied().filter(|name| !FIRST.contains(name) && !PARTS.contains(name));
    let all: Vec<&str> = of_commands.chain(others).collect();
    match statistics {
        Statistics::Full => all,
        Statistics::Mini if all.iter().any(|name| MINI.contains(name)) => {
            all.into_iter().filter(|name| MINI.contains(name)).collect()
        }
        Statistics::Mini => all,
        Statistics::None => Vec::new(),
    }
}

fn of_metric(analysis: &Analysis, name: &str, statistics: Statistics) -> Table {
    let commands = analysis.benchmarks.iter().enumerate().filter(|(_, it)| it.case.is_none());
    let summaries: Vec<(usize, &MetricSummary)> =
        commands.filter_map(|(index, it)| Some((index, it.metric(name)?))).collect();
    let columns: &[(&str, Value)] = match statistics {
        Statistics::Full => &[
            ("min", |it| Some(it.quartiles.min)),
            ("Q1", |it| Some(it.quartiles.q1)),
            ("median", |it| Some(it.quartiles.median)),
            ("Q3", |it| Some(it.quartiles.q3)),
            ("max", |it| Some(it.quartiles.max)),
            ("mode", |it| it.mode),
        ],
        Statistics::Mini | Statistics::None => &[
            ("min", |it| Some(it.quartiles.min)),
            ("median", |it| Some(it.quartiles.median)),
            ("max", |it| Some(it.quartiles.max)),
            ("mode", |it| it.mode),
        ],
    };
    let of_row = |(_, it): &(usize, &MetricSummary)| -> Vec<f64> {
        columns.iter().filter_map(|(_, value)| value(it)).collect()
    };
    let values: Vec<Vec<f64>> = summaries.iter().map(of_row).collect();
    let metric = summaries.first().map(|(_, it)| &it.metric);
    let figures = metric.map_or(Vec::new(), |it| Figures::of_rows(it.unit.base(), &values));
    let row = |((index, it), figures): (&(usize, &MetricSummary), &Figures)| {
        let cells = columns.iter().map(|(_, value)| value(it).map(|value| figures.show(value)));
        let name = Cell::words(words::case_name(analysis, *index));
        [name].into_iter().chain(cells.map(Cell::words_or_absent)).collect()
    };
    let titles = columns.iter().map(|(title, _)| Column::new(title, Align::Right));
    Table {
        title: metric.map_or(String::new(), words::metric_title),
        columns: [Column::new("", Align::Left)].into_iter().chain(titles).collect(),
        rows: summaries.iter().zip(&figures).map(row).collect(),
        ..Table::default()
    }
}

/// A figure of a metric; absent where there is none.
type Value = fn(&MetricSummary) -> Option<f64>;
