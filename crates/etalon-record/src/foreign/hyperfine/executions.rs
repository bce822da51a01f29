//! A benchmark as an export has it, in whichever schema: runs with their values, failures, figures.
//!
//! Owns which executions are runs: those that count and have a wall-clock time, because readers of the format take every
//! run for a result. All others that were executed are failures, each with its outcome. Refuses to write.

use etalon_core::dataset::Group;
use etalon_core::metrics;
use etalon_core::model::{BenchmarkKey, Outcome};
use etalon_core::run_set::{Figure, Statistic};
use etalon_core::units::Unit;
use serde::Serialize;

use super::fields::{FIELDS, Field};
use crate::foreign::table::{Spellings, Table};
use crate::outcome;

/// The executions of a benchmark.
pub(super) struct Executions<'a> {
    pub(super) command: &'a str,
    /// Its name, where that is not its command.
    pub(super) name: Option<&'a str>,
    pub(super) params: Parameters<'a>,
    /// For each field that some run has, its values, run by run.
    pub(super) columns: Vec<(&'static Field, Vec<Option<f64>>)>,
    pub(super) exit_codes: Vec<i32>,
    pub(super) failures: Vec<Failure>,
    figures: Vec<&'a Figure>,
    /// How many rows are neither.
    pub(super) without_time: usize,
}

/// An execution that does not count: etalon's field, which hyperfine's readers pass over.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Failure {
    outcome: &'static str,
    exit_code: i32,
}

impl Failure {
    fn new(outcome: &Outcome) -> Failure {
        Failure { outcome: outcome::word(outcome), exit_code: outcome::exit_code(outcome) }
    }
}

impl<'a> Executions<'a> {
    pub(super) fn new(table: &'a Table<'_>, group: &'a Group) -> Executions<'a> {
        let sources = FIELDS.iter().filter(is_first);
        let sources: Vec<(&Field, Source<'_>)> =
            sources.map(|field| (field, Source::new(field, table, group))).collect();
        let wall = Source::new(&FIELDS[0], table, group);
        let is_run = |row: &&u32| wall.value(table, **row as usize).is_some();
        let runs: Vec<usize> = group.rows.iter().filter(is_run).map(|row| *row as usize).collect();
        let column = |(field, source): (&'static Field, Source<'_>)| {
            let values: Vec<Option<f64>> =
                runs.iter().map(|row| source.value(table, *row)).collect();
            values.iter().any(Option::is_some).then_some((field, values))
        };
        let outcome = |row: usize| table.data.rows.outcome(row);
        // Other formats do not say which codes were accepted: one without a time was none of them.
        let without = || {
            group
                .rows
                .iter()
                .map(|row| *row as usize)
                .filter(|row| wall.value(table, *row).is_none())
        };
        let has_failed = |row: &usize| *outcome(*row) != Outcome::Ok;
        let without_time = without().filter(|row| !has_failed(row)).count();
        let uncounted = group.uncounted.iter().map(|row| *row as usize);
        let failed = without().filter(has_failed).chain(uncounted);
        let key = &group.benchmark.key;
        let command = group.benchmark.command.as_deref().unwrap_or(&key.name);
        Executions {
            command,
            name: Some(key.name.as_str()).filter(|name| *name != command),
            params: Parameters(&key.params),
            columns: sources.into_iter().filter_map(column).collect(),
            exit_codes: runs.iter().map(|row| outcome::exit_code(outcome(*row))).collect(),
            failures: failed.map(|row| Failure::new(outcome(row))).collect(),
            figures: figures(table, group, key),
            without_time,
        }
    }

    /// How many runs there are.
    pub(super) fn runs(&self) -> usize {
        self.exit_codes.len()
    }

    /// The values of a metric, as far as there are any.
    pub(super) fn values(&self, metric: &str) -> Vec<f64> {
        let column = self.columns.iter().find(|(field, _)| field.metric == metric);
        column.map(|(_, values)| values.iter().flatten().copied().collect()).unwrap_or_default()
    }

    /// The values of a metric, if every run has one.
    pub(super) fn complete(&self, metric: &str) -> Option<Vec<f64>> {
        Some(self.values(metric)).filter(|values| values.len() == self.runs() && !values.is_empty())
    }

    /// A statistic that the source gave without readings.
    pub(super) fn figure(&self, metric: &str, statistic: Statistic) -> Option<f64> {
        let is_it = |it: &&&Figure| it.metric == metric && it.statistic == statistic;
        self.figures.iter().find(is_it).map(|figure| figure.value)
    }
}

/// Whether a field is the first for its metric.
fn is_first(field: &&'static Field) -> bool {
    super::fields::for_metric(field.metric).is_some_and(|first| first.name == field.name)
}

fn figures<'a>(table: &'a Table<'_>, group: &Group, key: &BenchmarkKey) -> Vec<&'a Figure> {
    let set = &table.data.run_sets[group.run_set.at()];
    set.figures.iter().filter(|figure| figure.of == *key).collect()
}

/// Where a field's values come from.
enum Source<'t> {
    Metric(Spellings<'t>),
    /// CPU time, which is the sum of these two where it was not recorded.
    Sum([Spellings<'t>; 2]),
}

impl<'t> Source<'t> {
    fn new(field: &Field, table: &'t Table<'_>, group: &Group) -> Source<'t> {
        let symbol = match field.unit {
            Some("second") => "s",
            Some(_) => "B",
            None => "count",
        };
        let base = Unit::new(symbol).base().to_string();
        let at = |name: &str| table.metric(group.run_set, name, &base);
        match at(field.metric) {
            [] if field.metric == metrics::CPU => {
                Source::Sum([at(metrics::USER), at(metrics::SYS)])
            }
            spellings => Source::Metric(spellings),
        }
    }

    fn value(&self, table: &Table<'_>, row: usize) -> Option<f64> {
        match self {
            Source::Metric(spellings) => table.value(row, spellings),
            Source::Sum([a, b]) => Some(table.value(row, a)? + table.value(row, b)?),
        }
    }
}

/// Parameters in their order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameters<'a>(pub(super) &'a [(String, String)]);

impl Parameters<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Parameters<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
