//! Wilcoxon's signed-rank test of differences of which each block holds several, and the shift that goes with it.
//!
//! Owns blocks as the unit of replication: what befalls a block befalls all of its differences. With one difference a
//! block, this is [`super::signed_rank`] and [`super::hodges_lehmann`] to the bit.

use super::hodges_lehmann::{Probe, Shift, Upwards, one_sample_at, too_few, upper_end};
use super::hypothesis::{Alternative, PMethod, Test};
use super::interval::{InsufficientData, Interval, check_level, covers};
use super::ranks::doubled_midrank;
use super::selection::{Averages, Selection, neighbours};
use super::signed_rank::{Flips, signed_rank_around, signed_rank_smallest_p};
use super::sorted::{NotFinite, Sorted};

/// Differences in blocks of equally many, in order of size.
#[derive(Debug, Clone)]
pub struct SignedBlocks {
    sorted: Sorted,
    /// The block of each; none where every block holds one.
    of: Vec<usize>,
    blocks: usize,
}

impl SignedBlocks {
    /// `differences` block by block, `each` of every block; what is behind the last whole block does not count.
    /// O(n log n).
    ///
    /// # Errors
    /// The first difference that is NaN or infinite.
    pub fn new(differences: &[f64], each: usize) -> Result<SignedBlocks, NotFinite> {
        let each = each.max(1);
        let blocks = differences.len() / each;
        let differences = &differences[..blocks * each];
        let sorted = Sorted::new(differences)?;
        if each == 1 {
            return Ok(SignedBlocks { sorted, of: Vec::new(), blocks });
        }
        let mut order: Vec<usize> = (0..differences.len()).collect();
        order.sort_unstable_by(|a, b| (differences[*a] + 0.0).total_cmp(&(differences[*b] + 0.0)));
        let of = order.into_iter().map(|at| at / each).collect();
        Ok(SignedBlocks { sorted, of, blocks })
    }

    /// The test that all differences lie symmetric about `centre`. The statistic is T⁺ over all of them, as of
    /// [`super::signed_rank`], zeros and ties as there. p comes from the signs of whole blocks, which are all equally
    /// likely: exactly, from all 2ⁿ patterns, to n = 25 blocks; beyond by z = S/√ΣSⱼ², Sⱼ the sum of block j's signed
    /// ranks and S that of all, with a continuity correction of ½ in T⁺. O(n).
    ///
    /// Rosner, Glynn & Lee, "The Wilcoxon Signed Rank Test for Paired Comparisons of Clustered Data", Biometrics 62
    /// (2006).
    ///
    /// # Errors
    /// [`InsufficientData::Empty`]; [`InsufficientData::NotFinite`].
    pub fn signed_rank(
        &self,
        centre: f64,
        alternative: Alternative,
    ) -> Result<Test, InsufficientData> {
        if self.of.is_empty() {
            return signed_rank_around(&self.sorted, centre, alternative);
        }
        let sums = self.sums(centre)?;
        let statistic = sums.iter().map(|(above, _)| *above).sum::<u64>() as f64 / 2.0;
        let signed: Vec<u64> = sums.iter().map(|(above, below)| above.abs_diff(*below)).collect();
        let is_above = |((above, below), _): &(&(u64, u64), &u64)| above > below;
        let positive = sums.iter().zip(&signed).filter(is_above).map(|(_, sum)| *sum).sum();
        let flips = Flips { ranks: &signed, positive, n: self.blocks };
        let (p, method): (f64, PMethod) = flips.p(alternative);
        Ok(Test { statistic, p, method })
    }

    /// The median of the Walsh averages of all differences, those within a block included, and for each level the
    /// shifts that the test does not reject. The ends of an interval are Walsh averages, found by bisection from the
    /// estimate outwards. `None` without a difference. About O(n log n).
    pub(crate) fn shift_at<const N: usize>(&self, levels: [f64; N]) -> Option<[Shift; N]> {
        if self.of.is_empty() {
            return one_sample_at(&self.sorted, levels);
        }
        let estimate = Selection::new(Averages::new(&self.sorted)).median()?;
        let estimate = Some(estimate).filter(|estimate| estimate.is_finite())?;
        let mirrored = self.mirrored();
        let interval = |level| {
            check_level(level)?;
            if !covers(signed_rank_smallest_p(self.blocks) / 2.0, level) {
                return Err(too_few(level, signed_rank_smallest_p));
            }
            let lo = 0.0 - mirrored.upper_end(-estimate, level);
            let hi = self.upper_end(estimate, level);
            let exists = lo.is_finite() && hi.is_finite();
            exists.then_some(Interval { lo, hi, level }).ok_or(InsufficientData::NotFinite)
        };
        Some(levels.map(|level| Shift { estimate, interval: interval(level) }))
    }

    /// As `shift_at`, of one level.
    #[must_use]
    pub fn shift(&self, level: f64) -> Option<Shift> {
        self.shift_at([level]).map(|[shift]| shift)
    }

    /// The last shift, from the estimate upwards, that the test does not reject as too large.
    fn upper_end(&self, estimate: f64, level: f64) -> f64 {
        let largest = self.sorted.max().unwrap_or(f64::NAN);
        upper_end(&Upwards { estimate, largest, level, samples: &[&self.sorted] }, |shift| {
            // The signed ranks are the same for all shifts between two neighbouring averages.
            let around = neighbours(&self.sorted, shift);
            let within = f64::midpoint(around.0, around.1);
            let test = self.signed_rank(within, Alternative::Less);
            Probe { tail: test.map_or(0.0, |test| test.p), around, is_on_one: false }
        })
    }

    /// All differences with the other sign.
    fn mirrored(&self) -> SignedBlocks {
        let of = self.of.iter().rev().copied().collect();
        SignedBlocks { sorted: self.sorted.negated(), of, blocks: self.blocks }
    }

    /// Of each block the sums of the doubled midranks of what lies above `centre`, and below. Walks from it outwards,
    /// to both sides at once.
    fn sums(&self, centre: f64) -> Result<Vec<(u64, u64)>, InsufficientData> {
        let moved = self.sorted.less(centre)?;
        let all = moved.as_slice();
        if all.is_empty() {
            return Err(InsufficientData::Empty);
        }
        let mut sums = vec![(0, 0); self.blocks];
        let mut below = all.partition_point(|d| *d < 0.0);
        let mut above = all.partition_point(|d| *d <= 0.0);
        let mut first = above - below;
        while first < all.len() {
            let (to, from) = (below, above);
            let next = below.checked_sub(1).map_or(f64::INFINITY, |at| -all[at]);
            let size = all.get(above).map_or(next, |d| next.min(*d));
            while below > 0 && -all[below - 1] == size {
                below -= 1;
            }
            while all.get(above) == Some(&size) {
                above += 1;
            }
            let end = first + (to - below) + (above - from);
            let rank = doubled_midrank(first, end);
            self.of[below..to].iter().for_each(|block| sums[*block].1 += rank);
            self.of[from..above].iter().for_each(|block| sums[*block].0 += rank);
            first = end;
        }
        Ok(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::stats::{signed_rank, signed_rank_critical};

    /// Differences, tied or not, some of them 0.
    fn made(random: &mut Random, n: usize, is_tied: bool) -> Vec<f64> {
        let mut one = || match is_tied {
            true => (7.0 * random.uniform()).floor() - 2.0,
            false => random.uniform() - 0.3,
        };
        (0..n).map(|_| one()).collect()
    }

    /// Signed ranks by counting, and p from every pattern of signs of whole blocks.
    fn counted(differences: &[f64], each: usize, centre: f64) -> [f64; 3] {
        let moved: Vec<f64> = differences.iter().map(|d| d - centre).collect();
        let rank = |d: f64| {
            let below = moved.iter().filter(|other| other.abs() < d.abs()).count();
            let equal = moved.iter().filter(|other| other.abs() == d.abs()).count();
            below as f64 + (equal as f64 + 1.0) / 2.0
        };
        let sign = |d: f64| if d == 0.0 { 0.0 } else { d.signum() };
        let signed: Vec<f64> = moved.iter().map(|d| sign(*d) * rank(*d)).collect();
        let blocks: Vec<f64> = signed.chunks(each).map(|block| block.iter().sum()).collect();
        let found: f64 = blocks.iter().sum();
        let patterns = 1_u32 << blocks.len();
        let (mut less, mut greater) = (0.0, 0.0);
        for pattern in 0..patterns {
            let flipped =
                |(at, sum): (usize, &f64)| if pattern >> at & 1 == 1 { -sum } else { *sum };
            let sum: f64 = blocks.iter().enumerate().map(flipped).sum();
            less += f64::from(u8::from(sum <= found));
            greater += f64::from(u8::from(sum >= found));
        }
        let [less, greater] = [less, greater].map(|count| count / f64::from(patterns));
        [less, greater, (2.0 * less.min(greater)).min(1.0)]
    }

    const ALTERNATIVES: [Alternative; 3] =
        [Alternative::Less, Alternative::Greater, Alternative::TwoSided];

    /// Would catch a block whose differences are flipped one by one, ranks within blocks, and ties and zeros that count.
    #[test]
    fn p_is_that_of_every_pattern_of_signs_of_blocks() {
        let mut random = Random::new(3);
        for case in 0..300 {
            let (each, blocks) = (1 + case % 3, 1 + random.below(9));
            let differences = made(&mut random, each * blocks, case % 2 == 0);
            let of = SignedBlocks::new(&differences, each).unwrap();
            for centre in [0.0, 1.0, 0.25] {
                let expected = counted(&differences, each, centre);
                for (alternative, p) in ALTERNATIVES.into_iter().zip(expected) {
                    let found = of.signed_rank(centre, alternative).unwrap();
                    assert!((found.p - p).abs() < 1e-12, "{differences:?} {each} {found:?} {p}");
                }
            }
        }
    }

    /// The same blocks, held by the test and by the interval of one difference a block. Would catch another statistic,
    /// another approximation, and ends that are cut off elsewhere.
    #[test]
    fn one_difference_a_block_is_the_signed_rank_test() {
        let mut random = Random::new(4);
        for n in [1, 5, 6, 12, 25, 26, 60] {
            let differences = made(&mut random, n, false);
            let sorted = Sorted::new(&differences).unwrap();
            let one = SignedBlocks::new(&differences, 1).unwrap();
            // The way of several, gone with one.
            let mut order: Vec<usize> = (0..n).collect();
            order.sort_by(|a, b| differences[*a].total_cmp(&differences[*b]));
            let several = SignedBlocks { sorted: sorted.clone(), of: order, blocks: n };
            for alternative in ALTERNATIVES {
                let expected = signed_rank(&differences, alternative);
                assert_eq!(one.signed_rank(0.0, alternative), expected);
                assert_eq!(several.signed_rank(0.0, alternative), expected);
            }
            let levels = [0.5, 0.9, 0.95, 0.999];
            let expected = one_sample_at(&sorted, levels).unwrap();
            assert_eq!(one.shift_at(levels).unwrap(), expected);
            assert_eq!(several.shift_at(levels).unwrap(), expected, "{n}");
            assert_eq!(expected[2].interval.is_ok(), signed_rank_critical(n, 0.95).is_some());
        }
    }

    /// Would catch an end that the test rejects just inside of it, or accepts just outside; and intervals of 25 blocks
    /// and of 26 that belong to different tests.
    #[test]
    fn an_interval_holds_what_the_test_does_not_reject() {
        let mut random = Random::new(5);
        for case in 0..120 {
            let (each, blocks) = (2 + case % 2, 6 + random.below(30));
            let differences = made(&mut random, each * blocks, case % 4 == 0);
            let of = SignedBlocks::new(&differences, each).unwrap();
            let shift = of.shift(0.95).unwrap();
            let Interval { lo, hi, .. } = shift.interval.unwrap();
            assert!(lo <= shift.estimate && shift.estimate <= hi, "{shift:?}");
            let p = |centre: f64, alternative| of.signed_rank(centre, alternative).unwrap().p;
            let (least, most) = (of.sorted.min().unwrap(), of.sorted.max().unwrap());
            let near = 1e-7;
            assert!(hi == most || p(hi + near, Alternative::Less) <= 0.025, "{differences:?}");
            assert!(lo == least || p(lo - near, Alternative::Greater) <= 0.025, "{differences:?}");
            if hi - lo > near {
                assert!(p(hi - near, Alternative::Less) > 0.025, "{differences:?}");
                assert!(p(lo + near, Alternative::Greater) > 0.025, "{differences:?}");
            }
        }
    }

    /// Would catch a test of readings: two builds that agree are no more evidence than one.
    #[test]
    fn what_a_block_says_twice_counts_once() {
        let mut random = Random::new(6);
        let once = made(&mut random, 12, false);
        let twice: Vec<f64> = once.iter().flat_map(|d| [*d, *d]).collect();
        let p = |of: &[f64], each| {
            let of = SignedBlocks::new(of, each).unwrap();
            of.signed_rank(0.0, Alternative::TwoSided).unwrap().p
        };
        // Ranks of equal differences are shared, so that it is not quite the same test.
        let [once, of_blocks, of_readings] = [p(&once, 1), p(&twice, 2), p(&twice, 1)];
        assert!((once / of_blocks).ln().abs() < 0.4, "{once} {of_blocks}");
        assert!(of_readings < once / 2.0, "{of_readings} {once}");
    }
}
