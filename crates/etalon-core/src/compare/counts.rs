//! Evidence of counts of work: instructions of whole commands, counted a few times apart from timing.
//!
//! Owns the rule that such counts are told apart by. Counts of fixed work repeat exactly, so nothing is tested: a
//! difference has to be wider than three times what the counts of a side differ by among themselves. Refuses to say how
//! they were counted.

use super::{Contrast, Estimates, Evidence, exact};
use crate::criteria::Criteria;
use crate::estimate::Estimate;
use crate::sample::{Lost, Sample};
use crate::stats::{self, InsufficientData, Interval};

/// The fewest counts a side before one is called more or less. Because: two that agree can agree by chance, where a
/// program has a few ways to go.
pub const COUNTS_NEEDED: usize = 5;

/// A difference is wider than so many times the spread of a side's counts.
const SPREADS: f64 = 3.0;

/// The evidence of counts: the medians, and around their ratio three times the larger spread of the two sides. Absent
/// where a side has none.
pub(super) fn evidence(contrast: &Contrast<'_>, criteria: &Criteria) -> Option<Evidence> {
    let Contrast { base, candidate, .. } = *contrast;
    let (a, b) = (stats::median(base.sorted())?, stats::median(candidate.sorted())?);
    let reach = SPREADS * spread(base)?.max(spread(candidate)?);
    let around = |value: f64, reach: f64| {
        let interval =
            Interval { lo: value - reach, hi: value + reach, level: criteria.confidence };
        Estimate { interval: Ok(interval), ..Estimate::point(value, criteria.confidence) }
    };
    let evidence = exact(contrast, criteria, (a, b));
    let ratio = evidence.differing.ratio.map(|ratio| around(ratio.value, reach / a));
    let difference = Some(around(b - a, reach));
    let estimates = Estimates { ratio, difference, ..evidence.differing };
    let has_enough = base.len().min(candidate.len()) >= COUNTS_NEEDED;
    let test = match has_enough {
        true => evidence.test,
        false => Err(InsufficientData::TooFew { needs: COUNTS_NEEDED }),
    };
    // Counting began when timing was over: it lost none of those executions.
    let lost = (Lost::default(), Lost::default());
    Some(Evidence { differing: estimates, sameness: estimates, test, lost, ..evidence })
}

/// The distance between the largest count and the smallest.
fn spread(sample: &Sample) -> Option<f64> {
    Some(sample.sorted().max()? - sample.sorted().min()?)
}
