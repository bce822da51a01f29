//! github-action-benchmark: its history `data.js`, and the JSON of its custom tools.
//!
//! A value is a summary. In a history the tool says which way is better, and each entry is of a commit; a custom file
//! does not say it, and its unit has to. People's names and addresses in a history are not read.

use etalon_core::model::{BenchmarkKey, Direction};
use serde::Deserialize;

use super::column::{centre, directed, quantity};
use super::results::{Benchmark, Cell, Iterations, Level, Refused, Results, Source};
use super::wire::{Entries, document};

/// What a history begins with: it is a script.
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
    tool: String,
    benches: Vec<Bench>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Commit {
    id: Option<String>,
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
        benches.into_iter().for_each(|bench| add(&mut results, bench, (None, None, None)));
        return Ok(results);
    };
    let script = script.trim_ascii_start();
    let Some(script) = script.strip_prefix(b"=") else {
        let reason = format!("there is no `=` behind `{BEGINNING}`");
        return Err(Refused { part: 0, line: 1, reason });
    };
    let history: History = document(0, trimmed(script))?;
    for (suite, entries) in history.entries.0 {
        for Entry { commit, tool, benches } in entries {
            for bench in benches {
                let of = (Some(suite.clone()), commit.id.clone(), direction(&tool));
                add(&mut results, bench, of);
            }
        }
    }
    Ok(results)
}

fn add(
    results: &mut Results,
    bench: Bench,
    (suite, commit, better): (Option<String>, Option<String>, Option<Direction>),
) {
    let quantity = match better {
        Some(better) => directed(&bench.unit, better),
        None => quantity(&bench.unit),
    };
    let quantity = results.quantity(quantity);
    results.benchmarks.push(Benchmark {
        key: BenchmarkKey { name: bench.name, params: Vec::new() },
        file: suite,
        commit,
        level: Level::Summary,
        runs: vec![centre(quantity, bench.value, Iterations::Unsaid)],
        ..Benchmark::default()
    });
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
