//! Bencher Metric Format: benchmarks with measures, each one value.
//!
//! The format says neither units nor which way is better: those of the measures that Bencher itself has are known, and of
//! others nothing. A value is a summary; its limits mean what whoever wrote them says, and are not read.

use etalon_core::model::BenchmarkKey;
use serde::Deserialize;

use super::results::{Benchmark, Cell, Column, Level, Quantity, Refused, Results, Run, Source};
use super::wire::{Entries, document};

#[derive(Deserialize)]
struct Value {
    value: Cell,
}

/// Reads a file.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let document: Entries<Entries<Value>> = document(0, source.text())?;
    let mut results = Results::default();
    for (name, measures) in document.0 {
        let mut columns = Vec::new();
        for (measure, Value { value }) in measures.0 {
            let quantity = results.quantity(quantity(&measure));
            columns.push(Column { quantity, cells: vec![value] });
        }
        if columns.is_empty() {
            results.loss(&name, "it has no measures");
            continue;
        }
        let key = BenchmarkKey { name, params: Vec::new() };
        let (level, runs) = (Level::Summary, vec![Run::new(columns)]);
        results.benchmarks.push(Benchmark { key, level, runs, ..Benchmark::default() });
    }
    Ok(results)
}

/// The quantity of a measure, by Bencher's own names.
fn quantity(measure: &str) -> Quantity {
    match measure {
        "latency" => Quantity::wall("ns"),
        "throughput" => Quantity::higher("ops/s", "ops/s"),
        "file-size" => Quantity::lower(measure, "B"),
        "build-time" => Quantity::lower(measure, "s"),
        other => Quantity::neither(other, other),
    }
}
