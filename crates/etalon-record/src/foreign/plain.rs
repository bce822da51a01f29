//! Plain tables: CSV, or with tabs, under a line of headings; published figures, most often.
//!
//! A heading with a space ends in the unit of its numbers (`size B`, `pack-cpu ns/op`); every other column is a key,
//! which becomes a parameter, and one called `name` the benchmark's name. Lines that begin with `#` say where it comes
//! from. A number is the centre of something that nobody has here: it is shown, and nothing is tested, so its metric
//! has no better way. Refuses cells that are no number under a heading of numbers.

use std::collections::HashMap;
use std::io::BufRead;

use etalon_core::dataset::{Dataset, Full, RunSetId, Written};
use etalon_core::model::{Accept, Benchmark, BenchmarkKey, Direction, Outcome};

use super::import::{AsWritten, Import};
use crate::inputs::Input;
use crate::raw::{ReadError, Strictness, clipped};

/// A column by its contents.
enum Column {
    Key(String),
    Number { name: String, unit: String },
}

/// Adds a table to a dataset as its next run set.
///
/// # Errors
/// If it cannot be read, has no column of keys or none of numbers, or, with [`Strictness::Strict`], holds a line that
/// cannot be used.
pub(crate) fn read_into(
    data: &mut Dataset,
    mut reader: impl BufRead,
    input: &Input,
    strictness: Strictness,
) -> Result<RunSetId, ReadError> {
    let source = || input.path.clone();
    let bad = |line: u64, reason: String| ReadError::BadLine { source: source(), line, reason };
    let no_table = |line: u64, reason: String| ReadError::Table { source: source(), line, reason };
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map_err(|error| ReadError::Io {
        source: input.path.clone(),
        line: 1,
        why: error.to_string(),
    })?;
    let first = lines_of(&text).find(|line| !is_skipped(line));
    let delimiter = if first.is_some_and(|line| line.contains(&b'\t')) { b'\t' } else { b',' };
    let mut rows = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .from_reader(&text[..]);
    let heading = rows.headers().map_err(|error| no_table(1, error.to_string()))?.clone();
    let columns: Vec<Column> = heading.iter().map(column).collect();
    if !columns.iter().any(|column| matches!(column, Column::Number { .. })) {
        let why = "no heading ends in a unit: write one behind the name of a column of numbers, such as `size B`";
        return Err(no_table(heading_line(&text), why.to_owned()));
    }
    let full = |error: Full| no_table(1, error.to_string());
    let mut import = Import::new(data, input).map_err(full)?;
    import.set().published = true;
    let mut lines: HashMap<BenchmarkKey, u64> = HashMap::new();
    for row in rows.records() {
        let row = row.map_err(|error| {
            no_table(error.position().map_or(1, csv::Position::line), error.to_string())
        })?;
        let line = row.position().map_or(1, csv::Position::line);
        let keys = keys(&columns, &row, &input.label);
        if let Some(other) = lines.insert(keys.clone(), line) {
            let why = format!("the same keys as in line {other}: which of the two is meant?");
            return Err(no_table(line, why));
        }
        if let Err(reason) = take(&mut import, &columns, &row, keys) {
            if strictness == Strictness::Strict {
                return Err(bad(line, reason));
            }
            import.note(format!("line {line}: {reason}; the line is left out"));
        }
    }
    import.finish().map_err(full)
}

/// The line of the headings, counted from 1.
fn heading_line(text: &[u8]) -> u64 {
    lines_of(text).take_while(|line| is_skipped(line)).count() as u64 + 1
}

fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n')
}

/// Whether a line is a remark or empty.
fn is_skipped(line: &[u8]) -> bool {
    line.starts_with(b"#") || line.strip_suffix(b"\r").unwrap_or(line).is_empty()
}

fn column(heading: &str) -> Column {
    match heading.rsplit_once(' ') {
        Some((name, unit)) => Column::Number {
            name: name.trim().to_owned(),
            unit: unit.strip_suffix("/op").unwrap_or(unit).to_owned(),
        },
        None => Column::Key(heading.to_owned()),
    }
}

/// The benchmark that a line is about.
fn keys(columns: &[Column], row: &csv::StringRecord, label: &str) -> BenchmarkKey {
    let mut key = BenchmarkKey { name: label.to_owned(), params: Vec::new() };
    for (column, text) in columns.iter().zip(row) {
        match column {
            Column::Key(name) if name == "name" => text.clone_into(&mut key.name),
            Column::Key(name) => key.params.push((name.clone(), text.to_owned())),
            Column::Number { .. } => {}
        }
    }
    key
}

/// Adds a line.
fn take(
    import: &mut Import<'_>,
    columns: &[Column],
    row: &csv::StringRecord,
    key: BenchmarkKey,
) -> Result<(), String> {
    let mut values = Vec::new();
    for (at, (column, text)) in columns.iter().zip(row).enumerate() {
        match column {
            Column::Key(_) => {}
            Column::Number { .. } if text.is_empty() => {}
            Column::Number { name, unit } => {
                let number = text.parse().ok().filter(|number: &f64| number.is_finite());
                let number = number.ok_or_else(|| {
                    format!(
                        "column {} (`{name} {unit}`): `{}` is no number; a heading with a space ends in a unit, so \
                         that of a column of keys has none: `{name}-{unit}`",
                        at + 1,
                        clipped(text)
                    )
                })?;
                let metric = import.metric(name, unit, Direction::Neither);
                let (metric, _) = metric.map_err(|full| full.to_string())?;
                let (written, text) = (Written::Text, text.to_owned());
                values.push(AsWritten { metric, number, written, text });
            }
        }
    }
    let benchmark = Benchmark { key, accept: Accept::Any, ..Benchmark::default() };
    let benchmark = import.benchmark(benchmark)?;
    import.row(benchmark, Outcome::Ok, &values)
}
