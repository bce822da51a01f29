//! What a comparison has to show: `--fail-on` and `--require`.
//!
//! Owns the reasons of a failed check. Refuses to pass what is missing: a benchmark without its
//! counterpart, and one that is required and not there.

use etalon_core::compare::Scale;
use etalon_core::tables::{Judged, Labels, Row, Table, Tables};
use etalon_core::verdict::Verdict;

use crate::cli::{Compare, FailOn};

/// Reasons why what was asked for does not hold; none if it does.
pub fn failed(options: &Compare, tables: &Tables) -> Vec<String> {
    let checks = &options.checks;
    let mut reasons = Vec::new();
    for check in &checks.fail_on {
        let before = reasons.len();
        let mut compared = 0;
        for table in &tables.tables {
            for row in &table.rows {
                compared += compared_cells(row).count();
                reasons.extend(failures(*check, table, row));
            }
        }
        if compared == 0 && reasons.len() == before {
            reasons.push(format!("{}: nothing was compared with anything", words(*check)));
        }
        reasons.extend(missing(tables));
    }
    reasons.extend(checks.require.iter().flat_map(|name| required(name, tables)));
    let mut seen = std::collections::HashSet::new();
    reasons.retain(|reason| seen.insert(reason.clone()));
    reasons
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

fn place(table: &Table, row: &Row, column: usize) -> String {
    let names = [
        label(&table.labels),
        label(&row.labels),
        table.unit.clone(),
        label(&table.columns[column]),
    ];
    let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
    names.join(", ")
}

fn failures(check: FailOn, table: &Table, row: &Row) -> Vec<String> {
    let failure = |(column, judged): (usize, &Judged)| {
        let fails = match check {
            FailOn::Slower(None) => judged.decision.verdict == Verdict::Slower,
            FailOn::Slower(Some(share)) => is_beyond(judged, share),
            FailOn::Unclear => judged.decision.verdict == Verdict::Unclear,
        };
        let about = place(table, row, column);
        fails.then(|| format!("{}: {about}{}", words(check), measured(judged)))
    };
    compared_cells(row).filter_map(failure).collect()
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

/// Rows that some column lacks: a check on them cannot have passed.
fn missing(tables: &Tables) -> Vec<String> {
    let mut reasons = Vec::new();
    for table in &tables.tables {
        for row in &table.rows {
            for (column, cell) in row.cells.iter().enumerate() {
                if cell.is_none() {
                    reasons.push(format!("missing: {}", place(table, row, column)));
                }
            }
        }
    }
    reasons
}

/// What keeps a required benchmark from being compared in every column.
fn required(name: &str, tables: &Tables) -> Vec<String> {
    let is_it = |row: &Row| {
        let label = label(&row.labels);
        label == name
            || label.split(['/', ' ']).next() == Some(name)
            || without_processors(&label) == name
    };
    let mut found = false;
    let mut reasons = Vec::new();
    for table in &tables.tables {
        for row in table.rows.iter().filter(|row| is_it(row)) {
            found = true;
            for (column, cell) in row.cells.iter().enumerate() {
                let compared =
                    cell.as_ref().is_some_and(|cell| column == 0 || cell.comparison.is_some());
                if !compared {
                    reasons
                        .push(format!("--require {name}: missing: {}", place(table, row, column)));
                }
            }
            if table.columns.len() < 2 {
                reasons.push(format!(
                    "--require {name}: compared with nothing: {}",
                    place(table, row, 0)
                ));
            }
        }
    }
    if !found {
        reasons.push(format!("--require {name}: no such benchmark in the data"));
    }
    reasons
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
