//! The distribution-free confidence interval of a median.

use std::f64::consts::PI;

use super::interval::{InsufficientData, Interval, check_level, covers};
use super::normal::normal_quantile;
use super::sorted::Sorted;

/// The narrowest symmetric interval [x₍ₖ₎, x₍ₙ₊₁₋ₖ₎] (ranks from 1) that covers the population
/// median with at least `level`: its coverage is 1 − 2·P(B ≤ k − 1) with B ~ Binomial(n, ½). Exact
/// for every continuous distribution, conservative with ties; assumes independent values.
///
/// O(√n) at most (O(n) to n = 1,000, by plain summation).
/// Source: Hollander, Wolfe & Chicken, Nonparametric Statistical Methods (3rd ed.), §3.6;
/// Thompson (1936).
///
/// ```
/// use etalon_core::stats::{InsufficientData, Sorted, median_interval};
///
/// let six = Sorted::new(&[4.0, 1.0, 6.0, 2.0, 5.0, 3.0])?;
/// let interval = median_interval(&six, 0.95).expect("six values are enough");
/// assert_eq!((interval.lo, interval.hi), (1.0, 6.0));
/// let five = Sorted::new(&[1.0, 2.0, 3.0, 4.0, 5.0])?;
/// assert_eq!(median_interval(&five, 0.95), Err(InsufficientData::TooFew { needs: 6 }));
/// # Ok::<(), etalon_core::stats::NotFinite>(())
/// ```
///
/// # Errors
/// [`InsufficientData::TooFew`] if not even [min, max] covers `level` (6 values are needed at 0.95);
/// [`InsufficientData::Empty`]; [`InsufficientData::LevelOutOfRange`].
pub fn median_interval(sorted: &Sorted, level: f64) -> Result<Interval, InsufficientData> {
    median_interval_of_dependent(sorted, level, 1.0)
}

/// The median's interval, its order statistics so many `times` as far from the middle: of values that depend on one
/// another, whose quantiles scatter more. Never among the outer tenths of the values, where single disturbed ones are.
pub(crate) fn median_interval_of_dependent(
    sorted: &Sorted,
    level: f64,
    times: f64,
) -> Result<Interval, InsufficientData> {
    check_level(level)?;
    let values = sorted.as_slice();
    let n = values.len();
    if n == 0 {
        return Err(InsufficientData::Empty);
    }
    let Some(cut) = cut_at_each_end(n, level) else {
        return Err(InsufficientData::TooFew { needs: needed(level) });
    };
    let cut = farther(n, cut, times);
    Ok(Interval { lo: values[cut], hi: values[n - 1 - cut], level })
}

/// The cut whose order statistics lie so many times as far from the middle.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within 0..=cut
fn farther(n: usize, cut: usize, times: f64) -> usize {
    let middle = (n - 1) as f64 / 2.0;
    let farther = (middle - times * (middle - cut as f64)).max(0.0).floor() as usize;
    farther.max(n / 10).min(cut)
}

/// The smallest n for which [min, max] covers `level`: 1 − 2·2⁻ⁿ ≥ level. No level below 1 needs
/// more than 54, where 2·2⁻ⁿ is the distance from 1 to the number before it.
fn needed(level: f64) -> usize {
    (1..54).find(|&n| covers(0.5_f64.powi(n), level)).map_or(54, |n| n.unsigned_abs() as usize)
}

/// How many order statistics can be left out at each end; `None` if none may be.
fn cut_at_each_end(n: usize, level: f64) -> Option<usize> {
    if n <= PLAIN_SUM { cut_by_summing(n, level) } else { Some(cut_near_normal(n, level)) }
}

/// Up to here 2⁻ⁿ is a normal number and the binomial is summed term by term from its end.
const PLAIN_SUM: usize = 1_000;

fn cut_by_summing(n: usize, level: f64) -> Option<usize> {
    let mut term = (-(n as f64)).exp2(); // P(B = 0)
    let mut tail = term;
    if !covers(tail, level) {
        return None;
    }
    for cut in 1..=(n - 1) / 2 {
        term *= (n + 1 - cut) as f64 / cut as f64;
        tail += term;
        if !covers(tail, level) {
            return Some(cut - 1);
        }
    }
    Some((n - 1) / 2)
}

/// The ranks for large n: steps from the normal approximation to the exact answer, which is never
/// more than a few away.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within 0..n/2, see below
fn cut_near_normal(n: usize, level: f64) -> usize {
    let half = n as f64 / 2.0;
    // z ≤ 8.3 for any level below 1, so this stays far above 0 for n > 1,000.
    let z = -normal_quantile((1.0 - level) / 2.0);
    let mut cut = (half - 0.5 - z * (n as f64).sqrt() / 2.0).floor() as usize;
    while cut < (n - 1) / 2 && covers(binomial_half_cdf(n, cut + 1), level) {
        cut += 1;
    }
    while cut > 0 && !covers(binomial_half_cdf(n, cut), level) {
        cut -= 1;
    }
    cut
}

/// P(B ≤ `k`) for B ~ Binomial(`n`, ½) and k ≤ n/2, summed downwards from k until terms stop
/// mattering. Relative error about 1e-12 at n = 2,000,000.
fn binomial_half_cdf(n: usize, k: usize) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for j in (1..=k).rev() {
        term *= j as f64 / (n - j + 1) as f64;
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    sum * binomial_half_pmf(n as f64, k as f64)
}

/// P(B = `k`) by Loader's saddle-point form, which has no large logarithms to cancel; n − k ≥ k,
/// and k in the hundreds.
///
/// Loader, "Fast and Accurate Computation of Binomial Probabilities" (2000).
fn binomial_half_pmf(n: f64, k: f64) -> f64 {
    let d = (n - 2.0 * k) / n;
    let deviance = n / 2.0 * ((1.0 + d) * d.ln_1p() + (1.0 - d) * (-d).ln_1p());
    let error = stirling_error(n) - stirling_error(k) - stirling_error(n - k);
    (error - deviance).exp() * (n / (2.0 * PI * k * (n - k))).sqrt()
}

/// ln n! minus Stirling's formula, by its asymptotic series; below 1e-16 wrong from n = 100.
fn stirling_error(n: f64) -> f64 {
    let square = n * n;
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * square)) / square) / n
}

#[cfg(test)]
mod tests {
    use super::binomial_half_cdf;

    /// Whole-number sums of binomial coefficients (Python), and `scipy.stats.binom.cdf` for two
    /// million. Catches a lost Stirling term, which seldom moves an order statistic. Tolerance: √n
    /// roundings.
    #[test]
    fn binomial_tails_are_exact() {
        for (n, k, exact) in [
            (1_001, 469, 0.024_992_261_751_377_087),
            (1_001, 380, 1.247_488_839_150_128_9e-14),
            (12_345, 6_063, 0.024_875_904_376_957_53),
            (2_000_000, 998_613, 0.024_950_750_947_063_036),
            (2_000_000, 994_000, 1.082_316_154_734_844_6e-17),
        ] {
            let ours = binomial_half_cdf(n, k);
            assert!((ours / exact - 1.0).abs() < 3e-12, "{ours:e} against {exact:e}, n = {n}");
        }
    }
}
