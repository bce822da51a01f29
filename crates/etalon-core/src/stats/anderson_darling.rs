//! The Anderson–Darling test of normality with mean and variance estimated from the sample.
//!
//! A small p says that the values do not look normal; a large one says that nothing was found, not
//! that they are normal.

use super::interval::InsufficientData;
use super::moments::sum;
use super::normal::normal_sf;
use super::shape::Centred;
use super::sorted::Sorted;

/// How far a sample is from a normal distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Normality {
    /// A², above 0; larger is farther from normal.
    pub statistic: f64,
    /// p of a normal distribution, in [3.7e-24, 1]. The lower end means "at most": the published
    /// formula ends there.
    pub p: f64,
}

/// The fewest values for which the p formula was fitted.
const NEEDS: usize = 8;

/// Beyond this modified statistic the fitted parabola of ln p is near its minimum (153) only in
/// the sense that it must never be followed: p would rise again, to infinity.
const FITTED_TO: f64 = 10.0;

/// A² = −n − (1/n)·Σ (2i − 1)·(ln Φ(zᵢ) + ln Φ(−zₙ₊₁₋ᵢ)) over the ascending zᵢ = (xᵢ − x̄)/s, with s
/// dividing by n − 1; p from A²·(1 + 0.75/n + 2.25/n²), "case 3" of D'Agostino & Stephens (mean and
/// variance unknown; Stephens' case 4 in other countings). Needs 8 values that are not all equal.
/// O(n), nothing is copied; tails are logarithms of tails, so no z is too far out.
///
/// D'Agostino & Stephens, Goodness-of-Fit Techniques (1986), §4.8 and Table 4.9.
///
/// # Errors
/// Fewer than 8 values, or no spread.
pub fn anderson_darling(sorted: &Sorted) -> Result<Normality, InsufficientData> {
    let values = sorted.as_slice();
    if values.len() < NEEDS {
        return Err(InsufficientData::TooFew { needs: NEEDS });
    }
    let centred = Centred::new(values).ok_or(InsufficientData::ZeroVariance)?;
    let n = values.len() as f64;
    let spread = (centred.mean_of(|u| u * u) * n / (n - 1.0)).sqrt();
    // The weight of ln Φ(zᵢ) is 2i − 1, that of ln Φ(−zᵢ) what the opposite place gives it.
    let terms = centred.deviations().enumerate().map(|(i, u)| {
        let (below, above) = log_tails(u / spread);
        let weight = (2 * i + 1) as f64 / n;
        weight * below + (2.0 - weight) * above
    });
    // −n is one more term: subtracted at the end, it would cancel all the digits of a large n.
    let statistic = -sum(terms.chain([n]));
    Ok(Normality { statistic, p: p_of(statistic * (1.0 + 0.75 / n + 2.25 / (n * n))) })
}

/// p of the modified statistic. Four fitted pieces; decreasing from 1 − 1.5e-6 at 0.
fn p_of(modified: f64) -> f64 {
    let a = modified.clamp(0.0, FITTED_TO);
    let parabola = |c: f64, b: f64, q: f64| (c + b * a + q * a * a).exp();
    if a <= 0.2 {
        1.0 - parabola(-13.436, 101.14, -223.73)
    } else if a <= 0.34 {
        1.0 - parabola(-8.318, 42.796, -59.938)
    } else if a <= 0.6 {
        parabola(0.9177, -4.279, -1.38)
    } else {
        parabola(1.2937, -5.709, 0.0186)
    }
}

/// ln Φ(z) and ln Φ(−z).
fn log_tails(z: f64) -> (f64, f64) {
    let tail = normal_sf(z.abs());
    let (near, far) = ((-tail).ln_1p(), log_far_tail(z.abs(), tail));
    if z > 0.0 { (near, far) } else { (far, near) }
}

/// ln P(Z > z) for z ≥ 0; `tail` is that probability, which underflows beyond 38.
fn log_far_tail(z: f64, tail: f64) -> f64 {
    // From here on four terms of the asymptotic series are good to 2e-12 of the tail.
    if z < 30.0 {
        return tail.ln();
    }
    let s = 1.0 / (z * z);
    let series = -s * (1.0 - s * (3.0 - s * (15.0 - s * 105.0)));
    -z * z / 2.0 - (z * std::f64::consts::TAU.sqrt()).ln() + series.ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fault this is here for: the parabola followed beyond its minimum gives p = inf, which
    /// reads as normal.
    #[test]
    fn an_extreme_statistic_gives_a_tiny_p() {
        for a in [10.0, 153.0, 154.0, 400.0, 1e6, f64::INFINITY] {
            assert!(p_of(a) < 4e-24, "{a}: {}", p_of(a));
        }
        assert!(p_of(0.0) > 0.999_99 && p_of(-1e-12) <= 1.0);
    }

    #[test]
    fn p_never_rises_with_the_statistic() {
        let p: Vec<f64> = (0..2000).map(|i| p_of(f64::from(i) * 0.006)).collect();
        // The pieces meet within 0.4 %.
        assert!(p.windows(2).all(|w| w[1] <= w[0] + 0.004), "{p:?}");
        assert!(p.iter().all(|p| (0.0..=1.0).contains(p)));
    }

    #[test]
    fn tails_meet_where_the_series_takes_over() {
        for z in [29.9, 30.0, 30.1, 37.0] {
            let tail = normal_sf(z);
            assert!((log_far_tail(z, tail) - tail.ln()).abs() < 1e-11, "{z}");
        }
        assert!((log_far_tail(1000.0, 0.0) + 500_007.826_694).abs() < 1e-5);
    }
}
