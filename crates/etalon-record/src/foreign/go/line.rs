//! One line of the format.
//!
//! Owns the grammar: a configuration line, a result, `Unit` metadata, and everything else, which is
//! ignored. Refuses to look at other lines: what belongs together is [`super::torn`]'s.

use std::ops::Range;

use etalon_core::dataset::{NumberError, Parsed, Reason, parse, plain_prefix, tidy};

/// A value and its unit, within their line.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// Its value, and how it was written.
    pub number: Parsed,
    /// Where its text stands, and its unit.
    text: Place,
    unit: Place,
}

/// Where something stands in a line, which is not longer than [`LONGEST`](super::piece::LONGEST).
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    from: u32,
    to: u32,
}

impl Place {
    #[allow(clippy::cast_possible_truncation)] // by the length of a line
    fn of(range: &Range<usize>) -> Place {
        Place { from: range.start as u32, to: range.end as u32 }
    }

    fn text_in(self, line: &str) -> &str {
        &line[self.from as usize..self.to as usize]
    }
}

impl Measurement {
    /// The value's text, in the line where it stands.
    #[must_use]
    pub fn text<'l>(&self, line: &'l str) -> &'l str {
        self.text.text_in(line)
    }

    /// The unit, in the line where it stands.
    #[must_use]
    pub(crate) fn unit<'l>(&self, line: &'l str) -> &'l str {
        self.unit.text_in(line)
    }
}

/// A line by its kind.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'a> {
    /// A whole result; its measurements are added to the list given.
    Result {
        /// The name, without `Benchmark`.
        name: &'a str,
        /// The iteration count.
        iterations: i64,
    },
    /// It starts with `Benchmark` and is no result.
    Broken(Broken<'a>),
    /// The name of a benchmark that is about to start, and nothing else (`go test -v`).
    Started,
    /// `key: value`; without a value, the key is removed.
    Configuration {
        /// Before the colon.
        key: &'a str,
        /// Behind it; absent where the line takes the key back.
        value: Option<&'a str>,
    },
    /// The text behind `Unit`.
    Metadata(&'a str),
    /// Anything else.
    Other,
}

/// A line that starts with `Benchmark` and is no result.
#[derive(Debug, PartialEq)]
pub(super) struct Broken<'a> {
    /// The name, without `Benchmark`.
    pub(super) name: &'a str,
    /// The text behind it.
    pub(super) rest: &'a str,
    /// Why it is no result.
    pub(super) reason: Reason,
    /// Whether its numbers may be further down.
    pub(super) ends: Ends,
}

/// Whether a name's numbers may be in another line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// `go test` wrote the name, and something else came in between.
    Torn,
    /// The line is all there is of it.
    Here,
}

/// The beginning of every name.
pub(super) const PREFIX: &str = "Benchmark";

/// Reads a line; its measurements are added to `list` if it is a result.
pub(super) fn read<'a>(line: &'a str, list: &mut Vec<Measurement>) -> Line<'a> {
    if let Some(rest) = line.strip_prefix(PREFIX) {
        return benchmark(line, rest, list);
    }
    if let Some(rest) = line.strip_prefix("Unit")
        && (rest.starts_with(char::is_whitespace) || rest.is_empty())
    {
        return Line::Metadata(rest);
    }
    configuration(line).unwrap_or(Line::Other)
}

/// A line that starts with `Benchmark`; `rest` is what follows that.
fn benchmark<'a>(line: &'a str, rest: &'a str, list: &mut Vec<Measurement>) -> Line<'a> {
    let name_end = rest.len() - trim_field(rest).len();
    let (name, rest) = rest.split_at(name_end);
    if rest.is_empty() {
        return Line::Started;
    }
    let counted = result(line, line.len() - rest.len(), list);
    let reason = match counted {
        Ok(iterations) => return Line::Result { name, iterations },
        Err(reason) => reason,
    };
    // `go test` pads names with spaces and puts a tab behind; what broke off is what should follow.
    let separator = &rest[..rest.len() - rest.trim_start().len()];
    let unread = matches!(reason, Reason::NoResult { .. }) || broke_off(rest, &reason);
    let ends = if separator.contains('\t') && is_go_name(name) && unread {
        Ends::Torn
    } else {
        Ends::Here
    };
    let rest = rest.trim();
    let reason = match reason {
        Reason::NoResult { .. } => {
            Reason::NoResult { name: name.to_owned(), found: rest.to_owned() }
        }
        reason => reason,
    };
    Line::Broken(Broken { name, rest, reason, ends })
}

/// Whether the first thing behind an iteration count is no number: then that was no iteration count.
fn broke_off(rest: &str, reason: &Reason) -> bool {
    let value = rest.split_whitespace().nth(1);
    matches!(reason, Reason::NotANumber(text) if value == Some(text))
}

/// Whether `go test` prints such names: what follows `Benchmark` is no lower case letter.
pub(super) fn is_go_name(name: &str) -> bool {
    !name.starts_with(char::is_lowercase)
}

/// Reads an iteration count and all measurements behind it, from `from` to the end of the line, and adds these.
///
/// # Errors
/// Why it is no result; `NoResult` if there is no iteration count.
pub(super) fn result(line: &str, from: usize, list: &mut Vec<Measurement>) -> Result<i64, Reason> {
    let before = list.len();
    let read = counted(line, from, list);
    if read.is_err() {
        list.truncate(before);
    }
    read
}

/// Reads a result into the list; measurements before an error stay in it.
#[inline]
fn counted(line: &str, from: usize, list: &mut Vec<Measurement>) -> Result<i64, Reason> {
    let before = list.len();
    let count = field(line, from);
    let text = &line[count.clone()];
    let Ok(iterations) = text.parse::<i64>() else {
        let digits = text.trim_start_matches(['+', '-']);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(Reason::Iterations(text.to_owned()));
        }
        return Err(Reason::NoResult { name: String::new(), found: String::new() });
    };
    let mut at = count.end;
    loop {
        let start = start_of_field(line, at);
        if start == line.len() {
            let is_empty = list.len() == before;
            return if is_empty { Err(Reason::NoValues) } else { Ok(iterations) };
        }
        let (number, end) = match plain_prefix(&line.as_bytes()[start..]) {
            Some((number, written, length)) => (Parsed::Finite(number, written), start + length),
            None => any_number(line, start)?,
        };
        let unit = field(line, end);
        // A name glued to a unit begins another result; what is counted wrong is read as numbers and units, too.
        let is_glued = unit.len() > PREFIX.len() && line[unit.clone()].contains(PREFIX);
        if unit.is_empty() || is_glued {
            return Err(Reason::NoUnit(line[start..end].to_owned()));
        }
        if is_too_large(number, &line[unit.clone()]) {
            return Err(Reason::TooLarge(line[start..end].to_owned()));
        }
        at = unit.end;
        let (text, unit) = (Place::of(&(start..end)), Place::of(&unit));
        list.push(Measurement { number, text, unit });
    }
}

/// The number that starts there in whatever form, and its end.
#[cold]
fn any_number(line: &str, start: usize) -> Result<(Parsed, usize), Reason> {
    let end = end_of_field(line, start);
    let text = &line[start..end];
    let number = parse(text).map_err(|error| match error {
        NumberError::NotANumber => Reason::NotANumber(text.to_owned()),
        NumberError::TooLarge => Reason::TooLarge(text.to_owned()),
    })?;
    Ok((number, end))
}

/// Whether no double holds it when its unit is tidied.
fn is_too_large(number: Parsed, unit: &str) -> bool {
    // Below this no unit makes it infinite.
    const SAFE: f64 = 1e200;
    matches!(number, Parsed::Finite(number, _)
        if number.abs() > SAFE && (number * tidy(unit).factor).abs() > f64::MAX / 10.0)
}

/// The rest of a text behind its first field (which it starts with).
fn trim_field(text: &str) -> &str {
    &text[end_of_field(text, 0)..]
}

/// The next field at or behind `from`; empty at the end of the line.
#[inline]
pub(super) fn field(line: &str, from: usize) -> Range<usize> {
    let start = start_of_field(line, from);
    start..end_of_field(line, start)
}

/// The class of a byte to fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// ASCII and part of a field.
    Text,
    /// ASCII white space.
    Blank,
    /// Part of a character that may be either.
    Wide,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Text; 256];
    let mut byte = 0;
    while byte < 256 {
        if byte == 0x20 || (byte >= 0x09 && byte <= 0x0d) {
            classes[byte] = Class::Blank;
        } else if byte >= 0x80 {
            classes[byte] = Class::Wide;
        }
        byte += 1;
    }
    classes
};

#[inline]
fn start_of_field(line: &str, from: usize) -> usize {
    let bytes = line.as_bytes();
    let mut start = from;
    while let Some(byte) = bytes.get(start) {
        match CLASSES[usize::from(*byte)] {
            Class::Blank => start += 1,
            Class::Text => break,
            Class::Wide => match wide(line, start) {
                (true, length) => start += length,
                (false, _) => break,
            },
        }
    }
    start
}

#[inline]
fn end_of_field(line: &str, start: usize) -> usize {
    let bytes = line.as_bytes();
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        match CLASSES[usize::from(*byte)] {
            Class::Text => end += 1,
            Class::Blank => break,
            Class::Wide => match wide(line, end) {
                (false, length) => end += length,
                (true, _) => break,
            },
        }
    }
    end
}

/// Whether the character there is white space, and its length.
#[cold]
fn wide(line: &str, at: usize) -> (bool, usize) {
    line[at..].chars().next().map_or((true, 0), |c| (c.is_whitespace(), c.len_utf8()))
}

/// `key: value`: the key starts with a lower case letter and has neither upper case nor space, blanks
/// follow the colon if anything does.
fn configuration(line: &str) -> Option<Line<'_>> {
    let mut colon = None;
    for (at, c) in line.char_indices() {
        if (at == 0 && !c.is_lowercase()) || c.is_whitespace() || c.is_uppercase() {
            return None;
        }
        if c == ':' {
            colon = Some(at);
            break;
        }
    }
    let colon = colon?;
    let (key, behind) = (&line[..colon], &line[colon + 1..]);
    let value = behind.trim_start_matches([' ', '\t']);
    if !behind.is_empty() && value.len() == behind.len() {
        return None;
    }
    Some(Line::Configuration { key, value: Some(value).filter(|value| !value.is_empty()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        let mut list = Vec::new();
        match read(line, &mut list) {
            Line::Result { name, iterations } => {
                let values = list.iter().map(|m| format!(" {} {}", m.text(line), m.unit(line)));
                format!("{name} {iterations}{}", values.collect::<String>())
            }
            Line::Broken(broken) => format!("{:?}: {}", broken.ends, broken.reason),
            other => format!("{other:?}"),
        }
    }

    /// As golang.org/x/perf/benchfmt's tests have them.
    #[test]
    fn results() {
        assert_eq!(shown("BenchmarkOne 100 1 ns/op 2 B/op"), "One 100 1 ns/op 2 B/op");
        assert_eq!(shown("BenchmarkSpaces    1   1   ns/op  "), "Spaces 1 1 ns/op");
        assert_eq!(shown("BenchmarkEm\u{2003}1\u{85}1\u{a0}ns/op"), "Em 1 1 ns/op");
        assert_eq!(shown("Benchmark 1 1 x"), " 1 1 x");
        assert_eq!(
            shown("BenchmarkBig 1 9999999999999999999999999999999 ns/op"),
            "Big 1 9999999999999999999999999999999 ns/op"
        );
        assert_eq!(shown("BenchmarkSigned -3 NaN x"), "Signed -3 NaN x");
        assert_eq!(shown("BenchmarkOne"), "Started");
    }

    #[test]
    fn broken_results_say_what_is_wrong() {
        for (line, expected) in [
            (
                "BenchmarkTrailing ",
                "Here: no numbers follow BenchmarkTrailing: its execution was ended, or they are torn off",
            ),
            (
                "BenchmarkBad abc",
                "Here: in place of BenchmarkBad's iteration count stands `abc`, and its numbers do not follow; keep the benchmark's own output apart from its results",
            ),
            (
                "BenchmarkHuge 99999999999999999999 1 x",
                "Here: the iteration count `99999999999999999999` does not fit 64 bits",
            ),
            ("BenchmarkNoValue 100", "Here: a result without a value and its unit"),
            ("BenchmarkNoValue\t     100", "Here: a result without a value and its unit"),
            ("BenchmarkBadValue 100 abc", "Here: `abc` is not a number"),
            ("BenchmarkNoUnit 100 1", "Here: no unit behind `1`"),
            ("BenchmarkNoUnit 100 1 ns/op 2", "Here: no unit behind `2`"),
            ("BenchmarkLarge 1 1e999 x", "Here: `1e999` is larger than any number"),
            ("BenchmarkLarge 1 1e305 MB/s", "Here: `1e305` is larger than any number"),
            ("BenchmarkTorn-2 \t12 monkeys", "Torn: `monkeys` is not a number"),
            (
                "Benchmarking\tis fun",
                "Here: in place of Benchmarking's iteration count stands `is fun`, and its numbers do not follow; keep the benchmark's own output apart from its results",
            ),
        ] {
            assert_eq!(shown(line), expected);
        }
        assert!(shown("BenchmarkTorn-2   \tSDK 2024").starts_with("Torn: "));
        assert!(shown("BenchmarkTorn-2   \t").starts_with("Torn: "));
    }

    #[test]
    fn configuration_lines() {
        let pair = |line| match read(line, &mut Vec::new()) {
            Line::Configuration { key, value } => Some((key, value)),
            _ => None,
        };
        assert_eq!(pair("key1:    \t value x "), Some(("key1", Some("value x "))));
        assert_eq!(pair("key:"), Some(("key", None)));
        assert_eq!(pair("key: \t"), Some(("key", None)));
        assert_eq!(pair("a:b: c"), None);
        assert_eq!(pair("é.x/y: c"), Some(("é.x/y", Some("c"))));
        for other in [": x", "ab:x", "a b: x", "aB: x", "Key: x", "key", "", "9: x", "#k: x"] {
            assert_eq!(read(other, &mut Vec::new()), Line::Other, "{other}");
        }
        assert_eq!(read("Unitx", &mut Vec::new()), Line::Other);
        assert_eq!(read("Unit", &mut Vec::new()), Line::Metadata(""));
    }
}
