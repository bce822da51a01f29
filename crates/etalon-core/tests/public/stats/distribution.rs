//! Figures of `-D` and `-T` on 278 samples: Anderson–Darling, skewness, kurtosis and percentiles
//! against SciPy (`distribution.json`; generate.py says where exact fractions stand in for it).
//!
//! Samples are those of `samples.json` and of recipes, which both sides make with operations that
//! every machine rounds alike. Tolerances: 1e-14 relative for quantiles, 1e-12 of the value or of 1
//! for shapes (they may be 0 by cancellation) and for A² also 1e-14 a value, which is what SciPy
//! loses by subtracting n at the end; p moves 6 times as far as A².

use etalon_core::stats::{Sorted, anderson_darling, dip, excess_kurtosis, quantile, skewness};
use serde_json::Value;

use super::fixtures::{Samples, cases, file, numbers, same};
use super::recipes::{made, sample};

#[track_caller]
fn near(ours: Option<f64>, theirs: &Value, tolerance: f64, case: &Value) {
    match (ours, theirs.as_f64()) {
        (Some(a), Some(b)) => {
            assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{a} against {b}, case {case}");
        }
        (ours, _) => assert!(ours.is_none() && theirs.is_null(), "{ours:?}, case {case}"),
    }
}

#[test]
fn normality_shape_and_percentiles() {
    let (samples, file) = (Samples::read(), file("distribution"));
    let levels = numbers(&file["quantile_levels"]);
    let all = cases(&file["cases"]);
    assert!(all.len() >= 200);
    for case in all {
        let values = sample(&samples, case);
        let sorted = Sorted::new(&values).unwrap();
        let n = values.len() as f64;
        let normality = anderson_darling(&sorted).ok();
        near(normality.map(|t| t.statistic), &case["anderson_darling"], 1e-12 + n * 1e-14, case);
        near(normality.map(|t| t.p), &case["p"], 1e-11 + n * 6e-14, case);
        if let Some(t) = normality {
            // Relatively, too: p is what the tail is read from.
            let theirs = case["p"].as_f64().unwrap();
            assert!((t.p / theirs - 1.0).abs() < 1e-9, "{t:?}, case {case}");
        }
        near(skewness(&values).ok().map(|s| s.value), &case["skewness"], 1e-12, case);
        near(excess_kurtosis(&values).ok().map(|s| s.value), &case["excess_kurtosis"], 1e-12, case);
        for (&q, theirs) in levels.iter().zip(cases(&case["quantiles"])) {
            same(quantile(&sorted, q), theirs, 1e-14, case);
        }
    }
}

/// Hartigan's dip as the diptest package has it (`dip.json`), ties and extremes included.
#[test]
fn dips() {
    let (samples, file) = (Samples::read(), file("dip"));
    let all = cases(&file);
    assert!(all.len() >= 150);
    for case in all {
        let sorted = Sorted::new(&sample(&samples, case)).unwrap();
        let Some(found) = dip(&sorted) else {
            assert_eq!(sorted.min(), sorted.max(), "case {case}");
            continue;
        };
        near(Some(found.dip), &case["dip"], 1e-12, case);
    }
}

/// p of a normal distribution is small for few normal samples only: at 5 % and at 1 %, over 4,000
/// samples of 20, within four standard deviations. Would catch a forgotten size correction.
#[test]
fn p_is_small_as_often_as_it_says() {
    for level in [0.05, 0.01] {
        let below = (0..4000_u64)
            .filter(|i| {
                let sorted = Sorted::new(&made("bell", 7_000_000 * (i + 1), 20)).unwrap();
                anderson_darling(&sorted).unwrap().p <= level
            })
            .count() as f64;
        let expected = 4000.0 * level;
        // A sum of twelve uniforms has thin tails, which moves the share a little.
        let slack = 4.0 * (expected * (1.0 - level)).sqrt() + 0.1 * expected;
        assert!((below - expected).abs() < slack, "{below} of 4000 at {level}");
    }
}
