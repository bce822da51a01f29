//! Units by name: tidied from `ns` and `MB`, and what a source declares about them.
//!
//! Owns the rule (golang.org/x/perf/benchunit is the reference) that the numerator's `ns` becomes `sec`
//! and its `MB` becomes `B`, and with it the number, by the unit alone: a 0 stays with its neighbours.
//! Refuses to choose a unit for display: that is the report's.

use super::{Dataset, RunSetId};
use crate::model::{Direction, Kind};
use crate::units::{is_rate, is_time_or_size, last_word};

/// A unit tidied.
#[derive(Debug, Clone, PartialEq)]
pub struct Tidied {
    /// The tidied unit.
    pub unit: String,
    /// A number in it is the written one times ten to this power.
    pub power: i32,
    /// That power as a factor, rounded as golang.org/x/perf rounds it.
    pub factor: f64,
}

/// Powers of ten that are applied; a unit beyond stays as it is written. Because: no unit that means
/// something has more, and a number tidied must stay finite.
const LARGEST_POWER: i32 = 36;

/// Tidies a unit: `ns/op` is `sec/op`, `p99-ns` is `p99-sec`, `MB/s` is `B/s`, `B/ns` stays.
#[must_use]
pub fn tidy(unit: &str) -> Tidied {
    let tidied = edited(unit);
    if tidied.power.abs() <= LARGEST_POWER {
        return tidied;
    }
    Tidied { unit: unit.to_owned(), power: 0, factor: 1.0 }
}

fn edited(unit: &str) -> Tidied {
    let mut tidied = Tidied { unit: String::with_capacity(unit.len() + 1), power: 0, factor: 1.0 };
    let mut denominator = false;
    let mut rest = unit;
    while let Some(first) = rest.chars().next() {
        let separates = |c: char| matches!(c, '*' | '/' | '-') || c.is_whitespace();
        let end = rest.find(separates).unwrap_or(rest.len()).max(first.len_utf8());
        let (token, after) = rest.split_at(if separates(first) { first.len_utf8() } else { end });
        match token {
            "*" => denominator = false,
            "/" => denominator = true,
            _ => {}
        }
        match (token, denominator) {
            ("ns", false) => {
                tidied.unit.push_str("sec");
                tidied.power -= 9;
                tidied.factor /= 1e9;
            }
            ("MB", false) => {
                tidied.unit.push('B');
                tidied.power += 6;
                tidied.factor *= 1e6;
            }
            _ => tidied.unit.push_str(token),
        }
        rest = after;
    }
    tidied
}

/// Which way a unit is better by its name alone: what is per time is a rate, and more of it is better
/// (`B/s`, `req/s`); a time, a size or a number of allocations is better the less it is, whatever it is per
/// (`sec/op`, `p99-sec`, `peak-bytes`, `allocs/op`). Nothing else says which way.
#[must_use]
pub fn direction_by_name(unit: &str) -> Direction {
    if is_rate(unit) {
        return Direction::Higher;
    }
    match last_word(unit) == "allocs" || is_time_or_size(unit) {
        true => Direction::Lower,
        false => Direction::Neither,
    }
}

/// One thing declared about a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitMetadata {
    /// The unit, tidied.
    pub unit: String,
    /// The unit as written.
    pub written: String,
    /// The declared key: `better`, `assume`, or anything else.
    pub key: String,
    /// The declared value.
    pub value: String,
    /// The run set whose source says so.
    pub run_set: RunSetId,
    /// The line, counted from 1; absent for a source without lines.
    pub line: Option<u64>,
}

impl Dataset {
    /// The declaration about a tidied unit.
    #[must_use]
    pub fn declared(&self, unit: &str, key: &str) -> Option<&str> {
        let mut declared = self.index.metadata.get(unit)?.iter().map(|at| &self.metadata[*at]);
        declared.find(|of| of.key == key).map(|of| of.value.as_str())
    }

    /// Which way a tidied unit is better: as declared (`better=lower` or `higher`; anything else is
    /// neither), else by its name ([`direction_by_name`]).
    #[must_use]
    pub fn direction(&self, unit: &str) -> Direction {
        match self.declared(unit, "better") {
            Some("lower") => Direction::Lower,
            Some("higher") => Direction::Higher,
            Some(_) => Direction::Neither,
            None => direction_by_name(unit),
        }
    }

    /// Whether readings of a tidied unit scatter: not where `assume=exact` is declared.
    #[must_use]
    pub fn kind(&self, unit: &str) -> Kind {
        match self.declared(unit, "assume") {
            Some("exact") => Kind::Exact,
            _ => Kind::Noisy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a rate that is worse the higher it is, and a name that is taken for a unit.
    #[test]
    fn names_say_which_way_is_better() {
        for unit in
            ["sec/op", "B/op", "allocs/op", "p99-sec", "lat-ms", "peak-bytes", "s", "B", "sec/GC"]
        {
            assert_eq!(direction_by_name(unit), Direction::Lower, "{unit}");
        }
        for unit in ["B/s", "req/s", "items/ns", "op/sec"] {
            assert_eq!(direction_by_name(unit), Direction::Higher, "{unit}");
        }
        for unit in ["widgets", "widgets/op", "x-min", "hits", "%", "", "/", "score/B"] {
            assert_eq!(direction_by_name(unit), Direction::Neither, "{unit}");
        }
    }

    /// `Tidy` of golang.org/x/perf/benchunit gives these.
    #[test]
    fn units_are_tidied_in_the_numerator_only() {
        let cases = [
            ("ns/op", "sec/op", -9, 1e-9),
            ("MB/s", "B/s", 6, 1e6),
            ("B/op", "B/op", 0, 1.0),
            ("allocs/op", "allocs/op", 0, 1.0),
            ("p99-ns", "p99-sec", -9, 1e-9),
            ("ns-x/ns*ns", "sec-x/ns*sec", -18, 1e-9 / 1e9),
            ("ns*MB", "sec*B", -3, 1e-9 * 1e6),
            ("items/ns", "items/ns", 0, 1.0),
            ("nsec", "nsec", 0, 1.0),
            ("a-ns-", "a-sec-", -9, 1e-9),
            ("--//", "--//", 0, 1.0),
            ("µns", "µns", 0, 1.0),
            ("", "", 0, 1.0),
        ];
        let silly = "MB*".repeat(60);
        assert_eq!(tidy(&silly), Tidied { unit: silly.clone(), power: 0, factor: 1.0 });
        for (written, unit, power, factor) in cases {
            assert_eq!(tidy(written), Tidied { unit: unit.to_owned(), power, factor }, "{written}");
        }
    }
}
