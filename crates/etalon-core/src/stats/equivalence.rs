//! Equivalence by two one-sided tests (TOST): "the same within the margin" as a claim with a p of
//! its own, which a test that merely fails to reject is not.
//!
//! For ratios the caller passes logarithms of values and of bounds.

use super::hypothesis::{Alternative, Test};
use super::interval::InsufficientData;

/// p of "the shift lies outside (`lo`, `hi`)": the larger p of the tests of the shift `lo` against "greater" and
/// of the shift `hi` against "less", which `test` makes of a shift and an alternative. Small p means
/// equivalent. In [0, 1].
///
/// Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15 (1987), with tests by ranks in place of t;
/// Wellek, Testing Statistical Hypotheses of Equivalence and Noninferiority (2nd ed., 2010), ch. 5.
///
/// # Errors
/// [`InsufficientData::EmptyBand`] unless lo < hi; otherwise as `test`.
pub fn tost(
    (lo, hi): (f64, f64),
    test: impl Fn(f64, Alternative) -> Result<Test, InsufficientData>,
) -> Result<f64, InsufficientData> {
    if lo < hi {
        let (above, below) = (test(lo, Alternative::Greater)?, test(hi, Alternative::Less)?);
        Ok(above.p.max(below.p))
    } else {
        Err(InsufficientData::EmptyBand)
    }
}
