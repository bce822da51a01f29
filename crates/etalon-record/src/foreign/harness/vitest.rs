//! `vitest bench --outputJson`.
//!
//! The file has centres alone, in ms; where samples are there, they are of one process, sorted.

use etalon_core::model::BenchmarkKey;
use serde::Deserialize;

use super::column::run;
use super::results::{
    Benchmark, Cell, Iterations, Level, Order, Quantity, Refused, Results, Source,
};
use super::wire::document;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    files: Vec<Suite>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Suite {
    filepath: Option<String>,
    groups: Vec<Group>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Group {
    full_name: Option<String>,
    benchmarks: Vec<Entry>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    name: Option<String>,
    samples: Vec<Cell>,
    median: Option<Cell>,
    mean: Option<Cell>,
}

/// Reads a file.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let document: Document = document(0, source.text())?;
    let mut results = Results::default();
    let wall = results.quantity(Quantity::wall("ms"));
    for suite in document.files {
        for group in suite.groups {
            for entry in group.benchmarks {
                let about = group.full_name.clone().unwrap_or_default();
                let Some(name) = entry.name else {
                    results.loss(&about, "a benchmark has no name");
                    continue;
                };
                let centre = entry.median.or(entry.mean);
                let (level, cells) = match (entry.samples.is_empty(), centre) {
                    (false, _) => (Level::Readings, entry.samples),
                    (true, Some(centre)) => (Level::Summary, vec![centre]),
                    (true, None) => {
                        results.loss(&name, "it has neither samples nor a median");
                        continue;
                    }
                };
                results.benchmarks.push(Benchmark {
                    key: BenchmarkKey { name, params: Vec::new() },
                    file: suite.filepath.clone(),
                    group: group.full_name.clone(),
                    level,
                    order: Order::Sorted,
                    runs: vec![run(wall, cells, Iterations::Unsaid)],
                    ..Benchmark::default()
                });
            }
        }
    }
    Ok(results)
}
