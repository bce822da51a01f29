//! The words of a comparison: labels, and notes on cells.

use std::collections::BTreeSet;

use etalon_core::stats::Interval;
use etalon_core::tables::{Cell, Labels, LeftOut, Table, Tables};

use super::SummaryRow;
use crate::text::clean;
use crate::words::cell_note;

/// The values of keys, side by side.
pub(crate) fn label(labels: &Labels) -> String {
    let shown: Vec<String> = labels.iter().flatten().map(|text| clean(text)).collect();
    shown.join(" ")
}

/// Columns by the labels of the data sets: paths without the directories that all of them are in.
#[derive(Debug)]
pub(crate) struct Columns {
    /// Which of the labels is a file.
    file: Option<usize>,
    /// The directories, up to a slash.
    common: String,
}

impl Columns {
    pub(crate) fn new(tables: &Tables) -> Columns {
        let file = tables.col_keys.iter().position(|key| key == ".file");
        let columns = tables.tables.iter().flat_map(|table| &table.columns);
        let files: BTreeSet<&str> = columns.filter_map(|labels| labels[file?].as_deref()).collect();
        let paths = files.iter().copied().filter(|file| file.contains('/'));
        let common = paths.clone().reduce(common).unwrap_or_default();
        let common = &common[..common.rfind('/').map_or(0, |slash| slash + 1)];
        // The rest still has to tell them apart.
        let rest = |path: &str| path.strip_prefix(common).is_some_and(|rest| files.contains(rest));
        let several = paths.clone().count() > 1 && !paths.clone().any(rest);
        Columns { file, common: if several { common.to_owned() } else { String::new() } }
    }

    /// The heading of a column.
    pub(crate) fn label(&self, labels: &Labels) -> String {
        let mut labels = labels.clone();
        if let Some(Some(file)) = self.file.map(|at| &mut labels[at])
            && let Some(rest) = file.strip_prefix(&self.common)
        {
            *file = rest.to_owned();
        }
        label(&labels)
    }
}

/// The values of the keys of several tables, without the directories that all of them are in.
pub(super) fn places<'t>(labels: impl Iterator<Item = &'t Labels>) -> Vec<String> {
    let all: Vec<String> = labels.map(label).collect();
    let shared = all.iter().map(String::as_str).reduce(common).unwrap_or_default();
    let start = shared.rfind('/').map_or(0, |slash| slash + 1);
    all.iter().map(|place| place[start..].to_owned()).collect()
}

/// The beginning that two texts share.
fn common<'a>(a: &'a str, b: &str) -> &'a str {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    &a[..same.map(|(c, _)| c.len_utf8()).sum()]
}

/// The keys of tables that are the same in all of them.
pub(super) fn common_keys(tables: &Tables) -> Option<String> {
    let first: &Labels = &tables.tables.first()?.labels;
    let same = tables.tables.iter().all(|table| table.labels == *first);
    Some(named(&tables.table_keys, first)).filter(|named| same && !named.is_empty())
}

/// Keys with their values.
pub(super) fn named(keys: &[String], labels: &Labels) -> String {
    let pair = |(key, label): (&String, &Option<String>)| {
        label.as_ref().map(|label| format!("{}: {}", clean(key), clean(label)))
    };
    keys.iter().zip(labels).filter_map(pair).collect::<Vec<_>>().join(", ")
}

/// A table by its unit and its keys with their values.
pub(crate) fn title(tables: &Tables, of: &Table) -> String {
    let keys = named(&tables.table_keys, &of.labels);
    let unit = clean(&of.unit);
    if keys.is_empty() { unit } else { format!("{unit} ({keys})") }
}

/// Notes on a cell and its comparison.
pub(super) fn said(cell: Option<&Cell>) -> Vec<String> {
    let Some(cell) = cell else { return Vec::new() };
    let of_comparison = cell.comparison.iter().flat_map(|comparison| &comparison.notes);
    cell.notes.iter().chain(of_comparison).map(cell_note).collect()
}

/// The name of a summary; none for none.
pub(super) fn summary(row: SummaryRow) -> Option<&'static str> {
    match row {
        SummaryRow::GeometricMean => Some("geometric mean"),
        SummaryRow::Total => Some("total"),
        SummaryRow::None => None,
    }
}

/// The ratio of a column's summary to the base's, with its interval.
pub(super) fn summary_change(
    table: &Table,
    row: SummaryRow,
    column: usize,
) -> (Option<f64>, Option<Interval>) {
    let (own, base) = (&table.summaries[column], &table.summaries[0]);
    if row == SummaryRow::Total {
        let pair = own.total.zip(base.total).filter(|(own, base)| *own > 0.0 && *base > 0.0);
        return (pair.map(|(own, base)| own / base), None);
    }
    (own.ratio, own.interval)
}

/// Which rows a summary leaves out; nothing for none.
pub(super) fn left_out(table: &Table, row: SummaryRow) -> Option<String> {
    leaves_out(table.left_out, row)
}

/// The sentence on rows that are left out, where they are counted otherwise.
pub(super) fn leaves_out(
    LeftOut { rows, incomplete, idle, not_positive }: LeftOut,
    row: SummaryRow,
) -> Option<String> {
    let name = summary(row)?;
    let of_means = |count: usize| if row == SummaryRow::Total { 0 } else { count };
    let verb = |count: usize| if count == 1 { "does" } else { "do" };
    let kinds = [
        (incomplete, format!("{incomplete} that a column lacks")),
        (of_means(idle), format!("{idle} that {} nothing", verb(idle))),
        (of_means(not_positive), format!("{not_positive} with a value that is not above 0")),
    ];
    let left_out = kinds.iter().map(|(count, _)| count).sum::<usize>();
    let said: Vec<&str> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(_, said)| said.as_str()).collect();
    let of = rows.saturating_sub(left_out);
    (left_out > 0 && of > 0)
        .then(|| format!("the {name} is of {of} of {rows} rows: without {}", said.join(", ")))
}
