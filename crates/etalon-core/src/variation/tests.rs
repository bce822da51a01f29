//! Planted causes are named first, steady readings have none, and known shares are found.

use super::*;
use crate::random::Random;
use crate::stats::normal_quantile;

/// Simulated experiments of a kind.
const TIMES: u64 = 40;
/// How many of them have to be right.
const RIGHT: usize = 36;
/// In how many steady ones a cause may be named.
const STEADY_MAY: usize = 4;

fn normal(random: &mut Random) -> f64 {
    normal_quantile(random.uniform().max(1e-12))
}

/// Readings of 10 ms with a scatter of 2 %, and what is planted at each place.
fn planted(n: usize, random: &mut Random, plant: impl Fn(usize, f64) -> f64) -> Readings {
    let value = |at| 0.01 * (1.0 + 0.02 * normal(random) + plant(at, random.uniform()));
    let values: Vec<f64> = (0..n).map(value).collect();
    let mut count =
        |mean: f64| (0..n).map(|_| (mean + 2.0 * normal(random)).round().max(0.0)).collect();
    let (faults, switches, taken) = (Some(count(200.0)), Some(count(8.0)), count(4.0));
    let seconds = (0..n).map(|_| 1e-4 * random.uniform()).collect();
    let waiting = Some(Waiting::AtMost { seconds, taken });
    let others = Some((0..n).map(|_| 0.02 * normal(random)).collect());
    Readings { values, faults, switches, waiting, others, ..Readings::default() }
}

/// In how many simulated experiments the first cause is such.
fn named_first(
    make: impl Fn(&mut Random) -> Readings,
    is_right: impl Fn(&CauseKind) -> bool,
) -> usize {
    let right = |seed: &u64| {
        let found = causes(&make(&mut Random::new(1_000 + seed)), 1);
        found.first().is_some_and(|cause| is_right(&cause.kind))
    };
    (0..TIMES).filter(right).count()
}

/// Would catch a cause that another hides, and a test without power: everything planted is named first.
#[test]
fn planted_causes_are_named_first() {
    for n in [30, 60, 300] {
        let of = n as f64;
        let drift = |random: &mut Random| planted(n, random, |at, _| 0.12 * at as f64 / of);
        let right = named_first(drift, |kind| matches!(kind, CauseKind::Drift { .. }));
        assert!(right >= RIGHT, "drift of {n}: {right}");
        let step = |random: &mut Random| {
            planted(n, random, |at, _| if at * 5 > n * 2 { 0.1 } else { 0.0 })
        };
        let right = named_first(step, |kind| matches!(kind, CauseKind::Step { .. }));
        assert!(right >= RIGHT, "step in {n}: {right}");
        let first =
            |random: &mut Random| planted(n, random, |at, _| if at == 0 { 2.0 } else { 0.0 });
        let right = named_first(first, |kind| matches!(kind, CauseKind::First { .. }));
        assert!(right >= RIGHT, "first of {n}: {right}");
    }
}

/// Would catch modes that are missed, in single executions and in processes with several readings.
#[test]
fn modes_are_named_first_and_where_they_are() {
    let is_right = |kind: &CauseKind| match kind {
        CauseKind::Modes(modes) => {
            modes.len() == 2 && (modes[1].at / modes[0].at - 1.2).abs() < 0.05
        }
        _ => false,
    };
    let two =
        |random: &mut Random| planted(60, random, |_, chance| if chance < 0.4 { 0.2 } else { 0.0 });
    let right = named_first(two, is_right);
    assert!(right >= RIGHT, "{right}");
    let by_process = |random: &mut Random| {
        let mut all = Readings::default();
        for process in 0..40 {
            let slow = if random.uniform() < 0.4 { 0.2 } else { 0.0 };
            let of = planted(5, random, |_, _| slow);
            all.values.extend(of.values);
            all.blocks.extend([process; 5]);
        }
        all
    };
    let right = named_first(by_process, is_right);
    assert!(right >= RIGHT, "by process: {right}");
}

/// Would catch a missed cause of slow readings: a hog that is there in some stretches, page-fault storms, switches.
#[test]
fn what_goes_with_slow_readings_is_named_first() {
    let hog = |random: &mut Random| {
        let mut all = planted(60, random, |_, _| 0.0);
        let Some(Waiting::AtMost { seconds, taken }) = &mut all.waiting else { return all };
        for at in (0..60).filter(|at| at / 15 % 2 == 1) {
            let wait = 0.01 * (0.2 + 0.6 * random.uniform());
            all.values[at] += wait;
            seconds[at] += wait;
            taken[at] += (wait * 2e3).round();
        }
        all
    };
    let right = named_first(hog, |kind| *kind == CauseKind::Waiting);
    assert!(right >= RIGHT, "hog: {right}");
    let storms = |random: &mut Random| {
        let mut all = planted(60, random, |_, _| 0.0);
        for at in 0..60 {
            let more =
                if random.uniform() < 0.3 { (20_000.0 * random.uniform()).round() } else { 0.0 };
            all.values[at] += more * 2.5e-7;
            all.faults.as_mut().unwrap()[at] += more;
        }
        all
    };
    let right = named_first(storms, |kind| *kind == CauseKind::Faults);
    assert!(right >= RIGHT, "faults: {right}");
}

/// Would catch a machine that changes its speed for all benchmarks unseen; where it does so once, that is said.
#[test]
fn what_benchmarks_have_in_common_is_named_first() {
    let switching = |random: &mut Random, changes: &[usize]| {
        let mut all = planted(60, random, |_, _| 0.0);
        let level = |at: usize| changes.iter().filter(|change| **change <= at).count() % 2;
        for (at, other) in all.others.as_mut().unwrap().iter_mut().enumerate() {
            *other += 0.08 * level(at) as f64;
            all.values[at] *= 1.0 + 0.08 * level(at) as f64;
        }
        all
    };
    let often = |random: &mut Random| switching(random, &[7, 12, 24, 29, 41, 52]);
    let right = named_first(often, |kind| *kind == CauseKind::Together);
    assert!(right >= RIGHT, "often: {right}");
    // Groups of readings fit levels better than other benchmarks do that meet them in part.
    let in_part = |random: &mut Random| {
        let mut all = planted(60, random, |_, _| 0.0);
        for (at, other) in all.others.as_mut().unwrap().iter_mut().enumerate() {
            let level = 0.3 * f64::from(u8::from(at / 7 % 2 == 1));
            *other += level + 0.08 * normal(random);
            all.values[at] *= 1.0 + level;
        }
        all
    };
    let right = named_first(in_part, |kind| *kind == CauseKind::Together);
    assert!(right >= RIGHT, "in part: {right}");
    let once = |random: &mut Random| switching(random, &[24]);
    let right = named_first(once, |kind| matches!(kind, CauseKind::Step { .. }));
    assert!(right >= RIGHT, "once: {right}");
}

/// Would catch benchmarks that wander, each for itself, being said to have something in common: a rank
/// correlation takes readings for independent.
#[test]
fn what_wanders_alone_has_little_in_common() {
    let chain = |random: &mut Random, rho: f64| -> Vec<f64> {
        let mut at = 0.0;
        let mut next = || {
            at = rho * at + (1.0 - rho * rho).sqrt() * normal(random);
            0.02 * at
        };
        (0..60).map(|_| next()).collect()
    };
    for (rho, most) in [(0.0, 3), (0.6, 8), (0.9, 12)] {
        let common = |seed: &u64| {
            let mut random = Random::new(5_000 + seed);
            let values = chain(&mut random, rho).iter().map(|it| 0.01 * (1.0 + it)).collect();
            let others = Some(chain(&mut random, rho));
            let found = causes(&Readings { values, others, ..Readings::default() }, 1);
            found.iter().any(|cause| cause.kind == CauseKind::Together)
        };
        let called = (0..100).filter(common).count();
        assert!(called <= most, "{rho}: {called}");
    }
}

/// Would catch tests that together call steady readings more often than one in ten.
#[test]
fn steady_readings_have_no_cause() {
    type Noise = fn(&mut Random) -> f64;
    let noises: [(&str, Noise); 4] = [
        ("normal", |random| 1.0 + 0.03 * normal(random)),
        ("log-normal", |random| (0.8 * normal(random)).exp()),
        ("heavy", |random| 1.0 + 0.02 / random.uniform().max(1e-9).powf(0.7)),
        ("few", |random| (10.0 + 1.5 * normal(random)).round()),
    ];
    for (name, noise) in noises {
        for n in [15, 40, 200] {
            let make = |random: &mut Random| {
                let steady = planted(n, random, |_, _| 0.0);
                Readings { values: (0..n).map(|_| noise(random)).collect(), ..steady }
            };
            let called = named_first(make, |_| true);
            assert!(called <= STEADY_MAY, "{name}, {n}: {called}");
        }
    }
}

/// Would catch causes of many benchmarks that each have the whole of alpha: of five steady ones a cause was named in 8 to
/// 18 % of records.
#[test]
fn steady_records_of_five_have_no_cause() {
    type Noise = fn(&mut Random) -> f64;
    let noises: [Noise; 2] =
        [|random| 1.0 + 0.03 * normal(random), |random| (0.3 * normal(random)).exp()];
    for noise in noises {
        let make = |random: &mut Random| {
            let steady = planted(30, random, |_, _| 0.0);
            Readings { values: (0..30).map(|_| noise(random)).collect(), ..steady }
        };
        let named = |among: usize| {
            let is_named = |seed: &u64| {
                let random = &mut Random::new(20_000 + seed);
                (0..5).any(|_| !causes(&make(random), among).is_empty())
            };
            (0..300).filter(is_named).count()
        };
        // 5 % of 300 are 15; 25 are the 99 % point of the binomial.
        let (together, alone) = (named(5), named(1));
        assert!(together <= 25, "{together}");
        assert!(alone > together, "{alone} {together}");
    }
}

/// Would catch levels that are mixed up: known shares are found within 10 points in nine of ten experiments.
#[test]
fn known_shares_are_found() {
    let designs: [([u32; 3], [f64; 3]); 4] = [
        ([40, 5, 10], [0.2, 0.3, 0.5]),
        ([60, 4, 4], [0.5, 0.3, 0.2]),
        ([40, 10, 5], [0.0, 0.6, 0.4]),
        ([50, 6, 5], [0.1, 0.1, 0.8]),
    ];
    for ([runs, processes, turns], shares) in designs {
        let mut within = 0;
        for seed in 0..100 {
            let random = &mut Random::new(seed);
            let (mut values, mut of_run, mut of_process) = (Vec::new(), Vec::new(), Vec::new());
            for run in 0..runs {
                let a = shares[0].sqrt() * normal(random);
                for process in 0..processes {
                    let b = shares[1].sqrt() * normal(random);
                    for _ in 0..turns {
                        values.push(100.0 + a + b + shares[2].sqrt() * normal(random));
                        of_run.push(run);
                        of_process.push(process);
                    }
                }
            }
            let found = levels(&values, &[("run", &of_run), ("process", &of_process)], "turn");
            let near =
                found.iter().zip(shares).all(|(level, share)| (level.share - share).abs() <= 0.1);
            within += u32::from(near && found.len() == 3);
        }
        assert!(within >= 90, "{runs} {processes} {turns}: {within}");
    }
}

/// Would catch a ratio that is upside down: against the best of all numbers, by trying.
#[test]
fn the_best_repetitions_are_the_best() {
    let level = |level, variance| LevelShare { level, share: 0.5, variance, below_zero: false };
    let (outer, inner) = (4.0, 100.0);
    let costs = [3.0, 0.25];
    let best = best_repetitions(&vec![level("process", outer), level("turn", inner)], &costs);
    // The variance of a mean for each second that is spent.
    let price = |turns: f64| (outer + inner / turns) * (costs[0] + costs[1] * turns);
    let tried = (1..=100).map(f64::from).min_by(|a, b| price(*a).total_cmp(&price(*b)));
    assert!((best[0].unwrap() - tried.unwrap()).abs() <= 0.5, "{best:?} {tried:?}");
    let nothing = best_repetitions(&vec![level("process", 0.0), level("turn", 1.0)], &costs);
    assert_eq!(nothing, [None]);
}
