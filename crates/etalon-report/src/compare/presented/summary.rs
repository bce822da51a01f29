//! The row below the others: columns over the rows that all of them have.

use etalon_core::stats::geometric_mean;
use etalon_core::tables::{Cell, LeftOut};

use super::super::SummaryRow;
use super::super::footnotes::Footnotes;
use super::super::words;
use super::page::Page;
use crate::table;
use crate::tidied::plain_number;

impl Page<'_> {
    /// The columns that have a value in some row: the others have no mean, and no row needs them.
    pub(super) fn there(&self) -> Vec<usize> {
        let has =
            |column: &usize| (0..self.rows.len()).any(|row| self.cell(row, *column).is_some());
        (0..self.columns.len()).filter(has).collect()
    }

    /// The rows that a summary is over, and how many it leaves out.
    fn summed(&self) -> (Vec<usize>, LeftOut) {
        let there = self.there();
        let mut left_out = LeftOut { rows: self.rows.len(), ..LeftOut::default() };
        let mut rows = Vec::new();
        for row in 0..self.rows.len() {
            let values: Option<Vec<f64>> = there.iter().map(|at| self.value(row, *at)).collect();
            match values {
                None => left_out.incomplete += 1,
                // A total is of everything.
                Some(_) if self.is_idle(row) && self.wanted.summary != SummaryRow::Total => {
                    left_out.idle += 1;
                }
                Some(values) => {
                    let is_positive = values.iter().all(|value| *value > 0.0);
                    left_out.not_positive += usize::from(!is_positive);
                    if is_positive || self.wanted.summary == SummaryRow::Total {
                        rows.push(row);
                    }
                }
            }
        }
        (rows, left_out)
    }

    /// Whether some of its cells are of what does nothing.
    fn is_idle(&self, row: usize) -> bool {
        (0..self.columns.len()).any(|column| self.cell(row, column).is_some_and(Cell::is_idle))
    }

    /// The last row, if there is one.
    pub(super) fn summary(&self, footnotes: &mut Footnotes) -> Option<Vec<table::Cell>> {
        let what = self.wanted.summary;
        let (rows, left_out) = self.summed();
        let mut cells =
            vec![footnotes.marked(words::summary(what)?, words::leaves_out(left_out, what))];
        let labels = self.wanted.declared.iter().flat_map(|declared| &declared.labels);
        cells.extend(labels.map(|_| table::Cell::words("")));
        let there = self.there();
        let column_value = |column: usize| {
            let is_there = there.contains(&column) && !rows.is_empty();
            is_there.then(|| self.column_value(&rows, column)).flatten()
        };
        let sums: Vec<Option<f64>> = (0..self.columns.len()).map(column_value).collect();
        // Totals are relative to a total in the way in which cells are relative to a cell.
        let whole = self.whole_of(&sums).filter(|_| what == SummaryRow::Total);
        let text = |sum: f64| match (self.shows_values(), what) {
            (true, _) => Some(plain_number(sum, &self.of.base)),
            (false, SummaryRow::Total) => {
                let whole = whole.filter(|whole| *whole != 0.0)?;
                Some(self.shown(sum / whole, None))
            }
            (false, _) => Some(self.shown(sum, None)),
        };
        for sum in &sums {
            cells.push(table::Cell::words_or_absent(sum.and_then(text)));
            cells.push(table::Cell::words(""));
        }
        if self.wanted.look.raw.is_some() {
            let text = whole.map(|whole| plain_number(whole, &self.of.base));
            cells.push(table::Cell::words(text.unwrap_or_default()));
        }
        if self.wanted.look.fastest {
            cells.push(table::Cell::words(""));
        }
        Some(cells)
    }

    /// The sum of a column's values over rows, or the geometric mean of what its cells show.
    fn column_value(&self, rows: &[usize], column: usize) -> Option<f64> {
        let value = |row: &usize| match self.wanted.summary {
            SummaryRow::GeometricMean if !self.shows_values() => {
                self.relative(*row, column).map(|relative| relative.value)
            }
            _ => self.value(*row, column),
        };
        let values: Vec<f64> = rows.iter().map(value).collect::<Option<_>>()?;
        match self.wanted.summary {
            SummaryRow::GeometricMean => geometric_mean(&values),
            _ => Some(values.iter().sum()),
        }
    }
}
