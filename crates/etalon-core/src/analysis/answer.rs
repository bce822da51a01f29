//! The answer of a ranking: who is better than all others, or what can be said of one pair; and each row seen
//! from the first that was declared.
//!
//! Owns which comparison a headline names. Refuses to word it.

use super::ranking::{Comparison, Ranked, Ranking};
use crate::estimate::Estimate;
use crate::model::Direction;
use crate::stats::Interval;
use crate::verdict::{Assessment, Verdict};

/// A comparison of two rows seen from one of them, whichever was its base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Versus<'a> {
    /// Index of what is spoken of among the benchmarks.
    pub of: usize,
    /// Index of what it is held against.
    pub base: usize,
    /// The comparison's assessment, from the side of its own base.
    pub assessment: &'a Assessment,
    /// Whether its own base is what is spoken of here.
    turned: bool,
}

impl Versus<'_> {
    /// The verdict on what is spoken of.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (self.turned, self.assessment.decision.verdict) {
            (true, Verdict::Faster) => Verdict::Slower,
            (true, Verdict::Slower) => Verdict::Faster,
            (_, verdict) => verdict,
        }
    }

    /// The ratio of the subject over its base; absent where none is formed.
    #[must_use]
    pub fn ratio(&self) -> Option<Estimate> {
        let ratio = self.assessment.evidence.shown().ratio?;
        Some(if self.turned { reciprocal(ratio) } else { ratio })
    }

    /// The ratio turned so that it is above 1.
    #[must_use]
    pub fn above_one(&self) -> Option<Estimate> {
        let ratio = self.ratio()?;
        Some(if ratio.value >= 1.0 { ratio } else { reciprocal(ratio) })
    }

    /// The difference of the subject minus its base, base units.
    #[must_use]
    pub fn difference(&self) -> Option<Estimate> {
        let difference = self.assessment.evidence.shown().difference?;
        let turned = |it: Interval| Interval { lo: -it.hi, hi: -it.lo, ..it };
        Some(if self.turned {
            let interval = difference.interval.map(turned);
            Estimate { value: -difference.value, interval, ..difference }
        } else {
            difference
        })
    }
}

/// A ratio seen from the other side.
fn reciprocal(ratio: Estimate) -> Estimate {
    let turned = |it: Interval| Interval { lo: 1.0 / it.hi, hi: 1.0 / it.lo, ..it };
    Estimate { value: 1.0 / ratio.value, interval: ratio.interval.map(turned), ..ratio }
}

/// Every comparison with one benchmark, by the other one.
#[derive(Debug, Default)]
pub struct Against<'a>(Vec<Option<Versus<'a>>>);

impl<'a> Against<'a> {
    /// The comparison of a benchmark; absent if there is none.
    #[must_use]
    pub fn get(&self, benchmark: usize) -> Option<&Versus<'a>> {
        self.0.get(benchmark)?.as_ref()
    }

    /// Whether there is no comparison.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

/// The answer of a ranking in one sentence.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer<'a> {
    /// Every comparison with this one is settled in its favour.
    Best {
        /// The next best, seen from the best.
        next: Versus<'a>,
        /// How many rows have a value.
        among: usize,
    },
    /// Not every comparison with the best row is settled: one pair, and what is said of the others.
    Pair {
        /// Which two, and what is said of them.
        pair: Versus<'a>,
        /// The other rows, each against the same base.
        others: Vec<Versus<'a>>,
    },
}

impl Ranking {
    /// The rows with a value, best first, wherever a reference stands.
    pub fn by_value(&self) -> Vec<&Ranked> {
        let sign = if self.metric.direction == Direction::Higher { -1.0 } else { 1.0 };
        let mut rows: Vec<(f64, &Ranked)> =
            self.rows.iter().filter_map(|row| Some((sign * row.median?, row))).collect();
        rows.sort_by(|(x, a), (y, b)| x.total_cmp(y).then(a.benchmark.cmp(&b.benchmark)));
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// The rows with a value that do something, best first: nobody asks by how much nothing is faster.
    fn active(&self) -> Vec<&Ranked> {
        self.by_value().into_iter().filter(|row| !row.idle).collect()
    }

    /// The row that the others are held against: the reference, else the first that was declared, has a value and does
    /// something.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        let valued = self.rows.iter().filter(|row| row.median.is_some());
        let valued = valued.filter(|row| !row.idle);
        self.reference.or_else(|| valued.map(|row| row.benchmark).min())
    }

    /// Every comparison with the first.
    #[must_use]
    pub fn against_first(&self) -> Against<'_> {
        self.first().map_or_else(Against::default, |first| self.against(first))
    }

    /// The comparison of two benchmarks, seen from one of them; absent if they are not compared.
    #[must_use]
    pub fn versus(&self, of: usize, base: usize) -> Option<Versus<'_>> {
        self.with(base).find(|versus| versus.of == of)
    }

    /// Every comparison with a benchmark.
    fn against(&self, base: usize) -> Against<'_> {
        let last = self.rows.iter().map(|row| row.benchmark).max();
        let mut against = vec![None; last.map_or(0, |last| last + 1)];
        self.with(base).for_each(|versus| against[versus.of] = Some(versus));
        Against(against)
    }

    /// Every comparison with a benchmark: of each other one there is one.
    fn with(&self, base: usize) -> impl Iterator<Item = Versus<'_>> {
        let with = move |c: &&Comparison| c.base == base || c.candidate == base;
        self.comparisons.iter().filter(with).map(move |comparison| {
            let turned = comparison.candidate == base;
            let of = if turned { comparison.base } else { comparison.candidate };
            Versus { of, base, assessment: &comparison.assessment, turned }
        })
    }

    /// The sentence this ranking comes to; absent without two rows that have values and do something.
    ///
    /// "Best" needs every comparison with the best row, each settled in its favour within the family that was
    /// corrected. Otherwise the pair is the best row and the first; where these are one, the first and the
    /// next row that differs from it, or else the next row.
    #[must_use]
    pub fn answer(&self) -> Option<Answer<'_>> {
        let rows = self.active();
        let (best, next) = (rows.first()?.benchmark, rows.get(1)?.benchmark);
        // With a reference nothing else is compared with all.
        let is_compared =
            self.reference.is_none_or(|reference| reference == best || rows.len() == 2);
        let with_best = if is_compared { self.against(best) } else { Against::default() };
        let is_worse = |row: &&Ranked| {
            with_best.get(row.benchmark).is_some_and(|it| it.verdict() == Verdict::Slower)
        };
        if rows[1..].iter().all(is_worse) {
            return Some(Answer::Best { next: *with_best.get(next)?, among: rows.len() });
        }
        let is_idle = |at: &usize| self.rows.iter().any(|row| row.benchmark == *at && row.idle);
        let first = self.first().filter(|first| !is_idle(first))?;
        let with_first = self.against(first);
        let others = rows.iter().filter(|row| row.benchmark != first);
        let mut others: Vec<Versus<'_>> =
            others.filter_map(|row| with_first.get(row.benchmark).copied()).collect();
        let differs = |it: &Versus<'_>| it.verdict().is_difference();
        let chosen = match best == first {
            true => others.iter().position(differs).unwrap_or(0),
            false => 0,
        };
        (chosen < others.len()).then(|| Answer::Pair { pair: others.remove(chosen), others })
    }
}
