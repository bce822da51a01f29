//! Procedures that assume normal values: t and chi-square tails, Welch's test, the t interval, Cohen's d, and
//! Tukey's fences, against SciPy's distributions and exact fractions (`generate.py`). Catches lost
//! tails, a population variance, a wrong standard error, p = 0 or 1 where nothing varies.
//!
//! Tolerances, relative: 1e-12 for tails and quantiles; for t, d and p 1e-12 of the rounding of a
//! difference, which is that of the values (1e-16 of the larger mean) and not of the difference.

use etalon_core::stats::{
    Correction, InsufficientData, Interval, Sorted, Welch, adjust, chi_square_sf, cohens_d, mean,
    mean_interval, normal_sf, pairwise_welch, stddev, student_t_quantile, student_t_sf,
    student_t_two_sided, tukey_outliers, welch,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;

use super::fixtures::{Samples, cases, file, same};
use super::recipes::{placed, sample};

#[test]
fn student_t() {
    let file = file("student_t");
    for case in cases(&file["sf"]) {
        let (t, df) = (case[0].as_f64().unwrap(), case[1].as_f64().unwrap());
        same(Some(student_t_sf(t, df)), &case[2], 1e-12, case);
        assert_eq!(student_t_two_sided(-t, df), 2.0 * student_t_sf(t, df), "{case}");
        assert_eq!(student_t_sf(-t, df), 1.0 - student_t_sf(t, df), "{case}");
    }
    for case in cases(&file["quantile"]) {
        let (p, df) = (case[0].as_f64().unwrap(), case[1].as_f64().unwrap());
        same(Some(student_t_quantile(p, df)), &case[2], 1e-12, case);
    }
}

/// df = 1 and 2 have closed forms: 1/2 − atan(t)/π = atan(1/t)/π, and 1/(2 + t² + t·√(2 + t²)).
#[test]
fn student_t_in_closed_form() {
    for exponent in -40..=300 {
        let t = 10.0_f64.powf(f64::from(exponent) / 2.0);
        let cauchy = (1.0 / t).atan() / std::f64::consts::PI;
        assert!((student_t_sf(t, 1.0) / cauchy - 1.0).abs() < 2e-13, "t = {t}");
        if t < 1e100 {
            let two = 1.0 / (2.0 + t * t + t * (2.0 + t * t).sqrt());
            assert!((student_t_sf(t, 2.0) / two - 1.0).abs() < 2e-13, "t = {t}");
        }
    }
    for exponent in 1..=300 {
        let p = 10.0_f64.powi(-exponent);
        let cauchy = -1.0 / (std::f64::consts::PI * p).tan();
        assert!((student_t_quantile(p, 1.0) / cauchy - 1.0).abs() < 1e-12, "p = {p}");
    }
    // At a billion billion degrees of freedom it is the normal distribution.
    for z in 1..=30 {
        let z = f64::from(z);
        assert!((student_t_sf(z, 1e18) / normal_sf(z) - 1.0).abs() < 1e-12, "z = {z}");
    }
    assert_eq!(student_t_quantile(0.5, 3.0), 0.0);
    assert_eq!(student_t_quantile(0.0, 3.0), f64::NEG_INFINITY);
    assert_eq!(student_t_quantile(0.75, 1.0), -student_t_quantile(0.25, 1.0));
    for bad in [f64::NAN, 0.0, -1.0] {
        assert!(student_t_sf(1.0, bad).is_nan() && student_t_quantile(0.1, bad).is_nan());
    }
}

#[test]
fn chi_square() {
    for case in cases(&file("chi_square")) {
        let (x, df) = (case[0].as_f64().unwrap(), case[1].as_f64().unwrap());
        same(Some(chi_square_sf(x, df)), &case[2], 1e-12, case);
    }
}

fn lacking(case: &Value) -> Option<InsufficientData> {
    match case["lacking"].as_str() {
        Some("no spread") => Some(InsufficientData::ZeroVariance),
        Some("no spread within") => Some(InsufficientData::ZeroVarianceWithin),
        _ => None,
    }
}

/// `tolerance` of the half-width beside that of the value: an end near 0 has no relative accuracy.
#[track_caller]
fn near(ours: f64, theirs: &Value, slack: f64, case: &Value) {
    let theirs = theirs.as_f64().unwrap();
    let allowed = 1e-12 * theirs.abs() + slack;
    assert!((ours - theirs).abs() <= allowed, "ours {ours}, reference {theirs}, case {case}");
}

#[test]
fn welch_tests() {
    let file = file("welch");
    let level = file["level"].as_f64().unwrap();
    let all = cases(&file["cases"]);
    assert!(all.len() >= 200);
    for case in all {
        let (x, y) = (placed(&case["x"]), placed(&case["y"]));
        let ours = welch(&x, &y, level);
        if let Some(why) = lacking(case) {
            assert_eq!(ours, Err(why), "{case}");
            assert_eq!(cohens_d(&x, &y), Err(why), "{case}");
            continue;
        }
        let ours = ours.unwrap_or_else(|why| panic!("{why}: {case}"));
        let largest = |values: &[f64]| values.iter().fold(0.0, |a: f64, v| a.max(v.abs()));
        near(ours.mean_a, &case["mean_a"], 1e-15 * largest(&x), case);
        near(ours.mean_b, &case["mean_b"], 1e-15 * largest(&y), case);
        same(Some(ours.df), &case["df"], 1e-12, case);
        let half = case["half_width"].as_f64().unwrap();
        near(ours.difference, &case["difference"], 1e-13 * half, case);
        near(ours.interval.lo, &case["lo"], 1e-12 * half, case);
        near(ours.interval.hi, &case["hi"], 1e-12 * half, case);
        near(ours.t, &case["t"], 1e-13, case);
        near(ours.cohens_d, &case["d"], 1e-13, case);
        assert_eq!(cohens_d(&x, &y), Ok(ours.cohens_d), "{case}");
        // Where SciPy's p is 0 ours says "at most". p moves (df + 1)·δt/t times as far as t.
        let theirs = case["p"].as_f64().unwrap().max(f64::MIN_POSITIVE);
        let moved = 1e-12 + (ours.df.min(700.0) + 1.0) * 2e-13;
        assert!((ours.p / theirs - 1.0).abs() <= moved, "{} and {theirs}, {case}", ours.p);
    }
}

#[test]
fn t_intervals_of_means() {
    let (samples, file) = (Samples::read(), file("welch"));
    let level = file["level"].as_f64().unwrap();
    for case in cases(&file["means"]) {
        let ours = mean_interval(&samples.values(case, "sample"), level);
        match case["lo"].as_f64() {
            None => assert_eq!(ours, Err(InsufficientData::ZeroVariance), "{case}"),
            Some(lo) => {
                let (ours, hi) = (ours.unwrap(), case["hi"].as_f64().unwrap());
                near(ours.lo, &case["lo"], 1e-12 * (hi - lo), case);
                near(ours.hi, &case["hi"], 1e-12 * (hi - lo), case);
            }
        }
    }
}

/// Student's sleep data, 1908 (R's `sleep`): what R's manual shows for `t.test(extra ~ group)`.
#[test]
fn sleep_data() {
    let one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    let two = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    let test = welch(&one, &two, 0.95).unwrap();
    assert_eq!(format!("{:.4} {:.3} {:.5}", test.t, test.df, test.p), "-1.8608 17.776 0.07939");
    let Interval { lo, hi, .. } = test.interval;
    assert_eq!(format!("{lo:.7} {hi:.7}"), "-3.3654832 0.2054832");
    assert_eq!(format!("{:.2} {:.2}", test.mean_a, test.mean_b), "0.75 2.33");
}

/// 10 against 1000 without spread is neither p = 1 nor p = 0; one side without spread is a test.
#[test]
fn degenerate_samples() {
    let (low, high) = ([10.0; 8], [1000.0; 8]);
    assert_eq!(welch(&low, &high, 0.95), Err(InsufficientData::ZeroVarianceWithin));
    assert_eq!(welch(&low, &low, 0.95), Err(InsufficientData::ZeroVariance));
    assert_eq!(welch(&[0.1; 30], &[0.1; 7], 0.95), Err(InsufficientData::ZeroVariance));
    assert_eq!(welch(&[1.0], &high, 0.95), Err(InsufficientData::TooFew { needs: 2 }));
    assert_eq!(welch(&[], &high, 0.95), Err(InsufficientData::Empty));
    assert_eq!(welch(&[1.0, f64::NAN], &high, 0.95), Err(InsufficientData::NotFinite));
    assert_eq!(welch(&[1.0, 2.0], &high, 1.0), Err(InsufficientData::LevelOutOfRange));
    assert_eq!(mean_interval(&low, 0.95), Err(InsufficientData::ZeroVariance));
    assert_eq!(mean_interval(&[1.0], 0.95), Err(InsufficientData::TooFew { needs: 2 }));
    assert_eq!(mean_interval(&[], 0.95), Err(InsufficientData::Empty));
    let test = welch(&[1.0, 2.0, 3.0], &[2.0; 5], 0.95).unwrap();
    assert_eq!((test.t, test.p, test.df), (0.0, 1.0, 2.0));
    let (noisy, far) = ([1.0, 2.0, 3.0].repeat(50), [1e6, 1e6 + 1.0].repeat(50));
    assert_eq!(welch(&noisy, &far, 0.95).unwrap().p, f64::MIN_POSITIVE, "at most, not 0");
    assert_eq!(
        welch(&[-1.7e308, -1.6e308], &[1.7e308, 1.6e308], 0.95),
        Err(InsufficientData::NotFinite)
    );
    assert!(welch(&[0.0, 5e-324], &[1e300; 4], 0.95).is_err());
    assert_eq!(welch(&[0.0, 1e-300], &[1e10; 4], 0.95), Err(InsufficientData::NotFinite));
}

#[test]
fn fences() {
    let samples = Samples::read();
    for case in cases(&file("tukey")) {
        let sorted = Sorted::new(&sample(&samples, case)).unwrap();
        let ours = tukey_outliers(&sorted).unwrap();
        let reach = ours.upper_fence / 2.0 - ours.lower_fence / 2.0;
        near(ours.lower_fence, &case["lower_fence"], 1e-14 * reach, case);
        near(ours.upper_fence, &case["upper_fence"], 1e-14 * reach, case);
        let theirs = [&case["below"], &case["above"]].map(|v| v.as_u64().unwrap());
        assert_eq!([ours.below as u64, ours.above as u64], theirs, "{case}");
    }
}

/// The usual example, a value on the fence, and fences beyond the largest number.
#[test]
fn fences_at_their_edges() {
    let count = |values: &[f64]| {
        let found = tukey_outliers(&Sorted::new(values).unwrap()).unwrap();
        (found.lower_fence, found.below, found.above, found.upper_fence)
    };
    assert_eq!(count(&[-6.5, 0.0, 2.0, 3.0, 4.0, 6.0, 99.0]), (-5.0, 1, 1, 11.0));
    assert_eq!(count(&[0.0, 0.0, 4.0, 4.0, 10.0]), (-6.0, 0, 0, 10.0));
    assert_eq!(count(&[1.0]), (1.0, 0, 0, 1.0));
    assert_eq!(count(&[1.0, 2.0, 2.0, 2.0, 2.0]), (2.0, 1, 0, 2.0));
    let ends = [-f64::MAX, -f64::MAX, 0.0, f64::MAX, f64::MAX];
    assert_eq!(count(&ends), (-f64::MAX, 0, 0, f64::MAX));
    assert_eq!(tukey_outliers(&Sorted::new(&[]).unwrap()), None);
}

/// Holm over all pairs, one of them without a test: it counts as p = 1 and has none itself.
#[test]
fn all_pairs() {
    let groups: [&[f64]; 4] =
        [&[1.0, 2.0, 3.0], &[4.0, 4.5, 5.5, 6.0], &[7.0, 7.0], &[7.0, 7.0, 7.0]];
    let pairs = pairwise_welch(&groups, 0.95, Correction::Holm);
    let at: Vec<_> = pairs.iter().map(|pair| (pair.a, pair.b)).collect();
    assert_eq!(at, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    assert_eq!(pairs[5].welch, Err(InsufficientData::ZeroVariance));
    assert_eq!(pairs[5].adjusted_p, None);
    let mut p: Vec<f64> = pairs[..5].iter().map(|pair| pair.welch.unwrap().p).collect();
    p.push(1.0);
    for (pair, adjusted) in pairs.iter().zip(adjust(&p, Correction::Holm)).take(5) {
        assert_eq!(pair.adjusted_p, Some(adjusted));
        assert_eq!(pair.welch, welch(groups[pair.a], groups[pair.b], 0.95));
    }
    let smallest = p.iter().copied().fold(1.0, f64::min);
    assert!(pairs.iter().any(|pair| pair.adjusted_p == Some(6.0 * smallest)));
    assert!(pairwise_welch(&groups[..1], 0.95, Correction::Holm).is_empty());
}

fn values() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        prop::collection::vec(-100.0..100.0, 2..30),
        prop::collection::vec((-3_i8..4).prop_map(f64::from), 2..30),
        prop::collection::vec((0_u8..5).prop_map(|tick| 0.1 + 0.004 * f64::from(tick)), 2..30),
    ]
}

fn config() -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(20_260_601);
    ProptestConfig { cases: 300, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

proptest! {
    #![proptest_config(config())]

    /// Exchanging the samples mirrors everything and changes no p.
    #[test]
    fn exchange_mirrors(a in values(), b in values()) {
        match (welch(&a, &b, 0.9), welch(&b, &a, 0.9)) {
            (Ok(there), Ok(back)) => {
                prop_assert!(close(there.t, -back.t) && close(there.p, back.p));
                prop_assert!(close(there.df, back.df) && close(there.cohens_d, -back.cohens_d));
                prop_assert!(close(there.interval.lo, -back.interval.hi));
            }
            (there, back) => prop_assert_eq!(there, back),
        }
    }

    /// Units do not matter: t, df, p and d stay to the bit when all values are scaled by a power of
    /// two, even to where squares overflow, and the rest scales.
    #[test]
    fn scale_does_not_matter(a in values(), b in values(), exponent in -900_i32..900) {
        let by = 2.0_f64.powi(exponent);
        let scaled = |x: &[f64]| x.iter().map(|v| v * by).collect::<Vec<f64>>();
        if let (Ok(here), Ok(there)) = (welch(&a, &b, 0.9), welch(&scaled(&a), &scaled(&b), 0.9)) {
            let pure = |w: Welch| (w.t, w.df, w.p, w.cohens_d);
            prop_assert_eq!(pure(here), pure(there));
            prop_assert_eq!(here.difference * by, there.difference);
            prop_assert_eq!(here.interval.lo * by, there.interval.lo);
        } else {
            prop_assert_eq!(welch(&a, &b, 0.9).err(), welch(&scaled(&a), &scaled(&b), 0.9).err());
        }
    }

    /// p ≤ 1 − level exactly if the interval misses 0; df lies where theory puts it; and the obvious
    /// formula gives the same.
    #[test]
    fn interval_and_test_agree(a in values(), b in values(), level in 0.5..0.999) {
        let Ok(test) = welch(&a, &b, level) else { return Ok(()) };
        prop_assert!(test.p > 0.0 && test.p <= 1.0);
        if (test.p - (1.0 - level)).abs() > 1e-9 {
            prop_assert_eq!(test.p < 1.0 - level, !test.interval.contains(0.0));
        }
        let (m, n) = (a.len() as f64, b.len() as f64);
        prop_assert!(test.df >= m.min(n) - 1.0 - 1e-9 && test.df <= m + n - 2.0 + 1e-9);
        let variance = |x: &[f64]| stddev(x).unwrap().powi(2);
        let difference = mean(&a).unwrap() - mean(&b).unwrap();
        let t = difference / (variance(&a) / m + variance(&b) / n).sqrt();
        let pooled = ((m - 1.0) * variance(&a) + (n - 1.0) * variance(&b)) / (m + n - 2.0);
        prop_assert!(close(test.t, t) && close(test.cohens_d, difference / pooled.sqrt()));
    }

    /// The quantile undoes the tail for any degrees of freedom, not only those of the fixtures.
    #[test]
    fn t_quantile_undoes_the_tail(p in 1e-12..0.45, df in 0.5..1e5) {
        let t = student_t_quantile(p, df);
        prop_assert!((student_t_sf(-t, df) / p - 1.0).abs() < 1e-11, "{} {}", t, df);
    }

    /// Nothing within the middle half lies outside, and the counts are those of the definition.
    #[test]
    fn fences_by_definition(a in values()) {
        let sorted = Sorted::new(&a).unwrap();
        let found = tukey_outliers(&sorted).unwrap();
        prop_assert_eq!(found.below, a.iter().filter(|&&v| v < found.lower_fence).count());
        prop_assert_eq!(found.above, a.iter().filter(|&&v| v > found.upper_fence).count());
        prop_assert!(found.below <= a.len().div_ceil(4) && found.above <= a.len().div_ceil(4));
    }
}
