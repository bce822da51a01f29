//! github-action-benchmark: its history `data.js`, and the JSON of its custom tools.
//!
//! A value is a summary. In a history the tool says which way is better, and each entry is of a commit; a custom file
//! does not say it, and its unit has to. Entries of one commit are runs of the same benchmarks. People's names and
//! addresses in a history are not read.
//!
//! Of a line of Go with several values the action takes the rest of the line for the unit of the first
//! (`ns/op\t 634 B/op\t 24 allocs/op`), and in newer versions repeats each value as a benchmark of its own (`Sum - B/op`):
//! here they are values of one benchmark, once.

use std::collections::{HashMap, HashSet};

use etalon_core::model::{BenchmarkKey, Direction};
use serde::Deserialize;

use super::column::{centre, directed, quantity};
use super::results::{Benchmark, Cell, Column, Iterations, Level, Refused, Results, Source};
use super::wire::{Entries, document};
use crate::time::seconds_since_1970;

/// The beginning of a history: it is a script.
pub(super) const BEGINNING: &str = "window.BENCHMARK_DATA";

/// Between the values of a line of Go.
const SEPARATOR: char = '\t';
/// Go's unit that is neither a time nor a size.
const ALLOCATIONS: &str = "allocs/op";

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
        let of_lines = benches.iter().filter(|bench| bench.unit.contains(SEPARATOR));
        let of_lines: HashSet<String> = of_lines.map(|bench| bench.name.clone()).collect();
        let is_repeated = |bench: &Bench| {
            let name = bench.name.strip_suffix(&bench.unit).and_then(|it| it.strip_suffix(" - "));
            name.is_some_and(|name| of_lines.contains(name))
        };
        for bench in benches.into_iter().filter(|bench| !is_repeated(bench)) {
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
    let mut units = bench.unit.split(SEPARATOR);
    let of_unit = |unit: &str| match better {
        Some(better) => directed(unit, better),
        None if unit == ALLOCATIONS => directed(unit, Direction::Lower),
        None => quantity(unit),
    };
    let first = results.quantity(of_unit(units.next().unwrap_or_default()));
    let mut run = centre(first, bench.value, Iterations::Unsaid);
    // Each further one with its value before it.
    for further in units {
        let Some((value, unit)) = further.trim().split_once(char::is_whitespace) else { continue };
        let (quantity, cells) = (results.quantity(of_unit(unit)), vec![Cell::from_text(value)]);
        run.columns.push(Column { quantity, cells });
    }
    Benchmark {
        key: BenchmarkKey { name: bench.name, params: Vec::new() },
        file: suite,
        commit,
        level: Level::Summary,
        runs: vec![run],
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
