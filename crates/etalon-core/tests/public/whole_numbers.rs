//! Times that sources count in whole microseconds or nanoseconds, and samples hold in seconds: modes, sums and
//! rank tests are held against slow obvious twins in whole numbers, over generated data.

use crate::by_cpu;
use etalon_core::analysis::{Analysis, analyse};
use etalon_core::criteria::{Criteria, Margin};
use etalon_core::plan::Settings;
use etalon_core::random::Random;
use etalon_core::stats::{Alternative, Test, signed_rank};
use etalon_core::units::{Dimension, Unit};

use crate::support::{Layout, cpu, data, run_set};

/// Whole numbers that often tie, around a centre.
fn counts(random: &mut Random, n: usize) -> Vec<i64> {
    let spread = [3, 12, 40, 1000, 100_000][random.below(5)];
    let centre = [10, 1_000, 123_456, 7_000_000][random.below(4)];
    (0..n).map(|_| centre + i64::try_from(random.below(spread)).unwrap()).collect()
}

#[allow(clippy::cast_precision_loss)] // far below 2^53
fn seconds(unit: &str, counts: &[i64]) -> Vec<f64> {
    counts.iter().map(|count| Unit::new(unit).to_base(*count as f64)).collect()
}

fn analysed(samples: &[Vec<f64>], settings: &Settings) -> Analysis {
    let set = run_set(cpu(0.0), samples, Layout::Blocks);
    analyse(&data(&[set]), settings).unwrap()
}

/// Twice the half-sample mode: halves one by one, the first of the narrowest.
fn doubled_mode(counts: &[i64]) -> i64 {
    let mut values = counts.to_vec();
    values.sort_unstable();
    while values.len() > 3 {
        let half = values.len().div_ceil(2);
        let mut best = 0;
        for from in 0..=values.len() - half {
            if values[from + half - 1] - values[from] < values[best + half - 1] - values[best] {
                best = from;
            }
        }
        values = values[best..best + half].to_vec();
    }
    match values[..] {
        [a, b, c] if b - a < c - b => a + b,
        [a, b, c] if b - a > c - b => b + c,
        [_, b, _] => 2 * b,
        [a, b] => a + b,
        _ => unreachable!("a half has two or three"),
    }
}

/// Would catch a half that is not the lowest of the equally narrow ones, because its width was rounded.
#[test]
#[allow(clippy::cast_precision_loss)] // far below 2^53
fn the_mode_is_that_of_the_whole_numbers() {
    let mut random = Random::new(7);
    for round in 0..600 {
        let n = 10 + random.below(60);
        let counts = counts(&mut random, n);
        let (unit, per_second) = [("us", 1e6), ("ns", 1e9)][round % 2];
        let analysis = analysed(&[seconds(unit, &counts)], &by_cpu());
        let mode = analysis.benchmarks[0].metric("cpu").unwrap().mode.unwrap();
        let expected = doubled_mode(&counts) as f64 / 2.0 / per_second;
        assert!((mode / expected - 1.0).abs() < 1e-15, "{mode} {expected}: {counts:?}");
    }
}

/// Would catch ties within blocks that rounding tells apart. The statistics of the twin are of whole
/// differences, and of quotients in lowest terms with their signs.
#[test]
#[allow(clippy::cast_precision_loss)] // far below 2^53
fn differences_and_ratios_that_are_equal_tie() {
    let mut random = Random::new(8);
    let settings = |margin| Settings {
        criteria: Criteria { margin, ..Criteria::default() },
        reference: Some("b0".to_owned()),
        ..by_cpu()
    };
    for _ in 0..200 {
        let n = 8 + random.below(30);
        let a = counts(&mut random, n);
        let factor = |random: &mut Random| [(1, 3), (3, 1), (7, 9), (1, 1)][random.below(4)];
        let pairs: Vec<(i64, i64)> = a
            .iter()
            .map(|a| {
                let (up, down) = factor(&mut random);
                (a * down, a * up)
            })
            .collect();
        let side = |pick: fn(&(i64, i64)) -> i64| -> Vec<i64> { pairs.iter().map(pick).collect() };
        let samples = [seconds("us", &side(|p| p.0)), seconds("us", &side(|p| p.1))];
        let statistic = |margin| {
            let analysis = analysed(&samples, &settings(margin));
            let evidence = &analysis.rankings[0].comparisons[0].assessment.evidence;
            // Where blocks resemble their neighbours p is of wider limits.
            let test = evidence.test.unwrap();
            let p = evidence.dependence.is_none().then_some(test.p);
            (test.statistic, p)
        };
        let agrees = |found: (f64, Option<f64>), expected: Test| {
            assert_eq!(found.0, expected.statistic);
            assert!(found.1.is_none_or(|p| p == expected.p), "{found:?} {expected:?}");
        };
        let differences: Vec<f64> = pairs.iter().map(|(a, b)| (b - a) as f64).collect();
        let expected = signed_rank(&differences, Alternative::TwoSided).unwrap();
        agrees(statistic(Margin::Absolute(1e-6, Dimension::Time)), expected);
        // The order of |ln| is that of the larger side over the smaller.
        let sizes: Vec<f64> = pairs
            .iter()
            .map(|(a, b)| match (b - a).signum() {
                1 => (1000 * b / a) as f64,
                -1 => -((1000 * a / b) as f64),
                _ => 0.0,
            })
            .collect();
        let expected = signed_rank(&sizes, Alternative::TwoSided).unwrap();
        agrees(statistic(Margin::DEFAULT), expected);
    }
}
