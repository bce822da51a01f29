//! benchstat's CSV: rows of fields, and warnings that name the fields they are about.

use etalon_core::notes::NoteKind;
use etalon_core::tables::Table;

use super::number::{change, plain, reach};
use super::words;

const LABEL: usize = 1;
const CENTRE: usize = 2;
const DELTA: usize = 2;

fn start(column: usize) -> usize {
    if column == 0 { LABEL } else { LABEL + CENTRE + (column - 1) * (CENTRE + DELTA) }
}

/// Lines written so far, and what is said about them.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub lines: String,
    pub warnings: String,
    row: Vec<String>,
    written: usize,
}

impl Sheet {
    /// A line of one field.
    pub(super) fn line(&mut self, text: &str) {
        self.row.push(text.to_owned());
        self.emit();
    }

    fn emit(&mut self) {
        let fields: Vec<String> = self.row.drain(..).map(|field| quoted(&field)).collect();
        self.lines.push_str(&fields.join(","));
        self.lines.push('\n');
        self.written += 1;
    }

    fn at(&mut self, field: usize) {
        self.row.resize(self.row.len().max(field), String::new());
    }

    fn push(&mut self, field: impl Into<String>) {
        self.row.push(field.into());
    }

    /// Notes about the next field.
    fn warn(&mut self, notes: &[NoteKind]) {
        let place = format!("{}{}", letters(self.row.len()), self.written + 1);
        for note in notes {
            self.warnings.push_str(&format!("{place}: {}\n", words::note(note)));
        }
    }

    /// One table.
    pub(super) fn table(&mut self, table: &Table) {
        let end = start(table.columns.len());
        for level in 0..table.columns[0].len() {
            for (column, labels) in table.columns.iter().enumerate() {
                self.at(start(column));
                self.push(labels[level].clone().unwrap_or_default());
            }
            self.at(end);
            self.emit();
        }
        for column in 0..table.columns.len() {
            self.at(start(column));
            self.push(&table.unit);
            self.push("CI");
            if column > 0 {
                self.push("vs base");
                self.push("P");
            }
        }
        self.emit();
        for row in &table.rows {
            self.push(words::label(&row.labels));
            for (column, cell) in row.cells.iter().enumerate() {
                let Some(cell) = cell else { continue };
                self.at(start(column));
                self.warn(&cell.notes);
                self.push(plain(cell.centre.value));
                self.push(reach(&cell.centre));
                if let (Some(comparison), Some(base)) = (&cell.comparison, &row.cells[0]) {
                    self.warn(&comparison.notes);
                    self.push(words::delta(base, cell, comparison));
                    self.push(words::evidence(comparison));
                }
            }
            self.emit();
        }
        self.summaries(table);
        self.at(end);
        self.emit();
    }

    fn summaries(&mut self, table: &Table) {
        self.push("geomean");
        for (column, summary) in table.summaries.iter().enumerate() {
            self.at(start(column));
            self.warn(&summary.notes);
            if let Some(mean) = summary.mean {
                self.push(plain(mean));
            }
            if column > 0 {
                self.at(start(column) + CENTRE);
                self.push(summary.ratio.map_or("?".to_owned(), change));
            }
        }
    }
}

/// The name of a column as benchstat writes it; from the 27th on it differs from a spreadsheet's.
fn letters(mut column: usize) -> String {
    let mut letters = Vec::new();
    while column > 0 {
        letters.push(char::from(b'A' + u8::try_from(column % 26).unwrap_or(0)));
        column /= 26;
    }
    if letters.is_empty() {
        letters.push('A');
    }
    letters.iter().rev().collect()
}

/// A field as Go's `encoding/csv` writes it.
fn quoted(field: &str) -> String {
    let needed = field == "\\."
        || field.contains([',', '"', '\r', '\n'])
        || field.starts_with(char::is_whitespace);
    if needed { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use crate::text::hostile;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        /// Would catch a field that another reader cuts, joins or changes.
        #[test]
        fn fields_are_read_as_they_are(fields in prop::collection::vec(hostile(), 2..5)) {
            // A table's first field is a word of benchstat's: what begins a file can be its byte order mark.
            let fields = [vec!["name".to_owned()], fields].concat();
            let line: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
            let text = format!("{}\n", line.join(","));
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
            let read: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(read, [csv::StringRecord::from(fields)]);
        }
    }
}
