//! A dataset benchmark by benchmark and execution by execution, for writers.
//!
//! Owns the walk through rows that may lack values, and where between them those executions stand that do
//! not count. Refuses to write.

use etalon_core::dataset::{Dataset, Group, RunSetId, SpellingId};
use etalon_core::model::{Metric, Outcome};

/// Metrics with the units that their values are spelled in.
pub(crate) type Metrics = Vec<(Metric, Vec<SpellingId>)>;

/// A dataset, looked through once.
pub(crate) struct Table<'d> {
    pub(crate) data: &'d Dataset,
    pub(crate) groups: Vec<Group>,
    /// By run set.
    metrics: Vec<Metrics>,
}

/// The units that a metric's values are spelled in; none of a metric that is not there.
pub(crate) type Spellings<'t> = &'t [SpellingId];

impl<'d> Table<'d> {
    pub(crate) fn of(data: &'d Dataset) -> Table<'d> {
        let run_sets = (0..data.run_sets.len()).map_while(|at| RunSetId::new(at).ok());
        let metrics = run_sets.map(|run_set| data.metrics(run_set)).collect();
        Table { data, groups: data.groups(), metrics }
    }

    /// The names of the sources, together.
    pub(crate) fn source(&self) -> String {
        let sources = self.data.run_sets.iter().map(|set| set.source.as_str());
        sources.collect::<Vec<_>>().join(", ")
    }

    /// The names of all metrics, each once.
    pub(crate) fn metric_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (metric, _) in self.metrics.iter().flatten() {
            if !names.contains(&metric.name.as_str()) {
                names.push(&metric.name);
            }
        }
        names
    }

    /// The metric of that name whose values have this base unit, in a run set.
    pub(crate) fn metric(&self, run_set: RunSetId, name: &str, base: &str) -> Spellings<'_> {
        let is_it = |metric: &Metric| metric.name == name && metric.unit.base().to_string() == base;
        let found = self.metrics[run_set.at()].iter().find(|(metric, _)| is_it(metric));
        found.map_or(&[], |(_, spellings)| spellings)
    }

    /// Whether any run set has the metric of that name and base unit.
    pub(crate) fn has_metric(&self, name: &str, base: &str) -> bool {
        self.groups.iter().any(|group| !self.metric(group.run_set, name, base).is_empty())
    }

    /// All executions of a benchmark in their order, those that do not count included.
    pub(crate) fn executions(&self, group: &Group) -> Vec<usize> {
        let mut all: Vec<u32> = group.rows.iter().chain(&group.uncounted).copied().collect();
        all.sort_unstable();
        all.into_iter().map(|row| row as usize).collect()
    }

    /// A row's value of a metric in base units.
    pub(crate) fn value(&self, row: usize, spellings: Spellings<'_>) -> Option<f64> {
        let value = self.data.row(row).find(|value| spellings.contains(&value.spelling))?;
        Some(self.data.base(value))
    }

    /// How those executions of a benchmark ended that count.
    pub(crate) fn outcomes<'g>(&'g self, rows: &'g [u32]) -> impl Iterator<Item = &'g Outcome> {
        rows.iter().map(|row| self.data.rows.outcome(*row as usize))
    }

    /// Whether any row has a block.
    pub(crate) fn has_blocks(&self) -> bool {
        self.data.rows.have_places()
    }
}
