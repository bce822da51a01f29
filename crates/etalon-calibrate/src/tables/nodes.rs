//! Two subjects in blocks on several machines, some of which are slower, or say something else.

use std::sync::Arc;

use etalon_core::compare::Design;
use etalon_core::criteria::Criteria;
use etalon_core::model::{Node, Nodes};
use etalon_core::random::Random;
use etalon_core::sample::Sample;

use crate::figure::{Bound, Kind};
use crate::judge::{blocked, covers, judge, metric};
use crate::noise::{Machine, Noise, RATIOS_OF_3_PERCENT, normal};
use crate::table::{Row, Table, Weight};

/// How much slower machines are: the first three of an experiment, and so on in turn.
const SLOWER: [f64; 3] = [0.0, 0.07, 0.15];
/// The true ratio.
const RATIO: f64 = 1.02;

/// An experiment on nodes.
#[derive(Clone, Copy)]
struct Fleet {
    nodes: u32,
    blocks: usize,
    noise: Noise,
    /// The standard deviation of the logarithm of what a machine makes of the ratio.
    between: f64,
    /// By how much the ratio of the last node differs besides.
    odd: f64,
}

/// Comparisons over nodes, by number of nodes and blocks, noise, and how far machines differ.
#[must_use]
pub(super) fn table() -> Table {
    let noises = [RATIOS_OF_3_PERCENT, Noise::Lognormal(0.05), Noise::Disturbed(0.2)];
    let sizes = [(2, 15), (3, 15), (3, 40), (5, 15), (10, 15)];
    let alike = noises.into_iter().flat_map(|noise| {
        sizes.map(|(nodes, blocks)| Fleet { nodes, blocks, noise, between: 0.0, odd: 0.0 })
    });
    let differing = [3, 5, 10].into_iter().flat_map(|nodes| {
        let noise = RATIOS_OF_3_PERCENT;
        let of = |between, odd| Fleet { nodes, blocks: 15, noise, between, odd };
        [of(0.01, 0.0), of(0.03, 0.0)]
    });
    let odd = [15, 30, 60].map(|blocks| Fleet {
        nodes: 3,
        blocks,
        noise: RATIOS_OF_3_PERCENT,
        between: 0.0,
        odd: 0.03,
    });
    let share = |name: &str| (name.to_owned(), Kind::Share);
    Table {
        title: "Blocks on several nodes".to_owned(),
        about: "Two subjects in blocks on nodes that are 0, 7 and 15 % slower in turn; the one takes 2 % longer, what a \
                machine makes of that scatters by so much, and on the last node it is so much more. Where machines differ, \
                two nodes speak of themselves alone. \"By pooled blocks\" is what intervals of all blocks together would \
                cover: shown, and not used. Of 30 blocks a node an interaction of 3 % has to be named in 33 of 40."
            .to_owned(),
        of: "nodes × blocks, noise, between machines, odd node".to_owned(),
        columns: vec![
            share("ratio covered"),
            share("false verdicts"),
            share("disagreement named"),
            share("covered by pooled blocks"),
        ],
        rows: alike.chain(differing).chain(odd).map(row).collect(),
    }
}

fn row(fleet: Fleet) -> Row {
    let Fleet { nodes, blocks, noise, between, odd } = fleet;
    let differs = between > 0.0 || odd > 0.0;
    let named = match (differs, odd > 0.0 && blocks >= 30) {
        (false, _) => Bound::AtMost(0.01),
        (true, true) => Bound::AtLeast(33.0 / 40.0),
        (true, false) => Bound::Shown,
    };
    // One node unlike all others is no sample of machines.
    let covered = if odd > 0.0 { Bound::Shown } else { Bound::AtLeast(0.95) };
    let wrong = if odd > 0.0 { Bound::Shown } else { Bound::AtMost(0.05) };
    Row {
        title: format!(
            "{nodes} × {blocks}, {}, {} %, {} %",
            noise.name(),
            100.0 * between,
            100.0 * odd
        ),
        asked: vec![covered, wrong, named, Bound::Shown],
        weight: Weight::Usual,
        replicate: Box::new(move |random| replicate(fleet, random)),
    }
}

fn replicate(fleet: Fleet, random: Random) -> Vec<Option<u32>> {
    let criteria = Criteria::default();
    let metric = metric("s", fleet.noise.resolution());
    let (nodes, base, candidate) = readings(fleet, random);
    let equal: Vec<f64> = candidate.iter().map(|value| value / RATIO).collect();
    let on = |values: &[f64]| blocked(values.to_vec()).on_nodes(Arc::clone(&nodes));
    let judged = |base: Sample, other: Sample| judge(&base, &other, &metric, &criteria);
    let Some(found) = judged(on(&base), on(&candidate)) else { return Vec::new() };
    let disagree = match &found.evidence.design {
        Design::Nodes(over) => Some(u32::from(over.disagree())),
        _ => None,
    };
    let pooled = judged(blocked(base.clone()), blocked(candidate));
    let wrong = judged(on(&base), on(&equal));
    vec![
        covers(found.evidence.differing.ratio, RATIO),
        wrong.map(|it| u32::from(it.decision.is_difference())),
        disagree,
        pooled.and_then(|it| covers(it.evidence.differing.ratio, RATIO)),
    ]
}

/// Nodes with the readings of both subjects, block by block: blocks go to nodes in turn.
fn readings(fleet: Fleet, random: Random) -> (Arc<Nodes>, Vec<f64>, Vec<f64>) {
    let Fleet { nodes: count, blocks, noise, between, odd } = fleet;
    let mut nodes = Nodes::default();
    for number in 0..count {
        nodes.declare(Node { name: format!("node {number}"), ..Node::default() });
    }
    let mut machine = Machine::new(noise, 2, random.stream(1));
    let mut of_nodes = random.stream(2);
    let ratios: Vec<f64> = (0..count)
        .map(|number| {
            let own = if number + 1 == count { 1.0 + odd } else { 1.0 };
            RATIO * own * (between * normal(&mut of_nodes)).exp()
        })
        .collect();
    let (mut base, mut candidate) = (Vec::new(), Vec::new());
    for block in 0..count * u32::try_from(blocks).unwrap_or(0) {
        let node = block % count;
        let placed = nodes.place(block, node);
        debug_assert!(placed.is_ok(), "each block is placed once");
        let slower = 1.0 + SLOWER[node as usize % SLOWER.len()];
        base.push(slower * machine.reading(0));
        candidate.push(slower * ratios[node as usize] * machine.reading(1));
    }
    (Arc::new(nodes), base, candidate)
}
