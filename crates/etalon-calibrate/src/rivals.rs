//! Verdicts of other programs on the same readings, by their published descriptions: for comparison only.
//!
//! Refuses to be used anywhere else: no verdict of etalon rests on it.

use etalon_core::stats::{
    Alternative, Sorted, kth_difference, mann_whitney, mean, normal_quantile, stddev, welch,
};

/// Programs that claim a difference, or none.
pub(crate) const NAMES: [&str; 4] =
    ["Welch (lua-measure)", "Mann–Whitney (benchstat)", "BestGuess", "hyperfine, ratio ± σ"];

/// Which of them call two samples different.
#[must_use]
pub(crate) fn claims(a: &[f64], b: &[f64]) -> [bool; 4] {
    let welch = welch(a, b, 0.95).is_ok_and(|test| test.p <= 0.05);
    let p = mann_whitney(a, b, Alternative::TwoSided).map_or(1.0, |test| test.p);
    [welch, p < 0.05, p <= 0.05 && best_guess(a, b), hyperfine(a, b)]
}

/// BestGuess's other three conditions, with its defaults: a Hodges–Lehmann shift of 0.5 ms or more, an interval that excludes
/// 0 by 0.25 ms, and a probability of superiority of at most a third. Its README, "Ranking".
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped to the ranks
fn best_guess(a: &[f64], b: &[f64]) -> bool {
    let (Ok(x), Ok(y)) = (Sorted::new(a), Sorted::new(b)) else { return false };
    let (m, n) = (a.len() as f64, b.len() as f64);
    let reach = normal_quantile(0.975) * (m * n * (m + n + 1.0) / 12.0).sqrt();
    let at = |rank: f64| kth_difference(&x, &y, rank.clamp(1.0, m * n) as u64).unwrap_or(0.0);
    let [lo, shift, hi] =
        [m * n / 2.0 - reach, (m * n + 1.0) / 2.0, m * n / 2.0 + reach + 1.0].map(at);
    let below = a.iter().flat_map(|x| {
        b.iter().map(move |y| {
            if x < y {
                1.0
            } else if x > y {
                0.0
            } else {
                0.5
            }
        })
    });
    let superiority = below.sum::<f64>() / (m * n);
    shift.abs() >= 0.5e-3
        && (lo - 0.25e-3 > 0.0 || hi + 0.25e-3 < 0.0)
        && superiority.min(1.0 - superiority) <= 0.333
}

/// hyperfine's "A ran 1.05 ± 0.02 times faster than B": a reader takes the range for the answer. Its σ is the ratio times
/// √((s₁/x̄₁)² + (s₂/x̄₂)²).
fn hyperfine(a: &[f64], b: &[f64]) -> bool {
    let of = |values: &[f64]| Some((mean(values)?, stddev(values)?));
    let Some(((one, s1), (other, s2))) = of(a).zip(of(b)) else { return false };
    let (fast, slow) =
        if one < other { ((one, s1), (other, s2)) } else { ((other, s2), (one, s1)) };
    let ratio = slow.0 / fast.0;
    let sigma = ratio * ((fast.1 / fast.0).powi(2) + (slow.1 / slow.0).powi(2)).sqrt();
    ratio - sigma > 1.0
}
