//! Two benchmarks' readings beside each other: block by block, and quantile by quantile.

use super::Point;
use super::thin::thinned;
use crate::compare::{Design, Evidence, Scale};
use crate::sample::{self, Pairs, Sample};
use crate::stats::{self, Interval};

/// A candidate beside its base.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// Index of the base among the benchmarks.
    pub base: usize,
    /// Index of the candidate.
    pub candidate: usize,
    /// The evidence of the comparison.
    pub evidence: Evidence,
    /// Candidate over base within each block on the scale of the evidence, by the block's number; none where blocks do
    /// not pair.
    pub blocks: Vec<Point>,
    /// How many blocks there are.
    pub of_blocks: usize,
    /// How far apart the quantiles are, on the same scale.
    pub quantiles: Vec<Shifted>,
}

/// How far apart one quantile of two samples is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shifted {
    /// Which, in 0..1.
    pub q: f64,
    /// That of the candidate over that of the base: a ratio, or a difference in base units.
    pub value: f64,
    /// Its interval; absent of too few readings, and of those of which it would be too narrow: of several in a block,
    /// which have that in common, and of runs, of which one can be slow as a whole.
    pub interval: Option<Interval>,
}

/// The deciles, and what is beyond them where there are enough readings.
const QUANTILES: [(f64, usize); 12] = [
    (0.05, 40),
    (0.1, 10),
    (0.2, 5),
    (0.3, 5),
    (0.4, 5),
    (0.5, 2),
    (0.6, 5),
    (0.7, 5),
    (0.8, 5),
    (0.9, 10),
    (0.95, 40),
    (0.99, 200),
];

/// Of two samples whose blocks may pair; the level is that of each quantile's interval. O(n log n).
pub(crate) fn pair(
    (base, candidate): (usize, usize),
    samples: (&Sample, &Sample),
    is_one_run: bool,
    (evidence, level): (&Evidence, f64),
) -> Pair {
    let pairs = sample::pairs(samples.0, samples.1).filter(|_| is_one_run);
    let blocks = pairs.map_or_else(Vec::new, |it| blocks(samples, &it, evidence.scale));
    Pair {
        base,
        candidate,
        evidence: evidence.clone(),
        of_blocks: blocks.len(),
        blocks: thinned(blocks),
        quantiles: quantiles(samples, evidence, level),
    }
}

fn blocks((base, candidate): (&Sample, &Sample), pairs: &Pairs, scale: Scale) -> Vec<Point> {
    let values = match scale {
        Scale::Ratio => pairs.within_blocks(|base, candidate| candidate / base),
        Scale::Difference => pairs.within_blocks(|base, candidate| candidate - base),
    };
    let common = base.blocks.iter().filter(|it| candidate.blocks.binary_search(it).is_ok());
    let mut numbers: Vec<u32> = common.copied().collect();
    if numbers.len() != values.len() {
        numbers = (0..).take(values.len()).collect();
    }
    let point = |(block, value): (u32, f64)| Point { at: f64::from(block) + 1.0, value };
    numbers.into_iter().zip(values).map(point).collect()
}

fn quantiles(
    (base, candidate): (&Sample, &Sample),
    evidence: &Evidence,
    level: f64,
) -> Vec<Shifted> {
    let is_known =
        !matches!(evidence.design, Design::Runs(_)) && !base.has_turns() && !candidate.has_turns();
    let wider = evidence.dependence.map_or(1.0, |it| it.factor);
    let is_ratio = evidence.scale == Scale::Ratio;
    let on = |value: f64| if is_ratio { value.ln() } else { value };
    let sorted = |of: &Sample| of.sorted_readings().mapped(on).ok();
    let Some((base, candidate)) = sorted(base).zip(sorted(candidate)) else { return Vec::new() };
    let n = base.len().min(candidate.len());
    let back = |value: f64| if is_ratio { value.exp() } else { value };
    let of = |(q, needs): &(f64, usize)| {
        let found = stats::quantile_shift(&base, &candidate, *q, level);
        let (value, interval) = found.filter(|_| n >= *needs)?;
        let end = |end: f64| back(value + wider * (end - value));
        let interval = interval.ok().filter(|_| is_known);
        let interval = interval.map(|it| Interval { lo: end(it.lo), hi: end(it.hi), ..it });
        Some(Shifted { q: *q, value: back(value), interval })
    };
    let is_finite = |it: &Shifted| {
        it.value.is_finite() && it.interval.is_none_or(|it| it.lo.is_finite() && it.hi.is_finite())
    };
    QUANTILES.iter().filter_map(of).filter(is_finite).collect()
}
