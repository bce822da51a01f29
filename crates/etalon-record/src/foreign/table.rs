//! A series row by row, for writers.
//!
//! Owns the walk through columns that may lack rows. Refuses to convert values.

use etalon_core::model::{RunSet, Series};

/// The rows of a series, in their order; each has one entry per metric of the run set.
pub(crate) struct Rows<'a> {
    series: &'a Series,
    /// Per column: how many of its values lie before the next row.
    passed: Vec<usize>,
    next: u32,
    row: Vec<Option<f64>>,
}

impl<'a> Rows<'a> {
    pub(crate) fn of(series: &'a Series) -> Rows<'a> {
        let columns = series.columns.len();
        Rows { series, passed: vec![0; columns], next: 0, row: vec![None; columns] }
    }

    /// The next row's values in base units, by metric.
    pub(crate) fn next(&mut self) -> Option<&[Option<f64>]> {
        if self.next == self.series.rows {
            return None;
        }
        for (index, column) in self.series.columns.iter().enumerate() {
            let at = self.passed[index];
            let here = column.rows.get(at) == Some(&self.next);
            self.row[index] = if here { column.values.get(at).copied() } else { None };
            self.passed[index] += usize::from(here);
        }
        self.next += 1;
        Some(&self.row)
    }
}

/// The index of a metric of that name whose values have this base unit.
pub(crate) fn metric(set: &RunSet, name: &str, base: &str) -> Option<usize> {
    set.metrics.iter().position(|m| m.name == name && m.unit.base().to_string() == base)
}
