//! Where the scatter of a comparison over several machines comes from, and the use of their time that would show more.
//!
//! Owns what machines, blocks and readings take, by the times in the record. The formulas are [`stats::best_allotment`] and
//! [`BlockReadings`]. Refuses to relate times of nodes: each counts by its own clock.

use crate::model::{Nodes, Stay};
use crate::sample::{NodePart, Pairs};
use crate::stats::{self, Allotment, BlockReadings, NodeCosts, NodeScatter, NodeValue};
use crate::variation::{self, Levels};

/// An interval that is narrower by less than this is not worth another experiment.
const WORTH: f64 = 0.95;

/// A better use of the time that machines were at work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BetterUse {
    /// Machines differ by no more than their blocks explain: more blocks on these serve as well as more machines.
    Blocks,
    /// So many machines with so many blocks on each.
    Machines {
        /// How many machines.
        nodes: usize,
        /// Blocks on each.
        blocks: usize,
        /// Readings in each block; absent where a block has one, or it is not known what another one takes.
        readings: Option<usize>,
        /// The width of their interval as a share of this one's.
        width: f64,
    },
}

/// Shares of the variance of what readings say, on the nodes that count.
pub(super) fn levels(values: &[f64], pairs: &Pairs, counted: &[&NodePart]) -> Levels {
    let are_alone = values.len() == pairs.blocks();
    let (mut own, mut nodes, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
    for (node, part) in (0..).zip(counted) {
        for at in &part.at {
            let readings = match are_alone {
                true => *at..at + 1,
                false => at.checked_sub(1).map_or(0, |before| pairs.ends[before])..pairs.ends[*at],
            };
            nodes.extend(readings.clone().map(|_| node));
            blocks.extend(readings.clone().map(|_| pairs.numbers[*at]));
            own.extend_from_slice(&values[readings]);
        }
    }
    match are_alone {
        true => variation::levels(&own, &[("node", &nodes)], "block"),
        false => variation::levels(&own, &[("node", &nodes), ("block", &blocks)], "reading"),
    }
}

/// The use of as much time of machines that would tell most about machines like these.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // numbers of readings
pub(super) fn better(
    values: &[(NodeValue, usize)],
    levels: &Levels,
    (pairs, counted): (&Pairs, &[&NodePart]),
) -> Option<BetterUse> {
    let Spent { costs, seconds, reading } = Spent::new(pairs.nodes.as_ref()?, counted)?;
    let scatter = NodeScatter::new(values)?;
    if scatter.between <= 0.0 {
        return Some(BetterUse::Blocks);
    }
    let count = pairs.base.len() as f64 / pairs.blocks() as f64;
    let readings = match (&levels[..], reading) {
        ([_, block, within], Some(cost)) => {
            let (between, within) = (block.variance, within.variance);
            Some(BlockReadings { count, between, within, cost })
        }
        _ => None,
    };
    let best = readings.and_then(|readings| readings.best((scatter, costs), seconds));
    let asked = readings
        .zip(best)
        .map_or((scatter, costs), |(readings, best)| readings.with(best, (scatter, costs)));
    let Allotment { nodes, blocks, error } = stats::best_allotment(asked.0, asked.1, seconds)?;
    let own = |(_, blocks): &(NodeValue, usize)| scatter.square(1, *blocks);
    let own = values.iter().map(own).sum::<f64>().sqrt() / values.len() as f64;
    let reach = |nodes: usize, error: f64| stats::reach_in_errors(nodes) * error;
    let width = reach(nodes, error) / reach(values.len(), own);
    let readings = best.map(|best| best as usize);
    (width < WORTH).then_some(BetterUse::Machines { nodes, blocks, readings, width })
}

/// The time that machines were at work.
struct Spent {
    /// The seconds that one more machine and one more block take.
    costs: NodeCosts,
    /// Those of all machines together.
    seconds: f64,
    /// Those of one more turn of a block; absent where blocks have no turns.
    reading: Option<f64>,
}

impl Spent {
    #[allow(clippy::cast_precision_loss)] // numbers of machines, blocks and turns, nanoseconds
    fn new(nodes: &Nodes, counted: &[&NodePart]) -> Option<Spent> {
        let (mut first, mut each, mut all) = (0.0, 0.0, 0.0);
        let (mut turns, mut turns_ns) = (0, 0);
        for part in counted {
            let stay = nodes.stay(part.node?)?;
            let Stay { first_ns, last_ns, .. } = stay;
            // The last block ends as long after its last observation began as the others did.
            let block = (last_ns - first_ns) as f64 * 1e-9 / (part.at.len() - 1) as f64;
            first += first_ns as f64 * 1e-9;
            each += block;
            all += last_ns as f64 * 1e-9 + block;
            (turns, turns_ns) = (turns + stay.turns, turns_ns + stay.turns_ns);
        }
        let k = counted.len() as f64;
        Some(Spent {
            costs: NodeCosts { node: first / k, block: each / k },
            seconds: all,
            reading: (turns > 0).then(|| turns_ns as f64 * 1e-9 / turns as f64),
        })
    }
}
