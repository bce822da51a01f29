//! Results of a harness that is executed again and again, as lines of a record.
//!
//! Owns: a benchmark line for each benchmark of a subject and a metric line for each quantity when they come for the
//! first time; one observation an execution, the median of the medians of what ran together, with every reading beside
//! it; an outcome for each benchmark that an execution lacks. Refuses to execute anything, and to find files.

use std::collections::{HashMap, HashSet};

use etalon_core::dataset::with_number;
use etalon_core::model::{
    BenchmarkKey, Coordinates, Kind, Metric, NotStarted, Number, Observation, Outcome, Per, Phase,
};
use etalon_core::units::Unit;

use super::results::{Benchmark, Quantity, Results, Run};
use crate::raw::benchmark::BenchmarkLine;
use crate::raw::write;

/// An execution of a subject, and its results.
#[derive(Debug)]
pub struct Execution<'a> {
    /// Which subject.
    pub subject: usize,
    /// Warm-up or result.
    pub phase: Phase,
    /// The block.
    pub block: u32,
    /// Nanoseconds from the start of the run set to its start.
    pub at_ns: u64,
    /// Its results, or why there are none.
    pub results: Result<&'a Results, &'a str>,
}

/// A record of executions under way.
#[derive(Debug)]
pub struct Live {
    /// Those of the record, in its order.
    metrics: Vec<Metric>,
    /// The subjects: the first benchmarks of the record.
    subjects: Vec<BenchmarkLine>,
    /// Benchmark lines so far.
    lines: usize,
    /// The benchmarks of each subject by what they are in its results, with their places in the record.
    known: Vec<HashMap<BenchmarkKey, usize>>,
    /// Whether subjects have to be told apart in the keys of their benchmarks.
    several: bool,
}

/// The values of a benchmark in one execution.
struct Reading {
    values: Vec<(usize, Number)>,
    /// By metric, the readings of each run.
    readings: Vec<(usize, Vec<Vec<f64>>)>,
    outcome: Outcome,
}

impl Live {
    /// Nothing was executed yet of these subjects, whose own metrics these are.
    #[must_use]
    pub fn new(subjects: &[BenchmarkLine], metrics: &[Metric]) -> Live {
        let names: HashSet<&str> = subjects.iter().map(|line| line.name.as_str()).collect();
        Live {
            metrics: metrics.to_vec(),
            lines: subjects.len(),
            known: vec![HashMap::new(); subjects.len()],
            several: names.len() > 1,
            subjects: subjects.to_vec(),
        }
    }

    /// The same, with the benchmark lines that an earlier execution has behind those of the subjects.
    #[must_use]
    pub fn with(mut self, lines: &[BenchmarkLine]) -> Live {
        for line in lines {
            let of = |subject: &usize| {
                let behind = self.params_of(*subject);
                line.params.ends_with(&behind).then(|| line.params.len() - behind.len())
            };
            let found = (0..self.subjects.len()).find_map(|at| of(&at).map(|own| (at, own)));
            if let Some((subject, own)) = found {
                let params = line.params[..own].to_vec();
                self.known[subject]
                    .insert(BenchmarkKey { name: line.name.clone(), params }, self.lines);
            }
            self.lines += 1;
        }
        self
    }

    /// What tells the benchmarks of a subject from those of others.
    fn params_of(&self, subject: usize) -> Vec<(String, String)> {
        let of = &self.subjects[subject];
        let command = self.several.then(|| ("command".to_owned(), of.name.clone()));
        command.into_iter().chain(of.params.iter().cloned()).collect()
    }

    /// How many benchmarks of a subject are known.
    #[must_use]
    pub fn known(&self, subject: usize) -> usize {
        self.known.get(subject).map_or(0, HashMap::len)
    }

    /// Appends the lines of one execution. Benchmarks that it lacks have an outcome that says why.
    pub fn add(&mut self, execution: &Execution<'_>, lines: &mut Vec<u8>) {
        let lacking = match execution.results {
            Ok(_) => "it is not among the results",
            Err(why) => why,
        };
        let mut before: Vec<usize> = self.known[execution.subject].values().copied().collect();
        before.sort_unstable();
        let mut seen = HashSet::new();
        if let Ok(results) = execution.results {
            let metrics: Vec<usize> =
                results.quantities.iter().map(|it| self.metric(it, lines)).collect();
            for (key, benchmark) in distinct(&results.benchmarks) {
                let found = self.found(benchmark, &results.quantities, &metrics);
                let at = self.benchmark(execution.subject, key, lines);
                seen.insert(at);
                self.write(execution, at, &found, lines);
            }
        }
        for at in before.into_iter().filter(|at| !seen.contains(at)) {
            let why = NotStarted::NoResult(lacking.to_owned());
            let outcome = Outcome::NotStarted { why };
            let found = Reading { values: Vec::new(), readings: Vec::new(), outcome };
            self.write(execution, at, &found, lines);
        }
    }

    /// A benchmark of a subject in the record, which gets its line when it comes for the first time. What tells
    /// subjects apart, such as sides, tells their benchmarks apart.
    fn benchmark(&mut self, subject: usize, key: BenchmarkKey, lines: &mut Vec<u8>) -> usize {
        if let Some(at) = self.known[subject].get(&key) {
            return *at;
        }
        let params = key.params.iter().cloned().chain(self.params_of(subject)).collect();
        let line = BenchmarkLine { name: key.name.clone(), params, ..BenchmarkLine::default() };
        write::benchmark(lines, &line);
        let at = self.lines;
        self.lines += 1;
        self.known[subject].insert(key, at);
        at
    }

    /// The metric of a quantity. One of the same name in another unit, or in other steps, is another metric.
    fn metric(&mut self, quantity: &Quantity, lines: &mut Vec<u8>) -> usize {
        let unit = Unit::new(&quantity.unit);
        let is_it = |metric: &Metric, name: &str| {
            let is_alike = metric.resolution == quantity.resolution;
            metric.name == name && metric.unit.base() == unit.base() && is_alike
        };
        let other = format!("{} ({})", quantity.name, quantity.unit);
        let found =
            self.metrics.iter().position(|it| is_it(it, &quantity.name) || is_it(it, &other));
        if let Some(at) = found {
            return at;
        }
        let is_taken = self.metrics.iter().any(|metric| metric.name == quantity.name);
        let metric = Metric {
            name: if is_taken { other } else { quantity.name.clone() },
            unit,
            direction: quantity.direction,
            kind: Kind::Noisy,
            resolution: quantity.resolution,
            per: Per::Observation,
        };
        write::metric(lines, &metric);
        self.metrics.push(metric);
        self.metrics.len() - 1
    }

    /// The values of a benchmark: of each quantity the median of its runs' medians.
    fn found(&self, benchmark: &Benchmark, quantities: &[Quantity], metrics: &[usize]) -> Reading {
        let mut found = Reading { values: Vec::new(), readings: Vec::new(), outcome: Outcome::Ok };
        let mut absent = None;
        for (at, quantity) in quantities.iter().enumerate() {
            let metric = metrics[at];
            let unit = Unit::new(&quantity.unit);
            let of = &self.metrics[metric].unit;
            let scaled = |number: f64| match unit == *of {
                true => number,
                false => of.from_base(unit.to_base(number)),
            };
            let (runs, odd) = readings(&benchmark.runs, (at, quantity));
            absent = absent.or(odd);
            let runs: Vec<Vec<f64>> =
                runs.into_iter().map(|run| run.into_iter().map(scaled).collect()).collect();
            let medians: Vec<f64> = runs.iter().filter_map(|run| median(run)).collect();
            if let Some(median) = median(&medians) {
                found.values.push((metric, Number::Float(median)));
                found.readings.push((metric, runs));
            }
        }
        let failed = benchmark.runs.iter().find(|run| run.outcome != Outcome::Ok);
        if found.values.is_empty() {
            let why = absent.map_or_else(
                || "it has no reading".to_owned(),
                |text| format!("`{text}` is no reading"),
            );
            let none = Outcome::NotStarted { why: NotStarted::NoResult(why) };
            found.outcome = failed.map_or(none, |run| run.outcome.clone());
        }
        found
    }

    fn write(&self, execution: &Execution<'_>, at: usize, found: &Reading, lines: &mut Vec<u8>) {
        let &Execution { phase, block, at_ns, .. } = execution;
        let coordinates =
            Coordinates { node: None, block: Some(block), turn: None, at_ns: Some(at_ns) };
        let observation = Observation {
            outcome: found.outcome.clone(),
            ..Observation::new(at, phase, coordinates, found.values.clone())
        };
        write::observation_with_readings(lines, &observation, &self.metrics, &found.readings);
    }
}

/// The benchmarks with keys of their own: those that share one are told apart by their file or group, else by number.
fn distinct(benchmarks: &[Benchmark]) -> Vec<(BenchmarkKey, &Benchmark)> {
    let mut counts: HashMap<&BenchmarkKey, usize> = HashMap::new();
    benchmarks.iter().for_each(|it| *counts.entry(&it.key).or_default() += 1);
    let mut taken: HashMap<BenchmarkKey, u32> = HashMap::new();
    let mut all = Vec::with_capacity(benchmarks.len());
    for benchmark in benchmarks {
        let mut key = benchmark.key.clone();
        if counts.get(&key).is_some_and(|count| *count > 1)
            && let Some(place) = benchmark.file.as_ref().or(benchmark.group.as_ref())
        {
            key.name = format!("{place}: {}", key.name);
        }
        let number = taken.entry(key.clone()).or_default();
        *number += 1;
        if *number > 1 {
            key.name = with_number(&key.name, *number);
        }
        all.push((key, benchmark));
    }
    all
}

/// The readings of a quantity by the process that made them, and what stands in place of one.
fn readings(
    runs: &[Run],
    (quantity, about): (usize, &Quantity),
) -> (Vec<Vec<f64>>, Option<String>) {
    let mut by_process: Vec<(u32, Vec<f64>)> = Vec::new();
    let mut odd = None;
    let usable = runs.iter().filter(|run| run.outcome == Outcome::Ok);
    for run in usable {
        for column in run.columns.iter().filter(|column| column.quantity == quantity) {
            for cell in &column.cells {
                let can_be =
                    |number: &f64| number.is_finite() && (*number >= 0.0 || !about.is_amount());
                let Some(number) = cell.number().filter(can_be) else {
                    odd.get_or_insert_with(|| match cell {
                        super::results::Cell::Absent(text) => text.to_string(),
                        super::results::Cell::Number(number) => number.to_string(),
                    });
                    continue;
                };
                match by_process.iter_mut().find(|(process, _)| *process == run.process) {
                    Some((_, all)) => all.push(number),
                    None => by_process.push((run.process, vec![number])),
                }
            }
        }
    }
    (by_process.into_iter().map(|(_, all)| all).collect(), odd)
}

/// The middle of values; absent of none.
fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => sorted.get(middle).copied(),
        _ => Some(f64::midpoint(*sorted.get(middle.checked_sub(1)?)?, *sorted.get(middle)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::{Cell, Column};
    use super::*;

    fn benchmark(name: &str, runs: &[(u32, &[f64])]) -> Benchmark {
        let run = |(process, values): &(u32, &[f64])| {
            let cells = values.iter().map(|it| Cell::from_number(*it)).collect();
            Run { process: *process, ..Run::new(vec![Column { quantity: 0, cells }]) }
        };
        let key = BenchmarkKey { name: name.to_owned(), params: Vec::new() };
        Benchmark { key, runs: runs.iter().map(run).collect(), ..Benchmark::default() }
    }

    fn results(benchmarks: Vec<Benchmark>) -> Results {
        Results { quantities: vec![Quantity::wall("us")], benchmarks, ..Results::default() }
    }

    fn live() -> Live {
        let side = |side: &str| BenchmarkLine {
            name: "pytest".to_owned(),
            params: vec![("side".to_owned(), side.to_owned())],
            ..BenchmarkLine::default()
        };
        let wall = Metric {
            name: "wall".to_owned(),
            unit: Unit::new("ns"),
            direction: etalon_core::model::Direction::Lower,
            kind: Kind::Noisy,
            resolution: None,
            per: Per::Observation,
        };
        Live::new(&[side("base"), side("head")], &[wall])
    }

    fn added(live: &mut Live, subject: usize, results: Result<&Results, &str>) -> String {
        let mut lines = Vec::new();
        let (phase, block, at_ns) = (Phase::Measured, 3, 7);
        live.add(&Execution { subject, phase, block, at_ns, results }, &mut lines);
        String::from_utf8(lines).unwrap()
    }

    /// Would catch forks that count by their length, a reading that is lost, and another unit.
    #[test]
    fn an_execution_is_one_observation() {
        let all =
            results(vec![benchmark("a", &[(0, &[3.0, 1.0, 2.0, 9.0]), (1, &[10.0]), (2, &[4.0])])]);
        let text = added(&mut live(), 1, Ok(&all));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(
            lines[0].contains(r#""name":"a""#) && lines[0].contains(r#""side":"head""#),
            "{text}"
        );
        assert_eq!(
            lines[1],
            r#"{"type":"observation","benchmark":2,"block":3,"at":7,"values":{"wall":4000.0},"readings":{"wall":[[3000.0,1000.0,2000.0,9000.0],[10000.0],[4000.0]]}}"#
        );
    }

    /// Would catch a benchmark that is gone without a word, and one whose numbers are none.
    #[test]
    fn what_is_missing_is_an_outcome() {
        let mut live = live();
        added(
            &mut live,
            0,
            Ok(&results(vec![benchmark("a", &[(0, &[1.0])]), benchmark("b", &[(0, &[1.0])])])),
        );
        let text = added(&mut live, 0, Ok(&results(vec![benchmark("b", &[(0, &[f64::NAN])])])));
        assert!(
            text.contains(
                r#""benchmark":3,"block":3,"at":7,"outcome":{"not_started":"`NaN` is no reading"}"#
            ),
            "{text}"
        );
        assert!(text.contains(r#""benchmark":2,"block":3,"at":7,"outcome":{"not_started":"it is not among the results"}"#), "{text}");
        let text = added(&mut live, 0, Err("nothing was written"));
        assert_eq!(text.matches("nothing was written").count(), 2, "{text}");
        assert_eq!((live.known(0), live.known(1)), (2, 0));
    }

    #[test]
    fn one_name_twice_is_two_benchmarks() {
        let of = |file: Option<&str>| Benchmark {
            file: file.map(str::to_owned),
            ..benchmark("a", &[(0, &[1.0])])
        };
        let all = [of(Some("x.py")), of(Some("y.py")), of(None), of(None)];
        let names: Vec<String> = distinct(&all).into_iter().map(|(key, _)| key.name).collect();
        assert_eq!(names, ["x.py: a", "y.py: a", "a", "a (2)"]);
    }
}
