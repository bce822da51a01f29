//! Cohen's d: the difference of two means in standard deviations.

use super::interval::InsufficientData;
use super::summaries::{Summaries, Summary};

/// Below this |d| is called negligible (Romano et al., 2006, with Cohen's 0.2 for "small"; so does
/// R's `effsize`, on which `ScottKnottESD` rests).
pub const NEGLIGIBLE_D: f64 = 0.2;

/// Cohen's d = (ā − b̄)/s with the pooled s² = ((m − 1)s²ₐ + (n − 1)s²_b)/(m + n − 2), each variance
/// with its n − 1: positive if `a` is larger, without unit. Not corrected for small samples (not
/// Hedges' g), not for pairs. O(m + n).
///
/// Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), §2.2.
///
/// # Errors
/// Fewer than two values on a side, or no spread on either side.
pub fn cohens_d(a: &[f64], b: &[f64]) -> Result<f64, InsufficientData> {
    let both = Summaries::new(&[a, b])?;
    pooled_d(&both.samples[0], &both.samples[1])
}

/// d of two samples summarised on the same scale.
pub(super) fn pooled_d(a: &Summary, b: &Summary) -> Result<f64, InsufficientData> {
    let largest = a.spread.max(b.spread);
    if largest == 0.0 {
        return Err(if a.less(b) == 0.0 {
            InsufficientData::ZeroVariance
        } else {
            InsufficientData::ZeroVarianceWithin
        });
    }
    let squares = |side: &Summary| (side.n - 1.0) * (side.spread / largest).powi(2);
    let pooled = ((squares(a) + squares(b)) / (a.n + b.n - 2.0)).sqrt();
    let d = a.less(b) / largest / pooled;
    if d.is_finite() { Ok(d) } else { Err(InsufficientData::NotFinite) }
}
