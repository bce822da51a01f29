//! mitata's JSON.
//!
//! Samples are of one process, sorted, in ns; what the file says of its own empty loop is no benchmark. Until 1.0.10
//! there is no `layout`; before version 1 a benchmark has its one result itself, and machine and runtime stand outside.

use etalon_core::model::{BenchmarkKey, NotStarted, Outcome};
use serde::Deserialize;
use serde_json::Value;

use super::column::run;
use super::results::{
    Benchmark, Cell, Iterations, Level, Order, Quantity, Refused, Results, Run, Source,
};
use super::wire::{Word, Words, document};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    layout: Vec<Layout>,
    benchmarks: Vec<Entry>,
    context: Context,
    /// As before version 1.
    cpu: Option<String>,
    /// The same.
    runtime: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Layout {
    name: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Context {
    arch: Option<String>,
    version: Option<String>,
    runtime: Option<String>,
    cpu: Cpu,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Cpu {
    name: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    alias: Option<String>,
    kind: Option<String>,
    /// A place in the layout; before version 1 a name.
    group: Option<Value>,
    runs: Vec<RunWire>,
    /// Its only run, as before version 1.
    #[serde(flatten)]
    only: RunWire,
}

impl Entry {
    fn group(&self, layout: &[Layout]) -> Option<String> {
        match self.group.as_ref() {
            Some(Value::String(name)) => Some(name.clone()),
            place => {
                let place = place.map_or(Some(0), Value::as_u64)?;
                layout.get(usize::try_from(place).ok()?)?.name.clone()
            }
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RunWire {
    name: Option<String>,
    args: Words,
    stats: Option<Stats>,
    error: Option<Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Stats {
    samples: Vec<Cell>,
    p50: Option<Cell>,
    avg: Option<Word>,
}

/// Reads a file.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let Document { layout, benchmarks, context, cpu, runtime: whole } = document(0, source.text())?;
    let mut results = Results::default();
    let runtime = context.runtime.zip(context.version);
    let runtime = runtime.map(|(name, version)| format!("{name} {version}"));
    results.fact("runtime.version", runtime.or(whole));
    results.fact("machine.arch", context.arch);
    results.fact("cpu.model", context.cpu.name.or(cpu));
    let wall = results.quantity(Quantity::wall("ns"));
    for mut entry in benchmarks {
        let group = entry.group(&layout);
        if entry.only.stats.is_some() || entry.only.error.is_some() {
            entry.runs.push(std::mem::take(&mut entry.only));
        }
        let is_of_arguments = entry.kind.as_deref() == Some("args");
        for wire in entry.runs {
            let name = entry.alias.clone().filter(|_| is_of_arguments);
            let Some(name) = name.or_else(|| wire.name.clone()).or_else(|| entry.alias.clone())
            else {
                results.loss("", "a benchmark has no name");
                continue;
            };
            let params = if is_of_arguments { wire.args.0 } else { Vec::new() };
            let key = BenchmarkKey { name, params };
            let (level, measured) = match (wire.stats, wire.error) {
                (Some(stats), None) => readings(stats, wall),
                (_, error) => (Level::Readings, failed(error.as_ref())),
            };
            let (group, runs, order) = (group.clone(), vec![measured], Order::Sorted);
            results.benchmarks.push(Benchmark {
                key,
                group,
                level,
                order,
                runs,
                ..Benchmark::default()
            });
        }
    }
    Ok(results)
}

fn readings(stats: Stats, wall: usize) -> (Level, Run) {
    match stats.samples.is_empty() {
        false => (Level::Readings, run(wall, stats.samples, Iterations::Unsaid)),
        true => {
            let mean = stats.avg.map(|Word(text)| Cell::from_text(&text));
            let centre = stats.p50.or(mean).unwrap_or_else(|| Cell::absent("no value"));
            (Level::Summary, run(wall, vec![centre], Iterations::Unsaid))
        }
    }
}

/// What a benchmark threw, of which the file keeps little.
fn failed(error: Option<&Value>) -> Run {
    let said = error.and_then(|error| error.get("message")).and_then(Value::as_str);
    let why = NotStarted::NoResult(said.unwrap_or("it threw an error").to_owned());
    Run::failed(Outcome::NotStarted { why })
}
