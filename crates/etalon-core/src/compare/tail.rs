//! Typical values, whether they agree or not, say nothing about how often a side is slow.
//!
//! Owns what counts as slow, or worse by the metric's direction, and when one side is so more often: the guard of
//! `same`, and what is said beside a difference. Refuses to weigh anything else: no difference rests on it.

use super::Scale;
use crate::criteria::Margin;
use crate::model::{Direction, Metric};
use crate::sample::{self, Pairs, Sample};
use crate::stats::{self, Sorted};
use crate::units::{Base, is_rate};

/// A reading is in the tail where it is worse than the pooled median by more than so many margins: a share of
/// one in ten there moves the mean by the margin.
const MARGINS: f64 = 10.0;
/// So many more on one side are needed, whatever the test says.
const LEAST: usize = 3;
/// How rarely one side may be in the tail more often by chance: where that stands in the way of `same`, and where it is
/// said beside a difference, of any of many rows. One-sided; with the point of the normal distribution.
const IN_THE_WAY: Chance = Chance { p: 0.05, z: 1.645 };
const BESIDE: Chance = Chance { p: 0.001, z: 3.090 };
/// Below so many values a share that could have gone unseen is worth a word.
const ENOUGH: usize = 100;

/// Readings in the tail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tail {
    /// Blocks in which only the base, and only the candidate, is in the tail; readings of independent samples.
    pub found: (u32, u32),
    /// Of so many.
    pub of: (u32, u32),
    /// Whether these are blocks.
    pub in_blocks: bool,
    /// The kind of tail.
    pub kind: TailKind,
    /// Where the tail begins.
    pub beyond: Beyond,
    /// The side that is in it more often than chance explains.
    pub worse: Option<WorseSide>,
}

/// The kind of readings in a tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TailKind {
    /// A long time, or a low rate.
    Slow,
    /// Much of something else.
    Large,
    /// Little of something else.
    Small,
}

/// The side that is in the tail more often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorseSide {
    /// The base.
    Base,
    /// The candidate.
    Candidate,
}

/// Where the tail begins, as it is said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Beyond {
    /// At so many times the median.
    Times(f64),
    /// So far from the median, base units.
    Amount(f64),
}

#[derive(Clone, Copy)]
struct Chance {
    p: f64,
    z: f64,
}

impl Tail {
    /// Of what is compared; absent where no direction is worse.
    pub(super) fn count(
        samples: (&Sample, &Sample),
        pairs: Option<&Pairs>,
        margin: Margin,
        metric: &Metric,
    ) -> Option<Tail> {
        let direction = metric.direction;
        let kind = TailKind::of(metric)?;
        if let Some(pairs) = pairs {
            let blocks = WorstOfBlocks::new(pairs, direction, f64::clone);
            return blocks.tail(kind, margin, (direction, IN_THE_WAY));
        }
        let (base, candidate) = (samples.0.sorted(), samples.1.sorted());
        let median = stats::median_of_both(base, candidate)?;
        let (threshold, beyond) = threshold(median, margin, direction);
        let count = |sorted: &Sorted| {
            // Whether the worse ones are the first or the last of them.
            let is_first = direction == Direction::Higher;
            let is_on_that_side = |value: &f64| is_worse(*value, threshold, direction) == is_first;
            let split = sorted.as_slice().partition_point(is_on_that_side);
            if is_first { split } else { sorted.len() - split }
        };
        let (of, found) = ((base.len(), candidate.len()), (count(base), count(candidate)));
        let worse = worse(found, of, IN_THE_WAY);
        Some(Tail { found: small(found), of: small(of), in_blocks: false, kind, beyond, worse })
    }

    /// The tail of a candidate that is moved by what typically differs: of whoever is in the tail far more often even
    /// so, that is no part of the difference. Absent where nobody is.
    pub(super) fn apart(
        samples: (&Sample, &Sample),
        pairs: Option<&Pairs>,
        margin: Margin,
        metric: &Metric,
        typical: (Scale, f64),
    ) -> Option<Tail> {
        let direction = metric.direction;
        let kind = TailKind::of(metric)?;
        let moved = |value: &f64| match typical {
            (Scale::Ratio, ratio) => value / ratio,
            (Scale::Difference, difference) => value - difference,
        };
        let tail = match pairs {
            Some(pairs) => {
                let blocks = WorstOfBlocks::new(pairs, direction, moved);
                blocks.tail(kind, margin, (direction, BESIDE))?
            }
            None => {
                let base = samples.0.sorted().as_slice();
                let candidate: Vec<f64> = samples.1.sorted().as_slice().iter().map(moved).collect();
                let median = sample::median_in(&mut [base, &candidate[..]].concat())?;
                let (threshold, beyond) = threshold(median, margin, direction);
                let count = |values: &[f64]| {
                    values.iter().filter(|it| is_worse(**it, threshold, direction)).count()
                };
                let (of, found) = ((base.len(), candidate.len()), (count(base), count(&candidate)));
                let worse = worse(found, of, BESIDE);
                Tail { found: small(found), of: small(of), in_blocks: false, kind, beyond, worse }
            }
        };
        tail.worse.map(|_| tail)
    }

    /// The largest share of one side's values in the tail that would go unseen with so few, with 95 %
    /// confidence; absent of enough.
    #[must_use]
    pub fn unseen(&self) -> Option<f64> {
        let n = self.of.0.min(self.of.1) as usize;
        let more = self.found.0.abs_diff(self.found.1) as usize;
        (n < ENOUGH).then(|| stats::upper_share(more, n, 0.95))
    }
}

impl TailKind {
    /// The kind of tail of a metric; absent where no direction is worse.
    fn of(metric: &Metric) -> Option<TailKind> {
        Some(match (metric.unit.base(), metric.direction) {
            (_, Direction::Neither) => return None,
            (Base::Seconds, _) => TailKind::Slow,
            (Base::Other(unit), _) if is_rate(unit) => TailKind::Slow,
            (_, Direction::Lower) => TailKind::Large,
            (_, Direction::Higher) => TailKind::Small,
        })
    }
}

/// Counts as a comparison of each of many rows holds them.
fn small((a, b): (usize, usize)) -> (u32, u32) {
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (small(a), small(b))
}

fn is_worse(value: f64, threshold: f64, direction: Direction) -> bool {
    match direction {
        Direction::Higher => value < threshold,
        Direction::Lower | Direction::Neither => value > threshold,
    }
}

/// Readings beside each other in blocks: the worst reading of a side in each, for a mean of builds hides a slow one.
struct WorstOfBlocks {
    base: Vec<f64>,
    candidate: Vec<f64>,
    /// Of all readings.
    median: Option<f64>,
}

impl WorstOfBlocks {
    /// That of pairs whose candidate is moved.
    fn new(pairs: &Pairs, direction: Direction, moved: impl Fn(&f64) -> f64) -> WorstOfBlocks {
        let mut all = Vec::new();
        let mut worst: [Vec<f64>; 2] = Default::default();
        for of in pairs.readings() {
            let (base, candidate) = of.by_block();
            let sides = [base.into_owned(), candidate.iter().map(&moved).collect::<Vec<f64>>()];
            for (worst, side) in worst.iter_mut().zip(sides) {
                all.extend_from_slice(&side);
                if worst.is_empty() {
                    *worst = side;
                    continue;
                }
                let pairs = worst.iter_mut().zip(side);
                pairs
                    .filter(|(of, at)| is_worse(*at, **of, direction))
                    .for_each(|(of, at)| *of = at);
            }
        }
        let [base, candidate] = worst;
        WorstOfBlocks { base, candidate, median: sample::median_in(&mut all) }
    }

    /// The tail of blocks in which only one side is in it.
    fn tail(
        &self,
        kind: TailKind,
        margin: Margin,
        (direction, chance): (Direction, Chance),
    ) -> Option<Tail> {
        let WorstOfBlocks { base, candidate, median } = self;
        let (threshold, beyond) = threshold((*median)?, margin, direction);
        let only = |one: &[f64], other: &[f64]| {
            let is_worse = |value: &f64| is_worse(*value, threshold, direction);
            one.iter().zip(other).filter(|(a, b)| is_worse(a) && !is_worse(b)).count()
        };
        let found = (only(base, candidate), only(candidate, base));
        let of = (base.len(), candidate.len());
        let worse = worse(found, of, chance);
        Some(Tail { found: small(found), of: small(of), in_blocks: true, kind, beyond, worse })
    }
}

/// Where the tail begins, in base units and in words.
fn threshold(median: f64, margin: Margin, direction: Direction) -> (f64, Beyond) {
    let times = |share: f64| match direction {
        Direction::Higher => 1.0 / (1.0 + MARGINS * share),
        Direction::Lower | Direction::Neither => 1.0 + MARGINS * share,
    };
    let amount = |size: f64| match direction {
        Direction::Higher => (median - size, Beyond::Amount(-size)),
        Direction::Lower | Direction::Neither => (median + size, Beyond::Amount(size)),
    };
    match margin {
        Margin::Relative(share) if median > 0.0 => {
            (median * times(share), Beyond::Times(times(share)))
        }
        Margin::Relative(share) => amount(MARGINS * share * median.abs()),
        Margin::Absolute(size, _) => amount(MARGINS * size),
    }
}

/// The side in the tail more often, if it is by three and beyond chance: McNemar's test of the blocks in which
/// only one side is, or of equally many readings; Fisher's of different numbers.
#[allow(clippy::cast_precision_loss)] // counts
fn worse(found: (usize, usize), of: (usize, usize), chance: Chance) -> Option<WorseSide> {
    let is_base = found.0 as f64 * of.1 as f64 > found.1 as f64 * of.0 as f64;
    let turned = |(base, candidate)| if is_base { (base, candidate) } else { (candidate, base) };
    let (found, of) = (turned(found), turned(of));
    let is_more = match of.0 == of.1 {
        true => {
            let more = found.0 - found.1;
            more >= LEAST && more as f64 > chance.z * ((found.0 + found.1) as f64).sqrt()
        }
        false => found.0 >= LEAST && stats::fisher_greater(found, of) <= chance.p,
    };
    is_more.then_some(if is_base { WorseSide::Base } else { WorseSide::Candidate })
}
