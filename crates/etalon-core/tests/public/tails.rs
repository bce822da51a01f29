//! `same` where typical values agree and the cost does not: a side that is slow in some of its executions.
//!
//! Fixed seeds. Would catch a `same` that looks at the middle only (99.9 % of these experiments at 100 blocks), a guard
//! that takes equal tails for a difference, and one that looks at the wrong side of a rate.

use crate::by_cpu;
use crate::support::{Layout, cpu, data, normal};
use etalon_core::analysis::{Analysis, analyse};
use etalon_core::compare::{Tail, TailKind, WorseSide};
use etalon_core::model::{Direction, Metric};
use etalon_core::notes::{ComparisonNote, NoteKind};
use etalon_core::random::Random;
use etalon_core::units::Unit;
use etalon_core::verdict::{Decision, Reason, Verdict};

/// Readings with half a percent of noise, of which this share takes twice as long.
fn readings(random: &mut Random, n: usize, slow: f64) -> Vec<f64> {
    let mut reading = || {
        let factor = if random.uniform() < slow { 2.0 } else { 1.0 };
        factor * (0.005 * normal(random)).exp()
    };
    (0..n).map(|_| reading()).collect()
}

fn analysed(metric: Metric, samples: &[Vec<f64>], layout: Layout) -> Analysis {
    let set = crate::support::run_set(metric, samples, layout);
    analyse(&data(&[set]), &by_cpu()).unwrap()
}

fn decided(samples: &[Vec<f64>], layout: Layout) -> Decision {
    let mut ranking = analysed(cpu(1e-9), samples, layout).rankings.remove(0);
    ranking.comparisons.remove(0).assessment.decision
}

/// How many of 1,000 experiments are `same`, with these shares of slow readings on the two sides.
fn same(n: usize, slow: (f64, f64), layout: Layout) -> u32 {
    let is_same = |seed: u64| {
        let mut random = Random::new(seed * 17 + 3).stream(5);
        let samples = [readings(&mut random, n, slow.0), readings(&mut random, n, slow.1)];
        decided(&samples, layout).verdict == Verdict::Same
    };
    (0..1000).map(|seed| u32::from(is_same(seed))).sum()
}

#[test]
fn a_tail_of_one_side_is_not_the_same_and_equal_tails_are() {
    for layout in [Layout::Blocks, Layout::Independent] {
        let one = same(60, (0.0, 0.1), layout);
        let [none, few, many] = [0.0, 0.03, 0.1].map(|slow| same(60, (slow, slow), layout));
        println!("{layout:?}: one side {one}; both 0, 3, 10 %: {none}, {few}, {many} of 1000");
        // P(Binomial(60, 0.1) ≤ 2) = 5.3 %; the 99 % point of 1,000 times that.
        assert!(one <= 70, "{layout:?}: {one} of 1000");
        assert!(none > 990 && few > 850 && many > 850, "{layout:?}: {none}, {few}, {many}");
    }
}

#[test]
fn the_reason_says_how_often() {
    let mut random = Random::new(1);
    let base = readings(&mut random, 60, 0.0);
    let mut candidate = readings(&mut random, 60, 0.0);
    for slow in [5, 17, 23, 40, 51] {
        candidate[slow] *= 1.5;
    }
    let found = decided(&[base.clone(), candidate.clone()], Layout::Blocks);
    let [Reason::MoreOftenWorse(Tail { found, of, kind, worse, .. })] = found.reasons[..] else {
        panic!("{found:?}");
    };
    assert_eq!((found.0 + found.1, of, kind), (5, (60, 60), TailKind::Slow));
    assert!(worse == Some(if found.0 == 5 { WorseSide::Base } else { WorseSide::Candidate }));
    // Of a rate the long readings are the better ones: these are not slow.
    let rate = Metric {
        unit: Unit::new("1/s"),
        direction: Direction::Higher,
        resolution: None,
        ..cpu(0.0)
    };
    let samples = [base, candidate];
    let reasons = |metric| {
        let mut ranking = analysed(metric, &samples, Layout::Blocks).rankings.remove(0);
        ranking.comparisons.remove(0).assessment.decision.reasons
    };
    assert_eq!(reasons(rate.clone()), [Reason::WithinMargin]);
    assert_eq!(reasons(Metric { direction: Direction::Neither, ..rate }), [Reason::WithinMargin]);
}

/// By hand: of ten values without a slow one, 1 − 0.05^(1/10) = 25.9 % could be slow; of a hundred it is not said.
#[test]
fn same_says_what_it_could_not_have_seen() {
    let unseen = |n: usize| {
        let mut random = Random::new(9);
        let samples = [readings(&mut random, n, 0.0), readings(&mut random, n, 0.0)];
        let analysis = analysed(cpu(1e-9), &samples, Layout::Blocks);
        let found = |kind: &NoteKind| match kind {
            NoteKind::Comparison(ComparisonNote::Unseen { share, .. }) => Some(*share),
            _ => None,
        };
        analysis.notes.iter().find_map(|note| found(&note.what))
    };
    let share = unseen(30).unwrap();
    assert!((share - (1.0 - 0.05_f64.powf(1.0 / 30.0))).abs() < 1e-9, "{share}");
    assert_eq!(unseen(100), None);
}

/// A TOST at 5 % has an interval of 90 %: it is the one that lies within the margin, and the one shown.
#[test]
fn same_is_decided_and_shown_by_the_interval_of_its_test() {
    let mut shown = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mut wide = |n: usize| -> Vec<f64> {
            (0..n).map(|_| (0.012 * normal(&mut random)).exp()).collect()
        };
        let samples = [wide(30), wide(30)];
        let mut ranking = analysed(cpu(1e-9), &samples, Layout::Blocks).rankings.remove(0);
        let assessment = ranking.comparisons.remove(0).assessment;
        let evidence = assessment.evidence;
        if assessment.decision.verdict == Verdict::Same {
            assert!((evidence.shown().level - 0.9).abs() < 1e-12);
            assert_eq!(evidence.shown().ratio, evidence.sameness.ratio);
            let bounds = evidence.bounds.unwrap();
            shown += u32::from(!bounds.contain(evidence.differing.ratio_interval().unwrap()));
        } else {
            assert!((evidence.shown().level - 0.95).abs() < 1e-12);
        }
    }
    assert!(shown > 10, "{shown} of 200 are the same at 90 % and not at 95 %");
}

/// How many of so many experiments say that a side is slow more often than the typical difference explains: readings
/// with so much noise, the candidate's longer by a share, and some of them twice as long.
fn slow_beside(n: u64, layout: Layout, noise: f64, change: f64, slow: (f64, f64)) -> usize {
    let is_said = |seed: u64| {
        let mut random = Random::new(seed * 31 + 7).stream(3);
        let mut side = |typical: f64, slow: f64| -> Vec<f64> {
            let mut reading = || {
                let factor = if random.uniform() < slow { 2.0 } else { 1.0 };
                typical * factor * (noise * normal(&mut random)).exp()
            };
            (0..120).map(|_| reading()).collect()
        };
        let samples = [side(1.0, slow.0), side(1.0 + change, slow.1)];
        let is_it = |kind: &NoteKind| match kind {
            NoteKind::Comparison(ComparisonNote::MoreOftenWorse(tail)) => {
                assert!(slow.0 == slow.1 || tail.worse == Some(WorseSide::Candidate), "{tail:?}");
                true
            }
            _ => false,
        };
        analysed(cpu(1e-9), &samples, layout).notes.iter().any(|note| is_it(&note.what))
    };
    (0..n).filter(|seed| is_said(*seed)).count()
}

/// Would catch a change of what is typical, and noise, being told as a tail.
#[test]
fn a_change_of_all_readings_is_no_tail() {
    for layout in [Layout::Blocks, Layout::Independent] {
        for change in [0.05, 0.2] {
            let said = slow_beside(1000, layout, 0.08, change, (0.0, 0.0));
            assert!(said <= 5, "{layout:?} {change}: {said} of 1000");
        }
        let said = slow_beside(1000, layout, 0.01, 0.02, (0.1, 0.1));
        assert!(said <= 5, "{layout:?}, equal tails: {said} of 1000");
    }
}

/// Would catch a tail that nobody is told of because the median differs, too.
#[test]
fn a_tail_is_told_beside_a_difference() {
    for layout in [Layout::Blocks, Layout::Independent] {
        // Ten of 120 are enough: P(Binomial(120, 0.1) ≥ 10) = 77 %, of 0.2 nearly 1.
        for (slow, least) in [(0.1, 140), (0.2, 198)] {
            let said = slow_beside(200, layout, 0.01, 0.02, (0.0, slow));
            assert!(said >= least, "{layout:?} {slow}: {said} of 200");
        }
    }
}
