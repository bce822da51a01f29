//! Lines of somebody else's record that go into this one: those of a worker on another machine.

use std::borrow::Cow;

use etalon_core::model::{Metric, Note, Observation};
use serde::Deserialize;

use super::json::json_reason;
use super::observation::{self, Values};
use super::remark::NoteWire;
use super::wire::MetricWire;
use crate::text::Text;

/// A line, understood as far as that is needed.
#[derive(Debug, Clone, PartialEq)]
pub enum ToldLine {
    /// An observation, with what was said by what failed.
    Observed(Observation, Option<Text>),
    /// A metric that was not there before.
    Declared(Metric),
    /// A note.
    Noted(Note),
    /// Something else, which goes into a record as it is.
    Other,
}

#[derive(Deserialize)]
struct Tag<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
}

/// Understands a line whose values are of these metrics.
///
/// # Errors
/// In words, if it is none.
pub fn read_told(line: &[u8], metrics: &[Metric]) -> Result<ToldLine, String> {
    let line = std::str::from_utf8(line).map_err(|_| "not UTF-8".to_owned())?;
    let tag: Tag<'_> = serde_json::from_str(line).map_err(|error| json_reason(&error))?;
    match tag.r#type.as_ref() {
        "observation" => {
            let mut values = Values::default();
            let mut parsed = observation::parse(line, metrics, &mut values)?;
            let stderr = parsed.stderr.take();
            Ok(ToldLine::Observed(parsed.with(values.numbers()), stderr))
        }
        "note" => {
            let wire: NoteWire = serde_json::from_str(line).map_err(|error| json_reason(&error))?;
            Ok(ToldLine::Noted(wire.into()))
        }
        "metric" => {
            let wire: MetricWire =
                serde_json::from_str(line).map_err(|error| json_reason(&error))?;
            Ok(ToldLine::Declared(wire.into()))
        }
        "header" | "benchmark" | "node" | "plan" | "settings" | "look" | "end" => {
            Err(format!("a line of the type {}, which is not a worker's to write", tag.r#type))
        }
        _ => Ok(ToldLine::Other),
    }
}
