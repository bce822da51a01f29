//! Where warm-ups stand in pictures over time.
//!
//! Owns the rule: executions of commands before the first block, calls of cases, each of whose blocks is a process that
//! warms up, in the first part of their blocks. Refuses metrics other than time, of which a warm-up of calls records
//! nothing.

use std::collections::BTreeSet;

use super::readings::Point;
use crate::analysis::subject::Subject;
use crate::dataset::WarmupBatch;
use crate::metrics;

/// The share of a block that is its warm-up's. Because: a warm-up takes about as long as a quarter of a process, and
/// has to be seen.
const SHARE: f64 = 0.3;
/// Of more blocks than this, stretches would be too narrow to be told apart.
const BLOCKS: usize = 120;

/// Warm-ups of benchmarks that are drawn beside one another.
pub(super) enum Warmups {
    /// None that can be drawn.
    None,
    /// So many executions of each before the first block.
    First(u32),
    /// Calls at the beginning of these blocks.
    Blocks(BTreeSet<u32>),
}

impl Warmups {
    /// Those of some benchmarks, by a metric.
    pub(super) fn new(subjects: &[&Subject<'_>], metric: &str) -> Warmups {
        let blocks: BTreeSet<u32> =
            subjects.iter().flat_map(|it| batches(it)).map(|batch| batch.block).collect();
        let Some(last) = blocks.last().filter(|_| metric == metrics::WALL) else {
            return Warmups::None;
        };
        let cases = subjects.iter().filter(|it| it.case().is_some()).count();
        match cases {
            _ if blocks.len() > BLOCKS => Warmups::None,
            0 => Warmups::First(last + 1),
            all if all == subjects.len() => Warmups::Blocks(blocks),
            _ => Warmups::None,
        }
    }

    /// How far within a block a reading stands that is so far within the measured ones.
    pub(super) fn measured(&self, within: f64) -> f64 {
        match self {
            Warmups::None | Warmups::First(_) => within,
            Warmups::Blocks(_) => SHARE + (1.0 - SHARE) * within,
        }
    }

    /// The stretches of the axis that are the warm-up's.
    pub(super) fn stretches(&self) -> Vec<(f64, f64)> {
        match self {
            Warmups::None => Vec::new(),
            Warmups::First(count) => vec![(1.0 - f64::from(*count), 1.0)],
            Warmups::Blocks(blocks) => {
                let begin = |block: &u32| f64::from(*block) + 1.0;
                blocks.iter().map(|it| (begin(it), begin(it) + SHARE)).collect()
            }
        }
    }

    /// A benchmark's readings, seconds per execution or call, in order.
    pub(super) fn points(&self, subject: &Subject<'_>) -> Vec<Point> {
        let mut batches = batches(subject);
        batches.sort_by_key(|batch| batch.block);
        let mut points = Vec::new();
        for block in batches.chunk_by(|a, b| a.block == b.block) {
            #[allow(clippy::cast_precision_loss, reason = "a place within a picture")]
            let within = |at: usize| (at as f64 + 0.5) / block.len() as f64;
            points.extend(block.iter().enumerate().filter_map(|(at, batch)| {
                let number = f64::from(batch.block);
                let at = match self {
                    Warmups::None => return None,
                    Warmups::First(count) => 1.0 - f64::from(*count) + number + within(at),
                    Warmups::Blocks(_) => number + 1.0 + SHARE * within(at),
                };
                Some(Point { at, value: batch.per_call() })
            }));
        }
        points
    }
}

fn batches(subject: &Subject<'_>) -> Vec<WarmupBatch> {
    subject.group.tally(subject.data).map_or_else(Vec::new, |tally| tally.warmups.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch readings within a shaded stretch, and warm-ups of commands among measured blocks.
    #[test]
    fn stretches_stand_before_what_is_measured() {
        let calls = Warmups::Blocks([0, 1].into());
        assert_eq!(calls.stretches(), [(1.0, 1.0 + SHARE), (2.0, 2.0 + SHARE)]);
        assert_eq!((calls.measured(0.0), calls.measured(1.0)), (SHARE, 1.0));
        let executions = Warmups::First(2);
        assert_eq!(executions.stretches(), [(-1.0, 1.0)]);
        assert_eq!(executions.measured(0.5), 0.5);
        assert!(Warmups::None.stretches().is_empty());
    }
}
