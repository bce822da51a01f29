//! One number, in a place that was declared.
//!
//! Where a program prints several in that place, the last counts: what comes before may be its warm-up.

use etalon_core::model::Number;
use etalon_core::units::{Base, Unit};
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{metric_name, numbers};
use crate::foreign::go::{Record, read_records};

/// Where a number stands in what a program prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// In the line that begins with this name, see [`numbers`].
    Line(String),
    /// In a JSON document, which is all of it or a line of it: names and indices, with dots between them.
    Json(String),
    /// Where this regular expression matches: its first group, or all of it.
    Pattern(String),
    /// In a Go benchmark line: a unit, behind the benchmark's name and a space where it prints several.
    Go(String),
}

/// A number with the unit that stood behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// Finite.
    pub value: Number,
    /// As printed.
    pub unit: Option<String>,
}

impl Quantity {
    /// The number in another unit; `None` if that is of another kind. Without a unit it is in that one.
    #[must_use]
    pub fn in_unit(&self, wanted: &str) -> Option<Number> {
        let per_operation = |unit: &str| unit.strip_suffix("/op").unwrap_or(unit).to_owned();
        let wanted = per_operation(wanted);
        let Some(unit) = self.unit.as_deref().map(per_operation).filter(|unit| *unit != wanted)
        else {
            return Some(self.value);
        };
        let (from, to) = (Unit::new(&unit), Unit::new(&wanted));
        let same = from.base() == to.base();
        same.then(|| Number::Float(from.to_base(self.value.as_f64()) / to.to_base(1.0)))
    }
}

/// Finds the number of a place.
#[derive(Debug)]
pub struct Reader(Method);

#[derive(Debug)]
enum Method {
    Line(String),
    Json(Vec<String>),
    Pattern(Regex),
    Go { benchmark: Option<String>, unit: String },
}

impl Reader {
    /// For this place.
    ///
    /// # Errors
    /// In words, if there can be no such place.
    pub fn new(place: &Place) -> Result<Reader, String> {
        let found = match place {
            Place::Line(name) => metric_name(name).map(Method::Line).ok_or_else(|| {
                format!("no line begins with {name:?}: names have letters, digits, _, . and -")
            })?,
            Place::Json(path) if path.is_empty() => {
                return Err(
                    "a path in JSON is names with dots between them, such as times.pack".into()
                );
            }
            Place::Json(path) => Method::Json(path.split('.').map(str::to_owned).collect()),
            Place::Pattern(pattern) => {
                Method::Pattern(Regex::new(pattern).map_err(|error| error.to_string())?)
            }
            Place::Go(text) => match text.split_whitespace().collect::<Vec<_>>()[..] {
                [unit] => Method::Go { benchmark: None, unit: unit.to_owned() },
                [benchmark, unit] => Method::Go {
                    benchmark: Some(without_prefix(benchmark).to_owned()),
                    unit: unit.to_owned(),
                },
                _ => return Err("write a unit, such as ns/op, or a benchmark and a unit".into()),
            },
        };
        Ok(Reader(found))
    }

    /// The last number there.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Quantity> {
        match &self.0 {
            Method::Line(name) => {
                let last = numbers(text).into_iter().rfind(|number| number.name == *name)?;
                Some(Quantity { value: number(last.value), unit: last.unit })
            }
            Method::Json(path) => {
                let whole = || document(text.trim(), path);
                whole().or_else(|| text.lines().rev().find_map(|line| document(line, path)))
            }
            Method::Pattern(pattern) => {
                let last = pattern.captures_iter(text).last()?;
                plain(last.get(1).or_else(|| last.get(0))?.as_str())
            }
            Method::Go { benchmark, unit } => go(text, benchmark.as_deref(), unit),
        }
    }
}

/// A whole number where it is one.
fn number(value: f64) -> Number {
    let text = value.to_string();
    text.parse().map_or(Number::Float(value), Number::Integer)
}

/// A number without a unit.
fn plain(text: &str) -> Option<Quantity> {
    let text = text.trim();
    let value = match text.parse() {
        Ok(whole) => Number::Integer(whole),
        Err(_) => Number::Float(text.parse().ok().filter(|value: &f64| value.is_finite())?),
    };
    Some(Quantity { value, unit: None })
}

fn document(text: &str, path: &[String]) -> Option<Quantity> {
    let document: Value = serde_json::from_str(text).ok()?;
    let mut at = &document;
    for step in path {
        at = match at {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            other => other.get(step)?,
        };
    }
    match at {
        Value::Number(number) => plain(&number.to_string()),
        Value::String(text) => plain(text),
        _ => None,
    }
}

fn without_prefix(name: &str) -> &str {
    name.strip_prefix("Benchmark").unwrap_or(name)
}

/// The last value before a unit in a benchmark's results, whatever else was printed around them; its name may have the
/// number of processors behind it. What a unit that only the package knows is of (`allocs/op`, `p99-ns`), says who
/// names it as the place.
fn go(text: &str, benchmark: Option<&str>, unit: &str) -> Option<Quantity> {
    let kind = unit.strip_suffix("/op").unwrap_or(unit);
    let is_known = !matches!(Unit::new(kind).base(), Base::Other(_));
    let mut last = None;
    // Reading from memory does not fail.
    let _lines = read_records(text.as_bytes(), |_, record| {
        let Record::Result(result) = record else { return };
        if benchmark.is_some_and(|wanted| wanted != result.name && wanted != alone(result.name)) {
            return;
        }
        let found = result.measurements.iter().find(|it| it.unit(result.text) == unit);
        let number = found.and_then(|it| plain(it.text(result.text)));
        let unit = is_known.then(|| unit.to_owned());
        last = number.map(|number| Quantity { unit, ..number }).or(last.take());
    });
    last
}

/// A name without the number of processors.
fn alone(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((alone, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => alone,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(place: &Place, text: &str) -> Option<Quantity> {
        Reader::new(place).unwrap().find(text)
    }

    fn of(value: Number, unit: Option<&str>) -> Option<Quantity> {
        Some(Quantity { value, unit: unit.map(str::to_owned) })
    }

    /// Would catch a number that is not found where it was declared, one taken from elsewhere, and the first of
    /// several.
    #[test]
    fn a_number_is_found_in_its_place() {
        let line = |name: &str| Place::Line(name.to_owned());
        let text = "warm: 3\npack 1.5 ns/op\nsize: 146 B\nwarm: 4\n";
        assert_eq!(find(&line("pack"), text), of(Number::Float(1.5), Some("ns/op")));
        assert_eq!(find(&line("size"), text), of(Number::Integer(146), Some("B")));
        assert_eq!(find(&line("warm"), text), of(Number::Integer(4), None));
        assert_eq!(find(&line("none"), text), None);

        let json = |path: &str| Place::Json(path.to_owned());
        let text = r#"{"a": {"b": [1, 2.5, "7"]}, "n": null}"#;
        assert_eq!(find(&json("a.b.1"), text), of(Number::Float(2.5), None));
        assert_eq!(
            find(&json("a.b.2"), &format!("starting\n{text}\nbye\n")),
            of(Number::Integer(7), None)
        );
        for path in ["a", "a.b", "a.b.3", "a.b.x", "n", "c"] {
            assert_eq!(find(&json(path), text), None, "{path}");
        }

        let pattern = |pattern: &str| Place::Pattern(pattern.to_owned());
        let text = "took 1.25 s in all, then 3 s";
        assert_eq!(find(&pattern(r"(\S+) s\b"), text), of(Number::Integer(3), None));
        assert_eq!(find(&pattern(r"\d+\.\d+"), text), of(Number::Float(1.25), None));
        assert_eq!(find(&pattern(r"(all)"), text), None);

        let go = |text: &str| Place::Go(text.to_owned());
        let text = "pkg: x\nBenchmarkA-8 100 12.5 ns/op 3 B/op\nBenchmarkB 7 4 ns/op\nok\n";
        assert_eq!(find(&go("ns/op"), text), of(Number::Integer(4), Some("ns/op")));
        assert_eq!(find(&go("BenchmarkA ns/op"), text), of(Number::Float(12.5), Some("ns/op")));
        assert_eq!(find(&go("A-8 B/op"), text), of(Number::Integer(3), Some("B/op")));
        assert_eq!(find(&go("C ns/op"), text), None);
        let torn = "BenchmarkA-8 \t 7\t 4 ns/op\ntick BenchmarkA-8 \ttick\n  9\t 5 ns/op\n";
        assert_eq!(find(&go("A ns/op"), torn), of(Number::Integer(5), Some("ns/op")));
        let text = "BenchmarkA 7 4 ns/op 2 allocs/op 9.5 p99-ns\n";
        assert_eq!(find(&go("allocs/op"), text), of(Number::Integer(2), None));
        assert_eq!(find(&go("p99-ns"), text), of(Number::Float(9.5), None));
    }

    /// Would catch a place that can hold nothing and is taken.
    #[test]
    fn places_that_cannot_be() {
        for place in [
            Place::Line(String::new()),
            Place::Line("7up".into()),
            Place::Json(String::new()),
            Place::Pattern("(".into()),
            Place::Go(String::new()),
            Place::Go("A B ns/op".into()),
        ] {
            assert!(Reader::new(&place).is_err(), "{place:?}");
        }
    }

    /// Would catch bytes recorded as nanoseconds, and a unit that changes a number's last bit for nothing.
    #[test]
    fn units_are_converted_within_their_kind() {
        let quantity = |value: f64, unit: Option<&str>| of(number(value), unit).unwrap();
        assert_eq!(quantity(68.5, Some("ns/op")).in_unit("ns"), Some(Number::Float(68.5)));
        assert_eq!(quantity(3.0, None).in_unit("ns"), Some(Number::Integer(3)));
        assert_eq!(quantity(3.0, Some("us")).in_unit("ns"), Some(Number::Float(3000.0)));
        assert_eq!(quantity(3.0, Some("KiB")).in_unit("B/op"), Some(Number::Float(3072.0)));
        assert_eq!(quantity(3.0, Some("B")).in_unit("ns"), None);
        assert_eq!(quantity(3.0, Some("widgets")).in_unit("gadgets"), None);
    }
}
