//! Obstacles between the data and a verdict.

use super::{Adjusted, Reason};
use crate::compare::{Design, Evidence, Scale};
use crate::stats::{self, Interval};

/// The obstacles of an open verdict.
pub(super) struct Obstacles {
    /// The interval the verdict is made on.
    pub interval: Interval,
    /// "No difference" on its scale.
    pub none: f64,
    /// Whether it lies within the margin.
    pub inside: bool,
    /// Whether the adjusted p is small enough.
    pub significant: bool,
    /// Conditions that were asked besides and do not hold.
    pub unmet: Vec<Reason>,
    /// Values of the smaller side.
    pub n: usize,
    /// p before the correction.
    pub p: f64,
}

impl Obstacles {
    pub(super) fn reasons(&self, evidence: &Evidence, adjusted: &Adjusted) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if let Some(at_least) = family_needs(evidence, adjusted, self.n) {
            reasons.push(Reason::FamilyNeeds { at_least, family: adjusted.family });
        }
        if self.inside {
            if let (Some(p), Some(after)) = (evidence.tost_p, adjusted.tost_p) {
                reasons.push(Reason::SamenessNotSignificant { p, adjusted: after });
            }
        } else if let (Design::Runs(_), true) =
            (&evidence.design, self.interval.contains(self.none))
        {
            reasons.push(Reason::NoDifferenceSeen { apart: self.apart(evidence.scale) });
        } else if self.interval.contains(self.none) {
            reasons.push(Reason::IntervalIncludesNone);
            if evidence.bounds.is_some() {
                reasons.push(Reason::IntervalBeyondMargin);
            }
        } else if !self.significant {
            reasons.push(Reason::NotSignificant {
                p: self.p,
                adjusted: adjusted.p.unwrap_or(1.0),
                correction: adjusted.correction,
                family: adjusted.family,
            });
        } else {
            reasons.extend(self.unmet.iter().cloned());
        }
        reasons
    }

    /// How far the two are apart at most, by the far end of the interval: as a share of the base; on the scale of
    /// differences as an amount.
    fn apart(&self, scale: Scale) -> f64 {
        let Interval { lo, hi, .. } = self.interval;
        match scale {
            Scale::Ratio => (1.0 - lo).max(hi - 1.0),
            Scale::Difference => hi.max(-lo),
        }
    }
}

/// The number of values with which some p could pass the correction, if there are fewer; `n` is that of the smaller
/// side.
pub(super) fn family_needs(evidence: &Evidence, adjusted: &Adjusted, n: usize) -> Option<usize> {
    // The smallest one-sided p is half of the smallest two-sided one.
    let two_sided = if evidence.one_sided.is_some() { 2.0 } else { 1.0 };
    let alpha = adjusted.strictest * two_sided;
    let (needed, enough) = match evidence.design {
        Design::Blocks => (stats::signed_rank_needed(alpha), false),
        // As far out as needed, their p is as small as needed.
        Design::Runs(_) | Design::Nodes(_) | Design::Layouts(_) => return None,
        Design::Independent => {
            let (one, other) = evidence.n;
            let enough = stats::brunner_munzel_smallest_p(one, other) <= alpha;
            (stats::brunner_munzel_needed(alpha), enough)
        }
    };
    (n < needed && !enough).then_some(needed)
}
