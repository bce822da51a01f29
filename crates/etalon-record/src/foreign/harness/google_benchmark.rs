//! Google Benchmark's JSON.
//!
//! Repetitions of one process are the readings. Its own aggregates are not counted again; where a file has nothing else
//! (`--benchmark_report_aggregates_only`), the median is a summary.

use std::collections::HashMap;

use etalon_core::metrics;
use etalon_core::model::{BenchmarkKey, NotStarted, Outcome};
use serde::Deserialize;

use super::column::{time, whole};
use super::results::{
    Benchmark, Cell, Column, Iterations, Level, Quantity, Refused, Results, Run, Source,
};
use super::wire::{Entries, Scalar, Words, document, is_no_number};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    context: Words,
    benchmarks: Option<Vec<Entries<Scalar>>>,
}

/// Whether a value of an entry, which may be a counter of the user's, is a number, or is written where one would be.
fn is_number(value: &Scalar) -> bool {
    match value {
        Scalar::Number(_) | Scalar::Integer(_) | Scalar::Large(_) => true,
        Scalar::Text(text) => is_no_number(text),
        Scalar::Flag(_) | Scalar::Null | Scalar::Nested(_) => false,
    }
}

/// Keys that are no counters.
const KNOWN: [&str; 23] = [
    "name",
    "family_index",
    "per_family_instance_index",
    "run_name",
    "run_type",
    "repetitions",
    "repetition_index",
    "threads",
    "iterations",
    "real_time",
    "cpu_time",
    "time_unit",
    "label",
    "aggregate_name",
    "aggregate_unit",
    "error_occurred",
    "error_message",
    "skipped",
    "skip_message",
    "big_o",
    "rms",
    "cpu_coefficient",
    "real_coefficient",
];

/// Facts of the context under etalon's names.
const FACTS: [(&str, &str); 5] = [
    ("host_name", "machine.host"),
    ("num_cpus", "cpu.cores"),
    ("mhz_per_cpu", "cpu.mhz"),
    ("cpu_scaling_enabled", "cpu.scaling"),
    ("library_build_type", "tool.build"),
];

/// Reads a file.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let document: Document = document(0, source.text())?;
    let said = |key: &str| document.context.get(key).map(str::to_owned);
    let mut results =
        Results { version: said("library_version"), started: said("date"), ..Results::default() };
    for (theirs, ours) in FACTS {
        results.fact(ours, document.context.get(theirs));
    }
    let Some(entries) = document.benchmarks else {
        let reason = "there is no list called `benchmarks`".to_owned();
        return Err(Refused { part: 0, line: 1, reason });
    };
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut medians: Vec<(String, Run)> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let entry = Entry(entry);
        let Some(name) = entry.text("run_name").or_else(|| entry.text("name")) else {
            results.loss(&format!("benchmark {}", at + 1), "it has no name");
            continue;
        };
        match entry.text("run_type").unwrap_or("iteration") {
            "iteration" => {
                let run = entry.reading(&mut results);
                add(&mut results, &mut places, name, run);
            }
            _ if entry.text("aggregate_name") == Some("median") => {
                medians.push((name.to_owned(), entry.reading(&mut results)));
            }
            _ => {}
        }
    }
    for (name, run) in medians.into_iter().filter(|(name, _)| !places.contains_key(name)) {
        let key = BenchmarkKey { name, params: Vec::new() };
        // The iterations of an aggregate are its repetitions.
        let runs = vec![Run { iterations: Iterations::Unsaid, ..run }];
        let level = Level::Summary;
        results.benchmarks.push(Benchmark { key, level, runs, ..Benchmark::default() });
    }
    Ok(results)
}

/// Adds a repetition: to the readings of its benchmark, which are one process.
fn add(results: &mut Results, places: &mut HashMap<String, usize>, name: &str, run: Run) {
    let Some(&at) = places.get(name) else {
        places.insert(name.to_owned(), results.benchmarks.len());
        let key = BenchmarkKey { name: name.to_owned(), params: Vec::new() };
        results.benchmarks.push(Benchmark { key, runs: vec![run], ..Benchmark::default() });
        return;
    };
    let runs = &mut results.benchmarks[at].runs;
    match runs.last_mut() {
        Some(last) if is_alike(last, &run) => join(last, run),
        _ => runs.push(run),
    }
}

/// Whether two repetitions have the same columns, and both ended well.
fn is_alike(one: &Run, other: &Run) -> bool {
    let quantities = |run: &Run| run.columns.iter().map(|column| column.quantity).collect();
    let [first, second]: [Vec<usize>; 2] = [quantities(one), quantities(other)];
    first == second && one.outcome == Outcome::Ok && other.outcome == Outcome::Ok
}

fn join(all: &mut Run, one: Run) {
    let before = all.len();
    for (column, more) in all.columns.iter_mut().zip(one.columns) {
        column.cells.extend(more.cells);
    }
    let each = match std::mem::take(&mut all.iterations) {
        Iterations::Unsaid => None,
        Iterations::Same(calls) => Some(vec![calls; before]),
        Iterations::Each(each) => Some(each),
    };
    let each = each.zip(one.iterations.of(0)).map(|(mut each, calls)| {
        each.push(calls);
        each
    });
    all.iterations = each.map_or(Iterations::Unsaid, Iterations::Each);
}

struct Entry<'e>(&'e Entries<Scalar>);

impl Entry<'_> {
    fn get(&self, key: &str) -> Option<&Scalar> {
        self.0.0.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    fn text(&self, key: &str) -> Option<&str> {
        match self.get(key)? {
            Scalar::Text(text) => Some(text),
            _ => None,
        }
    }

    fn is_set(&self, key: &str) -> bool {
        matches!(self.get(key), Some(Scalar::Flag(true)))
    }

    /// The entry as one reading, or as what became of it.
    fn reading(&self, results: &mut Results) -> Run {
        let said = |key| self.text(key).unwrap_or("no reason is given").to_owned();
        if self.is_set("error_occurred") {
            let why = NotStarted::NoResult(said("error_message"));
            return Run::failed(Outcome::NotStarted { why });
        }
        if self.is_set("skipped") {
            let why = NotStarted::Skipped(Some(said("skip_message")));
            return Run::failed(Outcome::NotStarted { why });
        }
        let unit = self.text("time_unit").and_then(time).unwrap_or("ns");
        let mut columns = Vec::new();
        for (key, value) in &self.0.0 {
            let quantity = match key.as_str() {
                "real_time" => Quantity::wall(unit),
                "cpu_time" => Quantity::lower(metrics::CPU, unit),
                "bytes_per_second" => Quantity::higher("B/s", "B/s"),
                "items_per_second" => Quantity::higher("items/s", "items/s"),
                known if KNOWN.contains(&known) => continue,
                _ if !is_number(value) => continue,
                counter => Quantity::neither(counter, "count"),
            };
            let quantity = results.quantity(quantity);
            columns.push(Column { quantity, cells: vec![Cell::from(value)] });
        }
        let calls =
            self.get("iterations").and_then(|value| Cell::from(value).number()).and_then(whole);
        let iterations = calls.map_or(Iterations::Unsaid, Iterations::Same);
        Run { iterations, ..Run::new(columns) }
    }
}
