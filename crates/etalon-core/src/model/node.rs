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
    /// The time of each, by its own clock.
    stays: Vec<Stay>,
    /// The turn that each was seen at last: its block, number and beginning.
    last_turns: Vec<Option<(u32, u32, u64)>>,
    /// The node of each block by its number, [`NONE`] of a gap. Records of a million ask for each several times, which
    /// costs no hash so.
    of_blocks: Vec<u32>,
    /// The nodes of blocks whose numbers are far beyond how many there are.
    far: HashMap<u32, u32>,
}

/// The time of a node from the start of the run set on, in ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stay {
    /// Until its first measured observation.
    pub first_ns: u64,
    /// Until its last one.
    pub last_ns: u64,
    /// Turns of blocks that were followed by another one, and how long all of them took.
    pub turns: u64,
    /// In ns.
    pub turns_ns: u64,
}

/// A node that there is not.
const NONE: u32 = u32::MAX;

/// So many numbers more than twice as many as there were are still stored by number.
const NEAR: usize = 1024;

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
        self.stays.push(Stay { first_ns: u64::MAX, last_ns: 0, turns: 0, turns_ns: 0 });
        self.last_turns.push(None);
    }

    /// Says that a node was at work then, on a block, and on a turn of it if it has turns. What is said of a block comes
    /// in its order of time.
    pub fn saw(&mut self, node: u32, (block, turn): (u32, Option<u32>), at_ns: u64) {
        let number = node as usize;
        let (Some(stay), Some(last)) =
            (self.stays.get_mut(number), self.last_turns.get_mut(number))
        else {
            return;
        };
        stay.first_ns = stay.first_ns.min(at_ns);
        stay.last_ns = stay.last_ns.max(at_ns);
        let Some(turn) = turn else { return };
        match *last {
            Some((of, before, _)) if of == block && turn <= before => return,
            Some((of, before, began)) if of == block => {
                stay.turns += u64::from(turn - before);
                stay.turns_ns += at_ns.saturating_sub(began);
            }
            _ => {}
        }
        *last = Some((block, turn, at_ns));
    }

    /// The time of a node; absent where its observations tell none.
    #[must_use]
    pub fn stay(&self, node: u32) -> Option<Stay> {
        let stay = self.stays.get(node as usize).copied();
        stay.filter(|stay| stay.first_ns <= stay.last_ns)
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
        match self.of(block) {
            Some(of) if of == node => Ok(()),
            Some(of) => Err(BlockOfTwo { of }),
            None => {
                let at = block as usize;
                if node == NONE || at > 2 * self.of_blocks.len() + NEAR {
                    self.far.insert(block, node);
                    return Ok(());
                }
                if at >= self.of_blocks.len() {
                    self.of_blocks.resize(at + 1, NONE);
                }
                self.of_blocks[at] = node;
                Ok(())
            }
        }
    }

    /// The node that a block was executed on; absent where there are no nodes.
    #[must_use]
    pub fn of(&self, block: u32) -> Option<u32> {
        let near = self.of_blocks.get(block as usize).copied().filter(|node| *node != NONE);
        near.or_else(|| if self.far.is_empty() { None } else { self.far.get(&block).copied() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a pause between blocks that counts as one between turns, and a turn that counts for each benchmark of it.
    #[test]
    fn turns_take_the_time_between_them() {
        let mut nodes = Nodes::default();
        nodes.declare(Node::default());
        for (block, turn, at) in [
            (0, 1, 100),
            (0, 1, 101),
            (0, 2, 110),
            (0, 2, 113),
            (0, 4, 130),
            (7, 1, 500),
            (7, 2, 512),
        ] {
            nodes.saw(0, (block, Some(turn)), at);
        }
        nodes.saw(0, (8, None), 900);
        let stay = Stay { first_ns: 100, last_ns: 900, turns: 4, turns_ns: 42 };
        assert_eq!(nodes.stay(0), Some(stay));
        assert_eq!(nodes.stay(1), None);
    }

    /// Would catch a block that is lost, or two nodes', where numbers have gaps or come in any order: against a map.
    #[test]
    fn each_block_has_the_node_that_was_said_first() {
        let numbers = [0, 5, 3, u32::MAX, 1500, 40_000, 39_999, 1499, 5, 2600, 40_000, 7, u32::MAX];
        let (mut nodes, mut slow) = (Nodes::default(), HashMap::new());
        for (at, block) in (0..).zip(numbers) {
            let of = *slow.entry(block).or_insert(at % 3);
            let said = nodes.place(block, at % 3);
            assert_eq!(said, if of == at % 3 { Ok(()) } else { Err(BlockOfTwo { of }) });
            for block in numbers.into_iter().chain([1, 4, 2000, 50_000]) {
                assert_eq!(nodes.of(block), slow.get(&block).copied(), "{block} after {at}");
            }
        }
        assert!(nodes.of_blocks.len() < 10_000);
    }
}
