//! Samples that have broken other tools: completely separated ones of every size, a handful against
//! hundreds, readings in 4 ms ticks, differences beyond 2³¹ µs, nothing but zeros, no spread, many
//! benchmarks. Would catch an endless loop, an overflow, a verdict out of ticks, a p of 1 for 10
//! against 1000.

use crate::by_cpu;
use crate::support::{Layout, cpu, data, run_set};
use etalon_core::analysis::{Comparison, analyse};
use etalon_core::random::Random;
use etalon_core::verdict::{Reason, Verdict};

fn compared(samples: &[Vec<f64>], layout: Layout, resolution: f64) -> Comparison {
    let set = run_set(cpu(resolution), samples, layout);
    let ranking = analyse(&data(&[set]), &by_cpu()).unwrap().rankings.pop().unwrap();
    ranking.comparisons[0].clone()
}

/// `n` values around a centre, 1 % apart at most, in no order.
fn around(centre: f64, n: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..n).map(|_| centre * (0.995 + 0.01 * random.uniform())).collect()
}

#[test]
fn completely_separated_samples_of_every_size() {
    let sizes = (5..=60).chain([99, 100, 250, 500, 999, 1024, 1500, 2000]);
    for n in sizes {
        for layout in [Layout::Blocks, Layout::Independent] {
            let samples = [around(1e-3, n, 1), around(2e-3, n, 2)];
            let found = compared(&samples, layout, 1e-9);
            let expected =
                if layout == Layout::Blocks && n < 6 { Verdict::Unclear } else { Verdict::Slower };
            assert_eq!(found.assessment.decision.verdict, expected, "{n} {layout:?}: {found:?}");
            assert!(found.assessment.evidence.superiority < f64::EPSILON);
        }
    }
}

#[test]
fn five_against_five_hundred() {
    let found = compared(&[around(1e-3, 500, 1), around(2e-3, 5, 4)], Layout::Independent, 1e-9);
    assert_eq!(found.assessment.evidence.n, (500, 5));
    assert_eq!(found.assessment.decision.verdict, Verdict::Slower);
}

#[test]
fn ticks_of_four_milliseconds_are_not_differences() {
    // Equal programs of 6 ms on a clock of 4 ms ticks: each reads 4 or 8 ms. In 200 experiments
    // hardly any may be called different, and one that reads 4 ms throughout never.
    let tick = 4e-3;
    let ticks = |seed: u64| -> Vec<f64> {
        let mut random = Random::new(seed);
        (0..30).map(|_| if random.uniform() < 0.5 { tick } else { 2.0 * tick }).collect()
    };
    let differs = |seed| {
        let found = compared(&[ticks(seed), ticks(seed + 1000)], Layout::Blocks, tick);
        found.assessment.decision.verdict.is_difference()
    };
    let wrong = (0..200).filter(|&seed| differs(seed)).count();
    assert!(wrong <= 18, "{wrong} of 200"); // the 99 % point of Binomial(200, 0.05)
    let constant = compared(&[vec![tick; 30], vec![2.0 * tick; 30]], Layout::Blocks, tick);
    assert_eq!(constant.assessment.decision.reasons, [Reason::BelowTheClock]);
}

/// Would catch constant readings that never decide: 10 ms every time against 100 ms.
#[test]
fn readings_that_never_differ_are_decided_by_the_resolution() {
    for layout in [Layout::Blocks, Layout::Independent] {
        let verdict = |a: &[f64], b: &[f64]| {
            let found = compared(&[a.to_vec(), b.to_vec()], layout, 1e-6).assessment.decision;
            (found.verdict, found.reasons)
        };
        let (constant, around) = ([10e-3; 20], around(100e-3, 20, 3));
        assert_eq!(verdict(&constant, &around).0, Verdict::Slower);
        assert_eq!(verdict(&constant, &[20e-3; 20]).0, Verdict::Slower);
        // Within the margin with the resolution to both sides; within the resolution, but not the margin.
        assert_eq!(verdict(&constant, &constant).0, Verdict::Same);
        let below = (Verdict::Unclear, vec![Reason::BelowTheClock]);
        assert_eq!(verdict(&[10e-6; 20], &[11e-6; 20]), below);
    }
}

#[test]
fn differences_beyond_what_32_bits_of_microseconds_hold() {
    let found = compared(&[around(1.0, 20, 1), around(9000.0, 20, 2)], Layout::Blocks, 1e-6);
    assert_eq!(found.assessment.decision.verdict, Verdict::Slower);
    assert!(found.assessment.evidence.shown().difference.unwrap().value > 8900.0);
}

#[test]
fn zeros_of_a_clock_have_no_ratio_and_no_verdict() {
    let found = compared(&[vec![0.0; 20], vec![0.0; 20]], Layout::Blocks, 1e-6);
    assert_eq!(found.assessment.evidence.shown().ratio, None);
    assert_eq!(found.assessment.decision.verdict, Verdict::Unclear);
}

/// Would catch letters of a few benchmarks only, and half a million comparisons of a thousand.
#[test]
fn a_hundred_benchmarks_in_all_pairs_and_more_against_the_first() {
    let ranking = |n: u32| {
        let samples: Vec<Vec<f64>> = (0..n)
            .map(|i| around(1e-3 * (1.0 + f64::from(i / 10)), 12, u64::from(7 + i)))
            .collect();
        let set = run_set(cpu(1e-9), &samples, Layout::Blocks);
        analyse(&data(&[set]), &by_cpu()).unwrap().rankings.pop().unwrap()
    };
    let all = ranking(100);
    assert_eq!((all.comparisons.len(), all.reference), (100 * 99 / 2, None));
    assert!(all.rows.iter().all(|row| !row.letters.is_empty()));
    let many = ranking(300);
    assert_eq!((many.comparisons.len(), many.reference), (299, Some(0)));
    assert!(many.rows.iter().all(|row| row.letters.is_empty()));
    assert!(many.comparisons.iter().all(|c| c.base == 0 && c.assessment.adjusted.family == 299));
}

/// Eleven values of nothing and one that is not, as allocations are counted: `unclear`, p 1.000 and an interval from 0
/// to 0 say nothing. Would catch an interval without width that settles nothing, of zeros, of other constants, on either
/// side, in either design, whatever the family; and one that settles more than it holds.
#[test]
fn one_value_apart_from_equal_ones_is_the_same() {
    let apart = |of: f64, n: usize, by: &[f64]| -> Vec<f64> {
        let equal = std::iter::repeat_n(of, n - by.len());
        equal.chain(by.iter().map(|by| of + by)).collect()
    };
    for layout in [Layout::Blocks, Layout::Independent] {
        for of in [0.0, 5.0] {
            let verdict = |base: &[f64], candidate: &[f64], others: usize| {
                let others = std::iter::repeat_n(around(9.0, base.len(), 8), others);
                let samples: Vec<Vec<f64>> =
                    [base.to_vec(), candidate.to_vec()].into_iter().chain(others).collect();
                let set = run_set(cpu(0.0), &samples, layout);
                let ranking = analyse(&data(&[set]), &by_cpu()).unwrap().rankings.pop().unwrap();
                let is_it = |it: &&Comparison| it.base.max(it.candidate) == 1;
                let found = ranking.comparisons.iter().find(is_it).unwrap().assessment.clone();
                (found.decision.verdict, found.evidence.differing)
            };
            let (equal, one) = (apart(of, 12, &[]), apart(of, 12, &[2.0]));
            for others in [0, 8] {
                for (base, candidate) in [(&equal, &one), (&one, &equal), (&one, &one)] {
                    let (found, estimates) = verdict(base, candidate, others);
                    assert_eq!(found, Verdict::Same, "{layout:?} {of} {others}: {estimates:?}");
                }
            }
            // As many that differ as do not, and so few that one may be any.
            let (half, few) = (apart(of, 12, &[2.0; 6]), apart(of, 6, &[2.0]));
            assert_ne!(verdict(&equal, &half, 0).0, Verdict::Same, "{layout:?} {of}");
            assert_eq!(verdict(&apart(of, 6, &[]), &few, 0).0, Verdict::Unclear, "{layout:?} {of}");
        }
    }
}
