//! The smallest change that a comparison could be expected to show.

use super::outlook::extent;
use super::{Adjusted, Assessment};
use crate::compare::{Design, Evidence, Scale};
use crate::stats;

/// The probability with which a change of the size is found.
const POWER: f64 = 0.9;

/// The smallest change that would be called a difference with power 0.9 at the level that the smallest p of the
/// family has to reach: a share on the scale of ratios (0.03 is 3 % more), else an amount in base units. Of the
/// interval as it is, widened or not: its half-width is z standard errors, and the change has to lie
/// z(1 − α′/2) + z(0.9) of them away, on the logarithmic scale for ratios. Between runs half-width and standard error
/// are those of its formula: an assumed scatter is as large as it is assumed to be, and only its half-width grows
/// for not being known; what was waited for a CPU hides as much again. Absent of exact values, which show
/// any change, and where there is no interval.
pub(super) fn smallest_visible(evidence: &Evidence, adjusted: &Adjusted) -> Option<f64> {
    if evidence.exact {
        return None;
    }
    let (estimate, _) = evidence.decisive(&evidence.differing)?;
    let (half_width, _) = extent(&estimate, evidence.scale)?;
    let z = |tail: f64| -stats::normal_quantile(tail);
    let tails = if evidence.one_sided.is_some() { 1.0 } else { 2.0 };
    let level = adjusted.strictest;
    let compared = match &evidence.design {
        Design::Runs(replication) => replication.compared,
        Design::Blocks | Design::Independent => None,
    };
    let (farther, error) = match compared {
        Some(runs) => {
            (runs.waited.abs() + runs.half_width(2.0 * level / tails), runs.standard_error())
        }
        None => {
            let error = half_width / z((1.0 - evidence.differing.level) / 2.0);
            (error * z(level / tails), error)
        }
    };
    let away = farther + error * z(1.0 - POWER);
    let change = match evidence.scale {
        Scale::Ratio => away.exp_m1(),
        Scale::Difference => away,
    };
    change.is_finite().then_some(change)
}

impl Assessment {
    /// Its smallest visible change as it will be with so many values a side, from those there are: errors shrink with
    /// the square root. With few values an interval is wider than their scatter alone makes it, by Student's t over z.
    /// As it is where runs are compared: more readings say no more about how runs differ. Scatter that is known from
    /// ten values is itself known to about a quarter.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // numbers of values
    pub(crate) fn visible_with(&self, values: usize) -> Option<f64> {
        let known = self.smallest_visible?;
        let n = self.evidence.n.0.min(self.evidence.n.1);
        if matches!(self.evidence.design, Design::Runs(_)) || n < 2 || values <= n {
            return Some(known);
        }
        let tail = (1.0 + self.evidence.differing.level) / 2.0;
        let narrower =
            stats::normal_quantile(tail) / stats::student_t_quantile(tail, (n - 1) as f64);
        let shrinks = narrower * (n as f64 / values as f64).sqrt();
        Some(match self.evidence.scale {
            Scale::Ratio => (known.ln_1p() * shrinks).exp_m1(),
            Scale::Difference => known * shrinks,
        })
    }

    /// Its smallest visible change with so many values a side, fewer than there are or more. As `visible_with`, but
    /// that few values say less than their number by Student's t over z, too; of runs only what the readings themselves
    /// leave open changes with their number.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // numbers of values
    pub(crate) fn visible_at(&self, values: usize) -> Option<f64> {
        let known = self.smallest_visible?;
        let n = self.evidence.n.0.min(self.evidence.n.1);
        if n < 2 || values < 2 {
            return None;
        }
        let tail = (1.0 + self.evidence.differing.level) / 2.0;
        let t = |n: usize| stats::student_t_quantile(tail, (n - 1) as f64);
        let of_readings = t(values) / t(n) * (n as f64 / values as f64).sqrt();
        let factor = match &self.evidence.design {
            Design::Runs(replication) => match (replication.within, &replication.compared) {
                (Some(within), Some(runs)) => {
                    let now = runs.half_width(1.0 - self.evidence.differing.level);
                    let rest = now.powi(2) - within.powi(2);
                    (rest.max(0.0).sqrt().hypot(within * of_readings)) / now
                }
                _ => 1.0,
            },
            _ => of_readings,
        };
        Some(match self.evidence.scale {
            Scale::Ratio => (known.ln_1p() * factor).exp_m1(),
            Scale::Difference => known * factor,
        })
    }
}
