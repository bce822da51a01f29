//! Nodes: the machines that one experiment was executed on, where these are several, and which of its blocks were
//! executed on which.
//!
//! Owns that a block is of one node. Refuses to relate times of nodes: each counts by its own clock.

use std::collections::HashMap;

use super::Context;

/// A machine of several that an experiment was executed on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// As it was named by whoever asked for it.
    pub name: String,
    /// The number that its system drew when it was started: two names with the same are one machine.
    pub boot: Option<String>,
    /// Facts about it that are not those of the run set's context, `machine.host` among them.
    pub context: Context,
}

/// The nodes of a run set; none where it was executed on one machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Nodes {
    all: Vec<Node>,
    /// The node of each block. Records of a million ask for each twice.
    of_blocks: HashMap<u32, u32>,
}

/// A block that is another node's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockOfTwo {
    /// The node that has it.
    pub of: u32,
}

impl Nodes {
    /// Adds the next node; their numbers begin with 0.
    pub fn declare(&mut self, node: Node) {
        self.all.push(node);
    }

    /// All nodes, in the order of their numbers.
    #[must_use]
    pub fn all(&self) -> &[Node] {
        &self.all
    }

    /// Says that a block was executed on a node.
    ///
    /// # Errors
    /// If it was executed on another one.
    pub fn place(&mut self, block: u32, node: u32) -> Result<(), BlockOfTwo> {
        match *self.of_blocks.entry(block).or_insert(node) {
            of if of == node => Ok(()),
            of => Err(BlockOfTwo { of }),
        }
    }

    /// The node that a block was executed on; absent where there are no nodes.
    #[must_use]
    pub fn of(&self, block: u32) -> Option<u32> {
        self.of_blocks.get(&block).copied()
    }
}
