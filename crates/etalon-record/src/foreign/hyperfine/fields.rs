//! What hyperfine calls what it measures, and in which units: one table for reading and writing.

use etalon_core::metrics;

/// A quantity that a run of schema 2 has a field for.
#[derive(Debug)]
pub(super) struct Field {
    /// hyperfine's name.
    pub(super) name: &'static str,
    /// etalon's name for the metric.
    pub(super) metric: &'static str,
    /// hyperfine's word for the unit; a number of things has none.
    pub(super) unit: Option<&'static str>,
}

const fn field(name: &'static str, metric: &'static str, unit: Option<&'static str>) -> Field {
    Field { name, metric, unit }
}

/// All of them, in hyperfine's order. What comes last is read and not written: an earlier name.
pub(super) const FIELDS: [Field; 11] = [
    field("time_wall_clock", metrics::WALL, Some("second")),
    field("time_cpu", metrics::CPU, Some("second")),
    field("time_user", metrics::USER, Some("second")),
    field("time_system", metrics::SYS, Some("second")),
    field("memory_peak_resident", metrics::RSS, Some("byte")),
    field("cpu_cycles", metrics::CYCLES, None),
    field("instructions", metrics::INSTRUCTIONS, None),
    field("cache_references", "cache_references", None),
    field("cache_misses", metrics::CACHE_MISSES, None),
    field("branch_misses", metrics::BRANCH_MISSES, None),
    field("peak_memory_usage", metrics::RSS, Some("byte")),
];

/// The field of this name.
pub(super) fn named(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.name == name)
}

/// The field for a metric.
pub(super) fn for_metric(metric: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.metric == metric)
}
