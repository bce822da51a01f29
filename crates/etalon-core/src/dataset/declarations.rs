//! Declarations of a run set, and what follows from all of them.
//!
//! Owns what becomes of a benchmark's name (parameters are `/key=value` in it), of the context (it is the configuration
//! of every row; where there are several, with what a case is compared within). Refuses rows: those come one by one.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::ids::{BenchmarkId, ConfigurationId, Full, RunSetId, SpellingId, UnitId};
use super::metric::DeclaredMetric;
use super::{Dataset, DeclaredBenchmark, Name, Quantity, Tally, UnitSpelling, tidy};
use crate::model::{Benchmark, Case, Metric};
use crate::plan::Settings;
use crate::run_set::{AlphaSpent, RunSet};
use crate::strings::Symbol;

/// The fact that says which file a case is declared in, where a run set has several.
pub const SUITE: &str = "suite";

/// The fact that says which group of its file a case is in, where a run set has several.
pub const GROUP: &str = "group";

impl Dataset {
    /// Adds a run set without rows; its index.
    ///
    /// # Errors
    /// If there are 2³².
    pub fn add_run_set(&mut self, run_set: RunSet) -> Result<RunSetId, Full> {
        let at = RunSetId::new(self.run_sets.len())?;
        self.run_sets.push(run_set);
        Ok(at)
    }

    /// Adds a metric that a run set declares. Tables know it by the unit that [`Dataset::finish`] chooses.
    ///
    /// # Errors
    /// If there are 2³².
    pub fn add_metric(&mut self, run_set: RunSetId, metric: Metric) -> Result<SpellingId, Full> {
        let at = SpellingId::new(self.spellings.len())?;
        self.spellings.push(UnitSpelling {
            text: metric.name.clone(),
            unit: UnitId::new(0)?,
            power: 0,
            factor: 1.0,
            quantity: Quantity::Metric(Box::new(DeclaredMetric::new(run_set, metric))),
        });
        Ok(at)
    }

    /// Adds a benchmark that a run set declares, whatever it has been called before.
    ///
    /// # Errors
    /// If there are 2³².
    pub fn add_benchmark(
        &mut self,
        run_set: RunSetId,
        benchmark: Benchmark,
    ) -> Result<BenchmarkId, Full> {
        let at = BenchmarkId::new(self.benchmarks.len())?;
        let name = Name::from_benchmark(&benchmark);
        let benchmark = Some(Arc::new(benchmark));
        self.benchmarks.push(DeclaredBenchmark { run_set, name, benchmark, tally: None });
        Ok(at)
    }

    /// The facts of a run set as a configuration's entries.
    ///
    /// # Errors
    /// If there are 2³² different texts.
    pub fn context_entries(&mut self, run_set: RunSetId) -> Result<Vec<(Symbol, Symbol)>, Full> {
        let context = &self.run_sets[run_set.at()].context;
        let mut entries = Vec::with_capacity(context.len());
        for (key, value) in context {
            let key = self.strings.intern(key).ok_or(Full)?;
            entries.push((key, self.strings.intern(value).ok_or(Full)?));
        }
        Ok(entries)
    }

    /// The tally of a benchmark beside its rows.
    pub fn tally(&mut self, benchmark: BenchmarkId) -> &mut Tally {
        self.benchmarks[benchmark.at()].tally.get_or_insert_default()
    }

    /// Puts the benchmarks of the run set added last in the order of their numbers, those with the same as
    /// they came. Linear in the benchmarks, but for sorting them.
    pub fn order_benchmarks(&mut self, run_set: RunSetId, numbers: &[u64]) {
        let first = self.benchmarks.len() - numbers.len();
        debug_assert!(self.benchmarks[first..].iter().all(|declared| declared.run_set == run_set));
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by_key(|&index| numbers[index]);
        let mut all: Vec<Option<DeclaredBenchmark>> =
            self.benchmarks.drain(first..).map(Some).collect();
        self.benchmarks.extend(order.iter().filter_map(|&index| all[index].take()));
        let mut moved_to = vec![0; numbers.len()];
        order.iter().enumerate().for_each(|(to, &from)| moved_to[from] = first + to);
        for series in &mut self.series {
            let moved = series.benchmark.at().checked_sub(first).map(|from| moved_to[from]);
            if let Some(Ok(to)) = moved.map(BenchmarkId::new) {
                series.benchmark = to;
            }
        }
    }

    /// Says that a run set has all its rows: commands of one key get numbers, its metrics units, and its benchmarks'
    /// configurations what tells them apart. Linear in what is declared.
    ///
    /// # Errors
    /// If there are 2³² of something.
    pub fn finish(&mut self, run_set: RunSetId) -> Result<(), Full> {
        self.tell_equal_apart(run_set);
        self.choose_units(run_set)?;
        self.add_scopes(run_set)?;
        let looks = self.looks(run_set);
        let set = &mut self.run_sets[run_set.at()];
        set.looked = looks.map(|looks| AlphaSpent {
            looks,
            alpha: set
                .settings
                .as_ref()
                .map_or(Settings::default().criteria.alpha, |s| s.criteria.alpha),
        });
        Ok(())
    }

    fn choose_units(&mut self, run_set: RunSetId) -> Result<(), Full> {
        let metrics: Vec<SpellingId> = self.declared_metrics(run_set).map(|(at, _)| at).collect();
        let cases = self.declared_metrics(run_set).any(|(_, declared)| declared.is_per_iteration());
        for at in metrics {
            let spelling = &mut self.spellings[at.at()];
            let Quantity::Metric(declared) = &mut spelling.quantity else { continue };
            let text = declared.choose_unit(cases);
            let says = (declared.metric.direction, declared.metric.kind);
            self.declare_unit_of(run_set, says, &text);
            let tidied = tidy(&text);
            let unit = self.unit_id(tidied.unit)?;
            let spelling = &mut self.spellings[at.at()];
            (spelling.text, spelling.unit) = (text, unit);
            (spelling.power, spelling.factor) = (tidied.power, tidied.factor);
        }
        Ok(())
    }

    /// Puts what cases are compared within behind the facts they were measured under: their group, and their file where
    /// there are several.
    fn add_scopes(&mut self, run_set: RunSetId) -> Result<(), Full> {
        let of_set = |declared: &&DeclaredBenchmark| declared.run_set == run_set;
        let benchmarks = self.benchmarks.iter().filter(of_set).filter_map(|b| b.benchmark.as_ref());
        let cases = benchmarks.map(|benchmark| benchmark.case.as_ref());
        let files: BTreeSet<Option<&str>> = cases.map(|it| Some(it?.file.as_str())).collect();
        let of_several = files.len() > 1;
        for at in 0..self.series.len() {
            let series = self.series[at];
            let declared = &self.benchmarks[series.benchmark.at()];
            let Some(benchmark) = declared.benchmark.as_ref().filter(|_| of_set(&declared)) else {
                continue;
            };
            let facts = scope(benchmark, of_several);
            if facts.is_empty() {
                continue;
            }
            let mut entries = self.configurations[series.configuration.at()].entries.clone();
            for (key, value) in facts {
                let key = self.strings.intern(key).ok_or(Full)?;
                entries.push((key, self.strings.intern(&value).ok_or(Full)?));
            }
            let configuration: ConfigurationId = self.configuration(run_set, &entries)?;
            self.series[at].configuration = configuration;
        }
        Ok(())
    }
}

/// The scope of a case, as facts: its group, and its file where it is one of several.
fn scope(benchmark: &Benchmark, of_several: bool) -> Vec<(&'static str, String)> {
    let Some((file, group)) = benchmark.case.as_ref().map(Case::place) else { return Vec::new() };
    let file = of_several.then_some((SUITE, file));
    let facts = [file, group.map(|group| (GROUP, group))].into_iter().flatten();
    facts.map(|(key, value)| (key, value.to_owned())).collect()
}
