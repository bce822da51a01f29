//! About how many more values would settle an open verdict.

use super::Adjusted;
use crate::compare::{Design, EquivalenceBounds, Evidence, Scale};
use crate::criteria::{Conditions, Criteria};
use crate::estimate::Estimate;
use crate::stats;

/// About how many more values would settle it, taking the estimate as it is. Interval widths shrink
/// with 1/√n: a half-width has to shrink to the distance to "no difference", or to what the margin
/// leaves beside the estimate, each at the level that the family's correction asks for.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(super) fn more_blocks(
    evidence: &Evidence,
    adjusted: &Adjusted,
    criteria: &Criteria,
) -> Option<usize> {
    if matches!(evidence.design, Design::Runs(_)) {
        // More readings say no more about how runs differ.
        return None;
    }
    let n = evidence.n.0.min(evidence.n.1) as f64;
    let (estimate, _) = evidence.decisive(&evidence.differing)?;
    let (half_width, distance) = extent(&estimate, evidence.scale)?;
    let level = adjusted.strictest;
    // The half-width is that of a two-sided test at alpha; each of the two one-sided tests of
    // sameness spends the family's level alone.
    let tails = if evidence.one_sided.is_some() { 1.0 } else { 2.0 };
    let stricter = |tail: f64| {
        let here = stats::normal_quantile(1.0 - criteria.alpha / tails);
        (stats::normal_quantile(1.0 - tail) / here).max(1.0)
    };
    // A level of 1 − 2 alpha is asked of sameness: its interval may be narrower than the one that is shown.
    let sameness =
        stats::normal_quantile(1.0 - level) / stats::normal_quantile(1.0 - criteria.alpha / tails);
    // What `at_least` asks for is asked of the ratio, also where the verdict is made on the difference.
    let far_enough = match criteria.at_least {
        None => Some(half_width / distance),
        Some(share) => evidence
            .differing
            .ratio
            .as_ref()
            .and_then(|ratio| extent(ratio, Scale::Ratio))
            .map(|(half_width, distance)| half_width / (distance - (1.0 + share).ln())),
    };
    let to_differ = far_enough.map(|narrower| {
        narrower * stricter(level / tails) * slowdown(evidence, criteria.conditions)
    });
    let to_be_same = evidence.bounds.map(|EquivalenceBounds { hi, .. }| {
        half_width * sameness / (on(evidence.scale, hi) - distance)
    });
    let factor = [to_differ, to_be_same]
        .into_iter()
        .flatten()
        .filter(|f| f.is_finite() && *f > 0.0)
        .min_by(f64::total_cmp)?;
    let more = (n * factor * factor - n).max(1.0);
    (more <= 1e6).then(|| two_digits(more) as usize)
}

/// Half the width of an estimate's interval, and how far the estimate is from "no difference": of
/// logarithms on the scale of ratios.
pub(super) fn extent(estimate: &Estimate, scale: Scale) -> Option<(f64, f64)> {
    let interval = estimate.interval.ok()?;
    let half_width = (on(scale, interval.hi) - on(scale, interval.lo)) / 2.0;
    Some((half_width, on(scale, estimate.value).abs()))
}

/// Where "no difference" is 0 and both directions are alike.
fn on(scale: Scale, x: f64) -> f64 {
    match scale {
        Scale::Ratio => x.ln(),
        Scale::Difference => x,
    }
}

/// How much narrower than for a difference alone the interval has to be for the conditions, as a
/// factor; NaN where no number of blocks helps.
fn slowdown(evidence: &Evidence, conditions: Conditions) -> f64 {
    let lower = evidence.superiority.max(1.0 - evidence.superiority);
    if conditions.superiority.is_some_and(|at_most| 1.0 - lower > at_most) {
        return f64::NAN;
    }
    let distance = evidence.difference.map(|difference| difference.value.abs());
    match conditions.epsilon.zip(distance) {
        Some((epsilon, distance)) if epsilon >= distance => f64::NAN,
        Some((epsilon, distance)) => distance / (distance - epsilon),
        None => 1.0,
    }
}

/// Rounded up to two significant digits: the estimate is not better than that.
fn two_digits(x: f64) -> f64 {
    let unit = 10_f64.powf((x.log10().floor() - 1.0).max(0.0));
    (x / unit).ceil() * unit
}
