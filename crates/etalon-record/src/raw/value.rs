//! One value of an observation line: a number, a converted number, or typed absence.
//!
//! Owns the three forms `docs/format.md` gives. Refuses what a measurement cannot be: an integer
//! past 64 bits, a bare string, `null`, a boolean.

use std::borrow::Cow;
use std::fmt;

use etalon_core::model::Number;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

/// A value as a line holds it.
#[derive(Debug, PartialEq)]
pub(super) enum Value<'a> {
    /// A finite number in the metric's unit.
    Number(Number),
    /// A number with its text in that unit.
    Written(Number, Cow<'a, str>),
    /// Not a number in its source; what was written there.
    Absent(Cow<'a, str>),
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value<'de>, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, {\"value\":…} or {\"absent\":…}")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Value::Number(Number::Integer(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        i64::try_from(value)
            .map(|value| Value::Number(Number::Integer(value)))
            .map_err(|_| E::custom(TOO_LARGE))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Value::Number(Number::Float(value)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut number, mut absent, mut written, mut unit) = (None, None, None, false);
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match key.as_ref() {
                "value" => number = Some(map.next_value::<Plain>()?.0),
                "absent" => absent = Some(map.next_value::<Cow<'de, str>>()?),
                "written" => written = Some(map.next_value::<Cow<'de, str>>()?),
                // Written in another unit: nothing in memory needs that.
                "unit" => {
                    unit = true;
                    map.next_value::<IgnoredAny>()?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match (number, absent) {
            (Some(number), None) => Ok(match written.filter(|_| !unit) {
                Some(text) => Value::Written(number, text),
                None => Value::Number(number),
            }),
            (None, Some(text)) => Ok(Value::Absent(text)),
            _ => Err(A::Error::custom("a value object has either `value` or `absent`")),
        }
    }
}

/// A number and nothing else.
struct Plain(Number);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Plain, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Number(number) => Ok(Plain(number)),
            Value::Written(..) | Value::Absent(_) => {
                Err(D::Error::custom("`value` is not a number"))
            }
        }
    }
}

/// Why an integer is refused.
pub(crate) const TOO_LARGE: &str = "an integer does not fit 64 bits";

/// Whether some number in this JSON text is written as an integer and fits 64 bits neither signed
/// nor unsigned. A JSON parser hands such a number out as a float, which would be a silently changed
/// value; only needed when a float of 2⁶³ or more was seen. (An unsigned one past 2⁶³ is refused by
/// [`Value`] itself, and is a valid time elsewhere on the line.)
pub(super) fn has_huge_integer(json: &str) -> bool {
    let mut rest = json;
    while let Some(start) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        if rest.as_bytes()[start] == b'"' {
            rest = after_string(&rest[start + 1..]);
            continue;
        }
        let token = &rest[start..];
        let end = token.find([',', '}', ']', ' ']).unwrap_or(token.len());
        let number = &token[..end];
        let fits = number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok();
        if !fits && !number.contains(['.', 'e', 'E']) {
            return true;
        }
        rest = &token[end..];
    }
    false
}

/// The text behind a string whose opening quote came before.
fn after_string(text: &str) -> &str {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !escaped => return &text[at + 1..],
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    ""
}
