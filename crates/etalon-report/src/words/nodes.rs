//! Comparisons over several machines, in words.
//!
//! Owns how it is said that nodes disagree, and what an answer over nodes is about. Refuses to judge either.

use etalon_core::compare::{AboutNodes, BetterUse, Design, NodeShift, OverNodes, Scale};
use etalon_core::units::Base;
use etalon_core::variation::LevelShare;
use etalon_core::verdict::Assessment;

use super::amounts::ratio_text;
use super::verdicts::visible_text;
use crate::number::{counted, p_value, share};
use crate::text::clean;

/// The nodes of a comparison that was made over several.
pub(crate) fn over_nodes(assessment: &Assessment) -> Option<&OverNodes> {
    match &assessment.evidence.design {
        Design::Nodes(over) => Some(over),
        _ => None,
    }
}

/// That nodes disagree, of a comparison; absent where they do not: `the nodes disagree (p 0.0005)`.
pub(crate) fn disagreement(over: &OverNodes) -> Option<String> {
    let p = over.chance.filter(|_| over.disagree())?;
    Some(format!("the nodes disagree (p {})", p_value(p)))
}

/// The answer of each node that counts: `a 1.03 × (1.01 … 1.05), 15 blocks`.
pub(crate) fn each_node(over: &OverNodes) -> impl Iterator<Item = String> {
    over.counted().map(|node| {
        let blocks = counted(node.blocks, "block", "blocks");
        format!("{}, {blocks}", node_text(node, over.scale))
    })
}

fn node_text(node: &NodeShift, scale: Scale) -> String {
    let name = clean(&node.name);
    match scale {
        Scale::Ratio => format!("{name} {}", ratio_text(&node.estimate)),
        Scale::Difference if node.estimate.value > 0.0 => format!("{name} more"),
        Scale::Difference => format!("{name} less"),
    }
}

/// The ground of a comparison over nodes: `3 nodes of 15 to 20 blocks, about machines like these`; absent where no node
/// counts.
pub(crate) fn nodes_text(over: &OverNodes) -> Option<String> {
    let blocks = || over.counted().map(|node| node.blocks);
    let (least, most) = (blocks().min()?, blocks().max()?);
    let from = if least == most { String::new() } else { format!("{least} to ") };
    let nodes = counted(over.counted().count(), "node", "nodes");
    let about = match over.about {
        AboutNodes::LikeThese => "about machines like these",
        AboutNodes::These => "about these machines alone",
    };
    Some(format!("{nodes} of {from}{}, {about}", counted(most, "block", "blocks")))
}

/// The difference of one node from the others that would be seen: `a node that differs by 8 % is named`; absent where that
/// is not known.
pub(crate) fn odd_text(over: &OverNodes, base: &Base) -> Option<String> {
    let from = visible_text(over.odd_from?, over.scale, base);
    Some(format!("a node that differs by {from} is named"))
}

/// Where the variance comes from: `of the variance 12 % is of nodes, 61 % of blocks, 27 % of readings`; absent where that
/// is not known.
pub(crate) fn variance_text(over: &OverNodes) -> Option<String> {
    let of = |(at, level): (usize, &LevelShare)| {
        let is = if at == 0 { " is" } else { "" };
        format!("{}{is} of {}s", share(level.share), level.level)
    };
    let all: Vec<String> = over.levels.iter().enumerate().map(of).collect();
    (!all.is_empty()).then(|| format!("of the variance {}", all.join(", ")))
}

/// The use of as much time of machines that would show more: `in as much time, 5 nodes of 11 blocks show changes from 2 %
/// on`; absent where none is known.
pub(crate) fn better_use(assessment: &Assessment, base: &Base) -> Option<String> {
    match over_nodes(assessment)?.better? {
        BetterUse::Blocks => {
            Some("more blocks on these machines serve as well as more machines".to_owned())
        }
        BetterUse::Machines { nodes, blocks, readings, width } => {
            let change = assessment.smallest_visible? * width;
            let change = visible_text(change, assessment.evidence.scale, base);
            let (nodes, blocks) =
                (counted(nodes, "node", "nodes"), counted(blocks, "block", "blocks"));
            let each = readings.map_or_else(String::new, |it| {
                format!(" with {}", counted(it, "reading", "readings"))
            });
            Some(format!(
                "in as much time, {nodes} of {blocks}{each} show changes from {change} on"
            ))
        }
    }
}
