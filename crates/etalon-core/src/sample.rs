//! A sample: the values of one benchmark and metric, in time order, in base units, each with
//! the block it belongs to; and the pairs two samples form.
//!
//! Where a block holds several readings of a benchmark, interleaved with those of the others, the
//! block is what counts: the sample's value is the median over its turns, and two samples pair turn
//! by turn within the block. Values are never reordered, trimmed or dropped here. Whether a
//! difference is real is [`crate::compare`]'s question.

mod nodes;
mod pairs;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::model::Nodes;
use crate::stats::{self, Dependence, NotFinite, Sorted};

use nodes::by_node;
pub(crate) use nodes::{NodePart, dependence_within};
pub use pairs::{Pairs, pairs};

/// Values of one benchmark and metric.
#[derive(Debug, Clone)]
pub struct Sample {
    /// One value per unit of replication (an execution; a block, where it holds several readings):
    /// base units, time order.
    pub values: Vec<f64>,
    /// The block of each value, ascending; empty if the source has no blocks. Shared between the
    /// metrics of a benchmark.
    pub blocks: Arc<[u32]>,
    /// Executions that have no value because of how they ended.
    pub lost: Lost,
    sorted: Sorted,
    /// Computed once: a sample's own interval needs it, and every comparison with another one.
    dependence: OnceLock<Option<Dependence>>,
    turns: Option<Turns>,
    runs: Vec<RunEnd>,
    /// The machines that its blocks were executed on, where these are several.
    nodes: Option<Arc<Nodes>>,
    /// Of a side of a project that was built several times: what each build says in the same places, in the order of
    /// their numbers. The values are their means, which are shown; builds are what is compared.
    builds: Vec<Sample>,
}

/// Where the values of one run of the experiment end, in a sample of several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunEnd {
    /// The number of values up to here.
    pub end: usize,
    /// When the run began, where that is known.
    pub began: Option<Moment>,
    /// The share of a typical reading of wall clock for which its execution stood ready and waited for a CPU; 0 where
    /// that is not known, and of other metrics.
    pub waited: f64,
}

/// A moment on some clock; those of one clock are in order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Whose.
    pub clock: Clock,
    /// Seconds since 1970 by the calendar, else a place in an order.
    pub at: f64,
}

/// The clock by which it is known when runs began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// The time of day and its date.
    Calendar,
    /// The order in the source of this number.
    Order(usize),
}

/// Executions that failed, were killed or timed out: they have no value, and not by chance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lost {
    /// How many.
    pub count: usize,
    /// Of so many executions.
    pub of: usize,
}

impl Lost {
    /// Whether so many are missing that what is left says nothing about all: more than 5 %.
    #[must_use]
    pub(crate) fn too_many(&self) -> bool {
        20 * self.count > self.of
    }
}

/// Interleaved readings: several of each block.
#[derive(Debug, Clone)]
pub struct Turns {
    /// Base units, time order.
    pub values: Vec<f64>,
    /// Block and turn of each value, ascending.
    pub places: Arc<[(u32, u32)]>,
    sorted: Sorted,
}

/// Where the values of a sample were measured. Shared between the metrics of a benchmark.
#[derive(Debug, Clone)]
pub enum Places {
    /// It is not known of all, or means nothing.
    None,
    /// In blocks, ascending.
    Blocks(Arc<[u32]>),
    /// In blocks and turns of them, ascending.
    Turns(Arc<[(u32, u32)]>),
}

impl Sample {
    /// A sample of finite values in the order of their places.
    ///
    /// # Errors
    /// As [`Sample::new`].
    pub fn at(values: Vec<f64>, places: Places) -> Result<Sample, NotFinite> {
        match places {
            Places::None => Sample::new(values, Arc::new([])),
            Places::Blocks(blocks) => Sample::new(values, blocks),
            Places::Turns(places) => Sample::in_turns(values, places),
        }
    }

    /// A sample of finite values. Blocks are either empty or one per value.
    ///
    /// # Errors
    /// If a value is not finite: readers type such values absent, so this is a broken source.
    pub fn new(values: Vec<f64>, blocks: Arc<[u32]>) -> Result<Sample, NotFinite> {
        let sorted = Sorted::new(&values)?;
        let lost = Lost::default();
        let dependence = OnceLock::new();
        let (turns, runs, nodes, builds) = (None, Vec::new(), None, Vec::new());
        Ok(Sample { values, blocks, lost, sorted, dependence, turns, runs, nodes, builds })
    }

    /// A sample of interleaved readings; `places` is block and turn of each, ascending.
    ///
    /// # Errors
    /// As [`Sample::new`].
    pub fn in_turns(values: Vec<f64>, places: Arc<[(u32, u32)]>) -> Result<Sample, NotFinite> {
        let sorted = Sorted::new(&values)?;
        let mut medians = Vec::new();
        let mut blocks = Vec::new();
        let mut from = 0;
        for block in places.chunk_by(|a, b| a.0 == b.0) {
            let within = &values[from..from + block.len()];
            medians.extend(median(within));
            blocks.push(block[0].0);
            from += block.len();
        }
        let sample = Sample::new(medians, blocks.into())?;
        Ok(Sample { turns: Some(Turns { values, places, sorted }), ..sample })
    }

    /// The sample as one of several runs of the experiment.
    #[must_use]
    pub fn in_runs(self, runs: Vec<RunEnd>) -> Sample {
        debug_assert!(runs.last().is_none_or(|last| last.end == self.values.len()));
        Sample { runs, ..self }
    }

    /// The sample as one whose blocks were executed on these nodes.
    #[must_use]
    pub fn on_nodes(self, nodes: Arc<Nodes>) -> Sample {
        Sample { nodes: Some(nodes), ..self }
    }

    /// The sample as the means of several builds of a side, each in the same places as it.
    #[must_use]
    pub fn with_builds(self, builds: Vec<Sample>) -> Sample {
        debug_assert!(builds.iter().all(|of| of.blocks == self.blocks));
        Sample { builds, ..self }
    }

    /// The runs of the experiment in time order, each with its values; all of one, where nothing else is known.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (&[f64], RunEnd)> {
        let one = [RunEnd { end: self.values.len(), began: None, waited: 0.0 }];
        let runs = if self.runs.is_empty() { one.to_vec() } else { self.runs.clone() };
        let mut from = 0;
        runs.into_iter()
            .map(move |run| (&self.values[std::mem::replace(&mut from, run.end)..run.end], run))
    }

    /// Says of each run how long its readings waited for a CPU ([`RunEnd::waited`]).
    pub(crate) fn set_waited(&mut self, shares: impl Iterator<Item = f64>) {
        self.runs.iter_mut().zip(shares).for_each(|(run, share)| run.waited = share);
    }

    /// The values in order of size, sorted once.
    #[must_use]
    pub(crate) fn sorted(&self) -> &Sorted {
        &self.sorted
    }

    /// Serial dependence of the values, of several nodes within each; absent of fewer than three, and of values all
    /// alike. O(n log n), once.
    pub(crate) fn dependence(&self) -> Option<Dependence> {
        let of = || match by_node(self.nodes.as_deref(), &self.blocks) {
            parts if parts.len() > 1 => dependence_within(&self.values, &parts),
            _ => stats::serial_dependence_of_sorted(&self.values, &self.sorted),
        };
        *self.dependence.get_or_init(of)
    }

    /// Every reading in time order: the values themselves, unless they are medians over turns.
    #[must_use]
    pub(crate) fn readings(&self) -> &[f64] {
        self.turns.as_ref().map_or(&self.values, |turns| &turns.values)
    }

    /// Every reading in time order, of several nodes one after the other: their clocks are not related.
    #[must_use]
    pub(crate) fn in_time(&self) -> Cow<'_, [f64]> {
        let blocks: Cow<'_, [u32]> = match &self.turns {
            Some(turns) => turns.places.iter().map(|(block, _)| *block).collect(),
            None => Cow::Borrowed(&self.blocks),
        };
        match by_node(self.nodes.as_deref(), &blocks) {
            parts if parts.len() > 1 => {
                parts.iter().flat_map(|part| part.of(self.readings(), 1)).collect()
            }
            _ => Cow::Borrowed(self.readings()),
        }
    }

    /// Every reading, sorted once.
    #[must_use]
    pub(crate) fn sorted_readings(&self) -> &Sorted {
        self.turns.as_ref().map_or(&self.sorted, |turns| &turns.sorted)
    }

    /// The readings of each block in time order; none where a block holds only one.
    pub(crate) fn readings_by_block(&self) -> impl Iterator<Item = &[f64]> {
        let places = self.turns.as_ref().map_or(&[][..], |turns| &turns.places);
        let mut rest = self.readings();
        places.chunk_by(|a, b| a.0 == b.0).map(move |block| {
            let (readings, later) = rest.split_at(block.len());
            rest = later;
            readings
        })
    }

    /// How many readings there are in a block.
    #[must_use]
    pub(crate) fn readings_in(&self, block: u32) -> usize {
        match &self.turns {
            Some(turns) => turns.places.iter().filter(|(at, _)| *at == block).count(),
            None => self.blocks.iter().filter(|at| **at == block).count(),
        }
    }

    /// Whether a value stands for several readings.
    #[must_use]
    pub(crate) fn has_turns(&self) -> bool {
        self.turns.is_some()
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

    /// Whether two or more readings are all the same.
    #[must_use]
    pub(crate) fn has_zero_variance(&self) -> bool {
        let readings = self.sorted_readings();
        self.readings().len() > 1 && readings.min() == readings.max()
    }

    /// Whether every reading of both is the same one.
    #[must_use]
    pub(crate) fn is_constant_as(&self, other: &Sample) -> bool {
        let (own, others) = (self.sorted_readings(), other.sorted_readings());
        own.min().is_some_and(|min| {
            Some(min) == own.max() && Some(min) == others.min() && Some(min) == others.max()
        })
    }

    /// Whether all values are the same; of one value they are.
    #[must_use]
    pub(crate) fn is_constant(&self) -> bool {
        self.sorted.min() == self.sorted.max()
    }

    /// Whether every reading is above 0, of every build too, so that ratios and logarithms exist.
    #[must_use]
    pub(crate) fn is_positive(&self) -> bool {
        let own = self.sorted_readings().min().is_some_and(|min| min > 0.0);
        own && self.builds.iter().all(Sample::is_positive)
    }
}

/// The median, also of values that are beyond what a double holds (a block must not go missing for
/// that); absent of none.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    if let [only] = values {
        return Some(*only); // nearly every block there is
    }
    median_in(&mut values.to_vec())
}

/// The median of values whose order nobody needs: changes it. O(n).
pub(crate) fn median_in(values: &mut [f64]) -> Option<f64> {
    if let [] | [_] = values {
        return values.first().copied();
    }
    let (middle, is_odd) = (values.len() / 2, values.len() % 2 == 1);
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp).filter(|_| !is_odd);
    Some(lower.map_or(*upper, |lower| f64::midpoint(lower, *upper)))
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

    #[test]
    fn turns_pair_within_their_block_and_the_block_counts_once() {
        let places = |places: &[(u32, u32)]| -> Arc<[(u32, u32)]> { places.into() };
        let base = Sample::in_turns(
            vec![1.0, 2.0, 9.0, 4.0, 5.0],
            places(&[(0, 0), (0, 1), (0, 2), (1, 0), (3, 0)]),
        )
        .unwrap();
        assert_eq!(
            (base.values.as_slice(), &base.blocks[..]),
            (&[2.0, 4.0, 5.0][..], &[0, 1, 3][..])
        );
        assert_eq!(base.readings().len(), 5);
        let candidate =
            Sample::in_turns(vec![3.0, 18.0, 8.0, 6.0], places(&[(0, 0), (0, 2), (1, 0), (2, 0)]))
                .unwrap();
        let pairs = pairs(&base, &candidate).unwrap();
        assert_eq!((pairs.blocks(), pairs.dropped), (2, 2));
        // Block 0: the median of 3 and 2 (turn 1 has one side only); block 1: 2.
        assert_eq!(pairs.within_blocks(|b, c| c / b), [2.5, 2.0]);
    }

    #[test]
    fn a_reading_by_turns_is_no_reading_of_a_plain_sample() {
        // One side has turns and the other has not: blocks pair, by their medians.
        let plain = sample(&[0, 1]);
        let turned =
            Sample::in_turns(vec![1.0, 3.0, 5.0], [(0, 0), (0, 1), (1, 0)].into()).unwrap();
        let pairs = pairs(&plain, &turned).unwrap();
        assert_eq!(pairs.candidate, [2.0, 5.0]);
        assert_eq!(pairs.ends, [1, 2]);
    }
}
