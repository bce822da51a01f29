//! Against pragmastat, an independent implementation by other people: its centre is the one-sample
//! and its shift the two-sample Hodges–Lehmann estimate. Its bounds follow another rule for large
//! samples and are not compared.

use etalon_core::random::Random;
use etalon_core::stats::{Sorted, one_sample, two_sample};
use pragmastat::estimators::raw;

#[test]
fn centre_and_shift_agree_to_the_bit() {
    let mut random = Random::new(11);
    for n in [1, 2, 3, 5, 10, 101, 1_000, 20_000] {
        for round in [1.0, 1e6] {
            let mut draw = |size: usize| -> Vec<f64> {
                let value = |u: f64| (-(1.0 - u).ln() * round).round() / round;
                (0..size).map(|_| value(random.uniform())).collect()
            };
            let (x, y) = (draw(n), draw(n + n / 2));
            let (sorted_x, sorted_y) = (Sorted::new(&x).unwrap(), Sorted::new(&y).unwrap());
            let centre = one_sample(&sorted_x, 0.95).unwrap().estimate;
            assert_eq!(raw::center(&x, false).ok(), Some(centre), "n = {n}");
            let shift = two_sample(&sorted_x, &sorted_y, 0.95).unwrap().estimate;
            assert_eq!(raw::shift(&x, &y, false).ok(), Some(shift), "n = {n}");
        }
    }
}
