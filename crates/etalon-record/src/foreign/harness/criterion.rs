//! criterion's `sample.json`, alone or all of a directory `target/criterion`.
//!
//! A sample is the time of so many iterations: its reading is that time by one. All samples are of one process. The name
//! is in `benchmark.json` beside the sample; a directory has the last run of each benchmark in `new`, and copies and
//! saved baselines beside it, which are not read.

use std::collections::HashMap;
use std::path::Path;

use etalon_core::model::BenchmarkKey;
use serde::Deserialize;

use super::column::{run, whole};
use super::results::{Benchmark, Cell, Iterations, Part, Quantity, Refused, Results, Source};
use super::wire::document;

/// The sample, and what names it.
const SAMPLE: &str = "sample.json";
/// The file with the name.
pub(super) const NAME: &str = "benchmark.json";
/// The directory of the last run.
const LAST: &str = "new";

#[derive(Default, Deserialize)]
#[serde(default)]
struct Sample {
    iters: Vec<Cell>,
    times: Vec<Cell>,
}

#[derive(Deserialize)]
struct Named {
    full_id: String,
}

/// Whether a file of a directory is of the last run.
pub(super) fn is_of_last_run(path: &Path) -> bool {
    let is = |part: Option<&std::ffi::OsStr>, name: &str| part.is_some_and(|part| part == name);
    let of_last = is(path.parent().and_then(Path::file_name), LAST);
    of_last && (is(path.file_name(), SAMPLE) || is(path.file_name(), NAME))
}

/// Reads a sample, or those of a directory.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let mut results = Results::default();
    let wall = results.quantity(Quantity::wall("ns"));
    let places = source.parts.iter().enumerate().map(|(at, part)| (Path::new(&part.path), at));
    let places: HashMap<&Path, usize> = places.collect();
    let is_called = |part: &Part, name: &str| Path::new(&part.path).ends_with(name);
    for (at, part) in source.parts.iter().enumerate() {
        if source.parts.len() > 1 && is_called(part, NAME) {
            if !places.contains_key(&*Path::new(&part.path).with_file_name(SAMPLE)) {
                results.loss(&part.path, format!("there is no {SAMPLE} beside it"));
            }
            continue;
        }
        // The directory itself.
        if part.text.is_empty() && source.parts.len() > 1 && !is_called(part, SAMPLE) {
            continue;
        }
        let sample: Sample = document(at, &part.text)?;
        let name = name(source, &places, part)?;
        let (cells, iterations) = readings(sample).map_err(|reason| {
            let reason = format!("{reason} of benchmark {}", name.as_deref().unwrap_or("?"));
            Refused { part: at, line: 1, reason }
        })?;
        if name.is_none() {
            results.remark("", "its name is in benchmark.json beside it, which is not there");
        }
        let name = name.unwrap_or_else(|| "sample".to_owned());
        results.benchmarks.push(Benchmark {
            key: BenchmarkKey { name, params: Vec::new() },
            runs: vec![run(wall, cells, iterations)],
            ..Benchmark::default()
        });
    }
    Ok(results)
}

/// The whole name of a sample: that of the file beside it.
fn name(
    source: &Source,
    places: &HashMap<&Path, usize>,
    sample: &Part,
) -> Result<Option<String>, Refused> {
    let beside = Path::new(&sample.path).with_file_name(NAME);
    let Some(&at) = places.get(&*beside) else { return Ok(None) };
    let named: Named = document(at, &source.parts[at].text)?;
    Ok(Some(named.full_id))
}

/// The time of one iteration in each sample.
pub(super) fn per_iteration(
    times: Vec<Cell>,
    iterations: &[Cell],
) -> Result<(Vec<Cell>, Iterations), String> {
    if times.is_empty() {
        return Err("there are no times".to_owned());
    }
    if times.len() != iterations.len() {
        let (have, want) = (times.len(), iterations.len());
        return Err(format!("there are {have} times for {want} counts of iterations"));
    }
    let counts: Option<Vec<i64>> = iterations.iter().map(|n| whole(n.number()?)).collect();
    let counts = counts.filter(|counts| counts.iter().all(|count| *count > 0));
    let counts = counts.ok_or("a count of iterations is no whole number above 0")?;
    let each = times.into_iter().zip(iterations).map(|(time, n)| match (time, n) {
        (Cell::Number(time), Cell::Number(n)) => Cell::from_number(time / n),
        (time, _) => time,
    });
    Ok((each.collect(), Iterations::Each(counts)))
}

fn readings(sample: Sample) -> Result<(Vec<Cell>, Iterations), String> {
    per_iteration(sample.times, &sample.iters)
}
