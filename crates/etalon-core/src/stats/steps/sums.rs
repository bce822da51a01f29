//! Sums of the first values of a series, from which means of stretches follow.

use std::ops::Range;

/// The sum of the first k values, for every k.
pub(super) struct Sums(Vec<f64>);

impl Sums {
    /// Of all values.
    pub(super) fn new(values: &[f64]) -> Sums {
        let mut sums = Vec::with_capacity(values.len() + 1);
        sums.push(0.0);
        let mut sum = 0.0;
        sums.extend(values.iter().map(|value| {
            sum += value;
            sum
        }));
        Sums(sums)
    }

    /// How many values.
    pub(super) fn count(&self) -> usize {
        self.0.len() - 1
    }

    /// The mean of a stretch that is not empty.
    pub(super) fn mean(&self, of: Range<usize>) -> f64 {
        (self.0[of.end] - self.0[of.start]) / of.len() as f64
    }

    /// The largest difference of means on both sides of a place, in standard errors of a long-run variance of 1, with
    /// its place, at least so many points a side.
    pub(super) fn largest(&self, within: Range<usize>, side: usize) -> Option<(f64, usize)> {
        let Range { start, end } = within;
        let all = self.0[end] - self.0[start];
        let n = (end - start) as f64;
        let mut best = None;
        for at in start + side..(end + 1).saturating_sub(side) {
            let (before, after) = ((at - start) as f64, (end - at) as f64);
            let sum = self.0[at] - self.0[start];
            let difference = (all - sum) / after - sum / before;
            let squared = difference * difference * before * after / n;
            if best.is_none_or(|(largest, _)| squared > largest) {
                best = Some((squared, at));
            }
        }
        best.map(|(squared, at)| (squared.sqrt(), at))
    }
}
