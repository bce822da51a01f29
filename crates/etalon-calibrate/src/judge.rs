//! etalon's own engine, as reports use it: evidence from two samples, the family's correction, the decision.
//!
//! Refuses any statistic of its own.

use std::sync::Arc;

use etalon_core::compare::{Contrast, Evidence, Origin, Scales, compare};
use etalon_core::criteria::Criteria;
use etalon_core::estimate::Estimate;
use etalon_core::model::Metric;
use etalon_core::sample::Sample;
use etalon_core::stats::Dependence;
use etalon_core::verdict::{Assessment, Verdict, assess_all};

/// A noisy metric of which less is better: times in `s`, sizes in `B`.
#[must_use]
pub fn metric(unit: &str, resolution: f64) -> Metric {
    Metric { resolution: Some(resolution), ..Metric::new("simulated", unit) }
}

/// A sample of one value a block.
///
/// # Panics
/// Never: what is simulated is finite.
#[must_use]
pub(crate) fn blocked(values: Vec<f64>) -> Sample {
    let blocks: Arc<[u32]> = (0..u32::try_from(values.len()).unwrap_or(u32::MAX)).collect();
    sample(values, blocks)
}

/// A sample without blocks.
#[must_use]
pub(crate) fn unpaired(values: Vec<f64>) -> Sample {
    sample(values, Arc::new([]))
}

#[allow(clippy::expect_used)] // a fault of the simulation
fn sample(values: Vec<f64>, blocks: Arc<[u32]>) -> Sample {
    Sample::new(values, blocks).expect("simulated values are finite")
}

/// Evidence of two samples of one experiment, in blocks where they have some; `dependence` is their family's.
#[must_use]
pub(crate) fn evidence(
    base: &Sample,
    candidate: &Sample,
    metric: &Metric,
    criteria: &Criteria,
    dependence: Option<Dependence>,
) -> Option<Evidence> {
    let origin = Origin::SameRunSet;
    let scales = Scales::Both;
    compare(
        &Contrast { metric, base, candidate, origin, earlier: &[], dependence, scales },
        criteria,
    )
}

/// The comparison of two samples, in a family of its own.
#[must_use]
pub(crate) fn judge(
    base: &Sample,
    candidate: &Sample,
    metric: &Metric,
    criteria: &Criteria,
) -> Option<Assessment> {
    assess_all(vec![evidence(base, candidate, metric, criteria, None)?], criteria).pop()
}

/// Whether the verdict is a difference, in the direction of the truth where there is one.
#[must_use]
pub(crate) fn is(assessment: &Assessment, verdict: Verdict) -> bool {
    assessment.decision.verdict == verdict
}

/// Whether an estimate's interval holds the truth, with what logarithms round off; absent without an interval.
#[must_use]
pub(crate) fn covers(estimate: Option<Estimate>, truth: f64) -> Option<u32> {
    let interval = estimate?.interval.ok()?;
    let slack = 1e-12 * truth.abs().max(interval.lo.abs());
    Some(u32::from(interval.lo - slack <= truth && truth <= interval.hi + slack))
}
