//! The Mann–Whitney test: does one of two independent samples tend to larger values?
//!
//! Other programs' test, for reports in their words: etalon's own is [`super::brunner_munzel`], which unequal
//! spread does not mislead. The matching effect size is in [`super::superiority_independent`].

use super::hypothesis::{Alternative, NormalApproximation, PMethod, Tails, Test};
use super::hypothesis::{exact_p, normal_p};
use super::interval::InsufficientData;
use super::null::{mann_whitney_u, rank_sums};
use super::ranks::{doubled_midrank, doubled_wins, tie_sum, ties};
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
    let pooled = Sorted::of([x, y].concat())?;
    let (x, y) = (Sorted::new(x)?, Sorted::new(y)?);
    let doubled_u = doubled_wins(&x, &y);
    let (m, n) = (x.len(), y.len());
    let tie_sum = tie_sum(pooled.as_slice());
    let exact = match tie_sum {
        0 => fits(m, n, EXACT_PAIRS).then(|| untied_tails(m, n, doubled_u)),
        _ => fits(m, n, EXACT_PAIRS_TIED).then(|| mann_whitney_tied_tails(&pooled, m, doubled_u)),
    };
    let statistic = doubled_u as f64 / 2.0;
    if let Some(tails) = exact {
        let p = exact_p(tails, alternative);
        return Ok(Test { statistic, p, method: PMethod::Exact });
    }
    let NormalApproximation { mean, sd } = approximation(m, n, tie_sum);
    if sd == 0.0 {
        return Ok(Test { statistic, p: 1.0, method: PMethod::Exact });
    }
    let p = normal_p(statistic - mean, sd, alternative);
    Ok(Test { statistic, p, method: PMethod::Normal })
}

fn fits(m: usize, n: usize, pairs: usize) -> bool {
    m.checked_mul(n).is_some_and(|product| product <= pairs)
}

/// P(U ≤ u) and P(U ≥ u) without ties, where U is symmetric in m and n.
fn untied_tails(m: usize, n: usize, doubled_u: u128) -> Tails {
    let null = mann_whitney_u(m.min(n), m.max(n));
    let u = small(doubled_u / 2);
    Tails { lower: null.at_most(u), upper: null.at_least(u) }
}

/// P(U ≤ u) and P(U ≥ u) given the ties of the pooled values, U being that of a sample of `m` of them and
/// `doubled_u` 2u. The smaller sample is the one dealt: if that is the other, the tails are its tails
/// exchanged. The sizes have to be small enough for an exact p.
pub(crate) fn mann_whitney_tied_tails(pooled: &Sorted, m: usize, doubled_u: u128) -> Tails {
    let n = pooled.len() - m;
    let mut ranks = Vec::with_capacity(pooled.len());
    for (first, end) in ties(pooled.as_slice()) {
        ranks.extend(std::iter::repeat_n(doubled_midrank(first, end), end - first));
    }
    // The doubled rank sum of a sample of k is 2U + k(k + 1).
    let sum = |doubled_u: u128, k: usize| small(doubled_u + (k * (k + 1)) as u128);
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
