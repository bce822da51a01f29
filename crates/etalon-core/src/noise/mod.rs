//! Statistics of an A/A experiment: how often identical programs are called different, and what could be seen.
//!
//! Owns the counting: pairs of runs one after the other ([`InSequence`]), and the blocks of one run with their orders
//! drawn anew ([`InBlocks`]). Every pair is judged as any comparison is, by [`crate::compare`] and [`crate::verdict`].
//! Refuses to find runs, and to know what was executed: samples come in, of what is the same.

mod blocks;
mod sequence;

pub use blocks::{InBlocks, ORDERS};
pub use sequence::{InSequence, OneRunASide};

use crate::compare::{Contrast, compare};
use crate::criteria::Criteria;
use crate::stats::{self, Sorted};
use crate::verdict::Assessment;

/// The parameter that tells two of the same apart.
pub const TWIN: &str = "twin";

/// The names of the two.
pub const TWINS: [&str; 2] = ["a", "b"];

/// The numbers of blocks for which the smallest visible change is said.
pub const BLOCKS: [usize; 3] = [10, 30, 100];

/// A benchmark's measured noise, for later reports of it.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredNoise {
    /// The benchmark, with its parameters.
    pub name: String,
    /// The metric.
    pub metric: String,
    /// How many runs said so.
    pub runs: usize,
    /// The standard deviation of the logarithms of their medians.
    pub scatter: f64,
    /// The smallest visible change of one run a side, as a share, where that is known.
    pub visible: Option<f64>,
}

/// How many comparisons of what is the same were called a difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Alarms {
    /// So many.
    pub called: usize,
    /// Of so many.
    pub of: usize,
}

impl Alarms {
    /// The share; absent of none.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // numbers of comparisons
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.called as f64 / self.of as f64)
    }

    fn count(&mut self, assessment: &Assessment) {
        self.of += 1;
        self.called += usize::from(assessment.decision.is_difference());
    }
}

/// The verdict about two samples, by themselves.
fn judged(contrast: &Contrast<'_>, criteria: &Criteria) -> Option<Assessment> {
    compare(contrast, criteria).map(|evidence| Assessment::alone(evidence, criteria))
}

/// The middle one of some; absent of none.
fn middle(values: &[f64]) -> Option<f64> {
    stats::median(&Sorted::new(values).ok()?)
}
