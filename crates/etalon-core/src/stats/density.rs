//! The density of values, for pictures: no verdict rests on it.
//!
//! Owns how far values are smoothed. Refuses to choose where it is read.

use super::moments::stddev;
use super::quantile::quartiles;
use super::sorted::Sorted;

/// Beyond so many bandwidths a value adds nothing that is seen: exp(−18).
const REACH: f64 = 6.0;
/// Values within this share of a bandwidth count as one, where there are many: the density changes by less than
/// 1 in 1,000.
const TOGETHER: f64 = 1.0 / 32.0;
/// Up to so many values each counts for itself.
const FEW: usize = 2_000;

/// How far values are smoothed, Silverman's rule: 0.9·min(s, IQR/1.34)·n^(−1/5), and with s alone where half of the
/// values are one. Absent of fewer than two values, and without spread.
///
/// Silverman, Density Estimation for Statistics and Data Analysis (1986), eq. 3.31.
#[must_use]
pub fn bandwidth(sorted: &Sorted) -> Option<f64> {
    let deviation = stddev(sorted.as_slice()).filter(|it| *it > 0.0 && it.is_finite())?;
    let quartiles = quartiles(sorted)?;
    let between = (quartiles.q3 - quartiles.q1) / 1.34;
    let spread = if between > 0.0 { between.min(deviation) } else { deviation };
    let width = 0.9 * spread * (sorted.len() as f64).powf(-0.2);
    (width > 0.0).then_some(width)
}

/// The density at some places, of a normal kernel with this standard deviation. Per unit of the values; 0 of none.
/// O(n + places · values within six bandwidths), of many values those that are together count as one.
#[must_use]
pub fn density(sorted: &Sorted, bandwidth: f64, places: &[f64]) -> Vec<f64> {
    let together = if sorted.len() > FEW { TOGETHER * bandwidth } else { 0.0 };
    let merged = merged(sorted.as_slice(), together);
    let factor = 1.0 / (sorted.len() as f64 * bandwidth * std::f64::consts::TAU.sqrt());
    let at = |place: &f64| {
        let from = merged.partition_point(|(value, _)| *value < place - REACH * bandwidth);
        let near =
            merged[from..].iter().take_while(|(value, _)| *value <= place + REACH * bandwidth);
        let kernel = |(value, count): &(f64, f64)| {
            let distance = (place - value) / bandwidth;
            count * (-0.5 * distance * distance).exp()
        };
        factor * near.map(kernel).sum::<f64>()
    };
    if merged.is_empty() { vec![0.0; places.len()] } else { places.iter().map(at).collect() }
}

/// Values with how many there are of each; those within a distance of the first of them count as their mean.
fn merged(values: &[f64], distance: f64) -> Vec<(f64, f64)> {
    let mut merged = Vec::new();
    let mut rest = values;
    while let Some(first) = rest.first() {
        let end = rest.partition_point(|value| value - first <= distance);
        let (together, others) = rest.split_at(end.max(1));
        let count = together.len() as f64;
        let beyond = together.iter().map(|value| value - first).sum::<f64>();
        merged.push((first + beyond / count, count));
        rest = others;
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Would catch values that are lost where many are put together.
    #[test]
    fn many_values_have_the_density_of_each_for_itself() {
        let mut random = Random::new(3);
        let values: Vec<f64> = (0..5_000).map(|_| random.uniform() + random.uniform()).collect();
        let sorted = Sorted::new(&values).unwrap();
        let width = bandwidth(&sorted).unwrap();
        let places: Vec<f64> = (0..=40).map(|at| f64::from(at) / 20.0).collect();
        for (place, found) in places.iter().zip(density(&sorted, width, &places)) {
            let each = values.iter().map(|value| (-0.5 * ((place - value) / width).powi(2)).exp());
            let slow = each.sum::<f64>() / (5_000.0 * width * std::f64::consts::TAU.sqrt());
            assert!((found - slow).abs() < 2e-3, "{place}: {found}, {slow}");
        }
    }
}
