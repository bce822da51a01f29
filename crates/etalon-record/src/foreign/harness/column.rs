//! Quantities as harnesses name them, and columns of cells.
//!
//! Owns the meaning of their words for units: which is a time per call, which a rate, which a size. Refuses values.

use etalon_core::model::Direction;
use etalon_core::units::is_rate;

use super::results::{Cell, Column, Iterations, Quantity, Run};

/// Words for units of time, as etalon spells them.
const TIMES: [(&str, &str); 18] = [
    ("s", "s"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("ms", "ms"),
    ("msec", "ms"),
    ("millisecond", "ms"),
    ("milliseconds", "ms"),
    ("us", "us"),
    ("µs", "us"),
    ("usec", "us"),
    ("microsecond", "us"),
    ("microseconds", "us"),
    ("ns", "ns"),
    ("nsec", "ns"),
    ("nanosecond", "ns"),
    ("nanoseconds", "ns"),
];

/// Words for units of size, as etalon spells them.
const SIZES: [(&str, &str); 10] = [
    ("B", "B"),
    ("byte", "B"),
    ("bytes", "B"),
    ("kB", "kB"),
    ("KB", "kB"),
    ("MB", "MB"),
    ("GB", "GB"),
    ("KiB", "KiB"),
    ("MiB", "MiB"),
    ("GiB", "GiB"),
];

/// Words for a call, behind the slash.
const CALLS: [&str; 7] = ["op", "iter", "iteration", "call", "round", "run", ""];

/// The unit of time that a word means.
pub(in crate::foreign) fn time(word: &str) -> Option<&'static str> {
    TIMES.iter().find(|(known, _)| *known == word).map(|(_, unit)| *unit)
}

/// The unit of size that a word means.
pub(in crate::foreign) fn size(word: &str) -> Option<&'static str> {
    SIZES.iter().find(|(known, _)| *known == word).map(|(_, unit)| *unit)
}

/// The quantity that a harness gives in a unit: a time per call is etalon's, of sizes and of time per something else less
/// is better, of rates more; nothing else says which way.
pub(super) fn quantity(unit: &str) -> Quantity {
    let unit = unit.trim();
    let (what, per) = unit.split_once('/').unwrap_or((unit, ""));
    let (what, per) = (what.trim(), per.trim());
    let is_call = CALLS.contains(&per);
    match (time(what), size(what)) {
        (Some(time), _) if is_call => Quantity::wall(time),
        (_, Some(size)) if is_call => Quantity::lower("size", size),
        _ if is_rate(&format!("{what}/{per}")) => Quantity::higher(unit, unit),
        (Some(_), _) => Quantity::lower(unit, unit),
        _ if unit.is_empty() => Quantity::neither("value", "count"),
        _ => Quantity::neither(unit, unit),
    }
}

/// The quantity with a direction that the harness says.
pub(super) fn directed(unit: &str, direction: Direction) -> Quantity {
    Quantity { direction, ..quantity(unit) }
}

/// A run of one quantity.
pub(super) fn run(quantity: usize, cells: Vec<Cell>, iterations: Iterations) -> Run {
    Run { iterations, ..Run::new(vec![Column { quantity, cells }]) }
}

/// A run of one number.
pub(super) fn centre(quantity: usize, cell: Cell, iterations: Iterations) -> Run {
    run(quantity, vec![cell], iterations)
}

/// A count of calls, where it is a whole number.
pub(super) fn calls(cell: Option<&Cell>) -> Option<i64> {
    whole(cell?.number()?)
}

/// A number as an integer, where it is one that a double holds.
#[allow(clippy::cast_possible_truncation)] // looked at
pub(super) fn whole(number: f64) -> Option<i64> {
    let is_whole = number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
    is_whole.then_some(number as i64)
}

/// So many calls in each reading.
pub(super) fn same(calls: Option<i64>) -> Iterations {
    calls.map_or(Iterations::Unsaid, Iterations::Same)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a rate that is better the lower it is, and a time that no other file's time is held against.
    #[test]
    fn units_as_harnesses_spell_them() {
        let all = [
            ("ns/iter", "wall", "ns", Direction::Lower),
            ("us/op", "wall", "us", Direction::Lower),
            ("seconds", "wall", "s", Direction::Lower),
            ("ns/req", "ns/req", "ns/req", Direction::Lower),
            ("ops/s", "ops/s", "ops/s", Direction::Higher),
            ("iter/sec", "iter/sec", "iter/sec", Direction::Higher),
            ("MB/s", "MB/s", "MB/s", Direction::Higher),
            ("bytes", "size", "B", Direction::Lower),
            ("B/op", "size", "B", Direction::Lower),
            ("calls", "calls", "calls", Direction::Neither),
            ("", "value", "count", Direction::Neither),
        ];
        for (written, name, unit, direction) in all {
            let Quantity { name: is, unit: of, direction: way, .. } = quantity(written);
            assert_eq!((&*is, &*of, way), (name, unit, direction), "{written}");
        }
    }
}
