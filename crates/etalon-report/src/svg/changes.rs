//! The changes of a comparison's rows, the clearest and largest first.

use etalon_core::estimate::Estimate;
use etalon_core::plots::Pair;
use etalon_core::tables::{Beside, Row, Table, Tables};

use super::forest::{self, Entry};
use super::{Still, differences, quantiles};
use crate::compare::words::{self, Columns};
use crate::number::counted;

/// Rows of a picture.
const ROWS: usize = 40;

/// A picture for each data set but the first of a table, where anything has a ratio and may differ.
pub(super) fn stills(table: &Table, title: &str, names: &Columns) -> Vec<Still> {
    (1..table.columns.len()).filter_map(|at| still(table, at, title, names)).collect()
}

/// The largest changes in detail: what each block says, and each tenth of the readings.
pub(super) fn in_detail(tables: &Tables, beside: &[Beside], has_builds: bool) -> Vec<Still> {
    let values = if has_builds { "means of a side's builds in a block" } else { "readings" };
    let names = Columns::new(tables);
    let mut stills = Vec::new();
    for of_table in beside.chunk_by(|a, b| a.table == b.table) {
        let (Some(first), metric) = (of_table.first(), &of_table[0].metric) else { continue };
        let table = &tables.tables[first.table];
        // Sides are called by their row, and of several columns by that too.
        let called = |it: &Beside, column: usize| {
            let row = words::label(&table.rows[it.row].labels);
            let column = names.label(&table.columns[column]);
            if row.is_empty() { column } else { format!("{row}, {column}") }
        };
        let mut sides = Vec::new();
        let pairs: Vec<Pair> = of_table
            .iter()
            .map(|it| {
                sides.extend([names.label(&table.columns[0]), called(it, it.column)]);
                Pair { base: sides.len() - 2, candidate: sides.len() - 1, ..it.pair.clone() }
            })
            .collect();
        let name = |at: usize| sides[at].clone();
        let all = table.rows.len() * (table.columns.len() - 1);
        let of_some = |it: Still| match it.said.len() {
            drawn if drawn < all => {
                let caption = format!("{}; the largest changes, {drawn} of {all}", it.caption);
                Still { caption, ..it }
            }
            _ => it,
        };
        stills.extend(differences::still(metric, &pairs, name).map(of_some));
        stills.extend(quantiles::still(metric, &pairs, name, values).map(of_some));
    }
    stills
}

fn still(table: &Table, at: usize, title: &str, names: &Columns) -> Option<Still> {
    let entries: Vec<Entry<'_>> =
        table.rows.iter().filter_map(|row| row_entry(row, at, table.rows.len())).collect();
    if entries.iter().all(|it| is_same(it.ratio)) {
        return None;
    }
    let (base, other) = (names.label(&table.columns[0]), names.label(&table.columns[at]));
    let more = match entries.len() > ROWS {
        true => format!("; {ROWS} of {}", counted(entries.len(), "row", "rows")),
        false => String::new(),
    };
    let caption = format!("{title}: {other} as a multiple of {base}, with intervals{more}");
    let picture = forest::picture(&caption, &entries[..entries.len().min(ROWS)])?;
    Some(Still { name: "changes", ..picture })
}

/// Whether numbers are the same without any doubt: that takes no picture.
fn is_same(ratio: &Estimate) -> bool {
    ratio.value == 1.0 && ratio.interval.is_ok_and(|it| it.lo == 1.0 && it.hi == 1.0)
}

fn row_entry(row: &Row, at: usize, rows: usize) -> Option<Entry<'_>> {
    let comparison = row.cells.get(at)?.as_ref()?.comparison.as_ref()?;
    let assessment = comparison.assessment.as_ref()?;
    // Of calls that do nothing no factor means anything.
    let evidence = (!assessment.decision.is_void()).then_some(&assessment.evidence)?;
    let name = words::label(&row.labels);
    let name = if name.is_empty() && rows == 1 { "all".to_owned() } else { name };
    Some(Entry { name, evidence, ratio: evidence.shown().ratio.as_ref()? })
}
