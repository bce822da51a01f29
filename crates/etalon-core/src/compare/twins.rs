//! Results where less is asked for, against all of them.

use std::sync::Arc;

use super::scaled::{Independent, Scaled, is_held};
use super::{Contrast, Estimates, Evidence, Origin, Scale, Scales, compare, differing};
use crate::criteria::{Conditions, Criteria, Margin, Sidedness};
use crate::estimate::Estimate;
use crate::model::{Direction, Kind, Metric, Per};
use crate::random::Random;
use crate::sample::Sample;
use crate::stats::Shift;
use crate::units::{Dimension, Unit};

/// Two sides of one kind of values each: scattered, tied, all alike, drifting, single, beyond all magnitudes, not
/// positive.
fn sides() -> Vec<[Vec<f64>; 2]> {
    let mut random = Random::new(5);
    let mut share = || random.uniform();
    let mut all = Vec::new();
    for n in [1_u32, 2, 3, 5, 9, 14, 60, 100] {
        let both = |of: &mut dyn FnMut(f64, u32) -> f64| {
            [0, 1].map(|side| (0..n + side).map(|at| of(f64::from(side), at)).collect())
        };
        all.push(both(&mut |side, _| 100.0 + side + 5.0 * share()));
        all.push(both(&mut |side, _| 40.0 + side + (3.0 * share()).floor()));
        all.push(both(&mut |_, _| 7.0));
        all.push(both(&mut |side, _| 7.0 + side));
        all.push(both(&mut |side, at| 10.0 + side * share() + f64::from(at / 4)));
        all.push(both(&mut |_, _| (1400.0 * share() - 700.0).exp2()));
        all.push(both(&mut |side, _| if share() < 0.5 { 1e-300 } else { 1e300 / (1.0 + side) }));
        all.push(both(&mut |side, _| (4.0 * share()).floor() - side));
    }
    all
}

fn metrics() -> Vec<Metric> {
    let metric = |unit, kind| Metric {
        name: "made".to_owned(),
        unit: Unit::new(unit),
        direction: Direction::Lower,
        kind,
        resolution: None,
        per: Per::Observation,
    };
    vec![metric("s", Kind::Noisy), metric("B", Kind::Noisy), metric("B", Kind::Exact)]
}

fn criteria() -> Vec<Criteria> {
    let usual = Criteria::default();
    let of_readings = Criteria { between: Some(0.0), ..usual };
    let narrow = Criteria { confidence: 0.6, ..of_readings };
    let amount = Criteria { margin: Margin::Absolute(3.0, Dimension::Size), ..of_readings };
    let sided = Criteria { sides: Sidedness::One { tolerated: Some(0.05) }, ..of_readings };
    let conditions = Conditions { epsilon: Some(0.5), superiority: Some(0.1) };
    vec![usual, of_readings, narrow, amount, sided, Criteria { conditions, ..of_readings }]
}

/// Calls `check` with every contrast and every criteria.
fn each_contrast(check: impl Fn(&Contrast<'_>, &Criteria)) {
    let sample = |values: Vec<f64>, in_blocks: bool| {
        let blocks: Arc<[u32]> = (0..).take(if in_blocks { values.len() } else { 0 }).collect();
        Sample::new(values, blocks).unwrap()
    };
    for ([base, candidate], metric) in
        sides().into_iter().flat_map(|sides| metrics().into_iter().map(move |m| (sides.clone(), m)))
    {
        for origin in [Origin::SameRunSet, Origin::DifferentRunSets] {
            let in_blocks = origin == Origin::SameRunSet;
            let base = &sample(base.clone(), in_blocks);
            let candidate = &sample(candidate.clone(), in_blocks);
            let (earlier, dependence, scales) = (&[][..], None, Scales::Both);
            let metric = &metric;
            let contrast =
                Contrast { metric, base, candidate, origin, earlier, dependence, scales };
            criteria().iter().for_each(|criteria| check(&contrast, criteria));
        }
    }
}

/// Would catch a number of the verdict's scale that depends on whether the other one is computed, and a difference
/// that is missing where no ratio says what it does.
#[test]
fn the_scale_of_a_verdict_needs_no_other() {
    each_contrast(|contrast, criteria| {
        let both = compare(contrast, criteria);
        let alone = compare(&Contrast { scales: Scales::OfVerdict, ..*contrast }, criteria);
        let (Some(both), Some(alone)) = (both, alone) else {
            panic!("{contrast:?}: one of the two is missing");
        };
        assert!(both.differing.difference.is_some(), "{contrast:?}");
        let has_one = |of: &Estimates| of.ratio.or(of.difference).is_some();
        assert!(has_one(&alone.differing) && has_one(&alone.sameness), "{contrast:?}");
        let is_alone = alone.differing.difference.is_none();
        let kept = |difference: Option<Estimate>| difference.filter(|_| !is_alone);
        let less = |of: Estimates| Estimates { difference: kept(of.difference), ..of };
        let expected =
            Evidence { differing: less(both.differing), sameness: less(both.sameness), ..both };
        assert_eq!(format!("{alone:?}"), format!("{expected:?}"));
    });
}

/// Would catch intervals of picked rows that are not those that a whole comparison has.
#[test]
fn what_differs_is_what_the_whole_comparison_says() {
    each_contrast(|contrast, criteria| {
        for scales in [Scales::OfVerdict, Scales::Both] {
            let contrast = &Contrast { scales, ..*contrast };
            let whole = compare(contrast, criteria).map(|evidence| evidence.differing);
            assert_eq!(differing(contrast, criteria), whole, "{contrast:?}");
        }
    });
}

/// Would catch a ratio that exists although the interval which nobody looks at is beyond what a double holds.
#[test]
fn an_interval_that_is_not_looked_at_changes_nothing_else() {
    for [base, candidate] in sides() {
        let [base, candidate] =
            [base, candidate].map(|side| Sample::new(side, Arc::new([])).unwrap());
        if !base.is_positive() || !candidate.is_positive() {
            continue;
        }
        for levels in [[0.95, 0.9], [0.5, 0.999]] {
            let samples = Independent::new(&base, &candidate);
            let shifts = |both| Scaled::independent(samples, Scale::Ratio, levels, both).shifts();
            let (Some(whole), Some(one)) = (shifts(true), shifts(false)) else {
                panic!("{base:?} and {candidate:?} have a shift");
            };
            assert_eq!((whole[0], whole[1].estimate), (one[0], one[1].estimate));
            let held = |shifts: [Shift; 2]| shifts.map(|shift| is_held(&shift));
            assert_eq!(held(whole), held(one), "{base:?}, {candidate:?}");
        }
    }
}
