//! Lines of somebody else's record that go into this one: those of a worker on another machine.
//!
//! Owns that they stay as they were written, but for the numbers of benchmarks and nodes. Refuses to number them.

use std::borrow::Cow;

use etalon_core::model::{Metric, Note, Observation};
use serde::Deserialize;

use super::json::json_reason;
use super::observation::{self, Values};
use super::remark::NoteWire;
use super::wire::MetricWire;
use super::write;
use crate::text::Text;

/// A line, understood as far as that is needed.
#[derive(Debug, Clone, PartialEq)]
pub enum ToldLine {
    /// An observation, with what was said by what failed.
    Observed(Observation, Option<Text>),
    /// A metric that was not there before.
    Declared(Metric),
    /// A benchmark that was not there before.
    Benchmark,
    /// A note.
    Noted(Note),
    /// Something else, which goes into a record as it is; the benchmark that it is about, if it is about one.
    Other(Option<usize>),
}

#[derive(Deserialize)]
struct Tag<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
    benchmark: Option<usize>,
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
        "benchmark" => Ok(ToldLine::Benchmark),
        "header" | "node" | "plan" | "settings" | "look" | "end" => {
            Err(format!("a line of the type {}, which is not a worker's to write", tag.r#type))
        }
        _ => Ok(ToldLine::Other(tag.benchmark)),
    }
}

/// Appends a line that was understood, about the benchmark and the node that have these numbers here. All behind is as it
/// was written: no number of it is rounded.
pub fn renumbered(buffer: &mut Vec<u8>, line: &[u8], benchmark: usize, node: Option<u32>) {
    let at = line.windows(BENCHMARK.len()).position(|part| part == BENCHMARK);
    let (before, rest) = line.split_at(at.map_or(0, |at| at + BENCHMARK.len()));
    let behind = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    buffer.extend_from_slice(before);
    write::json(buffer, &benchmark);
    if let Some(node) = node {
        buffer.extend_from_slice(b",\"node\":");
        write::json(buffer, &node);
    }
    buffer.extend_from_slice(&rest[behind..]);
}

/// The key of a benchmark's number, which stands behind the type of a line.
const BENCHMARK: &[u8] = b"\"benchmark\":";

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a number that is written another way, and a node or a benchmark that is the other record's.
    #[test]
    fn lines_keep_all_but_their_numbers() {
        let mut lines = Vec::new();
        let line = br#"{"type":"observation","benchmark":12,"block":3,"values":{"a":{"value":12.5,"written":"12.50"}}}"#;
        renumbered(&mut lines, line, 4, Some(2));
        let said = br#"{"type":"observation","benchmark":4,"node":2,"block":3,"values":{"a":{"value":12.5,"written":"12.50"}}}"#;
        assert_eq!(String::from_utf8_lossy(&lines), String::from_utf8_lossy(said));
        let mut lines = Vec::new();
        write::printed_by(&mut lines, 7, Text(b"\"benchmark\":1".to_vec()));
        let told = read_told(&lines, &[]);
        assert_eq!(told, Ok(ToldLine::Other(Some(7))));
        let mut other = Vec::new();
        renumbered(&mut other, &lines, 9, None);
        assert_eq!(read_told(&other, &[]), Ok(ToldLine::Other(Some(9))));
        assert_eq!(other.len(), lines.len());
    }
}
