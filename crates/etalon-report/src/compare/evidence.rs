//! The line under the answer: what the comparisons rest on.

use etalon_core::compare::{Design, Evidence};
use etalon_core::tables::{Labels, Table, Tables};

use super::rows::assessments;
use super::words;
use crate::number::counted;

/// How many values a side, interleaved or not; before it, what all tables have in common. Where nothing is
/// compared that alone. What could at least have been seen belongs into this sentence.
pub(super) fn sentence(tables: &Tables) -> Option<String> {
    let evidence: Vec<&Evidence> = tables.tables.iter().flat_map(compared).collect();
    let sizes = evidence.iter().flat_map(|it| [it.n.0, it.n.1]);
    let common = common(tables);
    let (Some(least), Some(most)) = (sizes.clone().min(), sizes.max()) else {
        return common.map(|common| format!("{common}."));
    };
    let range = if least == most { String::new() } else { format!("{least} to ") };
    let blocks = evidence.iter().filter(|it| it.design == Design::Blocks).count();
    let how = if blocks == evidence.len() {
        format!("{range}{}", counted(most, "interleaved block", "interleaved blocks"))
    } else {
        let values = format!("{range}{} a side", counted(most, "value", "values"));
        match (blocks, tables.tables.iter().any(|table| is_apart(tables, table))) {
            (0, true) => format!(
                "{values}, measured apart: what changed on the machine between them counts as a difference"
            ),
            (0, false) => format!("{values}, not interleaved"),
            _ => format!("{values}, some of them interleaved"),
        }
    };
    let common = common.map_or_else(String::new, |common| format!("{common} · "));
    Some(format!("{common}{how}."))
}

fn compared(table: &Table) -> impl Iterator<Item = &Evidence> {
    table.rows.iter().flat_map(assessments).map(|assessment| &assessment.evidence)
}

/// Whether its columns are data sets of several files.
fn is_apart(tables: &Tables, table: &Table) -> bool {
    let Some(file) = tables.col_keys.iter().position(|key| key == ".file") else { return false };
    let mut files = table.columns.iter().map(|column| &column[file]);
    files.next().is_some_and(|first| files.any(|file| file != first))
}

/// The keys of tables that are the same in all of them.
pub(super) fn common(tables: &Tables) -> Option<String> {
    let first: &Labels = &tables.tables.first()?.labels;
    let same = tables.tables.iter().all(|table| table.labels == *first);
    Some(words::named(&tables.table_keys, first)).filter(|named| same && !named.is_empty())
}
