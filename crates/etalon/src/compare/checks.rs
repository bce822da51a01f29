//! What a comparison has to show: `--fail-on` and `--require`.
//!
//! Owns the reasons of a failed check. Refuses to pass what is missing: a benchmark, a package or a unit
//! without its counterpart, executions that failed, values too few for any verdict, and a benchmark that
//! is required and not there.

use std::collections::HashSet;

use etalon_core::compare::Scale;
use etalon_core::dataset::{Dataset, Measured, Problem, Reason as Reported};
use etalon_core::query::Filter;
use etalon_core::tables::{Cell, Judged, Labels, Row, Table, Tables};
use etalon_core::verdict::{Reason, Verdict};
use etalon_report::compare::lacking;
use etalon_report::text::clean;

use crate::cli::{Compare, FailOn};

/// Reasons why what was asked for does not hold; none if it does.
pub fn failed(options: &Compare, tables: &Tables, data: &Dataset) -> Vec<String> {
    let checks = &options.checks;
    let rows = || tables.tables.iter().flat_map(|table| table.rows.iter().map(move |r| (table, r)));
    let mut reasons = Vec::new();
    for check in &checks.fail_on {
        reasons.extend(rows().flat_map(|(table, row)| failures(*check, table, row)));
        if rows().all(|(_, row)| compared_cells(row).next().is_none()) {
            reasons.push(format!("{}: nothing was compared with anything", words(*check)));
        }
    }
    if !checks.fail_on.is_empty() {
        reasons.extend(missing(tables));
    }
    reasons.extend(checks.require.iter().flat_map(|name| required(name, tables)));
    reasons.extend(not_counted(options, data));
    let mut seen = HashSet::new();
    reasons.retain(|reason| seen.insert(reason.clone()));
    reasons.iter().map(|reason| clean(reason)).collect()
}

fn words(check: FailOn) -> String {
    match check {
        FailOn::Slower(None) => "--fail-on slower".to_owned(),
        FailOn::Slower(Some(share)) => format!("--fail-on slower:{}%", share * 100.0),
        FailOn::Unclear => "--fail-on unclear".to_owned(),
    }
}

fn compared_cells(row: &Row) -> impl Iterator<Item = (usize, &Judged)> {
    row.cells.iter().enumerate().filter_map(|(column, cell)| {
        Some((column, cell.as_ref()?.comparison.as_ref()?.judged.as_deref()?))
    })
}

fn label(labels: &Labels) -> String {
    labels.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Where a cell is, or would be; of all rows without one.
fn place(table: &Table, row: Option<&Row>, column: &Labels) -> String {
    let row = row.map_or(String::new(), |row| label(&row.labels));
    let names = [label(&table.labels), row, table.unit.clone(), label(column)];
    let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
    names.join(", ")
}

fn failures(check: FailOn, table: &Table, row: &Row) -> Vec<String> {
    let failure = |(column, judged): (usize, &Judged)| {
        let fails = match check {
            FailOn::Slower(None) => judged.decision.verdict == Verdict::Slower,
            FailOn::Slower(Some(share)) => is_beyond(judged, share),
            FailOn::Unclear => {
                judged.decision.verdict == Verdict::Unclear && !judged.decision.is_difference()
            }
        };
        let why = match too_few(judged) {
            Some(needs) => format!(": not enough data: needs at least {needs}"),
            None if fails => measured(judged),
            None => return None,
        };
        let about = place(table, Some(row), &table.columns[column]);
        Some(format!("{}: {about}{why}", words(check)))
    };
    compared_cells(row).filter_map(failure).collect()
}

/// How many values any verdict needs, where there are fewer: a check that cannot fail has not passed.
fn too_few(judged: &Judged) -> Option<usize> {
    judged.decision.reasons.iter().find_map(|reason| match reason {
        Reason::Needs { at_least } | Reason::FamilyNeeds { at_least, .. } => Some(*at_least),
        _ => None,
    })
}

/// Slower, and its interval wholly beyond the share. Without a ratio a slower one counts.
fn is_beyond(judged: &Judged, share: f64) -> bool {
    let slower = judged.decision.verdict == Verdict::Slower;
    slower
        && judged.interval.is_none_or(|interval| {
            // A unit of which more is better is slower below 1.
            interval.lo > 1.0 + share || interval.hi < 1.0 / (1.0 + share)
        })
}

fn measured(judged: &Judged) -> String {
    match (judged.ratio, judged.interval, judged.evidence.as_ref().map(|e| e.scale)) {
        (Some(ratio), Some(interval), Some(Scale::Ratio)) => {
            format!(": ratio {ratio:.3} ({:.3} to {:.3})", interval.lo, interval.hi)
        }
        (Some(ratio), ..) => format!(": ratio {ratio:.3}"),
        _ => String::new(),
    }
}

/// Tables and rows that some column lacks: a check on them cannot have passed.
fn missing(tables: &Tables) -> Vec<String> {
    let mut reasons = Vec::new();
    for (table, lacking) in tables.tables.iter().zip(lacking(tables)) {
        let of_table = lacking.into_iter().map(|column| place(table, None, column));
        reasons.extend(of_table.map(|place| format!("missing: {place}")));
        for row in &table.rows {
            let absent = table.columns.iter().zip(&row.cells).filter(|(_, cell)| cell.is_none());
            let places = absent.map(|(column, _)| place(table, Some(row), column));
            reasons.extend(places.map(|place| format!("missing: {place}")));
        }
    }
    reasons
}

/// What keeps a required benchmark from being compared in every column.
fn required(name: &str, tables: &Tables) -> Vec<String> {
    let mut found = false;
    let mut reasons = Vec::new();
    for (table, lacking) in tables.tables.iter().zip(lacking(tables)) {
        for row in table.rows.iter().filter(|row| is_row_of(name, row)) {
            found = true;
            let is_compared = |at: usize, cell: &Option<Cell>| {
                cell.as_ref().is_some_and(|cell| at == 0 || cell.comparison.is_some())
            };
            let cells = table.columns.iter().zip(row.cells.iter().enumerate());
            let absent = cells.filter(|(_, (at, cell))| !is_compared(*at, cell));
            let absent = absent.map(|(column, _)| column).chain(lacking.iter().copied());
            reasons.extend(absent.map(|column| {
                format!("--require {name}: missing: {}", place(table, Some(row), column))
            }));
            if table.columns.len() < 2 && lacking.is_empty() {
                let place = place(table, Some(row), &table.columns[0]);
                reasons.push(format!("--require {name}: compared with nothing: {place}"));
            }
        }
    }
    if !found {
        reasons.push(format!("--require {name}: no such benchmark in the data"));
    }
    reasons
}

/// Failed executions that are no rows, of benchmarks a check is about: what is left of them may be the
/// better part.
fn not_counted(options: &Compare, data: &Dataset) -> Vec<String> {
    let checks = &options.checks;
    let is_checked = |name: &str| {
        !checks.fail_on.is_empty() || checks.require.iter().any(|asked| is_named(asked, name))
    };
    let filter = options.queries.filter.as_deref().map(Filter::parse);
    let filter = filter.and_then(Result::ok).unwrap_or_else(Filter::everything);
    let passes = |file: u32, benchmark: u32| {
        let rows = (0..data.len()).filter(|row| {
            let configuration = data.rows.configuration[*row] as usize;
            data.rows.benchmark[*row] == benchmark
                && data.configurations[configuration].file == file
        });
        let mut values = rows.flat_map(|row| data.row(row).map(move |value| (row, value)));
        values.any(|(row, value)| filter.passes(&Measured { data, row, value }))
    };
    let mut reasons = Vec::new();
    for Problem { file, reason, .. } in &data.problems.listed {
        let Reported::NotCounted { name, benchmark, .. } = reason else { continue };
        // One without any row cannot be filtered: it is not there.
        if is_checked(name) && benchmark.is_none_or(|benchmark| passes(*file, benchmark)) {
            reasons.push(format!("{}: {reason}", data.files[*file as usize].label));
        }
    }
    reasons
}

fn is_row_of(name: &str, row: &Row) -> bool {
    label(&row.labels) == name || row.labels.iter().flatten().any(|label| is_named(name, label))
}

/// Whether a benchmark is meant by a name: its own, or that without its `/` parts or its processors.
fn is_named(name: &str, label: &str) -> bool {
    label == name || label.split('/').next() == Some(name) || without_processors(label) == name
}

/// A full name without the number of processors behind it, which is what differs between machines.
fn without_processors(label: &str) -> &str {
    match label.rsplit_once('-') {
        Some((name, digits))
            if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) =>
        {
            name
        }
        _ => label,
    }
}
