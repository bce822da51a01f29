//! Functions whose calls do nothing that can be seen: the empty loop, and what a compiler removed.
//!
//! Owns when that is so, for rankings and tables alike. Refuses to know what follows from it.

use rustc_hash::FxHashSet;

use super::{BenchmarkId, Dataset, DeclaredBenchmark};
use crate::metrics;
use crate::model::{Benchmark, EMPTY_LOOP};

/// A call that is nearer to the empty loop's than this, in seconds, does nothing that can be seen. Because: a single
/// dependent addition takes about as long.
const NOTHING: f64 = 0.3e-9;

/// Whether calls of a benchmark with these shortest times do nothing that can be seen; seconds. Because: what waits for a
/// CPU takes several times as long, and nothing takes less than it does.
pub(crate) fn does_nothing(benchmark: &Benchmark, call: f64, empty_loop: Option<f64>) -> bool {
    let Some(case) = &benchmark.case else { return false };
    let is_like = |empty_loop: f64| call - empty_loop < NOTHING && !case.timer;
    benchmark.key.name == EMPTY_LOOP || empty_loop.is_some_and(is_like)
}

/// The smallest value.
pub(crate) fn smallest(values: &[f64]) -> Option<f64> {
    values.iter().copied().min_by(f64::total_cmp)
}

impl Dataset {
    /// The benchmarks whose calls do nothing that can be seen. Linear in the rows of functions.
    pub(crate) fn idle(&self) -> FxHashSet<BenchmarkId> {
        let is_case = |declared: &DeclaredBenchmark| {
            declared.benchmark.as_ref().is_some_and(|benchmark| benchmark.case.is_some())
        };
        if !self.benchmarks.iter().any(is_case) {
            return FxHashSet::default();
        }
        let mut idle = FxHashSet::default();
        let mut last = None;
        for group in self.groups().iter().filter(|group| group.benchmark.case.is_some()) {
            if last.as_ref().is_none_or(|(run_set, _)| *run_set != group.run_set) {
                last = Some((group.run_set, self.metrics(group.run_set)));
            }
            let metrics = last.iter().flat_map(|(_, metrics)| metrics);
            let shortest = |name: &str| {
                let (_, spellings) = metrics.clone().find(|(metric, _)| metric.name == name)?;
                smallest(&self.columns(&group.rows, &[spellings]).pop()?.values)
            };
            let call = shortest(metrics::WALL);
            let empty_loop = || shortest(metrics::EMPTY_LOOP);
            let is_idle = |call| does_nothing(&group.benchmark, call, empty_loop());
            if call.is_some_and(is_idle) {
                idle.insert(group.id);
            }
        }
        idle
    }
}
