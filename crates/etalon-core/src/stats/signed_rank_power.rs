//! How often the signed-rank test finds a shift of values that are distributed like those at hand.
//!
//! Refuses to know how few values say of a distribution: whoever asks has to ask for more than is promised.

use super::normal::normal_cdf;

/// The probability that the test of `n` values rejects to one side, as [`super::signed_rank_critical`] has it with a `cut`,
/// where these are distributed like `values` (ascending, about their centre) and shifted by so much. T⁺ is taken for
/// normal with the mean and variance that it has then, from p₁ = P(X > 0), p₂ = P(X + X′ > 0) and p₃ = P(X + X′ > 0 and
/// X + X″ > 0). O(values).
///
/// Lehmann, Nonparametrics (1975), §4.2 and appendix, example 24.
#[must_use]
#[allow(clippy::cast_precision_loss)] // numbers of values
pub(crate) fn signed_rank_power(values: &[f64], shift: f64, n: usize, cut: u64) -> f64 {
    let all = values.len();
    let above = values.len() - values.partition_point(|value| value + shift <= 0.0);
    // Partners of each, from the least on: those of a larger one are as many or more.
    let (mut from, mut pairs, mut triples) = (all, 0.0, 0.0);
    for value in values {
        while from > 0 && value + values[from - 1] + 2.0 * shift > 0.0 {
            from -= 1;
        }
        let itself = usize::from(value + shift > 0.0);
        let partners = (all - from - itself) as f64;
        pairs += partners;
        triples += partners * (partners - 1.0);
    }
    let of = all as f64;
    let p1 = above as f64 / of;
    let p2 = pairs / (of * (of - 1.0));
    let p3 = triples / (of * (of - 1.0) * (of - 2.0));
    let n = n as f64;
    let mean = n * p1 + n * (n - 1.0) / 2.0 * p2;
    let variance = n * p1 * (1.0 - p1)
        + n * (n - 1.0) / 2.0 * (2.0 * (p1 - p2).powi(2) + 3.0 * p2 * (1.0 - p2))
        + n * (n - 1.0) * (n - 2.0) * (p3 - p2 * p2);
    let needed = n * (n + 1.0) / 2.0 - cut as f64 - 0.5;
    match variance > 0.0 {
        true => normal_cdf((mean - needed) / variance.sqrt()),
        false => f64::from(u8::from(mean > needed)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Sorted, normal_quantile, one_sample, signed_rank_critical};
    use super::*;
    use crate::random::Random;

    /// Against experiments: how often an interval of normal, bimodal and disturbed values excludes 0. Would catch a
    /// partner that is counted twice, and a variance of no shift.
    #[test]
    fn the_power_is_that_of_experiments() {
        type Draw = fn(&mut Random) -> f64;
        fn normal(random: &mut Random) -> f64 {
            normal_quantile(random.uniform().clamp(1e-12, 1.0 - 1e-12))
        }
        fn side(random: &mut Random, share: f64, far: f64) -> f64 {
            if random.uniform() < share { far } else { 0.0 }
        }
        let draws: [Draw; 3] = [
            |random| normal(random),
            |random| side(random, 0.25, 15.0) - side(random, 0.25, 15.0) + normal(random),
            |random| side(random, 0.2, 40.0) - side(random, 0.2, 40.0) + normal(random),
        ];
        for (draw, shifts) in draws.into_iter().zip([[0.3, 0.7], [1.0, 4.0], [1.0, 3.0]]) {
            let random = &mut Random::new(3);
            let mut many: Vec<f64> = (0..400).map(|_| draw(random)).collect();
            many.extend(many.clone().iter().map(|value| -value));
            many.sort_by(f64::total_cmp);
            for (n, level) in [(20, 0.95), (40, 0.99)] {
                let cut = signed_rank_critical(n, level).unwrap();
                for shift in shifts {
                    let found = |seed: &u64| {
                        let random = &mut Random::new(100 + seed);
                        let values: Vec<f64> = (0..n).map(|_| shift + draw(random)).collect();
                        let sorted = Sorted::new(&values).unwrap();
                        one_sample(&sorted, level).unwrap().interval.unwrap().lo > 0.0
                    };
                    let found = (0..600).filter(found).count() as f64 / 600.0;
                    let power = signed_rank_power(&many, shift, n, cut);
                    assert!((found - power).abs() < 0.08, "{n} {shift}: {found} {power}");
                }
            }
        }
    }
}
