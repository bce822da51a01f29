//! CSV rows in BestGuess's raw columns, for `-o FILE.csv`.
//!
//! Owns the columns: one table gives names and cells, so that header and rows cannot disagree.
//! Names and order are those of BestGuess 0.7 (its `XFields` list), whose own rows end two fields
//! before its header does; here all are filled. Times are whole microseconds, to the nearest (BestGuess
//! reads no fractions), but those of functions, which would become 0 and are none of BestGuess's, keep
//! theirs. Sizes are bytes, what was not available is an empty cell. RFC 4180 quoting. Owns the order
//! that BestGuess needs, too: rows of a batch beside each other. Refuses warm-ups: the raw record has
//! them.

use std::borrow::Cow;

use etalon_core::metrics;
use etalon_core::model::{BenchmarkKey, Metric, Number, Observation, Phase};
use etalon_core::units::Unit;

use crate::outcome;
use crate::raw::benchmark::BenchmarkLine;

/// One measured execution with what it refers to.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The benchmark it is an execution of.
    pub benchmark: &'a BenchmarkLine,
    /// The observation.
    pub observation: &'a Observation,
    /// The metrics the observation's values refer to.
    pub metrics: &'a [Metric],
}

type Cell<'a> = Cow<'a, [u8]>;

/// A column: its name and what goes into it.
struct Column {
    name: &'static str,
    cell: for<'a> fn(&Row<'a>) -> Cell<'a>,
}

/// The column that says which benchmark a row is of.
const BATCH: &str = "Batch";

/// All columns in their order.
const COLUMNS: [Column; 15] = [
    Column { name: "Command", cell: command },
    Column { name: "Shell", cell: shell },
    Column { name: "Name", cell: name },
    Column { name: BATCH, cell: batch },
    Column { name: "Exit code", cell: exit_code },
    Column { name: "User time (us)", cell: |row| row.converted(metrics::USER, "us") },
    Column { name: "System time (us)", cell: |row| row.converted(metrics::SYS, "us") },
    Column { name: "Max RSS (Bytes)", cell: |row| row.converted(metrics::RSS, "B") },
    Column { name: "Page Reclaims", cell: |row| row.converted(metrics::MINFLT, "count") },
    Column { name: "Page Faults", cell: |row| row.converted(metrics::MAJFLT, "count") },
    Column {
        name: "Voluntary Context Switches",
        cell: |row| row.converted(metrics::VCSW, "count"),
    },
    Column {
        name: "Involuntary Context Switches",
        cell: |row| row.converted(metrics::IVCSW, "count"),
    },
    Column { name: "Wall clock (us)", cell: |row| row.converted(metrics::WALL, "us") },
    Column {
        name: "Total time (us)",
        cell: |row| row.sum(metrics::CPU, [metrics::USER, metrics::SYS], "us"),
    },
    Column {
        name: "Total Context Switches",
        cell: |row| row.sum(metrics::CSW, [metrics::VCSW, metrics::IVCSW], "count"),
    },
];

/// Appends the header line.
pub fn header(buffer: &mut Vec<u8>) {
    record(buffer, COLUMNS.iter().map(|column| Cow::Borrowed(column.name.as_bytes())));
}

/// Appends the row of a measured execution, whatever its outcome; a warm-up has none.
pub fn row(buffer: &mut Vec<u8>, row: &Row<'_>) {
    if row.observation.phase == Phase::Measured {
        record(buffer, COLUMNS.iter().map(|column| (column.cell)(row)));
    }
}

/// Appends one CSV record. Writing into a `Vec` cannot fail, and all records have as many fields.
fn record<'a>(buffer: &mut Vec<u8>, cells: impl Iterator<Item = Cell<'a>>) {
    let mut writer = csv::WriterBuilder::new().buffer_capacity(512).from_writer(buffer);
    let written = writer.write_record(cells).and_then(|()| Ok(writer.flush()?));
    debug_assert!(written.is_ok(), "a Vec takes everything");
}

fn command<'a>(row: &Row<'a>) -> Cell<'a> {
    let command = row.benchmark.command.as_ref();
    Cow::Borrowed(command.map_or(row.benchmark.name.as_bytes(), |text| text.as_bytes()))
}

fn shell<'a>(row: &Row<'a>) -> Cell<'a> {
    Cow::Borrowed(row.benchmark.shell.as_ref().map_or(b"", |text| text.as_bytes()))
}

/// The display name, where it is not the command itself; with the parameters that it does not show, such as the side.
fn name<'a>(row: &Row<'a>) -> Cell<'a> {
    let BenchmarkLine { name, params, .. } = row.benchmark;
    let name = match row.benchmark.case.is_none() && !params.is_empty() {
        true => text(BenchmarkKey { name: name.clone(), params: params.clone() }.label()),
        false => Cow::Borrowed(name.as_bytes()),
    };
    if command(row) == name { Cow::Borrowed(b"") } else { name }
}

/// The benchmark's number from 1. BestGuess's reader groups neighbouring rows, and in randomised blocks
/// neighbours differ: [`in_order_of_batches`] is for when all rows are there.
fn batch<'a>(row: &Row<'a>) -> Cell<'a> {
    text((row.observation.benchmark + 1).to_string())
}

/// The exit code as a shell has it: 128 + signal when killed, 124 when timed out, 127 when it could
/// not be started.
fn exit_code<'a>(row: &Row<'a>) -> Cell<'a> {
    text(outcome::exit_code(&row.observation.outcome).to_string())
}

fn text<'a>(text: String) -> Cell<'a> {
    Cow::Owned(text.into_bytes())
}

impl<'a> Row<'a> {
    /// A metric's value and the unit it was recorded in.
    fn value(&self, metric: &str) -> Option<(Number, &'a Unit)> {
        self.observation.values.iter().find_map(|(index, value)| {
            let found = self.metrics.get(*index).filter(|m| m.name == metric)?;
            Some((*value, &found.unit))
        })
    }

    /// A metric's value in this unit; empty where there is none.
    fn converted(&self, metric: &str, unit: &str) -> Cell<'a> {
        text(
            self.value(metric)
                .map_or_else(String::new, |(value, from)| self.decimal(value, from, unit)),
        )
    }

    /// A recorded sum, or the sum of its two terms where both are there in one unit.
    fn sum(&self, metric: &str, terms: [&str; 2], unit: &str) -> Cell<'a> {
        if self.value(metric).is_some() {
            return self.converted(metric, unit);
        }
        let sum = match (self.value(terms[0]), self.value(terms[1])) {
            (Some((a, from)), Some((b, other))) if from == other => Some((add(a, b), from)),
            _ => None,
        };
        text(sum.map_or_else(String::new, |(value, from)| self.decimal(value, from, unit)))
    }

    fn decimal(&self, value: Number, from: &Unit, unit: &str) -> String {
        match self.benchmark.case {
            None if unit == "us" => whole_microseconds(value, from),
            _ => decimal(value, from, unit),
        }
    }
}

fn add(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Integer(a), Number::Integer(b)) => a.checked_add(b).map_or_else(
            || Number::Float(Number::Integer(a).as_f64() + Number::Integer(b).as_f64()),
            Number::Integer,
        ),
        _ => Number::Float(a.as_f64() + b.as_f64()),
    }
}

/// The nearest whole number of microseconds, the larger one of two that are as near.
fn whole_microseconds(value: Number, from: &Unit) -> String {
    match value {
        Number::Integer(value) if from.symbol() == "us" => value.to_string(),
        Number::Integer(value) if from.symbol() == "ns" => {
            (value.div_euclid(1000) + i64::from(value.rem_euclid(1000) >= 500)).to_string()
        }
        _ => Unit::new("us").from_base(from.to_base(value.as_f64())).round().to_string(),
    }
}

/// A value in another unit, as a decimal number. Whole nanoseconds become microseconds by moving
/// the point (368123 is 368.123), which a division and a shortest-digits float would not promise.
fn decimal(value: Number, from: &Unit, unit: &str) -> String {
    match value {
        Number::Integer(value) if from.symbol() == unit => value.to_string(),
        Number::Integer(value) if from.symbol() == "ns" && unit == "us" => thousandths(value),
        _ if from.symbol() == unit => value.as_f64().to_string(),
        _ => Unit::new(unit).from_base(from.to_base(value.as_f64())).to_string(),
    }
}

/// `value` / 1000 without loss and without trailing zeros.
fn thousandths(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let (whole, part) = (value.unsigned_abs() / 1000, value.unsigned_abs() % 1000);
    if part == 0 {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{part:03}").trim_end_matches('0').to_owned()
}

/// The rows with those of a batch beside each other, in the order of the batches; within one as they
/// came. `None` if they stand so already, or this is no such file. Linear, but for sorting the rows.
#[must_use]
pub fn in_order_of_batches(file: &[u8]) -> Option<Vec<u8>> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file);
    let at = COLUMNS.iter().position(|column| column.name == BATCH)?;
    if reader.byte_headers().ok()?.get(at)? != BATCH.as_bytes() {
        return None;
    }
    let first = usize::try_from(reader.position().byte()).ok()?;
    let mut rows: Vec<(u64, &[u8])> = Vec::new();
    let (mut record, mut begins) = (csv::ByteRecord::new(), first);
    while reader.read_byte_record(&mut record).ok()? {
        let batch = std::str::from_utf8(record.get(at)?).ok()?.parse().ok()?;
        let ends = usize::try_from(reader.position().byte()).ok()?;
        rows.push((batch, file.get(begins..ends)?));
        begins = ends;
    }
    if rows.is_sorted_by_key(|(batch, _)| *batch) {
        return None;
    }
    rows.sort_by_key(|(batch, _)| *batch);
    let mut ordered = file.get(..first)?.to_vec();
    rows.iter().for_each(|(_, row)| ordered.extend_from_slice(row));
    (ordered.len() == file.len()).then_some(ordered)
}
