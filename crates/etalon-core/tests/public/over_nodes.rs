//! Comparisons over several machines, simulated: what is said of one machine that differs holds, and so do the shares of
//! the variance and the readings that would serve best.
//!
//! Fixed seeds. Would catch a promise that is another one's, and levels that lend each other their variance.

use std::sync::Arc;

use etalon_core::compare::{BetterUse, Contrast, Design, Origin, OverNodes, Scales, compare};
use etalon_core::criteria::Criteria;
use etalon_core::model::{Metric, Node, Nodes};
use etalon_core::random::Random;
use etalon_core::sample::Sample;

use crate::support::normal;

/// Scatter of machines, of their blocks and of the readings of a block, as standard deviations of log ratios.
#[derive(Clone, Copy)]
struct Levels {
    node: f64,
    block: f64,
    reading: f64,
}

/// A fleet of three: blocks of each, readings of a block, how readings scatter, and by how much the last differs.
struct Fleet {
    blocks: u32,
    readings: u32,
    levels: Levels,
    odd: f64,
}

const SECOND: u64 = 1_000_000_000;

/// The words over the nodes. A block takes a second, and each reading .1 s more; a node is there after five.
fn over(fleet: &Fleet, random: &mut Random) -> OverNodes {
    let Fleet { blocks, readings, levels, odd } = *fleet;
    let (mut nodes, mut places) = (Nodes::default(), Vec::new());
    let (mut base, mut candidate) = (Vec::new(), Vec::new());
    let block_ns = SECOND + u64::from(readings) * SECOND / 10;
    for number in 0..3 {
        nodes.declare(Node { name: format!("n{number}"), ..Node::default() });
        let own = levels.node * normal(random) + if number == 2 { odd.ln_1p() } else { 0.0 };
        for block in 0..blocks {
            let of_block = own + levels.block * normal(random);
            for turn in 0..readings {
                let place = (number * blocks + block, turn);
                let at = 5 * SECOND + u64::from(block) * block_ns + u64::from(turn) * SECOND / 10;
                nodes.saw(number, (place.0, Some(turn)), at);
                nodes.place(place.0, number).unwrap();
                places.push(place);
                base.push(1.0);
                candidate.push((of_block + levels.reading * normal(random)).exp());
            }
        }
    }
    let nodes = Arc::new(nodes);
    let sample = |values: Vec<f64>| {
        let own = match readings {
            1 => Sample::new(values, places.iter().map(|place| place.0).collect()),
            _ => Sample::in_turns(values, places.clone().into()),
        };
        own.unwrap().on_nodes(Arc::clone(&nodes))
    };
    let (base, candidate) = (sample(base), sample(candidate));
    let contrast = Contrast {
        metric: &Metric::new("wall", "s"),
        base: &base,
        candidate: &candidate,
        origin: Origin::SameRunSet,
        earlier: &[],
        dependence: None,
        scales: Scales::OfVerdict,
    };
    let evidence = compare(&contrast, &Criteria::default()).unwrap();
    match evidence.design {
        Design::Nodes(over) => *over,
        other => panic!("{other:?}"),
    }
}

/// 200 experiments each: an odd node is named about as often as the power says, and seldom one that is like the others.
#[test]
fn an_odd_node_is_named_where_it_was_said() {
    let mut random = Random::new(44);
    for (blocks, scatter) in [(15, 0.03), (40, 0.1)] {
        let levels = Levels { node: 0.0, block: scatter, reading: 0.0 };
        let fleet = |odd| Fleet { blocks, readings: 1, levels, odd };
        let mut promised: Vec<f64> =
            (0..50).map(|_| over(&fleet(0.0), &mut random).odd_from.unwrap()).collect();
        promised.sort_by(f64::total_cmp);
        let odd = promised[25];
        let named = |odd: f64, random: &mut Random| {
            (0..200).filter(|_| over(&fleet(odd), random).disagree()).count()
        };
        let (seen, false_ones) = (named(odd, &mut random), named(0.0, &mut random));
        assert!((164..=196).contains(&seen), "{blocks}: {odd}: {seen} of 200");
        assert!(false_ones <= 8, "{blocks}: {false_ones} of 200");
    }
}

/// The shares are those that were made, and the best number of readings is that of the formula at the true variances.
#[test]
fn shares_and_readings_are_those_that_were_made() {
    let levels = Levels { node: 0.02, block: 0.01, reading: 0.05 };
    let fleet = Fleet { blocks: 40, readings: 20, levels, odd: 0.0 };
    let mut random = Random::new(45);
    let (mut shares, mut readings) = ([0.0; 3], Vec::new());
    for _ in 0..60 {
        let over = over(&fleet, &mut random);
        let names: Vec<_> = over.levels.iter().map(|level| level.level).collect();
        assert_eq!(names, ["node", "block", "reading"]);
        over.levels.iter().zip(&mut shares).for_each(|(level, sum)| *sum += level.variance / 60.0);
        if let Some(BetterUse::Machines { readings: Some(best), .. }) = over.better {
            readings.push(best);
        }
    }
    for (found, made) in shares.iter().zip([levels.node, levels.block, levels.reading]) {
        assert!((0.7..1.4).contains(&(found / (made * made))), "{shares:?}");
    }
    // √(1 s / .1 s · .05² / .01²) = 15.8 if blocks could be as few as they like. Of ten on each machine, which takes 5 s
    // by itself, a machine takes 15 + r seconds, and r readings are best where (15 + r)(.00041 + .00025 / r) is least: 3.
    readings.sort_unstable();
    assert!(readings.len() > 20, "{readings:?}");
    let middle = readings[readings.len() / 2];
    assert!((2..=5).contains(&middle), "{readings:?}");
    // Of blocks of one reading each there are two levels, and readings are none to be chosen.
    let one = over(&Fleet { readings: 1, ..fleet }, &mut random);
    let names: Vec<_> = one.levels.iter().map(|level| level.level).collect();
    assert_eq!(names, ["node", "block"]);
    assert!(!matches!(one.better, Some(BetterUse::Machines { readings: Some(_), .. })));
}
