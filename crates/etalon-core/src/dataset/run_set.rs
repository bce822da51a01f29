//! A run set as rows of a dataset.
//!
//! Owns what becomes of its parts: a benchmark's name and its parameters as `/key=value`, the context as
//! configuration, a metric as a unit (`wall` is `sec/op`, `rss` is `rss-B/op`), executions as rows in base
//! units, with blocks and turns. Refuses warm-ups and failures: a run set has no values
//! of them.

use super::add::{Entry, Full};
use super::name::Name;
use super::number::Written;
use super::strings::Symbol;
use super::{Dataset, Place};
use crate::model::{Benchmark, Direction, Kind, Metric, RunSet, Series};
use crate::units::Base;

impl Dataset {
    /// The rows of a run set.
    ///
    /// # Errors
    /// If a dataset cannot hold that many.
    pub fn from_run_set(set: &RunSet) -> Result<Dataset, Full> {
        let mut data = Dataset::default();
        data.add_run_set(set, &set.source)?;
        Ok(data)
    }

    /// Adds the rows of a run set; `label` is what `.file` says. Linear.
    ///
    /// # Errors
    /// If a dataset cannot hold that many.
    pub fn add_run_set(&mut self, set: &RunSet, label: &str) -> Result<(), Full> {
        let file = self.add_file(&set.source, label)?;
        let mut entries: Vec<(Symbol, Symbol)> = Vec::with_capacity(set.context.len());
        for (key, value) in &set.context {
            let key = self.strings.intern(key).ok_or(Full)?;
            entries.push((key, self.strings.intern(value).ok_or(Full)?));
        }
        let configuration = self.configuration(file, &entries)?;
        let units: Vec<String> = set.metrics.iter().map(unit_of).collect();
        for (metric, unit) in set.metrics.iter().zip(&units) {
            self.declare_metric(file, metric, unit);
        }
        for (benchmark, series) in set.benchmarks.iter().zip(&set.series) {
            let name = self.benchmark(name_of(benchmark))?;
            self.add_series((name, configuration), series, &units)?;
        }
        Ok(())
    }

    /// What its name does not say already.
    fn declare_metric(&mut self, file: u32, metric: &Metric, unit: &str) {
        let better = match metric.direction {
            Direction::Lower => Some("lower"),
            Direction::Higher => Some("higher"),
            Direction::Neither => None,
        };
        if let Some(better) = better.filter(|_| self.direction(unit) != metric.direction) {
            self.declare((file, None), unit, "better", better);
        }
        if metric.kind == Kind::Exact {
            self.declare((file, None), unit, "assume", "exact");
        }
    }

    fn add_series(
        &mut self,
        of: (u32, u32),
        series: &Series,
        units: &[String],
    ) -> Result<(), Full> {
        let mut passed = vec![0; series.columns.len()];
        let mut entries = Vec::with_capacity(series.columns.len());
        for row in 0..series.rows {
            entries.clear();
            for ((column, at), unit) in series.columns.iter().zip(&mut passed).zip(units) {
                if column.rows.get(*at) == Some(&row) {
                    let number = Some((column.values[*at], Written::Computed));
                    entries.push(Entry { unit, number, text: "" });
                    *at += 1;
                }
            }
            let at = row as usize;
            let turn = series.turns.get(at).copied();
            let place = series.blocks.get(at).map(|block| Place { block: *block, turn });
            let iterations = series.iterations.get(at).map_or(Ok(1), |n| i64::try_from(*n));
            self.add_row(of, (iterations.unwrap_or(i64::MAX), place), entries.iter().copied())?;
        }
        Ok(())
    }
}

/// The name of a command is taken as it is, whatever slashes and hyphens it has; any other, such as one
/// that was read from Go's benchmarks, is cut as a Go name. Parameters come before its GOMAXPROCS.
fn name_of(benchmark: &Benchmark) -> Name {
    let key = &benchmark.key;
    if benchmark.command.is_some() {
        return Name::with_params(&key.name, &key.params);
    }
    let name = Name::of_go(&key.name);
    let is_procs = |part: &&str| !part.starts_with('/');
    let params: Vec<String> = key.params.iter().map(|(k, v)| format!("/{k}={v}")).collect();
    let pieces = [name.base()].into_iter().chain(name.parts().filter(|part| !is_procs(part)));
    let pieces = pieces.chain(params.iter().map(String::as_str));
    Name::of_pieces(pieces.chain(name.parts().filter(is_procs)))
}

/// The unit a metric's values in base units have. A metric named like one keeps it.
fn unit_of(metric: &Metric) -> String {
    let name = &metric.name;
    if name.contains('/') && !name.contains(char::is_whitespace) {
        return name.clone();
    }
    match metric.unit.base() {
        Base::Seconds if name == "wall" => "sec/op".to_owned(),
        Base::Seconds => format!("{name}-sec/op"),
        Base::Bytes => format!("{name}-B/op"),
        Base::Count => format!("{name}/op"),
        Base::Other(unit) if unit == name => name.clone(),
        Base::Other(unit) => format!("{name}-{unit}/op"),
    }
}
