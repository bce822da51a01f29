//! Facts of one case beside its metrics: how it was sampled, how sure its time is, what it
//! allocates, how it failed.
//!
//! Owns the definitions of the report's columns (`docs/lua.md`, "Reading the report"). Refuses to
//! remove a reading, and to put a number where there is none. What compares cases is in `suites`.

use super::batch_growth;
use super::compiling::{self, Compiling};
use super::derived::Measure;
use super::metric_summary::MetricSummary;
use super::subject::{Readings, Subject};
use super::warming::{self, Courses};
use crate::dataset::{Dataset, ProcessOutput};
use crate::metrics;
use crate::model::{Case, Outcome, Per};
use crate::notes::Growth;
use crate::sample::Sample;
use crate::stats::{self, TukeyOutliers};

/// Facts of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseFacts {
    /// Timed batches.
    pub samples: usize,
    /// Blocks they were made in.
    pub blocks: usize,
    /// Calls in a batch: the median; absent if that is not recorded.
    pub iterations: Option<u64>,
    /// Seconds that the batches took, together.
    pub seconds: f64,
    /// Samples outside Tukey's fences, counted and kept; absent without samples.
    pub outliers: Option<TukeyOutliers>,
    /// The interval of the time per call; absent where there is none.
    pub precision: Option<Precision>,
    /// Rates per second; absent without a time above 0.
    pub rates: Option<Rates>,
    /// How its time grows with the calls made since a collection; absent where that is not seen.
    pub growth: Option<Growth>,
    /// How its processes warmed up; absent where none has samples enough to tell.
    pub courses: Option<Courses>,
    /// Its allocations.
    pub memory: Memory,
    /// The work of a JIT compiler for it; absent where there is none, or nothing was counted.
    pub compiling: Option<Compiling>,
    /// How it failed; absent if it did not.
    pub failures: Option<Failures>,
    /// Text that its processes printed while it was executed.
    pub printed: Vec<ProcessOutput>,
}

/// How sure a time is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    /// Full width of the interval, base units.
    pub width: f64,
    /// That over the estimate.
    pub relative: f64,
    /// The word for that width.
    pub quality: Quality,
    /// Whether it is as narrow as its file asks for; absent if nothing is asked for.
    pub target: Option<Target>,
}

/// The word for a relative width of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    /// At most 2 %.
    Excellent,
    /// At most 5 %.
    Good,
    /// At most 10 %.
    Acceptable,
    /// Above 10 %.
    Poor,
}

impl Quality {
    fn from_width(relative: f64) -> Quality {
        match relative {
            ..=0.02 => Quality::Excellent,
            ..=0.05 => Quality::Good,
            ..=0.10 => Quality::Acceptable,
            _ => Quality::Poor,
        }
    }

    /// The word used in every output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Quality::Excellent => "excellent",
            Quality::Good => "good",
            Quality::Acceptable => "acceptable",
            Quality::Poor => "poor",
        }
    }
}

/// Whether an interval is as narrow as asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// It is.
    Met,
    /// It is wider.
    Missed,
}

/// Rates per second, from the mean time of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Calls per second.
    pub calls: f64,
    /// Bytes per second, if the case declares how many a call works on.
    pub bytes: Option<f64>,
    /// Items per second, likewise.
    pub items: Option<f64>,
}

/// Allocations of calls. Bytes, seconds, counts; absent where nothing was counted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Memory {
    /// Readings, made apart from the timed samples.
    pub readings: usize,
    /// Bytes allocated by a call, the median of the readings.
    pub alloc: Option<f64>,
    /// Largest `alloc` of a reading.
    pub max_alloc: Option<f64>,
    /// That median over the baseline's; absent if only that is 0.
    pub relative: Option<f64>,
    /// Bytes of `alloc` that a call does not allocate while equal strings are in memory, the median;
    /// absent where calls were not seen to find any.
    pub interned: Option<f64>,
    /// Bytes of `alloc` that a call gives back itself, the median; absent where none was seen to.
    pub returned: Option<f64>,
    /// Allocations by a call, the median.
    pub allocs: Option<f64>,
    /// The largest heap seen in a reading.
    pub peak: Option<f64>,
    /// Heap after everything less heap before the first sample, both after a full collection; the
    /// largest of the blocks.
    pub retained: Option<f64>,
    /// That over the samples of that block.
    pub retained_per_sample: Option<f64>,
    /// Seconds of garbage collection by a call, outside the samples; the median.
    pub gc_time: Option<f64>,
}

/// How a case failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Failures {
    /// Blocks in which it did; executions, where there are no blocks.
    pub blocks: usize,
    /// Of so many.
    pub of: usize,
    /// How the first of them ended.
    pub outcome: Outcome,
    /// The message of that one.
    pub said: Option<String>,
}

/// The timed batches of a benchmark together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Batches {
    /// Calls in one, the median (the lower of two).
    calls: Option<u64>,
    /// Seconds they took, together.
    seconds: f64,
}

impl Batches {
    #[allow(clippy::cast_precision_loss)] // a count of calls
    fn new(subject: &Subject<'_>, data: &Dataset) -> Batches {
        let (Some([column]), Some(Measure { metric, .. })) =
            (subject.columns([metrics::WALL]), subject.measure(metrics::WALL))
        else {
            return Batches::default();
        };
        let calls =
            |row: &u32| data.rows.iterations(*row as usize).and_then(|n| u64::try_from(n).ok());
        let mut counts: Vec<u64> = column.rows.iter().filter_map(calls).collect();
        let per_row = |row: &u32| match metric.per {
            Per::Iteration => calls(row).unwrap_or(1) as f64,
            Per::Observation => 1.0,
        };
        let seconds = column.rows.iter().zip(&column.values).map(|(row, v)| v * per_row(row)).sum();
        counts.sort_unstable();
        let middle = counts.len().saturating_sub(1) / 2;
        Batches { calls: counts.get(middle).copied(), seconds }
    }
}

/// The facts of a case; its share of the baseline's memory is not known here.
pub(super) fn facts(
    case: &Case,
    subject: &Subject<'_>,
    metrics: &[MetricSummary],
    data: &Dataset,
) -> CaseFacts {
    let wall = metrics.iter().find(|summary| summary.metric.name == metrics::WALL);
    let batches = Batches::new(subject, data);
    let readings = subject.sample(metrics::WALL);
    let sample = readings.as_ref().map(|readings| &readings.sample);
    CaseFacts {
        samples: wall.map_or(0, |summary| summary.readings),
        blocks: wall.map_or(0, |summary| summary.n),
        iterations: batches.calls,
        seconds: batches.seconds,
        outliers: sample.and_then(|sample| stats::tukey_outliers(sample.sorted_readings())),
        precision: wall.and_then(|summary| precision(case, summary)),
        rates: wall.filter(|summary| summary.mean > 0.0).map(|summary| Rates {
            calls: 1.0 / summary.mean,
            bytes: case.bytes.map(|bytes| bytes / summary.mean),
            items: case.items.map(|items| items / summary.mean),
        }),
        growth: batch_growth::growth(subject, data),
        courses: warming::courses(subject, data),
        memory: memory(subject, metrics, sample),
        compiling: compiling::compiling(
            case,
            metrics,
            wall.map_or(0, |summary| summary.readings),
            subject.group.tally(data).map_or(&[], |tally| &tally.aborts),
        ),
        failures: failures(data, subject, sample),
        printed: subject.group.tally(data).map_or_else(Vec::new, |tally| tally.printed.clone()),
    }
}

fn precision(case: &Case, wall: &MetricSummary) -> Option<Precision> {
    let interval = wall.median.interval.as_ref().ok()?;
    let relative = 2.0 * wall.median.relative_half_width()?;
    let target = case.sampling.target.map(|target| match relative <= target {
        true => Target::Met,
        false => Target::Missed,
    });
    let width = 2.0 * interval.half_width();
    Some(Precision { width, relative, quality: Quality::from_width(relative), target })
}

fn memory(subject: &Subject<'_>, metrics: &[MetricSummary], wall: Option<&Sample>) -> Memory {
    let summary = |name: &str| metrics.iter().find(|summary| summary.metric.name == name);
    let median = |name: &str| summary(name).map(|summary| summary.quartiles.median);
    let largest = |name: &str| summary(name).map(|summary| summary.quartiles.max);
    let kept = subject.sample(metrics::RETAINED);
    let alloc = summary(metrics::ALLOC).or_else(|| summary(metrics::PEAK));
    Memory {
        readings: alloc.map_or(0, |summary| summary.readings),
        alloc: median(metrics::ALLOC),
        max_alloc: largest(metrics::ALLOC),
        relative: None,
        interned: median(metrics::INTERNED),
        returned: median(metrics::RETURNED),
        allocs: median(metrics::ALLOCS),
        peak: largest(metrics::PEAK),
        retained: largest(metrics::RETAINED),
        retained_per_sample: kept.and_then(|Readings { sample, .. }| per_sample(&sample, wall?)),
        gc_time: median(metrics::GC_TIME),
    }
}

/// Memory that stayed behind in the block where most did, over the samples of that block.
#[allow(clippy::cast_precision_loss)] // a count of samples
fn per_sample(kept: &Sample, wall: &Sample) -> Option<f64> {
    let blocks = kept.blocks.iter().zip(&kept.values);
    let (block, most) = blocks.max_by(|a, b| a.1.total_cmp(b.1))?;
    let samples = wall.readings_in(*block);
    (samples > 0).then(|| most / samples as f64)
}

fn failures(data: &Dataset, subject: &Subject<'_>, wall: Option<&Sample>) -> Option<Failures> {
    let uncounted = &subject.group.uncounted;
    let first = data.rows.outcome(*uncounted.first()? as usize);
    let block = |row: &u32| data.rows.place(*row as usize).map(|place| place.block);
    let mut failed: Vec<u32> = uncounted.iter().filter_map(block).collect();
    failed.dedup();
    let measured = wall.map_or(&[][..], |wall| &wall.blocks);
    let whole = measured.iter().filter(|block| !failed.contains(block)).count();
    let blocks = if failed.is_empty() { uncounted.len() } else { failed.len() };
    let said = subject.group.tally(data).and_then(|tally| tally.said.as_ref());
    Some(Failures {
        blocks,
        of: blocks + whole,
        outcome: first.clone(),
        said: said.map(|(_, text)| text.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quality_words_have_their_limits() {
        let word = |relative| Quality::from_width(relative).word();
        assert_eq!([word(0.0), word(0.02), word(0.0201)], ["excellent", "excellent", "good"]);
        assert_eq!([word(0.05), word(0.051)], ["good", "acceptable"]);
        assert_eq!([word(0.10), word(0.101), word(9.0)], ["acceptable", "poor", "poor"]);
    }

    #[test]
    fn a_batch_has_the_median_number_of_calls() {
        use crate::dataset::{Entry, Execution, Written};
        use crate::model::{Benchmark, Metric};
        use crate::run_set::RunSet;
        let metric = Metric { per: Per::Iteration, ..Metric::new("wall", "s") };
        let mut data = Dataset::default();
        let set = data.add_run_set(RunSet::from_source("x")).unwrap();
        let spelling = data.add_metric(set, metric).unwrap();
        let benchmark = data.add_benchmark(set, Benchmark::new("a")).unwrap();
        let under = data.configuration(set, &[]).unwrap();
        // Row 1 is a reading of something else.
        for (calls, seconds) in [(10, 10.0), (7, 0.0), (30, 60.0), (20, 60.0), (1000, 4000.0)] {
            let number = Some((seconds, Written::Computed));
            let entry = [Entry { spelling, number, text: "" }];
            let values = &entry[..usize::from(calls != 7)];
            let execution = Execution { iterations: Some(calls), ..Execution::default() };
            data.add_row((benchmark, under), execution, values.iter().copied()).unwrap();
        }
        let batches = Batches::new(&super::super::subject::subjects(&data)[0], &data);
        assert_eq!(batches.calls, Some(20));
        assert!((batches.seconds - (10.0 + 60.0 + 60.0 + 4000.0)).abs() < 1e-9);
    }
}
