//! A million values a side. Catches quadratic work (it would take hours), counts that overflow 32
//! or 64 bits, and a p that underflows or loses its tail.

use etalon_core::random::Random;
use etalon_core::stats::{
    Alternative, PMethod, Sorted, brunner_munzel, kth_average, kth_difference, mann_whitney,
    median_interval, one_sample, signed_rank, superiority_independent, two_sample,
};

const MILLION: usize = 1_000_000;

fn uniform(seed: u64, lowest: f64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..MILLION).map(|_| lowest + random.uniform()).collect()
}

/// Two uniform samples shifted by 0.01: the interval holds that and is as narrow as theory says;
/// for uniforms the standard error of the shift is √(1/12·(1/m + 1/n)).
#[test]
fn shift_of_a_million_against_a_million() {
    let (x, y) = (uniform(1, 0.01), uniform(2, 0.0));
    let (sorted_x, sorted_y) = (Sorted::new(&x).unwrap(), Sorted::new(&y).unwrap());
    let interval = two_sample(&sorted_x, &sorted_y, 0.999_999).unwrap().interval.unwrap();
    assert!(interval.contains(0.01), "{interval:?}");
    let error = (2.0 / 12.0 / MILLION as f64).sqrt();
    let half_width = interval.half_width() / error;
    assert!((4.8..5.0).contains(&half_width), "{half_width} standard errors, z = 4.89");

    // z is about 24.5 here: p is far below what 1 − cdf could show, and not 0.
    let test = mann_whitney(&x, &y, Alternative::TwoSided).unwrap();
    assert_eq!(test.method, PMethod::Normal);
    assert!(test.p > 0.0 && test.p < 1e-100, "{test:?}");
    // Uniform samples of one spread: both tests say the same.
    let other = brunner_munzel(&x, &y, Alternative::TwoSided).unwrap();
    assert_eq!(other.method, PMethod::StudentT);
    assert!(other.p > 0.0 && other.p < 1e-100 && (other.statistic - 24.5).abs() < 3.0, "{other:?}");
    let superiority = superiority_independent(&sorted_y, &sorted_x).unwrap();
    assert!((superiority - test.statistic / 1e12).abs() < 1e-12);
}

#[test]
fn location_of_a_million() {
    let values = uniform(3, -0.5);
    let sorted = Sorted::new(&values).unwrap();
    let shift = one_sample(&sorted, 0.999_999).unwrap();
    assert!(shift.interval.unwrap().contains(0.0), "{shift:?}");
    assert!(median_interval(&sorted, 0.999_999).unwrap().contains(0.0));
    let test = signed_rank(&values, Alternative::TwoSided).unwrap();
    assert!(test.p > 1e-6 && test.p <= 1.0, "{test:?}");
}

/// Integers 0..n: differences and averages have known order statistics.
#[test]
fn order_statistics_of_a_trillion_known_pairs() {
    let ladder: Vec<f64> = (0..MILLION).map(|i| i as f64).collect();
    let ladder = Sorted::new(&ladder).unwrap();
    let n = MILLION as u64;
    // −(n − 1) occurs once, −(n − 2) twice, …: d < −(n − 1) + c occurs c(c + 1)/2 times.
    let c = 777_777;
    let before = c * (c + 1) / 2;
    let value = -((n - 1) as f64) + c as f64;
    assert_eq!(kth_difference(&ladder, &ladder, before), Some(value - 1.0));
    assert_eq!(kth_difference(&ladder, &ladder, before + 1), Some(value));
    assert_eq!(kth_difference(&ladder, &ladder, n * n / 2), Some(0.0));
    assert_eq!(kth_average(&ladder, 1), Some(0.0));
    assert_eq!(kth_average(&ladder, 2), Some(0.5));
    assert_eq!(kth_average(&ladder, n * (n + 1) / 2), Some((n - 1) as f64));
}

/// Everything tied, two values only, and complete separation: no endless loop, no variance below 0.
#[test]
fn a_million_ties_and_complete_separation() {
    let ones = vec![1.0; MILLION];
    let mut nearly = ones.clone();
    nearly[0] = 2.0;
    let test = mann_whitney(&ones, &ones, Alternative::TwoSided).unwrap();
    assert_eq!((test.p, test.method), (1.0, PMethod::Exact));
    // One x above all else, the rest tied: U − mn/2 is m/2 and the variance is nearly all gone.
    let test = mann_whitney(&nearly, &ones, Alternative::TwoSided).unwrap();
    assert!((test.p - 0.317_310).abs() < 1e-5, "one atom at ±1 standard deviation: {test:?}");

    let far: Vec<f64> = ones.iter().map(|v| v + 1e300).collect();
    let shift = two_sample(&Sorted::new(&far).unwrap(), &Sorted::new(&ones).unwrap(), 0.95);
    assert_eq!(shift.unwrap().estimate, 1e300);
    assert_eq!(mann_whitney(&far, &ones, Alternative::TwoSided).unwrap().p, 0.0);
    let p = brunner_munzel(&far, &ones, Alternative::TwoSided).unwrap().p;
    assert!(p > 0.0 && p < 1e-300, "at most, not 0");
    assert_eq!(brunner_munzel(&ones, &ones, Alternative::TwoSided).unwrap().p, 1.0);
    let test = brunner_munzel(&nearly, &ones, Alternative::TwoSided).unwrap();
    assert!((test.p - 0.317_310).abs() < 1e-5, "{test:?}");
    let test = signed_rank(&vec![0.0; MILLION], Alternative::TwoSided).unwrap();
    assert_eq!((test.p, test.method), (1.0, PMethod::Exact));
}
