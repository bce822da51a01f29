//! github-action-benchmark: its history `data.js`, and the JSON of its custom tools.
//!
//! A value is a summary. In a history the tool says which way is better, and each entry is of a commit; a custom file
//! does not say it, and its unit has to. Entries of one commit are runs of the same benchmarks. People's names and
//! addresses in a history are not read.

use std::collections::HashMap;

use etalon_core::model::{BenchmarkKey, Direction};
use serde::Deserialize;

use super::column::{centre, directed, quantity};
use super::results::{Benchmark, Cell, Iterations, Level, Refused, Results, Source};
use super::wire::{Entries, document};
use crate::time::seconds_since_1970;

/// The beginning of a history: it is a script.
pub(super) const BEGINNING: &str = "window.BENCHMARK_DATA";

#[derive(Default, Deserialize)]
#[serde(default)]
struct History {
    entries: Entries<Vec<Entry>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    commit: Commit,
    /// When it was measured, in milliseconds since 1970.
    date: Option<f64>,
    tool: String,
    benches: Vec<Bench>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Commit {
    id: Option<String>,
    timestamp: Option<String>,
}

#[derive(Deserialize)]
struct Bench {
    name: String,
    value: Cell,
    #[serde(default)]
    unit: String,
}

/// Reads either.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let mut results = Results::default();
    let text = source.text().trim_ascii();
    let Some(script) = text.strip_prefix(BEGINNING.as_bytes()) else {
        let benches: Vec<Bench> = document(0, source.text())?;
        benches.into_iter().for_each(|bench| {
            let benchmark = benchmark(&mut results, bench, (None, None, None));
            results.benchmarks.push(benchmark);
        });
        return Ok(results);
    };
    let script = script.trim_ascii_start();
    let Some(script) = script.strip_prefix(b"=") else {
        let reason = format!("there is no `=` behind `{BEGINNING}`");
        return Err(Refused { part: 0, line: 1, reason });
    };
    let history: History = document(0, trimmed(script))?;
    for (suite, entries) in history.entries.0 {
        add_suite(&mut results, &suite, entries);
    }
    Ok(results)
}

/// Adds the entries of a suite; those of one commit become runs of its benchmarks.
fn add_suite(results: &mut Results, suite: &str, entries: Vec<Entry>) {
    type Place = (String, String, usize);
    let mut known: HashMap<Place, usize> = HashMap::new();
    for Entry { commit, date, tool, benches } in entries {
        if let Some(id) = &commit.id {
            let made = commit.timestamp.as_deref().and_then(seconds_since_1970);
            let made = made.or(date.map(|date| date / 1e3));
            results.commit_times.extend(made.map(|made| (id.clone(), made)));
        }
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for bench in benches {
            let number = numbers.entry(bench.name.clone()).or_default();
            let place = commit.id.clone().map(|id| (id, bench.name.clone(), *number));
            *number += 1;
            let of = (Some(suite.to_owned()), commit.id.clone(), direction(&tool));
            let benchmark = benchmark(results, bench, of);
            let at = place.map(|place| *known.entry(place).or_insert(results.benchmarks.len()));
            match at.and_then(|at| results.benchmarks.get_mut(at)) {
                Some(earlier) => {
                    let again = earlier.runs.len();
                    earlier.runs.extend(benchmark.runs.into_iter().map(|it| it.of_process(again)));
                }
                None => results.benchmarks.push(benchmark),
            }
        }
    }
}

fn benchmark(
    results: &mut Results,
    bench: Bench,
    (suite, commit, better): (Option<String>, Option<String>, Option<Direction>),
) -> Benchmark {
    let quantity = match better {
        Some(better) => directed(&bench.unit, better),
        None => quantity(&bench.unit),
    };
    let quantity = results.quantity(quantity);
    Benchmark {
        key: BenchmarkKey { name: bench.name, params: Vec::new() },
        file: suite,
        commit,
        level: Level::Summary,
        runs: vec![centre(quantity, bench.value, Iterations::Unsaid)],
        ..Benchmark::default()
    }
}

/// Which way is better, where the tool says it for all its units.
fn direction(tool: &str) -> Option<Direction> {
    match tool {
        "customBiggerIsBetter" | "benchmarkjs" | "pytest" => Some(Direction::Higher),
        "customSmallerIsBetter"
        | "cargo"
        | "googlecpp"
        | "catch2"
        | "julia"
        | "benchmarkdotnet" => Some(Direction::Lower),
        _ => None,
    }
}

/// The document of a script: without the semicolon behind it.
fn trimmed(script: &[u8]) -> &[u8] {
    let script = script.trim_ascii_end();
    script.strip_suffix(b";").unwrap_or(script)
}
