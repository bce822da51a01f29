//! Writing an export: a dataset in hyperfine's schema 1.
//!
//! Owns its fields: statistics from `etalon-core`, `times`, and next to them, where every run has them,
//! `exit_codes`, `memory_usage_byte`, and `user_times` and `system_times` (not hyperfine's; readers
//! ignore fields they do not know). `name` is schema 2's: schema 1 loses the command where there is a
//! name. Refuses runs that do not count: every time is a result there.

use std::io::{self, Write};

use etalon_core::dataset::{Dataset, Group};
use etalon_core::metrics;
use etalon_core::model::Note;
use etalon_core::stats::{Sorted, mean, median, stddev};
use etalon_core::visible::{Escapes, EscapingWriter};
use serde::Serialize;

use crate::foreign::table::Table;
use crate::outcome;
use crate::raw::lost;

/// Writes a dataset as an export. Returns what the format cannot hold. Runs without a wall-clock time are
/// not runs for hyperfine, and are left out. Linear, except for one sort of each benchmark's times.
///
/// # Errors
/// If `out` does not take it.
pub fn write(data: &Dataset, out: &mut impl Write) -> io::Result<Vec<Note>> {
    let table = Table::of(data);
    let mut notes = lost(data, &table.groups, "left out");
    let mut results = Vec::with_capacity(table.groups.len());
    for group in &table.groups {
        let result = Export::from_group(&table, group);
        let about = &group.benchmark.key.name;
        // An exit code of those that do not count is not written.
        let texts = outcome::misread(table.outcomes(&group.rows));
        notes.extend(texts.map(|text| Note::new(about.clone(), text)));
        let missing = group.rows.len() - result.times.len();
        if missing > 0 {
            let text = format!("{missing} rows without a wall-clock time are left out");
            notes.push(Note::new(about.clone(), text));
        }
        results.push(result);
    }
    let visible = EscapingWriter::new(&mut *out, Escapes::Json);
    serde_json::to_writer_pretty(visible, &Document { results })?;
    out.write_all(b"\n")?;
    out.flush()?;
    left_out(&table, &mut notes);
    Ok(notes)
}

/// Whether an export has a place for anything that was measured.
#[must_use]
pub fn holds(data: &Dataset) -> bool {
    Table::of(data).has_metric(metrics::WALL, "s")
}

#[derive(Serialize)]
struct Document<'a> {
    results: Vec<Export<'a>>,
}

#[derive(Serialize)]
struct Export<'a> {
    command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    mean: Option<f64>,
    stddev: Option<f64>,
    median: Option<f64>,
    user: Option<f64>,
    system: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    times: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_usage_byte: Option<Vec<Bytes>>,
    exit_codes: Vec<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_times: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_times: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Parameters::is_empty")]
    parameters: Parameters<'a>,
}

impl<'a> Export<'a> {
    fn from_group(table: &Table<'_>, group: &'a Group) -> Export<'a> {
        let benchmark = &group.benchmark;
        let at = |name: &str, base: &str| table.metric(group.run_set, name, base);
        let wall = at(metrics::WALL, "s");
        let all = [wall, at(metrics::USER, "s"), at(metrics::SYS, "s"), at(metrics::RSS, "B")];
        let mut lists = all.map(|spellings| (spellings, Vec::new()));
        let mut exit_codes = Vec::new();
        for row in group.rows.iter().map(|row| *row as usize) {
            if table.value(row, wall).is_none() {
                continue;
            }
            for (spellings, list) in &mut lists {
                list.extend(table.value(row, spellings));
            }
            exit_codes.push(outcome::exit_code(table.data.rows.outcome(row)));
        }
        let [times, user, system, rss] = lists.map(|(_, list)| list);
        let runs = times.len();
        let sorted = Sorted::new(&times).unwrap_or_default();
        let complete = |list: Vec<f64>| Some(list).filter(|list| list.len() == runs && runs > 0);
        let key = &benchmark.key;
        let command = benchmark.command.as_deref().unwrap_or(&key.name);
        Export {
            command,
            name: Some(key.name.as_str()).filter(|name| *name != command),
            mean: mean(&times),
            stddev: stddev(&times),
            median: median(&sorted),
            user: mean(&user),
            system: mean(&system),
            min: sorted.min(),
            max: sorted.max(),
            memory_usage_byte: complete(rss).map(|list| list.into_iter().map(Bytes).collect()),
            exit_codes,
            user_times: complete(user),
            system_times: complete(system),
            times,
            parameters: Parameters(&key.params),
        }
    }
}

/// A size: an integer, as hyperfine has it, if it is one.
struct Bytes(f64);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Up to here every integer is a double.
        if self.0.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&self.0) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked above
            return serializer.serialize_u64(self.0 as u64);
        }
        serializer.serialize_f64(self.0)
    }
}

/// Parameters in their order.
struct Parameters<'a>(&'a [(String, String)]);

impl Parameters<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Parameters<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Notes everything that an export lacks.
fn left_out(table: &Table<'_>, notes: &mut Vec<Note>) {
    let source = table.source();
    let mut note = |about: &str, text: String| {
        notes.push(Note::new(about, text));
    };
    let known = [metrics::WALL, metrics::USER, metrics::SYS, metrics::RSS];
    let without: Vec<&str> =
        table.metric_names().into_iter().filter(|name| !known.contains(name)).collect();
    if !without.is_empty() {
        note(&source, format!("hyperfine has no field for {}", without.join(", ")));
    }
    if table.has_blocks() {
        note(&source, "hyperfine has no blocks: the runs are independent".to_owned());
    }
    for group in table.groups.iter().filter(|group| group.benchmark.shell.is_some()) {
        note(&group.benchmark.key.name, "hyperfine has no field for its shell".to_owned());
    }
}
