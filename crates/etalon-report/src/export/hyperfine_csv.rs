//! `--hyperfine-csv`: hyperfine's CSV columns with BestGuess's three changes.
//!
//! `mode` stands where hyperfine has `mean`, `iqr` where it has `stddev`, and `user` and `system` are
//! medians. As in BestGuess `mode`, `iqr`, `median`, `min` and `max` are of total CPU time
//! (hyperfine's own are of wall clock, as are those of `--export-json` and the tables here). Seconds.

use etalon_core::analysis::{Analysis, MetricSummary, Summary};
use etalon_core::metrics;

use super::{cell, csv, parameters};

/// A column: its name, the metric it is of, and which of its statistics.
type Column = (&'static str, &'static str, fn(&MetricSummary) -> Option<f64>);

const COLUMNS: [Column; 7] = [
    ("mode", metrics::CPU, |m| m.mode),
    ("iqr", metrics::CPU, iqr),
    ("median", metrics::CPU, |m| Some(m.quartiles.median)),
    ("user", metrics::USER, |m| Some(m.quartiles.median)),
    ("system", metrics::SYS, |m| Some(m.quartiles.median)),
    ("min", metrics::CPU, |m| Some(m.quartiles.min)),
    ("max", metrics::CPU, |m| Some(m.quartiles.max)),
];

/// In whole picoseconds: a difference of doubles has rounding for digits below.
fn iqr(m: &MetricSummary) -> Option<f64> {
    let picoseconds = (m.quartiles.q3 - m.quartiles.q1) * 1e12;
    Some(picoseconds.round() / 1e12).filter(|iqr| iqr.is_finite())
}

/// A row per benchmark, in the order of the data. `command` is the name it is shown under, as in
/// hyperfine.
#[must_use]
pub fn hyperfine_csv(analysis: &Analysis) -> Vec<u8> {
    let names = parameters::names(analysis);
    let columns = COLUMNS.iter().map(|(title, ..)| (*title).to_owned());
    let header: Vec<String> = ["command".to_owned()]
        .into_iter()
        .chain(columns)
        .chain(parameters::header(&names))
        .collect();
    let row = |summary: &Summary| {
        let of = |(_, metric, of): &Column| cell(summary.metric(metric).and_then(*of), 0);
        let mut row = vec![summary.benchmark.key.name.clone()];
        row.extend(COLUMNS.iter().map(of));
        row.extend(parameters::cells(summary, &names));
        row
    };
    csv(&header, analysis.benchmarks.iter().map(row))
}
