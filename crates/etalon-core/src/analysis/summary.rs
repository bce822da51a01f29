//! What is shown of one benchmark: per metric the median with its interval, the mode, the
//! quartiles, mean and standard deviation; of the ranked metric also its distribution and course.

use super::{Bar, Distribution, Subject, course, distribution, notes};
use crate::estimate::{self, Estimate};
use crate::model::{Benchmark, Metric, OutcomeCounts, RunSet};
use crate::plan::Settings;
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
    pub notes: Vec<String>,
}

/// One benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// What was declared.
    pub benchmark: Benchmark,
    /// Which run set it is from.
    pub source: String,
    /// Executions that count as measured.
    pub counted: usize,
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
    /// The ranked metric's distribution; absent without values.
    pub distribution: Option<Distribution>,
    /// The ranked metric in time order; empty without values.
    pub course: Vec<Bar>,
}

impl Summary {
    /// The summary of a metric, by name.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<&MetricSummary> {
        self.metrics.iter().find(|summary| summary.metric.name == name)
    }
}

/// One summary per subject, in their order.
pub(super) fn summaries(
    sets: &[RunSet],
    subjects: &[Subject],
    settings: &Settings,
) -> Vec<Summary> {
    let declared = sets.iter().flat_map(|set| {
        set.benchmarks
            .iter()
            .zip(&set.series)
            .map(move |(benchmark, series)| (set, benchmark, series))
    });
    let summary = |((set, benchmark, series), subject): ((&RunSet, &Benchmark, _), &Subject)| {
        let series: &crate::model::Series = series;
        let metrics = subject.metrics.iter().zip(&subject.samples);
        let ranked = subject.sample(&settings.metric).map(|(_, sample)| sample);
        Summary {
            benchmark: benchmark.clone(),
            source: set.source.clone(),
            counted: series.rows as usize,
            outcomes: series.outcomes,
            warmup_outcomes: series.warmup_outcomes,
            leftovers: series.leftovers,
            with_leftovers: series.with_leftovers,
            metrics: metrics
                .filter_map(|(m, sample)| {
                    metric_summary(m, sample, settings.confidence, floor(set))
                })
                .collect(),
            distribution: ranked.and_then(|sample| {
                let quartiles = stats::quartiles(sample.sorted())?;
                Some(distribution::distribution(sample, &quartiles, settings.alpha))
            }),
            course: ranked.map_or_else(Vec::new, |sample| course::course(&sample.values)),
        }
    };
    declared.zip(subjects).map(summary).collect()
}

/// The launcher's own peak memory in bytes, if the record says so.
fn floor(set: &RunSet) -> Option<f64> {
    set.context.get("launcher.rss")?.parse().ok()
}

/// A percentile, from so many values that at least one lies beyond it.
fn percentile(sample: &Sample, q: f64, needs: usize) -> Option<f64> {
    stats::quantile(sample.sorted(), q).filter(|_| sample.len() >= needs)
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
        p95: percentile(sample, 0.95, 20),
        p99: percentile(sample, 0.99, 100),
        mode: stats::half_sample_mode(sample.sorted()),
        mean: stats::mean(&sample.values)?,
        stddev: stats::stddev(&sample.values),
    })
}
