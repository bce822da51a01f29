//! Points as text that other programs read: CSV with a header, or a JSON object a line.
//!
//! Both have the same fields under the same names, and numbers that read back as they were.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::add::better;
use crate::read::{PointRow, SeriesRow};

/// The names of the fields.
const FIELDS: [&str; 19] = [
    "project",
    "benchmark",
    "metric",
    "unit",
    "better",
    "branch",
    "machine",
    "kind",
    "commit",
    "position",
    "time",
    "anchor",
    "value",
    "lo",
    "hi",
    "level",
    "n",
    "runs",
    "facts",
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
        writer.write_record(FIELDS)?;
        Ok(Csv(writer))
    }

    /// Adds the points of a series.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn add(&mut self, series: &SeriesRow, points: &[PointRow]) -> io::Result<()> {
        let cell = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        for point in points {
            let object = object(series, point);
            let cells = FIELDS.iter().map(|field| cell(&object[*field]));
            self.0.write_record(cells)?;
        }
        self.0.flush()
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
