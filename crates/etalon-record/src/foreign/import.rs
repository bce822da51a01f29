//! A run set made from foreign rows.
//!
//! Owns what is the same for every foreign source: no blocks (other harnesses execute one command
//! after the other), rows by outcome, metrics that may turn up late and that are gone again if they
//! never had a value. Refuses to parse.

use etalon_core::model::{
    Benchmark, Column, Direction, Kind, Metric, Note, Outcome, RunSet, Series,
};
use etalon_core::units::Unit;

/// The most benchmarks of one source. Because: each costs about a kilobyte however few rows it has, and
/// a damaged file may name another command in every line; memory has to stay bounded.
const MOST_BENCHMARKS: usize = 100_000;

/// A run set in the making.
pub(super) struct Import {
    pub(super) set: RunSet,
}

impl Import {
    /// An empty one.
    pub(super) fn new(source: &str) -> Import {
        Import { set: RunSet::empty(source) }
    }

    /// The index of the metric of this name, added if it is new.
    pub(super) fn metric(&mut self, name: &str, unit: &str, direction: Direction) -> usize {
        if let Some(known) = self.set.metrics.iter().position(|metric| metric.name == name) {
            return known;
        }
        self.set.metrics.push(Metric {
            name: name.to_owned(),
            unit: Unit::new(unit),
            direction,
            kind: Kind::Noisy,
            resolution: None,
            per: etalon_core::model::Per::Observation,
        });
        for series in &mut self.set.series {
            series.columns.push(Column::default());
        }
        self.set.metrics.len() - 1
    }

    /// Adds a benchmark; its index.
    ///
    /// # Errors
    /// If there are as many as there may be.
    pub(super) fn benchmark(&mut self, benchmark: Benchmark) -> Result<usize, String> {
        if self.set.benchmarks.len() == MOST_BENCHMARKS {
            return Err(format!("more than {MOST_BENCHMARKS} different benchmarks"));
        }
        self.set.benchmarks.push(benchmark);
        self.set.series.push(Series {
            columns: vec![Column::default(); self.set.metrics.len()],
            ..Series::default()
        });
        Ok(self.set.series.len() - 1)
    }

    /// Adds an execution: with its values, if it is a row. `values` are finite, in base units, by metric.
    ///
    /// # Errors
    /// If the benchmark has 2³² rows.
    pub(super) fn row(
        &mut self,
        benchmark: usize,
        outcome: Outcome,
        values: &[(usize, f64)],
    ) -> Result<(), String> {
        let series = &mut self.set.series[benchmark];
        let accept = &self.set.benchmarks[benchmark].accept;
        if let Some(row) = series.add(accept, outcome, None).map_err(|full| full.to_string())? {
            for (metric, value) in values {
                let column = &mut series.columns[*metric];
                column.rows.push(row);
                column.values.push(*value);
            }
        }
        Ok(())
    }

    /// Puts the benchmarks in the order of their numbers, those with the same as they came.
    pub(super) fn order_by(&mut self, numbers: &[u64]) {
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by_key(|&index| numbers[index]);
        let benchmarks = std::mem::take(&mut self.set.benchmarks);
        let series = std::mem::take(&mut self.set.series);
        let mut all: Vec<_> = benchmarks.into_iter().zip(series).map(Some).collect();
        let ordered = order.into_iter().filter_map(|index| all[index].take());
        (self.set.benchmarks, self.set.series) = ordered.unzip();
    }

    /// Adds a remark about the source.
    pub(super) fn note(&mut self, text: String) {
        self.set.notes.push(Note { about: self.set.source.clone(), text });
    }

    /// The finished run set, without the metrics that have no value anywhere; their names.
    pub(super) fn finish(mut self) -> (RunSet, Vec<String>) {
        let mut unused = Vec::new();
        for index in (0..self.set.metrics.len()).rev() {
            if self.set.series.iter().all(|series| series.columns[index].rows.is_empty()) {
                unused.push(self.set.metrics.remove(index).name);
                for series in &mut self.set.series {
                    series.columns.remove(index);
                }
            }
        }
        unused.reverse();
        self.set.series.iter_mut().for_each(Series::shrink_to_fit);
        (self.set, unused)
    }
}
