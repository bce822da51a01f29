//! One metric of one benchmark in a few numbers: the median with its interval, the mode, the quartiles, mean and
//! standard deviation.
//!
//! Owns from how many values on there is each of them, and the remarks on single metrics. Refuses to know what a
//! benchmark is.

use std::sync::Arc;

use super::subject::Readings;
use crate::estimate::{self, Estimate};
use crate::metrics;
use crate::model::Metric;
use crate::notes::MetricNote;
use crate::sample::Sample;
use crate::stats::{self, Quartiles, Sorted};
use crate::units::Base;

/// Below this, the kernel's tick accounting decides how CPU time splits into user and system
/// (4 ms ticks: ten of them keep the split within about 10 %).
const SPLIT_IS_TICKS_BELOW: f64 = 0.04;

/// A reading shorter than this many clock steps carries a note.
const STEPS_A_READING_NEEDS: f64 = 100.0;

/// The kernel counts resident pages in batches of 64 a CPU: sizes closer than this are not told
/// apart.
const RESIDENT_BATCH: f64 = 64.0 * 4096.0;

/// One metric of one benchmark. Values in base units.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricSummary {
    /// The metric of the figures, with its unit.
    pub metric: Arc<Metric>,
    /// Number of values: executions, or blocks where a block holds several readings.
    pub n: usize,
    /// Number of readings, which quartiles, percentiles, mode, mean and standard deviation are of.
    pub readings: usize,
    /// The median with its interval.
    pub median: Estimate,
    /// Minimum, quartiles, maximum.
    pub quartiles: Quartiles,
    /// 95th percentile; absent below 20 values.
    pub p95: Option<f64>,
    /// 99th percentile; absent below 100 values.
    pub p99: Option<f64>,
    /// Half-sample mode; absent below ten values.
    pub mode: Option<f64>,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation; absent below two values.
    pub stddev: Option<f64>,
    /// Remarks about these values, for wherever they are shown.
    pub notes: Vec<MetricNote>,
}

/// A percentile, from so many values that at least one lies beyond it.
fn percentile(sample: &Sample, q: f64, needs: usize) -> Option<f64> {
    stats::quantile(sample.sorted_readings(), q).filter(|_| sample.readings().len() >= needs)
}

/// The half-sample mode, of what was counted where that is whole numbers: widths of halves in seconds are
/// rounded, and of equally narrow ones not the lowest would be found.
fn mode(base: &Base, sorted: &Sorted) -> Option<f64> {
    // Nothing is allocated for what is not there: there may be few values of each of 100,000 metrics.
    if sorted.len() < stats::FEWEST_FOR_MODE {
        return None;
    }
    let whole: Option<Vec<f64>> =
        sorted.as_slice().iter().map(|value| base.whole(*value)).collect();
    match whole.and_then(|whole| Sorted::from_vec(whole).ok()) {
        Some(whole) => stats::half_sample_mode(&whole).map(|mode| base.value_from_whole(mode)),
        None => stats::half_sample_mode(sorted),
    }
}

/// The summary of a sample; absent without values. `floor` is the launcher's own peak memory in bytes.
pub(super) fn metric_summary(
    Readings { metric, sample }: &Readings,
    level: f64,
    floor: Option<f64>,
) -> Option<MetricSummary> {
    let sorted = sample.sorted_readings();
    let quartiles = stats::quartiles(sorted)?;
    let (median, widening) = estimate::median_widened(sample, level, metric.resolution)?;
    let (mean, stddev) = stats::mean_and_stddev(sample.readings())?;
    let notes = notes(metric, &quartiles, floor);
    let widened =
        widening.map(|widening| MetricNote::Widened { metric: Arc::clone(metric), widening });
    Some(MetricSummary {
        notes: notes.into_iter().chain(widened).collect(),
        metric: Arc::clone(metric),
        n: sample.len(),
        readings: sorted.len(),
        median,
        quartiles,
        p95: percentile(sample, 0.95, 20),
        p99: percentile(sample, 0.99, 100),
        mode: mode(metric.unit.base(), sorted),
        mean,
        stddev,
    })
}

/// Remarks about the values of a metric; `floor` is the launcher's own peak memory in bytes.
fn notes(metric: &Metric, q: &Quartiles, floor: Option<f64>) -> Vec<MetricNote> {
    let mut notes = Vec::new();
    if [metrics::USER, metrics::SYS].contains(&metric.name.as_str())
        && q.median < SPLIT_IS_TICKS_BELOW
    {
        notes.push(MetricNote::SplitByTicks);
    }
    let short = |step: f64| q.median < STEPS_A_READING_NEEDS * step;
    if [metrics::WALL, metrics::CPU].contains(&metric.name.as_str())
        && metric.resolution.is_some_and(short)
    {
        notes.push(MetricNote::NearResolution);
    }
    let floor =
        floor.filter(|floor| metric.name == metrics::RSS && q.median <= floor + RESIDENT_BATCH);
    notes.extend(floor.map(|bytes| MetricNote::LauncherFloor { bytes }));
    notes
}
