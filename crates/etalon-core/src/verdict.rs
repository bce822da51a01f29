//! From evidence to one of four verdicts, with the reasons and about how many more blocks would
//! settle an open one. The order of the rules is the contract (`docs/statistics.md`).
//!
//! Refuses to call anything "the same" because no difference was found.

use crate::compare::{Band, Design, Evidence, Scale};
use crate::estimate::Estimate;
use crate::model::Direction;
use crate::plan::{Conditions, Correction};
use crate::stats::{self, Interval, Lacking};

/// The answer about a candidate, seen from the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Better by more than chance explains.
    Faster,
    /// Worse by more than chance explains.
    Slower,
    /// Any difference lies within the margin.
    Same,
    /// The data do not settle it.
    Unclear,
}

impl Verdict {
    /// The word used in every output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Same => "same",
            Verdict::Unclear => "unclear",
        }
    }

    /// Whether it claims a difference.
    #[must_use]
    pub fn is_difference(self) -> bool {
        matches!(self, Verdict::Faster | Verdict::Slower)
    }
}

/// Why a verdict is what it is. Rendered by the reports.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// The interval lies within the margin.
    WithinMargin,
    /// It does, and it excludes "no difference" all the same.
    RealButBelowMargin,
    /// The interval excludes "no difference" and p passes.
    BeyondChance,
    /// No interval exists at this confidence with so few values.
    Needs {
        /// The smallest number that could settle anything.
        at_least: usize,
    },
    /// No p can be small enough for the family with so few values.
    FamilyNeeds {
        /// The smallest number with which some p could pass.
        at_least: usize,
        /// Comparisons in the family.
        family: usize,
    },
    /// The interval contains "no difference".
    IntervalIncludesNone,
    /// The interval reaches beyond the margin.
    IntervalBeyondMargin,
    /// The difference is not significant after the correction.
    NotSignificant {
        /// p of this comparison alone.
        p: f64,
        /// p after the correction.
        adjusted: f64,
        /// The correction.
        correction: Correction,
        /// Comparisons in the family.
        family: usize,
    },
    /// Within the margin, but that is not significant after the correction.
    SamenessNotSignificant {
        /// p of this comparison alone.
        p: f64,
        /// p after the correction.
        adjusted: f64,
    },
    /// The interval is not wholly beyond the share asked for.
    NotBeyond {
        /// `--at-least`.
        at_least: f64,
    },
    /// The difference's interval includes 0 when moved by ± epsilon.
    WithinEpsilon {
        /// Seconds asked for.
        epsilon: f64,
    },
    /// The slower one has the better reading too often.
    TooOftenBetter {
        /// How often, ties half.
        probability: f64,
        /// The most that was asked for.
        at_most: f64,
    },
    /// Readings that never differ: the clock is too coarse.
    BelowTheClock,
    /// Serial dependence in independent samples: p and interval are not to be trusted.
    SerialDependence {
        /// Lag-1 autocorrelation of the ranks.
        r1: f64,
    },
}

/// A family's view of one comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjusted {
    /// p of the difference after the correction.
    pub p: Option<f64>,
    /// p of sameness after the correction, in its own family.
    pub same_p: Option<f64>,
    /// Comparisons in the family.
    pub family: usize,
    /// The correction applied.
    pub correction: Correction,
}

/// Whether p is of a departure to either side, or to the one that was asked about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sides {
    /// Either.
    #[default]
    Two,
    /// One: a check. The interval then has the level 1 − 2 alpha.
    One,
}

/// What a verdict is held against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// Significance level.
    pub alpha: f64,
    /// A difference must lie wholly beyond this share.
    pub at_least: Option<f64>,
    /// What else a difference has to satisfy.
    pub conditions: Conditions,
    /// Which way the metric is better.
    pub direction: Direction,
    /// What the p's are of.
    pub sides: Sides,
}

/// A verdict with its reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The answer.
    pub verdict: Verdict,
    /// Why, the most important first.
    pub reasons: Vec<Reason>,
    /// About how many more blocks (values a side when independent) would settle an open verdict,
    /// two significant digits; absent if settled, not to be said, or beyond a million.
    pub more_blocks: Option<usize>,
}

impl Decision {
    /// Whether it claims a difference: also where neither direction is the better one.
    #[must_use]
    pub fn is_difference(&self) -> bool {
        self.verdict.is_difference() || self.reasons == [Reason::BeyondChance]
    }

    /// The word used in every output: the verdict's, but that a difference in a unit of which neither direction
    /// is better is one.
    #[must_use]
    pub fn word(&self) -> &'static str {
        if self.is_difference() && !self.verdict.is_difference() {
            return "differs";
        }
        self.verdict.word()
    }

    fn of(verdict: Verdict, reasons: Vec<Reason>) -> Decision {
        Decision { verdict, reasons, more_blocks: None }
    }
}

/// Decides. The rules, in order: values that are exact; too few values or below the clock; serial dependence in
/// independent data; `same`; a difference; otherwise `unclear` with what stands in the way.
#[must_use]
pub fn decide(evidence: &Evidence, adjusted: Adjusted, rules: Rules) -> Decision {
    if evidence.exact {
        return exactly(evidence, rules);
    }
    let n = evidence.n.0.min(evidence.n.1);
    let (Ok(test), Some((interval, none))) = (&evidence.test, judged(evidence)) else {
        return too_few(evidence, n);
    };
    if evidence.no_spread {
        return Decision::of(Verdict::Unclear, vec![Reason::BelowTheClock]);
    }
    if let Some(dependence) = &evidence.dependence {
        let reason = Reason::SerialDependence { r1: dependence.r1 };
        return Decision::of(Verdict::Unclear, vec![reason]);
    }
    let inside = evidence.band.is_some_and(|band| interval.lies_inside(band.lo, band.hi));
    if inside && adjusted.same_p.is_some_and(|p| p <= rules.alpha) {
        let real = !interval.contains(none) && adjusted.p.is_some_and(|p| p <= rules.alpha);
        let reason = if real { Reason::RealButBelowMargin } else { Reason::WithinMargin };
        return Decision::of(Verdict::Same, vec![reason]);
    }
    let significant = adjusted.p.is_some_and(|p| p <= rules.alpha);
    let unmet = unmet(evidence, interval, none, rules);
    if !interval.contains(none) && significant && unmet.is_empty() {
        return Decision::of(side(interval, none, rules.direction), vec![Reason::BeyondChance]);
    }
    let obstacles = Obstacles { interval, none, inside, significant, unmet, n, p: test.p };
    let reasons = obstacles.reasons(evidence, adjusted, rules);
    // So many settle nothing, whatever they are.
    let needed = |reason: &Reason| match reason {
        Reason::FamilyNeeds { at_least, .. } => Some(at_least.saturating_sub(n)),
        _ => None,
    };
    let least = reasons.iter().filter_map(needed).max().unwrap_or(0);
    let more_blocks = more_blocks(evidence, adjusted, rules).map(|more| more.max(least));
    Decision { verdict: Verdict::Unclear, reasons, more_blocks }
}

/// The verdict about values without error: equal ones are the same, others differ unless the margin says
/// otherwise, or more was asked of a difference.
fn exactly(evidence: &Evidence, rules: Rules) -> Decision {
    let Some((interval, none)) = judged(evidence) else {
        return Decision::of(Verdict::Unclear, Vec::new());
    };
    if evidence.difference.value == 0.0 {
        return Decision::of(Verdict::Same, vec![Reason::WithinMargin]);
    }
    if evidence.band.is_some_and(|band| interval.lies_inside(band.lo, band.hi)) {
        return Decision::of(Verdict::Same, vec![Reason::RealButBelowMargin]);
    }
    let unmet = unmet(evidence, interval, none, rules);
    if !unmet.is_empty() {
        return Decision::of(Verdict::Unclear, unmet);
    }
    Decision::of(side(interval, none, rules.direction), vec![Reason::BeyondChance])
}

/// The interval the verdict is made on, and what "no difference" is on its scale.
fn judged(evidence: &Evidence) -> Option<(Interval, f64)> {
    let (estimate, none) = judged_estimate(evidence)?;
    estimate.interval.as_ref().ok().map(|interval| (*interval, none))
}

fn judged_estimate(evidence: &Evidence) -> Option<(&Estimate, f64)> {
    match evidence.scale {
        Scale::Ratio => evidence.ratio.as_ref().map(|ratio| (ratio, 1.0)),
        Scale::Difference => Some((&evidence.difference, 0.0)),
    }
}

fn too_few(evidence: &Evidence, n: usize) -> Decision {
    let lacking = judged_estimate(evidence).and_then(|(e, _)| e.interval.as_ref().err());
    let Some(Lacking::TooFew { needs }) = lacking else {
        return Decision::of(Verdict::Unclear, vec![Reason::Needs { at_least: 1 }]);
    };
    Decision {
        verdict: Verdict::Unclear,
        reasons: vec![Reason::Needs { at_least: *needs }],
        more_blocks: Some(needs.saturating_sub(n)),
    }
}

fn side(interval: Interval, none: f64, direction: Direction) -> Verdict {
    let lower = interval.hi < none;
    match (direction, lower) {
        (Direction::Lower, true) | (Direction::Higher, false) => Verdict::Faster,
        (Direction::Lower, false) | (Direction::Higher, true) => Verdict::Slower,
        (Direction::Neither, _) => Verdict::Unclear,
    }
}

/// Whether the ratio's interval lies wholly beyond 1 ± share; where there is no ratio, that of the difference
/// wholly beyond ± share of the base's median. Beyond a base of 0 is any difference.
fn lies_beyond(
    ratio: Option<Interval>,
    difference: Interval,
    base_median: f64,
    share: f64,
) -> bool {
    match ratio {
        Some(ratio) => ratio.lo >= 1.0 + share || ratio.hi <= 1.0 - share,
        None => {
            let size = share * base_median.abs();
            let (lo, hi) = (difference.lo, difference.hi);
            (lo > 0.0 && lo >= size) || (hi < 0.0 && hi <= -size)
        }
    }
}

fn is_beyond(evidence: &Evidence, interval: Interval, share: f64) -> bool {
    let of_ratio = || evidence.ratio.as_ref().and_then(|r| r.interval.as_ref().ok()).copied();
    let ratio = if evidence.scale == Scale::Ratio { Some(interval) } else { of_ratio() };
    lies_beyond(ratio, interval, evidence.base_median, share)
}

/// What was asked of a difference beyond interval and p, and does not hold.
fn unmet(evidence: &Evidence, interval: Interval, none: f64, rules: Rules) -> Vec<Reason> {
    let Conditions { epsilon, superiority } = rules.conditions;
    let share = rules.at_least.filter(|share| !is_beyond(evidence, interval, *share));
    let epsilon = epsilon.filter(|epsilon| !survives(evidence, *epsilon));
    let probability = against_the_order(evidence, interval, none);
    let at_most = superiority.filter(|at_most| probability > *at_most);
    let reasons = [
        share.map(|at_least| Reason::NotBeyond { at_least }),
        epsilon.map(|epsilon| Reason::WithinEpsilon { epsilon }),
        at_most.map(|at_most| Reason::TooOftenBetter { probability, at_most }),
    ];
    reasons.into_iter().flatten().collect()
}

/// Whether the difference's interval excludes 0 even when moved by `epsilon` towards it.
fn survives(evidence: &Evidence, epsilon: f64) -> bool {
    let interval = evidence.difference.interval.as_ref();
    interval.is_ok_and(|i| i.lo - epsilon > 0.0 || i.hi + epsilon < 0.0)
}

/// The probability of a reading that contradicts the order the interval claims.
fn against_the_order(evidence: &Evidence, interval: Interval, none: f64) -> f64 {
    let candidate_is_lower = interval.hi < none;
    if candidate_is_lower { 1.0 - evidence.superiority } else { evidence.superiority }
}

/// What stands between the data and a verdict.
struct Obstacles {
    interval: Interval,
    none: f64,
    inside: bool,
    significant: bool,
    unmet: Vec<Reason>,
    n: usize,
    p: f64,
}

impl Obstacles {
    fn reasons(&self, evidence: &Evidence, adjusted: Adjusted, rules: Rules) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if let Some(at_least) = self.family_needs(evidence, adjusted, rules) {
            reasons.push(Reason::FamilyNeeds { at_least, family: adjusted.family });
        }
        if self.inside {
            if let (Some(p), Some(after)) = (evidence.same_p, adjusted.same_p) {
                reasons.push(Reason::SamenessNotSignificant { p, adjusted: after });
            }
        } else if self.interval.contains(self.none) {
            reasons.push(Reason::IntervalIncludesNone);
            if evidence.band.is_some() {
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

    /// The number of values with which some p could pass the correction, if there are fewer.
    fn family_needs(&self, evidence: &Evidence, adjusted: Adjusted, rules: Rules) -> Option<usize> {
        // The smallest one-sided p is half of the smallest two-sided one.
        let alpha = strictest(adjusted, rules.alpha)
            * match rules.sides {
                Sides::Two => 1.0,
                Sides::One => 2.0,
            };
        let (needed, enough) = match evidence.design {
            Design::Blocks => (stats::signed_rank_needed(alpha), false),
            Design::Independent => {
                (stats::mann_whitney_needed(alpha), smallest_p(evidence.n) <= alpha)
            }
        };
        (self.n < needed && !enough).then_some(needed)
    }
}

/// The smallest two-sided p of independent samples of these sizes, 2/C(m + n, m).
#[allow(clippy::cast_precision_loss)] // sizes of samples
fn smallest_p((m, n): (usize, usize)) -> f64 {
    let (few, many) = (m.min(n), m.max(n));
    2.0 * (1..=few).map(|i| i as f64 / (many + i) as f64).product::<f64>()
}

/// The level the smallest p of the family has to reach.
#[allow(clippy::cast_precision_loss)] // family sizes
fn strictest(adjusted: Adjusted, alpha: f64) -> f64 {
    match adjusted.correction {
        Correction::None => alpha,
        Correction::Holm | Correction::BenjaminiHochberg => alpha / adjusted.family.max(1) as f64,
    }
}

/// About how many more values would settle it, taking the estimate as it is. Interval widths shrink
/// with 1/√n: a half-width has to shrink to the distance to "no difference", or to what the margin
/// leaves beside the estimate, each at the level that the family's correction asks for.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn more_blocks(evidence: &Evidence, adjusted: Adjusted, rules: Rules) -> Option<usize> {
    let n = evidence.n.0.min(evidence.n.1) as f64;
    let (estimate, _) = judged_estimate(evidence)?;
    let (half_width, distance) = extent(estimate, evidence.scale)?;
    let level = strictest(adjusted, rules.alpha);
    // The half-width is that of a two-sided test at alpha; each of the two one-sided tests of
    // sameness spends the family's level alone.
    let tails = match rules.sides {
        Sides::Two => 2.0,
        Sides::One => 1.0,
    };
    let stricter = |tail: f64| {
        let here = stats::normal_quantile(1.0 - rules.alpha / tails);
        (stats::normal_quantile(1.0 - tail) / here).max(1.0)
    };
    // What `at_least` asks for is asked of the ratio, also where the verdict is made on the difference.
    let far_enough = match rules.at_least {
        None => Some(half_width / distance),
        Some(share) => evidence
            .ratio
            .as_ref()
            .and_then(|ratio| extent(ratio, Scale::Ratio))
            .map(|(half_width, distance)| half_width / (distance - (1.0 + share).ln())),
    };
    let to_differ = far_enough
        .map(|narrower| narrower * stricter(level / tails) * slowdown(evidence, rules.conditions));
    let to_be_same = evidence
        .band
        .map(|Band { hi, .. }| half_width * stricter(level) / (on(evidence.scale, hi) - distance));
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
fn extent(estimate: &Estimate, scale: Scale) -> Option<(f64, f64)> {
    let interval = estimate.interval.as_ref().ok()?;
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
    let distance = evidence.difference.value.abs();
    match conditions.epsilon {
        Some(epsilon) if epsilon >= distance => f64::NAN,
        Some(epsilon) => distance / (distance - epsilon),
        None => 1.0,
    }
}

/// Rounded up to two significant digits: the estimate is not better than that.
fn two_digits(x: f64) -> f64 {
    let unit = 10_f64.powf((x.log10().floor() - 1.0).max(0.0));
    (x / unit).ceil() * unit
}
