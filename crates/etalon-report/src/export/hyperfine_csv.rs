//! `--export-hyperfine`: hyperfine's CSV columns; `--hyperfine-csv`: those columns with BestGuess's
//! three changes. Seconds.
//!
//! In hyperfine's, `mean`, `stddev`, `median`, `min` and `max` are of wall clock, `user` and `system`
//! means. In BestGuess's, `mode` stands for `mean`, `iqr` for `stddev`, both with `median`, `min` and
//! `max` of total CPU time, and `user` and `system` are medians.

use etalon_core::analysis::{Analysis, MetricSummary, Summary};
use etalon_core::metrics;

use super::{cell, csv, parameters};

/// A column: its name, the metric it is of, and which of its statistics.
type Column = (&'static str, &'static str, fn(&MetricSummary) -> Option<f64>);

const HYPERFINE: [Column; 7] = [
    ("mean", metrics::WALL, |m| Some(m.mean)),
    ("stddev", metrics::WALL, |m| m.stddev),
    ("median", metrics::WALL, |m| Some(m.quartiles.median)),
    ("user", metrics::USER, |m| Some(m.mean)),
    ("system", metrics::SYS, |m| Some(m.mean)),
    ("min", metrics::WALL, |m| Some(m.quartiles.min)),
    ("max", metrics::WALL, |m| Some(m.quartiles.max)),
];

const BESTGUESS: [Column; 7] = [
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

/// hyperfine's own columns.
#[must_use]
pub fn hyperfine_csv(analysis: &Analysis) -> Vec<u8> {
    document(analysis, &HYPERFINE)
}

/// BestGuess's form of them.
#[must_use]
pub fn bestguess_hyperfine_csv(analysis: &Analysis) -> Vec<u8> {
    document(analysis, &BESTGUESS)
}

/// A row per benchmark, in the order of the data. `command` is the name it is shown under, as in
/// hyperfine.
fn document(analysis: &Analysis, columns: &[Column]) -> Vec<u8> {
    let names = parameters::names(analysis);
    let titles = columns.iter().map(|(title, ..)| (*title).to_owned());
    let header: Vec<String> = ["command".to_owned()]
        .into_iter()
        .chain(titles)
        .chain(parameters::header(&names))
        .collect();
    let row = |summary: &Summary| {
        let of = |(_, metric, of): &Column| cell(summary.metric(metric).and_then(*of), 0);
        let mut row = vec![summary.benchmark.key.name.clone()];
        row.extend(columns.iter().map(of));
        row.extend(parameters::cells(summary, &names));
        row
    };
    csv(&header, analysis.benchmarks.iter().map(row))
}
