//! Values by the machines that their blocks were executed on.
//!
//! Owns that nothing is in time order over nodes: their clocks are not related, and what one of them does meanwhile is
//! no neighbour of what another does.

use std::collections::BTreeMap;

use crate::model::Nodes;
use crate::stats::{Dependence, serial_dependence};

/// The values of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NodePart {
    /// Its number; absent of blocks that no node claims.
    pub(crate) node: Option<u32>,
    /// The places of its values among all, ascending.
    pub(crate) at: Vec<usize>,
}

impl NodePart {
    /// Its values, `each` of every place.
    pub(crate) fn of(&self, values: &[f64], each: usize) -> Vec<f64> {
        self.at.iter().flat_map(|at| &values[at * each..(at + 1) * each]).copied().collect()
    }
}

/// The places of blocks, node by node in the order of their numbers; none where there are no nodes.
pub(crate) fn by_node(nodes: Option<&Nodes>, blocks: &[u32]) -> Vec<NodePart> {
    let Some(nodes) = nodes else { return Vec::new() };
    let mut parts: BTreeMap<Option<u32>, Vec<usize>> = BTreeMap::new();
    for (at, block) in blocks.iter().enumerate() {
        parts.entry(nodes.of(*block)).or_default().push(at);
    }
    parts.into_iter().map(|(node, at)| NodePart { node, at }).collect()
}

/// Serial dependence within nodes: the mean of their r1, by their numbers of values.
#[allow(clippy::cast_precision_loss)] // numbers of values
pub(crate) fn dependence_within(values: &[f64], parts: &[NodePart]) -> Option<Dependence> {
    if parts.len() < 2 {
        return serial_dependence(values);
    }
    let of = |part: &NodePart| serial_dependence(&part.of(values, 1));
    let found: Vec<Dependence> = parts.iter().filter_map(of).collect();
    let n: usize = found.iter().map(|found| found.n).sum();
    let weighted: f64 = found.iter().map(|found| found.r1 * found.n as f64).sum();
    (n > 0).then(|| Dependence { r1: weighted / n as f64, n })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Node;

    /// Would catch two nodes whose levels differ, taken by turns or one after the other, and called dependent.
    #[test]
    fn nodes_are_no_neighbours() {
        let mut nodes = Nodes::default();
        for name in ["a", "b"] {
            nodes.declare(Node { name: name.to_owned(), ..Node::default() });
        }
        let blocks: Vec<u32> = (0..40).collect();
        for block in &blocks {
            nodes.place(*block, u32::from(*block >= 20)).unwrap();
        }
        let scatter = |at: u32| f64::from(at * 7919 % 101) / 100.0;
        let values: Vec<f64> =
            blocks.iter().map(|at| scatter(*at) + if *at >= 20 { 50.0 } else { 0.0 }).collect();
        assert!(serial_dependence(&values).unwrap().is_flagged());
        let parts = by_node(Some(&nodes), &blocks);
        assert_eq!(parts.iter().map(|part| part.at.len()).collect::<Vec<_>>(), [20, 20]);
        assert!(!dependence_within(&values, &parts).unwrap().is_flagged());
    }
}
