//! The benchmarks of a record as tables of experiment files see them.
//!
//! Owns their values of axes, of which names, suites and groups are some, and why those have no value that have none. Refuses to
//! tabulate.

use std::collections::{BTreeMap, BTreeSet};

use etalon_core::dataset::{Dataset, Field, GROUP, RunSetId, SUITE, SpellingId};
use etalon_core::model::{BenchmarkKey, Case, NotStarted, Outcome};

use super::file::File;

/// The heading of names of benchmarks in rows and columns, unless an axis is called so.
pub(crate) const NAME: &str = "name";

/// Keys that tell benchmarks apart beside their parameters.
pub(super) const KEYS: [&str; 3] = [NAME, SUITE, GROUP];

/// The benchmarks of a record: by axis their values, and why those have no value that have none.
pub(super) struct Measured<'d> {
    pub(super) data: &'d Dataset,
    pub(super) all: Vec<Ended<'d>>,
    /// Whether its commands are harnesses.
    pub(super) is_of_harness: bool,
}

/// A benchmark, and what came of it.
pub(super) struct Ended<'d> {
    pub(super) key: &'d BenchmarkKey,
    /// The file and the group of it that declare it; none of a command.
    pub(super) place: Option<(&'d str, Option<&'d str>)>,
    /// Why it has no value if it has none.
    pub(super) why: Option<String>,
    /// Whether it is a command.
    pub(super) is_whole: bool,
    /// The combinations of fields of its readings that count, each once.
    fields: Vec<&'d [Field]>,
}

impl<'d> Ended<'d> {
    /// Its value of an axis: a parameter, else its name, its group or its suite.
    pub(super) fn value(&self, axis: &str) -> Option<&'d str> {
        let param = self.key.params.iter().find(|(name, _)| name == axis);
        param.map(|(_, value)| value.as_str()).or_else(|| match axis {
            NAME => Some(&self.key.name),
            GROUP => self.place?.1,
            SUITE => Some(self.place?.0),
            _ => None,
        })
    }

    /// Whether it worked and has no value of a metric: its program is about another.
    pub(super) fn is_about_others(&self, metric: Option<SpellingId>) -> bool {
        let is_metric = |field: &Field| Some(field.spelling) == metric;
        self.why.is_none() && !self.fields.iter().copied().flatten().any(is_metric)
    }
}

impl<'d> Measured<'d> {
    pub(super) fn of(data: &'d Dataset) -> Measured<'d> {
        let benchmarks = data.benchmarks.iter().enumerate();
        let mut all: BTreeMap<usize, Ended<'d>> = benchmarks
            .filter_map(|(at, declared)| {
                let benchmark = declared.benchmark.as_deref()?;
                let (key, place) = (&benchmark.key, benchmark.case.as_ref().map(Case::place));
                let why = Some("not measured".to_owned());
                let is_whole = benchmark.command.is_some();
                Some((at, Ended { key, place, why, is_whole, fields: Vec::new() }))
            })
            .collect();
        let mut have_failed = BTreeSet::new();
        for row in 0..data.len() {
            let at = data.series_of(row).benchmark.at();
            let Some(ended) = all.get_mut(&at) else { continue };
            if data.counts(row) {
                ended.why = None;
                let fields = data.fields(row);
                if !ended.fields.iter().any(|known| std::ptr::eq(*known, fields)) {
                    ended.fields.push(fields);
                }
            } else if ended.why.is_some() && have_failed.insert(at) {
                ended.why = Some(ending(data.rows.outcome(row)));
            }
        }
        let is_of_harness = data.run_sets.iter().any(|set| set.harness.is_some());
        Measured { data, all: all.into_values().collect(), is_of_harness }
    }

    /// Benchmarks of harnesses by the values of the file's axes, in its order: a record has them as they came.
    pub(super) fn in_order_of(mut self, file: &File) -> Measured<'d> {
        if self.is_of_harness {
            let place = |it: &Ended<'_>| -> Vec<Option<usize>> {
                let axes = file.axes.iter();
                let of_axis = axes.map(|(axis, values)| {
                    let value = it.value(axis.get_ref())?;
                    values.iter().position(|known| known.name() == value)
                });
                of_axis.collect()
            };
            self.all.sort_by_cached_key(place);
        }
        self
    }

    /// Whether a metric is of whole commands, beside those of the harnesses that they are.
    pub(super) fn is_of_whole(&self, metric: &str) -> bool {
        let spelling = RunSetId::new(0).ok().and_then(|set| self.data.declared_metric(set, metric));
        let mut own = self.all.iter().filter(|it| !it.is_whole);
        spelling.is_none() || own.all(|it| it.is_about_others(spelling))
    }
}

/// Benchmarks without any value, by their value of an axis or else their name, and why.
pub(super) fn without_values(data: &Dataset, axis: &str) -> Vec<(String, String)> {
    let all = Measured::of(data).all.into_iter();
    all.filter_map(|it| {
        let called = it.value(axis).unwrap_or(&it.key.name).to_owned();
        Some((called, it.why?))
    })
    .collect()
}

/// How an execution ended that does not count, in a cell.
fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok => "no value".to_owned(),
        Outcome::Failed { code } => format!("failed ({code})"),
        Outcome::Killed { signal } => outcome
            .stopped_by()
            .map_or(format!("killed ({signal})"), |it| format!("stopped itself ({})", it.name())),
        Outcome::TimedOut => "timed out".to_owned(),
        Outcome::Suspended => "suspended".to_owned(),
        Outcome::NotStarted { why: why @ NotStarted::NotInstalled } => why.to_string(),
        Outcome::NotStarted { .. } => "not started".to_owned(),
    }
}
