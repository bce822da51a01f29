//! One benchmark's readings as points and curves.

use super::Axis;
use super::thin::{COLUMNS, MOST, thinned};
use crate::stats::{self, Sorted};

/// A point of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where in the experiment: a block and how far within it, else how many readings were before it.
    pub at: f64,
    /// Base units, or a ratio.
    pub value: f64,
}

/// One benchmark's readings.
#[derive(Debug, Clone, PartialEq)]
pub struct Plotted {
    /// Index among the benchmarks of the analysis, or of a row.
    pub benchmark: usize,
    /// How many readings there are.
    pub readings: usize,
    /// They, or of many so many that none is missed in a picture, in the order in which they were measured.
    pub over_time: Vec<Point>,
    /// Readings of the warm-up, on which no figure rests, thinned in the same way; in order.
    pub warmup: Vec<Point>,
    /// Values that are told apart in a picture, ascending.
    pub ticks: Vec<f64>,
    /// Their density; absent without spread.
    pub density: Option<Density>,
    /// The share of readings at or below a value, ascending.
    pub cumulative: Vec<(f64, f64)>,
}

/// A density along an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Density {
    /// Values ascending, with the height of the curve as a share of the highest one.
    pub curve: Vec<(f64, f64)>,
}

/// Places at which a density is read.
const PLACES: u32 = 160;
/// A density goes on beyond the values for so many bandwidths.
const BEYOND: f64 = 3.0;

/// Of readings in time order, each with where it was measured, and of those of the warm-up. O(n log n).
pub(super) fn plotted(
    benchmark: usize,
    (points, warmup): (Vec<Point>, Vec<Point>),
    axis: Axis,
) -> Option<Plotted> {
    let values: Vec<f64> = points.iter().map(|point| point.value).collect();
    let sorted = Sorted::from_vec(values).ok().filter(|it| !it.is_empty())?;
    Some(Plotted {
        benchmark,
        readings: points.len(),
        over_time: thinned(points),
        warmup: thinned(warmup),
        ticks: ticks(sorted.as_slice(), axis),
        density: density(&sorted, axis),
        cumulative: cumulative(&sorted),
    })
}

/// Each value that no other stands in the place of.
#[allow(clippy::cast_possible_truncation)] // within 0 and COLUMNS
fn ticks(values: &[f64], axis: Axis) -> Vec<f64> {
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return Vec::new() };
    let (from, extent) = (axis.place(*first), axis.place(*last) - axis.place(*first));
    let column = |value: &f64| match extent > 0.0 {
        true => ((axis.place(*value) - from) / extent * COLUMNS as f64).round() as i64,
        false => 0,
    };
    let mut ticks = values.to_vec();
    ticks.dedup_by_key(|value| column(value));
    ticks
}

fn density(sorted: &Sorted, axis: Axis) -> Option<Density> {
    let placed = sorted.mapped(|value| axis.place(value)).ok()?;
    let width = stats::bandwidth(&placed)?;
    let (least, high) = (placed.min()? - BEYOND * width, placed.max()? + BEYOND * width);
    // What is never below 0 is not drawn there: what the curve would have there stands on the other side of 0.
    let is_bounded = axis == Axis::Linear && least < 0.0 && placed.min()? >= 0.0;
    let low = if is_bounded { 0.0 } else { least };
    let step = (high - low) / f64::from(PLACES);
    let places: Vec<f64> = (0..=PLACES).map(|at| low + f64::from(at) * step).collect();
    let mut heights = stats::density(&placed, width, &places);
    if is_bounded {
        let mirrored: Vec<f64> = places.iter().rev().map(|at| -at).collect();
        let beyond = stats::density(&placed, width, &mirrored);
        heights.iter_mut().zip(beyond.iter().rev()).for_each(|(height, it)| *height += it);
    }
    let highest = heights.iter().copied().fold(0.0, f64::max);
    if !highest.is_finite() || highest <= 0.0 {
        return None;
    }
    let curve = places.into_iter().zip(heights).map(|(at, it)| (axis.back(at), it / highest));
    Some(Density { curve: curve.collect() })
}

/// Every step, or of many values so many quantiles.
fn cumulative(sorted: &Sorted) -> Vec<(f64, f64)> {
    let values = sorted.as_slice();
    let n = values.len();
    let every = if n <= MOST / 4 { 1 } else { n.div_ceil(COLUMNS) };
    let at = |rank: usize| (values[rank - 1], rank as f64 / n as f64);
    let mut steps: Vec<(f64, f64)> = (1..=n).step_by(every).map(at).collect();
    steps.extend((n > 1 && !(n - 1).is_multiple_of(every)).then(|| at(n)));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a curve of what is never below 0 that goes on there, or loses what would stand there: against
    /// kernels beside their mirror images, one by one.
    #[test]
    fn densities_end_at_zero() {
        let values = [0.1, 0.2, 0.3, 0.5, 0.8, 1.3, 2.1, 5.0];
        let sorted = Sorted::from_vec(values.to_vec()).unwrap();
        let width = stats::bandwidth(&sorted).unwrap();
        let curve = density(&sorted, Axis::Linear).unwrap().curve;
        assert_eq!(curve[0].0, 0.0);
        let kernel = |x: f64| (-0.5 * (x / width).powi(2)).exp();
        let at = |x: f64| values.iter().map(|it| kernel(x - it) + kernel(x + it)).sum::<f64>();
        let highest = curve.iter().map(|(x, _)| at(*x)).fold(0.0, f64::max);
        for (x, height) in curve {
            assert!((height - at(x) / highest).abs() < 1e-6, "{x}: {height}");
        }
        let far = Sorted::from_vec(values.map(|it| it + 100.0).to_vec()).unwrap();
        assert!(density(&far, Axis::Linear).unwrap().curve[0].0 < 100.0);
        let below = Sorted::from_vec(values.map(|it| it - 1.0).to_vec()).unwrap();
        assert!(density(&below, Axis::Linear).unwrap().curve[0].0 < -1.0);
    }
}
