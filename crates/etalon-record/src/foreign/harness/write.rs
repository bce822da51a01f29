//! Results in the formats of services: Bencher Metric Format, and github-action-benchmark's custom JSON.
//!
//! Both hold one value a benchmark and metric: the median of its readings, with its 95 % interval beside. Refuses readings: no
//! such format has a place for them, and a note says so.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use etalon_core::dataset::{Dataset, Group, SpellingId, numbers, with_number};
use etalon_core::estimate::{self, Estimate};
use etalon_core::metrics;
use etalon_core::model::{Direction, Metric, Note};
use etalon_core::units::Base;

/// The level of the intervals.
const LEVEL: f64 = 0.95;

/// The most bytes of the name of a benchmark, and of a measure. Because: Bencher refuses a document with a longer one.
const BENCHMARK: usize = 1024;
const MEASURE: usize = 50;
/// Bytes for what stands behind a name that was cut.
const NUMBER: usize = 16;

/// A metric's centre.
pub(super) struct Centre {
    pub(super) metric: Metric,
    pub(super) estimate: Estimate,
    pub(super) readings: usize,
}

/// A benchmark with its centres.
pub(super) struct Summary {
    pub(super) name: String,
    pub(super) centres: Vec<Centre>,
}

/// Whether a direction has any value.
#[must_use]
pub fn holds(data: &Dataset, better: Direction) -> bool {
    let mut all = summaries(data).into_iter().flat_map(|summary| summary.centres);
    all.any(|centre| centre.metric.direction == better)
}

/// Writes Bencher Metric Format; what that cannot hold.
///
/// # Errors
/// If `out` does not take it.
pub fn write_bencher(data: &Dataset, out: &mut impl Write) -> io::Result<Vec<Note>> {
    let all = summaries(data);
    let benchmarks: Vec<&str> = all.iter().map(|summary| summary.name.as_str()).collect();
    let benchmarks = fitting(&benchmarks, BENCHMARK);
    let own = measures(all.iter().flat_map(|of| &of.centres));
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let measures: HashMap<&str, String> = own.iter().copied().zip(fitting(&own, MEASURE)).collect();
    out.write_all(b"{")?;
    for (at, summary) in all.iter().enumerate() {
        let before = if at > 0 { ",\n " } else { "\n " };
        write!(out, "{before}{}: {{", json(&benchmarks[at]))?;
        for (at, centre) in summary.centres.iter().enumerate() {
            let (measure, scale) = measure(&centre.metric);
            let measure = measures.get(&*measure).unwrap_or(&measure);
            let before = if at > 0 { ", " } else { "" };
            let of = |value: f64| number(value * scale);
            let Estimate { value, interval, .. } = centre.estimate;
            write!(out, "{before}{}: {{\"value\": {}", json(measure), of(value))?;
            if let Ok(interval) = interval {
                let (lo, hi) = (of(interval.lo), of(interval.hi));
                write!(out, ", \"lower_value\": {lo}, \"upper_value\": {hi}")?;
            }
            out.write_all(b"}")?;
        }
        out.write_all(b"}")?;
    }
    out.write_all(b"\n}\n")?;
    let others = |centre: &&Centre| !has_measure(&centre.metric);
    let without_unit: Vec<String> = names(all.iter().flat_map(|of| &of.centres).filter(others));
    let mut notes = vec![medians(data)];
    let is_cut = all.iter().zip(&benchmarks).any(|(it, name)| it.name != *name)
        || measures.iter().any(|(own, name)| own != name);
    if is_cut {
        let text = format!(
            "the format has names of at most {BENCHMARK} bytes, and of {MEASURE} for measures: \
             others are cut"
        );
        notes.push(Note::new(source(data), text));
    }
    if !without_unit.is_empty() {
        let text = format!("the format has no units: {} in base units", without_unit.join(", "));
        notes.push(Note::new(source(data), text));
    }
    Ok(notes)
}

/// Writes the custom JSON of github-action-benchmark: what is better in this direction; what that cannot hold.
///
/// # Errors
/// If `out` does not take it.
pub fn write_github_action(
    data: &Dataset,
    better: Direction,
    out: &mut impl Write,
) -> io::Result<Vec<Note>> {
    let all = summaries(data);
    let mut before = "[\n ";
    for Summary { name, centres } in &all {
        for centre in centres.iter().filter(|centre| centre.metric.direction == better) {
            let (unit, scale) = unit(&centre.metric);
            let name = match centre.metric.name.as_str() {
                metrics::WALL => name.clone(),
                metric => format!("{name} ({metric})"),
            };
            let Estimate { value, interval, .. } = centre.estimate;
            let of = |value: f64| number(value * scale);
            write!(out, "{before}{{\"name\": {}, \"unit\": {}", json(&name), json(&unit))?;
            write!(out, ", \"value\": {}", of(value))?;
            if let Ok(interval) = interval {
                let range = format!("{} … {}", of(interval.lo), of(interval.hi));
                write!(out, ", \"range\": {}", json(&range))?;
            }
            let extra = format!("median of {} readings", centre.readings);
            write!(out, ", \"extra\": {}}}", json(&extra))?;
            before = ",\n ";
        }
    }
    out.write_all(if before.starts_with('[') { b"[]\n" } else { b"\n]\n" })?;
    let others = |centre: &&Centre| centre.metric.direction != better;
    let left_out = names(all.iter().flat_map(|of| &of.centres).filter(others));
    let mut notes = vec![medians(data)];
    if !left_out.is_empty() {
        let text = format!("a file has one better way; left out: {}", left_out.join(", "));
        notes.push(Note::new(source(data), text));
    }
    Ok(notes)
}

/// The medians of all benchmarks, those of one name told apart.
pub(super) fn summaries(data: &Dataset) -> Vec<Summary> {
    let groups = data.groups();
    let labels: Vec<String> = groups.iter().map(|group| group.benchmark.label()).collect();
    let names = told_apart(labels);
    let of = |(group, name): (&Group, String)| Summary { name, centres: centres(data, group) };
    let all = groups.iter().zip(names).map(of);
    all.filter(|summary| !summary.centres.is_empty()).collect()
}

fn centres(data: &Dataset, group: &Group) -> Vec<Centre> {
    let of = |(metric, spellings): (Metric, Vec<SpellingId>)| {
        let column = data.columns(&group.rows, &[&spellings]).into_iter().next()?;
        let readings = column.values.len();
        let sample = data.sample(&column.rows, column.values).ok()?;
        let estimate = estimate::median(&sample, LEVEL, metric.resolution)?;
        Some(Centre { metric, estimate, readings })
    };
    data.metrics(group.run_set).into_iter().filter_map(of).collect()
}

/// Bencher's name of a measure, and what a base unit is in it.
fn measure(metric: &Metric) -> (String, f64) {
    match (metric.name.as_str(), metric.unit.base()) {
        (metrics::WALL, Base::Seconds) => ("latency".to_owned(), 1e9),
        ("ops/s", _) => ("throughput".to_owned(), 1.0),
        (name, _) => (name.to_owned(), 1.0),
    }
}

fn has_measure(metric: &Metric) -> bool {
    measure(metric).0 != metric.name
}

/// The unit that values are written in, and what a base unit is in it.
fn unit(metric: &Metric) -> (String, f64) {
    match metric.unit.base() {
        Base::Seconds => ("ns".to_owned(), 1e9),
        base => (base.to_string(), 1.0),
    }
}

/// Names as Bencher takes them, each another one: without blanks around, and of at most so many bytes.
fn fitting(names: &[&str], most: usize) -> Vec<String> {
    let end = |name: &str| (0..=most - NUMBER).rev().find(|at| name.is_char_boundary(*at));
    let fitting = |name: &&str| match name.trim() {
        "" => "unnamed".to_owned(),
        name if name.len() <= most => name.to_owned(),
        name => format!("{}…", &name[..end(name).unwrap_or_default()]),
    };
    let fitting: Vec<String> = names.iter().map(fitting).collect();
    told_apart(fitting)
}

/// Names with numbers behind those that are there already.
fn told_apart(names: Vec<String>) -> Vec<String> {
    let numbers = numbers(&names, |name, number| with_number(name, number));
    let told = |(name, number): (String, Option<u32>)| match number {
        Some(number) => with_number(&name, number),
        None => name,
    };
    names.into_iter().zip(numbers).map(told).collect()
}

/// The measures of metrics, each once.
fn measures<'c>(centres: impl Iterator<Item = &'c Centre>) -> Vec<String> {
    let mut known = HashSet::new();
    let all = centres.map(|centre| measure(&centre.metric).0);
    all.filter(|name| known.insert(name.clone())).collect()
}

/// The names of metrics, each once.
fn names<'c>(centres: impl Iterator<Item = &'c Centre>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for centre in centres {
        if !names.contains(&centre.metric.name) {
            names.push(centre.metric.name.clone());
        }
    }
    names
}

pub(super) fn medians(data: &Dataset) -> Note {
    let text = "the format has one value a benchmark: medians with their 95 % intervals";
    Note::new(source(data), text.to_owned())
}

fn source(data: &Dataset) -> String {
    let sources: Vec<&str> = data.run_sets.iter().map(|set| set.source.as_str()).collect();
    sources.join(", ")
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A finite number as JSON.
pub(super) fn number(value: f64) -> String {
    serde_json::Value::from(value).to_string()
}
