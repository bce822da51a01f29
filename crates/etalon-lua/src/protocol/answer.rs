//! Answers, and reading them from lines of JSON.

use std::fmt;

use etalon_core::model::{Number, Observation, Outcome};
use etalon_record::raw::read_reading;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use crate::metrics;

/// A message of a worker, or its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Something was timed or counted.
    Observation(Reading),
    /// The suite is loaded.
    Loaded(Loaded),
    /// The case is ready.
    Prepared(Prepared),
    /// The memory readings are over.
    Done,
    /// Everything is put away; the worker ends.
    Finished(Finished),
    /// A remark of the worker, to be recorded.
    Note(WorkerNote),
    /// Something in the suite failed; the worker ends.
    Failed(Failed),
    /// The worker has ended, and everything it said was handed out before.
    Ended(Outcome),
}

/// A line of the record.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The line as the worker wrote it, with its newline.
    pub line: Vec<u8>,
    /// The CPU on which a sample was taken, where that is known.
    pub cpu: Option<u32>,
    /// The observation; values by index into [`metrics::all`].
    pub observation: Observation,
}

impl Reading {
    /// The value of a metric.
    #[must_use]
    pub fn value(&self, metric: &str) -> Option<f64> {
        let values = &self.observation.values;
        let named = |(index, _): &&(usize, Number)| {
            metrics::all().get(*index).is_some_and(|known| known.name == metric)
        };
        values.iter().find(named).map(|(_, value)| value.as_f64())
    }
}

/// The contents of a suite.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Loaded {
    /// How long loading took, in ns.
    pub ns: u64,
    /// Its cases, in the order registered; a case per combination of parameters.
    pub cases: Vec<Case>,
    /// Options of the suite.
    pub options: Options,
    /// The Lua that executes it.
    pub runtime: Runtime,
}

/// A case as a suite declares it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Case {
    /// The name that `describe` was given.
    pub name: String,
    /// Its parameters, in the order declared.
    #[serde(default, deserialize_with = "pairs")]
    pub params: Vec<(String, String)>,
    /// The group it is compared within.
    pub group: Option<String>,
    /// The tags that `tags` was given.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Why it is not to be measured.
    pub skip: Option<String>,
    /// The file it is described in.
    pub source: Option<String>,
    /// The line there.
    pub line: Option<u64>,
    /// Bytes that a call works through.
    pub bytes: Option<f64>,
    /// Items that a call works through.
    pub items: Option<f64>,
    /// Whether it times its calls itself (`run_with_timer`).
    #[serde(default)]
    pub timer: bool,
}

/// Which case of a suite one is: no two have the same. Their order is none of it, because a suite may register them in
/// an order that changes from process to process, as that of `pairs` does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseIdentity {
    /// The group it is compared within.
    pub group: Option<String>,
    /// The name that `describe` was given.
    pub name: String,
    /// Its parameters, in the order declared.
    pub params: Vec<(String, String)>,
}

impl Case {
    /// Which case of its suite it is.
    #[must_use]
    pub fn identity(&self) -> CaseIdentity {
        let Case { group, name, params, .. } = self;
        CaseIdentity { group: group.clone(), name: name.clone(), params: params.clone() }
    }
}

/// The suite's options, those that were given.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
pub struct Options {
    /// How long to warm up, in seconds.
    pub warmup: Option<f64>,
    /// The collector's policy.
    pub gc_step: Option<i64>,
    /// Confidence level in percent.
    pub confidence_level: Option<f64>,
    /// Full width of the interval over the estimate, in percent.
    pub rciw: Option<f64>,
}

/// The Lua that executes a suite.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Runtime {
    /// Implementation and version.
    pub version: String,
    /// The language it implements: `_VERSION`.
    pub language: String,
    /// `on`, `off` or `none`.
    pub jit: String,
    /// `native`, `ffi` or `os`.
    pub clock: String,
    /// `allocator` (exact) or `count` (`collectgarbage('count')`).
    pub memory: String,
    /// Whether it was built with assertions, which slow it down.
    #[serde(default)]
    pub assertions: bool,
}

/// Findings while a case was made ready.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Prepared {
    /// Calls per batch.
    pub iterations: u64,
    /// The time of one call, in ns.
    pub call_ns: f64,
    /// The expected time of a turn, with its collection and its untimed batch, in ns.
    pub turn_ns: f64,
    /// The time of the hooks, in ns.
    pub hooks_ns: f64,
    /// The time of the warm-up, in ns.
    pub warmup_ns: f64,
}

/// The last words of a worker.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Finished {
    /// How many samples were taken.
    pub samples: u64,
    /// Numbers of the suite's own.
    pub metrics: Vec<MetricLine>,
    /// Traces that a JIT compiler gave up, the most frequent first.
    #[serde(default)]
    pub aborts: Vec<AbortLine>,
}

/// Traces that a JIT compiler gave up for one reason in one place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AbortLine {
    /// Why, in its words.
    pub reason: String,
    /// Where it was recording: `file:line` of the code, or a part of etalon's.
    pub at: String,
    /// How often.
    pub count: u64,
}

/// A number that a suite gave with `measure.metric`; of several under one name the last.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct MetricLine {
    /// The suite's name for it: a metric of the record.
    pub name: String,
    /// In `unit`.
    pub value: f64,
    /// Any that records know.
    pub unit: String,
    /// `lower`, `higher` or `neither`.
    pub direction: String,
}

/// A remark of a worker.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct WorkerNote {
    /// Which case, by its name.
    pub about: String,
    /// One sentence or two, for a reader of reports.
    pub text: String,
}

/// A failure while a suite was loaded or a case was executed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Failed {
    /// During which stage it failed.
    pub stage: Stage,
    /// The message of the error, with file and line.
    pub message: String,
}

/// Where something failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Before the suite was executed: this Lua cannot read it.
    Syntax,
    /// While the suite was loaded.
    Load,
    /// In the hook of this name.
    BeforeAll,
    /// In the hook of this name.
    BeforeEach,
    /// In the context function or the case's `setup`.
    Setup,
    /// In the function measured, while it warmed up.
    Warmup,
    /// In the function measured.
    Run,
    /// In the case's `teardown`.
    Teardown,
    /// In the hook of this name.
    AfterEach,
    /// In the hook of this name.
    AfterAll,
    /// A request came out of order or was not understood: a fault of etalon's.
    Request,
    /// The driver itself could not start or go on.
    Driver,
}

impl Stage {
    /// Its name in messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Syntax => "syntax",
            Stage::Load => "load",
            Stage::BeforeAll => "before_all",
            Stage::BeforeEach => "before_each",
            Stage::Setup => "setup",
            Stage::Warmup => "warmup",
            Stage::Run => "run",
            Stage::Teardown => "teardown",
            Stage::AfterEach => "after_each",
            Stage::AfterAll => "after_all",
            Stage::Request => "request",
            Stage::Driver => "driver",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A line that is no observation, by its type.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Loaded(Loaded),
    Prepared(Prepared),
    Done,
    Finished(Finished),
    Note(WorkerNote),
    Failed(Failed),
}

/// How the driver begins an observation.
const OBSERVATION: &[u8] = b"{\"type\":\"observation\",";

/// Reads a line, which has its newline: the number of its request, and what is said.
pub(crate) fn read(line: &[u8]) -> Result<(u64, Answer), String> {
    let space = line.iter().position(|&byte| byte == b' ');
    let (number, said) = space.map_or((line, &[][..]), |at| (&line[..at], &line[at + 1..]));
    let number = std::str::from_utf8(number).ok().and_then(|text| match text.split_once('@') {
        Some((digits, cpu)) => Some((digits.parse().ok()?, Some(cpu.parse().ok()?))),
        None => Some((text.parse().ok()?, None)),
    });
    let (number, cpu) = number.ok_or("it does not begin with the number of a request")?;
    if said.starts_with(OBSERVATION) {
        let text = std::str::from_utf8(said).map_err(|_| "it is not UTF-8")?;
        let observation = read_reading(text, metrics::all())?;
        let reading = Reading { line: said.to_owned(), cpu, observation };
        return Ok((number, Answer::Observation(reading)));
    }
    let line = serde_json::from_slice(said).map_err(|error| error.to_string())?;
    let answer = match line {
        Line::Loaded(loaded) => Answer::Loaded(loaded),
        Line::Prepared(prepared) => Answer::Prepared(prepared),
        Line::Done => Answer::Done,
        Line::Finished(finished) => Answer::Finished(finished),
        Line::Note(note) => Answer::Note(note),
        Line::Failed(failed) => Answer::Failed(failed),
    };
    Ok((number, answer))
}

/// The fields of an object in the order they are written.
fn pairs<'de, D, T>(deserializer: D) -> Result<Vec<(String, T)>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Pairs<T>(std::marker::PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Pairs<T> {
        type Value = Vec<(String, T)>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some(pair) = map.next_entry()? {
                pairs.push(pair);
            }
            Ok(pairs)
        }
    }
    deserializer.deserialize_map(Pairs(std::marker::PhantomData))
}
