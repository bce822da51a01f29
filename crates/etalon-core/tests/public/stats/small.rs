//! Zero, one, two values; all equal; the largest and smallest numbers. Catches a stand-in where
//! there is no answer, and an overflow where there is one.

use etalon_core::stats::{
    Alternative, Correction, InsufficientData, Interval, NotFinite, PMethod, Sorted, adjust,
    brunner_munzel, brunner_munzel_needed, brunner_munzel_smallest_p, geometric_mean,
    half_sample_mode, kth_average, kth_difference, lag1, letters, mann_whitney, mean, median,
    median_interval, one_sample, quantile, quartiles, serial_dependence, signed_rank,
    signed_rank_critical, signed_rank_needed, signed_rank_smallest_p, stddev,
    superiority_independent, superiority_paired, tost, two_sample,
};

fn sorted(values: &[f64]) -> Sorted {
    Sorted::new(values).unwrap()
}

#[test]
fn sorted_copies_and_checks() {
    let values = [3.0, -0.0, f64::MAX, 0.0, -1.0];
    let s = sorted(&values);
    assert_eq!(values[0], 3.0, "the caller's order stays");
    assert_eq!(s.as_slice(), [-1.0, 0.0, 0.0, 3.0, f64::MAX]);
    assert!(s.as_slice()[1].is_sign_positive() && s.as_slice()[2].is_sign_positive());
    assert_eq!((s.len(), s.min(), s.max()), (5, Some(-1.0), Some(f64::MAX)));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(Sorted::new(&[1.0, bad]), Err(NotFinite { index: 1 }));
    }
}

#[test]
fn nothing_from_nothing() {
    let none = sorted(&[]);
    assert!(none.is_empty() && none.min().is_none() && none.max().is_none());
    assert_eq!(mean(&[]), None);
    assert_eq!(stddev(&[]), None);
    assert_eq!(geometric_mean(&[]), None);
    assert_eq!(median(&none), None);
    assert_eq!(quartiles(&none), None);
    assert_eq!(half_sample_mode(&none), None);
    assert_eq!(lag1(&[]), None);
    assert_eq!(serial_dependence(&[]), None);
    assert_eq!(median_interval(&none, 0.95), Err(InsufficientData::Empty));
    assert_eq!(signed_rank(&[], Alternative::TwoSided), Err(InsufficientData::Empty));
    assert_eq!(mann_whitney(&[], &[1.0], Alternative::Less), Err(InsufficientData::Empty));
    assert_eq!(mann_whitney(&[1.0], &[], Alternative::Less), Err(InsufficientData::Empty));
    assert_eq!(brunner_munzel(&[], &[1.0], Alternative::Less), Err(InsufficientData::Empty));
    assert_eq!(brunner_munzel(&[1.0], &[], Alternative::Less), Err(InsufficientData::Empty));
    assert_eq!(one_sample(&none, 0.95), None);
    assert_eq!(two_sample(&none, &sorted(&[1.0]), 0.95), None);
    assert_eq!(two_sample(&sorted(&[1.0]), &none, 0.95), None);
    assert_eq!(kth_average(&none, 1), None);
    assert_eq!(kth_difference(&none, &none, 1), None);
    assert_eq!(superiority_independent(&none, &sorted(&[1.0])), None);
    assert_eq!(superiority_paired(&[]), None);
    assert!(adjust(&[], Correction::Holm).is_empty());
    assert!(letters(0, |_, _| true).is_empty());
    assert_eq!(signed_rank_critical(0, 0.5), None);
}

#[test]
fn one_and_two_values() {
    let (one, two) = (sorted(&[2.0]), sorted(&[1.0, 4.0]));
    assert_eq!(mean(&[2.0]), Some(2.0));
    assert_eq!(stddev(&[2.0]), None);
    assert_eq!(stddev(&[1.0, 3.0]), Some(std::f64::consts::SQRT_2));
    assert_eq!(geometric_mean(&[2.0, 0.0]), None);
    assert_eq!(geometric_mean(&[2.0, -2.0]), None);
    assert_eq!((median(&one), median(&two)), (Some(2.0), Some(2.5)));
    assert_eq!(quantile(&two, 1.5), None);
    assert_eq!(quantile(&two, f64::NAN), None);
    assert_eq!(quantile(&two, 0.25), Some(1.75));
    assert_eq!(median_interval(&one, 0.95), Err(InsufficientData::TooFew { needs: 6 }));
    let shift = one_sample(&two, 0.95).unwrap();
    assert_eq!(shift.estimate, 2.5);
    assert_eq!(shift.interval, Err(InsufficientData::TooFew { needs: 6 }));
    let shift = two_sample(&two, &one, 0.95).unwrap();
    assert_eq!(shift.estimate, 0.5);
    assert_eq!(shift.interval, Err(InsufficientData::TooFew { needs: 4 }));
    assert_eq!(signed_rank(&[5.0], Alternative::TwoSided).unwrap().p, 1.0);
    assert_eq!(signed_rank(&[5.0], Alternative::Greater).unwrap().p, 0.5);
    assert_eq!(mann_whitney(&[1.0], &[2.0], Alternative::Less).unwrap().p, 0.5);
    assert_eq!(brunner_munzel(&[1.0], &[2.0], Alternative::Less).unwrap().p, 0.5);
    // Its place is the highest of eleven.
    let eleventh: Vec<f64> = (1..11).map(f64::from).collect();
    let test = brunner_munzel(&[11.0], &eleventh, Alternative::Greater).unwrap();
    assert_eq!((test.p, test.method), (1.0 / 11.0, PMethod::Exact));
    assert_eq!(superiority_paired(&[-1.0, 0.0]), Some(0.75));
    assert_eq!(letters(1, |_, _| true), ["a"]);
}

/// Zero variance is not a crash, and not p = 1 where the samples are far apart.
#[test]
fn constant_samples() {
    let (low, high) = ([10.0; 8], [1000.0; 8]);
    let test = mann_whitney(&low, &high, Alternative::TwoSided).unwrap();
    assert!((test.p - 2.0 / 12870.0).abs() < 1e-18, "2/C(16, 8), not {}", test.p);
    let test = brunner_munzel(&low, &high, Alternative::TwoSided).unwrap();
    assert!((test.p - 2.0 / 12870.0).abs() < 1e-18, "2/C(16, 8), not {}", test.p);
    // Where p is of t, its variance is 0: complete separation is 2/C(20, 10).
    let test = brunner_munzel(&[1.0; 10], &[2.0; 10], Alternative::TwoSided).unwrap();
    assert!((test.p - 2.0 / 184_756.0).abs() < 1e-18, "{}", test.p);
    for n in [3, 30] {
        let test = brunner_munzel(&vec![1.0; n], &vec![1.0; n], Alternative::Less).unwrap();
        assert_eq!(test.p, 1.0);
    }
    let shift = two_sample(&sorted(&low), &sorted(&high), 0.95).unwrap();
    assert_eq!(shift.estimate, -990.0);
    assert_eq!(shift.interval, Ok(Interval { lo: -990.0, hi: -990.0, level: 0.95 }));
    for n in [5, 40] {
        let zeros = vec![0.0; n];
        for alternative in [Alternative::TwoSided, Alternative::Less, Alternative::Greater] {
            let test = signed_rank(&zeros, alternative).unwrap();
            assert_eq!((test.p, test.method), (1.0, PMethod::Exact));
        }
    }
    assert_eq!((lag1(&low), serial_dependence(&low)), (None, None));
    assert_eq!(lag1(&[0.1; 40]), None, "rounding of the mean is no variance");
    assert_eq!(stddev(&[0.1; 40]), Some(0.0), "rounding of the mean is no variance");
    assert_eq!(half_sample_mode(&sorted(&[0.1; 40])), Some(0.1));
}

#[test]
fn the_largest_and_smallest_numbers() {
    let tiny = 5e-324;
    let huge = [f64::MAX, f64::MAX, -f64::MAX, f64::MAX];
    assert_eq!(mean(&huge), Some(f64::MAX / 2.0));
    assert_eq!(mean(&[f64::MAX; 9]), Some(f64::MAX));
    assert_eq!(stddev(&[1e308, -1e308]).map(f64::is_finite), Some(true));
    assert_eq!(stddev(&[1e-300, 3e-300]).map(|s| (s / 1e-300).powi(2).round()), Some(2.0));
    assert_eq!(mean(&[tiny, tiny]), Some(tiny));
    assert_eq!(
        geometric_mean(&[1e-300; 500]).map(|g| (g / 1e-300 - 1.0).abs() < 1e-12),
        Some(true)
    );
    assert_eq!(geometric_mean(&[1e300; 500]).map(|g| (g / 1e300 - 1.0).abs() < 1e-12), Some(true));
    let upper = quantile(&sorted(&[-f64::MAX, f64::MAX]), 0.75).unwrap();
    assert!((upper / f64::MAX - 0.5).abs() < 1e-15);
    assert_eq!(median(&sorted(&[f64::MAX, f64::MAX])), Some(f64::MAX));
    assert_eq!(lag1(&[f64::MAX, -f64::MAX, f64::MAX, -f64::MAX]), Some(-0.75));
    assert_eq!(lag1(&[1e-300, -1e-300, 1e-300, -1e-300]), Some(-0.75));

    assert_eq!(one_sample(&sorted(&[f64::MAX; 7]), 0.95).unwrap().estimate, f64::MAX);
    let (low, high) = (sorted(&[-f64::MAX; 7]), sorted(&[f64::MAX; 7]));
    assert_eq!(kth_difference(&high, &low, 3), Some(f64::INFINITY), "as documented");
    assert_eq!(two_sample(&high, &low, 0.95), None, "the shift is no number");
    let mixed = sorted(&[-f64::MAX, -1.0, -tiny, 0.0, tiny, 1.0, f64::MAX]);
    for k in 1..=49 {
        assert!(kth_difference(&mixed, &mixed, k).is_some());
    }
    assert_eq!(kth_difference(&mixed, &mixed, 25), Some(0.0));
    assert_eq!(kth_difference(&mixed, &mixed, 50), None);
    assert_eq!(kth_difference(&mixed, &mixed, 0), None);
}

#[test]
fn levels_bands_and_values_that_are_none() {
    let values = sorted(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    for level in [0.0, 1.0, -1.0, 95.0, f64::NAN] {
        assert_eq!(median_interval(&values, level), Err(InsufficientData::LevelOutOfRange));
        let shift = one_sample(&values, level).unwrap();
        assert_eq!((shift.estimate, shift.interval), (4.0, Err(InsufficientData::LevelOutOfRange)));
        assert_eq!(signed_rank_critical(30, level), None);
    }
    for (lo, hi) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0)] {
        let test = |_, alternative| signed_rank(&[1.0], alternative);
        assert_eq!(tost((lo, hi), test), Err(InsufficientData::EmptyBand));
    }
    assert_eq!(signed_rank(&[1.0, f64::NAN], Alternative::Less), Err(InsufficientData::NotFinite));
    let test = brunner_munzel(&[1.0], &[f64::INFINITY], Alternative::Less);
    assert_eq!(test, Err(InsufficientData::NotFinite));
    let test = mann_whitney(&[1.0], &[f64::INFINITY], Alternative::Less);
    assert_eq!(test, Err(InsufficientData::NotFinite));
    assert_eq!(lag1(&[1.0, 2.0, f64::NAN]), None);
}

/// 2/2ⁿ and 2/C(2n, n) by hand; and needed sizes stay true where the exact method ends.
#[test]
fn smallest_p_and_needed_sizes() {
    assert_eq!(signed_rank_smallest_p(6), 2.0 / 64.0);
    assert_eq!((signed_rank_smallest_p(0), signed_rank_smallest_p(1)), (1.0, 1.0));
    assert_eq!(brunner_munzel_smallest_p(4, 4), 2.0 / 70.0);
    assert_eq!((signed_rank_needed(0.05), signed_rank_needed(0.01)), (6, 8));
    assert_eq!((brunner_munzel_needed(0.05), brunner_munzel_needed(0.01)), (4, 5));
    assert_eq!((signed_rank_needed(1.0), brunner_munzel_needed(1.0)), (1, 1));
    for alpha in [0.05 / 1_000.0, 0.05 / 1e6, 1e-30, 0.0, f64::NAN] {
        let n = signed_rank_needed(alpha);
        let best: Vec<f64> = (1..=n).map(|i| i as f64).collect();
        let p = signed_rank(&best, Alternative::TwoSided).unwrap().p;
        assert!(p <= alpha.max(f64::MIN_POSITIVE), "{n} differences, p {p}, alpha {alpha}");
        let n = brunner_munzel_needed(alpha);
        let (x, y): (Vec<f64>, Vec<f64>) = (1..=n).map(|i| (i as f64, -(i as f64))).unzip();
        let p = brunner_munzel(&x, &y, Alternative::TwoSided).unwrap().p;
        assert!(p <= alpha.max(f64::MIN_POSITIVE), "{n} a side, p {p}, alpha {alpha}");
    }
}

/// Coverage of exactly the level asked for counts: 3 against 3 covers 0.9, and (1 − 0.9)/2 is a
/// little below 1/20 in binary.
#[test]
fn coverage_of_exactly_the_level_is_enough() {
    let ranks = |values: &[f64]| sorted(values);
    let three = ranks(&[1.0, 2.0, 4.0]);
    assert!(two_sample(&three, &three, 0.9).unwrap().interval.is_ok());
    let shift = two_sample(&ranks(&[1.0, 2.0]), &ranks(&[1.0, 2.0]), 0.9).unwrap();
    assert_eq!(shift.interval, Err(InsufficientData::TooFew { needs: 3 }));
}

#[test]
fn intervals_answer_for_their_ends() {
    let interval = Interval { lo: -1.0, hi: 3.0, level: 0.95 };
    assert_eq!(interval.half_width(), 2.0);
    assert!(interval.contains(-1.0) && interval.contains(3.0) && !interval.contains(3.1));
    assert!(interval.lies_inside(-1.0, 3.0) && !interval.lies_inside(-0.9, 4.0));
    let wide = Interval { lo: -f64::MAX, hi: f64::MAX, level: 0.5 };
    assert_eq!(wide.half_width(), f64::MAX);
}

/// The last window is the densest: a loop that stops one short answers 4.5 or so.
#[test]
fn half_sample_mode_tries_the_last_window() {
    let values = [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 50.1, 50.2, 50.3, 50.3];
    assert_eq!(half_sample_mode(&sorted(&values)), Some(50.3));
    let ties = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    assert_eq!(half_sample_mode(&sorted(&ties)), Some(1.0), "equally narrow: the lowest");
    assert_eq!(half_sample_mode(&sorted(&ties[..9])), None);
}

/// Not differing is not transitive: A and C share no letter because both touch B.
#[test]
fn letters_by_hand() {
    let differs = |i: usize, j: usize| (i, j) == (0, 2) || (i, j) == (2, 0);
    assert_eq!(letters(3, differs), ["a", "ab", "b"]);
    assert_eq!(letters(3, |_, _| false), ["a", "a", "a"]);
    assert_eq!(letters(3, |_, _| true), ["a", "b", "c"]);
    let many = letters(30, |_, _| true);
    assert_eq!((many[25].as_str(), many[26].as_str(), many[29].as_str()), ("z", "aa", "ad"));
    let overlapping = letters(30, |i, j| i.abs_diff(j) > 1);
    assert_eq!((overlapping[0].as_str(), overlapping[27].as_str()), ("a", "aa,ab"));
}
