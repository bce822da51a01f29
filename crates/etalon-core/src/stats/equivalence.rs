//! Equivalence by two one-sided tests (TOST): "the same within the margin" as a claim with a p of
//! its own, which a test that merely fails to reject is not.
//!
//! For ratios the caller passes logarithms of values and of bounds.

use super::brunner_munzel::brunner_munzel;
use super::hypothesis::Alternative;
use super::interval::InsufficientData;
use super::signed_rank::signed_rank;

/// p of "the differences lie around a value outside (`lo`, `hi`)": the larger p of the signed-rank
/// tests of `differences` − lo against "greater" and `differences` − hi against "less". Small p
/// means equivalent. In [0, 1]. O(n log n).
///
/// Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15 (1987), with Wilcoxon's test in place of t;
/// Wellek, Testing Statistical Hypotheses of Equivalence and Noninferiority (2nd ed., 2010), ch. 5.
///
/// # Errors
/// [`InsufficientData::EmptyBand`] unless lo < hi; otherwise as [`signed_rank`].
pub fn tost_paired(differences: &[f64], lo: f64, hi: f64) -> Result<f64, InsufficientData> {
    check_band(lo, hi)?;
    let above = signed_rank(&shifted(differences, lo), Alternative::Greater)?;
    let below = signed_rank(&shifted(differences, hi), Alternative::Less)?;
    Ok(above.p.max(below.p))
}

/// p of "x is shifted against y by something outside (`lo`, `hi`)": the larger p of the
/// Brunner–Munzel tests of x − lo against y for "greater" and x − hi against y for "less". Small p
/// means equivalent. In [0, 1]. O(N log N). Sources as [`tost_paired`].
///
/// # Errors
/// [`InsufficientData::EmptyBand`] unless lo < hi; otherwise as [`brunner_munzel`].
pub fn tost_independent(x: &[f64], y: &[f64], lo: f64, hi: f64) -> Result<f64, InsufficientData> {
    check_band(lo, hi)?;
    let above = brunner_munzel(&shifted(x, lo), y, Alternative::Greater)?;
    let below = brunner_munzel(&shifted(x, hi), y, Alternative::Less)?;
    Ok(above.p.max(below.p))
}

fn check_band(lo: f64, hi: f64) -> Result<(), InsufficientData> {
    if lo < hi { Ok(()) } else { Err(InsufficientData::EmptyBand) }
}

fn shifted(values: &[f64], by: f64) -> Vec<f64> {
    values.iter().map(|v| v - by).collect()
}
