//! The line of a node.

use etalon_core::model::{Context, Node};
use serde::{Deserialize, Serialize};

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
