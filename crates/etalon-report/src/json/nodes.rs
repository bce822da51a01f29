//! A comparison over several machines: what each of them says.

use etalon_core::compare::{AboutNodes, BetterUse, Design, Evidence};
use serde::Serialize;

use super::shape::Level;

/// The machines that a comparison was made over.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Nodes<'a> {
    /// The machines that the answer is about: like these from three that count on, these alone below.
    #[cfg_attr(test, schemars(extend("enum" = ["machines_like_these", "these_machines"])))]
    about: &'static str,
    /// p of nodes that differ by chance alone (Kruskal and Wallis, labels permuted); `null` below two that count.
    p_chance: Option<f64>,
    /// Whether they disagree: p is at most 0.01.
    disagree: bool,
    /// By how much a node has to differ from the others so that they are said to disagree with power 0.9: a share of a
    /// ratio, or an amount; `null` where that is not known.
    odd_from: Option<f64>,
    /// Each of them.
    each: Vec<Node<'a>>,
    /// Shares of the variance of what readings say on those that count: `node`, `block`, and `reading` where a block has
    /// several; empty where they are too few.
    levels: Vec<Level>,
    /// A better use of as much time of machines, for an answer about machines like these; `null` where none is known.
    better: Option<Better>,
}

/// A better use of the time that machines were at work.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Better {
    /// The thing to have more, or fewer, of: blocks on these machines, or machines.
    #[cfg_attr(test, schemars(extend("enum" = ["blocks", "machines"])))]
    of: &'static str,
    /// How many machines; `null` of blocks.
    nodes: Option<usize>,
    /// Blocks on each.
    blocks: Option<usize>,
    /// Readings in each block; `null` where a block has one, or it is not known what another one takes.
    readings: Option<usize>,
    /// The width of the interval as a share of this one's.
    width: Option<f64>,
}

impl From<BetterUse> for Better {
    fn from(better: BetterUse) -> Better {
        match better {
            BetterUse::Blocks => {
                Better { of: "blocks", nodes: None, blocks: None, readings: None, width: None }
            }
            BetterUse::Machines { nodes, blocks, readings, width } => Better {
                of: "machines",
                nodes: Some(nodes),
                blocks: Some(blocks),
                readings,
                width: Some(width),
            },
        }
    }
}

/// A machine's own answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Node<'a> {
    /// Its name.
    name: &'a str,
    /// Its blocks that hold both sides.
    blocks: usize,
    /// Whether it counts: from ten blocks on.
    counts: bool,
    /// The answer of its blocks, on the scale of the verdict.
    value: f64,
    /// The lower end of the interval.
    lo: Option<f64>,
    /// The upper end.
    hi: Option<f64>,
}

impl<'a> Nodes<'a> {
    /// Absent of what is not compared over nodes.
    pub(super) fn new(evidence: &'a Evidence) -> Option<Nodes<'a>> {
        let Design::Nodes(over) = &evidence.design else { return None };
        let each = over.nodes.iter().map(|node| {
            let interval = node.estimate.interval.ok();
            Node {
                name: &node.name,
                blocks: node.blocks,
                counts: node.counts(),
                value: node.estimate.value,
                lo: interval.map(|interval| interval.lo),
                hi: interval.map(|interval| interval.hi),
            }
        });
        Some(Nodes {
            about: match over.about {
                AboutNodes::LikeThese => "machines_like_these",
                AboutNodes::These => "these_machines",
            },
            p_chance: over.chance,
            disagree: over.disagree(),
            odd_from: over.odd_from,
            each: each.collect(),
            levels: over.levels.iter().map(Level::from).collect(),
            better: over.better.map(Better::from),
        })
    }
}
