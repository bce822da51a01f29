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

/// Σ(t³ − t) over the runs of t equal values: how much ties take from a rank variance. Exact.
pub(super) fn tie_sum(sorted: &[f64]) -> u128 {
    ties(sorted)
        .map(|(first, end)| {
            let t = (end - first) as u128;
            t * t * t - t
        })
        .sum()
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
