//! cargo-criterion's messages: a line of JSON for each benchmark.
//!
//! Samples are read as those of criterion. A line about a group ends it, and those of other reasons are Cargo's.

use etalon_core::model::BenchmarkKey;
use serde::Deserialize;

use super::column::{run, time};
use super::criterion::per_iteration;
use super::results::{Benchmark, Cell, Quantity, Refused, Results, Source};
use super::wire::refused;

#[derive(Deserialize)]
struct Message {
    reason: String,
    id: Option<String>,
    #[serde(default)]
    iteration_count: Vec<Cell>,
    #[serde(default)]
    measured_values: Vec<Cell>,
    unit: Option<String>,
}

/// Reads the messages.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let mut results = Results::default();
    let mut open = None;
    let lines = source.text().split(|byte| *byte == b'\n');
    for (line, text) in (1..).zip(lines).filter(|(_, text)| !text.trim_ascii().is_empty()) {
        let message: Message =
            serde_json::from_slice(text).map_err(|error| refused(0, line, &error))?;
        match message.reason.as_str() {
            "benchmark-complete" => open = Some(line),
            "group-complete" => open = None,
            _ => {}
        }
        if message.reason != "benchmark-complete" {
            continue;
        }
        let wrong = |reason: String| Refused { part: 0, line, reason };
        let name = message.id.ok_or_else(|| wrong("there is no `id`".to_owned()))?;
        let unit = message.unit.unwrap_or_default();
        let quantity = match time(&unit) {
            Some(unit) => Quantity::wall(unit),
            // A measurement of the user's own.
            None => Quantity::neither(&unit, &unit),
        };
        let quantity = results.quantity(quantity);
        let (cells, iterations) =
            per_iteration(message.measured_values, &message.iteration_count).map_err(wrong)?;
        results.benchmarks.push(Benchmark {
            key: BenchmarkKey { name, params: Vec::new() },
            runs: vec![run(quantity, cells, iterations)],
            ..Benchmark::default()
        });
    }
    if let Some(line) = open {
        let text = "no line ends the group of the last benchmark: what came behind it is not there";
        results.remark(&format!("line {line}"), text);
    }
    Ok(results)
}
