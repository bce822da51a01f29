//! The writer: one function per line type, each appending one line with its newline.
//!
//! Owns what is written when a field is absent (nothing), and that `"type"` comes first. Refuses
//! to touch files: [`crate::sink`] puts a line into one whole. [`observation`] is called once per
//! execution of the measured programs by a process that has to stay small, so it writes straight
//! into the caller's buffer: no intermediate value, no allocation once the buffer has grown.

use std::io::Write;

use etalon_core::dataset::TraceAborts;
use etalon_core::model::{Metric, Node, Note, Number, Observation, Outcome, Phase, Service};
use etalon_core::plan::{Plan, Settings};
use etalon_core::run_set::{End, Look};
use etalon_core::visible::escape_json;
use serde::Serialize;

use super::case::{AbortWire, OutputWire, Printer};
use super::cause::Cause;
use super::node::NodeWire;
use super::remark::NoteWire;
use super::service::ServiceWire;
use super::settings::SettingsWire;
use super::wire::{EndWire, LookWire, MarkWire, MetricWire, PlanWire, RunWire, UnitWire};
use super::{FORMAT, VERSION};
use crate::raw::benchmark::BenchmarkLine;
use crate::raw::header::HeaderLine;
use crate::text::Text;

/// Appends the header line, the first of every record.
pub fn header(buffer: &mut Vec<u8>, header: &HeaderLine) {
    #[derive(Serialize)]
    struct Versioned<'a> {
        format: &'static str,
        version: u32,
        #[serde(flatten)]
        header: &'a HeaderLine,
    }
    line(buffer, "header", &Versioned { format: FORMAT, version: VERSION, header });
}

/// Appends a metric line. Observations refer to metrics by name.
pub fn metric(buffer: &mut Vec<u8>, metric: &Metric) {
    line(buffer, "metric", &MetricWire::from(metric));
}

/// Appends the line of a metric that is no more than a unit of a foreign source, spelled so.
pub(super) fn spelled_metric(buffer: &mut Vec<u8>, metric: &Metric, spelling: &str) {
    line(buffer, "metric", &MetricWire::spelled(metric, spelling));
}

/// Appends a unit line.
pub(crate) fn unit(buffer: &mut Vec<u8>, unit: &str, key: &str, value: &str) {
    let [unit, key, value] = [unit, key, value].map(str::to_owned);
    line(buffer, "unit", &UnitWire { unit, key, value });
}

/// Appends a run line: what follows is of this run.
pub(super) fn run(buffer: &mut Vec<u8>, number: u32) {
    line(buffer, "run", &RunWire { number });
}

/// Appends a mark line: what a harness said of how something ended.
pub(super) fn mark(buffer: &mut Vec<u8>, text: &str) {
    line(buffer, "mark", &MarkWire { text: text.to_owned() });
}

/// Appends a benchmark line. Observations refer to benchmarks by the number of lines before theirs.
pub fn benchmark(buffer: &mut Vec<u8>, benchmark: &BenchmarkLine) {
    line(buffer, "benchmark", benchmark);
}

/// Appends a node line. Observations refer to nodes by the number of lines before theirs.
pub fn node(buffer: &mut Vec<u8>, node: &Node) {
    line(buffer, "node", &NodeWire::from(node));
}

/// Appends the plan line.
pub fn plan(buffer: &mut Vec<u8>, plan: &Plan) {
    line(buffer, "plan", &PlanWire::from(plan));
}

/// Appends the settings line.
pub fn settings(buffer: &mut Vec<u8>, settings: &Settings) {
    line(buffer, "settings", &SettingsWire::from(settings));
}

/// Appends a look line.
pub fn look(buffer: &mut Vec<u8>, look: &Look) {
    line(buffer, "look", &LookWire::from(look));
}

/// Appends a note line.
pub fn note(buffer: &mut Vec<u8>, note: &Note) {
    line(buffer, "note", &NoteWire::from(note));
}

/// Appends an output line: what a file printed while it was loaded.
pub fn printed(buffer: &mut Vec<u8>, file: &str, text: Text) {
    line(buffer, "output", &OutputWire { of: Printer::File(file.to_owned()), text });
}

/// Appends an output line: what a process of a benchmark printed while it was executed.
pub fn printed_by(buffer: &mut Vec<u8>, benchmark: usize, text: Text) {
    line(buffer, "output", &OutputWire { of: Printer::Benchmark(benchmark), text });
}

/// Appends an abort line: what a JIT compiler gave up in processes of a benchmark.
pub fn aborted(buffer: &mut Vec<u8>, benchmark: usize, aborts: &TraceAborts) {
    let TraceAborts { reason, at, count, processes } = aborts.clone();
    line(buffer, "abort", &AbortWire { benchmark, reason, at, count, processes });
}

/// Appends a service line: what was there while something was measured, and how it ended.
pub fn service(buffer: &mut Vec<u8>, service: &Service) {
    line(buffer, "service", &ServiceWire::from(service));
}

/// Appends the end line, the last of every record that ended by itself.
pub fn end(buffer: &mut Vec<u8>, end: &End) {
    line(buffer, "end", &EndWire::from(end));
}

/// Appends one line: `"type"` first, then the body's fields.
fn line<T: Serialize>(buffer: &mut Vec<u8>, kind: &'static str, body: &T) {
    #[derive(Serialize)]
    struct Line<'a, T> {
        r#type: &'static str,
        #[serde(flatten)]
        body: &'a T,
    }
    json(buffer, &Line { r#type: kind, body });
    buffer.push(b'\n');
}

/// Appends a value as JSON, hidden characters as escapes. Writing into a `Vec` cannot fail, and no type of this crate
/// has a key that is not a string, so the result says nothing.
pub(crate) fn json<T: Serialize + ?Sized>(buffer: &mut Vec<u8>, value: &T) {
    let from = buffer.len();
    let written = serde_json::to_writer(&mut *buffer, value);
    debug_assert!(written.is_ok(), "every written type is a plain JSON value");
    escape_json(buffer, from);
}

/// Appends an observation line. `metrics` are those of the record, in its order; `stderr` is the
/// last of what a failed execution said. About 0.15 µs for ten values (`examples/read_speed.rs`).
pub fn observation(
    buffer: &mut Vec<u8>,
    observation: &Observation,
    metrics: &[Metric],
    stderr: Option<&Text>,
) {
    observation_with(buffer, observation, stderr, |buffer| {
        values(buffer, &observation.values, metrics);
    });
}

/// Appends the line of an observation that was made of readings, with these: by metric, those of each run.
pub(crate) fn observation_with_readings(
    buffer: &mut Vec<u8>,
    observation: &Observation,
    metrics: &[Metric],
    readings: &[(usize, Vec<Vec<f64>>)],
) {
    observation_with(buffer, observation, None, |buffer| {
        values(buffer, &observation.values, metrics);
    });
    if readings.is_empty() {
        return;
    }
    // The line is whole: they go before its end.
    buffer.truncate(buffer.len() - LINE_END.len());
    buffer.extend_from_slice(b",\"readings\":{");
    for (position, (index, runs)) in readings.iter().enumerate() {
        let Some(metric) = metrics.get(*index) else { continue };
        if position > 0 {
            buffer.push(b',');
        }
        json(buffer, metric.name.as_str());
        buffer.push(b':');
        json(buffer, runs);
    }
    buffer.push(b'}');
    buffer.extend_from_slice(LINE_END);
}

/// The end of an observation line.
const LINE_END: &[u8] = b"}\n";

/// Appends an observation line whose values `values` appends, without the braces around them.
pub(crate) fn observation_with(
    buffer: &mut Vec<u8>,
    observation: &Observation,
    stderr: Option<&Text>,
    values: impl FnOnce(&mut Vec<u8>),
) {
    buffer.extend_from_slice(b"{\"type\":\"observation\",\"benchmark\":");
    integer(buffer, observation.benchmark);
    if let Some(node) = observation.coordinates.node {
        buffer.extend_from_slice(b",\"node\":");
        integer(buffer, node);
    }
    if observation.phase == Phase::Warmup {
        buffer.extend_from_slice(b",\"phase\":\"warmup\"");
    }
    if let Some(block) = observation.coordinates.block {
        buffer.extend_from_slice(b",\"block\":");
        integer(buffer, block);
    }
    if let Some(turn) = observation.coordinates.turn {
        buffer.extend_from_slice(b",\"turn\":");
        integer(buffer, turn);
    }
    if let Some(at) = observation.coordinates.at_ns {
        buffer.extend_from_slice(b",\"at\":");
        integer(buffer, at);
    }
    if let Some(iterations) = observation.iterations {
        buffer.extend_from_slice(b",\"iterations\":");
        integer(buffer, iterations);
    }
    outcome(buffer, &observation.outcome);
    if observation.orphans > 0 {
        buffer.extend_from_slice(b",\"leftovers\":");
        integer(buffer, observation.orphans);
    }
    buffer.extend_from_slice(b",\"values\":{");
    values(buffer);
    buffer.push(b'}');
    if let Some(text) = stderr {
        buffer.extend_from_slice(b",\"stderr\":");
        json(buffer, text);
    }
    buffer.extend_from_slice(LINE_END);
}

/// Appends the outcome field; an execution that is `ok` has none.
fn outcome(buffer: &mut Vec<u8>, outcome: &Outcome) {
    let tagged = |buffer: &mut Vec<u8>, tag: &[u8], number: i32| {
        buffer.extend_from_slice(tag);
        integer(buffer, number);
        buffer.push(b'}');
    };
    match outcome {
        Outcome::Ok => {}
        Outcome::Failed { code } => tagged(buffer, b",\"outcome\":{\"failed\":", *code),
        Outcome::Killed { signal } => tagged(buffer, b",\"outcome\":{\"killed\":", *signal),
        Outcome::TimedOut => buffer.extend_from_slice(b",\"outcome\":\"timed_out\""),
        Outcome::Suspended => buffer.extend_from_slice(b",\"outcome\":\"suspended\""),
        Outcome::NotStarted { why } => {
            buffer.extend_from_slice(b",\"outcome\":{\"not_started\":");
            json(buffer, why.to_string().as_str());
            buffer.push(b'}');
            if let Some(cause) = Cause::from_reason(why) {
                buffer.extend_from_slice(b",\"cause\":");
                json(buffer, &cause);
            }
        }
    }
}

/// Appends the values by metric name.
fn values(buffer: &mut Vec<u8>, values: &[(usize, Number)], metrics: &[Metric]) {
    for (position, (index, value)) in values.iter().enumerate() {
        if position > 0 {
            buffer.push(b',');
        }
        match metrics.get(*index) {
            Some(metric) => json(buffer, metric.name.as_str()),
            // A caller's mistake. Readers report the unknown name, so it does not pass unseen.
            None => {
                buffer.extend_from_slice(b"\"#");
                integer(buffer, *index);
                buffer.push(b'"');
            }
        }
        buffer.push(b':');
        number(buffer, *value);
    }
}

/// Appends a value with the text it was written with.
pub(super) fn as_written(buffer: &mut Vec<u8>, number: f64, text: &str) {
    buffer.extend_from_slice(b"{\"value\":");
    json(buffer, &number);
    buffer.extend_from_slice(b",\"written\":");
    json(buffer, text);
    buffer.push(b'}');
}

/// Appends typed absence, with what stands in place of a number.
pub(crate) fn absent(buffer: &mut Vec<u8>, text: &str) {
    buffer.extend_from_slice(b"{\"absent\":");
    json(buffer, text);
    buffer.push(b'}');
}

/// Appends a number: an integer as one, a float with the fewest digits that read back as the same
/// bits (always with a point or an exponent), and one that JSON cannot hold as typed absence.
fn number(buffer: &mut Vec<u8>, value: Number) {
    match value {
        Number::Integer(value) => integer(buffer, value),
        Number::Float(value) if value.is_finite() => json(buffer, &value),
        Number::Float(value) => {
            buffer.extend_from_slice(b"{\"absent\":\"");
            display(buffer, value);
            buffer.extend_from_slice(b"\"}");
        }
    }
}

/// Appends an integer.
fn integer<T: Serialize>(buffer: &mut Vec<u8>, value: T) {
    json(buffer, &value);
}

/// Appends what has no JSON form; writing into a `Vec` cannot fail.
fn display(buffer: &mut Vec<u8>, value: f64) {
    let written = write!(buffer, "{value}");
    debug_assert!(written.is_ok(), "a Vec takes everything");
}
