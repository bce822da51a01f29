//! How many machines, blocks on each, and readings in each block say most for the time of machines that there is.
//!
//! Owns where the scatter of machines' values comes from, and the best use of time that follows from it. Refuses fewer
//! machines than say something of others, and fewer blocks than one counts from.

use std::iter::successors;

use super::moments::{mean, stddev};
use super::nodes::{ENOUGH_BLOCKS, ENOUGH_NODES, NodeValue};
use super::student_t::student_t_quantile;

/// Numbers of readings that are tried are so many times as large as the one before: errors hardly differ within.
const STEP: f64 = 1.05;

/// Variances of what machines say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeScatter {
    /// Of the machines themselves; 0 where their blocks explain all of it.
    pub between: f64,
    /// Of a machine's value from a single block.
    pub within: f64,
}

/// Seconds that more of something takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeCosts {
    /// A machine, until its first block.
    pub node: f64,
    /// A block on it.
    pub block: f64,
}

/// The readings of blocks that hold several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockReadings {
    /// How many a block has.
    pub count: f64,
    /// The variance between blocks beyond their readings, above 0.
    pub between: f64,
    /// That of readings within a block.
    pub within: f64,
    /// Seconds that one more takes.
    pub cost: f64,
}

impl BlockReadings {
    /// The number of them that serves so many seconds of machines best. It is √(c₁/c₂ · s²_reading/s²_block), c₁ being
    /// what a block takes beside its readings; fewer where each machine then has no ten blocks. Absent where it is not
    /// known.
    ///
    /// Kalibera & Jones, Rigorous benchmarking in reasonable time, ISMM (2013), §6.
    #[must_use]
    pub fn best(&self, (scatter, costs): (NodeScatter, NodeCosts), seconds: f64) -> Option<f64> {
        let own = costs.block - self.count * self.cost;
        let free = (own / self.cost * (self.within / self.between)).sqrt().round().max(1.0);
        if !(own > 0.0 && self.cost > 0.0 && free.is_finite()) {
            return None;
        }
        let next = |count: &f64| Some((count * STEP).floor().max(count + 1.0));
        let fewer = successors(Some(1.0), next).take_while(|count| *count < free);
        let error = |count: f64| {
            let (scatter, costs) = self.with(count, (scatter, costs));
            best_allotment(scatter, costs, seconds).map(|it| it.error)
        };
        let tried = fewer.chain([free]).filter_map(|count| Some((count, error(count)?)));
        tried.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(count, _)| count)
    }

    /// The scatter and costs with so many readings a block in place of those that there are.
    #[must_use]
    pub fn with(
        &self,
        count: f64,
        (scatter, costs): (NodeScatter, NodeCosts),
    ) -> (NodeScatter, NodeCosts) {
        let of = |count: f64| self.between + self.within / count;
        let within = scatter.within * of(count) / of(self.count);
        let block = costs.block + (count - self.count) * self.cost;
        (NodeScatter { within, ..scatter }, NodeCosts { block, ..costs })
    }
}

/// A use of the time that there is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allotment {
    /// How many machines.
    pub nodes: usize,
    /// Blocks on each.
    pub blocks: usize,
    /// The standard error of their mean.
    pub error: f64,
}

/// The variance of a machine's value from a single block, by the errors that machines with so many blocks have. Absent
/// without machines, and where it is not finite.
#[must_use]
#[allow(clippy::cast_precision_loss)] // numbers of blocks
pub fn block_variance(nodes: &[(NodeValue, usize)]) -> Option<f64> {
    let of_one = |(node, blocks): &(NodeValue, usize)| node.error * node.error * *blocks as f64;
    mean(&nodes.iter().map(of_one).collect::<Vec<f64>>()).filter(|it| it.is_finite())
}

impl NodeScatter {
    /// Of machines with their numbers of blocks: the variance of their values less what their own errors explain.
    /// Absent below [`ENOUGH_NODES`].
    #[must_use]
    pub fn new(nodes: &[(NodeValue, usize)]) -> Option<NodeScatter> {
        let values: Vec<f64> = nodes.iter().map(|(node, _)| node.value).collect();
        let sd = stddev(&values).filter(|_| nodes.len() >= ENOUGH_NODES)?;
        let squares: Vec<f64> = nodes.iter().map(|(node, _)| node.error * node.error).collect();
        let within = block_variance(nodes)?;
        let between = (sd * sd - mean(&squares)?).max(0.0);
        between.is_finite().then_some(NodeScatter { between, within })
    }

    /// The squared standard error of the mean of so many machines with so many blocks each.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // numbers of machines and blocks
    pub fn square(&self, nodes: usize, blocks: usize) -> f64 {
        (self.between + self.within / blocks as f64) / nodes as f64
    }
}

/// The use of so many seconds of machines with the smallest standard error. Absent where machines add nothing by
/// themselves, as more blocks on any serve as well, and where the time is not enough for three of ten blocks.
///
/// √(c₁/c₂ · s²_block/s²_node) blocks on each; Cochran, Sampling Techniques (1977), §10.6.
#[must_use]
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts from seconds
pub fn best_allotment(scatter: NodeScatter, costs: NodeCosts, seconds: f64) -> Option<Allotment> {
    let NodeCosts { node, block } = costs;
    if scatter.between <= 0.0 || !(block > 0.0 && node >= 0.0 && seconds.is_finite()) {
        return None;
    }
    let best = (node / block * scatter.within / scatter.between).sqrt();
    let best = best.max(ENOUGH_BLOCKS as f64);
    let most = seconds / (node + block * ENOUGH_BLOCKS as f64);
    let about = (seconds / (node + block * best)).floor() as usize;
    let of = |nodes: usize| {
        let blocks = ((seconds / nodes as f64 - node) / block * (1.0 + 1e-12)).floor() as usize;
        let error = scatter.square(nodes, blocks).sqrt();
        Allotment { nodes, blocks, error }
    };
    let nodes = [about, about + 1].map(|nodes| nodes.max(ENOUGH_NODES));
    let possible = nodes.into_iter().filter(|nodes| *nodes as f64 <= most * (1.0 + 1e-12));
    possible.map(of).min_by(|one, other| one.error.total_cmp(&other.error))
}

/// Half the width of an interval of 95 % over so many machines, in standard errors.
#[must_use]
#[allow(clippy::cast_precision_loss)] // a number of machines
pub fn reach_in_errors(nodes: usize) -> f64 {
    -student_t_quantile(0.025, nodes.saturating_sub(1).max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best of all numbers of machines and blocks that the time is enough for, by trying each.
    fn tried(scatter: NodeScatter, costs: NodeCosts, seconds: f64) -> Option<Allotment> {
        let mut best: Option<Allotment> = None;
        for nodes in 3..2000_usize {
            for blocks in 10..5000_usize {
                let takes = nodes as f64 * (costs.node + costs.block * blocks as f64);
                if takes > seconds * (1.0 + 1e-9) {
                    break;
                }
                let error = scatter.square(nodes, blocks).sqrt();
                if best.is_none_or(|best| error < best.error) {
                    best = Some(Allotment { nodes, blocks, error });
                }
            }
        }
        best
    }

    /// Would catch a number of readings that another one beats, and a block that costs, or scatters, as it did before.
    #[test]
    fn the_best_number_of_readings_is_the_best() {
        for (between, within) in [(1e-4, 1e-2), (1e-3, 1e-3), (4e-4, 1e-6), (1e-5, 4e-3)] {
            for (own, cost) in [(0.2, 0.01), (0.05, 0.05), (3.0, 0.002)] {
                let count = 20.0;
                let readings = BlockReadings { count, between, within, cost };
                let scatter = NodeScatter { between: 4e-4, within: between + within / count };
                let costs = NodeCosts { node: 3.0, block: own + cost * count };
                let of = |count: f64| {
                    let (scatter, costs) = readings.with(count, (scatter, costs));
                    assert!((scatter.within - between - within / count).abs() < 1e-15);
                    assert!((costs.block - own - cost * count).abs() < 1e-12);
                    tried(scatter, costs, 600.0).unwrap().error
                };
                let best = readings.best((scatter, costs), 600.0).unwrap();
                let slow = (1..200).map(|count| of(f64::from(count))).fold(f64::MAX, f64::min);
                assert!(of(best.min(199.0)) <= slow * 1.02, "{readings:?}: {best}");
            }
        }
        let unknown = BlockReadings { count: 9.0, between: 0.0, within: 1.0, cost: 1.0 };
        let scatter = NodeScatter { between: 1.0, within: 1.0 };
        for block in [99.0, 9.0] {
            assert_eq!(unknown.best((scatter, NodeCosts { node: 1.0, block }), 1e4), None);
        }
    }

    /// Would catch a ratio that is upside down, a machine whose own time is forgotten, and more than the time is enough for.
    #[test]
    fn the_best_use_of_time_is_the_best() {
        for between in [1e-6, 1e-4, 4e-4, 1e-2] {
            for (node, block) in [(3.0, 0.1), (0.0, 1.0), (60.0, 0.5), (1.0, 4.0)] {
                for seconds in [50.0, 300.0, 1800.0] {
                    let scatter = NodeScatter { between, within: 1e-2 };
                    let costs = NodeCosts { node, block };
                    let (found, slow) =
                        (best_allotment(scatter, costs, seconds), tried(scatter, costs, seconds));
                    let Some((found, slow)) = found.zip(slow) else {
                        assert_eq!(found, slow);
                        continue;
                    };
                    assert!(found.error <= slow.error * 1.02, "{found:?} {slow:?} {costs:?}");
                    let takes = found.nodes as f64 * (node + block * found.blocks as f64);
                    assert!(takes <= seconds * (1.0 + 1e-9), "{found:?} {takes}");
                    assert!(found.nodes >= 3 && found.blocks >= 10, "{found:?}");
                }
            }
        }
        let alike = NodeScatter { between: 0.0, within: 1.0 };
        assert_eq!(best_allotment(alike, NodeCosts { node: 1.0, block: 1.0 }, 1e4), None);
    }

    /// Would catch scatter of blocks that is taken for that of machines.
    #[test]
    fn scatter_of_machines_is_what_blocks_do_not_explain() {
        let node = |value, error| (NodeValue { value, error, df: 9.0 }, 10);
        let found = NodeScatter::new(&[node(0.1, 0.03), node(0.2, 0.03), node(0.3, 0.03)]).unwrap();
        assert!((found.between - (0.01 - 0.0009)).abs() < 1e-12, "{found:?}");
        assert!((found.within - 0.009).abs() < 1e-12, "{found:?}");
        let alike = NodeScatter::new(&[node(0.1, 0.2), node(0.2, 0.2), node(0.3, 0.2)]).unwrap();
        assert!(alike.between == 0.0);
        assert_eq!(NodeScatter::new(&[node(0.1, 0.2), node(0.2, 0.2)]), None);
    }
}
