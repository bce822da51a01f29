//! A sample: the values of one benchmark and one metric, in time order, in base units, each with
//! the block it belongs to; and the pairs two samples form.
//!
//! Values are never reordered, trimmed or dropped here. Whether a difference is real is
//! [`crate::compare`]'s question.

use std::sync::Arc;

use crate::model::Column;
use crate::stats::{NotFinite, Sorted};

/// Values of one benchmark and metric.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Base units, time order.
    pub values: Vec<f64>,
    /// The block of each value, ascending; empty if the source has no blocks. Shared between the
    /// metrics of a benchmark.
    pub blocks: Arc<[u32]>,
    sorted: Sorted,
}

impl Sample {
    /// A sample of finite values. Blocks are either empty or one per value.
    ///
    /// # Errors
    /// If a value is not finite: readers type such values absent, so this is a broken source.
    pub fn new(values: Vec<f64>, blocks: Arc<[u32]>) -> Result<Sample, NotFinite> {
        let sorted = Sorted::new(&values)?;
        Ok(Sample { values, blocks, sorted })
    }

    /// The sample of one column of a series whose rows belong to `blocks` (empty if it has none).
    ///
    /// # Errors
    /// As [`Sample::new`].
    pub fn of_column(column: Column, blocks: &Arc<[u32]>) -> Result<Sample, NotFinite> {
        let complete = column.rows.len() == blocks.len();
        let blocks = if complete || blocks.is_empty() {
            Arc::clone(blocks)
        } else {
            column.rows.iter().filter_map(|row| blocks.get(*row as usize).copied()).collect()
        };
        Sample::new(column.values, blocks)
    }

    /// The same values, sorted once.
    #[must_use]
    pub fn sorted(&self) -> &Sorted {
        &self.sorted
    }

    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether two or more values are all the same.
    #[must_use]
    pub fn has_no_spread(&self) -> bool {
        self.len() > 1 && self.sorted.min() == self.sorted.max()
    }

    /// Whether every value is above 0, so that ratios and logarithms exist.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.sorted.min().is_some_and(|min| min > 0.0)
    }
}

/// The blocks two samples have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    /// The base's value of each common block.
    pub base: Vec<f64>,
    /// The candidate's value of the same block.
    pub candidate: Vec<f64>,
    /// Blocks in which only one of the two has a value.
    pub dropped: usize,
}

/// Pairs two samples of one run set by block, O(n). `None` if they share no block: then they are
/// independent (executed one after the other, or without blocks).
#[must_use]
pub fn pairs(base: &Sample, candidate: &Sample) -> Option<Pairs> {
    let (mut i, mut j) = (0, 0);
    let mut pairs = Pairs { base: Vec::new(), candidate: Vec::new(), dropped: 0 };
    while i < base.blocks.len() && j < candidate.blocks.len() {
        match base.blocks[i].cmp(&candidate.blocks[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                pairs.base.push(base.values[i]);
                pairs.candidate.push(candidate.values[j]);
                i += 1;
                j += 1;
            }
        }
    }
    let common = pairs.base.len();
    pairs.dropped = base.blocks.len() + candidate.blocks.len() - 2 * common;
    (common > 0).then_some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(blocks: &[u32]) -> Sample {
        let values = blocks.iter().map(|b| f64::from(*b) + 0.5).collect();
        Sample::new(values, blocks.into()).unwrap()
    }

    #[test]
    fn a_block_with_one_side_missing_drops_out_and_is_counted() {
        let pairs = pairs(&sample(&[0, 1, 3, 4]), &sample(&[1, 2, 4, 5])).unwrap();
        assert_eq!(pairs.base, [1.5, 4.5]);
        assert_eq!(pairs.candidate, [1.5, 4.5]);
        assert_eq!(pairs.dropped, 4);
    }

    #[test]
    fn samples_that_share_no_block_do_not_pair() {
        assert_eq!(pairs(&sample(&[0, 1]), &sample(&[2, 3])), None);
        let without = Sample::new(vec![1.0, 2.0], Arc::new([])).unwrap();
        assert_eq!(pairs(&without, &without), None);
    }
}
