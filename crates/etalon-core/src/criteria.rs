//! Criteria of a verdict: the same for rankings, suites, tables and checks.
//!
//! Owns the margin, the significance level and what else is asked of a difference. Refuses to decide anything:
//! [`crate::compare`] makes evidence at these levels, [`crate::verdict`] holds it against them.

use crate::model::Metric;
use crate::stats::{Correction, Looks, signed_rank_needed};
use crate::units::{Base, Dimension};

/// Criteria of a verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criteria {
    /// The largest difference that still counts as the same.
    pub margin: Margin,
    /// The share by which counts of work may differ and still count as the same: they do not scatter as times do.
    pub count_margin: f64,
    /// A difference must lie wholly beyond this share to be called one.
    pub at_least: Option<f64>,
    /// Significance level, in (0, 1): of data that are the result of looks what the last of them may call significant.
    pub alpha: f64,
    /// Level of intervals, in (0, 1).
    pub confidence: f64,
    /// Which intervals have it.
    pub levels: Levels,
    /// How much runs of unchanged code scatter, as a share, where that was said; 0 of data that were interleaved.
    pub between: Option<f64>,
    /// Correction within a family; the family's own default if absent.
    pub correction: Option<Correction>,
    /// Further conditions on a difference.
    pub conditions: Conditions,
    /// Whether tests are two-sided.
    pub sides: Sidedness,
    /// The looks at the verdicts that have spent alpha, where the data are the result of some.
    pub spent: Option<Spent>,
}

impl Default for Criteria {
    fn default() -> Criteria {
        Criteria {
            margin: Margin::DEFAULT,
            count_margin: COUNT_MARGIN,
            at_least: None,
            alpha: 0.05,
            confidence: 0.95,
            levels: Levels::OfFiles,
            between: None,
            correction: None,
            conditions: Conditions::default(),
            sides: Sidedness::Two,
            spent: None,
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

    /// The criteria that hold for values of a metric: counts of work have a margin of their own.
    #[must_use]
    pub fn for_metric(self, metric: &Metric) -> Criteria {
        let criteria = self.for_unit(metric.unit.base());
        match metric.is_of_work() {
            true => Criteria { margin: Margin::Relative(self.count_margin), ..criteria },
            false => criteria,
        }
    }

    /// The criteria for data that are the result of looks at the verdicts: alpha, and with it the level of the
    /// intervals, is what the last look may call significant.
    #[must_use]
    pub fn after_looks(self, looks: Looks) -> Criteria {
        let alpha = looks.level(self.alpha);
        let one_sided = looks.one_sided_level(self.alpha);
        let spent = Some(Spent { asked: self.alpha, one_sided, looks });
        Criteria { alpha, confidence: 1.0 - alpha, levels: Levels::Common, spent, ..self }
    }

    /// The criteria of a check, which tests one side.
    #[must_use]
    pub fn one_sided(self, tolerated: Option<f64>) -> Criteria {
        let alpha = self.one_sided_alpha();
        Criteria { alpha, sides: Sidedness::One { tolerated }, ..self }
    }

    /// The significance level of one-sided tests: alpha, or what the last look left of it.
    #[must_use]
    pub fn one_sided_alpha(&self) -> f64 {
        self.spent.map_or(self.alpha, |spent| spent.one_sided)
    }

    /// The level of p in a step that divides alpha by so much.
    #[must_use]
    pub(crate) fn at_step(&self, step: f64) -> f64 {
        match (&self.spent, self.sides) {
            (None, _) => self.alpha / step,
            (Some(spent), Sidedness::Two) => spent.looks.level(spent.asked / step),
            (Some(spent), Sidedness::One { .. }) => spent.looks.one_sided_level(spent.asked / step),
        }
    }

    /// The level that the smallest p of a family of so many comparisons has to reach.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // family sizes
    pub fn strictest(&self, family: usize) -> f64 {
        match self.correction() {
            Correction::Holm | Correction::BenjaminiHochberg if family > 1 => {
                self.at_step(family as f64)
            }
            _ => self.alpha,
        }
    }

    /// The fewest blocks with which some of so many comparisons, corrected together, can be called a difference: with
    /// fewer no p of the signed-rank test is small enough, or there is no interval of the level. What a verdict needs
    /// and what is measured for one follow from it, whatever is compared.
    #[must_use]
    pub fn fewest_blocks(&self, family: usize) -> u32 {
        // The smallest one-sided p is half of the smallest two-sided one.
        let two_sided = if self.sides == Sidedness::Two { 1.0 } else { 2.0 };
        let for_p = signed_rank_needed((self.strictest(family) * two_sided).min(1.0));
        let for_interval = signed_rank_needed(1.0 - self.confidence);
        u32::try_from(for_p.max(for_interval)).unwrap_or(u32::MAX)
    }

    /// By how much a p of difference has to be smaller than alpha in a step that divides alpha by so much.
    #[must_use]
    pub(crate) fn factor(&self, step: f64) -> f64 {
        self.spent.map_or(step, |_| self.alpha / self.at_step(step))
    }

    /// The factor of a p of sameness.
    #[must_use]
    pub(crate) fn sameness_factor(&self, step: f64) -> f64 {
        let of = |spent: Spent| spent.one_sided / spent.looks.one_sided_level(spent.asked / step);
        self.spent.map_or(step, of)
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
        (1.0 - 2.0 * self.one_sided_alpha()).max(0.5)
    }

    /// The correction within a family: Holm's, unless another one was chosen.
    #[must_use]
    pub fn correction(&self) -> Correction {
        self.correction.unwrap_or(Correction::Holm)
    }
}

/// The usual margin of counts. Because: where the work is fixed, so is its count, and a comment that a program reads with
/// its source changes that by less.
pub const COUNT_MARGIN: f64 = 0.0001;

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
    pub(crate) fn for_unit(self, base: &Base) -> Margin {
        match self {
            Margin::Absolute(_, of) if base.dimension() != Some(of) => Margin::DEFAULT,
            _ => self,
        }
    }
}

/// Conditions on a difference beyond interval and p, where the user asks for them.
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
pub enum Sidedness {
    /// Two-sided.
    #[default]
    Two,
    /// One-sided: a check. Intervals then have the level 1 − 2 alpha.
    One {
        /// How much worse it may be, as a share, where that was said: what is tested against.
        tolerated: Option<f64>,
    },
}

/// Looks at the verdicts, and the levels that they have left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spent {
    /// The significance level that all looks share.
    pub asked: f64,
    /// The level of the last of them in a one-sided test: a check, or one of sameness.
    pub one_sided: f64,
    /// The looks that were taken while it was measured: they have spent some alpha.
    pub looks: Looks,
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

    /// Would catch a family that is not divided by, one side that counts as two, and a level without an interval: ½ⁿ⁻¹ ≤
    /// α/m, one-sided ½ⁿ ≤ α/m, computed here by counting up.
    #[test]
    fn the_fewest_blocks_follow_from_the_family() {
        let counted = |alpha: f64, sides: f64| {
            (1..).find(|&n| sides * 0.5_f64.powi(n) <= alpha).map(|n| u32::try_from(n).unwrap())
        };
        let two = Criteria::default();
        let one = two.one_sided(None);
        for family in [1, 2, 25, 26, 39, 199, 4950] {
            let alpha = 0.05 / f64::from(family);
            let family = usize::try_from(family).unwrap();
            assert_eq!(Some(two.fewest_blocks(family)), counted(alpha, 2.0), "{family}");
            let one_sided = counted(alpha, 1.0).map(|n| n.max(6));
            assert_eq!(Some(one.fewest_blocks(family)), one_sided, "{family}");
        }
        assert_eq!((two.fewest_blocks(199), two.fewest_blocks(39)), (13, 11));
        let uncorrected = Criteria { correction: Some(Correction::None), ..two };
        assert_eq!(uncorrected.fewest_blocks(4950), 6);
        let narrow = Criteria { confidence: 0.999, ..two };
        assert_eq!(narrow.fewest_blocks(1), 11, "½¹⁰ ≤ 0.001");
    }

    /// Would catch a family that divides what a look left instead of what was asked for, and sides mixed up.
    #[test]
    fn a_look_leaves_each_step_what_it_leaves_of_that_steps_alpha() {
        let looks: Looks = [10, 12, 14].into_iter().collect();
        let left = Criteria::default().after_looks(looks);
        assert_eq!(left.alpha, looks.level(0.05));
        assert_eq!(left.confidence, 1.0 - left.alpha);
        assert_eq!(left.sameness_level(), 1.0 - looks.level(0.1));
        assert_eq!((left.at_step(1.0), left.factor(1.0)), (left.alpha, 1.0));
        assert_eq!(left.at_step(10.0), looks.level(0.005));
        assert_eq!(left.sameness_factor(10.0), looks.level(0.1) / looks.level(0.01));
        let check = left.one_sided(None);
        assert_eq!(
            (check.alpha, check.at_step(10.0)),
            (looks.level(0.1) / 2.0, looks.level(0.01) / 2.0)
        );
        assert_eq!(check.factor(1.0), 1.0);
        let plain = Criteria::default();
        assert_eq!(
            (plain.at_step(10.0), plain.factor(10.0), plain.sameness_factor(10.0)),
            (0.005, 10.0, 10.0)
        );
        assert_eq!(plain.one_sided(None).alpha, 0.05);
    }
}
