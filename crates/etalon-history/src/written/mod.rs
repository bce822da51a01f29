//! Points as other programs read them: CSV with a header, a JSON object a line, or Parquet.
//!
//! All have the same fields under the same names, and numbers that read back as they were.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::numbers::better;
use crate::read::{PointRow, SeriesRow};

mod parquet;

pub use self::parquet::Parquet;

/// The nature of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nature {
    Text,
    Whole,
    Number,
}

/// The fields: name, nature, and whether a point may have none.
const FIELDS: [(&str, Nature, bool); 19] = [
    ("project", Nature::Text, false),
    ("benchmark", Nature::Text, false),
    ("metric", Nature::Text, false),
    ("unit", Nature::Text, false),
    ("better", Nature::Text, false),
    ("branch", Nature::Text, false),
    ("machine", Nature::Text, false),
    ("kind", Nature::Text, false),
    ("commit", Nature::Text, false),
    ("position", Nature::Whole, true),
    ("time", Nature::Number, false),
    ("anchor", Nature::Text, true),
    // JSON has no number that is not finite.
    ("value", Nature::Number, true),
    ("lo", Nature::Number, true),
    ("hi", Nature::Number, true),
    ("level", Nature::Number, false),
    ("n", Nature::Whole, false),
    ("runs", Nature::Whole, false),
    ("facts", Nature::Text, false),
];

/// A table of points, as CSV.
#[derive(Debug)]
pub struct Csv<W: Write>(csv::Writer<W>);

impl<W: Write> Csv<W> {
    /// A table with its header.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn new(out: W) -> io::Result<Csv<W>> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(FIELDS.map(|(name, ..)| name))?;
        Ok(Csv(writer))
    }

    /// Adds the points of a series.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn add(&mut self, series: &SeriesRow, points: &[PointRow]) -> io::Result<()> {
        for point in points {
            let object = object(series, point);
            let cells = FIELDS.iter().map(|(name, ..)| cell(&object[*name]));
            self.0.write_record(cells)?;
        }
        self.0.flush()
    }
}

/// A value as text; nothing where there is none.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Writes the points of a series, a JSON object a line.
///
/// # Errors
/// If `out` cannot be written to.
pub fn json_lines(series: &SeriesRow, points: &[PointRow], out: &mut dyn Write) -> io::Result<()> {
    points.iter().try_for_each(|point| writeln!(out, "{}", object(series, point)))
}

/// A point with its series as one object.
#[must_use]
pub fn object(series: &SeriesRow, point: &PointRow) -> Value {
    let key = &series.key;
    let (lo, hi) = point.interval.unzip();
    json!({
        "project": key.project,
        "benchmark": key.benchmark,
        "metric": key.metric,
        "unit": key.unit,
        "better": better(series.direction),
        "branch": key.branch,
        "machine": key.machine,
        "kind": key.kind.name(),
        "commit": point.commit,
        "position": point.position,
        "time": point.time,
        "anchor": point.anchor,
        "value": point.value,
        "lo": lo,
        "hi": hi,
        "level": point.level,
        "n": point.n,
        "runs": point.runs,
        "facts": point.facts,
    })
}
