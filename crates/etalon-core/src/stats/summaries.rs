//! Means and standard deviations of several samples on one scale, for what compares means.
//!
//! The scale is a power of two, so squares neither over- nor underflow, and each mean is kept in two
//! parts, so the difference of near-equal means far from zero keeps its digits.

use std::cmp::Ordering;

use super::interval::InsufficientData;
use super::moments::{common_exponent, scaled_mean, scaled_stddev, sum};

/// One sample in units of 2^[`Summaries::exponent`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Summary {
    /// Number of values, at least 2.
    pub n: f64,
    /// The mean, rounded.
    pub mean: f64,
    /// The remainder of the rounding.
    pub rest: f64,
    /// The sample standard deviation; 0 if all values are equal (or too near for the unit: by less
    /// than 2⁻¹⁰⁷⁴ of it).
    pub spread: f64,
}

impl Summary {
    /// This mean less the other.
    pub(super) fn less(&self, other: &Summary) -> f64 {
        (self.mean - other.mean) + (self.rest - other.rest)
    }

    /// The order of the rounded means: what the rounding left may differ between equal means.
    pub(super) fn by_mean(&self, other: &Summary) -> Ordering {
        self.mean.total_cmp(&other.mean)
    }
}

/// How much a mean, or a difference of means, varies by chance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Noise {
    /// Its standard deviation.
    pub error: f64,
    /// Degrees of freedom of that.
    pub df: f64,
}

/// Several samples in the same units.
#[derive(Debug)]
pub(super) struct Summaries {
    /// In the order given.
    pub samples: Vec<Summary>,
    /// The unit is 2 to this.
    pub exponent: i32,
}

impl Summaries {
    /// O(number of values).
    ///
    /// # Errors
    /// No sample or an empty one, a value that is not finite, or a sample of one value.
    pub(super) fn new(samples: &[&[f64]]) -> Result<Summaries, InsufficientData> {
        if samples.iter().any(|values| values.is_empty()) {
            return Err(InsufficientData::Empty);
        }
        if samples.iter().any(|values| values.iter().any(|v| !v.is_finite())) {
            return Err(InsufficientData::NotFinite);
        }
        if samples.iter().any(|values| values.len() < 2) {
            return Err(InsufficientData::TooFew { needs: 2 });
        }
        let exponents = samples.iter().filter_map(|values| common_exponent(values));
        let exponent = exponents.max().ok_or(InsufficientData::Empty)?;
        let samples = samples.iter().map(|values| summary(values, exponent)).collect();
        Ok(Summaries { samples, exponent })
    }

    /// The largest standard deviation.
    ///
    /// # Errors
    /// All values of each sample are equal: [`InsufficientData::ZeroVariance`] if the samples are, too, otherwise
    /// [`InsufficientData::ZeroVarianceWithin`].
    pub(super) fn largest_spread(&self) -> Result<f64, InsufficientData> {
        let largest = self.samples.iter().fold(0.0, |a: f64, sample| a.max(sample.spread));
        if largest > 0.0 {
            Ok(largest)
        } else if self.samples.iter().all(|sample| sample.less(&self.samples[0]) == 0.0) {
            Err(InsufficientData::ZeroVariance)
        } else {
            Err(InsufficientData::ZeroVarianceWithin)
        }
    }

    /// A scaled number in the unit of the values.
    ///
    /// # Errors
    /// It is too large to be a number.
    pub(super) fn unscaled(&self, x: f64) -> Result<f64, InsufficientData> {
        let x = libm::scalbn(x, self.exponent);
        if x.is_finite() { Ok(x) } else { Err(InsufficientData::NotFinite) }
    }
}

fn summary(values: &[f64], exponent: i32) -> Summary {
    let n = values.len() as f64;
    let mean = scaled_mean(values, exponent) + 0.0;
    let rest = sum(values.iter().map(|&v| libm::scalbn(v, -exponent) - mean)) / n + 0.0;
    Summary { n, mean, rest, spread: scaled_stddev(values, exponent, mean) }
}
