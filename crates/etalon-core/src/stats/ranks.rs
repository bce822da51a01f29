//! Ranks with ties, in whole numbers: midranks are halves, so they are kept doubled.

use super::sorted::Sorted;

/// The runs of equal values in a sorted slice, as (first, one past the last) positions.
pub(super) fn ties(sorted: &[f64]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut start = 0;
    sorted.chunk_by(|a, b| a == b).map(move |run| {
        let first = start;
        start += run.len();
        (first, start)
    })
}

/// Twice the midrank (from 1) shared by positions `first..end`: (first + 1) + end.
pub(super) fn doubled_midrank(first: usize, end: usize) -> u64 {
    (first + 1 + end) as u64
}

/// Σ(t³ − t) over the runs of t equal values of two sorted slices, pooled: how much ties take from a rank variance.
/// Exact. O(m + n).
pub(super) fn pooled_tie_sum(x: &[f64], y: &[f64]) -> u128 {
    let (mut i, mut j, mut sum) = (0, 0, 0);
    while let Some(value) = [x.get(i), y.get(j)].into_iter().flatten().copied().reduce(f64::min) {
        let run = |of: &[f64]| of.iter().take_while(|other| **other == value).count();
        let (of_x, of_y) = (run(&x[i..]), run(&y[j..]));
        let t = (of_x + of_y) as u128;
        sum += t * t * t - t;
        (i, j) = (i + of_x, j + of_y);
    }
    sum
}

/// Twice the number of pairs with x > y, plus the number with x = y. O(n + m).
pub(super) fn doubled_wins(x: &Sorted, y: &Sorted) -> u128 {
    let y = y.as_slice();
    let (mut below, mut not_above) = (0, 0);
    let mut wins = 0;
    for &x in x.as_slice() {
        while y.get(below).is_some_and(|&y| y < x) {
            below += 1;
        }
        not_above = not_above.max(below);
        while y.get(not_above).is_some_and(|&y| y <= x) {
            not_above += 1;
        }
        wins += (below + not_above) as u128;
    }
    wins
}

#[cfg(test)]
mod tests {
    use super::{pooled_tie_sum, ties};
    use crate::random::Random;
    use crate::stats::Sorted;

    /// Against the runs of the values as they stand when they are pooled.
    #[test]
    fn ties_of_both_samples_count_together() {
        let mut random = Random::new(8);
        for distinct in [1, 2, 5, 40, 100_000] {
            for (m, n) in [(0, 0), (1, 0), (1, 1), (3, 7), (100, 99)] {
                let mut of = |n| -> Vec<f64> {
                    (0..n).map(|_| random.below(distinct) as f64 - 2.0).collect()
                };
                let [x, y] = [m, n].map(|n| Sorted::new(&of(n)).expect("finite"));
                let pooled = x.pooled(&y);
                let runs = ties(pooled.as_slice()).map(|(first, end)| (end - first) as u128);
                let expected: u128 = runs.map(|t| t * t * t - t).sum();
                assert_eq!(pooled_tie_sum(x.as_slice(), y.as_slice()), expected);
            }
        }
    }
}
