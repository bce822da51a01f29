//! The tables of a comparison as one document.

use serde_json::{Value, json};

use etalon_core::tables::{Cell, ColumnSummary, Labels, Table, Tables};

use super::VERSION;
use super::assessment::assessment;
use crate::words::cell_note;

/// The tables as one document, with why a check failed and what has to be known of one that passed: values in
/// base units, `null` for what is absent.
#[must_use]
pub fn tables(tables: &Tables, failed: &[String], notes: &[String]) -> Value {
    json!({
        "version": VERSION,
        "tables": tables.tables.iter().map(|of| table(tables, of)).collect::<Vec<_>>(),
        "failed": failed,
        "notes": notes,
    })
}

fn table(tables: &Tables, table: &Table) -> Value {
    let row_labels = |row: &Labels| labels(&tables.row_keys, row);
    let cells = |cells: &[Option<Cell>]| -> Vec<Option<Value>> {
        cells.iter().map(|of| of.as_ref().map(|of| cell(of, table))).collect()
    };
    let rows = table.rows.iter();
    let rows =
        rows.map(|row| json!({"labels": row_labels(&row.labels), "cells": cells(&row.cells)}));
    json!({
        "labels": labels(&tables.table_keys, &table.labels),
        "unit": table.unit,
        "base_unit": table.base.to_string(),
        "columns": table.columns.iter().map(|c| labels(&tables.col_keys, c)).collect::<Vec<_>>(),
        "rows": rows.collect::<Vec<_>>(),
        "summaries": table.summaries.iter().map(summary).collect::<Vec<_>>(),
        "left_out": {
            "incomplete": table.left_out.incomplete,
            "not_positive": table.left_out.not_positive,
        },
    })
}

fn labels(keys: &[String], labels: &Labels) -> Value {
    keys.iter().zip(labels).map(|(key, label)| (key.clone(), json!(label))).collect()
}

fn summary(summary: &ColumnSummary) -> Value {
    let ColumnSummary { mean, ratio, interval, total, notes } = summary;
    json!({
        "mean": mean,
        "ratio": ratio,
        "lo": interval.map(|i| i.lo),
        "hi": interval.map(|i| i.hi),
        "total": total,
        "notes": notes.iter().map(cell_note).collect::<Vec<_>>(),
    })
}

fn cell(cell: &Cell, table: &Table) -> Value {
    let interval = cell.centre.interval.ok();
    let comparison = cell.comparison.as_ref().and_then(|comparison| {
        let of = comparison.assessment.as_deref()?;
        let mut fields = assessment(of, &table.criteria, &table.base);
        let notes: Vec<String> = comparison.notes.iter().map(cell_note).collect();
        fields.insert("notes".to_owned(), json!(notes));
        Some(fields)
    });
    json!({
        "n": cell.n,
        "centre": cell.centre.value,
        "mean": cell.mean.as_ref().map(|mean| mean.value),
        "lo": interval.map(|i| i.lo),
        "hi": interval.map(|i| i.hi),
        "level": interval.map(|i| i.level),
        "notes": cell.notes.iter().map(cell_note).collect::<Vec<_>>(),
        "comparison": comparison,
    })
}
