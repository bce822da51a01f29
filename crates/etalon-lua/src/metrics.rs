//! The metrics of a Lua case, by which the driver names its readings.

use std::sync::LazyLock;

use etalon_core::metrics;
use etalon_core::model::{Direction, Kind, Metric, Per};
use etalon_core::units::Unit;

/// Name, unit, what a value is of, and whether less of it is better.
const READ: [(&str, &str, Per, Direction); 24] = [
    (metrics::WALL, "ns", Per::Iteration, Direction::Lower),
    (metrics::CPU, "ns", Per::Iteration, Direction::Lower),
    (metrics::REWARM, "ns", Per::Observation, Direction::Neither),
    (metrics::GC_TIME, "ns", Per::Iteration, Direction::Lower),
    (metrics::GC_CYCLES, "count", Per::Observation, Direction::Neither),
    (metrics::ALLOC, "B", Per::Iteration, Direction::Lower),
    (metrics::ALLOCS, "count", Per::Iteration, Direction::Lower),
    (metrics::REALLOCS, "count", Per::Iteration, Direction::Lower),
    (metrics::FREES, "count", Per::Iteration, Direction::Neither),
    (metrics::INTERNED, "B", Per::Iteration, Direction::Neither),
    (metrics::RETURNED, "B", Per::Iteration, Direction::Neither),
    (metrics::PEAK, "B", Per::Observation, Direction::Lower),
    (metrics::HEAP, "B", Per::Observation, Direction::Neither),
    (metrics::RETAINED, "B", Per::Observation, Direction::Lower),
    (metrics::RSS, "B", Per::Observation, Direction::Lower),
    (metrics::FIRST_CALL, "ns", Per::Observation, Direction::Lower),
    (metrics::WARM_CALLS, "count", Per::Observation, Direction::Lower),
    (metrics::WARMUP_CUT, "count", Per::Observation, Direction::Lower),
    (metrics::TRACE_STARTS, "count", Per::Observation, Direction::Neither),
    (metrics::TRACES, "count", Per::Observation, Direction::Neither),
    (metrics::TRACE_ABORTS, "count", Per::Observation, Direction::Neither),
    (metrics::MCODE, "B", Per::Observation, Direction::Neither),
    (metrics::COMPILING, "count", Per::Observation, Direction::Neither),
    (metrics::INTERPRETED, "count", Per::Iteration, Direction::Neither),
];

/// Names besides that suites may not give a number of their own: a report would take it for
/// something else.
const RESERVED: [&str; 4] = ["samples", metrics::SYS, metrics::USER, metrics::INSTRUCTIONS];

/// The metrics of Lua cases, in the order of a record that holds them.
#[must_use]
pub fn all() -> &'static [Metric] {
    static ALL: LazyLock<Vec<Metric>> = LazyLock::new(|| with_resolution(None));
    &ALL
}

/// All of them; `clock_resolution` in seconds.
#[must_use]
pub fn with_resolution(clock_resolution: Option<f64>) -> Vec<Metric> {
    let metric = |(name, unit, per, direction): (&str, &str, Per, Direction)| Metric {
        name: name.to_owned(),
        unit: Unit::new(unit),
        direction,
        kind: Kind::Noisy,
        per,
        resolution: clock_resolution.filter(|_| name == metrics::WALL),
    };
    let empty = metric((metrics::EMPTY_LOOP, "ns", Per::Observation, Direction::Neither));
    READ.into_iter().map(metric).chain([empty]).collect()
}

/// Whether a suite may have a number of its own by this name, which is known once it was measured. The
/// rule is that of `measure.metric`, which refuses all others.
#[must_use]
pub fn may_be_own(name: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    let goes_on = |c: char| begins(c) || c.is_ascii_digit() || ".-".contains(c);
    name.starts_with(begins)
        && name.chars().all(goes_on)
        && !RESERVED.contains(&name)
        && all().iter().all(|metric| metric.name != name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a name that one side refuses and the other takes.
    #[test]
    fn reserved_names_are_those_that_the_module_refuses() {
        let module = include_str!("../lua/measure/metric.lua");
        let list = module.split("local OWN_METRICS = {").nth(1).unwrap().split('}').next().unwrap();
        let refused: Vec<&str> = list.split('\'').skip(1).step_by(2).collect();
        let mut known: Vec<&str> = all().iter().map(|metric| metric.name.as_str()).collect();
        known.extend(RESERVED);
        known.sort_unstable();
        assert_eq!(refused, known);
    }

    #[test]
    fn names_a_suite_may_give() {
        for name in ["size", "_", "csw", "a.b-c_1"] {
            assert!(may_be_own(name), "{name}");
        }
        for name in ["", "wall", "cpu", "1st", "-x", "größe", "a b", "sec/op"] {
            assert!(!may_be_own(name), "{name}");
        }
    }
}
