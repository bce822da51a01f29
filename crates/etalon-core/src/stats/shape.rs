//! The shape of a distribution: skewness and excess kurtosis, and how much both scatter in normal
//! samples of the same size.
//!
//! Both are free of unit and scale, so values are first centred and divided by their largest
//! deviation; nothing over- or underflows and near-equal values keep their digits.

use super::interval::InsufficientData;
use super::moments::{common_exponent, scale, scaled_mean, sum};

/// A measure of shape. 0 is that of a normal distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// The estimate, unbiased for normal samples.
    pub value: f64,
    /// Its standard deviation over normal samples of this size, exact.
    pub error_if_normal: f64,
}

/// Skewness G₁ = g₁·√(n(n − 1))/(n − 2) with g₁ = m₃/m₂^1.5, mᵣ the r-th central moment: 0 for a
/// symmetric sample, above 0 with the longer tail to the right. O(n), compensated.
///
/// This is SciPy's `skew(bias=False)`. Joanes & Gill, "Comparing measures of sample skewness and
/// kurtosis", The Statistician 47 (1998).
///
/// # Errors
/// Fewer than 3 values, or no spread.
pub fn skewness(values: &[f64]) -> Result<Shape, InsufficientData> {
    let centred = enough(values, 3)?;
    let n = values.len() as f64;
    let (m2, m3) = (centred.mean_of(|u| u * u), centred.mean_of(|u| u * u * u));
    let biased = m3 / (m2 * m2.sqrt());
    let value = biased * (n * (n - 1.0)).sqrt() / (n - 2.0);
    Ok(Shape { value, error_if_normal: skewness_error(n) })
}

/// Excess kurtosis G₂ = (n − 1)/((n − 2)(n − 3))·((n + 1)·g₂ + 6) with g₂ = m₄/m₂² − 3: above 0 with
/// fatter tails than a normal distribution, below with thinner ones. O(n), compensated.
///
/// This is SciPy's `kurtosis(bias=False)`. Joanes & Gill, as above.
///
/// # Errors
/// Fewer than 4 values, or no spread.
pub fn excess_kurtosis(values: &[f64]) -> Result<Shape, InsufficientData> {
    let centred = enough(values, 4)?;
    let n = values.len() as f64;
    let (m2, m4) = (centred.mean_of(|u| u * u), centred.mean_of(|u| (u * u) * (u * u)));
    let biased = m4 / (m2 * m2) - 3.0;
    let value = (n - 1.0) / ((n - 2.0) * (n - 3.0)) * ((n + 1.0) * biased + 6.0);
    let error_if_normal =
        2.0 * skewness_error(n) * ((n * n - 1.0) / ((n - 3.0) * (n + 5.0))).sqrt();
    Ok(Shape { value, error_if_normal })
}

fn skewness_error(n: f64) -> f64 {
    (6.0 * n * (n - 1.0) / ((n - 2.0) * (n + 1.0) * (n + 3.0))).sqrt()
}

fn enough(values: &[f64], needs: usize) -> Result<Centred<'_>, InsufficientData> {
    if values.len() < needs {
        return Err(InsufficientData::TooFew { needs });
    }
    Centred::new(values).ok_or(InsufficientData::ZeroVariance)
}

/// Values as deviations from their mean, in units of the largest deviation: within [−1, 1] but for
/// the rounding of the mean, which is taken out once more.
pub(super) struct Centred<'a> {
    values: &'a [f64],
    exponent: i32,
    mean: f64,
    largest: f64,
    left_over: f64,
}

impl<'a> Centred<'a> {
    /// `None` without values or if all are equal.
    pub(super) fn new(values: &'a [f64]) -> Option<Centred<'a>> {
        let first = values.first()?;
        if values.iter().all(|v| v == first) {
            return None;
        }
        let exponent = common_exponent(values)?;
        let mean = scaled_mean(values, exponent);
        let rough = Centred { values, exponent, mean, largest: 1.0, left_over: 0.0 };
        let largest = rough.deviations().fold(0.0, |a: f64, d| a.max(d.abs()));
        let rough = Centred { largest, ..rough };
        let left_over = rough.mean_of(|u| u);
        Some(Centred { left_over, ..rough })
    }

    /// The deviations, in the order of the values.
    pub(super) fn deviations(&self) -> impl Iterator<Item = f64> + '_ {
        let scale = scale(self.exponent);
        let of = move |&v| (scale(v) - self.mean) / self.largest - self.left_over;
        self.values.iter().map(of)
    }

    /// The mean of a function of the deviations.
    pub(super) fn mean_of(&self, f: impl Fn(f64) -> f64) -> f64 {
        sum(self.deviations().map(f)) / self.values.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_does_not_depend_on_place_or_scale() {
        let values = [1.0, 2.0, 3.0, 4.0, 20.0, 5.5, 0.25];
        let (skew, kurtosis) = (skewness(&values).unwrap(), excess_kurtosis(&values).unwrap());
        for (scale, place) in [(2.0_f64.powi(1000), 0.0), (2.0_f64.powi(-1000), 0.0), (1.0, 1024.0)]
        {
            let moved: Vec<f64> = values.iter().map(|v| v * scale + place).collect();
            assert!((skewness(&moved).unwrap().value - skew.value).abs() < 1e-13);
            assert!((excess_kurtosis(&moved).unwrap().value - kurtosis.value).abs() < 1e-12);
        }
        let mirrored: Vec<f64> = values.iter().map(|v| -v).collect();
        assert!((skewness(&mirrored).unwrap().value + skew.value).abs() < 1e-13);
        let ends = [f64::MAX, -f64::MAX, 0.0, 1.0];
        assert!(skewness(&ends).unwrap().value.abs() < 1e-12);
    }

    #[test]
    fn absent_and_says_why() {
        assert_eq!(skewness(&[1.0, 2.0]), Err(InsufficientData::TooFew { needs: 3 }));
        assert_eq!(excess_kurtosis(&[1.0, 2.0, 3.0]), Err(InsufficientData::TooFew { needs: 4 }));
        assert_eq!(skewness(&[0.1; 30]), Err(InsufficientData::ZeroVariance));
        assert_eq!(excess_kurtosis(&[0.1; 30]), Err(InsufficientData::ZeroVariance));
    }

    /// The values of every textbook table for n = 100.
    #[test]
    fn errors_of_normal_samples() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        assert!((skewness(&values).unwrap().error_if_normal - 0.241_379_9).abs() < 1e-6);
        assert!((excess_kurtosis(&values).unwrap().error_if_normal - 0.478_331).abs() < 1e-6);
    }
}
