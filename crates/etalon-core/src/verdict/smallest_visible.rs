//! The smallest change that a comparison could be expected to show in fresh data.

use super::fresh::{Experiments, POWER};
use super::outlook::extent;
use super::{Adjusted, Assessment};
use crate::compare::{Design, Evidence, Scale};
use crate::stats::{self, BetweenRuns};

/// The smallest change that another experiment like this one calls a difference with power 0.9, at the level that the
/// smallest p of the family has to reach: a share on the scale of ratios (0.03 is 3 % more), else an amount in base
/// units.
///
/// Within blocks: where the values of blocks are near-normal, so many half-widths of the interval as such experiments
/// take ([`Experiments::half_widths`]); else also not less than what values distributed like those at hand take.
/// Otherwise of the interval as it is, widened or not: its half-width is z standard errors, and the change has to lie
/// z(1 − α′/2) + z(0.9) of them away, on the logarithmic scale for ratios. Between runs half-width and standard error
/// are those of its formula: an assumed scatter is as large as it is assumed to be, and only its half-width grows
/// for not being known; what was waited for a CPU hides as much again. Over nodes and layouts both are by
/// Student's t. Absent of exact values, which show
/// any change, where there is no interval, and where so few blocks find nothing.
pub(super) fn smallest_visible(evidence: &Evidence, adjusted: &Adjusted) -> Option<f64> {
    if evidence.exact {
        return None;
    }
    let away = match &evidence.design {
        Design::Blocks => in_blocks(evidence, adjusted, evidence.n.0)?,
        Design::Independent => independent(evidence, adjusted)?,
        Design::Nodes(over) => by_student(over.compared?, evidence, adjusted),
        Design::Layouts(over) => by_student(over.compared?, evidence, adjusted),
        Design::Runs(replication) => match replication.compared {
            Some(runs) => {
                let level = 2.0 * adjusted.strictest / tails(evidence);
                let farther = runs.waited.abs() + runs.half_width(level);
                farther + runs.standard_error() * power()
            }
            None => independent(evidence, adjusted)?,
        },
    };
    change(evidence.scale, away)
}

/// Half the width of the interval, and the distance from its end at which a change is seen, by Student's t.
fn by_student(compared: BetweenRuns, evidence: &Evidence, adjusted: &Adjusted) -> f64 {
    let level = 2.0 * adjusted.strictest / tails(evidence);
    compared.half_width(level) + compared.half_width(2.0 * (1.0 - POWER))
}

/// As a share, where distances are logarithms.
fn change(scale: Scale, away: f64) -> Option<f64> {
    let change = match scale {
        Scale::Ratio => away.exp_m1(),
        // Values about zero that never vary: no amount is too small.
        Scale::Difference => Some(away).filter(|away| *away > 0.0)?,
    };
    change.is_finite().then_some(change)
}

fn z(tail: f64) -> f64 {
    -stats::normal_quantile(tail)
}

fn power() -> f64 {
    z(1.0 - POWER)
}

fn tails(evidence: &Evidence) -> f64 {
    if evidence.one_sided.is_some() { 1.0 } else { 2.0 }
}

/// The smallest change that so many blocks find.
fn in_blocks(evidence: &Evidence, adjusted: &Adjusted, fresh: usize) -> Option<f64> {
    let (estimate, _) = evidence.decisive(&evidence.differing)?;
    let (half_width, _) = extent(&estimate, evidence.scale)?;
    let level = evidence.differing.level;
    let strict = 1.0 - 2.0 * adjusted.strictest / tails(evidence);
    let experiments = Experiments { at_hand: evidence.n.0, fresh, level, strict };
    // Of values that are all the same, any change shows.
    let of_normal = half_width * experiments.half_widths()?;
    let of_shape = match &evidence.shape {
        None => 0.0,
        Some(shape) => {
            let widened = evidence.dependence.map_or(1.0, |widening| widening.factor);
            widened * experiments.shift(shape)?
        }
    };
    Some(of_normal.max(of_shape)).filter(|away| *away > 0.0)
}

fn independent(evidence: &Evidence, adjusted: &Adjusted) -> Option<f64> {
    let (estimate, _) = evidence.decisive(&evidence.differing)?;
    let (half_width, _) = extent(&estimate, evidence.scale)?;
    let error = half_width / z((1.0 - evidence.differing.level) / 2.0);
    Some(error * (z(adjusted.strictest / tails(evidence)) + power()))
}

impl Assessment {
    /// Its smallest visible change as it will be with so many values a side, from those there are. As it is where runs
    /// are compared: more readings say no more about how runs differ.
    #[must_use]
    pub(crate) fn visible_with(&self, values: usize) -> Option<f64> {
        let n = self.evidence.n.0.min(self.evidence.n.1);
        match &self.evidence.design {
            design if !design.gains_by_more() => self.smallest_visible,
            _ if values <= n => self.smallest_visible,
            _ => self.visible_at(values),
        }
    }

    /// Its smallest visible change with so many values a side, fewer than there are or more. Of independent values
    /// errors shrink with the square root, and few say less than their number by Student's t over z; of runs only what
    /// the readings themselves leave open changes with their number; of layouts nothing does.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // numbers of values
    pub(crate) fn visible_at(&self, values: usize) -> Option<f64> {
        let evidence = &self.evidence;
        let n = evidence.n.0.min(evidence.n.1);
        if n < 2 || values < 2 || evidence.exact {
            return None;
        }
        if let Design::Layouts(_) = evidence.design {
            return self.smallest_visible;
        }
        if evidence.design == Design::Blocks {
            return change(evidence.scale, in_blocks(evidence, &self.adjusted, values)?);
        }
        let known = self.smallest_visible?;
        let tail = (1.0 + evidence.differing.level) / 2.0;
        let t = |n: usize| stats::student_t_quantile(tail, (n - 1) as f64);
        let of_readings = t(values) / t(n) * (n as f64 / values as f64).sqrt();
        let factor = match &evidence.design {
            Design::Runs(replication) => match (replication.within, &replication.compared) {
                (Some(within), Some(runs)) => {
                    let now = runs.half_width(1.0 - evidence.differing.level);
                    let rest = now.powi(2) - within.powi(2);
                    (rest.max(0.0).sqrt().hypot(within * of_readings)) / now
                }
                _ => 1.0,
            },
            design if !design.gains_by_more() => 1.0,
            _ => of_readings,
        };
        Some(match evidence.scale {
            Scale::Ratio => (known.ln_1p() * factor).exp_m1(),
            Scale::Difference => known * factor,
        })
    }
}
