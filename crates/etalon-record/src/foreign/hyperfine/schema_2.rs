//! A result in schema 2, hyperfine's from 2.0 on: each run with all its values, and a summary of each metric.
//!
//! Owns its fields, as hyperfine's own scripts read them: a summary for each metric that a run has. Of a metric that the
//! source gave as figures only, the summary has these and no run has it.

use std::collections::BTreeMap;

use etalon_core::run_set::Statistic;
use etalon_core::stats::{Sorted, mean, median, stddev};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::executions::{Executions, Failure, Parameters};
use super::fields::{FIELDS, Field};

#[derive(Serialize)]
pub(super) struct Result<'a> {
    command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    measurements: Vec<Measurement>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<&'a str, Parameter<'a>>,
    summary: BTreeMap<&'static str, Summary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<Failure>,
}

#[derive(Serialize)]
struct Parameter<'a> {
    value: &'a str,
}

#[derive(Serialize)]
struct Summary {
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    mean: Option<f64>,
    stddev: Option<f64>,
    median: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
}

/// A run: its values in the order of the fields, and its exit code.
struct Measurement {
    values: Vec<(&'static Field, f64)>,
    exit_code: i32,
}

#[derive(Serialize)]
struct Quantity {
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
}

/// A number of things, which is whole.
#[derive(Serialize)]
struct Count {
    value: u64,
}

impl<'a> Result<'a> {
    pub(super) fn new(of: Executions<'a>) -> Result<'a> {
        let run = |(run, exit_code): (usize, &i32)| Measurement {
            values: of
                .columns
                .iter()
                .filter_map(|(field, all)| Some((*field, all[run]?)))
                .collect(),
            exit_code: *exit_code,
        };
        let summary = |field: &'static Field| Some((field.name, Summary::new(&of, field)?));
        let Parameters(params) = of.params;
        let parameter = |(name, value): &'a (String, String)| (name.as_str(), Parameter { value });
        Result {
            command: of.command,
            name: of.name,
            measurements: of.exit_codes.iter().enumerate().map(run).collect(),
            parameters: params.iter().map(parameter).collect(),
            summary: FIELDS.iter().filter_map(summary).collect(),
            failures: of.failures,
        }
    }
}

impl Summary {
    fn new(of: &Executions<'_>, field: &Field) -> Option<Summary> {
        if super::fields::for_metric(field.metric).is_none_or(|first| first.name != field.name) {
            return None;
        }
        let values = of.values(field.metric);
        let sorted = Sorted::new(&values).unwrap_or_default();
        let or =
            |value: Option<f64>, statistic| value.or_else(|| of.figure(field.metric, statistic));
        let mean = or(mean(&values), Statistic::Mean)?;
        Some(Summary {
            unit: field.unit,
            count: Some(values.len()).filter(|count| *count > 0),
            mean: Some(mean),
            stddev: or(stddev(&values), Statistic::Stddev),
            median: or(median(&sorted), Statistic::Median),
            min: or(sorted.min(), Statistic::Min),
            max: or(sorted.max(), Statistic::Max),
        })
    }
}

impl Serialize for Measurement {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len() + 1))?;
        for (field, value) in &self.values {
            match (field.unit, whole(*value)) {
                (None, Some(value)) => map.serialize_entry(field.name, &Count { value })?,
                (unit, _) => map.serialize_entry(field.name, &Quantity { value: *value, unit })?,
            }
        }
        map.serialize_entry("exit_code", &self.exit_code)?;
        map.end()
    }
}

/// A whole number, up to where every integer is a double.
fn whole(value: f64) -> Option<u64> {
    let is_whole = value.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&value);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked above
    is_whole.then_some(value as u64)
}
