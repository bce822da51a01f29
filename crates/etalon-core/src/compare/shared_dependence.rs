//! Serial dependence that a family of comparisons shows together.
//!
//! Owns how it is pooled. With few blocks a single pair that is dependent often looks as if it were not; in a family
//! of many, one such pair is enough for a false verdict. What made one subject's readings resemble their neighbours
//! was mostly there for all.

use crate::sample::{Sample, dependence_within, pairs};
use crate::stats::Dependence;

/// The dependence of pairs of one experiment, each pair within its blocks: their mean r1. `series` is how many
/// independent series they are made of: of k subjects k − 1. `None` where none is seen, and of a single pair, which
/// speaks for itself. O(pairs · n log n).
#[must_use]
#[allow(clippy::cast_precision_loss)] // numbers of pairs and blocks
pub fn family_dependence<'a>(
    of: impl IntoIterator<Item = (&'a Sample, &'a Sample)>,
    series: usize,
) -> Option<Dependence> {
    if series < 2 {
        return None;
    }
    let found: Vec<Dependence> = of.into_iter().filter_map(pair_dependence).collect();
    let count = found.len() as f64;
    let r1 = found.iter().map(|found| found.r1).sum::<f64>() / count;
    // The fewest blocks: what they say is the least certain.
    let n = found.iter().map(|found| found.n).min()?;
    let pooled = Dependence { r1, n };
    pooled.is_seen_in(series.min(found.len())).then_some(pooled)
}

fn pair_dependence((base, candidate): (&Sample, &Sample)) -> Option<Dependence> {
    if base.blocks.len().min(candidate.blocks.len()) < 3 {
        return None; // no serial dependence of fewer
    }
    let has_ratios = base.is_positive() && candidate.is_positive();
    let within = |base: f64, candidate: f64| match has_ratios {
        true => (candidate / base).ln(),
        false => candidate - base,
    };
    let pairs = pairs(base, candidate)?;
    dependence_within(&pairs.within_blocks(within), &pairs.by_node())
}
