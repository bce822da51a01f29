//! Readings that depend on the ones before them: intervals and p widen for it, and do not fall silent.
//!
//! Fixed seeds. Would catch the missing check within blocks (25 and 65 % false verdicts here), a verdict that stays
//! open however large the difference is, and a p that does not belong to the interval.

use crate::by_cpu;
use crate::support::{Layout, cpu, data, normal};
use etalon_core::analysis::{Comparison, analyse};
use etalon_core::random::Random;
use etalon_core::verdict::Verdict;

/// So many readings around a level with 1 % noise, each resembling the one before it.
fn autoregressive(random: &mut Random, n: usize, (level, phi): (f64, f64)) -> Vec<f64> {
    let innovation = (1.0 - phi * phi).sqrt();
    let mut state = normal(random);
    let mut reading = || {
        state = phi * state + innovation * normal(random);
        level * (0.01 * state).exp()
    };
    (0..n).map(|_| reading()).collect()
}

fn compared(phi: f64, n: usize, (ratio, layout): (f64, Layout), seed: u64) -> Comparison {
    let mut random = Random::new(seed * 31 + 7).stream(3);
    let samples =
        [autoregressive(&mut random, n, (1.0, phi)), autoregressive(&mut random, n, (ratio, phi))];
    let set = crate::support::run_set(cpu(1e-9), &samples, layout);
    let mut ranking = analyse(&data(&[set]), &by_cpu()).unwrap().rankings.pop().unwrap();
    // In the order of their medians; the ratio of the comparison may be that of the first over the second.
    ranking.comparisons.remove(0)
}

/// Design, autocorrelation, values a side, and the most of 1,000 that may be called different: the 99 % points of
/// Binomial(1000, p) for p of 5, 7.5 and 11 %, what was found to be within reach.
const SETTINGS: [(Layout, f64, usize, u32); 5] = [
    (Layout::Blocks, 0.0, 30, 67),
    (Layout::Blocks, 0.5, 60, 95),
    (Layout::Blocks, 0.9, 60, 134),
    (Layout::Independent, 0.5, 60, 95),
    (Layout::Independent, 0.9, 60, 134),
];

#[test]
fn equal_subjects_are_rarely_called_different() {
    for (layout, phi, n, most) in SETTINGS {
        let is_wrong = |seed: u64| {
            let found = compared(phi, n, (1.0, layout), seed);
            found.assessment.decision.verdict.is_difference()
        };
        let wrong: u32 = (0..1000).map(|seed| u32::from(is_wrong(seed))).sum();
        println!("{layout:?}, {phi}, {n}: {wrong} of 1000");
        assert!(wrong <= most, "{layout:?}, {phi}, {n}: {wrong} of 1000");
    }
}

#[test]
fn eighteen_times_as_long_is_slower_whatever_the_dependence() {
    for layout in [Layout::Blocks, Layout::Independent] {
        for n in 10..=60 {
            for seed in 0..10 {
                let found = compared(0.9, n, (18.0, layout), seed);
                assert_eq!(found.assessment.decision.verdict, Verdict::Slower, "{layout:?}, {n}");
            }
        }
    }
}

/// p is at most alpha exactly where the interval of level 1 − alpha excludes 1.
#[test]
fn interval_and_p_agree() {
    let mut dependent = 0;
    for layout in [Layout::Blocks, Layout::Independent] {
        for n in [10, 15, 40] {
            for seed in 0..60 {
                let evidence = compared(0.7, n, (1.01, layout), seed).assessment.evidence;
                let interval = evidence.differing.ratio_interval().unwrap();
                let p = evidence.test.unwrap().p;
                assert_eq!(!interval.contains(1.0), p <= 0.05, "{layout:?}, {n}: {p} {interval:?}");
                dependent += u32::from(evidence.dependence.is_some());
            }
        }
    }
    assert!(dependent > 200, "{dependent} of 360");
}

/// Rankings of five equal subjects, of 300 at most what 26 and 5 % give by chance in 1 of 100 (95 and 25). Without the
/// dependence of the family three in four of those with an autocorrelation of 0.9 have a false verdict.
#[test]
fn a_family_shows_its_dependence_together() {
    for (phi, most) in [(0.9, 95), (0.0, 25)] {
        let is_wrong = |seed: u64| {
            let mut random = Random::new(seed * 37 + 5).stream(1);
            let samples: Vec<Vec<f64>> =
                (0..5).map(|_| autoregressive(&mut random, 10, (1.0, phi))).collect();
            let set = crate::support::run_set(cpu(1e-9), &samples, Layout::Blocks);
            let ranking = analyse(&data(&[set]), &by_cpu()).unwrap().rankings.pop().unwrap();
            ranking.comparisons.iter().any(|c| c.assessment.decision.verdict.is_difference())
        };
        let wrong = (0..300).filter(|seed| is_wrong(*seed)).count();
        println!("{phi}: {wrong} of 300");
        assert!(wrong <= most, "{phi}: {wrong} of 300");
    }
}

/// Of 500 intervals of medians, at least what 11 % of misses give by chance in 99 of 100 (428); plain ones hold two in
/// five.
#[test]
fn intervals_of_medians_hold_where_readings_depend_on_one_another() {
    let holds = |seed: u64| {
        let mut random = Random::new(seed * 41 + 3).stream(2);
        let values = autoregressive(&mut random, 60, (1.0, 0.9));
        let sample = etalon_core::sample::Sample::new(values, [].into()).unwrap();
        let median = etalon_core::estimate::median(&sample, 0.95, None).unwrap();
        median.interval.unwrap().contains(1.0)
    };
    let held = (0..500).filter(|seed| holds(*seed)).count();
    assert!(held >= 428, "{held} of 500");
}
