//! Writing raw rows: a dataset in BestGuess's columns.
//!
//! Owns the cells; names and order are those of `-o FILE.csv` ([`crate::rows`]), and so is the quoting, RFC 4180 and
//! nothing else. Times are whole microseconds, to the nearest: BestGuess reads no others, and reading such a file gives
//! the same numbers again. Those of functions keep all their digits. An execution that does not count is a row with its exit
//! code and zeros: every code stands in its place, bestreport takes no row with empty cells, and no command ends with a
//! code in no time and no memory, which is how such rows are known again.

use std::io::{self, Write};

use etalon_core::dataset::{Dataset, RunSetId};
use etalon_core::metrics;
use etalon_core::model::{Benchmark, Note};

use super::columns::{COLUMNS, Column, Quantity};
use crate::foreign::decimal::{self, Scale};
use crate::foreign::table::{Spellings, Table};
use crate::outcome;
use crate::raw::lost;
use crate::rows;

/// Bytes collected before they are handed on.
const CHUNK: usize = 64 * 1024;

/// Writes a dataset as BestGuess's raw CSV, one benchmark after the other, as BestGuess's reader
/// wants it. Returns what the format cannot hold. Linear.
///
/// # Errors
/// If `out` does not take it.
pub fn write(data: &Dataset, out: &mut impl Write) -> io::Result<Vec<Note>> {
    let table = Table::of(data);
    let (mut buffer, mut rounded) = (Vec::new(), 0_u64);
    rows::header(&mut buffer);
    // A benchmark without executions has no rows, and no reader could tell that a number is left out for it.
    let executed = table.groups.iter().filter(|group| !table.executions(group).is_empty());
    for (number, group) in executed.enumerate() {
        let before = identity(&group.benchmark, number);
        let times = if group.benchmark.case.is_none() { Times::Whole } else { Times::Exact };
        let sources: Vec<Source<'_>> =
            COLUMNS.iter().map(|(_, column)| source(&table, group.run_set, *column)).collect();
        for row in table.executions(group) {
            buffer.extend_from_slice(&before);
            let code = outcome::exit_code(data.rows.outcome(row));
            let has_value = |source: &Source<'_>| match source {
                Source::Metric(spellings, _) => table.value(row, spellings).is_some(),
                Source::Sum(terms, _) => terms.iter().all(|it| table.value(row, it).is_some()),
                Source::Text | Source::Nothing => false,
            };
            let is_failure = code != 0 && !sources.iter().any(has_value);
            buffer.extend_from_slice(code.to_string().as_bytes());
            for source in sources.iter().filter(|source| **source != Source::Text) {
                buffer.push(b',');
                if is_failure {
                    buffer.push(b'0');
                    continue;
                }
                let value = |spellings| table.value(row, spellings);
                rounded += u64::from(cell(&mut buffer, *source, times, value));
            }
            buffer.push(b'\n');
            if buffer.len() >= CHUNK {
                out.write_all(&buffer)?;
                buffer.clear();
            }
        }
    }
    out.write_all(&buffer)?;
    out.flush()?;
    Ok(left_out(&table, rounded))
}

/// Whether there is a column for anything that was measured.
#[must_use]
pub fn holds(data: &Dataset) -> bool {
    let table = Table::of(data);
    let run_sets = table.groups.iter().map(|group| group.run_set);
    let has_values = |run_set| {
        COLUMNS.iter().any(|(_, column)| {
            matches!(source(&table, run_set, *column), Source::Metric(..) | Source::Sum(..))
        })
    };
    run_sets.into_iter().any(has_values)
}

/// Where a cell's value comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Source<'t> {
    /// It is the same for all rows of a benchmark.
    Text,
    /// A metric, and the power of ten of the column's unit.
    Metric(Spellings<'t>, i32),
    /// The sum of two.
    Sum([Spellings<'t>; 2], i32),
    /// The data do not have it.
    Nothing,
}

fn source<'t>(table: &'t Table<'_>, run_set: RunSetId, column: Column) -> Source<'t> {
    let Column::Metric(Quantity { metric: name, unit, scale: Scale::Power(power), .. }) = column
    else {
        return Source::Text;
    };
    let base = etalon_core::units::Unit::new(unit).base().to_string();
    let at = |name: &str| table.metric(run_set, name, &base);
    let terms = match name {
        metrics::CPU => [at(metrics::USER), at(metrics::SYS)],
        metrics::CSW => [at(metrics::VCSW), at(metrics::IVCSW)],
        _ => [&[][..]; 2],
    };
    match (at(name), terms) {
        ([], [[_, ..], [_, ..]]) => Source::Sum(terms, power),
        ([], _) => Source::Nothing,
        (spellings, _) => Source::Metric(spellings, power),
    }
}

/// The cells before the exit code, with the comma after them.
fn identity(benchmark: &Benchmark, number: usize) -> Vec<u8> {
    let name = label(benchmark);
    let command = benchmark.command.as_deref().unwrap_or(&name);
    let mut cells = Vec::new();
    for text in [
        command,
        benchmark.shell.as_deref().unwrap_or_default(),
        if name == command { "" } else { &name },
    ] {
        quoted(&mut cells, text);
        cells.push(b',');
    }
    cells.extend_from_slice(format!("{},", number + 1).as_bytes());
    cells
}

/// The name with its parameters, as reports show them: there is no column for these.
fn label(benchmark: &Benchmark) -> String {
    let key = &benchmark.key;
    if key.params.is_empty() {
        return key.name.clone();
    }
    let params: Vec<String> = key.params.iter().map(|(k, v)| format!("{k}={v}")).collect();
    format!("{} [{}]", key.name, params.join(", "))
}

/// Appends text, in quotes where RFC 4180 asks for them.
fn quoted(buffer: &mut Vec<u8>, text: &str) {
    if !text.contains(['"', ',', '\r', '\n']) {
        buffer.extend_from_slice(text.as_bytes());
        return;
    }
    buffer.push(b'"');
    buffer.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    buffer.push(b'"');
}

/// How a time is written.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Times {
    /// To the nearest microsecond.
    Whole,
    /// With all its digits.
    Exact,
}

/// Appends a cell; whether it was rounded.
fn cell<'t>(
    buffer: &mut Vec<u8>,
    source: Source<'t>,
    times: Times,
    of: impl Fn(Spellings<'t>) -> Option<f64>,
) -> bool {
    let (value, power) = match source {
        Source::Metric(spellings, power) => (of(spellings), power),
        Source::Sum([a, b], power) => (of(a).zip(of(b)).map(|(a, b)| sum(a, b, power)), power),
        Source::Text | Source::Nothing => (None, 0),
    };
    let Some(value) = value else { return false };
    let start = buffer.len();
    decimal::write(buffer, value, power);
    let is_time = power == MICROSECONDS && times == Times::Whole;
    if !is_time || buffer[start..].iter().all(u8::is_ascii_digit) {
        return false;
    }
    // The digits are rounded, not the double in seconds: 368.5 lies half way, 0.0003685 may not.
    let digits = std::str::from_utf8(&buffer[start..]).ok().and_then(|text| text.parse().ok());
    let microseconds: f64 = digits.unwrap_or(value * 1e6);
    if microseconds >= WHOLE_FROM {
        return false;
    }
    buffer.truncate(start);
    buffer.extend_from_slice(microseconds.round().to_string().as_bytes());
    true
}

/// The power of ten of a column of times.
const MICROSECONDS: i32 = -6;

/// From here on (285 years) doubles have no fractions.
const WHOLE_FROM: f64 = 9_007_199_254_740_992.0;

/// A sum: of integers in the column's unit, if both are that.
fn sum(a: f64, b: f64, power: i32) -> f64 {
    let unit = 10_f64.powi(-power);
    let (whole_a, whole_b) = ((a * unit).round(), (b * unit).round());
    let exact = whole_a / unit == a && whole_b / unit == b;
    if exact { (whole_a + whole_b) / unit } else { a + b }
}

/// Notes on everything that the rows lack.
fn left_out(table: &Table<'_>, rounded: u64) -> Vec<Note> {
    let mut notes = lost(table.data, &table.groups, "their rows have an exit code and zeros");
    for group in &table.groups {
        let all = table.outcomes(&group.rows).chain(table.outcomes(&group.uncounted));
        let about = &group.benchmark.key.name;
        notes.extend(outcome::misread(all).map(|text| Note::new(about.clone(), text)));
    }
    let source = table.source();
    let mut note = |about: &str, text: String| {
        notes.push(Note::new(about, text));
    };
    let known = |name: &str| {
        COLUMNS.iter().any(|(_, column)| matches!(column, Column::Metric(q) if q.metric == name))
    };
    let without: Vec<&str> = table.metric_names().into_iter().filter(|name| !known(name)).collect();
    if !without.is_empty() {
        note(&source, format!("BestGuess has no column for {}", without.join(", ")));
    }
    if rounded > 0 {
        let cells = if rounded == 1 { "time was" } else { "times were" };
        note(
            &source,
            format!("BestGuess reads whole microseconds: {rounded} {cells} rounded to the nearest"),
        );
    }
    if table.groups.iter().any(|group| group.benchmark.case.is_some()) {
        note(
            &source,
            "times of functions have fractions of microseconds, which BestGuess does not read"
                .to_owned(),
        );
    }
    if table.has_blocks() {
        note(&source, "BestGuess has no blocks: the rows are independent".to_owned());
    }
    for group in table.groups.iter().filter(|group| !group.benchmark.key.params.is_empty()) {
        note(&group.benchmark.key.name, "its parameters are a part of its name".to_owned());
    }
    notes
}
