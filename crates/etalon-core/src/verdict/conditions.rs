//! Conditions on a difference beyond interval and p: `--at-least`, `epsilon`, `superiority`.

use super::Reason;
use crate::compare::{Evidence, Scale};
use crate::criteria::{Conditions, Criteria};
use crate::stats::Interval;

/// Conditions on a difference that do not hold.
pub(super) fn unmet(evidence: &Evidence, interval: Interval, criteria: &Criteria) -> Vec<Reason> {
    let Conditions { epsilon, superiority } = criteria.conditions;
    let share = criteria.at_least.filter(|share| !is_beyond(evidence, interval, *share));
    let epsilon = epsilon.filter(|epsilon| !survives(evidence, *epsilon));
    let probability = against_the_order(evidence, interval);
    let at_most = superiority.filter(|at_most| probability > *at_most);
    let reasons = [
        share.map(|at_least| Reason::NotBeyond { at_least }),
        epsilon.map(|epsilon| Reason::WithinEpsilon { epsilon }),
        at_most.map(|at_most| Reason::TooOftenBetter { probability, at_most }),
    ];
    reasons.into_iter().flatten().collect()
}

/// Whether the ratio's interval lies wholly beyond 1 ± share; where there is no ratio, that of the difference
/// wholly beyond ± share of the base's median. Beyond a base of 0 is any difference.
fn is_beyond(evidence: &Evidence, interval: Interval, share: f64) -> bool {
    let ratio = match evidence.scale {
        Scale::Ratio => Some(interval),
        Scale::Difference => evidence.differing.ratio_interval(),
    };
    match ratio {
        Some(ratio) => ratio.lo >= 1.0 + share || ratio.hi <= 1.0 - share,
        None => {
            let size = share * evidence.base_median.abs();
            let Interval { lo, hi, .. } = interval;
            (lo > 0.0 && lo >= size) || (hi < 0.0 && hi <= -size)
        }
    }
}

/// Whether the difference's interval excludes 0 even when moved by `epsilon` towards it.
fn survives(evidence: &Evidence, epsilon: f64) -> bool {
    let interval = evidence.differing.difference.and_then(|difference| difference.interval.ok());
    interval.is_some_and(|i| i.lo - epsilon > 0.0 || i.hi + epsilon < 0.0)
}

/// The probability of a reading that contradicts the order the interval claims.
fn against_the_order(evidence: &Evidence, interval: Interval) -> f64 {
    let none = match evidence.scale {
        Scale::Ratio => 1.0,
        Scale::Difference => 0.0,
    };
    let candidate_is_lower = interval.hi < none;
    if candidate_is_lower { 1.0 - evidence.superiority } else { evidence.superiority }
}
