//! Numbers in what a program prints: all those that have a line each (`name: value`, `name = value`, `name: value
//! unit`, `name value unit`), and one that stands in a declared [`Place`].
//!
//! Owns which lines are such, and the names and units of their numbers. Refuses to look for numbers in prose: any
//! other line is text. What becomes of several numbers of one name is the caller's business.

mod place;

pub use place::{Place, Quantity, Reader};

/// A number that was printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    /// Its name as a metric can have it: letters, digits, `_`, `.` and `-`.
    pub name: String,
    /// Finite.
    pub value: f64,
    /// The unit as printed behind the number, or the symbol of the unit that the name ends with.
    pub unit: Option<String>,
}

/// Longer names are prose.
const LONGEST_NAME: usize = 64;

/// Longer units are prose.
const LONGEST_UNIT: usize = 24;

/// Units that names end with, in words, and their symbols.
const IN_WORDS: [(&str, &str); 13] = [
    ("seconds", "s"),
    ("secs", "s"),
    ("sec", "s"),
    ("milliseconds", "ms"),
    ("msecs", "ms"),
    ("msec", "ms"),
    ("microseconds", "us"),
    ("usecs", "us"),
    ("usec", "us"),
    ("nanoseconds", "ns"),
    ("nsecs", "ns"),
    ("nsec", "ns"),
    ("bytes", "B"),
];

/// Symbols that a name ends with only in parentheses: alone they may be a word.
const SYMBOLS: [&str; 9] = ["s", "ms", "us", "µs", "ns", "B", "kB", "KB", "MB"];

/// The numbers of a text, in the order printed.
#[must_use]
pub fn numbers(text: &str) -> Vec<Printed> {
    text.lines().filter_map(number).collect()
}

/// The number of a line, if it is nothing but that.
fn number(line: &str) -> Option<Printed> {
    let line = line.trim();
    let (name, rest) = match line.split_once([':', '=']) {
        Some((name, rest)) => (name.trim_end(), rest),
        None => line.split_once(char::is_whitespace)?,
    };
    let mut words = rest.split_whitespace();
    let (value, attached) = value_and_unit(words.next()?)?;
    let unit = attached.or_else(|| words.next());
    let is_unit = |unit: &str| {
        unit.len() <= LONGEST_UNIT && unit.starts_with(|c: char| c.is_alphabetic() || c == '%')
    };
    // Without a separator, only the unit tells a number from a sentence.
    let is_bare = !line.contains([':', '=']);
    if words.next().is_some() || !unit.is_none_or(is_unit) || is_bare && unit.is_none() {
        return None;
    }
    let unit = unit.map_or_else(|| unit_in(name), |unit| Some(unit.to_owned()));
    Some(Printed { name: metric_name(name)?, value, unit })
}

/// `3.5` and `ms` of `3.5ms`.
fn value_and_unit(word: &str) -> Option<(f64, Option<&str>)> {
    let of_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let (digits, unit) = word.split_at(word.find(|c| !of_number(c)).unwrap_or(word.len()));
    let value: f64 = digits.parse().ok()?;
    value.is_finite().then_some((value, Some(unit).filter(|unit| !unit.is_empty())))
}

/// The unit that a name says: its last word.
fn unit_in(name: &str) -> Option<String> {
    let last = name.split([' ', '_']).next_back()?;
    let bare = last.trim_matches(['(', ')', '[', ']']);
    let in_words = IN_WORDS.iter().find(|(word, _)| bare.eq_ignore_ascii_case(word));
    let symbol = SYMBOLS.iter().find(|symbol| bare != last && bare == **symbol);
    in_words.map(|(_, symbol)| *symbol).or(symbol.copied()).map(str::to_owned)
}

/// A name as metrics have it; `None` for what is no name.
fn metric_name(name: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || " _.-()[]/%µ".contains(c);
    if name.len() > LONGEST_NAME || !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    {
        return None;
    }
    if !name.chars().all(is_part) {
        return None;
    }
    let is_kept = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let words = name.split(|c| !is_kept(c)).filter(|word| !word.is_empty());
    Some(words.collect::<Vec<_>>().join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, f64, Option<String>)> {
        numbers(text).into_iter().map(|Printed { name, value, unit }| (name, value, unit)).collect()
    }

    fn one(name: &str, value: f64, unit: Option<&str>) -> Vec<(String, f64, Option<String>)> {
        vec![(name.to_owned(), value, unit.map(str::to_owned))]
    }

    /// Would catch a line that people print and that is not seen, and a unit that is lost.
    #[test]
    fn lines_with_a_number() {
        for (line, expected) in [
            ("elapsed: 3.95e-08", one("elapsed", 3.95e-8, None)),
            (
                "elapsed seconds: 0.0010001659393311",
                one("elapsed_seconds", 0.001_000_165_939_331_1, Some("s")),
            ),
            ("  time (ms) = 12 ", one("time_ms", 12.0, Some("ms"))),
            ("Ops per call: -4 ops", one("Ops_per_call", -4.0, Some("ops"))),
            ("share: 12.5%", one("share", 12.5, Some("%"))),
            ("pack 1.5ms", one("pack", 1.5, Some("ms"))),
            ("pack 12 ns/op", one("pack", 12.0, Some("ns/op"))),
            ("heap.used\t640 KiB", one("heap.used", 640.0, Some("KiB"))),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
        let both = numbers("a: 1\r\nnoise\nb: 2");
        assert_eq!(both.iter().map(|number| number.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    }

    /// Would catch prose, logs and listings taken for measurements.
    #[test]
    fn other_lines_are_text() {
        for line in [
            "",
            "elapsed:",
            "elapsed: soon",
            "elapsed: nan",
            "elapsed: inf",
            "elapsed: 3 4",
            "file: 3./s.lua",
            "elapsed: 3 s of 4",
            "found 3",
            "2026/11/23 11:26:05 [warn] 18210#18210: *2 [lua] x",
            "12:30",
            "see http://example.org: 3",
            "s.lua:3: boom",
            "-1: 2",
            "größe: 3",
            "{\"a\": 3}",
        ] {
            assert_eq!(read(line), [], "{line}");
        }
        assert_eq!(read(&format!("{}: 3", "x".repeat(65))), []);
    }
}
