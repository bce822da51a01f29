//! What is recorded of a Lua case.

use etalon_core::model::{Direction, Kind, Metric, Per};
use etalon_core::units::Unit;

/// Name, unit, what a value is of, and whether less of it is better.
const ALL: [(&str, &str, Per, Direction); 11] = [
    ("wall", "ns", Per::Iteration, Direction::Lower),
    ("gc_time", "ns", Per::Iteration, Direction::Lower),
    ("gc_cycles", "count", Per::Observation, Direction::Neither),
    ("alloc", "B", Per::Iteration, Direction::Lower),
    ("allocs", "count", Per::Iteration, Direction::Lower),
    ("reallocs", "count", Per::Iteration, Direction::Lower),
    ("frees", "count", Per::Iteration, Direction::Neither),
    ("peak", "B", Per::Observation, Direction::Lower),
    ("heap", "B", Per::Observation, Direction::Neither),
    ("uncollected", "B", Per::Observation, Direction::Lower),
    ("rss", "B", Per::Observation, Direction::Lower),
];

/// What a call takes that does nothing, in the same process: an iteration of the empty loop; for
/// `run_with_timer` an empty target, with the clock around it.
pub(super) const EMPTY_LOOP: &str = "empty_loop";

/// The metrics of a record of Lua cases; `clock_resolution` in seconds.
#[must_use]
pub fn metrics(clock_resolution: Option<f64>) -> Vec<Metric> {
    let metric = |(name, unit, per, direction): (&str, &str, Per, Direction)| Metric {
        name: name.to_owned(),
        unit: Unit::new(unit),
        direction,
        kind: Kind::Noisy,
        per,
        resolution: clock_resolution.filter(|_| name == "wall"),
    };
    let empty = metric((EMPTY_LOOP, "ns", Per::Observation, Direction::Neither));
    ALL.into_iter().map(metric).chain([empty]).collect()
}
