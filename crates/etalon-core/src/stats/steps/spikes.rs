//! Spikes: values far off their surroundings are drawn in, so that no single one makes or hides a step.

/// Points on either side of one that make its surroundings: more than the fewest of a step, so that a step survives.
const ASIDE: usize = 7;
/// How far a value may lie off the median of its surroundings, in standard deviations.
const REACH: f64 = 3.0;
/// The standard deviation of a normal distribution over the median distance from its middle, and over that which a
/// tenth of values exceed.
const OF_MEDIAN: f64 = 1.4826;
const OF_TENTH: f64 = 0.608;

/// The values less their median, none further than three standard deviations off the median of those around it. These
/// are 1.4826 times the median distance, or, where that is 0 because of equal values, 0.608 times what a tenth of the
/// distances exceed: where fewer lie off, each of them is a spike. `None` if a value, or what lies between two, is not
/// finite.
pub(super) fn drawn_in(values: &[f64]) -> Option<Vec<f64>> {
    let middle = median(&mut values.to_vec());
    let values: Vec<f64> = values.iter().map(|value| value - middle).collect();
    let sum = values.iter().fold(0.0, |sum, value| sum + value.abs());
    // Squares of sums are formed later.
    if !(sum * sum).is_finite() {
        return None;
    }
    let mut around = Vec::with_capacity(2 * ASIDE + 1);
    let mut local = |at: usize| {
        around.clear();
        around.extend(&values[at.saturating_sub(ASIDE)..(at + ASIDE + 1).min(values.len())]);
        median(&mut around)
    };
    let middles: Vec<f64> = (0..values.len()).map(&mut local).collect();
    let mut off: Vec<f64> =
        values.iter().zip(&middles).map(|(value, middle)| (value - middle).abs()).collect();
    let tenth = off.len() * 9 / 10;
    let deviation = match median(&mut off) {
        0.0 => OF_TENTH * *off.select_nth_unstable_by(tenth, f64::total_cmp).1,
        distance => OF_MEDIAN * distance,
    };
    let reach = REACH * deviation;
    let drawn = |(value, middle): (&f64, &f64)| value.clamp(middle - reach, middle + reach);
    Some(values.iter().zip(&middles).map(drawn).collect())
}

/// The median; 0 of none. Orders what it is given.
fn median(values: &mut [f64]) -> f64 {
    let half = values.len() / 2;
    if values.is_empty() {
        return 0.0;
    }
    let is_even = values.len().is_multiple_of(2);
    let (below, &mut upper, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    if is_even {
        let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        f64::midpoint(lower, upper)
    } else {
        upper
    }
}
