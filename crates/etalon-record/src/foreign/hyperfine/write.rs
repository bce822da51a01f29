//! Writing an export: a dataset in hyperfine's schema 2, or in 1 where that is asked for.
//!
//! Owns the document and what is said of its losses; what of a benchmark is in it is [`super::executions`]'. Executions that
//! do not count are no runs, because every run is a result there: they stand in a field of etalon's own, `failures`.

use std::io::{self, Write};

use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::model::Note;
use etalon_core::visible::{Escapes, EscapingWriter};
use serde::Serialize;

use super::executions::Executions;
use super::fields::{self, FIELDS};
use super::{schema_1, schema_2};
use crate::foreign::table::Table;
use crate::outcome;
use crate::raw::lost;

/// A form of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schema {
    /// hyperfine's up to 1.21: lists of times.
    One,
    /// hyperfine's from 2.0 on: runs with all their values.
    Two,
}

/// Writes a dataset as an export. Returns what the format cannot hold. Executions without a wall-clock time are
/// not runs for hyperfine. Linear, except for one sort of each metric's values of a benchmark.
///
/// # Errors
/// If `out` does not take it.
pub fn write(data: &Dataset, schema: Schema, out: &mut impl Write) -> io::Result<Vec<Note>> {
    let table = Table::of(data);
    let mut notes = lost(data, &table.groups, "hyperfine's own readers do not see them");
    let mut all = Vec::with_capacity(table.groups.len());
    for group in &table.groups {
        let executions = Executions::new(&table, group);
        let about = &group.benchmark.key.name;
        let texts = outcome::misread(table.outcomes(&group.rows));
        notes.extend(texts.map(|text| Note::new(about.clone(), text)));
        let missing = executions.without_time;
        if missing > 0 {
            let text = format!(
                "left out, without a wall-clock time: {}",
                outcome::executions(missing as u64)
            );
            notes.push(Note::new(about.clone(), text));
        }
        all.push(executions);
    }
    match schema {
        Schema::One => {
            let results = all.into_iter().map(schema_1::Result::new).collect();
            document(out, &One { results })?;
        }
        Schema::Two => {
            let results = all.into_iter().map(schema_2::Result::new).collect();
            let metadata = Metadata::new(data);
            let primary_metric = primary(data);
            document(out, &Two { schema_version: 2, metadata, primary_metric, results })?;
        }
    }
    left_out(&table, schema, &mut notes);
    Ok(notes)
}

/// Whether an export has a place for anything that was measured.
#[must_use]
pub fn holds(data: &Dataset) -> bool {
    let has_figures = data.run_sets.iter().any(|set| !set.figures.is_empty());
    Table::of(data).has_metric(metrics::WALL, "s") || has_figures
}

#[derive(Serialize)]
struct One<'a> {
    results: Vec<schema_1::Result<'a>>,
}

#[derive(Serialize)]
struct Two<'a> {
    schema_version: u32,
    metadata: Metadata<'a>,
    primary_metric: &'static str,
    results: Vec<schema_2::Result<'a>>,
}

/// Where and with what it was measured, as far as the data say.
#[derive(Serialize)]
struct Metadata<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    hyperfine_version: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_time: Option<&'a str>,
    platform: Platform<'a>,
}

#[derive(Serialize)]
struct Platform<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    os: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    architecture: Option<&'a str>,
}

impl<'a> Metadata<'a> {
    fn new(data: &'a Dataset) -> Metadata<'a> {
        let first = data.run_sets.first();
        let fact = |keys: &[&str]| {
            let context = &first?.context;
            keys.iter().find_map(|key| context.get(*key)).map(String::as_str)
        };
        Metadata {
            hyperfine_version: fact(&["tool.name"]).and_then(|it| it.strip_prefix("hyperfine ")),
            start_time: first.and_then(|set| set.started.as_deref()),
            platform: Platform {
                os: fact(&["kernel.name"]),
                architecture: fact(&["cpu.architecture", "machine.arch"]),
            },
        }
    }
}

/// hyperfine's name for the metric that the data are ranked by; wall clock where it has none.
fn primary(data: &Dataset) -> &'static str {
    let ranked_by = data.run_sets.iter().find_map(|set| {
        let settings = set.settings.as_ref().map(|settings| settings.metric.as_str());
        settings.or(set.ranked_by.as_deref())
    });
    ranked_by.and_then(fields::for_metric).unwrap_or(&FIELDS[0]).name
}

fn document(out: &mut impl Write, document: &impl Serialize) -> io::Result<()> {
    let visible = EscapingWriter::new(&mut *out, Escapes::Json);
    serde_json::to_writer_pretty(visible, document)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Notes everything that an export lacks.
fn left_out(table: &Table<'_>, schema: Schema, notes: &mut Vec<Note>) {
    let source = table.source();
    let mut note = |about: &str, text: String| {
        notes.push(Note::new(about, text));
    };
    let of_one = [metrics::WALL, metrics::USER, metrics::SYS, metrics::RSS];
    let is_known = |name: &&str| match schema {
        Schema::One => of_one.contains(name),
        Schema::Two => fields::for_metric(name).is_some(),
    };
    let without: Vec<&str> =
        table.metric_names().into_iter().filter(|name| !is_known(name)).collect();
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
