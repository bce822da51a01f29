//! A dataset as a run set, so that whatever reports on executions reports on it.
//!
//! Owns what becomes of its parts: a unit is a metric of the same name, in base units and without blocks;
//! facts that all rows share are the context, those that differ are parameters of the benchmark, like the
//! file if there are several. Refuses to weigh rows by their iteration counts, which a run set read from
//! Go does not keep.

use std::collections::HashMap;

use etalon_core::dataset::{Dataset, Ended, Name, Problem, Problems, Reason, Value};
use etalon_core::model::{Accept, Benchmark, BenchmarkKey, Outcome, RunSet};
use etalon_core::units::{Base, Unit};

use super::super::import::Import;

/// A run set of all rows. Linear.
#[must_use]
pub fn run_set(data: &Dataset, source: &str) -> RunSet {
    let mut import = Import::new(source);
    let facts = Facts::of(data);
    import.set.context = facts.shared.iter().cloned().collect();
    let metrics: Vec<Recorded> =
        (0..).zip(&data.writings).map(|(at, _)| Recorded::of(data, at)).collect();
    let indices: Vec<usize> = metrics
        .iter()
        .zip(&data.writings)
        .map(|(recorded, writing)| {
            let name = &data.units[writing.unit as usize];
            let at = import.metric(name, recorded.unit.symbol(), data.direction(name));
            import.set.metrics[at].kind = data.kind(name);
            at
        })
        .collect();
    let mut benchmarks: HashMap<(u32, u32), usize> = HashMap::new();
    let mut left_out = None;
    let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
    for row in 0..data.len() {
        let key = (data.rows.benchmark[row], facts.group[data.rows.configuration[row] as usize]);
        let benchmark = match benchmarks.get(&key) {
            Some(known) => *known,
            None => match import.benchmark(facts.benchmark(data, key)) {
                Ok(index) => {
                    benchmarks.insert(key, index);
                    index
                }
                Err(reason) => {
                    left_out = Some(reason);
                    continue;
                }
            },
        };
        rows.clear();
        for value in data.row(row) {
            let base = metrics[value.writing as usize].base(data, value);
            place(&mut rows, indices[value.writing as usize], base);
        }
        for values in &rows {
            if let Err(reason) = import.row(benchmark, Outcome::Ok, values) {
                left_out = Some(reason);
            }
        }
    }
    for Problem { reason, .. } in &data.problems.listed {
        if let Reason::Ended(ended) = reason {
            left_out = ending(&mut import, ended).err().or(left_out);
        }
    }
    remarks(&mut import, data);
    if let Some(reason) = left_out {
        import.note(format!("rows are left out: {reason}"));
    }
    import.finish().0
}

/// Puts a value into the first row that has none of its metric: a unit that stands twice in a line is two
/// readings.
fn place(rows: &mut Vec<Vec<(usize, f64)>>, metric: usize, value: f64) {
    let free = rows.iter_mut().find(|row| row.iter().all(|(known, _)| *known != metric));
    match free {
        Some(row) => row.push((metric, value)),
        None => rows.push(vec![(metric, value)]),
    }
}

/// How values of a unit as written become values in base units.
struct Recorded {
    /// The unit a record has them in.
    unit: Unit,
    /// Whether the tidied unit is the base unit.
    scale: Scale,
}

enum Scale {
    /// It is.
    Tidied,
    /// The unit converts to it.
    Unit,
}

/// Units of time and size that Go programs report; others, such as `min`, mean something else there.
const TIMES: [&str; 6] = ["ns", "us", "µs", "ms", "s", "sec"];
const SIZES: [&str; 8] = ["B", "bytes", "kB", "KB", "MB", "KiB", "MiB", "GiB"];

impl Recorded {
    /// By the last word of the numerator, if what it is divided by is an operation or nothing known.
    fn of(data: &Dataset, writing: usize) -> Recorded {
        let writing = &data.writings[writing];
        let (numerator, denominator) =
            writing.text.split_once('/').unwrap_or((&writing.text, "op"));
        let word = numerator.rsplit(['-', '*', ' ']).next().unwrap_or(numerator);
        let simple = writing.power
            == match word {
                "ns" => -9,
                "MB" => 6,
                _ => 0,
            };
        let known = (TIMES.contains(&word) && !TIMES.contains(&denominator))
            || (SIZES.contains(&word) && denominator == "op");
        let symbol = match word {
            "sec" => "s",
            "bytes" => "B",
            other => other,
        };
        if known && simple {
            let scale = if writing.power == 0 { Scale::Unit } else { Scale::Tidied };
            return Recorded { unit: Unit::new(symbol), scale };
        }
        let tidied = &data.units[writing.unit as usize];
        let unit = match (tidied.as_str(), Unit::new(tidied)) {
            ("allocs/op", _) => Unit::new("count"),
            (_, unit) if matches!(unit.base(), Base::Other(_)) => unit,
            // One that is called like a unit of time and is none.
            (name, _) => Unit::new(&format!("({name})")),
        };
        Recorded { unit, scale: Scale::Tidied }
    }

    fn base(&self, data: &Dataset, value: Value) -> f64 {
        match self.scale {
            Scale::Tidied => data.number(value),
            Scale::Unit => self.unit.to_base(data.number(value)),
        }
    }
}

/// Facts, told apart by whether all configurations share them.
struct Facts {
    shared: Vec<(String, String)>,
    /// Per configuration: the first one with the same other facts.
    group: Vec<u32>,
    /// Per configuration: its other facts.
    other: Vec<Vec<(String, String)>>,
}

impl Facts {
    fn of(data: &Dataset) -> Facts {
        let several = data.files.iter().filter(|file| file.rows > 0).count() > 1;
        let text = |symbol| data.strings.text(symbol).to_owned();
        let mut counts: HashMap<_, usize> = HashMap::new();
        for entry in data.configurations.iter().flat_map(|c| &c.entries) {
            *counts.entry(*entry).or_default() += 1;
        }
        let all = data.configurations.len();
        let mut facts = Facts { shared: Vec::new(), group: Vec::new(), other: Vec::new() };
        let mut groups: HashMap<Vec<(String, String)>, u32> = HashMap::new();
        for (index, configuration) in (0..).zip(&data.configurations) {
            let mut other = Vec::new();
            if several {
                let label = &data.files[configuration.file as usize].label;
                other.push((".file".to_owned(), label.clone()));
            }
            for entry in &configuration.entries {
                let fact = (text(entry.0), text(entry.1));
                match counts[entry] == all {
                    true if index == 0 => facts.shared.push(fact),
                    true => {}
                    false => other.push(fact),
                }
            }
            facts.group.push(*groups.entry(other.clone()).or_insert(index));
            facts.other.push(other);
        }
        facts
    }

    fn benchmark(&self, data: &Dataset, (name, group): (u32, u32)) -> Benchmark {
        let name: &Name = &data.benchmarks[name as usize];
        let params = self.other[group as usize].clone();
        Benchmark {
            key: BenchmarkKey { name: name.full().to_owned(), params },
            command: None,
            shell: None,
            accept: Accept::Zero,
            case: None,
        }
    }
}

/// What ended without passing, as an execution that does not count: of its benchmark, or of one that is called
/// like its package. How what is cut off ended is not known: it is lost.
fn ending(import: &mut Import, ended: &Ended) -> Result<(), String> {
    let Some(outcome) = ended.how.outcome() else {
        import.set.lost.get_or_insert_with(|| ended.to_string());
        return Ok(());
    };
    let package = ended.package.as_ref().filter(|_| ended.benchmark.is_some());
    let of_package = |known: &Benchmark| {
        let named = known.key.params.iter().find(|(key, _)| key == "pkg");
        package.is_none() || named.is_none_or(|(_, value)| Some(value) == package)
    };
    let name = ended.benchmark.as_ref().or(ended.package.as_ref());
    let name = name.unwrap_or(&import.set.source).clone();
    let is_it = |known: &Benchmark| {
        let go = Name::of_go(&known.key.name);
        let bare: String = [go.base()]
            .into_iter()
            .chain(go.parts().filter(|part| part.starts_with('/')))
            .collect();
        (known.key.name == name || bare == name) && of_package(known)
    };
    let benchmark = match import.set.benchmarks.iter().position(is_it) {
        Some(known) => known,
        None => {
            let differs =
                import.set.benchmarks.iter().flat_map(|b| &b.key.params).any(|(k, _)| k == "pkg");
            let pair = |package: &String| ("pkg".to_owned(), package.clone());
            import.benchmark(Benchmark {
                key: BenchmarkKey {
                    name,
                    params: package.filter(|_| differs).map(pair).into_iter().collect(),
                },
                command: None,
                shell: None,
                accept: Accept::Zero,
                case: None,
            })?
        }
    };
    import.row(benchmark, outcome, &[])
}

/// What was not used, and what was put together.
fn remarks(import: &mut Import, data: &Dataset) {
    let problems = &data.problems;
    for Problem { line, reason, .. } in problems.told() {
        let ended = matches!(reason, Reason::Ended(_));
        let what = if reason.leaves_out() && !ended { " is left out" } else { "" };
        import.note(match line {
            Some(line) => format!("line {line}{what}: {reason}"),
            None => reason.to_string(),
        });
    }
    let joined = data.files.iter().map(|file| file.joined).sum();
    for text in problems.untold().into_iter().chain(Problems::put_together(joined)) {
        import.note(text);
    }
}
