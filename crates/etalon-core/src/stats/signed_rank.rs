//! Wilcoxon's signed-rank test: do differences within pairs lie around zero?
//!
//! Its interval is in [`super::hodges_lehmann`].

use std::cell::RefCell;
use std::rc::Rc;

use super::hypothesis::{Alternative, NormalApproximation, PMethod, Tails, Test};
use super::hypothesis::{exact_p, needed, normal_critical, normal_p};
use super::interval::{InsufficientData, check_level, covers};
use super::null::{Null, sign_flips};
use super::ranks::doubled_midrank;
use super::remembered::Remembered;
use super::sorted::Sorted;

/// To this many differences p is exact, zeros and ties included.
const EXACT_TO: usize = 25;

/// Wilcoxon's signed-rank test of `differences` symmetric about 0. The statistic is T⁺, the sum of
/// the ranks of |d| over the positive differences, in 0..=n(n + 1)/2.
///
/// Equal |d| share their midrank. Zeros are ranked with the others and then left out (Pratt), so
/// they count as evidence for "no difference". To n = 25 p comes from all 2ⁿ equally likely sign
/// patterns given these ranks, beyond from a normal approximation with mean ½Σr and variance
/// ¼Σr² over the ranks r of the non-zero differences (which is the tie- and zero-corrected variance)
/// and a continuity correction of ½. All differences zero: p = 1, exactly. O(n log n).
///
/// Wilcoxon, Biometrics Bulletin 1 (1945); Pratt, J. American Statistical Association 54 (1959).
///
/// # Errors
/// [`InsufficientData::Empty`]; [`InsufficientData::NotFinite`].
pub fn signed_rank(
    differences: &[f64],
    alternative: Alternative,
) -> Result<Test, InsufficientData> {
    signed_rank_around(&Sorted::new(differences)?, 0.0, alternative)
}

/// The test of sorted differences, symmetric about `centre`. O(n).
pub(crate) fn signed_rank_around(
    differences: &Sorted,
    centre: f64,
    alternative: Alternative,
) -> Result<Test, InsufficientData> {
    let Ranked { doubled, doubled_positive: positive } = Ranked::new(&differences.less(centre)?)?;
    let statistic = positive as f64 / 2.0;
    let flips = Flips { ranks: &doubled, positive, n: differences.len() };
    let (p, method) = flips.p(alternative);
    Ok(Test { statistic, p, method })
}

/// Doubled ranks of which each could as well have the other sign: of differences, or of blocks of them.
pub(super) struct Flips<'a> {
    /// All but zeros.
    pub ranks: &'a [u64],
    /// The sum of those that are positive.
    pub positive: u64,
    /// How many there are, zeros included.
    pub n: usize,
}

impl Flips<'_> {
    /// p of that sum: from all patterns of signs to n = 25, beyond from a normal approximation. O(n).
    pub(super) fn p(&self, alternative: Alternative) -> (f64, PMethod) {
        let all: u128 = self.ranks.iter().map(|&r| u128::from(r)).sum();
        let squares: u128 = self.ranks.iter().map(|&r| u128::from(r) * u128::from(r)).sum();
        if squares == 0 {
            return (1.0, PMethod::Exact);
        }
        if self.n <= EXACT_TO {
            let (null, sum) = (flips(self.ranks), self.positive);
            let tails = Tails { lower: null.at_most(sum), upper: null.at_least(sum) };
            return (exact_p(tails, alternative), PMethod::Exact);
        }
        let deviation = self.positive as f64 / 2.0 - all as f64 / 4.0;
        (normal_p(deviation, (squares as f64 / 16.0).sqrt(), alternative), PMethod::Normal)
    }
}

thread_local! {
    /// The last ranks, and the distribution given them: without ties, all rows of a table have the same.
    static FLIPS: RefCell<Option<(Vec<u64>, Rc<Null>)>> = const { RefCell::new(None) };
    /// How much is cut off, by number and level.
    static CRITICAL: Remembered<Option<u64>> = const { Remembered::new() };
    /// The fewest differences with which any p is small enough, by alpha.
    static NEEDED: Remembered<usize> = const { Remembered::new() };
}

/// [`sign_flips`], found once for ranks that are asked for again and again.
fn flips(ranks: &[u64]) -> Rc<Null> {
    FLIPS.with_borrow_mut(|last| match last {
        Some((of, null)) if of == ranks => Rc::clone(null),
        _ => {
            let null = Rc::new(sign_flips(ranks));
            *last = Some((ranks.to_vec(), Rc::clone(&null)));
            null
        }
    })
}

/// Doubled midranks of the non-zero differences, and their sum over the positive ones.
struct Ranked {
    doubled: Vec<u64>,
    doubled_positive: u64,
}

impl Ranked {
    /// Walks from 0 outwards, to both sides at once.
    fn new(differences: &Sorted) -> Result<Ranked, InsufficientData> {
        let all = differences.as_slice();
        if all.is_empty() {
            return Err(InsufficientData::Empty);
        }
        let (mut negative, rest) = all.split_at(all.partition_point(|d| *d < 0.0));
        let (zeros, mut positive) = rest.split_at(rest.partition_point(|d| *d == 0.0));
        let mut ranked = Ranked { doubled: Vec::with_capacity(all.len()), doubled_positive: 0 };
        let mut first = zeros.len();
        while first < all.len() {
            let below = negative.last().map_or(f64::INFINITY, |d| -d);
            let size = positive.first().map_or(below, |d| below.min(*d));
            let below = negative.iter().rev().take_while(|d| -**d == size).count();
            let above = positive.iter().take_while(|d| **d == size).count();
            let end = first + below + above;
            let rank = doubled_midrank(first, end);
            ranked.doubled.extend(std::iter::repeat_n(rank, below + above));
            ranked.doubled_positive += rank * above as u64;
            negative = &negative[..negative.len() - below];
            positive = &positive[above..];
            first = end;
        }
        Ok(ranked)
    }
}

/// How many Walsh averages are cut off at each end of the n(n + 1)/2 for an interval of `level`:
/// the largest c with 1 − 2·P(T⁺ ≤ c) ≥ level, T⁺ without ties, by the same method [`signed_rank`]
/// uses at this n. `None` if no interval reaches `level` with so few, for n = 0, or for a level
/// outside (0, 1). O(1) beyond n = 25.
#[must_use]
pub fn signed_rank_critical(n: usize, level: f64) -> Option<u64> {
    check_level(level).ok()?;
    if n <= EXACT_TO {
        return CRITICAL.with(|known| {
            known.get((n as f64, level), || {
                let ranks: Vec<u64> = (1..=n as u64).collect();
                sign_flips(&ranks).largest(|tail| covers(tail, level))
            })
        });
    }
    normal_critical(approximation(n), level)
}

/// The smallest two-sided p that n differences can give: 2/2ⁿ while p is exact, and the normal
/// approximation's beyond, which is larger than 2/2ⁿ. At most 1.
#[must_use]
pub fn signed_rank_smallest_p(n: usize) -> f64 {
    if n <= EXACT_TO {
        return (1.0 - n as f64).exp2().min(1.0);
    }
    let NormalApproximation { mean, sd } = approximation(n);
    normal_p(-mean, sd, Alternative::TwoSided)
}

/// The smallest n whose smallest two-sided p is at most `alpha`: 6 for 0.05.
#[must_use]
pub fn signed_rank_needed(alpha: f64) -> usize {
    NEEDED.with(|known| known.get((alpha, 0.0), || needed(alpha, signed_rank_smallest_p)))
}

/// Mean n(n + 1)/4 and standard deviation √(n(n + 1)(2n + 1)/24) of T⁺ without ties.
fn approximation(n: usize) -> NormalApproximation {
    let n = n as f64;
    let sd = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
    NormalApproximation { mean: n * (n + 1.0) / 4.0, sd }
}
