//! What metrics are called, and the units of their values.

use etalon_core::analysis::MetricSummary;
use etalon_core::model::{Metric, Per};

use crate::number::Shown;
use crate::text::clean;

/// The title of a metric; what is said of a call says so.
pub(crate) fn metric_title(metric: &Metric) -> String {
    let title = title(&metric.name);
    if metric.per == Per::Iteration { format!("{title} per call") } else { title }
}

fn title(name: &str) -> String {
    let title = match name {
        "cpu" => "Total CPU time",
        "user" => "User time",
        "sys" => "System time",
        "wall" => "Wall clock",
        "rss" => "Max RSS",
        "faults" => "Page faults",
        "csw" => "Context sw",
        "minflt" => "Minor faults",
        "majflt" => "Major faults",
        "vcsw" => "Voluntary sw",
        "ivcsw" => "Involuntary sw",
        "cpu_wait" => "Wait for a CPU",
        "gc_time" => "Collection",
        "gc_cycles" => "Collections",
        "alloc" => "Allocated",
        "allocs" => "Allocations",
        "reallocs" => "Reallocations",
        "frees" => "Frees",
        "peak" => "Peak of the heap",
        "heap" => "Heap before",
        "uncollected" => "Uncollected",
        "empty_loop" => "Empty loop",
        other => return clean(other),
    };
    title.to_owned()
}

/// The unit that all values of a table row are shown in: the one that fits the median.
pub(crate) fn unit_of(summary: &MetricSummary) -> Shown {
    let q = &summary.quartiles;
    let fitting = |magnitude| Shown::fitting(&summary.metric, magnitude);
    let shown = fitting(if q.median == 0.0 { q.max } else { q.median });
    // An extreme may be too large to be a number in the median's unit.
    let extreme = q.min.abs().max(q.max.abs());
    if shown.number(extreme).is_finite() { shown } else { fitting(extreme) }
}
