//! Executing until every comparison has a verdict: how often does that call equal subjects
//! different, and how soon does it find a real difference?
//!
//! The looks are those of `plan::look_at` up to 400 blocks, the verdicts those of the real analysis
//! at each look's share of alpha. Fixed seeds: the outcome is the same on every machine. Would
//! catch: alpha not spent (about 15 % false verdicts here), spent on p but not on the interval, or
//! a later report that forgets the looks.

use crate::by_cpu;
use crate::support::{Layout, RunSet, cpu, data, normal};
use etalon_core::analysis::{analyse, decided, half_widths, settings_at};
use etalon_core::criteria::{Criteria, alpha_at};
use etalon_core::estimate;
use etalon_core::model::Look;
use etalon_core::plan::{BlockLimits, Order, Plan, Settings, Stopping, look_at};
use etalon_core::random::Random;
use etalon_core::sample::Sample;

/// Experiments per setting.
const EXPERIMENTS: u32 = 600;
/// The 99 % point of Binomial(600, 0.05), summed in exact fractions.
const MOST: u32 = 43;
/// The blocks an experiment's budget is enough for.
const BLOCKS: u32 = 400;

/// Readings with 3 % noise, or skewed with 10 %, around these levels; 400 blocks.
fn readings(levels: &[f64], skewed: bool, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Random::new(seed).stream(7);
    let mut values = vec![Vec::new(); levels.len()];
    for _ in 0..BLOCKS {
        for (level, values) in levels.iter().zip(&mut values) {
            let noise = if skewed {
                (0.1 * normal(&mut random)).exp()
            } else {
                1.0 + 0.03 * normal(&mut random)
            };
            values.push(level * noise);
        }
    }
    values
}

/// The first blocks of an experiment, with the looks taken so far.
fn run_set(readings: &[Vec<f64>], blocks: u32, looks: Vec<Look>) -> RunSet {
    let stopping = Stopping::Decided { budget: 10.0 };
    let plan = Plan {
        warmup: 0,
        order: Order::Blocks,
        stopping,
        seed: 0,
        limits: BlockLimits::default(),
        padding: None,
    };
    let first: Vec<Vec<f64>> = readings.iter().map(|v| v[..blocks as usize].to_vec()).collect();
    let set = crate::support::run_set(cpu(1e-9), &first, Layout::Blocks);
    RunSet { plan: Some(plan), looks, ..set }
}

/// Looks until decided or 400 blocks are done, as `etalon-run` does; the run set at that point.
fn executed(readings: &[Vec<f64>]) -> RunSet {
    let settings = by_cpu();
    let mut looks = Vec::new();
    for number in 1.. {
        let blocks = look_at(number - 1).min(BLOCKS);
        let done = {
            let so_far = data(&[run_set(readings, blocks, Vec::new())]);
            let all: Vec<usize> = (0..readings.len()).collect();
            decided(&so_far, &all, &settings, number).unwrap()
        };
        let alpha = Some(alpha_at(settings.criteria.alpha, number));
        looks.push(Look { blocks, widest: None, alpha });
        if done || blocks == BLOCKS {
            return run_set(readings, blocks, looks);
        }
    }
    unreachable!("400 blocks are reached at the eleventh look");
}

fn calls_a_difference(set: RunSet) -> bool {
    let ranking = analyse(&data(&[set]), &by_cpu()).unwrap().rankings.pop().unwrap();
    ranking.comparisons.iter().any(|c| c.assessment.decision.verdict.is_difference())
}

#[test]
fn equal_subjects_are_rarely_called_different() {
    for (subjects, skewed) in [(2, false), (2, true), (4, false)] {
        let wrong = |seed: u64| {
            let readings = readings(&vec![1.0; subjects], skewed, seed * 6361 + 5);
            calls_a_difference(executed(&readings))
        };
        let wrong: u32 = (0..u64::from(EXPERIMENTS)).map(|seed| u32::from(wrong(seed))).sum();
        println!("{subjects} subjects, skewed {skewed}: {wrong} of {EXPERIMENTS}");
        assert!(wrong <= MOST, "{subjects} subjects, skewed {skewed}: {wrong} of {EXPERIMENTS}");
    }
}

/// Would catch a stop at the interval that is shown, which chance makes narrow at some look.
#[test]
fn the_precision_is_looked_at_in_the_interval_of_99_percent() {
    let readings = readings(&[1.0], false, 3);
    let data = data(&[run_set(&readings, 51, Vec::new())]);
    let sample = Sample::new(readings[0][..51].to_vec(), [].into()).unwrap();
    let at = |level| estimate::median(&sample, level, Some(1e-9)).unwrap().relative_half_width();
    let found = half_widths(&data, &by_cpu())[0];
    assert_eq!(found, at(0.99));
    assert_ne!(found, at(0.95));
}

#[test]
fn a_real_difference_stops_early() {
    // 5 % at 3 % noise: fifty blocks would be plenty, four hundred are never needed.
    let mut blocks: Vec<u32> = Vec::new();
    for seed in 0..200 {
        let set = executed(&readings(&[1.0, 1.05], false, seed));
        blocks.push(set.looks.last().unwrap().blocks);
        assert!(calls_a_difference(set), "seed {seed}");
    }
    blocks.sort_unstable();
    let (median, most) = (blocks[100], blocks[199]);
    println!("stopped after {median} blocks in the middle, {most} at most");
    assert!(median <= 15 && most <= 76, "{median}, {most}");
}

#[test]
fn the_report_uses_what_the_looks_left() {
    let readings = readings(&[1.0, 1.05], false, 1);
    let look = |number: u32| Look {
        blocks: look_at(number - 1),
        widest: None,
        alpha: Some(alpha_at(0.05, number)),
    };
    let used = |blocks, looks: &[Look]| {
        let set = run_set(&readings, blocks, looks.to_vec());
        analyse(&data(&[set]), &by_cpu()).unwrap().settings
    };
    let share = |number| settings_at(&by_cpu(), number);
    assert_eq!(used(15, &[look(1), look(2)]), share(2));
    assert_eq!(used(10, &[look(1)]), share(1));
    // Nothing was looked at yet, or the data go on after the last look: analysing is one more.
    assert_eq!(used(7, &[]), share(1));
    assert_eq!(used(20, &[look(1), look(2)]), share(3));
    // A later report may ask for another alpha; its share is spent all the same.
    let strict = Settings { criteria: Criteria { alpha: 0.01, ..Criteria::default() }, ..by_cpu() };
    let set = run_set(&readings, 15, vec![look(1), look(2)]);
    let found = analyse(&data(&[set]), &strict).unwrap().settings;
    assert_eq!(
        (found.criteria.alpha, found.criteria.confidence),
        (alpha_at(0.01, 2), 1.0 - alpha_at(0.01, 2))
    );
    // Looks at the precision spend nothing.
    let mut set = run_set(&readings, 10, vec![Look { alpha: None, ..look(1) }]);
    let stopping = Stopping::Precision { target: 0.02, budget: 10.0 };
    set.plan = set.plan.map(|plan| Plan { stopping, ..plan });
    assert_eq!(analyse(&data(&[set]), &by_cpu()).unwrap().settings, by_cpu());
}
