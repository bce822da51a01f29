//! Tables as benchstat prints them, byte for byte.
//!
//! Owns its text and its CSV; what they show comes from `etalon_core::tables` under benchstat's rules.
//! Nothing is cleaned of control characters here: bytes are the contract. Refuses to show a verdict.

mod csv;
mod layout;
mod number;
mod text;
mod words;

use etalon_core::tables::{Table, Tables};

/// The text; nothing without tables.
#[must_use]
pub fn text(tables: &Tables) -> String {
    let mut out = String::new();
    let mut before = None;
    for table in &tables.tables {
        for line in headings(tables, before, table) {
            out.push_str(&line);
            out.push('\n');
        }
        out.push_str(&text::table(table));
        before = Some(table);
    }
    out
}

/// CSV, and what is said about it apart from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Csv {
    /// Title and rows, as benchstat prints them.
    pub lines: String,
    /// Warnings, each with the place of its field.
    pub warnings: String,
}

/// The CSV; nothing without tables.
#[must_use]
pub fn csv(tables: &Tables) -> Csv {
    let mut sheet = csv::Sheet::default();
    let mut before = None;
    for table in &tables.tables {
        for line in headings(tables, before, table) {
            sheet.line(&line);
        }
        sheet.table(table);
        before = Some(table);
    }
    Csv { lines: sheet.lines, warnings: sheet.warnings }
}

/// The lines before a table: an empty line between two, and the keys whose values are others now.
fn headings(tables: &Tables, before: Option<&Table>, table: &Table) -> Vec<String> {
    let mut lines = Vec::new();
    if before.is_some() {
        lines.push(String::new());
    }
    for (at, key) in tables.table_keys.iter().enumerate() {
        let value = &table.labels[at];
        if before.is_none_or(|before| before.labels[at] != *value) {
            lines.push(format!("{key}: {}", value.as_deref().unwrap_or_default()));
        }
    }
    lines
}
