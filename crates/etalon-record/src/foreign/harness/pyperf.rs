//! pyperf's JSON, and what nanobench writes in it.
//!
//! A run is a process of its own, and its values are its readings, of one call each. Processes that only calibrate, and
//! warm-ups, are not measured and not counted.

use etalon_core::metrics;
use etalon_core::model::BenchmarkKey;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::column::{same, size, time};
use super::results::{
    Benchmark, Cell, Column, Iterations, Quantity, Refused, Results, Run, Source,
};
use super::wire::{Words, document};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    benchmarks: Option<Vec<Entry>>,
    metadata: Words,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    metadata: Words,
    runs: Vec<RunWire>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RunWire {
    metadata: Words,
    values: Vec<Cell>,
    warmups: IgnoredAny,
}

/// Facts of pyperf under etalon's names.
const FACTS: [(&str, &str); 7] = [
    ("hostname", "machine.host"),
    ("cpu_model_name", "cpu.model"),
    ("cpu_count", "cpu.cores"),
    ("platform", "os"),
    ("load_avg_1min", "load.1min"),
    ("aslr", "kernel.aslr"),
    ("cpu_config", "cpu.config"),
];

/// Reads a file.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let document: Document = document(0, source.text())?;
    let mut results = Results::default();
    let common = document.metadata;
    results.version = common.get("perf_version").map(str::to_owned);
    for (theirs, ours) in FACTS {
        results.fact(ours, common.get(theirs));
    }
    let python = common.get("python_implementation").zip(common.get("python_version"));
    results.fact("runtime.version", python.map(|(name, version)| format!("{name} {version}")));
    let Some(entries) = document.benchmarks else {
        let reason = "there is no list called `benchmarks`".to_owned();
        return Err(Refused { part: 0, line: 1, reason });
    };
    for (at, entry) in entries.into_iter().enumerate() {
        let first = entry.runs.first().and_then(|run| run.metadata.get("date"));
        if results.started.is_none() {
            results.started = first.map(str::to_owned);
        }
        benchmark(&mut results, entry, &common, at);
    }
    Ok(results)
}

fn benchmark(results: &mut Results, entry: Entry, common: &Words, at: usize) {
    let fact = |name: &str| entry.metadata.get(name).or_else(|| common.get(name));
    let about = format!("benchmark {}", at + 1);
    let Some(name) = fact("name").map(str::to_owned) else {
        return results.loss(&about, "it has no name");
    };
    let quantity = results.quantity(quantity(fact("unit")));
    // A file without a version is another program's, whose loops are those of all values together.
    let is_own = common.get("perf_version").is_some();
    let count = |name: &str| fact(name).and_then(|text| text.parse::<i64>().ok());
    let loops = count("loops").map(|loops| loops.saturating_mul(count("inner_loops").unwrap_or(1)));
    let iterations = same(loops.filter(|_| is_own));
    let has_runs = !entry.runs.is_empty();
    let measured = entry.runs.into_iter().filter(|run| !run.values.is_empty());
    let runs = measured.map(|run| of_process(run, quantity, &iterations));
    let runs: Vec<Run> = runs.enumerate().map(|(at, run)| run.of_process(at)).collect();
    if runs.is_empty() {
        let why = if has_runs { "none of its processes measured" } else { "it has no runs" };
        return results.loss(&about, format!("{name}: {why}"));
    }
    let key = BenchmarkKey { name, params: Vec::new() };
    results.benchmarks.push(Benchmark { key, runs, ..Benchmark::default() });
}

fn of_process(run: RunWire, quantity: usize, common: &Iterations) -> Run {
    let RunWire { metadata, values, warmups: IgnoredAny } = run;
    let own = metadata.get("loops").and_then(|loops| loops.parse().ok());
    let iterations = own.map_or_else(|| common.clone(), Iterations::Same);
    Run { iterations, ..Run::new(vec![Column { quantity, cells: values }]) }
}

fn quantity(unit: Option<&str>) -> Quantity {
    let unit = unit.unwrap_or("second");
    match (time(unit), size(unit)) {
        (Some(unit), _) => Quantity::wall(unit),
        (_, Some(unit)) => Quantity::lower(metrics::RSS, unit),
        _ => Quantity::neither("value", "count"),
    }
}
