//! How many more blocks settle an unclear comparison: the range against experiments that are continued.

use crate::by_cpu;
use crate::support::{Layout, cpu, data, normal, run_set};
use etalon_core::analysis::analyse;
use etalon_core::random::Random;
use etalon_core::verdict::Decision;

const EXPERIMENTS: u64 = 400;
/// Continuations that are open beyond this count as needing more.
const FARTHEST: usize = 3000;

/// The verdict on the first blocks of two series.
fn decided(series: &[Vec<f64>; 2], blocks: usize) -> Decision {
    let first: Vec<Vec<f64>> = series.iter().map(|values| values[..blocks].to_vec()).collect();
    let sets = [run_set(cpu(1e-9), &first, Layout::Blocks)];
    let ranking = analyse(&data(&sets), &by_cpu()).unwrap().rankings.pop().unwrap();
    ranking.comparisons[0].assessment.decision.clone()
}

/// Two series with 3 % noise; the true difference is anything up to 4 %.
fn series(random: &mut Random) -> [Vec<f64>; 2] {
    let difference = 0.08 * random.uniform() - 0.04;
    [1.0, 1.0 + difference]
        .map(|level| (0..FARTHEST).map(|_| level * (1.0 + 0.03 * normal(random))).collect())
}

/// Blocks that are added until there is a verdict, by steps of a tenth.
fn needed(series: &[Vec<f64>; 2], start: usize) -> Option<usize> {
    let mut blocks = start;
    while blocks < FARTHEST {
        blocks = (blocks + 1).max(blocks * 11 / 10).min(FARTHEST);
        if decided(series, blocks).more.is_none() {
            return Some(blocks - start);
        }
    }
    None
}

/// Would catch a range that takes the estimate as it is (the point alone holds next to nothing), and one that
/// holds everything because it says nothing.
#[test]
fn the_range_holds_what_is_needed_in_four_of_five() {
    let (mut unclear, mut held, mut wide) = (0_u32, 0_u32, 0_u32);
    for (seed, start) in (0..EXPERIMENTS).zip([10, 20, 40].into_iter().cycle()) {
        let mut random = Random::new(seed * 7919 + 5);
        let series = series(&mut random);
        let decision = decided(&series, start);
        let Some((least, most)) = decision.more.and_then(|more| more.between()) else { continue };
        unclear += 1;
        let holds = match needed(&series, start) {
            Some(more) => least <= more && most.is_none_or(|most| more <= most),
            None => most.is_none_or(|most| start + most >= FARTHEST),
        };
        held += u32::from(holds);
        wide += u32::from(most.is_none());
    }
    println!("{unclear} unclear, {held} held, {wide} without an upper end");
    assert!(unclear >= 100, "{unclear}");
    let share = f64::from(held) / f64::from(unclear);
    assert!((0.8..0.97).contains(&share), "{held} of {unclear}");
    assert!(wide * 10 <= unclear, "{wide} of {unclear}");
}

/// A machine that others use: a fifth of the readings is longer, by 60 % on average.
fn disturbed(random: &mut Random) -> [Vec<f64>; 2] {
    let difference = 0.08 * random.uniform() - 0.04;
    let reading = |random: &mut Random, level: f64| {
        let longer =
            if random.uniform() < 0.2 { -0.6 * (1.0 - random.uniform()).ln() } else { 0.0 };
        level * (1.0 + longer) * (1.0 + 0.03 * normal(random))
    };
    [1.0, 1.0 + difference].map(|level| (0..FARTHEST).map(|_| reading(random, level)).collect())
}

/// Would catch "about 40 more" where 800 are needed: of ten blocks the scatter itself is hardly known, and on a busy machine
/// less than that.
#[test]
fn a_number_that_is_told_is_right_within_a_factor_of_ten() {
    for (machine, of) in [("quiet", series as fn(&mut Random) -> _), ("busy", disturbed)] {
        let (mut unclear, mut told, mut far, mut outside) = (0_u32, 0_u32, 0_u32, 0_u32);
        for seed in 0..EXPERIMENTS {
            let mut random = Random::new(seed * 6007 + 11);
            let series = of(&mut random);
            let Some(more) = decided(&series, 10).more else { continue };
            unclear += 1;
            let Some((about, (least, most))) = more.told_about().zip(more.told()) else { continue };
            told += 1;
            let needed = needed(&series, 10).unwrap_or(FARTHEST);
            far += u32::from(needed > 10 * about || about > 10 * needed);
            outside += u32::from(needed < least || needed > most);
        }
        println!(
            "{machine}: {unclear} unclear, {told} told, {far} beyond ten times, {outside} outside"
        );
        assert!(far * 10 <= told, "{machine}: {far} of {told}");
        assert!(outside * 4 <= told, "{machine}: {outside} of {told}");
    }
}
