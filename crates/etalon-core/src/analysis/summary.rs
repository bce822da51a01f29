//! The summary of one benchmark: each metric's summary, how its executions ended, and of the ranked metric also
//! its distribution and time series.

use std::collections::HashMap;
use std::sync::Arc;

use super::cases::{self, CaseFacts};
use super::derived::Measure;
use super::metric_summary::{MetricSummary, metric_summary};
use super::subject::{Readings, Samples, Subject};
use super::variation::Variation;
use super::{Bin, Distribution, distribution, time_series};
use crate::dataset::Dataset;
use crate::model::{Benchmark, BenchmarkKey, OutcomeCounts};
use crate::plan::Settings;
use crate::run_set::RunSet;
use crate::stats;

/// One benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Its declaration.
    pub benchmark: Arc<Benchmark>,
    /// Its name in notes: its key's label, with all parameters where another key of its source has the same; of a case
    /// whose label another file or group has, too, with that behind it.
    pub label: String,
    /// Which run set it is from.
    pub source: String,
    /// Executions that count as measured.
    pub counted: usize,
    /// How its measured executions ended.
    pub outcomes: OutcomeCounts,
    /// How its warm-up executions ended.
    pub warmup_outcomes: OutcomeCounts,
    /// Descendants that had to be killed.
    pub orphans: u64,
    /// Executions that left any behind.
    pub with_orphans: u64,
    /// One per metric that has values.
    pub metrics: Vec<MetricSummary>,
    /// Its facts as a case; absent for a command.
    pub case: Option<Box<CaseFacts>>,
    /// The ranked metric's distribution; absent without values.
    pub distribution: Option<Distribution>,
    /// The ranked metric in time order; empty without values.
    pub time_series: Vec<Bin>,
    /// Why readings of the ranked metric differ; absent where nobody asked ([`super::Analysis::explain`]), without
    /// values, and among more than a thousand benchmarks.
    pub variation: Option<Variation>,
}

impl Summary {
    /// The summary of a metric, by name.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<&MetricSummary> {
        self.metrics.iter().find(|summary| summary.metric.name == name)
    }
}

/// Readings that are taken together, of as many metrics as have so many. Because: one metric at a time, each
/// waits for all values of a million executions to come from memory, and of thousands of metrics each walks
/// through all of a row; more at once take memory beside a comparison of the ranked one.
const READ_TOGETHER: usize = 1_000_000;

/// One summary per benchmark, in their order. `ranked` has the samples of the settings' metric.
pub(super) fn summaries(
    data: &Dataset,
    ranked: &Samples<'_, '_>,
    settings: &Settings,
) -> Vec<Summary> {
    let summary = |(subject, ranked): (&Subject<'_>, &Option<Readings>)| {
        let (set, group) = (&data.run_sets[subject.run_set.at()], &subject.group);
        let benchmark = &group.benchmark;
        let tally = group.tally(data).cloned().unwrap_or_default();
        let ranked = ranked.as_ref();
        let of = |readings: &Readings| {
            metric_summary(readings, subject.confidence(settings), floor(set))
        };
        let is_ranked = |measure: &Measure| measure.metric.name == settings.metric;
        let others: Vec<&Measure> = subject.measures().filter(|m| !is_ranked(m)).collect();
        let together = (READ_TOGETHER / group.rows.len().max(1)).max(1);
        let mut others = others.chunks(together).flat_map(|some| subject.readings(some));
        let of_measure = |measure: &Measure| match is_ranked(measure) {
            true => of(ranked?),
            false => of(&others.next()??),
        };
        let mut metrics: Vec<MetricSummary> = subject.measures().filter_map(of_measure).collect();
        // Room for four is made at first; most data have one, and there may be thousands of them.
        metrics.shrink_to_fit();
        let case = benchmark.case.as_ref();
        Summary {
            case: case.map(|case| Box::new(cases::facts(case, subject, &metrics, data))),
            label: benchmark.label(),
            benchmark: Arc::clone(benchmark),
            source: set.source.clone(),
            counted: group.rows.len(),
            outcomes: group.outcomes(data),
            warmup_outcomes: tally.warmup_outcomes,
            orphans: tally.orphans,
            with_orphans: tally.with_orphans,
            metrics,
            distribution: ranked.and_then(|Readings { sample, .. }| {
                let quartiles = stats::quartiles(sample.sorted_readings())?;
                Some(distribution::distribution(sample, &quartiles, settings.criteria.alpha))
            }),
            variation: None,
            time_series: ranked
                .map_or_else(Vec::new, |ranked| time_series::time_series(&ranked.sample.in_time())),
        }
    };
    let all = ranked.subjects.iter().zip(&ranked.readings);
    let mut summaries: Vec<Summary> = all.map(summary).collect();
    tell_apart(&mut summaries);
    summaries
}

/// Gives labels that are nobody else's: with all parameters where those that are shown do not tell keys apart, with the
/// file, or the group, where cases of several have them.
fn tell_apart(summaries: &mut [Summary]) {
    let mut keys: HashMap<(String, String), Vec<BenchmarkKey>> = HashMap::new();
    let called = |summary: &Summary| (summary.source.clone(), summary.label.clone());
    for summary in summaries.iter() {
        let of_label = keys.entry(called(summary)).or_default();
        if !of_label.contains(&summary.benchmark.key) {
            of_label.push(summary.benchmark.key.clone());
        }
    }
    for summary in &mut *summaries {
        if keys.get(&called(summary)).is_some_and(|of_label| of_label.len() > 1) {
            summary.label = summary.benchmark.key.full_label();
        }
    }
    let mut scopes: HashMap<String, Vec<(String, Option<String>)>> = HashMap::new();
    for summary in summaries.iter() {
        let Some(case) = &summary.benchmark.case else { continue };
        let of_label = scopes.entry(summary.label.clone()).or_default();
        let scope = (case.file.clone(), case.group.clone());
        if !of_label.contains(&scope) {
            of_label.push(scope);
        }
    }
    for summary in summaries {
        let Some(case) = &summary.benchmark.case else { continue };
        let Some(others) = scopes.get(&summary.label) else { continue };
        let elsewhere = others.iter().any(|(file, _)| *file != case.file);
        let grouped = others.iter().any(|(file, g)| *file == case.file && *g != case.group);
        let group = case.group.as_deref().filter(|_| grouped);
        let file = elsewhere.then_some(case.file.as_str());
        let behind: Vec<&str> = group.into_iter().chain(file).collect();
        if !behind.is_empty() {
            summary.label = format!("{} ({})", summary.label, behind.join(", "));
        }
    }
}

/// The launcher's own peak memory in bytes, if the record says so.
fn floor(set: &RunSet) -> Option<f64> {
    set.context.get("launcher.rss")?.parse().ok()
}
