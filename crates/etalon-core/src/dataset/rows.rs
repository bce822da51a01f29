//! The rows, column by column.
//!
//! Owns how little a row takes: what all rows of a series share is stored once, and a column that no row has
//! a cell in is not there. Refuses to know what a series is.

use std::collections::BTreeMap;

use super::compact::{First, SeriesOfRows};
use super::ids::{Full, SeriesId};
use crate::model::Outcome;

/// Where in an experiment a row was measured. Two rows pair only if run set, block and turn are the same.
/// Places are ordered as they were executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Block of the schedule, from 0.
    pub block: u32,
    /// The turn within it, where a block holds several readings of a benchmark.
    pub turn: Option<u32>,
}

/// The part of a row beside its benchmark and its values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Execution {
    /// Where it belongs, where its source has blocks.
    pub place: Option<Place>,
    /// How often the benchmark was repeated for the reading, where that is said.
    pub iterations: Option<i64>,
    /// How it ended; absent for the exit code 0.
    pub outcome: Option<Outcome>,
}

/// The rows: 4 bytes for each of block, turn and iterations, where some row has it, for the series, where rows of
/// several are mixed, and for where values begin, where not all rows have as many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    series: SeriesOfRows,
    first: First,
    blocks: Cells,
    turns: Cells,
    iterations: Cells,
    /// Of those that ended otherwise than with the exit code 0, ascending.
    outcomes: Vec<(u32, Outcome)>,
}

impl Rows {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.series.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The series of a row.
    #[must_use]
    pub fn series(&self, row: usize) -> SeriesId {
        self.series.get(row)
    }

    /// The series of all rows in their order.
    pub(crate) fn all_series(&self) -> impl Iterator<Item = SeriesId> {
        self.series.all()
    }

    /// The series of the last row.
    pub(super) fn last_series(&self) -> Option<SeriesId> {
        self.series.last()
    }

    /// The index of a row's first value.
    #[must_use]
    pub fn first(&self, row: usize) -> u32 {
        self.first.get(row)
    }

    /// Where a row was measured, if that is known.
    #[must_use]
    pub fn place(&self, row: usize) -> Option<Place> {
        let narrow = |number: i64| u32::try_from(number).ok();
        let block = self.blocks.get(row).and_then(narrow)?;
        Some(Place { block, turn: self.turns.get(row).and_then(narrow) })
    }

    /// Whether any row has a place.
    #[must_use]
    pub fn have_places(&self) -> bool {
        !self.blocks.packed.is_empty()
    }

    /// Whether any row has a turn.
    #[must_use]
    pub(crate) fn have_turns(&self) -> bool {
        !self.turns.packed.is_empty()
    }

    /// How often the benchmark was repeated for a row's reading, where that is said.
    #[must_use]
    pub fn iterations(&self, row: usize) -> Option<i64> {
        self.iterations.get(row)
    }

    /// How a row's execution ended. O(log n) of those that did not end with the exit code 0.
    #[must_use]
    pub fn outcome(&self, row: usize) -> &Outcome {
        let found = self.outcomes.binary_search_by_key(&row, |(row, _)| *row as usize);
        found.map_or(&Outcome::Ok, |at| &self.outcomes[at].1)
    }

    /// Whether every execution ended with the exit code 0.
    #[must_use]
    pub fn are_all_ok(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// The rows whose outcome is another than [`Outcome::Ok`], ascending.
    pub(crate) fn not_ok(&self) -> impl Iterator<Item = (usize, &Outcome)> {
        self.outcomes.iter().map(|(row, outcome)| (*row as usize, outcome))
    }

    /// The row that a value belongs to. O(log n).
    #[must_use]
    pub(crate) fn row_of_value(&self, value: u32) -> usize {
        self.first.row(value, self.len())
    }

    pub(super) fn push(
        &mut self,
        series: SeriesId,
        first: u32,
        execution: Execution,
    ) -> Result<(), Full> {
        let row = self.len();
        let number = u32::try_from(row).map_err(|_| Full)?;
        let Execution { place, iterations, outcome } = execution;
        self.blocks.push(row, place.map(|place| place.block.into()));
        self.turns.push(row, place.and_then(|place| place.turn).map(i64::from));
        self.iterations.push(row, iterations);
        if let Some(outcome) = outcome.filter(|outcome| *outcome != Outcome::Ok) {
            self.outcomes.push((number, outcome));
        }
        self.series.push(series);
        self.first.push(row, first);
        Ok(())
    }

    /// Gives back memory that growing columns hold in reserve.
    pub(super) fn shrink_to_fit(&mut self) {
        self.series.shrink_to_fit();
        self.first.shrink_to_fit();
        self.outcomes.shrink_to_fit();
        for cells in [&mut self.blocks, &mut self.turns, &mut self.iterations] {
            cells.packed.shrink_to_fit();
        }
    }
}

/// A column of numbers most of which fit 32 bits; empty as long as no row has one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Cells {
    /// [`ELSEWHERE`] where there is none, or one that does not fit.
    packed: Vec<u32>,
    others: BTreeMap<usize, i64>,
}

/// In place of a number that is not in the packed column.
const ELSEWHERE: u32 = u32::MAX;

impl Cells {
    fn get(&self, row: usize) -> Option<i64> {
        match *self.packed.get(row)? {
            ELSEWHERE => self.others.get(&row).copied(),
            number => Some(number.into()),
        }
    }

    /// Adds the cell of the next row, before which there are so many.
    fn push(&mut self, row: usize, number: Option<i64>) {
        if number.is_none() && self.packed.is_empty() {
            return;
        }
        self.packed.resize(row, ELSEWHERE);
        let fits = number.and_then(|number| u32::try_from(number).ok());
        let fits = fits.filter(|number| *number != ELSEWHERE);
        self.packed.push(fits.unwrap_or(ELSEWHERE));
        if let (Some(number), None) = (number, fits) {
            self.others.insert(row, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a number that is taken for "none", and a column that begins late.
    #[test]
    fn cells_are_what_was_put_there() {
        let numbers = [None, None, Some(3), Some(i64::from(u32::MAX)), None, Some(-1), Some(0)];
        let mut cells = Cells::default();
        for (row, number) in numbers.into_iter().enumerate() {
            cells.push(row, number);
        }
        let back: Vec<_> = (0..numbers.len()).map(|row| cells.get(row)).collect();
        assert_eq!(back, numbers);
        assert_eq!(Cells::default().get(0), None);
    }
}
