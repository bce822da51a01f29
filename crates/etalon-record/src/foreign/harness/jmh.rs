//! JMH's JSON (`-rf json`).
//!
//! A fork is a process of its own, and so a run; the iterations in it are its readings, each already a mean over calls.
//! In mode `sample` a fork has histograms of single calls, sorted, and its percentiles are of these. The mode says which way is better.

use std::collections::HashMap;

use etalon_core::model::{BenchmarkKey, Direction};
use serde::Deserialize;

use super::column::{directed, quantity};
use super::results::{
    Benchmark, Cell, Column, Level, Order, Quantity, Refused, Results, Run, Source,
};
use super::wire::{Entries, Words, document};

/// Calls of a histogram that become readings. Because: a count is a number in a file, and may be any.
const MOST_CALLS: f64 = 1_000_000.0;

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Entry {
    jmh_version: Option<String>,
    benchmark: Option<String>,
    mode: String,
    jdk_version: Option<String>,
    vm_name: Option<String>,
    jvm_args: Vec<String>,
    params: Words,
    primary_metric: Option<Metric>,
    secondary_metrics: Entries<Metric>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Metric {
    score: Option<Cell>,
    score_unit: String,
    raw_data: Vec<Vec<Cell>>,
    raw_data_histogram: Vec<Vec<Vec<(Cell, Cell)>>>,
}

/// Reads a file.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let entries: Vec<Entry> = document(0, source.text())?;
    let mut results = Results::default();
    if let Some(first) = entries.first() {
        results.version.clone_from(&first.jmh_version);
        let runtime = first.vm_name.as_ref().zip(first.jdk_version.as_ref());
        results.fact("runtime.version", runtime.map(|(name, version)| format!("{name} {version}")));
        results.fact("runtime.arguments", Some(first.jvm_args.join(" ")));
    }
    let mut modes: HashMap<Key, Vec<String>> = HashMap::new();
    for entry in &entries {
        let of = modes.entry((entry.benchmark.clone(), entry.params.0.clone())).or_default();
        if !of.contains(&entry.mode) {
            of.push(entry.mode.clone());
        }
    }
    for (at, entry) in entries.into_iter().enumerate() {
        let of = (entry.benchmark.clone(), entry.params.0.clone());
        let has_modes = modes.get(&of).is_some_and(|modes| modes.len() > 1);
        if let Err(reason) = add(&mut results, entry, has_modes) {
            results.loss(&format!("benchmark {}", at + 1), reason);
        }
    }
    Ok(results)
}

/// What a benchmark is told by: its name and parameters.
type Key = (Option<String>, Vec<(String, String)>);

/// Adds a benchmark; in several modes each is one of its own.
fn add(results: &mut Results, entry: Entry, has_modes: bool) -> Result<(), String> {
    let name = entry.benchmark.ok_or("it has no name")?;
    let metric = entry.primary_metric.ok_or_else(|| format!("{name}: it has no primaryMetric"))?;
    let mut params = entry.params.0;
    if has_modes {
        params.push(("mode".to_owned(), entry.mode.clone()));
    }
    let key = BenchmarkKey { name, params };
    let better = if entry.mode == "thrpt" { Direction::Higher } else { Direction::Lower };
    let primary = results.quantity(directed(&metric.score_unit, better));
    let mut benchmark = Benchmark { key, ..Benchmark::default() };
    if metric.raw_data.is_empty() {
        benchmark.order = Order::Sorted;
        match calls(metric.raw_data_histogram) {
            Some(forks) => {
                benchmark.runs = forks.into_iter().map(|it| column(primary, it)).collect()
            }
            None => {
                let score = metric.score.ok_or("it has neither raw data nor a score")?;
                benchmark.level = Level::Summary;
                benchmark.runs = vec![column(primary, vec![score])];
            }
        }
    } else {
        benchmark.runs = metric.raw_data.into_iter().map(|it| column(primary, it)).collect();
        for (name, metric) in entry.secondary_metrics.0 {
            secondary(results, &mut benchmark, &name, metric);
        }
    }
    let runs = std::mem::take(&mut benchmark.runs).into_iter().enumerate();
    benchmark.runs = runs.map(|(at, run)| run.of_process(at)).collect();
    results.benchmarks.push(benchmark);
    Ok(())
}

fn column(quantity: usize, cells: Vec<Cell>) -> Run {
    Run::new(vec![Column { quantity, cells }])
}

/// The single calls of each fork, value by value; absent where there are none, or more than are read.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // looked at
fn calls(forks: Vec<Vec<Vec<(Cell, Cell)>>>) -> Option<Vec<Vec<Cell>>> {
    let counts = || forks.iter().flatten().flatten().map(|(_, count)| count.number());
    let is_count = |n: f64| n >= 0.0 && n.fract() == 0.0;
    let total: Option<f64> = counts().map(|count| count.filter(|n| is_count(*n))).sum();
    let few = total.is_some_and(|total| total > 0.0 && total <= MOST_CALLS);
    let of_value = |(value, count): (Cell, Cell)| {
        std::iter::repeat_n(value, count.number().unwrap_or(0.0) as usize)
    };
    let of_fork =
        |fork: Vec<Vec<(Cell, Cell)>>| fork.into_iter().flatten().flat_map(of_value).collect();
    few.then(|| forks.into_iter().map(of_fork).collect())
}

/// A metric of a profiler, or of the user's, where it has a value for each iteration.
fn secondary(results: &mut Results, benchmark: &mut Benchmark, name: &str, metric: Metric) {
    let runs = &mut benchmark.runs;
    let is_alike = metric.raw_data.len() == runs.len()
        && metric.raw_data.iter().zip(runs.iter()).all(|(fork, run)| fork.len() == run.len());
    let name = name.trim_start_matches('·');
    if !is_alike {
        let text = format!("{name} has not a value for each iteration; left out");
        results.remark(&benchmark.key.label(), text);
        return;
    }
    let of_unit = quantity(&metric.score_unit);
    let unit = if metric.score_unit == "counts" { "count".to_owned() } else { of_unit.unit };
    // Only what is per operation is one's own: a rate of allocation follows how fast it is.
    let is_own = metric.score_unit.ends_with("/op") && of_unit.direction == Direction::Lower;
    let direction = if is_own { Direction::Lower } else { Direction::Neither };
    let quantity = Quantity { direction, ..Quantity::neither(name, &unit) };
    let quantity = results.quantity(quantity);
    for (run, cells) in runs.iter_mut().zip(metric.raw_data) {
        run.columns.push(Column { quantity, cells });
    }
}
