//! Exact null distributions of rank statistics, as counts of equally likely arrangements.
//!
//! Integers throughout: probabilities are formed once, at the end, so tails are exact to the last
//! bit that a quotient has. Sums are in whatever whole unit the caller ranks in (doubled midranks
//! when there are ties).

/// A distribution over 0, 1, 2, …: how many of the equally likely arrangements give each sum.
pub(super) struct Null {
    counts: Vec<u128>,
    total: f64,
}

impl Null {
    fn new(counts: Vec<u128>) -> Null {
        let total = counts.iter().sum::<u128>() as f64;
        Null { counts, total }
    }

    /// P(S ≤ `sum`).
    pub(super) fn at_most(&self, sum: u64) -> f64 {
        let tail = self.counts.iter().zip(0..=sum).map(|(count, _)| count).sum::<u128>();
        tail as f64 / self.total
    }

    /// P(S ≥ `sum`).
    pub(super) fn at_least(&self, sum: u64) -> f64 {
        let below = usize::try_from(sum).unwrap_or(usize::MAX).min(self.counts.len());
        self.counts[below..].iter().sum::<u128>() as f64 / self.total
    }

    /// P(S ≤ s) for each s.
    pub(super) fn tails(&self) -> Vec<f64> {
        let mut sum = 0;
        let tail = |count: &u128| {
            sum += count;
            sum as f64 / self.total
        };
        self.counts.iter().map(tail).collect()
    }

    /// The largest c for which `fits(P(S ≤ c))`; `None` if not even 0 does.
    pub(super) fn largest(&self, fits: impl Fn(f64) -> bool) -> Option<u64> {
        let mut tail = 0;
        let fitting = self.counts.iter().zip(0_u64..).take_while(|(count, _)| {
            tail += **count;
            fits(tail as f64 / self.total)
        });
        fitting.last().map(|(_, sum)| sum)
    }
}

/// The sum over a random subset of `ranks`, each in or out with probability ½: the signed-rank
/// statistic given the ranks. O(n·Σranks); at most 31 ranks, or counts overflow.
pub(super) fn sign_flips(ranks: &[u64]) -> Null {
    // Small counts, copied and added as slices: a search for an end of an interval asks for dozens of these.
    let mut counts = vec![1_u32];
    let mut next = Vec::new();
    for &rank in ranks {
        let rank = index(rank);
        next.clone_from(&counts);
        next.resize(counts.len() + rank, 0);
        next[rank..].iter_mut().zip(&counts).for_each(|(to, from)| *to += from);
        std::mem::swap(&mut counts, &mut next);
    }
    Null::new(counts.into_iter().map(u128::from).collect())
}

/// The sum over a random subset of `take` of the `ranks`, less `take` times the smallest: the rank sum of a sample
/// given the ranks of both samples, ties included. `ranks` are ascending. O(n·take·Σ of the largest less the
/// smallest), in which n is without the ranks that equal the largest, which are added together: of values that are all
/// the same on each side nearly nothing is left; C(n, take) must stay below 2⁶⁴.
pub(super) fn rank_sums(ranks: &[u64], take: usize) -> Null {
    let smallest = ranks.first().copied().unwrap_or(0);
    let ranks: Vec<usize> = ranks.iter().map(|rank| index(rank - smallest)).collect();
    let widest = |of: &[usize], take: usize| of[of.len() - take..].iter().sum::<usize>() + 1;
    let largest = ranks.last().copied().unwrap_or(0);
    let equal = ranks.iter().rev().take_while(|rank| **rank == largest).count();
    let singly = ranks.len() - equal;
    // Row j: subsets of j of the ranks so far.
    let mut rows = vec![vec![0_u64; widest(&ranks[..singly], take.min(singly))]; take + 1];
    rows[0][0] = 1;
    for (before, &rank) in ranks[..singly].iter().enumerate() {
        let left = ranks.len() - before - 1;
        // Rows that have subsets so far, and from which `take` can still be reached.
        for j in (take.saturating_sub(left).max(1)..=take.min(before + 1)).rev() {
            let width = widest(&ranks[..before], j - 1);
            let (fewer, row) = rows.split_at_mut(j);
            let to = row[0][rank..][..width].iter_mut();
            to.zip(&fewer[j - 1]).for_each(|(to, from)| *to += from);
        }
    }
    let mut counts = vec![0_u128; widest(&ranks, take)];
    let mut ways = 1_u128;
    for of_equal in 0..=equal.min(take) {
        if take - of_equal <= singly {
            let width = widest(&ranks[..singly], take - of_equal);
            let to = counts[of_equal * largest..][..width].iter_mut();
            to.zip(&rows[take - of_equal]).for_each(|(to, from)| *to += ways * u128::from(*from));
        }
        // C(equal, of_equal + 1); the product is below take times 2⁶⁴.
        ways = ways * (equal - of_equal) as u128 / (of_equal + 1) as u128;
    }
    Null::new(counts)
}

/// Mann–Whitney's U without ties for samples of `m` and `n`: the coefficients of the Gaussian
/// binomial [m + n over m]_q = Π (1 − q^(n+i)) / (1 − q^i), i = 1…m. O(m²·n); the number of
/// arrangements C(m + n, m) must stay below 2¹²⁸.
///
/// Andrews, The Theory of Partitions (1976), §3.2: these count the partitions into at most m parts
/// of at most n, which is what U counts.
pub(super) fn mann_whitney_u(m: usize, n: usize) -> Null {
    let mut counts = vec![0_u128; m * n + 1];
    counts[0] = 1;
    for i in 1..=m {
        // Multiplication leaves negative coefficients until the division is done. Both wrap: the
        // results are exact modulo 2¹²⁸, and they are below it.
        for sum in (n + i..counts.len()).rev() {
            counts[sum] = counts[sum].wrapping_sub(counts[sum - n - i]);
        }
        for sum in i..counts.len() {
            counts[sum] = counts[sum].wrapping_add(counts[sum - i]);
        }
    }
    Null::new(counts)
}

/// A rank as an offset. Ranks come from positions in slices, so they always fit.
fn index(rank: u64) -> usize {
    usize::try_from(rank).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// How many subsets of `take` of the ranks have each sum, counted one by one.
    fn counted(ranks: &[u64], take: usize) -> Vec<u128> {
        let mut counts: Vec<u128> = Vec::new();
        let smallest = ranks[0];
        for subset in 0_u32..1 << ranks.len() {
            let chosen = ranks.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1);
            let chosen: Vec<usize> = chosen.map(|(_, rank)| index(rank - smallest)).collect();
            if chosen.len() == take {
                let sum: usize = chosen.iter().sum();
                counts.resize(counts.len().max(sum + 1), 0);
                counts[sum] += 1;
            }
        }
        counts
    }

    proptest! {
        /// Would catch subsets that are missed or counted twice where the largest ranks are tied, or all are.
        #[test]
        fn ties_of_the_largest_are_added_together(
            mut ranks in vec(2_u64..7, 1..10),
            largest in 0_usize..4,
            take in 0_usize..9,
        ) {
            ranks.extend(std::iter::repeat_n(7, largest));
            ranks.truncate(12);
            ranks.sort_unstable();
            let take = take.min(ranks.len());
            prop_assert_eq!(rank_sums(&ranks, take).counts, counted(&ranks, take));
        }
    }
}
