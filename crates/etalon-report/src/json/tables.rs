//! The tables of a comparison as one document.

use serde_json::{Value, json};

use etalon_core::notes::Note;
use etalon_core::tables::{Cell, ColumnSummary, Labels, Ranks, Row, Table, Tables};

use super::VERSION;
use super::assessment::assessment;
use crate::words::{cell_note, note_sentences};

/// The tables as one document, with why a check failed and what has to be known of one that passed: values in
/// base units, `null` for what is absent.
#[must_use]
pub fn tables(tables: &Tables, failed: &[Note], notes: &[Note]) -> Value {
    json!({
        "version": VERSION,
        "tables": tables.tables.iter().map(|of| table(tables, of)).collect::<Vec<_>>(),
        "failed": note_sentences(failed),
        "notes": note_sentences(notes),
    })
}

/// A table of an experiment file: what stands above it, and where it has no value and why.
#[derive(Debug)]
pub struct Titled {
    /// The title above it.
    pub title: String,
    /// The values of keys that tell it from the other tables of its kind.
    pub apart: Vec<(String, String)>,
    /// The tables computed for it: it shows these comparisons, and no others.
    pub tables: Tables,
    /// Rows and columns that were declared and have no value, and why.
    pub absent: Vec<(Labels, Labels, String)>,
}

/// The tables of an experiment file as one document, with remarks on the machine.
#[must_use]
pub fn titled(all: &[Titled], notes: &[Note]) -> Value {
    let of_one = |one: &Titled| {
        let absent = one.absent.iter().map(|(row, column, why)| {
            let (row, column) =
                (labels(&one.tables.row_keys, row), labels(&one.tables.col_keys, column));
            json!({"row": row, "column": column, "why": why})
        });
        let absent: Vec<Value> = absent.collect();
        let with_title = |of: &Table| {
            let mut value = table(&one.tables, of);
            value["title"] = json!(one.title);
            for (key, of) in &one.apart {
                value["labels"][key] = json!(of);
            }
            value["absent"] = json!(absent);
            value
        };
        one.tables.tables.iter().map(with_title).collect::<Vec<_>>()
    };
    json!({
        "version": VERSION,
        "tables": all.iter().flat_map(of_one).collect::<Vec<_>>(),
        "failed": [],
        "notes": note_sentences(notes),
    })
}

fn table(tables: &Tables, table: &Table) -> Value {
    let cells = |cells: &[Option<Cell>]| -> Vec<Option<Value>> {
        cells.iter().map(|of| of.as_ref().map(|of| cell(of, table))).collect()
    };
    let row = |row: &Row| {
        json!({
            "labels": labels(&tables.row_keys, &row.labels),
            "cells": cells(&row.cells),
            "ranks": row.ranks.as_ref().map(ranks),
        })
    };
    let rows = table.rows.iter().map(row);
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

/// Columns by their places.
fn ranks(ranks: &Ranks) -> Value {
    let Ranks { best, same, unclear, letters } = ranks;
    json!({"best": best, "same": same, "unclear": unclear, "letters": letters})
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
