//! Evidence of blocks that were executed on several machines: the node is the unit of replication.
//!
//! Owns that blocks are compared within their node alone, what the answer is about (machines like these from three on,
//! these machines below), and whether nodes agree. The formulas are [`stats::machines_like`] and
//! [`stats::these_machines`]. Refuses to relate times of nodes, and to pool their blocks.

use super::allotted::{self, BetterUse};
use super::design::{within_blocks, within_readings};
use super::replicated::Replicated;
use super::scaled::Scaled;
use super::{Contrast, Design, Evidence, Scale};
use crate::criteria::Criteria;
use crate::estimate::{Estimate, Method};
use crate::random::Random;
use crate::sample::{NodePart, Pairs};
use crate::stats::{
    self, BetweenRuns, ENOUGH_BLOCKS, ENOUGH_NODES, InsufficientData, NodeValue, PMethod, RankSums,
    Shift, Widening, chi_square_sf, student_t_quantile,
};
use crate::variation::Levels;

/// Nodes disagree where chance says so this rarely.
pub const DISAGREE: f64 = 0.01;

/// The power with which it is said from how far on that is seen.
const POWER: f64 = 0.9;

/// So many permutations of labels are drawn, of so many blocks at most: of more, H has the distribution of χ².
const PERMUTATIONS: usize = 1_999;
const PERMUTED: usize = 1_000;

/// The level at which a node's interval says how well it knows its own value: ten blocks have one.
const OWN_LEVEL: f64 = 0.95;

/// A comparison over several machines.
#[derive(Debug, Clone, PartialEq)]
pub struct OverNodes {
    /// What each says, in the order of their numbers.
    pub nodes: Vec<NodeShift>,
    /// The scale of what they say.
    pub scale: Scale,
    /// Which machines the answer is about.
    pub about: AboutNodes,
    /// p of "nodes differ by chance alone": of Kruskal and Wallis's H of the blocks' values, labels of nodes permuted;
    /// absent below two nodes that count.
    pub chance: Option<f64>,
    /// The comparison on the scale of the verdict; absent without a node that counts.
    pub compared: Option<BetweenRuns>,
    /// By how much a node has to differ from the others so that they are said to disagree with power 0.9, as a share on the
    /// scale of ratios; absent below two nodes that count, and where their blocks do not scatter.
    pub odd_from: Option<f64>,
    /// Shares of the variance of what readings say: of nodes, blocks, and readings where a block has several.
    pub levels: Levels,
    /// A better use of the time of machines that this took; absent where no better one is known.
    pub better: Option<BetterUse>,
}

/// Which machines an answer is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AboutNodes {
    /// Machines like these: nodes are a sample of them.
    LikeThese,
    /// These and no others: they are too few to say how others differ.
    These,
}

/// A node's own comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeShift {
    /// Its name.
    pub name: String,
    /// Its blocks that hold both sides.
    pub blocks: usize,
    /// Ratio or difference, on the scale of the verdict, of its blocks alone.
    pub estimate: Estimate,
}

impl NodeShift {
    /// Whether it has enough blocks to count.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.blocks >= ENOUGH_BLOCKS
    }
}

impl OverNodes {
    /// The nodes that count.
    pub fn counted(&self) -> impl Iterator<Item = &NodeShift> {
        self.nodes.iter().filter(|node| node.counts())
    }

    /// Whether nodes differ in what they say by more than chance explains.
    #[must_use]
    pub fn disagree(&self) -> bool {
        self.chance.is_some_and(|p| p <= DISAGREE)
    }
}

/// The blocks of each of several nodes; none where they are of one.
pub(super) fn parts(pairs: &Pairs) -> Vec<NodePart> {
    Some(pairs.by_node()).filter(|parts| parts.len() > 1).unwrap_or_default()
}

/// Whether nodes by themselves say all: one of them counts.
pub(super) fn decide(parts: &[NodePart]) -> bool {
    parts.iter().any(|part| part.at.len() >= ENOUGH_BLOCKS)
}

/// The evidence of blocks as evidence of the nodes that they were executed on; as it is where there are no parts.
pub(super) fn over_nodes(
    evidence: Evidence,
    contrast: &Contrast<'_>,
    (pairs, parts): (&Pairs, &[NodePart]),
    criteria: &Criteria,
) -> Evidence {
    if parts.is_empty() {
        return evidence;
    }
    let (unit, each) = (contrast.metric.unit.base(), pairs.each());
    let on = |scale, level| {
        let values = within_blocks(pairs, unit, scale);
        OnNodes::new((&values, each), parts, (contrast, level))
    };
    let of_verdict = on(evidence.scale, criteria.confidence);
    let about = match of_verdict.counted().count() {
        k if k >= ENOUGH_NODES => AboutNodes::LikeThese,
        _ => AboutNodes::These,
    };
    let methods = (Method::OverNodes, PMethod::StudentT);
    let compared = Replicated::new((&evidence, contrast), methods, |scale| {
        let other = (scale != evidence.scale).then(|| on(scale, OWN_LEVEL));
        other.as_ref().unwrap_or(&of_verdict).compared(about)
    });
    let counted: Vec<&NodePart> = of_verdict.counted().map(|node| node.part).collect();
    let levels = allotted::levels(&within_readings(pairs, unit, evidence.scale), pairs, &counted);
    let values = of_verdict.values().unwrap_or_default();
    let better = allotted::better(&values, &levels, (pairs, &counted));
    let design = Design::Nodes(Box::new(OverNodes {
        nodes: of_verdict.shifts(pairs, evidence.scale),
        scale: evidence.scale,
        about,
        chance: of_verdict.chance(),
        compared: compared.decisive(evidence.scale).ok(),
        odd_from: odd_from(&values, evidence.scale),
        levels,
        better,
    }));
    let blocks = of_verdict.counted().map(|node| node.blocks).sum();
    let widening = of_verdict.counted().filter_map(|node| node.widening(criteria.confidence));
    let strongest = widening.max_by(|a, b| a.factor.total_cmp(&b.factor));
    Evidence {
        n: (blocks, blocks),
        // Of values of machines the machines themselves say how they scatter.
        dependence: strongest.filter(|_| about == AboutNodes::These),
        shape: None,
        p_with_lost: None,
        ..compared.judged(&evidence, design, criteria.sides)
    }
}

/// By how much a node that is unlike the others has to differ, on the scale of the verdict.
fn odd_from(values: &[(NodeValue, usize)], scale: Scale) -> Option<f64> {
    let variance = stats::block_variance(values).filter(|it| *it > 0.0)?;
    let blocks: Vec<usize> = values.iter().map(|(_, blocks)| *blocks).collect();
    let away = stats::odd_node(variance, &blocks, (DISAGREE, POWER));
    let change = match scale {
        Scale::Ratio => away.exp_m1(),
        Scale::Difference => away,
    };
    change.is_finite().then_some(change)
}

/// The nodes on a scale.
struct OnNodes<'a>(Vec<OneNode<'a>>);

struct OneNode<'a> {
    part: &'a NodePart,
    blocks: usize,
    /// A value of each block.
    values: Vec<f64>,
    scaled: Scaled<'a>,
}

impl OneNode<'_> {
    fn widening(&self, level: f64) -> Option<Widening> {
        self.scaled.stretch.map(|stretch| stretch.widening(level))
    }

    /// Its value with the error that its interval has.
    #[allow(clippy::cast_precision_loss)] // numbers of blocks
    fn value(&self) -> Option<NodeValue> {
        let [Shift { estimate: value, interval }, _] = self.scaled.shifts()?;
        let df = (self.blocks - 1) as f64;
        let t = student_t_quantile((1.0 + OWN_LEVEL) / 2.0, df);
        Some(NodeValue { value, error: interval.ok()?.half_width() / t, df })
    }
}

impl<'a> OnNodes<'a> {
    /// Of a value of each block, or one of each build; each says what it says at a level.
    fn new(
        (values, each): (&[f64], usize),
        parts: &'a [NodePart],
        (contrast, level): (&Contrast<'_>, f64),
    ) -> OnNodes<'a> {
        let one = |part: &'a NodePart| {
            let own = part.of(values, each);
            let scaled =
                Scaled::in_blocks((own.clone(), each), [OWN_LEVEL, level], contrast.dependence);
            OneNode {
                part,
                blocks: part.at.len(),
                values: super::scaled::block_means(&own, each),
                scaled,
            }
        };
        OnNodes(parts.iter().map(one).collect())
    }

    fn counted(&self) -> impl Iterator<Item = &OneNode<'a>> {
        self.0.iter().filter(|node| node.blocks >= ENOUGH_BLOCKS)
    }

    fn compared(&self, about: AboutNodes) -> Result<BetweenRuns, InsufficientData> {
        if self.counted().next().is_none() {
            return Err(InsufficientData::TooFew { needs: ENOUGH_BLOCKS });
        }
        let values: Option<Vec<NodeValue>> = self.counted().map(OneNode::value).collect();
        let values = values.ok_or(InsufficientData::NotFinite)?;
        match about {
            AboutNodes::LikeThese => {
                stats::machines_like(&values.iter().map(|node| node.value).collect::<Vec<f64>>())
            }
            AboutNodes::These => stats::these_machines(&values),
        }
    }

    /// Their values with the blocks of each.
    fn values(&self) -> Option<Vec<(NodeValue, usize)>> {
        self.counted().map(|node| Some((node.value()?, node.blocks))).collect()
    }

    /// What each says, with an interval.
    fn shifts(&self, pairs: &Pairs, scale: Scale) -> Vec<NodeShift> {
        let name = |node: &OneNode<'_>| {
            let all = pairs.nodes.as_ref().map_or(&[][..], |nodes| nodes.all());
            let number = node.part.node.and_then(|number| usize::try_from(number).ok());
            number.and_then(|at| all.get(at)).map_or(String::new(), |node| node.name.clone())
        };
        let back = |value: f64| match scale {
            Scale::Ratio => value.exp(),
            Scale::Difference => value,
        };
        let shift = |node: &OneNode<'_>| {
            let [_, Shift { estimate, interval }] = node.scaled.shifts()?;
            let interval =
                interval.map(|i| stats::Interval { lo: back(i.lo), hi: back(i.hi), ..i });
            let method = Method::HodgesLehmannPaired;
            let estimate = Estimate { value: back(estimate), interval, method };
            Some(NodeShift { name: name(node), blocks: node.blocks, estimate })
        };
        self.0.iter().filter_map(shift).collect()
    }

    /// p of nodes that differ so much by chance alone.
    #[allow(clippy::cast_precision_loss)] // counts
    fn chance(&self) -> Option<f64> {
        let groups: Vec<Vec<f64>> = self.counted().map(|node| node.values.clone()).collect();
        permuted(&groups, PERMUTATIONS)
    }
}

/// p of Kruskal and Wallis's H under so many random permutations of the groups' labels, which are the same for the same
/// data; of many values from χ². Absent of fewer than two groups, and of values all alike.
#[allow(clippy::cast_precision_loss)] // counts
fn permuted(groups: &[Vec<f64>], permutations: usize) -> Option<f64> {
    let sums = RankSums::new(groups)?;
    let mut ranks = sums.ranks().to_vec();
    let found = sums.kruskal_wallis(&ranks);
    if ranks.len() > PERMUTED {
        return Some(chi_square_sf(found, (groups.len() - 1) as f64));
    }
    let least = found * (1.0 - 1e-12);
    let mut random = Random::new(ranks.len() as u64);
    let as_far = (0..permutations).filter(|_| {
        random.shuffle(&mut ranks);
        sums.kruskal_wallis(&ranks) >= least
    });
    Some((as_far.count() + 1) as f64 / (permutations + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of all orders of labels whose H is at least as large, by counting each: the slow twin.
    fn of_all_orders(groups: &[Vec<f64>]) -> f64 {
        let sums = RankSums::new(groups).unwrap();
        let found = sums.kruskal_wallis(sums.ranks()) * (1.0 - 1e-12);
        let mut ranks = sums.ranks().to_vec();
        let n = ranks.len();
        let (mut all, mut far) = (0_u32, 0_u32);
        let mut count = |ranks: &[usize]| {
            all += 1;
            far += u32::from(sums.kruskal_wallis(ranks) >= found);
        };
        // Heap's algorithm.
        let mut turns = vec![0; n];
        count(&ranks);
        let mut at = 1;
        while at < n {
            if turns[at] < at {
                ranks.swap(if at % 2 == 0 { 0 } else { turns[at] }, at);
                count(&ranks);
                turns[at] += 1;
                at = 1;
            } else {
                turns[at] = 0;
                at += 1;
            }
        }
        f64::from(far) / f64::from(all)
    }

    /// Would catch labels that are drawn unevenly, or an H that is compared the wrong way round.
    #[test]
    fn drawn_permutations_say_what_all_do() {
        let small: [&[&[f64]]; 4] = [
            &[&[1.0, 2.0, 3.0], &[2.5, 4.0, 5.0], &[6.0, 7.0, 8.0]],
            &[&[1.0, 1.0, 2.0, 2.0], &[2.0, 3.0, 3.0]],
            &[&[0.1, 0.5, 0.3, 0.2], &[0.4, 0.15, 0.35, 0.6, 0.05]],
            &[&[1.0, 2.0], &[3.0, 4.0], &[5.0, 6.0], &[7.0, 8.0]],
        ];
        for groups in small {
            let groups: Vec<Vec<f64>> = groups.iter().map(|group| group.to_vec()).collect();
            let (slow, drawn) = (of_all_orders(&groups), permuted(&groups, 20_000).unwrap());
            let error = (slow * (1.0 - slow) / 20_000.0).sqrt();
            assert!((slow - drawn).abs() < 4.0 * error + 1e-4, "{groups:?}: {slow} {drawn}");
        }
        assert_eq!(permuted(&[vec![1.0; 5], vec![1.0; 5]], 99), None);
    }
}
