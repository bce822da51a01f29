//! The conditions that `--at-least`, `-x epsilon` and `-x super` add to a difference, and which rows are said to
//! have performed identically. Would catch a condition that is recorded and not applied, applied to
//! the wrong side, or to a metric it says nothing about; and "identical" made out of "not different".

use crate::by_cpu;
use crate::support::{Layout, RunSet, cpu, data};
use etalon_core::analysis::{Analysis, analyse};
use etalon_core::compare::{Design, EquivalenceBounds, EstimateChoice, Estimates, Evidence, Scale};
use etalon_core::criteria::{Conditions, Criteria};
use etalon_core::estimate::{Estimate, Method};
use etalon_core::model::{Direction, Level, Metric};
use etalon_core::plan::Settings;
use etalon_core::random::Random;
use etalon_core::stats::{Correction, Interval, PMethod, Test};
use etalon_core::units::Unit;
use etalon_core::verdict::{Adjusted, Decision, Reason, Verdict, decide};

fn run_set(unit: &str, direction: Direction, samples: &[Vec<f64>]) -> RunSet {
    let metric = Metric { unit: Unit::new(unit), direction, resolution: None, ..cpu(0.0) };
    crate::support::run_set(metric, samples, Layout::Blocks)
}

/// Values around a centre, 10 % apart at most.
fn around(seed: u64, centre: f64, n: usize) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..n).map(|_| centre * (0.95 + 0.1 * random.uniform())).collect()
}

fn analysed(set: RunSet, conditions: Conditions) -> Analysis {
    analyse(
        &data(&[set]),
        &Settings { criteria: Criteria { conditions, ..Criteria::default() }, ..by_cpu() },
    )
    .unwrap()
}

fn decision(analysis: &Analysis) -> (Verdict, Vec<Reason>) {
    let decision = &analysis.rankings[0].comparisons[0].assessment.decision;
    (decision.verdict, decision.reasons.clone())
}

fn epsilon(seconds: f64) -> Conditions {
    Conditions { epsilon: Some(seconds), superiority: None }
}

fn superiority(at_most: f64) -> Conditions {
    Conditions { epsilon: None, superiority: Some(at_most) }
}

#[test]
fn epsilon_moves_the_interval_and_says_so() {
    let set = || {
        let samples = [around(1, 2e-3, 60), around(2, 2.2e-3, 60)];
        run_set("s", Direction::Lower, &samples)
    };
    let plain = analysed(set(), Conditions::default());
    let interval =
        plain.rankings[0].comparisons[0].assessment.evidence.shown().difference.unwrap().interval;
    let distance = interval.as_ref().unwrap().lo;
    assert_eq!(decision(&plain).0, Verdict::Slower);
    assert_eq!(decision(&analysed(set(), epsilon(0.0))).0, Verdict::Slower);
    assert_eq!(decision(&analysed(set(), epsilon(distance * 0.99))).0, Verdict::Slower);
    let moved = analysed(set(), epsilon(distance * 1.01));
    let reason = Reason::WithinEpsilon { epsilon: distance * 1.01 };
    assert_eq!(decision(&moved), (Verdict::Unclear, vec![reason]));
    // The estimate lies beyond it, so more blocks would settle it; beyond the estimate none would.
    let more = |a: &Analysis| {
        a.rankings[0].comparisons[0].assessment.decision.more.as_ref().map(|more| more.about)
    };
    assert!(more(&moved).is_some());
    assert_eq!(more(&analysed(set(), epsilon(1.0))), None);
}

#[test]
fn epsilon_is_a_time_and_says_nothing_about_bytes() {
    let samples = [around(1, 2e-3, 60), around(2, 2.2e-3, 60)];
    let set = run_set("B", Direction::Lower, &samples);
    let analysis = analysed(set, epsilon(1.0));
    assert_eq!(decision(&analysis).0, Verdict::Slower);
    assert_eq!(analysis.rankings[0].criteria.conditions, Conditions::default());
}

/// The slower one is the candidate where lower is better; where higher is better the faster one is,
/// in another order of rows. Either way the probability is that of a reading against the order.
#[test]
fn superiority_is_that_of_the_slower_one() {
    for direction in [Direction::Lower, Direction::Higher] {
        let samples = [around(1, 1.0, 400), around(2, 1.03, 400)];
        let set = || run_set("s", direction, &samples);
        let plain = analysed(set(), Conditions::default());
        let evidence = &plain.rankings[0].comparisons[0].assessment.evidence;
        let against = evidence.superiority.min(1.0 - evidence.superiority);
        assert!(decision(&plain).0.is_difference() && against > 0.2, "{against}");
        let allowed = analysed(set(), superiority(against + 0.01));
        assert_eq!(decision(&allowed).0, decision(&plain).0);
        let refused = analysed(set(), superiority(against - 0.01));
        let (verdict, reasons) = decision(&refused);
        assert_eq!(verdict, Verdict::Unclear);
        let [Reason::TooOftenBetter { probability, .. }] = reasons[..] else {
            panic!("{reasons:?}");
        };
        assert!((probability - against).abs() < 1e-12, "{direction:?}");
        let more = refused.rankings[0].comparisons[0]
            .assessment
            .decision
            .more
            .as_ref()
            .map(|more| more.about);
        assert_eq!(more, None, "no number of blocks changes a probability");
    }
}

#[test]
fn conditions_never_make_a_difference() {
    for seed in 0..20 {
        let samples = [around(seed, 1.0, 20), around(seed + 100, 1.02, 20)];
        let set = || run_set("s", Direction::Lower, &samples);
        let plain = decision(&analysed(set(), Conditions::default())).0;
        let both = Conditions { epsilon: Some(0.005), superiority: Some(0.33) };
        let held = decision(&analysed(set(), both)).0;
        assert!(held == plain || held == Verdict::Unclear, "{plain:?} became {held:?}");
    }
}

/// a and b are the same, b and c are the same, a and c are not: two are identical, not three.
#[test]
fn identical_is_said_of_pairs_that_are_all_the_same() {
    let identical = |centres: &[f64], n: usize| {
        let samples: Vec<Vec<f64>> =
            centres.iter().zip(1..).map(|(c, seed)| around(seed, *c, n)).collect();
        let analysis = analysed(run_set("s", Direction::Lower, &samples), Conditions::default());
        analysis.rankings[0].identical()
    };
    assert_eq!(identical(&[1.0, 1.0, 1.0], 2000), 3);
    assert_eq!(identical(&[1.0, 1.007, 1.014], 2000), 2);
    assert_eq!(identical(&[1.0, 1.1], 2000), 1);
    assert_eq!(identical(&[1.0], 20), 1);
    // Not different, but not the same either: too few values.
    assert_eq!(identical(&[1.0, 1.0], 12), 1);
}

/// A difference of 10 ms ± 6, which is a ratio of e^0.1 (e^0.04 … e^0.16), of 20 blocks.
fn decided(scale: Scale, bounds: EquivalenceBounds, at_least: f64) -> Decision {
    let estimate = |value, lo, hi| Estimate {
        value,
        interval: Ok(Interval { lo, hi, level: 0.95 }),
        method: Method::HodgesLehmannPaired,
    };
    let (p, tost_p) = (0.001, Some(0.9));
    let estimates = Estimates {
        level: 0.95,
        ratio: Some(estimate(0.1_f64.exp(), 0.04_f64.exp(), 0.16_f64.exp())),
        difference: Some(estimate(0.010, 0.004, 0.016)),
    };
    let evidence = Evidence {
        level: Level::Readings,
        shape: None,
        exact: false,
        direction: Direction::Lower,
        one_sided: None,
        design: Design::Blocks,
        n: (20, 20),
        dropped: 0,
        lost: Default::default(),
        p_with_lost: None,
        differing: estimates,
        sameness: estimates,
        shown: EstimateChoice::Differing,
        ratio_of_medians: Some(0.1_f64.exp()),
        base_median: 0.1,
        scale,
        bounds: Some(bounds),
        test: Ok(Test { statistic: 0.0, p, method: PMethod::Exact }),
        mann_whitney: None,
        tost_p,
        superiority: 0.1,
        tail: None,
        tail_apart: None,
        zero_variance: false,
        dependence: None,
    };
    let strictest = Criteria::default().alpha;
    let correction = Correction::Holm;
    let adjusted = Adjusted { p: Some(p), tost_p, family: 1, correction, strictest };
    let criteria = Criteria { at_least: Some(at_least), ..Criteria::default() };
    decide(&evidence, &adjusted, &criteria)
}

/// By hand: the half-width 0.06 has to become 0.1 − ln 1.05 = 0.0512, which takes 20·(0.06/0.0512)² =
/// 27.5 blocks. Would catch a share subtracted from seconds, of which no number of blocks comes out.
#[test]
fn blocks_until_a_ratio_lies_beyond_a_share_whatever_the_margin_is() {
    let absolute = decided(Scale::Difference, EquivalenceBounds { lo: -0.001, hi: 0.001 }, 0.05);
    let relative = decided(Scale::Ratio, EquivalenceBounds { lo: 1.0 / 1.01, hi: 1.01 }, 0.05);
    for decision in [absolute, relative] {
        assert_eq!(decision.reasons, [Reason::NotBeyond { at_least: 0.05 }]);
        assert_eq!(decision.more.as_ref().map(|more| more.about), Some(8));
    }
    // An estimate below the share never lies beyond it.
    let below = decided(Scale::Difference, EquivalenceBounds { lo: -0.001, hi: 0.001 }, 0.2);
    assert_eq!((below.verdict, below.more), (Verdict::Unclear, None));
}
