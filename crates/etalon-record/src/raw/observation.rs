//! Reading an observation line: the hot path of reading a record, and the one way to read such a line,
//! whoever wrote it (a record, a worker).
//!
//! Owns its fields and what their absence means. The values land in a buffer the caller reuses, by
//! metric index; a metric is first looked for where the line before it had it, because lines of one
//! record name the same metrics in the same order. Refuses unknown metrics and doubled fields.

use std::borrow::Cow;
use std::fmt;

use etalon_core::model::{Coordinates, Metric, NotStarted, Number, Observation, Outcome, Phase};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::text::Text;

use super::cause::{self, Cause};
use super::json::json_reason;
use super::value::{TOO_LARGE, Value, has_huge_integer};

/// An observation line without its values.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservationLine {
    /// Index of the benchmark.
    pub benchmark: usize,
    /// Warm-up or result.
    pub phase: Phase,
    /// The node, where there are several.
    pub node: Option<u32>,
    /// The block, where the source has blocks.
    pub block: Option<u32>,
    /// The turn within the block, where it has turns.
    pub turn: Option<u32>,
    /// Nanoseconds from the start of the run set to the start of this execution, where that is said.
    pub at_ns: Option<u64>,
    /// How often the benchmark was repeated, where that is said.
    pub iterations: Option<i64>,
    /// How it ended.
    pub outcome: Outcome,
    /// Descendants that had to be killed.
    pub orphans: u32,
    /// The last of what a failed execution said.
    pub stderr: Option<Text>,
    /// Whether it has a field that this version does not know.
    unknown: bool,
}

impl ObservationLine {
    /// One of a benchmark of which nothing else is said.
    pub(super) fn for_benchmark(benchmark: usize) -> ObservationLine {
        ObservationLine {
            benchmark,
            phase: Phase::Measured,
            node: None,
            block: None,
            turn: None,
            at_ns: None,
            iterations: None,
            outcome: Outcome::Ok,
            orphans: 0,
            stderr: None,
            unknown: false,
        }
    }

    /// The observation, with these values.
    #[must_use]
    pub(crate) fn with(self, values: Vec<(usize, Number)>) -> Observation {
        let ObservationLine { benchmark, phase, node, block, turn, at_ns, iterations, .. } = self;
        Observation {
            benchmark,
            phase,
            coordinates: Coordinates { node, block, turn, at_ns },
            outcome: self.outcome,
            orphans: self.orphans,
            iterations,
            values,
        }
    }
}

/// The index of a metric and its number as recorded; none where it is typed absent.
pub(super) type Measured = (usize, Option<Number>);

/// A buffer for the values of one line after another.
#[derive(Debug, Default)]
pub(super) struct Values {
    all: Vec<Measured>,
    texts: Vec<(usize, String)>,
    /// Whether a float was seen that an oversized integer would also give.
    huge: bool,
}

impl Values {
    /// Forgets what was read last; where numbers without texts may go.
    pub(super) fn cleared(&mut self) -> &mut Vec<Measured> {
        self.texts.clear();
        self.huge = false;
        self.all.clear();
        &mut self.all
    }

    /// The values of the line that was read last.
    pub(super) fn line(&self) -> LineValues<'_> {
        LineValues { all: &self.all, texts: &self.texts }
    }

    /// The numbers, without what is absent.
    pub(super) fn numbers(&self) -> Vec<(usize, Number)> {
        self.all.iter().filter_map(|(metric, number)| Some((*metric, (*number)?))).collect()
    }
}

/// The values of one line, in its order.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineValues<'v> {
    pub(super) all: &'v [Measured],
    /// The texts in place of absent numbers and beside some others, by place among all; ascending.
    pub(super) texts: &'v [(usize, String)],
}

impl<'v> LineValues<'v> {
    /// The text at a place; empty where there is no more than a number.
    pub(super) fn text(self, place: usize) -> &'v str {
        if self.texts.is_empty() {
            return ""; // as in nearly every line
        }
        let found = self.texts.binary_search_by_key(&place, |(at, _)| *at);
        found.map_or("", |at| self.texts[at].1.as_str())
    }
}

/// Parses an observation line. `values` is emptied and filled.
///
/// # Errors
/// If the line is no observation: the complaint about it.
pub(super) fn parse(
    line: &str,
    metrics: &[Metric],
    values: &mut Values,
) -> Result<ObservationLine, String> {
    values.cleared();
    let mut json = serde_json::Deserializer::from_str(line);
    let observation = json.deserialize_map(LineVisitor { metrics, values });
    let observation = observation.and_then(|observation| json.end().map(|()| observation));
    let observation = observation.map_err(|error| json_reason(&error))?;
    if values.huge && has_huge_integer(line) {
        return Err(TOO_LARGE.to_owned());
    }
    Ok(observation)
}

/// Reads the line of a reading that succeeded, which goes into a record as it is.
///
/// # Errors
/// In words, if it is no observation, or says anything else than a reading has to say: an outcome, a
/// value that is absent, a field that readers would skip.
pub fn read_reading(line: &str, metrics: &[Metric]) -> Result<Observation, String> {
    let mut values = Values::default();
    let parsed = parse(line, metrics, &mut values)?;
    if parsed.unknown || parsed.outcome != Outcome::Ok || parsed.orphans > 0 {
        return Err("it has a field that no reading has".to_owned());
    }
    if parsed.iterations.is_some_and(|iterations| iterations < 1) {
        return Err("it has no iterations".to_owned());
    }
    let numbers = values.numbers();
    if parsed.stderr.is_some() || numbers.len() < values.all.len() {
        return Err("it says more than a reading has to say".to_owned());
    }
    Ok(parsed.with(numbers))
}

/// The fields of an observation line.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Type,
    Benchmark,
    Node,
    Phase,
    Block,
    Turn,
    Iterations,
    At,
    Outcome,
    Cause,
    Leftovers,
    Stderr,
    Values,
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum PhaseWire {
    Warmup,
    Measured,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OutcomeWire {
    Ok,
    Failed(i32),
    Killed(i32),
    TimedOut,
    Suspended,
    NotStarted(String),
}

impl From<OutcomeWire> for Outcome {
    fn from(wire: OutcomeWire) -> Outcome {
        match wire {
            OutcomeWire::Ok => Outcome::Ok,
            OutcomeWire::Failed(code) => Outcome::Failed { code },
            OutcomeWire::Killed(signal) => Outcome::Killed { signal },
            OutcomeWire::TimedOut => Outcome::TimedOut,
            OutcomeWire::Suspended => Outcome::Suspended,
            OutcomeWire::NotStarted(words) => Outcome::NotStarted { why: NotStarted::Other(words) },
        }
    }
}

struct LineVisitor<'m, 'v> {
    metrics: &'m [Metric],
    values: &'v mut Values,
}

impl<'de> Visitor<'de> for LineVisitor<'_, '_> {
    type Value = ObservationLine;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an observation")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ObservationLine, A::Error> {
        let (mut benchmark, mut node, mut phase, mut block) = (None, None, None, None);
        let (mut outcome, mut cause, mut orphans, mut seen) = (None, None, None, None);
        let (mut turn, mut at_ns, mut iterations, mut stderr) = (None, None, None::<i64>, None);
        let mut unknown = false;
        while let Some(field) = map.next_key::<Field>()? {
            match field {
                Field::Benchmark => once(&mut benchmark, map.next_value()?, "benchmark")?,
                Field::Node => once(&mut node, map.next_value()?, "node")?,
                Field::Phase => once(&mut phase, map.next_value()?, "phase")?,
                Field::Block => once(&mut block, map.next_value()?, "block")?,
                Field::Turn => once(&mut turn, map.next_value()?, "turn")?,
                Field::Iterations => once(&mut iterations, map.next_value()?, "iterations")?,
                Field::At => once(&mut at_ns, map.next_value()?, "at")?,
                Field::Outcome => once(&mut outcome, map.next_value::<OutcomeWire>()?, "outcome")?,
                Field::Cause => once(&mut cause, map.next_value::<Cause>()?, "cause")?,
                Field::Leftovers => once(&mut orphans, map.next_value()?, "leftovers")?,
                Field::Stderr => once(&mut stderr, map.next_value()?, "stderr")?,
                Field::Values => {
                    let seed = ValuesSeed { metrics: self.metrics, values: self.values };
                    once(&mut seen, map.next_value_seed(seed)?, "values")?;
                }
                Field::Type => {
                    map.next_value::<IgnoredAny>()?;
                }
                Field::Unknown => {
                    map.next_value::<IgnoredAny>()?;
                    unknown = true;
                }
            }
        }
        Ok(ObservationLine {
            benchmark: benchmark.ok_or_else(|| A::Error::missing_field("benchmark"))?,
            phase: match phase {
                Some(PhaseWire::Warmup) => Phase::Warmup,
                Some(PhaseWire::Measured) | None => Phase::Measured,
            },
            node,
            block,
            turn,
            at_ns,
            iterations,
            outcome: match outcome {
                Some(OutcomeWire::NotStarted(words)) => {
                    Outcome::NotStarted { why: cause::reason(cause, words) }
                }
                outcome => outcome.map_or(Outcome::Ok, Outcome::from),
            },
            orphans: orphans.unwrap_or(0),
            stderr,
            unknown,
        })
    }
}

/// Fills a field that may be filled once.
fn once<T, E: Error>(field: &mut Option<T>, value: T, name: &'static str) -> Result<(), E> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::duplicate_field(name)),
    }
}

struct ValuesSeed<'m, 'v> {
    metrics: &'m [Metric],
    values: &'v mut Values,
}

impl<'de> DeserializeSeed<'de> for ValuesSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ValuesSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of values by metric name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        // No metric from `highest` on was seen, so that lines in the order of declaration need no search.
        let (mut likely, mut highest) = (0, 0);
        while let Some(metric) = map.next_key_seed(MetricSeed { metrics: self.metrics, likely })? {
            if metric < highest && self.values.all.iter().any(|(m, _)| *m == metric) {
                let name = &self.metrics[metric].name;
                return Err(A::Error::custom(format_args!("a second value of `{name}`")));
            }
            let (number, text) = match map.next_value::<Value<'de>>()? {
                Value::Number(number) => {
                    self.values.huge |= matches!(number, Number::Float(x) if x.abs() >= 9_223_372_036_854_775_808.0);
                    (Some(number), None)
                }
                Value::Written(number, text) => (Some(number), Some(text)),
                Value::Absent(text) => (None, Some(text)),
            };
            if let Some(text) = text {
                self.values.texts.push((self.values.all.len(), text.into_owned()));
            }
            self.values.all.push((metric, number));
            likely = metric + 1;
            highest = highest.max(likely);
        }
        Ok(())
    }
}

/// Reads a metric's name as its index, looking at the likely one first.
struct MetricSeed<'m> {
    metrics: &'m [Metric],
    likely: usize,
}

impl<'de> DeserializeSeed<'de> for MetricSeed<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for MetricSeed<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a metric's name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        if self.metrics.get(self.likely).is_some_and(|m| m.name == name) {
            return Ok(self.likely);
        }
        self.metrics.iter().position(|m| m.name == name).ok_or_else(|| {
            let shown: Cow<'_, str> = name.chars().take(40).collect::<String>().into();
            E::custom(format_args!("no metric line before this one names `{shown}`"))
        })
    }
}
