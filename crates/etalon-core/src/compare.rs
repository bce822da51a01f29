//! Comparing two samples: which design the data have, ratio and difference with their intervals,
//! and the evidence a verdict needs. What the evidence means is decided in [`crate::verdict`].
//!
//! Refuses to pair across run sets, to form a ratio when any value is ≤ 0, and to report an
//! interval narrower than the clock.

use crate::estimate::{Estimate, Method, at_least_as_wide};
use crate::model::{Kind, Metric};
use crate::plan::Margin;
use crate::sample::{Pairs, Sample, pairs};
use crate::stats::{self, Alternative, Dependence, Interval, Lacking, Shift, Sorted, Test};
use crate::units::Base;

/// How two samples relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Design {
    /// Executed side by side in the same blocks of one run set.
    Blocks,
    /// Independent samples.
    Independent,
}

/// Whether two samples may be paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Both come from one run set; blocks they share pair.
    SameRunSet,
    /// They come from different run sets; never paired.
    DifferentRunSets,
}

/// The scale a verdict is made on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Candidate over base; 1 is "no difference".
    Ratio,
    /// Candidate minus base in base units; 0 is "no difference".
    Difference,
}

/// The largest difference that still counts as the same, on the scale of the verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

/// The band where a relative margin has no size and nothing differs at all: 0 against 0 is the same within
/// any margin, however small.
const ANY_BAND: Band = Band { lo: -f64::MIN_POSITIVE, hi: f64::MIN_POSITIVE };

/// What two samples say about each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// How the samples relate.
    pub design: Design,
    /// Values compared: the number of common blocks on both sides when blocked.
    pub n: (usize, usize),
    /// Blocks that dropped out because one side has no value there.
    pub dropped: usize,
    /// Candidate over base; absent if any value is ≤ 0 or it is beyond what a double holds.
    pub ratio: Option<Estimate>,
    /// Candidate minus base, base units.
    pub difference: Estimate,
    /// Median of the candidate over median of the base; absent if either is ≤ 0.
    pub ratio_of_medians: Option<f64>,
    /// Median of the base, base units.
    pub base_median: f64,
    /// The scale the test and the verdict use.
    pub scale: Scale,
    /// The same-within-the-margin band on that scale; absent if the margin is relative and the
    /// base's median gives it no size.
    pub band: Option<Band>,
    /// Whether the values are exact and the same on each side: any difference is one.
    pub exact: bool,
    /// Two-sided test of "no difference".
    pub test: Result<Test, Lacking>,
    /// p of "differs by more than the margin"; absent without a band or a test.
    pub same_p: Option<f64>,
    /// Probability that the candidate's value is the smaller one, ties half: within blocks when
    /// blocked, over all pairs when not.
    pub superiority: f64,
    /// The side whose readings are all the same although its metric scatters, if there is one.
    pub no_spread: bool,
    /// Serial dependence found in an independent sample, the stronger of the two.
    pub dependence: Option<Dependence>,
}

/// What logarithms and their way back may round off, as a share: readings that never differ give an interval
/// without width.
const ROUNDING: f64 = 1e-12;

impl Evidence {
    /// What every report has to say of it besides the verdict.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.dropped > 0 {
            let blocks = if self.dropped == 1 { "block" } else { "blocks" };
            remarks.push(format!("{} {blocks} with a side missing dropped out", self.dropped));
        }
        if let (Scale::Ratio, Some(ratio), Some(of_medians)) =
            (self.scale, &self.ratio, self.ratio_of_medians)
            && let Ok(interval) = &ratio.interval
            && (of_medians < interval.lo * (1.0 - ROUNDING)
                || of_medians > interval.hi * (1.0 + ROUNDING))
        {
            remarks
                .push(format!("the ratio of medians, {of_medians:.3}, lies outside the interval"));
        }
        remarks
    }
}

/// What a comparison is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// Level of the intervals.
    pub confidence: f64,
    /// What counts as the same.
    pub margin: Margin,
    /// Whether blocks may pair.
    pub origin: Origin,
}

/// Compares `candidate` with `base`. `None` if either sample is empty.
///
/// O(n log n); see [`crate::stats`] for the sources.
#[must_use]
pub fn compare(
    metric: &Metric,
    base: &Sample,
    candidate: &Sample,
    question: Question,
) -> Option<Evidence> {
    let medians = (stats::median(base.sorted())?, stats::median(candidate.sorted())?);
    if metric.kind == Kind::Exact && base.is_constant() && candidate.is_constant() {
        return Some(exact(base, candidate, question));
    }
    let paired = match question.origin {
        Origin::SameRunSet => pairs(base, candidate),
        Origin::DifferentRunSets => None,
    };
    let unit = metric.unit.base();
    let two = match &paired {
        Some(pairs) => Two::Blocks(Within::of(pairs, unit)),
        None => Two::Independent(base, candidate),
    };
    let step = metric.resolution.unwrap_or(0.0);
    let positive = base.is_positive() && candidate.is_positive();
    let ratio =
        positive.then(|| two.ratio(question.confidence, step / medians.0.min(medians.1))).flatten();
    let scale = match question.margin {
        Margin::Relative(_) if ratio.is_some() => Scale::Ratio,
        _ => Scale::Difference,
    };
    let band = band(question.margin, scale, medians.0)
        .or_else(|| (base.is_constant_as(candidate)).then_some(ANY_BAND));
    Some(Evidence {
        design: two.design(),
        n: two.n(),
        dropped: paired.as_ref().map_or(0, |p| p.dropped),
        ratio,
        difference: two.difference(question.confidence, step)?,
        ratio_of_medians: (medians.0 > 0.0 && medians.1 > 0.0).then(|| medians.1 / medians.0),
        base_median: medians.0,
        scale,
        band,
        exact: false,
        test: two.test(scale),
        same_p: band.and_then(|band| two.same_p(scale, band)),
        superiority: two.superiority(),
        no_spread: scatters_in_time(metric) && (base.has_no_spread() || candidate.has_no_spread()),
        dependence: paired.is_none().then(|| dependence(base, candidate)).flatten(),
    })
}

/// What exact values that are the same on each side say: they have no error, so every interval is a point and
/// there is nothing to test.
fn exact(base: &Sample, candidate: &Sample, question: Question) -> Evidence {
    let (a, b) = (base.values[0], candidate.values[0]);
    let point = |value| Estimate {
        value,
        interval: Ok(Interval { lo: value, hi: value, level: question.confidence }),
        method: Method::Exact,
    };
    let ratio = (a > 0.0 && b > 0.0).then(|| b / a);
    let scale = match question.margin {
        Margin::Relative(_) if ratio.is_some() => Scale::Ratio,
        _ => Scale::Difference,
    };
    Evidence {
        design: Design::Independent,
        n: (base.len(), candidate.len()),
        dropped: 0,
        ratio: ratio.map(point),
        difference: point(b - a),
        ratio_of_medians: ratio,
        base_median: a,
        scale,
        band: band(question.margin, scale, a),
        exact: true,
        test: Err(Lacking::Exact),
        same_p: None,
        superiority: match b.total_cmp(&a) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        },
        no_spread: false,
        dependence: None,
    }
}

/// A side of the base, and by which share the candidate is said to lie beyond it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Beyond {
    /// The candidate is larger.
    Above(f64),
    /// The candidate is smaller.
    Below(f64),
}

/// The one-sided test whose small p says that the candidate lies beyond the base by more than a share (0
/// or more), on the scale of `evidence`, which is of the same samples: of ratios beyond 1 + share or
/// 1/(1 + share), of differences beyond that share of the base's median.
///
/// # Errors
/// As the tests themselves: too few values.
pub fn one_sided(
    (base, candidate): (&Sample, &Sample),
    (metric, origin): (&Metric, Origin),
    evidence: &Evidence,
    beyond: Beyond,
) -> Result<Test, Lacking> {
    let size = |share: f64| match evidence.scale {
        Scale::Ratio => share.ln_1p(),
        Scale::Difference => share * evidence.base_median.abs(),
    };
    let (shift, alternative) = match beyond {
        Beyond::Above(share) => (size(share), Alternative::Greater),
        Beyond::Below(share) => (-size(share), Alternative::Less),
    };
    let paired = match origin {
        Origin::SameRunSet => pairs(base, candidate),
        Origin::DifferentRunSets => None,
    };
    let moved = |values: &[f64]| values.iter().map(|v| v - shift).collect::<Vec<f64>>();
    match (&paired, evidence.scale) {
        (Some(pairs), scale) => {
            let within = Within::of(pairs, metric.unit.base());
            stats::signed_rank(&moved(&within.values(scale)), alternative)
        }
        (None, Scale::Ratio) => {
            stats::mann_whitney(&moved(&Two::logs(candidate)), &Two::logs(base), alternative)
        }
        (None, Scale::Difference) => {
            stats::mann_whitney(&moved(&candidate.values), &base.values, alternative)
        }
    }
}

/// A relative margin m is the band [1/(1+m), 1+m] of ratios; on the difference scale it takes its
/// size from the base's median.
fn band(margin: Margin, scale: Scale, base_median: f64) -> Option<Band> {
    match (margin, scale) {
        (Margin::Relative(m), Scale::Ratio) => Some(Band { lo: 1.0 / (1.0 + m), hi: 1.0 + m }),
        (Margin::Relative(m), Scale::Difference) => {
            let size = m * base_median.abs();
            (size > 0.0).then_some(Band { lo: -size, hi: size })
        }
        (Margin::Absolute(size, _), _) => Some(Band { lo: -size, hi: size }),
    }
}

/// Times of a scattering metric that never differ mean that the clock is too coarse. Counts and
/// sizes may well be constant.
fn scatters_in_time(metric: &Metric) -> bool {
    metric.kind == Kind::Noisy && *metric.unit.base() == Base::Seconds
}

fn dependence(base: &Sample, candidate: &Sample) -> Option<Dependence> {
    [base, candidate]
        .into_iter()
        .filter_map(|sample| stats::serial_dependence(&sample.values))
        .filter(Dependence::is_flagged)
        .max_by(|a, b| a.r1.total_cmp(&b.r1))
}

/// Pairs, and what was counted for them: differences and quotients of whole numbers that are equal are the
/// same double, and tie. Those of seconds, which are rounded, need not be.
struct Within<'a> {
    pairs: &'a Pairs,
    base: &'a Base,
    /// All readings in whole numbers, where they are.
    whole: Option<Pairs>,
}

impl Within<'_> {
    fn of<'a>(pairs: &'a Pairs, base: &'a Base) -> Within<'a> {
        let whole = |values: &[f64]| -> Option<Vec<f64>> {
            values.iter().map(|value| base.whole(*value)).collect()
        };
        let whole = || -> Option<Pairs> {
            let (base, candidate) = (whole(&pairs.base)?, whole(&pairs.candidate)?);
            Some(Pairs { base, candidate, ends: pairs.ends.clone(), dropped: pairs.dropped })
        };
        Within { pairs, base, whole: whole() }
    }

    /// Candidate against base within each block, on a scale.
    fn values(&self, scale: Scale) -> Vec<f64> {
        match (&self.whole, scale) {
            (whole, Scale::Ratio) => whole.as_ref().unwrap_or(self.pairs).within_blocks(log_ratio),
            (Some(whole), Scale::Difference) => {
                let differences = whole.within_blocks(|base, candidate| candidate - base);
                differences.into_iter().map(|whole| self.base.of_whole(whole)).collect()
            }
            (None, Scale::Difference) => {
                self.pairs.within_blocks(|base, candidate| candidate - base)
            }
        }
    }
}

/// ln(candidate/base); exchanged sides give exactly the other sign, so that 1 : 3 and 3 : 1 tie.
fn log_ratio(base: f64, candidate: f64) -> f64 {
    if candidate < base { -(base / candidate).ln() } else { (candidate / base).ln() }
}

/// The two samples, as their design lets them be compared.
enum Two<'a> {
    Blocks(Within<'a>),
    Independent(&'a Sample, &'a Sample),
}

impl Two<'_> {
    fn design(&self) -> Design {
        match self {
            Two::Blocks(_) => Design::Blocks,
            Two::Independent(..) => Design::Independent,
        }
    }

    fn n(&self) -> (usize, usize) {
        match self {
            Two::Blocks(within) => (within.pairs.blocks(), within.pairs.blocks()),
            Two::Independent(base, candidate) => (base.len(), candidate.len()),
        }
    }

    fn method(&self) -> Method {
        match self {
            Two::Blocks(_) => Method::HodgesLehmannPaired,
            Two::Independent(..) => Method::HodgesLehmannIndependent,
        }
    }

    fn logs(sample: &Sample) -> Vec<f64> {
        sample.values.iter().map(|v| v.ln()).collect()
    }

    fn shift(&self, scale: Scale, level: f64) -> Option<Shift> {
        match self {
            Two::Blocks(within) => {
                stats::one_sample(&Sorted::new(&within.values(scale)).ok()?, level)
            }
            Two::Independent(base, candidate) => match scale {
                Scale::Ratio => stats::two_sample(
                    &Sorted::new(&Self::logs(candidate)).ok()?,
                    &Sorted::new(&Self::logs(base)).ok()?,
                    level,
                ),
                Scale::Difference => stats::two_sample(candidate.sorted(), base.sorted(), level),
            },
        }
    }

    /// The ratio, from the Hodges–Lehmann estimate of the log ratios; `step` is the clock's step
    /// relative to the smaller median.
    fn ratio(&self, level: f64, step: f64) -> Option<Estimate> {
        let shift = self.shift(Scale::Ratio, level)?;
        let value = shift.estimate.exp();
        let widest = shift.interval.as_ref().map_or(0.0, |i| i.hi);
        if !value.is_finite() || !widest.exp().is_finite() {
            return None; // beyond what a double holds
        }
        let interval = shift.interval.map(|i| {
            // By a factor to both sides: no step, however coarse, makes a ratio of times negative.
            let (lo, hi) = (i.lo.exp(), i.hi.exp());
            Interval { lo: lo.min(value / (1.0 + step)), hi: hi.max(value * (1.0 + step)), ..i }
        });
        Some(Estimate { value, interval, method: self.method() })
    }

    fn difference(&self, level: f64, step: f64) -> Option<Estimate> {
        let shift = self.shift(Scale::Difference, level)?;
        let interval = shift.interval.map(|i| at_least_as_wide(i, shift.estimate, step));
        Some(Estimate { value: shift.estimate, interval, method: self.method() })
    }

    fn test(&self, scale: Scale) -> Result<Test, Lacking> {
        match self {
            Two::Blocks(within) => stats::signed_rank(&within.values(scale), Alternative::TwoSided),
            // Ranks do not change under the logarithm.
            Two::Independent(base, candidate) => {
                stats::mann_whitney(&candidate.values, &base.values, Alternative::TwoSided)
            }
        }
    }

    fn same_p(&self, scale: Scale, band: Band) -> Option<f64> {
        let (lo, hi) = match scale {
            Scale::Ratio => (band.lo.ln(), band.hi.ln()),
            Scale::Difference => (band.lo, band.hi),
        };
        match self {
            Two::Blocks(within) => stats::tost_paired(&within.values(scale), lo, hi).ok(),
            Two::Independent(base, candidate) => match scale {
                Scale::Ratio => {
                    stats::tost_independent(&Self::logs(candidate), &Self::logs(base), lo, hi).ok()
                }
                Scale::Difference => {
                    stats::tost_independent(&candidate.values, &base.values, lo, hi).ok()
                }
            },
        }
    }

    fn superiority(&self) -> f64 {
        match self {
            Two::Blocks(within) => {
                let differences = within.values(Scale::Difference);
                stats::superiority_paired(&differences, &vec![0.0; differences.len()])
            }
            Two::Independent(base, candidate) => {
                stats::superiority_independent(candidate.sorted(), base.sorted())
            }
        }
        .unwrap_or(0.5)
    }
}
