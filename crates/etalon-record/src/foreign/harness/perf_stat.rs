//! `perf stat -x, ` and `perf stat -j`.
//!
//! An invocation is a run with one reading of each event. With `-r` perf has averaged: that is a summary. What is
//! appended (`--append`) begins with a line `# started on`. What the command was is not in the file.

use etalon_core::metrics;
use etalon_core::model::{BenchmarkKey, Direction};
use serde::Deserialize;

use super::column::{size, time};
use super::results::{Benchmark, Cell, Column, Level, Quantity, Refused, Results, Run, Source};
use super::wire::{Word, refused};

/// The name of what perf executed, which it does not write.
const NAME: &str = "perf stat";

/// Events by perf's names, and etalon's.
const EVENTS: [(&str, &str); 12] = [
    ("task-clock", metrics::CPU),
    ("cpu-clock", "cpu_clock"),
    ("duration_time", metrics::WALL),
    ("user_time", metrics::USER),
    ("system_time", metrics::SYS),
    ("cycles", metrics::CYCLES),
    ("cpu-cycles", metrics::CYCLES),
    ("instructions", metrics::INSTRUCTIONS),
    ("cache-misses", metrics::CACHE_MISSES),
    ("branch-misses", metrics::BRANCH_MISSES),
    ("page-faults", "page_faults"),
    ("context-switches", "context_switches"),
];

/// What a line of `-j` begins with.
pub(super) const FIRST_KEY: &str = "{\"counter-value\"";

/// An event as counted once, or in the mean of repetitions.
struct Event {
    name: String,
    unit: String,
    count: Cell,
    is_mean: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Wire {
    counter_value: Word,
    #[serde(default)]
    unit: Option<String>,
    event: String,
    #[serde(default)]
    variance: Option<Word>,
}

/// Reads a file in either form.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let mut results = Results::default();
    let mut runs: Vec<Vec<Event>> = Vec::new();
    let mut begins = true;
    let lines = source.text().split(|byte| *byte == b'\n');
    for (line, text) in (1..).zip(lines) {
        let text = text.trim_ascii();
        if text.starts_with(b"#") {
            begins = true;
            continue;
        }
        if text.is_empty() {
            continue;
        }
        if std::mem::take(&mut begins) {
            runs.push(Vec::new());
        }
        let event = match text.first() {
            Some(b'{') => json(text, line)?,
            _ => row(&String::from_utf8_lossy(text)).map_err(|reason| Refused {
                part: 0,
                line,
                reason,
            })?,
        };
        if let Some(run) = runs.last_mut() {
            run.push(event);
        }
    }
    let is_mean = runs.iter().flatten().any(|event| event.is_mean);
    let runs = runs.into_iter().enumerate();
    let runs = runs.map(|(at, events)| invocation(&mut results, events).of_process(at)).collect();
    let key = BenchmarkKey { name: NAME.to_owned(), params: Vec::new() };
    let level = if is_mean { Level::Summary } else { Level::Readings };
    results.benchmarks.push(Benchmark { key, level, runs, ..Benchmark::default() });
    Ok(results)
}

/// The events of an invocation as one reading. One that the machine does not count is not available.
fn invocation(results: &mut Results, events: Vec<Event>) -> Run {
    let mut columns: Vec<Column> = Vec::new();
    for event in events {
        let quantity = quantity(&event);
        match event.count {
            Cell::Absent(text) if text.starts_with('<') => {
                let text = format!("{text}, so not available");
                results.remark(&event.name, text);
            }
            count => {
                let quantity = results.quantity(quantity);
                columns.push(Column { quantity, cells: vec![count] });
            }
        }
    }
    Run::new(columns)
}

fn quantity(event: &Event) -> Quantity {
    let known = EVENTS.iter().find(|(theirs, _)| *theirs == event.name);
    let name = known.map_or(event.name.as_str(), |(_, ours)| ours);
    let unit = time(&event.unit).or_else(|| size(&event.unit)).unwrap_or(match name {
        // Tool events are in ns without a unit.
        metrics::WALL | metrics::USER | metrics::SYS => "ns",
        _ if event.unit.is_empty() => "count",
        _ => &event.unit,
    });
    let direction = if known.is_some() { Direction::Lower } else { Direction::Neither };
    Quantity { direction, ..Quantity::neither(name, unit) }
}

fn json(text: &[u8], line: u64) -> Result<Event, Refused> {
    let wire: Wire = serde_json::from_slice(text).map_err(|error| refused(0, line, &error))?;
    let Word(count) = wire.counter_value;
    Ok(Event {
        name: wire.event,
        unit: wire.unit.unwrap_or_default(),
        count: Cell::from_text(count.trim()),
        is_mean: wire.variance.is_some(),
    })
}

/// A line of fields: value, unit, event, and with `-r` how much it varies.
fn row(text: &str) -> Result<Event, String> {
    let separator = separator(text).ok_or_else(|| {
        let shown = crate::raw::clipped(text);
        format!("`{shown}` is no line of `perf stat -x` of a whole command (-I, -A and --per-core are not read)")
    })?;
    let fields: Vec<&str> = text.split(separator).map(str::trim).collect();
    Ok(Event {
        name: fields[2].to_owned(),
        unit: fields[1].to_owned(),
        count: Cell::from_text(fields[0]),
        is_mean: fields.get(3).is_some_and(|field| field.ends_with('%')),
    })
}

/// The separator of a line that begins with a value, a unit and an event.
pub(super) fn separator(text: &str) -> Option<char> {
    let is_event = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.:/=-".contains(c))
    };
    let is_value = |value: &str| {
        ["<not supported>", "<not counted>"].contains(&value)
            || matches!(Cell::from_text(value), Cell::Number(_))
    };
    [';', '\t', '|', ','].into_iter().find(|separator| {
        let fields: Vec<&str> = text.split(*separator).map(str::trim).collect();
        fields.len() >= 5 && is_value(fields[0]) && is_event(fields[2])
    })
}
