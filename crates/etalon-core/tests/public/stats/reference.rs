//! Every statistic against SciPy, NumPy, exact fractions or full enumeration (`generate.py` says
//! which). Catches wrong formulas, wrong tie and zero handling, off-by-one order statistics, lost
//! tails.
//!
//! Tolerances, relative: 0 where both sides pick or count; 1e-15 to 1e-13 for a few roundings;
//! 1e-12 for p values, whose normal tails magnify the rounding of z.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small whole numbers

use etalon_core::stats::{
    Alternative, Correction, InsufficientData, Interval, PMethod, Shift, SignedBlocks, Sorted,
    Stretch, adjust, brunner_munzel, fisher_greater, geometric_mean, half_sample_mode, lag1,
    mann_whitney, mean, median, median_interval, normal_cdf, normal_quantile, normal_sf,
    one_sample, quantile, quartiles, serial_dependence, signed_rank, signed_rank_critical, stddev,
    superiority_independent, superiority_paired, tost, two_sample, upper_share,
};
use serde_json::Value;

use super::fixtures::{Samples, cases, file, numbers, same};

const ALTERNATIVES: [Alternative; 3] =
    [Alternative::TwoSided, Alternative::Less, Alternative::Greater];

fn size(case: &Value, key: &str) -> usize {
    usize::try_from(case[key].as_u64().unwrap()).unwrap()
}

#[test]
fn means_spread_quantiles_mode_and_autocorrelation() {
    let (samples, file) = (Samples::read(), file("describe"));
    let levels = numbers(&file["quantile_levels"]);
    for case in cases(&file["cases"]) {
        let values = samples.values(case, "sample");
        let sorted = samples.sorted(case, "sample");
        same(mean(&values), &case["mean"], 1e-15, case);
        same(stddev(&values), &case["stddev"], 1e-14, case);
        // exp turns the absolute error of a logarithm, up to 700 here, into a relative one.
        same(geometric_mean(&values), &case["geometric_mean"], 1e-12, case);
        for (&q, theirs) in levels.iter().zip(cases(&case["quantiles"])) {
            same(quantile(&sorted, q), theirs, 1e-14, case);
        }
        assert_eq!(quartiles(&sorted).unwrap().median, median(&sorted).unwrap());
        same(half_sample_mode(&sorted), &case["mode"], 1e-15, case);
        // r1 may be near 0 by cancellation: absolute against 1.
        for (ours, theirs) in [
            (lag1(&values), &case["lag1"]),
            (serial_dependence(&values).map(|d| d.r1), &case["rank_lag1"]),
        ] {
            same(ours.map(|r| r + 2.0), &theirs.as_f64().map(|r| r + 2.0).into(), 1e-12, case);
        }
    }
}

/// The fixture's drifting series: a spike of 10⁶ hides the drift from r1 of the values, not from r1
/// of the ranks.
#[test]
fn a_spike_does_not_hide_drift() {
    let samples = Samples::read();
    let case = serde_json::json!({"sample": "drift-and-spike-40"});
    let values = samples.values(&case, "sample");
    assert!(lag1(&values).unwrap() < 0.3);
    assert!(serial_dependence(&values).unwrap().is_flagged());
}

/// The number of order statistics left out must be SciPy's binomial answer to the last one.
#[test]
fn median_intervals() {
    let file = file("median_interval");
    for case in cases(&file["cases"]) {
        let n = size(case, "n");
        let ranks: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let sorted = Sorted::new(&ranks).unwrap();
        for (&level, cut) in numbers(&file["levels"]).iter().zip(cases(&case["cuts"])) {
            match (median_interval(&sorted, level), cut.as_f64()) {
                (Ok(interval), Some(cut)) => {
                    let hi = (n - 1) as f64 - cut;
                    assert_eq!(interval, Interval { lo: cut, hi, level }, "{case}");
                }
                (Err(InsufficientData::TooFew { needs }), None) => assert!(needs > n, "{case}"),
                other => panic!("{other:?} at {level}, case {case}"),
            }
        }
    }
}

#[test]
fn signed_rank_tests() {
    let (samples, file) = (Samples::read(), file("signed_rank"));
    for case in cases(&file) {
        let differences = samples.values(case, "sample");
        for (alternative, p) in ALTERNATIVES.into_iter().zip(cases(&case["p"])) {
            let test = signed_rank(&differences, alternative).unwrap();
            same(Some(test.statistic), &case["statistic"], 0.0, case);
            same(Some(test.p), p, 1e-12, case);
            let degenerate = differences.iter().all(|&d| d == 0.0);
            let exact = differences.len() <= 25 || degenerate;
            assert_eq!(test.method == PMethod::Exact, exact, "{case}");
        }
    }
}

/// SciPy's permutation test over the signs of whole blocks. All-zero blocks have no sign.
#[test]
fn signed_rank_tests_of_blocks() {
    let (samples, file) = (Samples::read(), file("signed_blocks"));
    for case in cases(&file) {
        let differences = samples.values(case, "sample");
        let blocks = SignedBlocks::new(&differences, size(case, "each")).unwrap();
        for (alternative, p) in ALTERNATIVES.into_iter().zip(cases(&case["p"])) {
            let test = blocks.signed_rank(0.0, alternative).unwrap();
            same(Some(test.statistic), &case["statistic"], 0.0, case);
            same(Some(test.p), p, 1e-12, case);
        }
    }
}

#[test]
fn mann_whitney_tests() {
    let (samples, file) = (Samples::read(), file("mann_whitney"));
    for case in cases(&file) {
        let (x, y) = (samples.values(case, "x"), samples.values(case, "y"));
        for (alternative, p) in ALTERNATIVES.into_iter().zip(cases(&case["p"])) {
            let test = mann_whitney(&x, &y, alternative).unwrap();
            same(Some(test.statistic), &case["statistic"], 0.0, case);
            same(Some(test.p), p, 1e-12, case);
        }
    }
}

/// SciPy's t approximation, and all deals in exact fractions up to 20,000 of them.
#[test]
fn brunner_munzel_tests() {
    let (samples, file) = (Samples::read(), file("brunner_munzel"));
    for case in cases(&file) {
        let (x, y) = (samples.values(case, "x"), samples.values(case, "y"));
        for (alternative, p) in ALTERNATIVES.into_iter().zip(cases(&case["p"])) {
            let test = brunner_munzel(&x, &y, alternative).unwrap();
            if test.statistic.is_finite() {
                same(Some(test.statistic), &case["statistic"], 1e-12, case);
            } else {
                assert!(case["statistic"].is_null(), "{case}");
            }
            same(Some(test.p), p, 1e-11, case);
            assert_eq!(test.method == PMethod::Exact, case["exact"] == true, "{case}");
        }
    }
}

#[test]
fn stretches_of_dependent_values() {
    let file = file("stretch");
    let tails = numbers(&file["tails"]);
    let check = |found: Option<Stretch>, case: &Value| {
        assert_eq!(found.is_none(), case["factors"].is_null(), "{case}");
        let Some(found) = found else { return };
        for (&tail, factor) in tails.iter().zip(cases(&case["factors"])) {
            same(Some(found.factor(tail)), factor, 1e-10, case);
        }
    };
    for case in cases(&file["one"]) {
        check(Stretch::from_values(&numbers(&case["values"]), None), case);
    }
    for case in cases(&file["two"]) {
        let sides = [numbers(&case["x"]), numbers(&case["y"])];
        let dependence = sides.each_ref().map(|side| serial_dependence(side));
        check(Stretch::from_sides(dependence, || sides), case);
    }
}

#[test]
fn shares_of_rare_readings() {
    let file = file("shares");
    for case in cases(&file["upper"]) {
        let level = case["level"].as_f64().unwrap();
        let share = upper_share(size(case, "found"), size(case, "n"), level);
        same(Some(share), &case["share"], 1e-9, case);
    }
    let pair = |of: &Value| {
        let [a, b] = numbers(of)[..] else { panic!("{of}") };
        (a as usize, b as usize)
    };
    for case in cases(&file["fisher"]) {
        let p = fisher_greater(pair(&case["found"]), pair(&case["of"]));
        same(Some(p), &case["p"], 1e-9, case);
    }
}

#[test]
fn critical_values() {
    let file = file("critical");
    let levels = numbers(&file["levels"]);
    for case in cases(&file["signed_rank"]) {
        for (&level, cut) in levels.iter().zip(cases(&case["cuts"])) {
            assert_eq!(signed_rank_critical(size(case, "n"), level), cut.as_u64(), "{case}");
        }
    }
}

#[track_caller]
fn same_shift(shift: Shift, case: &Value) {
    // Selection is exact; NumPy's (a + b)/2 of the middle two may round differently from ours.
    same(Some(shift.estimate), &case["estimate"], 1e-15, case);
    let interval = shift.interval.ok();
    same(interval.map(|i| i.lo), &case["lo"], 0.0, case);
    same(interval.map(|i| i.hi), &case["hi"], 0.0, case);
}

#[test]
fn shifts_and_their_intervals() {
    let (samples, file) = (Samples::read(), file("shift"));
    let level = file["level"].as_f64().unwrap();
    for case in cases(&file["one_sample"]) {
        same_shift(one_sample(&samples.sorted(case, "sample"), level).unwrap(), case);
    }
    for case in cases(&file["two_sample"]) {
        let (x, y) = (samples.sorted(case, "x"), samples.sorted(case, "y"));
        // Its interval is checked against the test on generated data.
        same(Some(two_sample(&x, &y, level).unwrap().estimate), &case["estimate"], 1e-15, case);
    }
}

#[test]
fn equivalence_tests() {
    let (samples, file) = (Samples::read(), file("equivalence"));
    let bounds: Vec<Vec<f64>> = cases(&file["bounds"]).iter().map(numbers).collect();
    for case in cases(&file["paired"]) {
        let differences = samples.values(case, "sample");
        for (band, p) in bounds.iter().zip(cases(&case["p"])) {
            let moved = |shift: f64| differences.iter().map(|v| v - shift).collect::<Vec<_>>();
            let found = tost((band[0], band[1]), |by, side| signed_rank(&moved(by), side));
            same(found.ok(), p, 1e-12, case);
        }
    }
    for case in cases(&file["independent"]) {
        let (x, y) = (samples.values(case, "x"), samples.values(case, "y"));
        for (band, p) in bounds.iter().zip(cases(&case["p"])) {
            let moved = |shift: f64| x.iter().map(|v| v - shift).collect::<Vec<_>>();
            let found = tost((band[0], band[1]), |by, side| brunner_munzel(&moved(by), &y, side));
            same(found.ok(), p, 1e-11, case);
        }
    }
}

#[test]
fn superiority() {
    let (samples, file) = (Samples::read(), file("superiority"));
    for case in cases(&file) {
        let (x, y) = (samples.sorted(case, "x"), samples.sorted(case, "y"));
        same(superiority_independent(&x, &y), &case["independent"], 1e-15, case);
        let (x, y) = (samples.values(case, "x"), samples.values(case, "y"));
        let differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
        same(superiority_paired(&differences), &case["paired"], 1e-15, case);
    }
}

/// Holm against closed testing over all subsets, Benjamini–Hochberg against SciPy.
#[test]
fn corrections() {
    for case in cases(&file("correction")) {
        let p = numbers(&case["p"]);
        for (key, correction) in [("holm", Correction::Holm), ("bh", Correction::BenjaminiHochberg)]
        {
            for (ours, theirs) in adjust(&p, correction).into_iter().zip(cases(&case[key])) {
                same(Some(ours), theirs, 1e-14, case);
            }
        }
        assert_eq!(adjust(&p, Correction::None), p);
    }
}

/// Far tails, where one minus a probability would be 0 and where an erfc good to 1e-10 shows.
#[test]
fn normal_distribution() {
    let file = file("normal");
    for case in cases(&file["sf"]) {
        let z = case[0].as_f64().unwrap();
        same(Some(normal_sf(z)), &case[1], 5e-13, case);
        same(Some(normal_cdf(-z)), &case[1], 5e-13, case);
    }
    for case in cases(&file["quantile"]) {
        same(Some(normal_quantile(case[0].as_f64().unwrap())), &case[1], 1e-14, case);
    }
}
