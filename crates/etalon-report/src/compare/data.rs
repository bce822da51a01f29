//! A comparison for other programs: CSV, and annotations of a GitHub workflow.

use std::io;

use etalon_core::notes::Note;
use etalon_core::tables::{Cell, Row, Table, Tables};
use etalon_core::verdict::Verdict;

use super::words;
use crate::text::clean;
use crate::words::{note_sentence, verdict_word};

/// A row for each cell, values in base units.
///
/// # Errors
/// Errors of the writer.
pub fn csv(tables: &Tables, out: impl io::Write) -> io::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    let fields = [
        "unit",
        "base_unit",
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
        "difference",
        "difference_lo",
        "difference_hi",
        "word",
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
    let ratio = assessment.and_then(|it| it.evidence.shown().ratio);
    let within = ratio.and_then(|ratio| ratio.interval.ok());
    fields.extend([table.unit.clone(), table.base.to_string()]);
    fields.extend([cell.n.to_string(), cell.centre.value.to_string()]);
    fields.push(number(cell.mean.as_ref().map(|mean| mean.value)));
    fields.extend([number(interval.map(|i| i.lo)), number(interval.map(|i| i.hi))]);
    fields.extend([number(ratio.map(|ratio| ratio.value))]);
    fields.extend([number(within.map(|i| i.lo)), number(within.map(|i| i.hi))]);
    fields.extend([number(comparison.and_then(|c| c.p))]);
    fields.extend([number(assessment.and_then(|it| it.adjusted.p))]);
    fields.push(assessment.map_or(String::new(), |it| it.decision.name().to_owned()));
    let difference = assessment.and_then(|it| it.evidence.shown().difference);
    let within = difference.and_then(|difference| difference.interval.ok());
    fields.push(number(difference.map(|difference| difference.value)));
    fields.extend([number(within.map(|i| i.lo)), number(within.map(|i| i.hi))]);
    fields.push(assessment.map_or(String::new(), |it| verdict_word(it, &table.base).to_owned()));
    fields
}

/// Annotations: an error for each reason why a check failed, a warning for what is slower, a notice for
/// what is faster.
#[must_use]
pub fn github(tables: &Tables, failed: &[Note]) -> String {
    let mut out = String::new();
    for reason in failed {
        out.push_str(&format!(
            "::error title=etalon compare::{}\n",
            escaped(&note_sentence(reason))
        ));
    }
    for table in &tables.tables {
        for row in &table.rows {
            for (column, cell) in row.cells.iter().enumerate() {
                let comparison = cell.as_ref().and_then(|cell| cell.comparison.as_ref());
                let assessment = comparison.and_then(|c| c.assessment.as_deref());
                let Some(assessment) = assessment else { continue };
                let kind = match assessment.decision.verdict {
                    Verdict::Slower => "warning",
                    Verdict::Faster => "notice",
                    Verdict::Same | Verdict::Unclear => continue,
                };
                let change = crate::tidied::changed(&assessment.evidence, &table.base);
                let keys = words::named(&tables.table_keys, &table.labels);
                let place = if keys.is_empty() { keys } else { format!(", {keys}") };
                let text = format!(
                    "{} ({}{place}): {} {change}",
                    words::label(&row.labels),
                    clean(&table.unit),
                    verdict_word(assessment, &table.base)
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
