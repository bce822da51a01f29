//! Growth by a power of a size: the slope of a straight line through logarithms.
//!
//! Owns the least-squares line and the interval of its slope. Refuses to say whether a power is what values grow by.

use super::interval::{InsufficientData, Interval, check_level};
use super::student_t::student_t_quantile;

/// y = factor · x^exponent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerLaw {
    /// The slope of ln y over ln x.
    pub exponent: f64,
    /// Its interval by Student's t with n − 2 degrees of freedom; three points are needed.
    pub interval: Result<Interval, InsufficientData>,
    /// y at x = 1.
    pub factor: f64,
}

impl PowerLaw {
    /// y at an x above 0.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        (self.factor.ln() + self.exponent * x.ln()).exp()
    }
}

/// The power law through points, by least squares of logarithms. O(n).
///
/// Draper & Smith, Applied Regression Analysis (3rd ed.), §1.4.
///
/// # Errors
/// [`InsufficientData::TooFew`] of fewer than two points; [`InsufficientData::NotFinite`] if one is not above 0, or the
/// points are all at one x; [`InsufficientData::LevelOutOfRange`].
pub fn power_law(points: &[(f64, f64)], level: f64) -> Result<PowerLaw, InsufficientData> {
    check_level(level)?;
    if points.len() < 2 {
        return Err(InsufficientData::TooFew { needs: 2 });
    }
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let mean_x = logs.iter().map(|it| it.0).sum::<f64>() / n;
    let mean_y = logs.iter().map(|it| it.1).sum::<f64>() / n;
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        logs.iter().map(|(x, y)| of(x - mean_x, y - mean_y)).sum::<f64>()
    };
    let (xx, xy) = (sum(&|x, _| x * x), sum(&|x, y| x * y));
    let exponent = xy / xx;
    let factor = (mean_y - exponent * mean_x).exp();
    if !exponent.is_finite() || !factor.is_finite() {
        return Err(InsufficientData::NotFinite);
    }
    let left = sum(&|x, y| (y - exponent * x).powi(2));
    let interval = match points.len() {
        2 => Err(InsufficientData::TooFew { needs: 3 }),
        _ => {
            let error = (left / (n - 2.0) / xx).sqrt();
            let half = -student_t_quantile((1.0 - level) / 2.0, n - 2.0) * error;
            Ok(Interval { lo: exponent - half, hi: exponent + half, level })
        }
    };
    Ok(PowerLaw { exponent, interval, factor })
}
