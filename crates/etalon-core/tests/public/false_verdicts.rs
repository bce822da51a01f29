//! The one statistical self-check: among equal subjects, how often does the verdict code claim a
//! difference? At most 5 % of experiments may contain any `faster` or `slower`; the test fails when
//! the count exceeds what 5 % explains with 99 % confidence (binomial, one-sided).
//!
//! Fixed seeds: the outcome is the same on every machine. Would catch: an uncorrected family,
//! a p compared before its correction, a pairing that loses the blocks, an interval too narrow.

use crate::by_cpu;
use crate::support::{Layout, RunSet, cpu, data, normal};
use etalon_core::analysis::analyse;

use etalon_core::plan::{Order, Plan, Stopping, Stream};
use etalon_core::random::Random;

/// Experiments per setting. 0.5 % is the standard error of a 5 % rate with 2000.
const EXPERIMENTS: u32 = 2000;
/// The 99 % point of Binomial(2000, 0.05), from SciPy: `binom.ppf(0.99, 2000, 0.05)`.
const MOST: u32 = 123;
const BLOCKS: u32 = 30;

#[derive(Debug, Clone, Copy)]
enum Noise {
    /// 3 % around the level.
    Normal,
    /// Skewed, as run times are.
    Lognormal,
    /// One reading in ten is up to ten times as long.
    Spiky,
    /// Each execution resembles the one before it: the machine drifts.
    Autoregressive,
}

fn reading(noise: Noise, state: &mut f64, random: &mut Random) -> f64 {
    match noise {
        Noise::Normal => 1.0 + 0.03 * normal(random),
        Noise::Lognormal => (0.3 * normal(random)).exp(),
        Noise::Spiky if random.uniform() < 0.1 => 1.0 + 9.0 * random.uniform(),
        Noise::Spiky => 1.0 + 0.01 * normal(random),
        Noise::Autoregressive => {
            *state = 0.95 * *state + 0.02 * normal(random);
            1.0 + *state + 0.005 * normal(random)
        }
    }
}

/// An experiment with equal subjects, executed in the order that a plan with this seed gives.
fn experiment(subjects: usize, noise: Noise, seed: u64) -> RunSet {
    let stopping = Stopping::Runs(BLOCKS);
    let plan = Plan::new(Order::Blocks, stopping, seed);
    let stage = &plan.stages(subjects)[0];
    let mut random = Random::new(seed).stream(99);
    let mut state = 0.0;
    let mut values = vec![Vec::new(); subjects];
    for block in 0..BLOCKS {
        for subject in plan.block(stage, Stream::Measured, block) {
            values[subject].push(reading(noise, &mut state, &mut random).max(1e-6));
        }
    }
    RunSet { plan: Some(plan), ..crate::support::run_set(cpu(1e-9), &values, Layout::Blocks) }
}

fn false_verdicts(subjects: usize, noise: Noise) -> u32 {
    let wrong = |seed: u64| {
        let sets = vec![experiment(subjects, noise, seed)];
        let ranking = analyse(&data(&sets), &by_cpu()).unwrap().rankings.pop().unwrap();
        ranking.comparisons.iter().any(|c| c.assessment.decision.verdict.is_difference())
    };
    (0..u64::from(EXPERIMENTS)).map(|seed| u32::from(wrong(seed * 7919 + 1))).sum()
}

#[test]
fn equal_subjects_are_rarely_called_different() {
    let mut failures = Vec::new();
    for noise in [Noise::Normal, Noise::Lognormal, Noise::Spiky, Noise::Autoregressive] {
        for subjects in [2, 5, 10] {
            let wrong = false_verdicts(subjects, noise);
            println!("{noise:?}, {subjects} subjects: {wrong} of {EXPERIMENTS}");
            if wrong > MOST {
                failures.push((noise, subjects, wrong));
            }
        }
    }
    assert!(failures.is_empty(), "more than {MOST} of {EXPERIMENTS}: {failures:?}");
}

#[test]
fn a_real_difference_is_found() {
    // The other side of the coin: 3 % slower at 3 % noise in 30 blocks is found more often than
    // not. Would catch a verdict code that never claims anything.
    let found = |seed: u64| {
        let mut set = experiment(2, Noise::Normal, seed);
        set.series[1].columns[0].values.iter_mut().for_each(|v| *v *= 1.03);
        let ranking = analyse(&data(&[set]), &by_cpu()).unwrap().rankings.pop().unwrap();
        ranking.comparisons[0].assessment.decision.verdict.is_difference()
    };
    let found: u32 = (0..200).map(|seed| u32::from(found(seed))).sum();
    assert!(found > 150, "{found} of 200");
}
