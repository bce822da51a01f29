//! Figures: how often something happened, what was asked of that, and whether it is met.
//!
//! Owns the rule for a failed cell. Refuses to simulate.

use etalon_core::stats::upper_share;

/// The bound that a share has to keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// Nothing: it is shown.
    Shown,
    /// Errors: at most this share.
    AtMost(f64),
    /// Coverage, or what has to be reached: at least this share.
    AtLeast(f64),
}

/// A way in which a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// How often: each replicate gives 0 or 1.
    Share,
    /// How many on average: each replicate gives a whole number.
    Mean,
}

/// The sum over the replicates in which it could be counted. Whole numbers, so the order of adding does not matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Sum of what the replicates gave.
    pub sum: u64,
    /// Replicates.
    pub of: u64,
}

impl Count {
    /// Adds what one replicate gave.
    pub fn add(&mut self, value: Option<u32>) {
        if let Some(value) = value {
            self.sum += u64::from(value);
            self.of += 1;
        }
    }

    /// Adds what others gave.
    pub(crate) fn merge(&mut self, other: Count) {
        self.sum += other.sum;
        self.of += other.of;
    }

    /// The share, or mean.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // below 2^53
    pub fn value(&self) -> Option<f64> {
        (self.of > 0).then(|| self.sum as f64 / self.of as f64)
    }

    /// Whether it fails: its interval of 99 %, by Bonferroni over so many cells, lies wholly beyond what was asked. A
    /// headline figure fails, too, if it is beyond by more than half a point, which 20,000 replicates tell from chance.
    #[must_use]
    pub(crate) fn fails(&self, asked: Bound, cells: usize, is_headline: bool) -> bool {
        let Some(value) = self.value() else { return false };
        let beyond = match asked {
            Bound::Shown => return false,
            Bound::AtMost(most) => value - most,
            Bound::AtLeast(least) => least - value,
        };
        // The nearer end of the interval, as a share that should not be too large.
        let (bad, limit) = match asked {
            Bound::AtMost(most) => (self.sum, most),
            Bound::AtLeast(least) => (self.of - self.sum, 1.0 - least),
            Bound::Shown => return false,
        };
        lower_share(bad, self.of, 1.0 - 0.005 / cells.max(1) as f64) > limit
            || (is_headline && self.of >= MANY && beyond > HALF_A_POINT)
    }
}

const HALF_A_POINT: f64 = 0.005;
const MANY: u64 = 20_000;

/// The lower bound of a share, Clopper and Pearson's.
fn lower_share(found: u64, n: u64, level: f64) -> f64 {
    let whole = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    1.0 - upper_share(whole(n - found), whole(n), level)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By SciPy: `binomtest(k, 2000).proportion_ci(0.99)` of 125 is (.0494, …), of 127 (.0503, …). Would catch a rule
    /// that fails exact cells, and one that fails nothing.
    #[test]
    fn a_cell_fails_when_its_interval_lies_wholly_beyond() {
        let fails = |sum, cells| Count { sum, of: 2000 }.fails(Bound::AtMost(0.05), cells, false);
        assert!(!fails(100, 1) && !fails(125, 1) && fails(127, 1));
        assert!(!fails(127, 50) && fails(160, 50));
        let covers = |sum| Count { sum, of: 2000 }.fails(Bound::AtLeast(0.95), 1, false);
        assert!(!covers(1900) && !covers(1875) && covers(1873));
        let headline = |sum| Count { sum, of: 20_000 }.fails(Bound::AtMost(0.05), 99, true);
        assert!(!headline(1099) && headline(1101));
        assert!(!Count { sum: 9, of: 9 }.fails(Bound::Shown, 1, true));
    }
}
