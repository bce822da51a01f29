//! Spearman's rank correlation: whether what is large in one series is large in the other.

use super::hypothesis::{PMethod, Test};
use super::ranks::{doubled_midrank, ties};
use super::sorted::Sorted;
use super::student_t::student_t_sf;

/// Doubled midranks of values in their own order, and the lengths of the runs of equal values.
pub(super) struct Midranks {
    pub(super) doubled: Vec<usize>,
    pub(super) ties: Vec<usize>,
}

/// The midranks of values; `None` without any and where one is not finite. O(n log n).
pub(super) fn midranks(values: &[f64]) -> Option<Midranks> {
    let sorted = Sorted::new(values).ok().filter(|sorted| !sorted.is_empty())?;
    let sorted = sorted.as_slice();
    let runs: Vec<(usize, usize)> = ties(sorted).collect();
    let doubled_of = |value: &f64| {
        let run = runs.partition_point(|(first, _)| sorted[*first] < *value);
        usize::try_from(doubled_midrank(runs[run].0, runs[run].1)).ok()
    };
    let doubled: Option<Vec<usize>> = values.iter().map(doubled_of).collect();
    Some(Midranks {
        doubled: doubled?,
        ties: runs.iter().map(|(first, end)| end - first).collect(),
    })
}

/// Spearman's test that `y` does not rise with `x`. The statistic is ρ, the correlation of the midranks, in [−1, 1].
///
/// p is one-sided, P(T ≥ ρ√((n − 2)/(1 − ρ²))) with n − 2 degrees of freedom. `None` below four pairs, for series of
/// different length, where all of one are alike, and for values that are not finite. O(n log n).
///
/// Spearman, American J. of Psychology 15 (1904); Kendall & Stuart, The Advanced Theory of Statistics 2 (4th ed.),
/// §31.19, for p.
#[must_use]
pub(crate) fn rises_with(x: &[f64], y: &[f64]) -> Option<Test> {
    if x.len() != y.len() || x.len() < 4 {
        return None;
    }
    let n = x.len() as f64;
    let deviations = |values: &[f64]| -> Option<Vec<f64>> {
        Some(midranks(values)?.doubled.iter().map(|rank| *rank as f64 - (n + 1.0)).collect())
    };
    let (x, y) = (deviations(x)?, deviations(y)?);
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let squares = sum(&x, &x) * sum(&y, &y);
    if squares <= 0.0 {
        return None;
    }
    let rho = (sum(&x, &y) / squares.sqrt()).clamp(-1.0, 1.0);
    let left = 1.0 - rho * rho;
    let t = if left > 0.0 { rho * ((n - 2.0) / left).sqrt() } else { rho * f64::INFINITY };
    let p = if t.is_finite() { student_t_sf(t, n - 2.0) } else { f64::from(u8::from(rho < 0.0)) };
    Some(Test { statistic: rho, p, method: PMethod::Normal })
}

#[cfg(test)]
mod tests {
    use super::rises_with;

    /// Would catch ranks, ties or a tail that differ from SciPy's `spearmanr(alternative="greater")`.
    #[test]
    fn known_pairs_have_known_correlations() {
        let x: Vec<f64> = (1..=7).map(f64::from).collect();
        let y = [2.0, 1.0, 4.0, 3.0, 7.0, 5.0, 6.0];
        let test = rises_with(&x, &y).unwrap();
        // Σd² = 1+1+1+1+4+1+1 = 10: ρ = 1 − 60/336.
        assert!((test.statistic - (1.0 - 60.0 / 336.0)).abs() < 1e-12);
        assert!((test.p - 0.011_724_404_172_845_75).abs() < 1e-14, "{}", test.p);
        let tied = [1, 1, 2, 5, 5, 5, 8, 9, 9, 12].map(f64::from);
        let test = rises_with(&tied, &[3, 1, 4, 1, 5, 9, 2, 6, 5, 3].map(f64::from)).unwrap();
        assert!((test.statistic - 0.320_886_288_174_892).abs() < 1e-14);
        assert!((test.p - 0.182_991_304_350_751_2).abs() < 1e-14, "{}", test.p);
        assert_eq!(rises_with(&x, &x).unwrap().p, 0.0);
        assert!(rises_with(&[1.0; 7], &y).is_none());
        assert!(rises_with(&x, &y[..6]).is_none());
    }
}
