//! Changes between commits with their intervals, in logarithms.

use super::centre::centre;
use crate::stats::{Alternative, SignedBlocks, Sorted, median, normal_quantile};

/// Of the intervals that are shown.
pub(super) const LEVEL: f64 = 0.95;
/// Of both controls of a pair, together.
const ALPHA_OF_CONTROLS: f64 = 0.01;

/// A change as a logarithm of a ratio, with its interval of 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// 0: none.
    pub estimate: f64,
    /// The interval's lower end.
    pub lo: f64,
    /// The interval's upper end.
    pub hi: f64,
}

impl Change {
    /// The centre of differences, one a block; of fewer than six by the `scatter` of an execution that is known from
    /// others.
    pub(super) fn new(differences: &[f64], scatter: Option<f64>) -> Option<Change> {
        if let Some(found) = centre(differences, LEVEL) {
            return Some(Change { estimate: found.estimate, lo: found.lo, hi: found.hi });
        }
        let estimate = median(&Sorted::new(differences).ok()?)?;
        // The standard error of a median of many is larger than that of a mean.
        let wider = if differences.len() > 2 { std::f64::consts::FRAC_PI_2.sqrt() } else { 1.0 };
        let error = scatter? * std::f64::consts::SQRT_2 * wider / (differences.len() as f64).sqrt();
        let half = normal_quantile(f64::midpoint(1.0, LEVEL)) * error;
        Some(Change { estimate, lo: estimate - half, hi: estimate + half })
    }

    /// The end of the interval that is further from 0, without a sign.
    #[must_use]
    pub fn most(&self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }
}

/// A commit compared with its own second build.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Control {
    /// Which commit.
    pub commit: usize,
    /// The second build over the first.
    pub change: Change,
    /// Whether they differ, at 1 % for both controls of a pair together.
    pub moved: bool,
}

impl Control {
    /// By differences of the builds, one a block; `None` of fewer than six.
    pub(super) fn new(commit: usize, differences: &[f64]) -> Option<Control> {
        let change = Change::new(differences, None)?;
        let p = p_of(differences, 1);
        Some(Control { commit, change, moved: p <= ALPHA_OF_CONTROLS / 2.0 })
    }

    /// Whether the layout of a build may be as good a reason for a change as what was built: it moves by half of it.
    #[must_use]
    pub fn explains(&self, change: f64) -> bool {
        self.moved && self.change.estimate.abs() >= change.abs() / 2.0
    }
}

/// The p of differences that lie around 0, `each` of every block; 1 where nothing differs.
pub(super) fn p_of(differences: &[f64], each: usize) -> f64 {
    let blocks = SignedBlocks::new(differences, each).ok();
    let test = blocks.and_then(|blocks| blocks.signed_rank(0.0, Alternative::TwoSided).ok());
    test.map_or(1.0, |test| test.p)
}
