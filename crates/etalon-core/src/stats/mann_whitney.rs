//! The Mann–Whitney test: does one of two independent samples tend to larger values?
//!
//! Other programs' test, for reports in their words: etalon's own is [`super::brunner_munzel`], which unequal
//! spread does not mislead. The matching effect size is in [`super::superiority_independent`].

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::hypothesis::{Alternative, NormalApproximation, PMethod, Tails, Test};
use super::hypothesis::{exact_p, normal_p};
use super::interval::InsufficientData;
use super::null::{mann_whitney_u, rank_sums};
use super::ranks::{doubled_midrank, doubled_wins, pooled_tie_sum, ties};
use super::sorted::Sorted;

/// To this many pairs (50 a side) p is exact when no two values are equal.
const EXACT_PAIRS: usize = 50 * 50;
/// To this many pairs (25 a side) p is exact when there are ties, given the ties.
const EXACT_PAIRS_TIED: usize = 25 * 25;

/// Mann–Whitney's test that `x` and `y` come from one distribution. The statistic is U, the number
/// of pairs with x > y plus half the number with x = y, in 0..=mn; `Less` and `Greater` are about
/// x.
///
/// p is exact to mn = 2,500 (50 a side) without ties and to mn = 625 (25 a side) with them: then
/// over all equally likely ways to deal the pooled midranks into the two samples. Beyond, a normal
/// approximation with mean mn/2, the tie-corrected variance mn/12·((N + 1) − Σ(t³ − t)/(N(N − 1))),
/// N = m + n, and a continuity correction of ½. Two-sided p is twice the smaller tail. All
/// values equal: p = 1, exactly. O(N log N).
///
/// Mann & Whitney, Annals of Mathematical Statistics 18 (1947); Lehmann, Nonparametrics (1975),
/// §1.4 for ties.
///
/// # Errors
/// [`InsufficientData::Empty`] if either sample is; [`InsufficientData::NotFinite`].
pub fn mann_whitney(
    x: &[f64],
    y: &[f64],
    alternative: Alternative,
) -> Result<Test, InsufficientData> {
    if x.is_empty() || y.is_empty() {
        return Err(InsufficientData::Empty);
    }
    let (x, y) = (Sorted::new(x)?, Sorted::new(y)?);
    let wins = doubled_wins(&x, &y);
    let (tails, method) = mann_whitney_tails(&x, &y, wins);
    let statistic = wins as f64 / 2.0;
    Ok(Test { statistic, p: exact_p(tails, alternative), method })
}

/// The tails of U for x, neither sample being empty; `doubled_u` is 2U.
pub(super) fn mann_whitney_tails(x: &Sorted, y: &Sorted, doubled_u: u128) -> (Tails, PMethod) {
    let (m, n) = (x.len(), y.len());
    let tie_sum = pooled_tie_sum(x.as_slice(), y.as_slice());
    let exact = match tie_sum {
        0 => fits(m, n, EXACT_PAIRS),
        _ => fits(m, n, EXACT_PAIRS_TIED),
    };
    if exact && tie_sum > 0 {
        return (tied_tails(x.pooled(y).as_slice(), m, doubled_u), PMethod::Exact);
    }
    if exact {
        return (mann_whitney_untied(m, n, doubled_u), PMethod::Exact);
    }
    let NormalApproximation { mean, sd } = approximation(m, n, tie_sum);
    if sd == 0.0 {
        return (Tails { lower: 1.0, upper: 1.0 }, PMethod::Exact);
    }
    (normal_tails(doubled_u as f64 / 2.0 - mean, sd), PMethod::Normal)
}

fn normal_tails(deviation: f64, sd: f64) -> Tails {
    let p = |alternative| normal_p(deviation, sd, alternative);
    Tails { lower: p(Alternative::Less), upper: p(Alternative::Greater) }
}

/// P(U ≤ u) of two sizes, the smaller first.
type Untied = HashMap<(usize, usize), Rc<[f64]>>;

thread_local! {
    /// P(U ≤ u) without ties: all rows of a table have the same two sizes.
    static UNTIED: RefCell<Untied> = RefCell::default();
}

/// The smallest tail that the normal approximation has for samples of these sizes; 0 where p is exact.
pub(super) fn mann_whitney_smallest_tail(m: usize, n: usize) -> f64 {
    if fits(m, n, EXACT_PAIRS) { 0.0 } else { mann_whitney_untied(m, n, 0).lower }
}

/// The tails of a sample of `m` without ties, `doubled_u` being 2U. U is symmetric in m and n.
pub(super) fn mann_whitney_untied(m: usize, n: usize, doubled_u: u128) -> Tails {
    if !fits(m, n, EXACT_PAIRS) {
        let NormalApproximation { mean, sd } = approximation(m, n, 0);
        return normal_tails(doubled_u as f64 / 2.0 - mean, sd);
    }
    let (few, many) = (m.min(n), m.max(n));
    let tails = UNTIED.with_borrow_mut(|known| {
        let tails = || mann_whitney_u(few, many).tails().into();
        Rc::clone(known.entry((few, many)).or_insert_with(tails))
    });
    let most = (m * n) as u64;
    // A half, of a pair that is tied all the same, counts to either side.
    let (lower, upper) = (small(doubled_u.div_ceil(2)), most - small(doubled_u / 2));
    let tail = |u: u64| tails.get(usize::try_from(u).unwrap_or(usize::MAX)).copied().unwrap_or(1.0);
    Tails { lower: tail(lower), upper: tail(upper) }
}

fn fits(m: usize, n: usize, pairs: usize) -> bool {
    m.checked_mul(n).is_some_and(|product| product <= pairs)
}

/// P(U ≤ u) and P(U ≥ u) given the ties of the pooled values, U being that of a sample of `m` of them and
/// `doubled_u` 2u. The smaller sample is the one dealt: if that is the other, the tails are its tails
/// exchanged. The sizes have to be small enough for an exact p.
pub(crate) fn mann_whitney_tied_tails(pooled: &Sorted, m: usize, doubled_u: u128) -> Tails {
    tied_tails(pooled.as_slice(), m, doubled_u)
}

fn tied_tails(pooled: &[f64], m: usize, doubled_u: u128) -> Tails {
    let n = pooled.len() - m;
    let mut ranks = Vec::with_capacity(pooled.len());
    for (first, end) in ties(pooled) {
        ranks.extend(std::iter::repeat_n(doubled_midrank(first, end), end - first));
    }
    // The doubled rank sum of a sample of k is 2U + k(k + 1); it is counted from k times the smallest rank.
    let sum =
        |doubled_u: u128, k: usize| small(doubled_u + (k * (k + 1)) as u128) - k as u64 * ranks[0];
    if m <= n {
        let null = rank_sums(&ranks, m);
        let sum = sum(doubled_u, m);
        Tails { lower: null.at_most(sum), upper: null.at_least(sum) }
    } else {
        let null = rank_sums(&ranks, n);
        let sum = sum((2 * m * n) as u128 - doubled_u, n);
        Tails { lower: null.at_least(sum), upper: null.at_most(sum) }
    }
}

/// A statistic of samples small enough for an exact p.
fn small(statistic: u128) -> u64 {
    u64::try_from(statistic).unwrap_or(u64::MAX)
}

/// Mean and standard deviation of U given Σ(t³ − t) over the ties.
fn approximation(m: usize, n: usize, tie_sum: u128) -> NormalApproximation {
    let pairs = m as f64 * n as f64;
    let all = (m + n) as u128;
    // In whole numbers: with nearly all values tied, the two terms nearly cancel.
    let spread = (all + 1) * all * (all - 1) - tie_sum;
    let variance = pairs / 12.0 * (spread as f64 / (all * (all - 1)) as f64);
    NormalApproximation { mean: pairs / 2.0, sd: variance.sqrt() }
}
