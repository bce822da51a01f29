//! Procedures for pictures alone, against SciPy: `gaussian_kde`, `linregress`, `quantile_test`. Would catch a wrong
//! width, a slope of the wrong variable, an order statistic beside the right one.

use etalon_core::stats::{
    InsufficientData, Interval, Sorted, bandwidth, density, power_law, quantile_interval,
    quantile_shift,
};

use super::fixtures::{Samples, cases, file, numbers, same};

#[test]
fn densities() {
    let (samples, file) = (Samples::read(), file("pictures"));
    for case in cases(&file["densities"]) {
        let sorted = samples.sorted(case, "sample");
        same(bandwidth(&sorted), &case["bandwidth"], 1e-13, case);
        let found = density(&sorted, bandwidth(&sorted).unwrap(), &numbers(&case["places"]));
        for (ours, theirs) in found.into_iter().zip(cases(&case["density"])) {
            // What is beyond six bandwidths is left out: 1e-8 of the peak of a kernel.
            let near = (ours - theirs.as_f64().unwrap()).abs()
                < 1e-7 / case["bandwidth"].as_f64().unwrap();
            assert!(near, "ours {ours}, reference {theirs}, case {case}");
        }
    }
    let none = |values: &[f64]| bandwidth(&Sorted::new(values).unwrap());
    assert_eq!([none(&[]), none(&[1.0]), none(&[2.0; 9])], [None; 3]);
    assert_eq!(density(&Sorted::default(), 1.0, &[0.0, 1.0]), [0.0, 0.0]);
}

#[test]
fn powers() {
    let file = file("pictures");
    for case in cases(&file["laws"]) {
        let points: Vec<(f64, f64)> = cases(&case["points"])
            .iter()
            .map(|it| (it[0].as_f64().unwrap(), it[1].as_f64().unwrap()))
            .collect();
        for (&level, half) in numbers(&file["levels"]).iter().zip(cases(&case["halves"])) {
            let law = power_law(&points, level).unwrap();
            // Slopes near 0 are what is left of larger numbers.
            same(
                Some(law.exponent + 10.0),
                &(case["exponent"].as_f64().unwrap() + 10.0).into(),
                1e-12,
                case,
            );
            same(Some(law.factor), &case["factor"], 1e-10, case);
            same(law.interval.ok().map(|it| it.half_width()), half, 1e-9, case);
        }
    }
    let two = power_law(&[(1.0, 2.0), (10.0, 200.0)], 0.95).unwrap();
    assert!((two.exponent - 2.0).abs() < 1e-12 && (two.at(5.0) - 50.0).abs() < 1e-9);
    assert_eq!(two.interval, Err(InsufficientData::TooFew { needs: 3 }));
    let no = |points: &[(f64, f64)]| power_law(points, 0.95).unwrap_err();
    assert_eq!(no(&[(1.0, 2.0)]), InsufficientData::TooFew { needs: 2 });
    for points in [[(1.0, 2.0), (1.0, 3.0)], [(0.0, 2.0), (1.0, 3.0)], [(1.0, 0.0), (2.0, 3.0)]] {
        assert_eq!(no(&points), InsufficientData::NotFinite);
    }
}

#[test]
fn intervals_of_quantiles() {
    let file = file("pictures");
    for case in cases(&file["intervals"]) {
        let n = case["n"].as_u64().unwrap();
        #[allow(clippy::cast_precision_loss, reason = "small")]
        let ranks: Vec<f64> = (0..n).map(|rank| rank as f64).collect();
        let sorted = Sorted::new(&ranks).unwrap();
        let q = case["q"].as_f64().unwrap();
        for (&level, ends) in numbers(&file["levels"]).iter().zip(cases(&case["ends"])) {
            match quantile_interval(&sorted, q, level) {
                Ok(Interval { lo, hi, .. }) => {
                    assert_eq!([lo, hi].as_slice(), numbers(ends), "{case} at {level}");
                }
                Err(InsufficientData::TooFew { needs }) => {
                    assert!(ends.is_null() && needs as u64 > n, "{case} at {level}: {needs}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Would catch ends that are added the wrong way round, which only samples that are skewed show.
#[test]
fn a_shift_of_a_quantile_lies_within_its_interval() {
    let sorted = |from: f64| {
        let values: Vec<f64> = (0..60).map(|at| from + 1.1_f64.powi(at)).collect();
        Sorted::new(&values).unwrap()
    };
    for q in [0.1, 0.5, 0.9] {
        let (shift, interval) = quantile_shift(&sorted(0.0), &sorted(3.0), q, 0.95).unwrap();
        let interval = interval.unwrap();
        assert!((shift - 3.0).abs() < 1e-9 && interval.contains(3.0), "{q}");
        let (of_base, of_candidate) = (
            quantile_interval(&sorted(0.0), q, 0.95).unwrap(),
            quantile_interval(&sorted(3.0), q, 0.95).unwrap(),
        );
        let widest = (of_candidate.lo - of_base.hi, of_candidate.hi - of_base.lo);
        assert!(widest.0 <= interval.lo && interval.hi <= widest.1, "{q}");
        let back = quantile_shift(&sorted(3.0), &sorted(0.0), q, 0.95).unwrap().1.unwrap();
        assert!((back.lo + interval.hi).abs() < 1e-9 && (back.hi + interval.lo).abs() < 1e-9);
    }
}
