//! A comparison for other programs: JSON, CSV, and annotations of a GitHub workflow.

use std::io::{self, Write};

use serde_json::{Value, json};

use etalon_core::compare::Evidence;
use etalon_core::tables::{Cell, ColumnSummary, Comparison, Labels, Row, Table, Tables};
use etalon_core::verdict::{Assessment, Verdict};

use super::words;
use crate::terminal::why;
use crate::text::clean;

/// The tables as one document, with why a check failed and what has to be known of one that passed: values in
/// tidied units, `null` for what is absent.
#[must_use]
pub fn json(tables: &Tables, failed: &[String], notes: &[String]) -> Value {
    let table = |table: &Table| {
        json!({
            "labels": labels(&tables.table_keys, &table.labels),
            "unit": table.unit,
            "columns": table.columns.iter().map(|c| labels(&tables.col_keys, c)).collect::<Vec<_>>(),
            "rows": table.rows.iter().map(|row| json!({
                "labels": labels(&tables.row_keys, &row.labels),
                "cells": row.cells.iter().map(|c| c.as_ref().map(cell)).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "summaries": table.summaries.iter().map(summary).collect::<Vec<_>>(),
            "left_out": {
                "incomplete": table.left_out.incomplete,
                "not_positive": table.left_out.not_positive,
            },
        })
    };
    json!({
        "version": 1,
        "tables": tables.tables.iter().map(table).collect::<Vec<_>>(),
        "failed": failed,
        "notes": notes,
    })
}

fn labels(keys: &[String], labels: &Labels) -> Value {
    keys.iter().zip(labels).map(|(key, label)| (key.clone(), json!(label))).collect()
}

fn summary(summary: &ColumnSummary) -> Value {
    let ColumnSummary { mean, ratio, interval, total, notes } = summary;
    let notes: Vec<String> = notes.iter().map(words::note).collect();
    json!({
        "mean": mean,
        "ratio": ratio,
        "lo": interval.map(|i| i.lo),
        "hi": interval.map(|i| i.hi),
        "total": total,
        "notes": notes,
    })
}

fn cell(cell: &Cell) -> Value {
    let interval = cell.centre.interval.ok();
    json!({
        "n": cell.n,
        "centre": cell.centre.value,
        "mean": cell.mean.map(|mean| mean.value),
        "lo": interval.map(|i| i.lo),
        "hi": interval.map(|i| i.hi),
        "level": interval.map(|i| i.level),
        "notes": cell.notes.iter().map(words::note).collect::<Vec<_>>(),
        "comparison": cell.comparison.as_ref().map(comparison),
    })
}

fn comparison(comparison: &Comparison) -> Value {
    let assessment = comparison.assessment.as_deref();
    let evidence = assessment.map(|it| &it.evidence);
    let interval = evidence.and_then(Evidence::ratio_interval);
    let adjusted = assessment.filter(|it| !it.evidence.exact).map(|it| it.adjusted);
    json!({
        "n": [comparison.n.0, comparison.n.1],
        "p": comparison.p,
        "p_adjusted": adjusted.and_then(|a| a.p),
        "family": adjusted.map(|a| a.family),
        "ratio": evidence.and_then(|e| e.ratio).map(|ratio| ratio.value),
        "lo": interval.map(|i| i.lo),
        "hi": interval.map(|i| i.hi),
        "difference": evidence.map(|Evidence { difference, .. }| json!({
            "value": difference.value,
            "lo": difference.interval.ok().map(|i| i.lo),
            "hi": difference.interval.ok().map(|i| i.hi),
        })),
        "verdict": assessment.map(|it| it.decision.word()),
        "reasons": assessment.and_then(why),
        "notes": comparison.notes.iter().map(words::note).collect::<Vec<_>>(),
    })
}

/// A row for each cell, values in tidied units.
///
/// # Errors
/// What the writer returns.
pub fn csv(tables: &Tables, out: impl Write) -> io::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    let fields = [
        "unit",
        "n",
        "centre",
        "mean",
        "lo",
        "hi",
        "ratio",
        "ratio_lo",
        "ratio_hi",
        "p",
        "p_adjusted",
        "verdict",
    ];
    let keys = [&tables.table_keys, &tables.row_keys, &tables.col_keys].into_iter().flatten();
    out.write_record(keys.map(String::as_str).chain(fields))?;
    for table in &tables.tables {
        for row in &table.rows {
            for (column, cell) in row.cells.iter().enumerate() {
                if let Some(cell) = cell {
                    out.write_record(record(table, row, column, cell))?;
                }
            }
        }
    }
    out.flush()
}

fn record(table: &Table, row: &Row, column: usize, cell: &Cell) -> Vec<String> {
    let names = table.labels.iter().chain(&row.labels).chain(&table.columns[column]);
    let mut fields: Vec<String> = names.map(|name| name.clone().unwrap_or_default()).collect();
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let interval = cell.centre.interval.ok();
    let comparison = cell.comparison.as_ref();
    let assessment = comparison.and_then(|c| c.assessment.as_deref());
    let ratio = assessment.and_then(|it| it.evidence.ratio);
    let within = ratio.and_then(|ratio| ratio.interval.ok());
    fields.extend([table.unit.clone(), cell.n.to_string(), cell.centre.value.to_string()]);
    fields.push(number(cell.mean.map(|mean| mean.value)));
    fields.extend([number(interval.map(|i| i.lo)), number(interval.map(|i| i.hi))]);
    fields.extend([number(ratio.map(|ratio| ratio.value))]);
    fields.extend([number(within.map(|i| i.lo)), number(within.map(|i| i.hi))]);
    fields.extend([number(comparison.and_then(|c| c.p))]);
    fields.extend([number(assessment.and_then(|it| it.adjusted.p))]);
    fields.push(assessment.map_or(String::new(), |it| it.decision.word().to_owned()));
    fields
}

/// Annotations: an error for each reason why a check failed, a warning for what is slower, a notice for
/// what is faster.
#[must_use]
pub fn github(tables: &Tables, failed: &[String]) -> String {
    let mut out = String::new();
    for reason in failed {
        out.push_str(&format!("::error title=etalon compare::{}\n", escaped(&clean(reason))));
    }
    for table in &tables.tables {
        for row in &table.rows {
            for (column, cell) in row.cells.iter().enumerate() {
                let comparison = cell.as_ref().and_then(|cell| cell.comparison.as_ref());
                let assessment = comparison.and_then(|c| c.assessment.as_deref());
                let Some(Assessment { evidence, decision, .. }) = assessment else { continue };
                let kind = match decision.verdict {
                    Verdict::Slower => "warning",
                    Verdict::Faster => "notice",
                    Verdict::Same | Verdict::Unclear => continue,
                };
                let change = super::scale::changed(evidence, &table.unit);
                let keys = words::named(&tables.table_keys, &table.labels);
                let place = if keys.is_empty() { keys } else { format!(", {keys}") };
                let text = format!(
                    "{} ({}{place}): {} {change}",
                    words::label(&row.labels),
                    clean(&table.unit),
                    decision.word()
                );
                let against = words::label(&table.columns[column]);
                out.push_str(&format!(
                    "::{kind} title={}::{}\n",
                    property(&against),
                    escaped(&text)
                ));
            }
        }
    }
    out
}

/// A message of a workflow command.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of one, which also ends at a colon or a comma.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
