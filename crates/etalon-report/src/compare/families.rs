//! Rows that one unit calls different and another does not, although both are of the same readings: times, and the
//! throughput that follows from them.
//!
//! Owns when that is the correction's doing. Refuses to judge: each unit of a table is a family of its own.

use std::collections::HashMap;

use etalon_core::tables::{Labels, Row, Table, Tables};
use etalon_core::verdict::{Assessment, Reason, Verdict};

use super::rows::assessment;
use crate::number::counted;

/// Units of which one follows from the other, as Go's benchmarks give them.
const TIME: &str = "sec/op";
const RATE: &str = "B/s";

/// The reason why the two disagree; absent where they do not, or where it is another one.
pub(super) fn disagreement(tables: &Tables) -> Option<String> {
    let of = |unit: &'static str| tables.tables.iter().filter(move |table| table.unit == unit);
    let rates: HashMap<&Labels, &Table> = of(RATE).map(|table| (&table.labels, table)).collect();
    let mut rows = 0;
    let mut families = None;
    for time in of(TIME) {
        let Some(rate) = rates.get(&time.labels) else { continue };
        for (one, other) in both(time, rate) {
            let (of_time, of_rate) = (one.adjusted.family, other.adjusted.family);
            if of_time != of_rate && (hides(one, other, time) || hides(other, one, rate)) {
                rows += 1;
                families.get_or_insert((of_time, of_rate));
            }
        }
    }
    let (of_time, of_rate) = families?;
    Some(format!(
        "{TIME} and {RATE} are of the same readings, and each is corrected for its own number of comparisons \
         ({of_time} and {of_rate}): therefore one calls {} different that the other calls unclear.",
        counted(rows, "row", "rows"),
    ))
}

/// Assessments of two tables in the same rows and columns. Linear.
fn both<'t>(
    time: &'t Table,
    rate: &'t Table,
) -> impl Iterator<Item = (&'t Assessment, &'t Assessment)> {
    let rows: HashMap<&Labels, &Row> = rate.rows.iter().map(|row| (&row.labels, row)).collect();
    let of_row = move |row: &'t Row| {
        let other = *rows.get(&row.labels)?;
        Some(row.cells.iter().zip(&time.columns).filter_map(move |(cell, labels)| {
            let at = rate.columns.iter().position(|column| column == labels)?;
            Some((assessment(cell.as_ref()?)?, assessment(other.cells[at].as_ref()?)?))
        }))
    };
    time.rows.iter().filter_map(of_row).flatten()
}

/// Whether one is open for nothing but its correction, and the other differs.
fn hides(one: &Assessment, other: &Assessment, table: &Table) -> bool {
    let is_corrected = |reason: &Reason| matches!(reason, Reason::NotSignificant { p, .. } if *p <= table.criteria.alpha);
    one.decision.verdict == Verdict::Unclear
        && one.decision.reasons.iter().any(is_corrected)
        && other.decision.is_difference()
}
