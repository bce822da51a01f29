//! nanobench's JSON template.
//!
//! Epochs of one process are the readings, per iteration and not per unit of a batch. A counter that is 0 in all of them
//! was not available.

use etalon_core::metrics;
use etalon_core::model::BenchmarkKey;
use serde::Deserialize;

use super::column::whole;
use super::results::{
    Benchmark, Cell, Column, Iterations, Quantity, Refused, Results, Run, Source,
};
use super::wire::{Entries, document};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    results: Option<Vec<Entry>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    title: Option<String>,
    name: Option<String>,
    measurements: Vec<Entries<Cell>>,
}

/// Counters by its names, and etalon's.
const COUNTERS: [(&str, &str); 6] = [
    ("pagefaults", "page_faults"),
    ("cpucycles", metrics::CYCLES),
    ("contextswitches", "context_switches"),
    ("instructions", metrics::INSTRUCTIONS),
    ("branchinstructions", "branches"),
    ("branchmisses", metrics::BRANCH_MISSES),
];

/// Reads a file.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let document: Document = document(0, source.text())?;
    let Some(entries) = document.results else {
        let reason = "there is no list called `results`".to_owned();
        return Err(Refused { part: 0, line: 1, reason });
    };
    let mut results = Results::default();
    let wall = results.quantity(Quantity::wall("s"));
    for (at, entry) in entries.into_iter().enumerate() {
        let about = format!("result {}", at + 1);
        let Some(name) = entry.name else {
            results.loss(&about, "it has no name");
            continue;
        };
        if entry.measurements.is_empty() {
            results.loss(&about, format!("{name}: it has no measurements"));
            continue;
        }
        let mut columns =
            vec![Column { quantity: wall, cells: cells(&entry.measurements, "elapsed") }];
        for (theirs, ours) in COUNTERS {
            let cells = cells(&entry.measurements, theirs);
            if cells.iter().any(|cell| cell.number().is_some_and(|count| count != 0.0)) {
                let quantity = results.quantity(Quantity::lower(ours, "count"));
                columns.push(Column { quantity, cells });
            }
        }
        let iterations = cells(&entry.measurements, "iterations");
        let each: Option<Vec<i64>> = iterations.iter().map(|n| whole(n.number()?)).collect();
        let iterations = each.map_or(Iterations::Unsaid, Iterations::Each);
        results.benchmarks.push(Benchmark {
            key: BenchmarkKey { name, params: Vec::new() },
            group: entry.title,
            runs: vec![Run { iterations, ..Run::new(columns) }],
            ..Benchmark::default()
        });
    }
    Ok(results)
}

/// A field of all measurements.
fn cells(measurements: &[Entries<Cell>], name: &str) -> Vec<Cell> {
    let of = |measurement: &Entries<Cell>| {
        let found = measurement.0.iter().find(|(known, _)| known == name);
        found.map_or_else(|| Cell::absent("nothing"), |(_, cell)| cell.clone())
    };
    measurements.iter().map(of).collect()
}
