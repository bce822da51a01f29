//! Rows sorted by their series, by counting.
//!
//! Owns that rows which stand like that already, as in most files of Go's, take no memory. Refuses to look at values.

use crate::dataset::{Dataset, SeriesId};

/// The rows, one series behind the other, in the order of the data.
#[derive(Debug)]
pub(super) struct BySeries {
    /// Where each series begins; one more at the end.
    pub(super) starts: Vec<usize>,
    /// The row at each place; none where they stand like that in the data, as readings of one benchmark after the
    /// other do.
    rows: Vec<u32>,
}

impl BySeries {
    pub(super) fn of(data: &Dataset) -> BySeries {
        // One place more: while rows are put in, a series' start is kept in the place behind it.
        let mut starts = vec![0; data.series.len() + 2];
        data.rows.all_series().for_each(|series| starts[series.at() + 2] += 1);
        for series in 2..starts.len() {
            starts[series] += starts[series - 1];
        }
        if data.rows.all_series().is_sorted() {
            starts.remove(0);
            return BySeries { starts, rows: Vec::new() };
        }
        let mut rows = vec![0; data.len()];
        // There are less than 2³² rows.
        for (series, row) in data.rows.all_series().zip(0..) {
            let next = &mut starts[series.at() + 1];
            rows[*next] = row;
            *next += 1;
        }
        starts.pop();
        BySeries { starts, rows }
    }

    /// The row at a place.
    pub(super) fn row(&self, at: usize) -> u32 {
        // There are less than 2³² rows.
        self.rows.get(at).copied().unwrap_or_else(|| u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// The rows of a series.
    pub(super) fn rows(&self, series: SeriesId) -> impl Iterator<Item = u32> {
        (self.starts[series.at()]..self.starts[series.at() + 1]).map(|at| self.row(at))
    }
}
