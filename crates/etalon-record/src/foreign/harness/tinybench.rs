//! tinybench's tasks with their names and results, as `JSON.stringify` writes them; of tasks as they are it writes `{}` since
//! version 6, where names and results are no fields.
//!
//! Samples are of one process, sorted, in ms, and there only with `retainSamples`; else the median is a summary.

use etalon_core::model::{BenchmarkKey, NotStarted, Outcome};
use serde::Deserialize;
use serde_json::Value;

use super::column::run;
use super::results::{
    Benchmark, Cell, Iterations, Level, Order, Quantity, Refused, Results, Run, Source,
};
use super::wire::document;

/// Why a task is left out.
const NAMELESS: &str = "it has no name: JSON.stringify leaves names and results of tasks out; write \
                        bench.tasks.map(({ name, result }) => ({ name, result }))";

#[derive(Default, Deserialize)]
#[serde(default)]
struct Task {
    name: Option<String>,
    result: Option<TaskResult>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TaskResult {
    state: Option<String>,
    error: Option<Value>,
    runtime: Option<String>,
    runtime_version: Option<String>,
    latency: Option<Statistics>,
    /// Those of versions before 3, which have no state either.
    #[serde(flatten)]
    flat: Statistics,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Statistics {
    samples: Option<Vec<Cell>>,
    p50: Option<Cell>,
    mean: Option<Cell>,
}

/// Reads a file.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let tasks: Vec<Task> = document(0, source.text())?;
    let mut results = Results::default();
    let wall = results.quantity(Quantity::wall("ms"));
    for (at, task) in tasks.into_iter().enumerate() {
        let Some(name) = task.name else {
            results.loss(&format!("task {}", at + 1), NAMELESS);
            continue;
        };
        let result = task.result.unwrap_or_default();
        let runtime = result.runtime.as_ref().zip(result.runtime_version.as_ref());
        results.fact("runtime.version", runtime.map(|(name, version)| format!("{name} {version}")));
        let (level, measured) = measured(result, wall);
        results.benchmarks.push(Benchmark {
            key: BenchmarkKey { name, params: Vec::new() },
            level,
            order: Order::Sorted,
            runs: vec![measured],
            ..Benchmark::default()
        });
    }
    Ok(results)
}

fn measured(result: TaskResult, wall: usize) -> (Level, Run) {
    let is_failed = result.state.as_deref().is_some_and(|state| state.contains("error"));
    let statistics = result.latency.unwrap_or(result.flat);
    let samples = statistics.samples.filter(|samples| !samples.is_empty());
    match (samples, statistics.p50.or(statistics.mean)) {
        _ if is_failed || result.error.is_some() => {
            (Level::Readings, failed(result.error.as_ref()))
        }
        (Some(samples), _) => (Level::Readings, run(wall, samples, Iterations::Unsaid)),
        (None, Some(centre)) => (Level::Summary, run(wall, vec![centre], Iterations::Unsaid)),
        (None, None) => (Level::Readings, failed(None)),
    }
}

fn failed(error: Option<&Value>) -> Run {
    let said = error.and_then(|error| error.get("message")).and_then(Value::as_str);
    let unsaid = if error.is_some() { "it threw an error" } else { "it has no result" };
    let why = NotStarted::NoResult(said.unwrap_or(unsaid).to_owned());
    Run::failed(Outcome::NotStarted { why })
}
