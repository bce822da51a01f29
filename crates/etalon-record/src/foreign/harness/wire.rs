//! JSON as harnesses write it: numbers that may be none, and text that no parser of JSON takes.
//!
//! Owns what becomes of values that are no numbers, and that Python's `NaN` and `Infinity` are read for what
//! they are. Refuses to interpret.

use std::borrow::Cow;

use memchr::memmem;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};

pub(super) use crate::foreign::wire::{Entries, Scalar};
use crate::raw::{clipped, json_reason};

/// Why results cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The part.
    pub part: usize,
    /// The line, counted from 1.
    pub line: u64,
    /// The complaint.
    pub reason: String,
}

/// A reading as it stands in a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A finite number.
    Number(f64),
    /// Something else: what is written there.
    Absent(Box<str>),
}

impl Cell {
    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Cell::Number(number) => Some(*number),
            Cell::Absent(_) => None,
        }
    }

    /// A number, or the name of what is none.
    #[must_use]
    pub fn from_number(number: f64) -> Cell {
        match number.is_finite() {
            true => Cell::Number(number),
            false => Cell::absent(&number.to_string()),
        }
    }

    /// The number that a text says, whatever stands for its decimal point.
    #[must_use]
    pub fn from_text(text: &str) -> Cell {
        let number = text.parse().ok().or_else(|| text.replace(',', ".").parse().ok());
        match number.filter(|_| text.bytes().any(|byte| byte.is_ascii_digit())) {
            Some(number) => Cell::from_number(number),
            None => Cell::absent(text),
        }
    }

    /// What is written in place of a number.
    #[must_use]
    pub fn absent(text: &str) -> Cell {
        Cell::Absent(clipped(text).into())
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
        Ok(Cell::from(&Scalar::deserialize(deserializer)?))
    }
}

impl From<&Scalar> for Cell {
    #[allow(clippy::cast_precision_loss)] // the nearest double, as every reader of JSON takes it
    fn from(value: &Scalar) -> Cell {
        match value {
            Scalar::Number(number) => Cell::from_number(*number),
            Scalar::Integer(number) => Cell::Number(*number as f64),
            Scalar::Large(number) => Cell::Number(*number as f64),
            Scalar::Null => Cell::absent("null"),
            Scalar::Flag(flag) => Cell::absent(if *flag { "true" } else { "false" }),
            Scalar::Text(text) => Cell::absent(text),
            Scalar::Nested(what) => Cell::absent(what),
        }
    }
}

/// A text, or the text of another scalar; of a list or an object its JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word(pub(super) String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(Word(match value {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        }))
    }
}

/// Names and values of an object in their order, each value as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Words(pub(super) Vec<(String, String)>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Words, D::Error> {
        let Entries(entries) = Entries::<Word>::deserialize(deserializer)?;
        Ok(Words(entries.into_iter().map(|(name, Word(value))| (name, value)).collect()))
    }
}

impl Words {
    /// The value of a name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| *value != "null")
    }
}

/// The document of a part.
pub(super) fn document<T: DeserializeOwned>(part: usize, text: &[u8]) -> Result<T, Refused> {
    serde_json::from_slice(&tamed(text)).map_err(|error| refused(part, 1, &error))
}

/// A parser's complaint about text that begins in this line.
pub(super) fn refused(part: usize, first: u64, error: &serde_json::Error) -> Refused {
    let line = first + (error.line() as u64).saturating_sub(1);
    Refused { part, line, reason: json_reason(error) }
}

/// Words that are no JSON, and that writers of JSON write for numbers that are none.
const NO_NUMBERS: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];

/// Whether this is what such a word was read as.
pub(super) fn is_no_number(text: &str) -> bool {
    NO_NUMBERS.contains(&text.as_bytes())
}

/// The text with those words as strings; as it is where there are none.
fn tamed(text: &[u8]) -> Cow<'_, [u8]> {
    let has = |word: &[u8]| memmem::find(text, word).is_some();
    if !has(b"NaN") && !has(b"Infinity") {
        return Cow::Borrowed(text);
    }
    let mut tame = Vec::with_capacity(text.len() + 64);
    let (mut at, mut in_string) = (0, false);
    while let Some(&byte) = text.get(at) {
        let word = NO_NUMBERS.iter().find(|word| !in_string && text[at..].starts_with(word));
        if let Some(word) = word {
            tame.push(b'"');
            tame.extend_from_slice(word);
            tame.push(b'"');
            at += word.len();
            continue;
        }
        let length = if in_string && byte == b'\\' { 2 } else { 1 };
        in_string ^= byte == b'"';
        tame.extend_from_slice(&text[at..text.len().min(at + length)]);
        at += length;
    }
    Cow::Owned(tame)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch words within strings that are changed, and a number that is none that loses its name.
    #[test]
    fn python_writes_numbers_that_are_none() {
        let text = br#"{"NaN \" NaN": [NaN, -Infinity, Infinity, 1.5, "x", null], "b\\": NaN}"#;
        let read: Entries<serde_json::Value> = document(0, text).unwrap();
        assert_eq!(read.0[0].0, "NaN \" NaN");
        let cells: Vec<Cell> = serde_json::from_value(read.0[0].1.clone()).unwrap();
        let absent = |text: &str| Cell::Absent(text.into());
        let [nan, below, above] = ["NaN", "-Infinity", "Infinity"].map(absent);
        assert_eq!(cells, [nan, below, above, Cell::Number(1.5), absent("x"), absent("null")]);
        assert_eq!(read.0[1].1, "NaN");
    }

    #[test]
    fn numbers_of_texts() {
        assert_eq!(Cell::from_text("3.5"), Cell::Number(3.5));
        assert_eq!(Cell::from_text("3,5"), Cell::Number(3.5));
        for none in ["<not supported>", "", "nan", "inf", "1,2,3"] {
            assert!(matches!(Cell::from_text(none), Cell::Absent(_)), "{none}");
        }
    }
}
