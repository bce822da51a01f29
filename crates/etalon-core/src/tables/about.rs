//! The subject of a threshold or a waiver of a check: rows of tables, by unit and benchmark.
//!
//! Owns when a benchmark is meant by a name. Refuses to say what holds of it.

use std::fmt;

use regex::Regex;

use super::Labels;
use crate::dataset::tidy;
use crate::metrics;

/// Rows of tables.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct About {
    /// The unit as a table has it, or the metric that it is of; every unit with a direction if absent.
    pub unit: Option<String>,
    /// The benchmarks; all of them if absent.
    pub benchmark: Option<BenchmarkPattern>,
}

/// Benchmarks, by a name or by a regular expression.
#[derive(Debug, Clone)]
pub enum BenchmarkPattern {
    /// A name: whole, or without its parts or its processors.
    Named(String),
    /// Labels in which it is found.
    Matching(Regex),
}

impl About {
    /// Rows of a unit, written as in a file or as in a table.
    #[must_use]
    pub fn unit(unit: Option<&str>) -> About {
        About { unit: unit.map(|unit| tidy(unit).unit), benchmark: None }
    }

    /// Whether a row of a unit's table is meant.
    #[must_use]
    pub fn is_of(&self, unit: &str, row: &Labels) -> bool {
        self.has_unit(unit) && self.benchmark.as_ref().is_none_or(|benchmark| benchmark.is_of(row))
    }

    /// Whether rows of a unit are meant.
    #[must_use]
    pub fn has_unit(&self, unit: &str) -> bool {
        let of = metrics::by_unit(unit);
        let is_wall = |asked: &String| of == "sec" && asked == metrics::WALL;
        let is = |asked: &String| asked == unit || asked == of || is_wall(asked);
        self.unit.as_ref().is_none_or(is)
    }

    /// How much of a row it names: what names the benchmark goes before what names the unit.
    #[must_use]
    pub(super) fn precision(&self) -> (bool, bool) {
        (self.benchmark.is_some(), self.unit.is_some())
    }
}

/// As it stands in messages: `Sum, sec/op`.
impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.benchmark, &self.unit) {
            (None, None) => f.write_str("everything"),
            (Some(benchmark), None) => write!(f, "{benchmark}"),
            (None, Some(unit)) => f.write_str(unit),
            (Some(benchmark), Some(unit)) => write!(f, "{benchmark}, {unit}"),
        }
    }
}

impl BenchmarkPattern {
    /// A name, or a regular expression between slashes.
    ///
    /// # Errors
    /// If it is empty, or no regular expression: in words.
    pub fn parse(text: &str) -> Result<BenchmarkPattern, String> {
        let between = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        match between {
            _ if text.is_empty() => Err("is empty: name a benchmark, or write /re/".to_owned()),
            Some("") => Err("is empty: write an expression between the slashes".to_owned()),
            Some(regexp) => Regex::new(regexp).map(BenchmarkPattern::Matching).map_err(|error| {
                let said = error.to_string();
                let last = said.lines().next_back().unwrap_or_default();
                format!("{text} is no regular expression: {}", last.trim_start_matches("error: "))
            }),
            None => Ok(BenchmarkPattern::Named(text.to_owned())),
        }
    }

    fn is_of(&self, row: &Labels) -> bool {
        match self {
            BenchmarkPattern::Named(name) => is_row_of(name, row),
            BenchmarkPattern::Matching(regexp) => {
                row.iter().flatten().any(|label| regexp.is_match(label))
            }
        }
    }
}

/// Two expressions are the same if they are written the same.
impl PartialEq for BenchmarkPattern {
    fn eq(&self, other: &BenchmarkPattern) -> bool {
        self.to_string() == other.to_string()
    }
}

impl fmt::Display for BenchmarkPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchmarkPattern::Named(name) => f.write_str(name),
            BenchmarkPattern::Matching(regexp) => write!(f, "/{regexp}/"),
        }
    }
}

/// Whether a row is of a benchmark of that name.
#[must_use]
pub fn is_row_of(name: &str, row: &Labels) -> bool {
    let whole = || row.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
    row.iter().flatten().any(|label| is_named(name, label)) || whole() == name
}

/// Whether a benchmark is meant by a name: its own, or that without its `/` parts or its processors; Go's with
/// or without `Benchmark`.
#[must_use]
pub fn is_named(name: &str, label: &str) -> bool {
    let is = |name: &str| {
        label == name
            || label.split('/').next() == Some(name)
            || without_processors(label) == name
            || without_processors(label.split('/').next().unwrap_or(label)) == name
    };
    is(name) || name.strip_prefix("Benchmark").is_some_and(is)
}

/// A full name without the number of processors behind it, which is what differs between machines.
fn without_processors(label: &str) -> &str {
    match label.rsplit_once('-') {
        Some((name, digits))
            if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) =>
        {
            name
        }
        _ => label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a row that is meant and left out, and one that is taken along.
    #[test]
    fn rows_are_meant_by_unit_and_benchmark() {
        let pattern = |text: &str| BenchmarkPattern::parse(text).expect("a pattern");
        let row = |label: &str| vec![Some("pkg".to_owned()), None, Some(label.to_owned())];
        let about = |benchmark: &str, unit: &str| About {
            unit: Some(unit).filter(|unit| !unit.is_empty()).map(str::to_owned),
            benchmark: Some(benchmark).filter(|it| !it.is_empty()).map(pattern),
        };
        for (benchmark, unit, label, is_meant) in [
            ("", "", "Sum-8", true),
            ("Sum", "", "Sum-8", true),
            ("BenchmarkSum", "sec/op", "Sum/large-8", true),
            ("Sum/large", "sec/op", "Sum/large-8", true),
            ("Sum/large", "", "Sum/small-8", false),
            ("Sum", "B/op", "Sum-8", false),
            ("Sum", "cpu", "Sum-8", false),
            ("Sum", "wall", "Sum-8", true),
            ("/^S.m/", "", "Sum-8", true),
            ("/^um/", "", "Sum-8", false),
            ("/large|small/", "sec/op", "Sum/small-8", true),
        ] {
            let about = about(benchmark, unit);
            assert_eq!(about.is_of("sec/op", &row(label)), is_meant, "{about} of {label}");
        }
        assert!(About::unit(Some("rss")).has_unit("rss-B/op"));
        assert!(About::unit(Some("p99-ns")).has_unit("p99-sec"));
        for bad in ["", "//", "/(/"] {
            assert!(BenchmarkPattern::parse(bad).is_err(), "{bad}");
        }
    }
}
