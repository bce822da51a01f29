//! How the values of each metric are spread: a table for each, a row for each benchmark.
//!
//! Owns which metrics are shown, and in which order. Cases have tables of their own.

use std::collections::HashMap;

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
const PARTS: [&str; 6] = [
    metrics::MINFLT,
    metrics::MAJFLT,
    metrics::VCSW,
    metrics::IVCSW,
    metrics::CPU_WAIT,
    metrics::CPU_WAIT_MAX,
];

/// The tables, with quartiles where all statistics are asked for.
pub(super) fn tables(analysis: &Analysis, statistics: Statistics) -> Vec<Table> {
    let shown = shown(command_summaries(analysis), statistics);
    shown.into_iter().map(|summaries| metric_table(analysis, &summaries, statistics)).collect()
}

/// The summaries of one metric, with the indices of their benchmarks.
type Summaries<'a> = Vec<(usize, &'a MetricSummary)>;

/// The metrics of commands, each with its name, in the order of their first appearance.
fn command_summaries(analysis: &Analysis) -> Vec<(&str, Summaries<'_>)> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut all: Vec<(&str, Summaries<'_>)> = Vec::new();
    for (index, benchmark) in analysis.benchmarks.iter().enumerate() {
        for summary in benchmark.metrics.iter().filter(|_| benchmark.case.is_none()) {
            let name = summary.metric.name.as_str();
            let place = *places.entry(name).or_insert(all.len());
            if place == all.len() {
                all.push((name, Vec::new()));
            }
            all[place].1.push((index, summary));
        }
    }
    all
}

/// The summaries that are shown, in their order.
fn shown<'a>(mut all: Vec<(&str, Summaries<'a>)>, statistics: Statistics) -> Vec<Summaries<'a>> {
    all.retain(|(name, _)| !PARTS.contains(name));
    let place = |name: &str| FIRST.iter().position(|first| *first == name).unwrap_or(FIRST.len());
    all.sort_by_key(|(name, _)| place(name));
    match statistics {
        Statistics::Mini if all.iter().any(|(name, _)| MINI.contains(name)) => {
            all.retain(|(name, _)| MINI.contains(name));
        }
        Statistics::None => all.clear(),
        Statistics::Mini | Statistics::Full => {}
    }
    all.into_iter().map(|(_, summaries)| summaries).collect()
}

fn metric_table(analysis: &Analysis, summaries: &Summaries<'_>, statistics: Statistics) -> Table {
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
    let figures = metric.map_or(Vec::new(), |it| Figures::for_rows(it.unit.base(), &values));
    let row = |((index, it), figures): (&(usize, &MetricSummary), &Figures)| {
        let cells = columns.iter().map(|(_, value)| value(it).map(|value| figures.show(value)));
        let name = Cell::words(words::case_name(analysis, *index));
        [name].into_iter().chain(cells.map(Cell::words_or_absent)).collect()
    };
    let titles = columns.iter().map(|(title, _)| Column::new(title, Align::Right));
    Table {
        title: metric.map_or(String::new(), |it| words::metric_title(it)),
        columns: [Column::new("", Align::Left)].into_iter().chain(titles).collect(),
        rows: summaries.iter().zip(&figures).map(row).collect(),
        ..Table::default()
    }
}

/// A figure of a metric; absent where there is none.
type Value = fn(&MetricSummary) -> Option<f64>;
