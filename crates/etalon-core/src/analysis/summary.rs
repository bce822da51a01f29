//! What is shown of one benchmark: per metric the median with its interval, the mode, the
//! quartiles, mean and standard deviation.

use super::{Subject, notes};
use crate::estimate::{self, Estimate};
use crate::model::{Benchmark, Metric, OutcomeCounts, RunSet};
use crate::sample::Sample;
use crate::stats::{self, Quartiles};

/// One metric of one benchmark. Values in base units.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricSummary {
    /// The metric.
    pub metric: Metric,
    /// Number of values.
    pub n: usize,
    /// The median with its interval.
    pub median: Estimate,
    /// Minimum, quartiles, maximum.
    pub quartiles: Quartiles,
    /// Half-sample mode; absent below ten values.
    pub mode: Option<f64>,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation; absent below two values.
    pub stddev: Option<f64>,
    /// Remarks about these values, for wherever they are shown.
    pub notes: Vec<String>,
}

/// One benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// What was declared.
    pub benchmark: Benchmark,
    /// Which run set it is from.
    pub source: String,
    /// How its measured executions ended.
    pub outcomes: OutcomeCounts,
    /// How its warm-up executions ended.
    pub warmup_outcomes: OutcomeCounts,
    /// Descendants that had to be killed.
    pub leftovers: u64,
    /// Executions that left any behind.
    pub with_leftovers: u64,
    /// One per metric that has values.
    pub metrics: Vec<MetricSummary>,
}

impl Summary {
    /// The summary of a metric, by name.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<&MetricSummary> {
        self.metrics.iter().find(|summary| summary.metric.name == name)
    }
}

/// One summary per subject, in their order.
pub(super) fn summaries(sets: &[RunSet], subjects: &[Subject], level: f64) -> Vec<Summary> {
    let declared = sets.iter().flat_map(|set| {
        set.benchmarks
            .iter()
            .zip(&set.series)
            .map(move |(benchmark, series)| (set, benchmark, series))
    });
    let summary = |((set, benchmark, series), subject): ((&RunSet, &Benchmark, _), &Subject)| {
        let series: &crate::model::Series = series;
        let metrics = subject.metrics.iter().zip(&subject.samples);
        Summary {
            benchmark: benchmark.clone(),
            source: set.source.clone(),
            outcomes: series.outcomes,
            warmup_outcomes: series.warmup_outcomes,
            leftovers: series.leftovers,
            with_leftovers: series.with_leftovers,
            metrics: metrics
                .filter_map(|(m, sample)| metric_summary(m, sample, level, floor(set)))
                .collect(),
        }
    };
    declared.zip(subjects).map(summary).collect()
}

/// The launcher's own peak memory in bytes, if the record says so.
fn floor(set: &RunSet) -> Option<f64> {
    set.context.get("launcher.rss")?.parse().ok()
}

fn metric_summary(
    metric: &Metric,
    sample: &Sample,
    level: f64,
    floor: Option<f64>,
) -> Option<MetricSummary> {
    let quartiles = stats::quartiles(sample.sorted())?;
    Some(MetricSummary {
        notes: notes::of_metric(metric, &quartiles, floor),
        metric: metric.clone(),
        n: sample.len(),
        median: estimate::median(sample, level, metric.resolution)?,
        quartiles,
        mode: stats::half_sample_mode(sample.sorted()),
        mean: stats::mean(&sample.values)?,
        stddev: stats::stddev(&sample.values),
    })
}
