//! The guard of `same`: typical values that agree say nothing about how often a side is slow.
//!
//! Owns what counts as slow, or worse by the metric's direction, and when one side is so more often. Refuses to
//! weigh anything else: it only stands in the way of `same`.

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
/// The one-sided 95 % point of the normal distribution.
const Z: f64 = 1.645;
/// Below so many values a share that could have gone unseen is worth a word.
const ENOUGH: usize = 100;

/// Readings in the tail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tail {
    /// Blocks in which only the base, and only the candidate, is in the tail; readings of independent samples.
    pub found: (usize, usize),
    /// Of so many.
    pub of: (usize, usize),
    /// What being in it is called.
    pub kind: TailKind,
    /// Where the tail begins.
    pub beyond: Beyond,
    /// The side that is in it more often than chance explains.
    pub worse: Option<Worse>,
}

/// What a reading in the tail is.
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
pub enum Worse {
    /// What is compared with.
    Base,
    /// What is compared.
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

impl Tail {
    /// Of what is compared; absent where no direction is worse.
    pub(super) fn of(
        samples: (&Sample, &Sample),
        pairs: Option<&Pairs>,
        margin: Margin,
        metric: &Metric,
    ) -> Option<Tail> {
        let direction = metric.direction;
        let kind = match (metric.unit.base(), direction) {
            (_, Direction::Neither) => return None,
            (Base::Seconds, _) => TailKind::Slow,
            (Base::Other(unit), _) if is_rate(unit) => TailKind::Slow,
            (_, Direction::Lower) => TailKind::Large,
            (_, Direction::Higher) => TailKind::Small,
        };
        let is_worse = |value: f64, threshold: f64| match direction {
            Direction::Higher => value < threshold,
            Direction::Lower | Direction::Neither => value > threshold,
        };
        let (of, found, beyond) = match pairs {
            Some(pairs) => {
                let (base, candidate) = pairs.by_block();
                let median = sample::median_in(&mut [&base[..], &candidate[..]].concat())?;
                let (threshold, beyond) = threshold(median, margin, direction);
                let only = |one: &[f64], other: &[f64]| {
                    let is_worse = |value: &f64| is_worse(*value, threshold);
                    one.iter().zip(other).filter(|(a, b)| is_worse(a) && !is_worse(b)).count()
                };
                let found = (only(&base, &candidate), only(&candidate, &base));
                ((base.len(), candidate.len()), found, beyond)
            }
            None => {
                let (base, candidate) = (samples.0.sorted(), samples.1.sorted());
                let median = stats::median_of_both(base, candidate)?;
                let (threshold, beyond) = threshold(median, margin, direction);
                let count = |sorted: &Sorted| {
                    // Whether the worse ones are the first or the last of them.
                    let is_first = direction == Direction::Higher;
                    let is_on_that_side = |value: &f64| is_worse(*value, threshold) == is_first;
                    let split = sorted.as_slice().partition_point(is_on_that_side);
                    if is_first { split } else { sorted.len() - split }
                };
                ((base.len(), candidate.len()), (count(base), count(candidate)), beyond)
            }
        };
        let worse = worse(found, of);
        Some(Tail { found, of, kind, beyond, worse })
    }

    /// The largest share of one side's values in the tail that would go unseen with so few, with 95 %
    /// confidence; absent of enough.
    #[must_use]
    pub fn unseen(&self) -> Option<f64> {
        let n = self.of.0.min(self.of.1);
        let more = self.found.0.abs_diff(self.found.1);
        (n < ENOUGH).then(|| stats::upper_share(more, n, 0.95))
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

/// The side in the tail more often, if it is by three and beyond chance at 5 %: McNemar's test of the blocks in which
/// only one side is, or of equally many readings; Fisher's of different numbers.
#[allow(clippy::cast_precision_loss)] // counts
fn worse(found: (usize, usize), of: (usize, usize)) -> Option<Worse> {
    let is_base = found.0 as f64 * of.1 as f64 > found.1 as f64 * of.0 as f64;
    let turned = |(base, candidate)| if is_base { (base, candidate) } else { (candidate, base) };
    let (found, of) = (turned(found), turned(of));
    let is_more = match of.0 == of.1 {
        true => {
            let more = found.0 - found.1;
            more >= LEAST && more as f64 > Z * ((found.0 + found.1) as f64).sqrt()
        }
        false => found.0 >= LEAST && stats::fisher_greater(found, of) <= 0.05,
    };
    is_more.then_some(if is_base { Worse::Base } else { Worse::Candidate })
}
