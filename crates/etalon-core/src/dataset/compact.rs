//! Columns of rows that take next to nothing where rows resemble each other.
//!
//! Owns where a row's values begin, and which series it is of: what follows from the rows before is not stored, and
//! from the first row on that breaks the rule all are. Refuses to know what a row or a series is.

use super::ids::SeriesId;

/// The index of each row's first value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct First {
    /// How many values each row has before the last; of use as long as none is listed.
    each: u32,
    /// Of every row, where rows differ in that.
    listed: Vec<u32>,
}

impl First {
    /// That of a row. O(1).
    pub(super) fn get(&self, row: usize) -> u32 {
        match self.listed.get(row) {
            Some(first) => *first,
            // There are less than 2³² values.
            None => u32::try_from(row).unwrap_or(u32::MAX).wrapping_mul(self.each),
        }
    }

    /// Adds that of the next row, before which there are so many.
    pub(super) fn push(&mut self, row: usize, first: u32) {
        if self.listed.is_empty() {
            if row == 1 {
                self.each = first;
            }
            if self.get(row) == first {
                return;
            }
            self.listed = (0..row).map(|row| self.get(row)).collect();
        }
        self.listed.push(first);
    }

    /// The row, of so many, that a value belongs to. Of rows that begin at the same value, all but the last have none.
    pub(super) fn row(&self, value: u32, rows: usize) -> usize {
        if !self.listed.is_empty() {
            return self.listed.partition_point(|first| *first <= value).saturating_sub(1);
        }
        let last = rows.saturating_sub(1);
        value.checked_div(self.each).map_or(last, |row| last.min(row as usize))
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.listed.shrink_to_fit();
    }
}

/// Stretches of rows that are kept as such whatever their length.
const FEW: usize = 64;
/// Rows that a stretch has on average at least where stretches are kept: one takes twice as much as a row.
const LONG: usize = 4;

/// The series of each row: readings of one benchmark often stand together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SeriesOfRows {
    /// Stretches of rows of one series: the series, and the row behind the last. None where all are listed.
    stretches: Vec<(SeriesId, u32)>,
    /// Of every row, where stretches are short.
    listed: Vec<SeriesId>,
}

impl SeriesOfRows {
    pub(super) fn len(&self) -> usize {
        match self.stretches.last() {
            Some((_, end)) => *end as usize,
            None => self.listed.len(),
        }
    }

    /// That of a row. O(1) where rows are mixed, O(log n) of the stretches where they are not.
    pub(super) fn get(&self, row: usize) -> SeriesId {
        match self.listed.get(row) {
            Some(series) => *series,
            None => {
                let before = self.stretches.partition_point(|(_, end)| *end as usize <= row);
                self.stretches[before].0
            }
        }
    }

    /// Those of all rows in their order. Linear.
    pub(super) fn all(&self) -> impl Iterator<Item = SeriesId> {
        let mut begin = 0;
        let stretches = self.stretches.iter().flat_map(move |(series, end)| {
            let length = end - std::mem::replace(&mut begin, *end);
            std::iter::repeat_n(*series, length as usize)
        });
        self.listed.iter().copied().chain(stretches)
    }

    pub(super) fn last(&self) -> Option<SeriesId> {
        self.stretches.last().map(|(series, _)| *series).or(self.listed.last().copied())
    }

    /// Adds that of the next row. There are less than 2³² rows.
    pub(super) fn push(&mut self, series: SeriesId) {
        if !self.listed.is_empty() {
            self.listed.push(series);
            return;
        }
        match self.stretches.last_mut() {
            Some((last, end)) if *last == series => {
                *end += 1;
                return;
            }
            Some((_, end)) => {
                let end = *end + 1;
                self.stretches.push((series, end));
            }
            None => self.stretches.push((series, 1)),
        }
        let of = self.stretches.len();
        if of > FEW && of * LONG > self.len() {
            self.listed = self.all().collect();
            self.stretches = Vec::new();
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.stretches.shrink_to_fit();
        self.listed.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        /// Would catch a row whose values are another's: rows of as many values each, then others; none at first.
        #[test]
        fn values_are_those_of_their_row(
            (each, equal) in (0_u32..3, 0_usize..4),
            others in vec(0_u32..3, 0..4),
        ) {
            let counts: Vec<u32> = std::iter::repeat_n(each, equal).chain(others).collect();
            let begins = |row: usize| counts[..row].iter().sum::<u32>();
            let mut first = First::default();
            (0..counts.len()).for_each(|row| first.push(row, begins(row)));
            for (row, count) in counts.iter().enumerate() {
                prop_assert_eq!(first.get(row), begins(row));
                for value in begins(row)..begins(row) + count {
                    prop_assert_eq!(first.row(value, counts.len()), row);
                }
            }
        }

        /// Would catch a row of another series, long stretches first, or a hundred short ones.
        #[test]
        fn series_are_those_of_their_row(
            stretches in vec((0_usize..5, 1_usize..9), 0..30),
            short in vec(0_usize..3, 0..150),
        ) {
            let stretches = stretches.into_iter().flat_map(|(of, n)| std::iter::repeat_n(of, n));
            let rows: Vec<SeriesId> =
                stretches.chain(short).map(|of| SeriesId::new(of).unwrap()).collect();
            let mut series = SeriesOfRows::default();
            rows.iter().for_each(|of| series.push(*of));
            prop_assert_eq!(series.len(), rows.len());
            prop_assert_eq!(series.all().collect::<Vec<_>>(), rows.clone());
            prop_assert_eq!((0..rows.len()).map(|row| series.get(row)).collect::<Vec<_>>(), rows.clone());
            prop_assert_eq!(series.last(), rows.last().copied());
        }
    }
}
