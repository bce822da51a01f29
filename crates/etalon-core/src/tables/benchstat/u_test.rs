//! The Mann–Whitney test with benchstat's switch between exact and approximate, digit for digit.
//!
//! Its p and etalon's (`stats::mann_whitney`) are the same number wherever both are exact. Owns the recurrence
//! in floating point, whose last bit decides what is printed of a p of 0.0625, or compared with an alpha of
//! 0.1. Refuses samples whose values are all equal, and what benchstat gets wrong: with ties in samples of
//! different sizes it doubles the lower tail of the smaller U in the first sample's distribution even where
//! that U is the second sample's, and prints p = 1.800, or calls one value of two a difference, where p is 0.2.

use crate::notes::{ComparisonNote, Need, NoteKind};
use crate::stats::{Sorted, mann_whitney_tied_tails, normal_cdf};

/// p is exact to so many values on each side without ties, and with them.
const EXACT: usize = 50;
const EXACT_TIED: usize = 25;

/// Two-sided p, or `None` if all values are equal. It can be 0: the approximation's upper tail is one minus the
/// lower one.
#[allow(clippy::cast_precision_loss)] // sizes of samples
pub(super) fn p(base: &[f64], other: &[f64]) -> Option<f64> {
    let (m, n) = (base.len(), other.len());
    let pooled = Sorted::new(&[base, other].concat()).ok()?;
    let (doubled_u, ties) = doubled_u(&pooled, base);
    let pairs = m * n;
    let small = doubled_u.min(2 * pairs - doubled_u);
    let tied = ties > 0;
    let limit = if tied { EXACT_TIED } else { EXACT };
    if m <= limit && n <= limit {
        if pooled.min() == pooled.max() {
            return None;
        }
        if doubled_u == pairs {
            return Some(1.0);
        }
        let tail = if tied {
            let tails = mann_whitney_tied_tails(&pooled, m, doubled_u as u128);
            tails.lower.min(tails.upper)
        } else {
            untied(m, n, small / 2)
        };
        return Some((tail * 2.0).min(1.0));
    }
    let all = (m + n) as f64;
    let sd = (pairs as f64 * ((all + 1.0) - ties as f64 / (all * (all - 1.0))) / 12.0).sqrt();
    if sd == 0.0 {
        return None;
    }
    let distance = doubled_u as f64 / 2.0 - pairs as f64 / 2.0;
    let corrected = if distance == 0.0 { 0.0 } else { distance - distance.signum() * 0.5 };
    let below = normal_cdf(corrected / sd);
    Some(2.0 * below.min(1.0 - below))
}

/// Twice the U of the base (pairs in which its value is the larger one, equal ones half), and
/// Σ(t³ − t) over ties.
fn doubled_u(pooled: &Sorted, base: &[f64]) -> (usize, usize) {
    let Ok(base) = Sorted::new(base) else { return (0, 0) };
    let mut of_base = base.as_slice().iter().peekable();
    let (mut rank, mut doubled_ranks, mut ties) = (0, 0, 0);
    for run in pooled.as_slice().chunk_by(|a, b| a == b) {
        let mut here = 0;
        while of_base.next_if(|value| **value == run[0]).is_some() {
            here += 1;
        }
        doubled_ranks += (2 * rank + run.len() + 1) * here;
        rank += run.len();
        ties += run.len().saturating_pow(3) - run.len();
    }
    (doubled_ranks - base.len() * (base.len() + 1), ties)
}

/// P(U ≤ u) without ties, u below half of mn.
///
/// Mann & Whitney's recurrence for probabilities, (m + n)·pₘₙ(u) = n·pₘ,ₙ₋₁(u − m) + m·pₘ₋₁,ₙ(u), the
/// larger size growing row by row. O(m·n·u).
///
/// Mann & Whitney, Annals of Mathematical Statistics 18 (1947).
#[allow(clippy::cast_precision_loss)] // sizes of samples
fn untied(m: usize, n: usize, u: usize) -> f64 {
    let (small, large) = (m.min(n), m.max(n));
    let mut rows = vec![vec![0.0_f64; u + 1]; small + 1];
    for j in 0..=large {
        rows[0][0] = 1.0;
        for i in 1..=small.min(j) {
            for at in (0..=u.min(i * j)).rev() {
                let fewer = if at >= j { i as f64 * rows[i - 1][at - j] } else { 0.0 };
                // The row above; on the diagonal its mirror image.
                let above = rows[if i < j { i } else { j - 1 }][at];
                rows[i][at] = (fewer + j as f64 * above) / (i + j) as f64;
            }
        }
    }
    rows[small].iter().sum()
}

/// The note on a p above alpha: no result of so few values could have been below.
pub(super) fn too_few(n: (usize, usize), p: f64, alpha: f64) -> Option<NoteKind> {
    let need = needed(alpha);
    let (Need::AtLeast(enough) | Need::MoreThan(enough)) = need;
    let few = p > alpha && n.0 < enough && n.1 < enough;
    few.then_some(NoteKind::Comparison(ComparisonNote::DifferenceNeeds { need, alpha }))
}

/// The number of values a side whose smallest p, 2/C(2n, n), is at most alpha; looked for to 9.
fn needed(alpha: f64) -> Need {
    let mut ways = 1.0;
    for n in 1..=9_u32 {
        ways *= f64::from(2 * (2 * n - 1)) / f64::from(n);
        if (2.0 / ways).min(1.0) <= alpha {
            return Need::AtLeast(n as usize);
        }
    }
    Need::MoreThan(10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::stats::{Alternative, mann_whitney};

    /// Would catch a wrong recurrence, or a statistic off by a tie: where both tests are exact they are
    /// one number, and where both are approximate, too.
    #[test]
    fn agrees_with_the_test_of_the_statistics() {
        let mut random = Random::new(5);
        for (m, n, distinct) in [
            (1, 1, 1e6),
            (3, 3, 1e6),
            (5, 8, 1e6),
            (20, 20, 1e6),
            (50, 50, 1e6),
            (60, 60, 1e6),
            (7, 7, 4.0),
            (12, 12, 3.0),
            (25, 25, 5.0),
            (1, 9, 2.0),
            (9, 1, 2.0),
            (9, 3, 2.0),
            (4, 20, 3.0),
            (24, 7, 4.0),
            (40, 40, 6.0),
        ] {
            for _ in 0..20 {
                let mut draw = |n| -> Vec<f64> {
                    (0..n).map(|_| (random.uniform() * distinct).floor()).collect()
                };
                let (x, y) = (draw(m), draw(n));
                let theirs = mann_whitney(&x, &y, Alternative::TwoSided).unwrap().p;
                match p(&x, &y) {
                    Some(ours) => {
                        assert!((ours - theirs).abs() < 1e-9, "{x:?} {y:?} {ours} {theirs}")
                    }
                    None => assert!(x.iter().chain(&y).all(|v| *v == x[0])),
                }
            }
        }
    }

    #[test]
    fn the_number_of_values_needed_is_benchstats() {
        let shown = [0.5, 0.1, 0.05, 0.01, 1e-4, 1e-5].map(needed);
        use Need::{AtLeast, MoreThan};
        assert_eq!(
            shown,
            [AtLeast(2), AtLeast(3), AtLeast(4), AtLeast(5), AtLeast(9), MoreThan(10)]
        );
    }
}
