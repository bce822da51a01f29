//! Tukey's fences: how many values lie far outside the middle half. Counts, never removes.

use super::quantile::quartiles;
use super::sorted::Sorted;

/// Values beyond the fences of a box plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TukeyOutliers {
    /// The lower fence, unit of the values; no lower than the most negative number.
    pub lower_fence: f64,
    /// The upper fence, unit of the values; no higher than the largest number.
    pub upper_fence: f64,
    /// How many values lie below the lower fence.
    pub below: usize,
    /// How many values lie above the upper fence.
    pub above: usize,
}

/// How many values lie below q₁ − 1.5·(q₃ − q₁) or above q₃ + 1.5·(q₃ − q₁), quartiles of type 7 as
/// everywhere; a value on a fence is inside. `None` for an empty sample. O(log n).
///
/// Nothing is wrong with a value because it lies outside: of a normal distribution 0.7 % do. Where
/// q₁ = q₃ every other value lies outside.
///
/// Tukey, Exploratory Data Analysis (1977), §2D.
#[must_use]
pub fn tukey_outliers(sorted: &Sorted) -> Option<TukeyOutliers> {
    let quartiles = quartiles(sorted)?;
    // q₃ − q₁ may overflow; then both fences lie beyond every number.
    let reach = 1.5 * (quartiles.q3 - quartiles.q1);
    let fence = |fence: f64| fence.clamp(-f64::MAX, f64::MAX);
    let (lower_fence, upper_fence) = (fence(quartiles.q1 - reach), fence(quartiles.q3 + reach));
    let values = sorted.as_slice();
    Some(TukeyOutliers {
        lower_fence,
        upper_fence,
        below: values.partition_point(|&v| v < lower_fence),
        above: values.len() - values.partition_point(|&v| v <= upper_fence),
    })
}
