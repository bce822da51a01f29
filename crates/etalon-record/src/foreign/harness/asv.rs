//! A result file of asv: one commit in one environment.
//!
//! With `--record-samples` there are readings, each of so many calls, of one process; else the centre alone is a summary.
//! Names and values of parameters, and units, are in `benchmarks.json` beside the directory of the machine.

use std::collections::HashMap;

use etalon_core::metrics;
use etalon_core::model::{BenchmarkKey, NotStarted, Outcome};
use serde::Deserialize;
use serde_json::Value;

use super::column::{quantity, run, same, whole};
use super::results::{Benchmark, Cell, Level, Quantity, Refused, Results, Run, Source};
use super::wire::{Entries, Words, document};

/// The file with the declarations of all benchmarks.
pub(super) const DECLARED: &str = "../benchmarks.json";
/// The file about the machine.
pub(super) const MACHINE: &str = "machine.json";

/// Combinations of parameters of one benchmark. Because: their number is a product of numbers in a file.
const MOST: usize = 100_000;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    commit_hash: Option<String>,
    /// When the commit was made, in milliseconds since 1970.
    date: Option<f64>,
    env_name: Option<String>,
    params: Words,
    result_columns: Vec<String>,
    results: Entries<Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Declared {
    param_names: Vec<String>,
    unit: Option<String>,
    r#type: Option<String>,
}

/// Facts of the machine under etalon's names.
const FACTS: [(&str, &str); 5] = [
    ("machine", "machine.host"),
    ("arch", "machine.arch"),
    ("cpu", "cpu.model"),
    ("os", "os"),
    ("num_cpu", "cpu.cores"),
];

/// Reads a file.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let document: Document = document(0, source.text())?;
    let mut results = Results::default();
    if let (Some(commit), Some(date)) = (&document.commit_hash, document.date) {
        results.commit_times.insert(commit.clone(), date / 1e3);
    }
    results.fact("commit", document.commit_hash);
    results.fact("asv.environment", document.env_name);
    results.fact("runtime.version", document.params.get("python"));
    let machine: Words = beside(source, MACHINE)?.unwrap_or_default();
    for (theirs, ours) in FACTS {
        results.fact(ours, machine.get(theirs).or_else(|| document.params.get(theirs)));
    }
    let declared: HashMap<String, Value> = beside(source, "benchmarks.json")?.unwrap_or_default();
    let columns = &document.result_columns;
    for (name, value) in document.results.0 {
        let known = declared.get(&name);
        let known = known.and_then(|value| serde_json::from_value(value.clone()).ok());
        let known: Declared = known.unwrap_or_default();
        if let Err(reason) = add(&mut results, &name, &known, (columns, value)) {
            results.loss(&name, reason);
        }
    }
    Ok(results)
}

/// The document beside the file that is called so.
fn beside<T: serde::de::DeserializeOwned>(
    source: &Source,
    name: &str,
) -> Result<Option<T>, Refused> {
    let of_others = |(at, _): &(usize, _)| *at > 0;
    let found = source.part(name).filter(of_others);
    found.map(|(at, part)| document(at, &part.text)).transpose()
}

/// Adds a benchmark: one for each combination of parameters.
fn add(
    results: &mut Results,
    name: &str,
    declared: &Declared,
    (columns, value): (&[String], Value),
) -> Result<(), String> {
    let Value::Array(row) = value else { return Err("its result is no list".to_owned()) };
    let column = |name: &str| row.get(columns.iter().position(|known| known == name)?);
    let quantity = results.quantity(of_kind(name, declared));
    let of_params = column("params").and_then(Value::as_array);
    let all = combinations(of_params.map_or(&[][..], |params| params))?;
    for (at, values) in all.into_iter().enumerate() {
        let item = |name: &str| column(name)?.as_array()?.get(at);
        let names = declared.param_names.iter().cloned();
        let names = names.chain((1..).map(|number| format!("param{number}")));
        let params = names.zip(values).collect();
        let key = BenchmarkKey { name: name.to_owned(), params };
        let benchmark = Benchmark { key, ..Benchmark::default() };
        let samples = item("samples").and_then(Value::as_array).filter(|all| !all.is_empty());
        let calls = same(item("stats_number").and_then(Value::as_f64).and_then(whole));
        let (level, measured) = match (samples, item("result")) {
            (Some(samples), _) => {
                (Level::Readings, run(quantity, samples.iter().map(cell).collect(), calls))
            }
            (None, Some(Value::Number(_))) => {
                let centre = item("result").map(cell).into_iter().collect();
                (Level::Summary, run(quantity, centre, calls))
            }
            (None, Some(Value::String(_))) => (Level::Readings, not_measured(skipped())),
            (None, _) => (Level::Readings, not_measured(NotStarted::NoResult("failed".to_owned()))),
        };
        results.benchmarks.push(Benchmark { level, runs: vec![measured], ..benchmark });
    }
    Ok(())
}

fn not_measured(why: NotStarted) -> Run {
    Run::failed(Outcome::NotStarted { why })
}

/// asv writes NaN for what asked to be left out.
fn skipped() -> NotStarted {
    NotStarted::Skipped(None)
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Number(number) => {
            number.as_f64().map_or_else(|| Cell::absent("?"), Cell::from_number)
        }
        Value::String(text) => Cell::absent(text),
        other => Cell::absent(&other.to_string()),
    }
}

/// All combinations of values, the last parameter's changing fastest: asv writes results in that order.
fn combinations(params: &[Value]) -> Result<Vec<Vec<String>>, String> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for values in params.iter().map(|values| values.as_array()) {
        let values = values.ok_or("the values of a parameter are no list")?;
        if all.len().saturating_mul(values.len()) > MOST {
            return Err(format!("more than {MOST} combinations of parameters"));
        }
        let with = |before: &Vec<String>| {
            let before = before.clone();
            values.iter().map(move |value| [before.clone(), vec![text(value)]].concat())
        };
        all = all.iter().flat_map(with).collect();
    }
    Ok(all)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The quantity that a benchmark measures: as it is declared, else as asv's rules for names say.
fn of_kind(name: &str, declared: &Declared) -> Quantity {
    let function = name.rsplit('.').next().unwrap_or(name);
    let prefix = function.split('_').next().unwrap_or(function);
    let kind = declared.r#type.as_deref().unwrap_or(match prefix {
        "mem" => "memory",
        "peakmem" => "peakmemory",
        "track" => "track",
        _ => "time",
    });
    match kind {
        "time" | "timeraw" => Quantity::wall("s"),
        "memory" => Quantity::lower("size", "B"),
        "peakmemory" => Quantity::lower(metrics::RSS, "B"),
        _ => quantity(declared.unit.as_deref().unwrap_or("")),
    }
}
