//! The line of a node, and observations that name theirs.

use std::sync::Arc;

use etalon_core::model::{BlockOfTwo, Context, Node, Nodes, Outcome, Phase};
use serde::{Deserialize, Serialize};

use super::observation::ObservationLine;
use super::refused::Refused;

/// A node line.
#[derive(Serialize, Deserialize)]
pub(super) struct NodeWire {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    boot: Option<String>,
    #[serde(default, skip_serializing_if = "Context::is_empty")]
    context: Context,
}

impl From<&Node> for NodeWire {
    fn from(node: &Node) -> NodeWire {
        let Node { name, boot, context } = node.clone();
        NodeWire { name, boot, context }
    }
}

impl From<NodeWire> for Node {
    fn from(NodeWire { name, boot, context }: NodeWire) -> Node {
        Node { name, boot, context }
    }
}

/// Says on which node the block of an observation was executed. Where there are nodes every block is of one, or nobody
/// knew what may be compared with it; blocks of the warm-up are each node's own.
pub(super) fn placed(nodes: &mut Arc<Nodes>, observed: &ObservationLine) -> Result<(), Refused> {
    let known = nodes.all().len();
    match (observed.node, observed.block) {
        (Some(node), _) if node as usize >= known => {
            Err(format!("it refers to node {node}, and {known} are declared before it"))?
        }
        (Some(node), Some(block)) if observed.phase == Phase::Measured => {
            let own = Arc::make_mut(nodes);
            if let Some(at_ns) = observed.at_ns {
                own.saw(node, (block, observed.turn), at_ns);
            }
            let placed = own.place(block, node);
            let named = |node: u32| nodes.all()[node as usize].name.clone();
            placed.map_err(|BlockOfTwo { of }| Refused::BlockOfTwo {
                block,
                nodes: [of, node].map(named),
            })
        }
        // What was known to fail before it was executed is of no node.
        (None, Some(_)) if known > 0 && observed.outcome == Outcome::Ok => {
            Err("it names no node, and nodes are declared before it".to_owned())?
        }
        _ => Ok(()),
    }
}
