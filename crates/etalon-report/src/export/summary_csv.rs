//! `--export-csv` and `--format csv`: a row per benchmark in BestGuess's summary columns.
//!
//! Owns the columns: [`METRICS`] × [`STATISTICS`] makes header and cells, so that they cannot
//! disagree (BestGuess 0.7 has `μs` over four columns of counts). After BestGuess's columns come the
//! display name, because a name must not take the place of the command or be lost, and parameters.
//! BestGuess's numbers are whole; those of functions never are.

use etalon_core::analysis::{Analysis, MetricSummary, Summary};
use etalon_core::metrics;

use super::{cell, csv, parameters, whole};

/// A metric's columns: the recorded metric, its title, its unit, and that unit as a power of ten of
/// the base unit.
struct Measure {
    metric: &'static str,
    title: &'static str,
    unit: &'static str,
    power: i32,
}

const fn measure(
    metric: &'static str,
    title: &'static str,
    unit: &'static str,
    power: i32,
) -> Measure {
    Measure { metric, title, unit, power }
}

/// All measures in BestGuess's order.
const METRICS: [Measure; 8] = [
    measure(metrics::CPU, "Total", "μs", 6),
    measure(metrics::USER, "User", "μs", 6),
    measure(metrics::SYS, "System", "μs", 6),
    measure(metrics::RSS, "Max RSS", "bytes", 0),
    measure(metrics::VCSW, "Vol Ctx Sw", "ct", 0),
    measure(metrics::IVCSW, "Invol Ctx Sw", "ct", 0),
    measure(metrics::CSW, "Total Ctx Sw", "ct", 0),
    measure(metrics::WALL, "Wall", "μs", 6),
];

/// A column of every measure.
type Statistic = (&'static str, fn(&MetricSummary) -> Option<f64>);

const STATISTICS: [Statistic; 8] = [
    ("mode", |m| m.mode),
    ("min", |m| Some(m.quartiles.min)),
    ("Q1", |m| Some(m.quartiles.q1)),
    ("median", |m| Some(m.quartiles.median)),
    ("Q3", |m| Some(m.quartiles.q3)),
    ("p95", |m| m.p95),
    ("p99", |m| m.p99),
    ("max", |m| Some(m.quartiles.max)),
];

/// How a number is written: with all its digits, or to the nearest whole one.
type Written = fn(Option<f64>, i32) -> String;

/// The summary of every benchmark, in the order of the data, numbers with all their digits.
#[must_use]
pub fn summary_csv(analysis: &Analysis) -> Vec<u8> {
    document(analysis, cell)
}

/// The summary as BestGuess writes it: numbers of commands are whole.
#[must_use]
pub fn bestguess_csv(analysis: &Analysis) -> Vec<u8> {
    document(analysis, whole)
}

fn document(analysis: &Analysis, of_commands: Written) -> Vec<u8> {
    let names = parameters::names(analysis);
    let mut header: Vec<String> =
        ["Command", "Shell", "Runs (ct)", "Failed (ct)"].map(str::to_owned).into();
    for Measure { title, unit, .. } in &METRICS {
        header.extend(STATISTICS.iter().map(|(of, _)| format!("{title} {of} ({unit})")));
    }
    header.push("Name".to_owned());
    header.extend(parameters::header(&names));
    csv(&header, analysis.benchmarks.iter().map(|benchmark| row(benchmark, &names, of_commands)))
}

fn row(summary: &Summary, names: &[&str], of_commands: Written) -> Vec<String> {
    let declared = &summary.benchmark;
    let name = &declared.key.name;
    let command = declared.command.as_ref().unwrap_or(name);
    let failed = summary.outcomes.not_ok();
    // Of a function its samples: readings of its memory are none of its time.
    let ok = summary.case.as_ref().map_or(summary.outcomes.ok, |case| case.samples);
    let mut row = vec![
        command.clone(),
        declared.shell.clone().unwrap_or_default(),
        (ok + failed).to_string(),
        failed.to_string(),
    ];
    for Measure { metric, power, .. } in &METRICS {
        let found = summary.metric(metric);
        let written = if summary.case.is_some() { cell } else { of_commands };
        row.extend(STATISTICS.iter().map(|(_, of)| written(found.and_then(of), *power)));
    }
    row.push(if name == command { String::new() } else { name.clone() });
    row.extend(parameters::cells(summary, names));
    row
}
