//! What a verdict is held against: the same for rankings, suites, tables and checks.
//!
//! Owns the margin, the significance level and what else is asked of a difference. Refuses to decide anything:
//! [`crate::compare`] makes evidence at these levels, [`crate::verdict`] holds it against them.

use crate::stats::Correction;
use crate::units::{Base, Dimension};

/// What a verdict is held against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criteria {
    /// The largest difference that still counts as the same.
    pub margin: Margin,
    /// A difference must lie wholly beyond this share to be called one.
    pub at_least: Option<f64>,
    /// Significance level, in (0, 1).
    pub alpha: f64,
    /// Level of intervals, in (0, 1).
    pub confidence: f64,
    /// Which intervals have it.
    pub levels: Levels,
    /// Correction within a family; the family's own default if absent.
    pub correction: Option<Correction>,
    /// What else a difference has to satisfy.
    pub conditions: Conditions,
    /// What the tests are of.
    pub sides: Sides,
}

impl Default for Criteria {
    fn default() -> Criteria {
        Criteria {
            margin: Margin::DEFAULT,
            at_least: None,
            alpha: 0.05,
            confidence: 0.95,
            levels: Levels::OfFiles,
            correction: None,
            conditions: Conditions::default(),
            sides: Sides::Two,
        }
    }
}

impl Criteria {
    /// The criteria that hold for values in a unit: an amount of time says nothing about bytes.
    #[must_use]
    pub fn for_unit(self, base: &Base) -> Criteria {
        let Conditions { epsilon, superiority } = self.conditions;
        let epsilon = epsilon.filter(|_| *base == Base::Seconds);
        let conditions = Conditions { epsilon, superiority };
        Criteria { margin: self.margin.for_unit(base), conditions, ..self }
    }

    /// The criteria for data that are the result of so many looks at the verdicts (from 1): alpha, and with it
    /// the level of the intervals, is what the last look may spend.
    #[must_use]
    pub fn after_looks(self, looks: u32) -> Criteria {
        let alpha = alpha_at(self.alpha, looks);
        Criteria { alpha, confidence: 1.0 - alpha, levels: Levels::Common, ..self }
    }

    /// The level of the intervals of benchmarks whose files ask for `asked`; absent if none does.
    #[must_use]
    pub fn level(&self, asked: Option<f64>) -> f64 {
        match self.levels {
            Levels::OfFiles => asked.unwrap_or(self.confidence),
            Levels::Common => self.confidence,
        }
    }

    /// The level of the intervals that sameness is decided by: that of two one-sided tests at alpha.
    #[must_use]
    pub fn sameness_level(&self) -> f64 {
        (1.0 - 2.0 * self.alpha).max(0.5)
    }

    /// The correction within a family: Holm's, unless another one was chosen.
    #[must_use]
    pub fn correction(&self) -> Correction {
        self.correction.unwrap_or(Correction::Holm)
    }
}

/// How large a difference has to be to matter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Margin {
    /// A share of the base: 0.01 is one percent.
    Relative(f64),
    /// An amount in base units, for metrics of its kind.
    Absolute(f64, Dimension),
}

impl Margin {
    /// Differences of 1 % count as the same.
    pub const DEFAULT: Margin = Margin::Relative(0.01);

    /// The margin for values in a unit: an amount of memory says nothing about times, for which the default
    /// holds then.
    #[must_use]
    pub fn for_unit(self, base: &Base) -> Margin {
        match self {
            Margin::Absolute(_, of) if base.dimension() != Some(of) => Margin::DEFAULT,
            _ => self,
        }
    }
}

/// What a difference has to satisfy beyond interval and p, where the user asks for it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Conditions {
    /// Seconds: the difference's interval must still exclude 0 when moved by this much either way.
    /// Asked of metrics of time only.
    pub epsilon: Option<f64>,
    /// The slower one's probability of the better reading must be at most this.
    pub superiority: Option<f64>,
}

/// Which intervals have the level of the criteria.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Levels {
    /// Those of benchmarks whose file asks for no other.
    #[default]
    OfFiles,
    /// All: it was asked for now, or follows from alpha.
    Common,
}

/// Whether a test is two-sided, or one-sided for a check.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Sides {
    /// Two-sided.
    #[default]
    Two,
    /// One-sided: a check. Intervals then have the level 1 − 2 alpha.
    One {
        /// How much worse it may be, as a share, where that was said: what is tested against.
        tolerated: Option<f64>,
    },
}

/// The share of `alpha` that the `look`-th look (from 1) at the verdicts may spend:
/// alpha · 6/(π²·look²). Over any number of looks the shares sum to at most alpha (Basel problem),
/// so the chance that any look calls equal subjects different stays at most alpha (Bonferroni),
/// whatever the looks have to do with each other. A spending of this kind is due to Lan & DeMets,
/// Biometrika 70 (1983).
#[must_use]
pub fn alpha_at(alpha: f64, look: u32) -> f64 {
    let look = f64::from(look.max(1));
    alpha * 6.0 / (std::f64::consts::PI * std::f64::consts::PI * look * look)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_a_margin_of_its_own_kind_only() {
        let bytes = Margin::Absolute(10.0, Dimension::Size);
        assert_eq!(bytes.for_unit(&Base::Bytes), bytes);
        for other in [Base::Seconds, Base::Count, Base::Other("B/s".to_owned())] {
            assert_eq!(bytes.for_unit(&other), Margin::DEFAULT);
        }
        let share = Margin::Relative(0.05);
        assert_eq!(share.for_unit(&Base::Seconds), share);
    }

    #[test]
    fn the_shares_of_alpha_sum_to_alpha() {
        let spent: f64 = (1..1_000_000).map(|look| alpha_at(0.05, look)).sum();
        assert!(spent < 0.05 && spent > 0.05 - 1e-7, "{spent}");
        assert!(alpha_at(0.05, 0) == alpha_at(0.05, 1));
    }
}
