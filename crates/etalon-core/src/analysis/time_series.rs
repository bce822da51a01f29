//! The ranked metric in time order, in as many bins as a graph can show.
//!
//! Up to a thousand executions have a bin each. More are put together, a hundred bins of consecutive
//! executions as even as can be: each keeps its maximum beside its median, so that no spike is lost.

use crate::stats::{self, Sorted};

/// One execution, or several consecutive ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// How many executions it stands for.
    pub n: usize,
    /// Their median, base units.
    pub median: f64,
    /// Their largest value, base units.
    pub max: f64,
}

/// A bin each to here: what a person still scrolls through.
const ONE_EACH_TO: usize = 1_000;
/// Bins beyond: enough to see a drift, few enough for one or two screens.
const BINS: usize = 100;

/// The bins of finite values in time order. O(n log n).
pub(super) fn time_series(values: &[f64]) -> Vec<Bin> {
    let bins = if values.len() <= ONE_EACH_TO { values.len() } else { BINS };
    let end = |bin: usize| values.len() * bin / bins;
    (0..bins).filter_map(|bin| together(&values[end(bin)..end(bin + 1)])).collect()
}

fn together(values: &[f64]) -> Option<Bin> {
    let sorted = Sorted::new(values).ok()?;
    Some(Bin { n: values.len(), median: stats::median(&sorted)?, max: sorted.max()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_execution_is_in_one_bin_and_no_maximum_is_lost() {
        for n in [0, 1, 999, 1000, 1001, 1234, 100_003] {
            let mut values = vec![1.0; n];
            if n > 0 {
                values[n / 3] = 7.0;
            }
            let bins = time_series(&values);
            assert_eq!(bins.len(), if n <= 1000 { n } else { 100 });
            assert_eq!(bins.iter().map(|b| b.n).sum::<usize>(), n);
            let (least, most) = (bins.iter().map(|b| b.n).min(), bins.iter().map(|b| b.n).max());
            assert!(most <= least.map(|n| n + 1), "{n}");
            assert_eq!(bins.iter().filter(|b| b.max == 7.0).count(), usize::from(n > 0));
        }
    }

    #[test]
    fn bins_are_in_time_order() {
        let values: Vec<f64> = (0..5000).map(f64::from).collect();
        assert!(time_series(&values).windows(2).all(|w| w[0].max < w[1].median));
    }
}
