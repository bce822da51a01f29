//! Levels: where values in time order change from one level to another, any number of times.

use super::rank_correlation::midranks;

/// The cost that a change has to explain, in units of the noise of ranks, per ln n. With 2, at most one in five series
/// of 8 to 128 values without a change has one (measured in the test below); with 3, one in five that alternate was not
/// seen to.
const PRICE: f64 = 2.0;

/// The first indices of all levels but the first, ascending: the division of the values into stretches of at least
/// `shortest` whose midranks have the least squares around their means, plus 2·ln n times their noise for each
/// change: half the mean square of their steps from one to the next (von Neumann, 1941), at most their variance. Ranks,
/// because a value far off counts no more than the largest of the others. Empty for values on one level, all alike,
/// fewer than two stretches, and values that are not finite.
///
/// O(n²): put values together first where there are more than some hundred. Optimal partitioning: Jackson et al., IEEE
/// Signal Processing Letters 12 (2005); with ranks: Haynes, Fearnhead & Eckley, Statistics and Computing 27 (2017).
#[must_use]
pub(crate) fn level_changes(values: &[f64], shortest: usize) -> Vec<usize> {
    let (n, shortest) = (values.len(), shortest.max(1));
    let Some(ranks) = midranks(values).filter(|ranks| n >= 2 * shortest && ranks.ties != [n])
    else {
        return Vec::new();
    };
    let mean = (n + 1) as f64;
    let (mut sums, mut squares) = (vec![0.0], vec![0.0]);
    for &doubled in &ranks.doubled {
        let off = doubled as f64 - mean;
        sums.push(sums[sums.len() - 1] + off);
        squares.push(squares[squares.len() - 1] + off * off);
    }
    let price = PRICE * (n as f64).ln() * noise(&ranks.doubled, squares[n]);
    let within = |first: usize, end: usize| {
        let sum: f64 = sums[end] - sums[first];
        squares[end] - squares[first] - sum * sum / (end - first) as f64
    };
    // The least cost of the values before each place, and where the last stretch of it begins.
    let (mut least, mut begins) = (vec![f64::INFINITY; n + 1], vec![0; n + 1]);
    least[0] = -price;
    for end in shortest..=n {
        for first in 0..=end - shortest {
            let cost = least[first] + within(first, end) + price;
            if cost < least[end] {
                (least[end], begins[end]) = (cost, first);
            }
        }
    }
    let mut changes = Vec::new();
    let mut end = begins[n];
    while end > 0 {
        changes.push(end);
        end = begins[end];
    }
    changes.reverse();
    changes
}

/// The variance of ranks that no change of level explains: half the mean square of the steps from each to the next, and
/// at most that of all, of which these are the squares.
fn noise(doubled: &[usize], squares: f64) -> f64 {
    let step = |pair: &[usize]| (pair[1] as f64 - pair[0] as f64).powi(2);
    let steps: f64 = doubled.windows(2).map(step).sum();
    (steps / 2.0 / (doubled.len() - 1) as f64).min(squares / doubled.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Would catch costs, sums or a way back that are wrong: against every division there is.
    #[test]
    fn no_division_is_better() {
        let mut random = Random::new(3);
        for _ in 0..40 {
            let n = 6 + random.below(7);
            let step = random.below(3) as f64;
            let values: Vec<f64> = (0..n)
                .map(|at| random.below(6) as f64 + if at > n / 2 { 3.0 * step } else { 0.0 })
                .collect();
            let found = cost(&values, &level_changes(&values, 2));
            for mask in 0_u32..1 << (n - 1) {
                let changes: Vec<usize> = (1..n).filter(|at| (mask >> (at - 1)) & 1 == 1).collect();
                let ends = changes.iter().copied().chain([n]);
                let firsts = std::iter::once(0).chain(changes.iter().copied());
                if firsts.zip(ends).all(|(first, end)| end - first >= 2) {
                    assert!(found <= cost(&values, &changes) + 1e-6, "{values:?} {changes:?}");
                }
            }
        }
    }

    /// The cost of a division, as the definition says.
    fn cost(values: &[f64], changes: &[usize]) -> f64 {
        let n = values.len();
        let rank = |value: &f64| {
            let below = values.iter().filter(|other| *other < value).count();
            let equal = values.iter().filter(|other| *other == value).count();
            2.0 * below as f64 + equal as f64 + 1.0
        };
        let ranks: Vec<f64> = values.iter().map(rank).collect();
        let squares = |of: &[f64]| {
            let mean = of.iter().sum::<f64>() / of.len() as f64;
            of.iter().map(|rank| (rank - mean).powi(2)).sum::<f64>()
        };
        let steps: f64 = ranks.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
        let noise = (steps / 2.0 / (n - 1) as f64).min(squares(&ranks) / n as f64);
        let firsts = std::iter::once(0).chain(changes.iter().copied());
        let ends = changes.iter().copied().chain([n]);
        let within: f64 = firsts.zip(ends).map(|(first, end)| squares(&ranks[first..end])).sum();
        within + PRICE * (n as f64).ln() * noise * changes.len() as f64
    }

    /// Would catch a price that lets noise pass for changes, or hides changes: no more than one in five series on one
    /// level have one (1,000 of each length), and levels apart by two standard deviations are found where they are.
    #[test]
    fn noise_is_one_level_and_levels_are_found() {
        let mut random = Random::new(7);
        let mut normal = || crate::stats::normal_quantile(random.uniform().max(1e-12));
        for n in [8, 16, 32, 64, 128] {
            let one = |_: &usize| {
                !level_changes(&(0..n).map(|_| normal()).collect::<Vec<_>>(), 4).is_empty()
            };
            let seen = (0..1000).filter(one).count();
            assert!(seen <= 200, "{n}: {seen}");
        }
        let mut found = 0;
        for _ in 0..200 {
            let level = |at: usize| if (20..50).contains(&at) { 2.0 } else { 0.0 };
            let values: Vec<f64> = (0..80).map(|at| level(at) + normal()).collect();
            let changes = level_changes(&values, 4);
            found += u32::from(
                changes.len() == 2 && changes[0].abs_diff(20) <= 3 && changes[1].abs_diff(50) <= 3,
            );
        }
        assert!(found >= 160, "{found}");
        assert!(level_changes(&[1.0; 20], 4).is_empty());
        assert!(level_changes(&[1.0, 2.0, f64::NAN, 3.0], 1).is_empty());
    }
}
