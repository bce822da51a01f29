//! Names of metrics, and the units of their values.

use etalon_core::analysis::MetricSummary;
use etalon_core::metrics;
use etalon_core::model::{Metric, Per};
use etalon_core::notes::MetricNote;

use crate::number::DisplayUnit;
use crate::text::clean;

/// The title of a metric; what is said of a call says so.
pub(crate) fn metric_title(metric: &Metric) -> String {
    let title = title(&metric.name);
    if metric.per == Per::Iteration { format!("{title} per call") } else { title }
}

/// The title over a column of a metric on a screen: short, and the word that people use.
pub(crate) fn column_title(metric: &Metric) -> String {
    match (metric.name.as_str(), metric.per) {
        (metrics::WALL, Per::Iteration) => "time/call".to_owned(),
        (metrics::WALL, _) => "wall clock".to_owned(),
        (metrics::CPU, _) => "CPU".to_owned(),
        (metrics::RSS, _) => "memory".to_owned(),
        (metrics::ALLOC, _) => "alloc/call".to_owned(),
        (_, Per::Iteration) => format!("{}/call", lower_first(&title(&metric.name))),
        _ => lower_first(&title(&metric.name)),
    }
}

/// Before a peak memory that is not told apart from what every command starts with: the true one may be less.
pub(crate) fn at_most(summary: &MetricSummary) -> &'static str {
    let is_floor = |note: &MetricNote| matches!(note, MetricNote::LauncherFloor { .. });
    if summary.notes.iter().any(is_floor) { "≤ " } else { "" }
}

/// A title within a sentence; one that begins with an abbreviation or a unit keeps it.
pub(crate) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), text.chars().nth(1)) {
        (Some(first), Some(next)) if next.is_lowercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

fn title(name: &str) -> String {
    let title = match name {
        metrics::CPU => "Total CPU time",
        metrics::USER => "User time",
        metrics::SYS => "System time",
        metrics::WALL => "Wall clock",
        metrics::RSS => "Max RSS",
        metrics::INSTRUCTIONS => "Instructions",
        metrics::FAULTS => "Page faults",
        metrics::CSW => "Context sw",
        metrics::MINFLT => "Minor faults",
        metrics::MAJFLT => "Major faults",
        metrics::VCSW => "Voluntary sw",
        metrics::IVCSW => "Involuntary sw",
        metrics::CPU_WAIT => "Wait for a CPU",
        metrics::CPU_WAIT_MAX => "Wait at most",
        metrics::GC_TIME => "Collection",
        metrics::GC_CYCLES => "Collections",
        metrics::ALLOC => "Allocated",
        metrics::ALLOCS => "Allocations",
        metrics::REALLOCS => "Reallocations",
        metrics::FREES => "Frees",
        metrics::PEAK => "Peak of the heap",
        metrics::HEAP => "Heap before",
        metrics::RETAINED => "Uncollected",
        metrics::EMPTY_LOOP => "Empty loop",
        metrics::FIRST_CALL => "First call",
        metrics::WARM_CALLS => "Calls until warm",
        metrics::WARMUP_CUT => "Warm-ups cut short",
        metrics::TRACE_STARTS => "Traces started",
        metrics::TRACES => "Traces completed",
        metrics::TRACE_ABORTS => "Traces aborted",
        metrics::MCODE => "Machine code",
        metrics::COMPILING => "Samples in which traces began",
        metrics::INTERPRETED => "Interpreted",
        other => return clean(other),
    };
    title.to_owned()
}

/// The unit that all values of a table row are shown in: the one that fits the median.
pub(crate) fn unit_of(summary: &MetricSummary) -> DisplayUnit {
    let q = &summary.quartiles;
    let fitting = |magnitude| DisplayUnit::fitting(&summary.metric, magnitude);
    let shown = fitting(if q.median == 0.0 { q.max } else { q.median });
    // An extreme may be too large to be a number in the median's unit.
    let extreme = q.min.abs().max(q.max.abs());
    if shown.number(extreme).is_finite() { shown } else { fitting(extreme) }
}
