//! Properties that hold for all data, and slow obvious versions of the fast algorithms, on generated
//! samples full of ties, zeros and extremes.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

use std::collections::HashSet;

use etalon_core::random::Random;
use etalon_core::stats::{
    Alternative, Correction, Sorted, adjust, brunner_munzel, half_sample_mode, kth_average,
    kth_difference, letters, mann_whitney, median, median_interval, one_sample, quantile,
    signed_rank, signed_rank_critical, superiority_independent, two_sample,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Values of one of four kinds: smooth, few distinct ones, zeros and signs, all magnitudes.
fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        -100.0..100.0,
        (-3_i8..4).prop_map(f64::from),
        (0_u8..5).prop_map(|tick| 0.1 + 0.004 * f64::from(tick)),
        any::<f64>().prop_filter("finite", |v| v.is_finite()),
    ]
}

/// One kind of value each, so that whole samples are tied or spread.
fn sample(sizes: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        prop::collection::vec(value(), sizes.clone()),
        prop::collection::vec((-3_i8..4).prop_map(f64::from), sizes.clone()),
        prop::collection::vec(0.9..1.1, sizes),
    ]
}

fn sorted(values: &[f64]) -> Sorted {
    Sorted::new(values).unwrap()
}

fn ascending(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn all_differences(x: &[f64], y: &[f64]) -> Vec<f64> {
    ascending(x.iter().flat_map(|x| y.iter().map(move |y| x - y)).collect())
}

fn all_averages(x: &[f64]) -> Vec<f64> {
    let of = |i: usize| x[i..].iter().map(move |&other| f64::midpoint(x[i], other));
    ascending((0..x.len()).flat_map(of).collect())
}

/// The cases of one seed: a failure is found by whoever causes it.
fn config() -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(20_260_601);
    ProptestConfig { cases: 300, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    /// Catches a search that is off by one rank, loses ties or does not end.
    #[test]
    fn selection_equals_sorting_all_pairs(x in sample(1..24), y in sample(1..24), at in 0.0..1.0) {
        let pick = |all: Vec<f64>| {
            let index = (all.len() as f64 * at) as usize;
            (index as u64 + 1, Some(all[index]))
        };
        let (k, difference) = pick(all_differences(&x, &y));
        prop_assert_eq!(kth_difference(&sorted(&x), &sorted(&y), k), difference);
        let (k, average) = pick(all_averages(&x));
        prop_assert_eq!(kth_average(&sorted(&x), k), average);
    }

    /// The interval holds exactly the shifts its test does not reject (no ties: continuous data),
    /// tried just inside and just outside each end.
    #[test]
    fn one_sample_interval_inverts_the_test(
        x in prop::collection::vec(-1.0..1.0, 6..40),
        level in prop::sample::select(vec![0.5, 0.8, 0.9, 0.95]),
    ) {
        let shift = one_sample(&sorted(&x), level).unwrap();
        let interval = shift.interval.unwrap();
        prop_assert!(interval.contains(shift.estimate));
        let rejected = |centre: f64| {
            let moved: Vec<f64> = x.iter().map(|v| v - centre).collect();
            signed_rank(&moved, Alternative::TwoSided).unwrap().p <= 1.0 - level + 1e-12
        };
        let step = 1e-12;
        prop_assert!(rejected(interval.lo - step) && rejected(interval.hi + step));
        if interval.half_width() > step {
            prop_assert!(!rejected(interval.lo + step) && !rejected(interval.hi - step));
        }
    }

    /// Would catch a two-sample interval that does not invert its test.
    #[test]
    fn two_sample_interval_inverts_the_test(
        x in prop::collection::vec(-1.0..1.0, 4..30),
        y in prop::collection::vec(-1.0..1.0, 4..30),
        level in prop::sample::select(vec![0.5, 0.8, 0.9, 0.95]),
    ) {
        let shift = two_sample(&sorted(&x), &sorted(&y), level).unwrap();
        let interval = shift.interval.unwrap();
        prop_assert!(interval.contains(shift.estimate));
        let rejected = |by: f64| {
            let moved: Vec<f64> = x.iter().map(|v| v - by).collect();
            brunner_munzel(&moved, &y, Alternative::TwoSided).unwrap().p <= 1.0 - level + 1e-12
        };
        let step = 1e-12;
        prop_assert!(rejected(interval.lo - step) && rejected(interval.hi + step));
        if interval.half_width() > step {
            prop_assert!(!rejected(interval.lo + step) && !rejected(interval.hi - step));
        }
    }

    /// Exchanging the samples turns everything round and changes no p.
    #[test]
    fn exchange_mirrors(x in sample(1..40), y in sample(1..40)) {
        let (sx, sy) = (sorted(&x), sorted(&y));
        let there = mann_whitney(&x, &y, Alternative::Less).unwrap();
        let back = mann_whitney(&y, &x, Alternative::Greater).unwrap();
        prop_assert_eq!(there.p, back.p);
        prop_assert_eq!(there.statistic + back.statistic, (x.len() * y.len()) as f64);
        let there = brunner_munzel(&x, &y, Alternative::Less).unwrap();
        let back = brunner_munzel(&y, &x, Alternative::Greater).unwrap();
        prop_assert!((there.p - back.p).abs() <= 1e-15);
        prop_assert_eq!(there.statistic, 0.0 - back.statistic);
        let p = superiority_independent(&sx, &sy).unwrap();
        prop_assert!((p + superiority_independent(&sy, &sx).unwrap() - 1.0).abs() < 1e-15);
        match (two_sample(&sx, &sy, 0.9), two_sample(&sy, &sx, 0.9)) {
            (Some(there), Some(back)) => prop_assert_eq!(there.estimate, -back.estimate),
            (there, back) => prop_assert_eq!(there.is_none(), back.is_none()),
        }
        let mirrored: Vec<f64> = x.iter().map(|v| -v).collect();
        let there = signed_rank(&x, Alternative::Less).unwrap();
        let back = signed_rank(&mirrored, Alternative::Greater).unwrap();
        prop_assert_eq!(there.p, back.p);
    }

    /// The order of values is nobody's business but the autocorrelation's.
    #[test]
    fn order_does_not_matter(x in sample(1..40), y in sample(1..40)) {
        let (mut rx, mut ry) = (x.clone(), y.clone());
        rx.reverse();
        ry.rotate_left(y.len() / 2);
        for alternative in [Alternative::TwoSided, Alternative::Less] {
            prop_assert_eq!(signed_rank(&x, alternative), signed_rank(&rx, alternative));
            prop_assert_eq!(mann_whitney(&x, &y, alternative), mann_whitney(&rx, &ry, alternative));
            let test = brunner_munzel(&x, &y, alternative);
            prop_assert_eq!(test, brunner_munzel(&rx, &ry, alternative));
        }
    }

    /// p is a probability, and the two one-sided ones overlap in the observed statistic (exact) or
    /// in the continuity correction.
    #[test]
    fn p_values_are_probabilities(x in sample(1..60), y in sample(1..60)) {
        for test in [
            |x: &[f64], _: &[f64], a| signed_rank(x, a),
            |x: &[f64], y: &[f64], a| mann_whitney(x, y, a),
            |x: &[f64], y: &[f64], a| brunner_munzel(x, y, a),
        ] {
            let p = |alternative| test(&x, &y, alternative).unwrap().p;
            let (two, less) = (p(Alternative::TwoSided), p(Alternative::Less));
            let greater = p(Alternative::Greater);
            for p in [two, less, greater] {
                prop_assert!((0.0..=1.0).contains(&p));
            }
            prop_assert!(less + greater >= 1.0 - 1e-12);
            prop_assert!((two - (2.0 * less.min(greater)).min(1.0)).abs() < 1e-12);
        }
    }

    /// Nested levels give nested intervals, all around the estimate.
    #[test]
    fn intervals_nest(x in sample(1..80)) {
        let s = sorted(&x);
        let levels = [0.5, 0.8, 0.95, 0.99, 0.9999];
        let intervals = levels.map(|level| median_interval(&s, level).ok());
        for pair in intervals.windows(2) {
            if let [Some(inner), Some(outer)] = pair {
                prop_assert!(inner.lies_inside(outer.lo, outer.hi));
            }
        }
        for interval in intervals.into_iter().flatten() {
            prop_assert!(interval.contains(median(&s).unwrap()));
        }
    }

    /// Quantiles ascend, stay within the data, and meet the order statistics at their ranks.
    #[test]
    fn quantiles_ascend(x in sample(1..40), a in 0.0..=1.0, b in 0.0..=1.0) {
        let s = sorted(&x);
        let (a, b): (f64, f64) = (f64::min(a, b), f64::max(a, b));
        let (low, high) = (quantile(&s, a).unwrap(), quantile(&s, b).unwrap());
        prop_assert!(low <= high && s.min().unwrap() <= low && high <= s.max().unwrap());
        prop_assert_eq!(quantile(&s, 0.0), s.min());
        prop_assert_eq!(quantile(&s, 1.0), s.max());
    }

    /// The mode lies among the data and moves with them.
    #[test]
    fn mode_is_equivariant(x in prop::collection::vec(-1000_i32..1000, 10..60)) {
        let of = |f: fn(f64) -> f64| {
            let values: Vec<f64> = x.iter().map(|&v| f(f64::from(v))).collect();
            half_sample_mode(&sorted(&values)).unwrap()
        };
        prop_assert_eq!(of(|v| v * 2.0 + 64.0), of(|v| v) * 2.0 + 64.0);
    }

    /// Adjusted values keep the order, never fall below p, and Holm is never below
    /// Benjamini–Hochberg.
    #[test]
    fn corrections_are_monotone(p in prop::collection::vec(0.0..=1.0, 0..40)) {
        let holm = adjust(&p, Correction::Holm);
        let bh = adjust(&p, Correction::BenjaminiHochberg);
        for i in 0..p.len() {
            prop_assert!(p[i] <= bh[i] + 1e-15 && bh[i] <= holm[i] + 1e-15 && holm[i] <= 1.0);
            for j in 0..p.len() {
                prop_assert!(p[i] >= p[j] || (holm[i] <= holm[j] && bh[i] <= bh[j]));
            }
        }
    }

    /// For any symmetric relation two subjects share a letter if and only if they do not differ.
    #[test]
    fn letters_say_what_differs(k in 1_usize..24, seed in any::<u64>(), share in 0.0..1.0) {
        let relation = Random::new(seed);
        let differs = |i: usize, j: usize| {
            relation.stream((i.min(j) * k + i.max(j)) as u64).uniform() < share
        };
        prop_assert!(letters_are_right(&letters(k, differs), k, differs));
    }
}

fn letters_are_right(letters: &[String], k: usize, differs: impl Fn(usize, usize) -> bool) -> bool {
    // Past 26 letters there is one called aa; joined single letters never repeat.
    let comma = letters.iter().any(|own| own.split(',').any(|letter| letter == "aa"));
    let sets: Vec<HashSet<String>> = letters
        .iter()
        .map(|own| match comma {
            true => own.split(',').map(String::from).collect(),
            false => own.chars().map(String::from).collect(),
        })
        .collect();
    let share = |i: usize, j: usize| !sets[i].is_disjoint(&sets[j]);
    let agree = |i: usize, j: usize| share(i, j) != differs(i, j);
    letters.iter().all(|own| !own.is_empty()) && (0..k).all(|i| (0..i).all(|j| agree(i, j)))
}

/// A thousand subjects whose intervals overlap their neighbours', and all pairs different: the
/// usual shapes at the largest size. Catches a cost that grows like k⁴.
#[test]
fn letters_for_a_thousand() {
    for width in [0, 1, 40, 999] {
        let differs = |i: usize, j: usize| i.abs_diff(j) > width;
        assert!(letters_are_right(&letters(1000, differs), 1000, differs), "width {width}");
    }
}

/// Complements of perfect matchings have 2^(k/2) maximal groups: the guard must hold, and the
/// letters must still be right.
#[test]
fn letters_where_maximal_groups_explode() {
    let differs = |i: usize, j: usize| i / 2 == j / 2;
    assert!(letters_are_right(&letters(60, differs), 60, differs));
    let scattered = |i: usize, j: usize| (i.min(j) * 31 + i.max(j) * 17) % 7 < 3;
    assert!(letters_are_right(&letters(200, scattered), 200, scattered));
}

/// More values never allow cutting off less than about as much: critical values ascend with n,
/// also where the exact method gives way to the normal approximation.
#[test]
fn critical_values_ascend_with_n() {
    for level in [0.5, 0.9, 0.95, 0.99, 0.999] {
        for n in 1..200 {
            assert!(signed_rank_critical(n, level) <= signed_rank_critical(n + 1, level));
        }
    }
}
