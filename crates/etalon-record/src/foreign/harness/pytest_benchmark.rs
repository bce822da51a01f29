//! pytest-benchmark's JSON.
//!
//! Rounds of one process are its readings, already divided by their iterations. A file of `--benchmark-save` without
//! `--benchmark-save-data` has none: then the median is a summary.

use etalon_core::model::BenchmarkKey;
use serde::Deserialize;

use super::column::{calls, run, same};
use super::results::{Benchmark, Cell, Level, Quantity, Refused, Results, Source};
use super::wire::{Word, Words, document};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    machine_info: Option<Machine>,
    commit_info: Option<Words>,
    benchmarks: Option<Vec<Entry>>,
    datetime: Option<String>,
    version: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Machine {
    node: Option<Word>,
    machine: Option<Word>,
    python_implementation: Option<Word>,
    python_version: Option<Word>,
    release: Option<Word>,
    system: Option<Word>,
    cpu: Option<Cpu>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Cpu {
    brand_raw: Option<Word>,
    count: Option<Word>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    group: Option<Word>,
    name: Option<String>,
    fullname: Option<String>,
    params: Option<Words>,
    param: Option<Word>,
    stats: Option<Stats>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Stats {
    data: Option<Vec<Cell>>,
    iterations: Option<Cell>,
    median: Option<Cell>,
}

/// Reads a file.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let document: Document = document(0, source.text())?;
    let mut results = Results { version: document.version, ..Results::default() };
    results.started = document.datetime;
    if let Some(machine) = document.machine_info {
        facts(&mut results, machine);
    }
    if let Some(commit) = document.commit_info {
        results.fact("commit", commit.get("id"));
        results.fact("commit.branch", commit.get("branch"));
        results.fact("commit.dirty", commit.get("dirty").filter(|dirty| *dirty == "true"));
    }
    let Some(entries) = document.benchmarks else {
        let reason = "there is no list called `benchmarks`".to_owned();
        return Err(Refused { part: 0, line: 1, reason });
    };
    let wall = results.quantity(Quantity::wall("s"));
    for (at, entry) in entries.into_iter().enumerate() {
        match benchmark(entry, wall) {
            Ok(benchmark) => results.benchmarks.push(benchmark),
            Err(reason) => results.loss(&format!("benchmark {}", at + 1), reason),
        }
    }
    Ok(results)
}

fn facts(results: &mut Results, machine: Machine) {
    let text = |word: Option<Word>| word.map(|Word(text)| text);
    let python = text(machine.python_implementation).zip(text(machine.python_version));
    results.fact("runtime.version", python.map(|(name, version)| format!("{name} {version}")));
    results.fact("machine.host", text(machine.node));
    results.fact("machine.arch", text(machine.machine));
    results.fact("kernel.name", text(machine.system));
    results.fact("kernel.release", text(machine.release));
    let cpu = machine.cpu.unwrap_or_default();
    results.fact("cpu.model", text(cpu.brand_raw));
    results.fact("cpu.cores", text(cpu.count));
}

fn benchmark(entry: Entry, wall: usize) -> Result<Benchmark, String> {
    let Some(name) = entry.name else { return Err("it has no name".to_owned()) };
    let stats = entry.stats.unwrap_or_default();
    let full = entry.fullname.unwrap_or_default();
    let (file, path) = match full.split_once("::") {
        Some((file, path)) => (Some(file.to_owned()), path),
        None => (None, ""),
    };
    // Methods of two classes have one name; where they are is in the full one.
    let name = if path.ends_with(&name) { path.to_owned() } else { name };
    let iterations = same(calls(stats.iterations.as_ref()));
    let (level, cells) = match (stats.data, stats.median) {
        (Some(data), _) => (Level::Readings, data),
        (None, Some(median)) => (Level::Summary, vec![median]),
        (None, None) => return Err(format!("{name}: it has neither data nor a median")),
    };
    Ok(Benchmark {
        key: key(name, entry.params, entry.param),
        file,
        group: entry.group.map(|Word(group)| group).filter(|group| group != "null"),
        level,
        runs: vec![run(wall, cells, iterations)],
        ..Benchmark::default()
    })
}

/// The key: parameters stand behind the name, too, where they are taken off.
fn key(name: String, params: Option<Words>, param: Option<Word>) -> BenchmarkKey {
    let params = params.unwrap_or_default().0;
    let behind = param.map(|Word(param)| format!("[{param}]"));
    let short = behind.and_then(|behind| name.strip_suffix(&behind).map(str::to_owned));
    match short {
        Some(name) if !params.is_empty() => BenchmarkKey { name, params },
        _ => BenchmarkKey { name, params: Vec::new() },
    }
}
