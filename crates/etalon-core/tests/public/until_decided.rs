//! Executing until every comparison has a verdict: how often does that call equal subjects
//! different, and how soon does it find a real difference?
//!
//! The looks are those of the plan up to 400 blocks, the verdicts those of the real analysis at what each look may call
//! significant. Fixed seeds: the outcome is the same on every machine. Would catch: alpha not spent (about 20 % false
//! verdicts here), spent on p but not on the interval, or a later report that forgets the looks.

use crate::by_cpu;
use crate::support::{Layout, RunSet, cpu, data, normal};
use etalon_core::analysis::{analyse, comparisons, decided, half_widths, settings_at};
use etalon_core::criteria::Criteria;
use etalon_core::estimate;
use etalon_core::plan::{BlockLimits, Order, Plan, Settings, Stopping};
use etalon_core::random::Random;
use etalon_core::run_set::Look;
use etalon_core::sample::Sample;
use etalon_core::stats::Looks;

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

/// The plan, for comparisons of all pairs of so many subjects.
fn plan(subjects: usize) -> Plan {
    let stopping = Stopping::Decided { budget: 10.0 };
    let limits = BlockLimits { max: Some(BLOCKS), ..BlockLimits::default() };
    let limits = limits.for_family(stopping, comparisons(subjects, false), &Criteria::default());
    Plan { limits, ..Plan::new(Order::Blocks, stopping, 0) }
}

/// The first blocks of an experiment, with the looks taken so far.
fn run_set(readings: &[Vec<f64>], blocks: u32, looks: Vec<Look>) -> RunSet {
    let first: Vec<Vec<f64>> = readings.iter().map(|v| v[..blocks as usize].to_vec()).collect();
    let set = crate::support::run_set(cpu(1e-9), &first, Layout::Blocks);
    RunSet { plan: Some(plan(readings.len())), looks, ..set }
}

/// The settings of each look of such an experiment.
fn schedule(subjects: usize) -> Vec<(u32, Settings)> {
    let plan = plan(subjects);
    let mut taken = Looks::default();
    let mut all = Vec::new();
    while taken.last() < BLOCKS {
        taken.take(plan.look_after(taken.last()));
        all.push((taken.last(), settings_at(&by_cpu(), taken)));
    }
    all
}

/// Looks until decided or 400 blocks are done, as `etalon-run` does; the run set at that point.
fn executed(readings: &[Vec<f64>], schedule: &[(u32, Settings)]) -> RunSet {
    let mut looks = Vec::new();
    let mut blocks = 0;
    for (number, at) in schedule {
        blocks = *number;
        let so_far = data(&[run_set(readings, blocks, Vec::new())]);
        let all: Vec<usize> = (0..readings.len()).collect();
        looks.push(Look { blocks, widest: None, alpha: Some(at.criteria.alpha) });
        if decided(&so_far, &all, at).unwrap() {
            break;
        }
    }
    run_set(readings, blocks, looks)
}

fn calls_a_difference(set: RunSet) -> bool {
    let ranking = analyse(&data(&[set]), &by_cpu()).unwrap().rankings.pop().unwrap();
    ranking.comparisons.iter().any(|c| c.assessment.decision.verdict.is_difference())
}

#[test]
fn equal_subjects_are_rarely_called_different() {
    for (subjects, skewed) in [(2, false), (2, true), (4, false)] {
        let schedule = schedule(subjects);
        let wrong = |seed: u64| {
            let readings = readings(&vec![1.0; subjects], skewed, seed * 6361 + 5);
            calls_a_difference(executed(&readings, &schedule))
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
    let schedule = schedule(2);
    for seed in 0..200 {
        let set = executed(&readings(&[1.0, 1.05], false, seed), &schedule);
        blocks.push(set.looks.last().unwrap().blocks);
        assert!(calls_a_difference(set), "seed {seed}");
    }
    blocks.sort_unstable();
    let (median, most) = (blocks[100], blocks[199]);
    println!("stopped after {median} blocks in the middle, {most} at most");
    assert!(median <= 14 && most <= 52, "{median}, {most}");
}

#[test]
fn the_report_uses_what_the_looks_left() {
    let readings = readings(&[1.0, 1.05], false, 1);
    let look = |blocks| Look { blocks, widest: None, alpha: Some(0.005) };
    let used = |blocks, looks: &[u32]| {
        let looks = looks.iter().map(|blocks| look(*blocks)).collect();
        let set = run_set(&readings, blocks, looks);
        analyse(&data(&[set]), &by_cpu()).unwrap().settings
    };
    let left = |looks: &[u32]| settings_at(&by_cpu(), looks.iter().copied().collect());
    assert_eq!(used(12, &[10, 12]), left(&[10, 12]));
    assert_eq!(used(10, &[10]), left(&[10]));
    // A record with looks at other blocks, as they were before.
    assert_eq!(used(23, &[10, 15, 23]), left(&[10, 15, 23]));
    // Nothing was looked at yet, or the data go on after the last look: analysing is one more.
    assert_eq!(used(7, &[]), left(&[7]));
    assert_eq!(used(13, &[10, 12]), left(&[10, 12, 13]));
    // A later report may ask for another alpha; its share is spent all the same.
    let strict = Settings { criteria: Criteria { alpha: 0.01, ..Criteria::default() }, ..by_cpu() };
    let set = run_set(&readings, 12, vec![look(10), look(12)]);
    let found = analyse(&data(&[set]), &strict).unwrap().settings;
    let alpha = [10, 12].into_iter().collect::<Looks>().level(0.01);
    assert_eq!((found.criteria.alpha, found.criteria.confidence), (alpha, 1.0 - alpha));
    // Of several run sets the strictest holds, which is not that of the most looks.
    let of = |looks: &[u32]| {
        run_set(&readings, *looks.last().unwrap(), looks.iter().map(|b| look(*b)).collect())
    };
    let both = analyse(&data(&[of(&[10, 12, 14]), of(&[10])]), &by_cpu()).unwrap().settings;
    assert_eq!(both, left(&[10]));
    // Looks at the precision spend nothing.
    let mut set = run_set(&readings, 10, vec![Look { alpha: None, ..look(10) }]);
    let stopping = Stopping::Precision { target: 0.02, budget: 10.0 };
    set.plan = set.plan.map(|plan| Plan { stopping, ..plan });
    assert_eq!(analyse(&data(&[set]), &by_cpu()).unwrap().settings, by_cpu());
}
