//! A record as something to go on from: its lines as they are, and everything they say about where
//! the execution stood.
//!
//! Refuses what [`mod@super::read`] would only remark: a record that cannot be read whole is no ground
//! to build on. Whether and where to go on is `etalon-run`'s to decide.

use std::borrow::Cow;

use etalon_core::model::{Metric, Node, Note, Observation};
use etalon_core::run_set::Look;
use serde::Deserialize;

use super::json::json_reason;
use super::node::NodeWire;
use super::observation::{self, Values};
use super::read::parse_header;
use super::remark::NoteWire;
use super::wire::{LookWire, MetricWire};
use super::{HeaderLine, ReadError};
use crate::raw::benchmark::BenchmarkLine;

/// A record to go on from.
#[derive(Debug, Clone, PartialEq)]
pub struct Unfinished {
    /// How it began.
    pub header: HeaderLine,
    /// The metrics, by the index that observations use.
    pub metrics: Vec<Metric>,
    /// Its benchmarks, with everything needed to execute them again.
    pub benchmarks: Vec<BenchmarkLine>,
    /// The machines it was executed on, by the index that observations use, where these are several.
    pub nodes: Vec<Node>,
    /// The events, in order.
    pub events: Vec<Event>,
    /// All its lines as they are, without header, end, and a last line that was in flight.
    pub lines: Vec<u8>,
}

/// A line of the record that a resumed run has to know.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A finished observation.
    Observed(Observation),
    /// A look at precision or verdicts.
    Look(Look),
    /// A recorded note.
    Noted(Note),
}

/// A line's type; the rest is not looked at.
#[derive(Deserialize)]
struct Tag<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
}

/// Reads a record to go on from. Linear; holds it whole.
///
/// # Errors
/// If it is not a record this version reads, or any line of it but the last cannot be used.
pub fn read_unfinished(bytes: &[u8], source: &str) -> Result<Unfinished, ReadError> {
    let mut lines = bytes.split_inclusive(|b| *b == b'\n');
    let mut found = Unfinished {
        header: parse_header(lines.next().unwrap_or_default(), source)?,
        metrics: Vec::new(),
        benchmarks: Vec::new(),
        nodes: Vec::new(),
        events: Vec::new(),
        lines: Vec::new(),
    };
    let mut values = Values::default();
    for (number, line) in (2_u64..).zip(lines) {
        let Some(text) = line.strip_suffix(b"\n") else { break };
        match found.take(text, &mut values) {
            Ok(Use::Kept) => found.lines.extend_from_slice(line),
            Ok(Use::Left) => {}
            Err(reason) => {
                return Err(ReadError::BadLine { source: source.to_owned(), line: number, reason });
            }
        }
    }
    Ok(found)
}

/// The use of a line for whoever resumes.
enum Use {
    Kept,
    Left,
}

impl Unfinished {
    fn take(&mut self, line: &[u8], values: &mut Values) -> Result<Use, String> {
        let line = std::str::from_utf8(line).map_err(|_| "not UTF-8".to_owned())?;
        let reason = |error: serde_json::Error| json_reason(&error);
        let tag: Tag<'_> = serde_json::from_str(line).map_err(reason)?;
        match tag.r#type.as_ref() {
            "end" => return Ok(Use::Left),
            "header" => return Err("a second header".to_owned()),
            "metric" => self.metrics.push(parsed::<MetricWire>(line)?.into()),
            "benchmark" => self.benchmarks.push(parsed(line)?),
            "node" => self.nodes.push(parsed::<NodeWire>(line)?.into()),
            "look" => self.events.push(Event::Look(parsed::<LookWire>(line)?.into())),
            "note" => self.events.push(Event::Noted(parsed::<NoteWire>(line)?.into())),
            "observation" => {
                let observed = observation::parse(line, &self.metrics, values)?;
                if observed.benchmark >= self.benchmarks.len() {
                    return Err("it refers to a benchmark that is not declared".to_owned());
                }
                self.events.push(Event::Observed(observed.with(values.numbers())));
            }
            _ => {}
        }
        Ok(Use::Kept)
    }
}

fn parsed<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| json_reason(&error))
}

#[cfg(test)]
mod tests {
    use etalon_core::model::Coordinates;

    use super::*;

    const RECORD: &str = concat!(
        r#"{"type":"header","format":"etalon","version":1,"id":"x","tool":"t","argv":["etalon"],"context":{}}"#,
        "\n",
        r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}"#,
        "\n",
        r#"{"type":"benchmark","name":"a","params":{"n":"1"},"setup":"s"}"#,
        "\n",
        r#"{"type":"plan","warmup":0,"order":"blocks","seed":"1","runs":9}"#,
        "\n",
        r#"{"type":"observation","benchmark":0,"block":3,"at":17,"values":{"wall":5}}"#,
        "\n",
        r#"{"type":"look","blocks":1,"alpha":0.01}"#,
        "\n",
        r#"{"type":"novelty","of":"a later version"}"#,
        "\n",
        r#"{"type":"note","about":"b","text":"c"}"#,
        "\n",
    );
    const END: &str = "{\"type\":\"end\",\"stopped_by\":\"interrupt\",\"at\":\"now\"}\n";

    #[test]
    fn lines_are_kept_as_they_are_without_header_end_and_what_was_in_flight() {
        let whole = format!("{RECORD}{END}");
        let found = read_unfinished(whole.as_bytes(), "x").unwrap();
        let (header, rest) = RECORD.split_once('\n').unwrap();
        assert!(header.contains("header"));
        assert_eq!(std::str::from_utf8(&found.lines), Ok(rest));
        assert_eq!(found.header.argv.len(), 1);
        assert_eq!(found.benchmarks[0].setup.as_ref().unwrap().as_bytes(), b"s");
        let [Event::Observed(observed), Event::Look(look), Event::Noted(_)] = &found.events[..]
        else {
            panic!("{:?}", found.events);
        };
        assert_eq!(
            observed.coordinates,
            Coordinates { node: None, block: Some(3), turn: None, at_ns: Some(17) }
        );
        assert_eq!(look.alpha, Some(0.01));
        let torn = format!("{RECORD}{{\"type\":\"observ");
        assert_eq!(read_unfinished(torn.as_bytes(), "x").unwrap(), found);
    }

    #[test]
    fn a_damaged_line_is_named() {
        let damaged = RECORD.replace("\"benchmark\":0", "\"benchmark\":7");
        let error = read_unfinished(damaged.as_bytes(), "x").unwrap_err();
        assert!(matches!(error, ReadError::BadLine { line: 5, .. }), "{error}");
        assert!(read_unfinished(b"", "x").is_err());
    }
}
