//! The place of a step by the likelihood of a first-order autoregression: what is new in a point is the whole step at
//! the first point of the new level, and (1 − φ) of it behind.

use std::ops::{Range, RangeInclusive};

use super::long_run::LongRun;

/// Points that a likelihood leaves on either side.
const ASIDE: usize = 3;

/// By how much a step at each place lowers the squares of what is new, from `aside` points after the start of a stretch
/// to as many before its end.
///
/// Regression of u (what is new in each point) on c (the level) and d (the step); sums over the part behind a place
/// follow from its ends.
fn gains(values: &[f64], phi: f64, aside: usize) -> Vec<f64> {
    let n = values.len();
    if n < 2 * aside {
        return Vec::new();
    }
    let (first, rest) = ((1.0 - phi * phi).max(1e-9).sqrt(), 1.0 - phi);
    let new: Vec<f64> = (0..n)
        .map(|i| if i == 0 { first * values[0] } else { values[i] - phi * values[i - 1] })
        .collect();
    let level_squares = first * first + (n - 1) as f64 * rest * rest;
    let level_products = first * new[0] + rest * new[1..].iter().sum::<f64>();
    let mut behind: f64 = new[n + 1 - aside..].iter().sum();
    let mut gains = Vec::with_capacity(n);
    for at in (aside..=n - aside).rev() {
        let after = (n - 1 - at) as f64 * rest * rest;
        let step_squares = 1.0 + after;
        let both = rest + after;
        let step_products = new[at] + rest * behind;
        let left = step_squares - both * both / level_squares;
        let product = step_products - both * level_products / level_squares;
        gains.push(product * product / left);
        behind += new[at];
    }
    gains.reverse();
    gains
}

/// The index at which a step is most likely within a stretch, the first of equally likely ones.
pub(super) fn most_likely(values: &[f64], phi: f64, within: Range<usize>) -> Option<usize> {
    let start = within.start + ASIDE;
    let gains = gains(&values[within], phi, ASIDE).into_iter().enumerate();
    let best = gains.reduce(|a, b| if b.1 > a.1 { b } else { a })?;
    Some(start + best.0)
}

/// The indices at which the step at `at` may be, at a level: from the first to the last whose likelihood is near
/// enough.
///
/// Twice what the logarithm of the likelihood lacks is twice the larger of two exponential variables: Hansen (2000).
pub(super) fn places(
    values: &[f64],
    scatter: &LongRun,
    within: Range<usize>,
    (at, level): (usize, f64),
) -> RangeInclusive<usize> {
    let start = within.start + 1;
    let gains = gains(&values[within], scatter.phi, 1);
    let lacks = -2.0 * (1.0 - level.sqrt()).ln() * scatter.news_variance();
    let least = gains[at - start] - lacks;
    let is_near = |gain: &f64| *gain >= least;
    let first = gains.iter().position(is_near).unwrap_or(at - start);
    let last = gains.iter().rposition(is_near).unwrap_or(at - start);
    start + first..=start + last
}
