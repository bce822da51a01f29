//! Shares of rare readings: what could have gone unseen, and whether two differ.

use statrs::function::gamma::ln_gamma;

/// The upper bound of a share of which `found` among `n` were seen: the u with P(B ≤ `found`) = 1 − `level`,
/// B ~ Binomial(`n`, u). In (0, 1]; 1 where all were found. O(`found`) for each of some fifty steps.
///
/// Clopper & Pearson, Biometrika 26 (1934).
#[must_use]
pub fn upper_share(found: usize, n: usize, level: f64) -> f64 {
    if found >= n {
        return 1.0;
    }
    let (mut lo, mut hi) = (0.0, 1.0);
    while hi - lo > 1e-12 {
        let share = f64::midpoint(lo, hi);
        if at_most(found, n, share) > 1.0 - level { lo = share } else { hi = share }
    }
    f64::midpoint(lo, hi)
}

/// P(B ≤ k), B ~ Binomial(n, `share`).
fn at_most(k: usize, n: usize, share: f64) -> f64 {
    let of = |i: usize| {
        let (i, rest) = (i as f64, (n - i) as f64);
        (ln_choose(n as f64, i) + i * share.ln() + rest * (-share).ln_1p()).exp()
    };
    (0..=k).map(of).sum()
}

/// One-sided p of Fisher's exact test: at least `found.0` of the `of.0` in the first group, given how many there are
/// in both. In (0, 1]. O(`found.0` + `found.1`).
///
/// Fisher, The Design of Experiments (1935), §11.
#[must_use]
pub fn fisher_greater(found: (usize, usize), of: (usize, usize)) -> f64 {
    let all = found.0 + found.1;
    let ways = |k: usize| {
        ln_choose(of.0 as f64, k as f64) + ln_choose(of.1 as f64, (all - k) as f64)
            - ln_choose((of.0 + of.1) as f64, all as f64)
    };
    let most = all.min(of.0);
    (found.0..=most).map(|k| ways(k).exp()).sum::<f64>().min(1.0)
}

/// ln C(n, k).
fn ln_choose(n: f64, k: f64) -> f64 {
    ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0)
}
