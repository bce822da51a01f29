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
    /// Its interval: those of all quantiles of a picture hold together at its level. Absent of too few readings, and of those of which it would be too narrow: of several in a block,
    /// which have that in common, and of runs, of which one can be slow as a whole.
    pub interval: Option<Interval>,
}

/// The deciles, and what is beyond them where there are enough readings: with how many each is drawn.
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

/// The level at which the intervals of a picture hold, by how many pairs there are.
#[derive(Debug, Clone, Copy)]
pub struct JointLevel {
    /// All of them together.
    pub level: f64,
    /// Pairs from which those of the picture were chosen, drawn or not: the largest changes of many equal rows are
    /// chosen because they are off.
    pub pairs: usize,
}

/// Of two samples whose blocks may pair. O(n log n).
#[must_use]
pub fn pair(
    (base, candidate): (usize, usize),
    samples: (&Sample, &Sample),
    is_one_run: bool,
    (evidence, joint): (&Evidence, JointLevel),
) -> Pair {
    let pairs = sample::pairs(samples.0, samples.1).filter(|_| is_one_run);
    let blocks = pairs.map_or_else(Vec::new, |it| blocks(samples, &it, evidence.scale));
    Pair {
        base,
        candidate,
        evidence: evidence.clone(),
        of_blocks: blocks.len(),
        blocks: thinned(blocks),
        quantiles: quantiles(samples, evidence, joint),
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
    JointLevel { level, pairs }: JointLevel,
) -> Vec<Shifted> {
    let is_known = matches!(evidence.design, Design::Blocks | Design::Independent)
        && !base.has_turns()
        && !candidate.has_turns();
    let wider = evidence.dependence.map_or(1.0, |it| it.factor);
    let is_ratio = evidence.scale == Scale::Ratio;
    let on = |value: f64| if is_ratio { value.ln() } else { value };
    let sorted = |of: &Sample| of.sorted_readings().mapped(on).ok();
    let Some((base, candidate)) = sorted(base).zip(sorted(candidate)) else { return Vec::new() };
    let n = base.len().min(candidate.len());
    let back = |value: f64| if is_ratio { value.exp() } else { value };
    // Whoever looks at a picture looks for the one mark that is off: they are a family, by Bonferroni.
    let drawn: Vec<f64> = QUANTILES.iter().filter(|it| n >= it.1).map(|it| it.0).collect();
    let each = 1.0 - (1.0 - level) / (drawn.len() * pairs).max(1) as f64;
    let of = |q: &f64| {
        let (value, interval) = stats::quantile_shift(&base, &candidate, *q, each)?;
        let end = |end: f64| back(value + wider * (end - value));
        let interval = interval.ok().filter(|_| is_known);
        let interval = interval.map(|it| Interval { lo: end(it.lo), hi: end(it.hi), level });
        Some(Shifted { q: *q, value: back(value), interval })
    };
    let is_finite = |it: &Shifted| {
        it.value.is_finite() && it.interval.is_none_or(|it| it.lo.is_finite() && it.hi.is_finite())
    };
    drawn.iter().filter_map(of).filter(is_finite).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::compare::{Contrast, Origin, Scales, compare};
    use crate::criteria::Criteria;
    use crate::model::Metric;
    use crate::random::Random;

    /// Would catch marks that each have the whole of alpha: any of 11 was off "none" in 16 % of pictures of equal
    /// readings. `etalon-calibrate` has the shares of many noises and numbers of readings ("Quantile marks").
    #[test]
    fn marks_of_equal_readings_are_rarely_off() {
        let metric = Metric::new("wall", "s");
        let off = |seed: u64, pairs: usize| {
            let mut random = Random::new(seed);
            let mut normal = || stats::normal_quantile(random.uniform().clamp(1e-12, 1.0 - 1e-12));
            let mut sample = || {
                let blocks: Arc<[u32]> = (0..100).collect();
                let values = (0..100).map(|_| (0.1 * normal()).exp()).collect();
                Sample::new(values, blocks).unwrap()
            };
            let mut shown = (0..pairs).flat_map(|_| {
                let (base, candidate) = (sample(), sample());
                let contrast = Contrast {
                    metric: &metric,
                    base: &base,
                    candidate: &candidate,
                    origin: Origin::SameRunSet,
                    earlier: &[],
                    dependence: None,
                    scales: Scales::OfVerdict,
                };
                let evidence = compare(&contrast, &Criteria::default()).unwrap();
                let joint = JointLevel { level: 0.95, pairs };
                let both = (&base, &candidate);
                pair((0, 1), both, true, (&evidence, joint)).quantiles
            });
            shown.any(|it| it.interval.is_some_and(|interval| !interval.contains(1.0)))
        };
        for pairs in [1, 4] {
            let found = (0..300).filter(|seed| off(*seed, pairs)).count();
            // 5 % of 300 are 15; 25 are the 99 % point of the binomial.
            assert!(found <= 25, "{found} of 300 pictures of {pairs}");
        }
    }
}
