//! A run set made from foreign rows.
//!
//! Owns what is the same for every foreign source: no blocks (other harnesses execute one command
//! after the other), rows by outcome, metrics that may turn up late and that are gone again if they
//! never had a value. Refuses to parse.

use std::collections::HashMap;

use etalon_core::dataset::{
    BenchmarkId, ConfigurationId, Dataset, Entry, Execution, Full, Name, Quantity, RunSetId,
    SpellingId, Written,
};
use etalon_core::model::{Accept, Benchmark, Direction, Kind, Metric, Note, Outcome, Per};
use etalon_core::run_set::RunSet;
use etalon_core::units::Unit;

use crate::inputs::Input;

/// The most benchmarks of one source. Because: each costs about a kilobyte however few rows it has, and
/// a damaged file may name another command in every line; memory has to stay bounded.
const MOST_BENCHMARKS: usize = 100_000;

/// A run set in the making.
pub(super) struct Import<'d> {
    data: &'d mut Dataset,
    run_set: RunSetId,
    configuration: ConfigurationId,
    metrics: HashMap<String, (SpellingId, Unit)>,
    benchmarks: Vec<BenchmarkId>,
}

/// A number as it is written in its metric's unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AsWritten {
    pub(super) metric: SpellingId,
    pub(super) number: f64,
    pub(super) written: Written,
    /// Empty, unless `written` says that it is needed.
    pub(super) text: String,
}

impl<'d> Import<'d> {
    /// An empty one, as the next run set of a dataset.
    ///
    /// # Errors
    /// If that can hold no more.
    pub(super) fn new(data: &'d mut Dataset, input: &Input) -> Result<Import<'d>, Full> {
        let set = RunSet { label: input.label.clone(), ..RunSet::from_source(&input.path) };
        let run_set = data.add_run_set(set)?;
        let configuration = data.configuration(run_set, &[])?;
        let (metrics, benchmarks) = (HashMap::new(), Vec::new());
        Ok(Import { data, run_set, configuration, metrics, benchmarks })
    }

    /// The run set of the source.
    pub(super) fn set(&mut self) -> &mut RunSet {
        &mut self.data.run_sets[self.run_set.at()]
    }

    /// The metric of this name, added if it is new, and its unit.
    ///
    /// # Errors
    /// If there are as many as there may be.
    pub(super) fn metric(
        &mut self,
        name: &str,
        unit: &str,
        direction: Direction,
    ) -> Result<(SpellingId, Unit), Full> {
        if let Some(known) = self.metrics.get(name) {
            return Ok(known.clone());
        }
        let unit = Unit::new(unit);
        let metric = Metric {
            name: name.to_owned(),
            unit: unit.clone(),
            direction,
            kind: Kind::Noisy,
            resolution: None,
            per: Per::Observation,
        };
        let at = self.data.add_metric(self.run_set, metric)?;
        self.metrics.insert(name.to_owned(), (at, unit.clone()));
        Ok((at, unit))
    }

    /// Adds a benchmark; its number.
    ///
    /// # Errors
    /// If there are as many as there may be.
    pub(super) fn benchmark(&mut self, benchmark: Benchmark) -> Result<usize, String> {
        if self.benchmarks.len() == MOST_BENCHMARKS {
            return Err(format!("more than {MOST_BENCHMARKS} different benchmarks"));
        }
        let added = self.data.add_benchmark(self.run_set, benchmark);
        self.benchmarks.push(added.map_err(|full| full.to_string())?);
        Ok(self.benchmarks.len() - 1)
    }

    /// Adds a benchmark whose name is in these pieces, where it is not cut as names of commands and of Go are; its number.
    ///
    /// # Errors
    /// As [`Import::benchmark`].
    pub(super) fn named(
        &mut self,
        benchmark: Benchmark,
        name: Option<Name>,
    ) -> Result<usize, String> {
        let at = self.benchmark(benchmark)?;
        if let Some(name) = name {
            self.data.benchmarks[self.benchmarks[at].at()].name = name;
        }
        Ok(at)
    }

    /// The configuration of the facts of the source and these; the facts of the source are there by now.
    ///
    /// # Errors
    /// If there are as many as there may be.
    pub(super) fn under(
        &mut self,
        facts: &[(&'static str, String)],
    ) -> Result<ConfigurationId, Full> {
        if facts.is_empty() {
            return Ok(self.configuration);
        }
        let mut entries = self.data.context_entries(self.run_set)?;
        for (key, value) in facts {
            let key = self.data.strings.intern(key).ok_or(Full)?;
            entries.push((key, self.data.strings.intern(value).ok_or(Full)?));
        }
        self.data.configuration(self.run_set, &entries)
    }

    /// Says that a metric's readings have steps of this size in base units.
    pub(super) fn resolution(&mut self, metric: SpellingId, step: f64) {
        if let Quantity::Metric(declared) = &mut self.data.spellings[metric.at()].quantity {
            declared.metric.resolution = Some(step);
        }
    }

    /// Says that what is added now was executed together, and apart from what has another number.
    pub(super) fn begin_run(&mut self, number: u32) {
        self.data.begin_run(self.run_set, number);
    }

    /// Adds a row with what it has, however it ended.
    ///
    /// # Errors
    /// If there are 2³² rows.
    pub(super) fn reading(
        &mut self,
        (benchmark, configuration): (usize, ConfigurationId),
        execution: Execution,
        entries: &[Entry<'_>],
    ) -> Result<(), String> {
        let of = (self.benchmarks[benchmark], configuration);
        let entries = entries.iter().copied();
        self.data.add_row(of, execution, entries).map_err(|full| full.to_string())
    }

    /// Says that the format does not hold whether commands took turns.
    pub(super) fn without_order(&mut self) {
        self.set().order_unsaid = true;
    }

    /// Adds an execution: with its values, if it counts. All that are not killed by something count: the
    /// sources do not say which exit codes were acceptable.
    ///
    /// # Errors
    /// If there are 2³² rows.
    pub(super) fn row(
        &mut self,
        benchmark: usize,
        outcome: Outcome,
        values: &[AsWritten],
    ) -> Result<(), String> {
        let values = if Accept::Any.accepts(&outcome) { values } else { &[] };
        let entries = values.iter().map(|value| Entry {
            spelling: value.metric,
            number: Some((value.number, value.written)),
            text: &value.text,
        });
        let execution = Execution { outcome: Some(outcome), ..Execution::default() };
        let of = (self.benchmarks[benchmark], self.configuration);
        self.data.add_row(of, execution, entries).map_err(|full| full.to_string())
    }

    /// Whether a metric has a value.
    pub(super) fn has_values(&self, metric: SpellingId) -> bool {
        self.data.schemas.iter().flatten().any(|field| field.spelling == metric)
    }

    /// Whether there is any execution.
    pub(super) fn has_rows(&self) -> bool {
        let of_set = |row: usize| self.data.run_set_of(row) == self.run_set;
        self.data.len().checked_sub(1).is_some_and(of_set)
    }

    /// Puts the benchmarks in the order of their numbers, those with the same as they came.
    pub(super) fn order_by(&mut self, numbers: &[u64]) {
        self.data.order_benchmarks(self.run_set, numbers);
    }

    /// Adds a remark about the source.
    pub(super) fn note(&mut self, text: String) {
        let set = self.set();
        set.notes.push(Note::new(set.source.clone(), text));
    }

    /// Ends the run set, without the metrics that have no value anywhere.
    ///
    /// # Errors
    /// If the dataset can hold no more.
    pub(super) fn finish(self) -> Result<RunSetId, Full> {
        let Import { data, run_set, configuration, .. } = self;
        data.withdraw_unused_metrics(run_set);
        data.configurations[configuration.at()].entries = data.context_entries(run_set)?;
        data.finish(run_set)?;
        Ok(run_set)
    }
}
