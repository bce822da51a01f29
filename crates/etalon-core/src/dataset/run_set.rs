//! A run set as rows of a dataset.
//!
//! Owns what becomes of its parts: a benchmark's name and its parameters as `/key=value`, the context as
//! configuration (and where there are several, what a case is compared within), a metric as a unit (`wall` is
//! `sec/op`, `rss` is `rss-B/op`), executions as rows, with blocks and turns. Refuses warm-ups and
//! failures: a run set has no values of them.

use std::collections::BTreeSet;

use super::add::{Entry, Full};
use super::name::Name;
use super::number::Written;
use super::{Dataset, Looked, Place};
use crate::analysis::looks;
use crate::model::{Benchmark, Direction, Kind, Metric, Per, RunSet, Series};
use crate::plan::Settings;
use crate::strings::Symbol;
use crate::units::{Base, Unit};

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
        self.files[file as usize].looked = looks(set).map(|looks| Looked {
            looks,
            alpha: set
                .settings
                .as_ref()
                .map_or(Settings::default().criteria.alpha, |s| s.criteria.alpha),
        });
        let mut entries: Vec<(Symbol, Symbol)> = Vec::with_capacity(set.context.len());
        for (key, value) in &set.context {
            let key = self.strings.intern(key).ok_or(Full)?;
            entries.push((key, self.strings.intern(value).ok_or(Full)?));
        }
        let cases = set.metrics.iter().any(|metric| metric.per == Per::Iteration);
        let written: Vec<AsUnit> =
            set.metrics.iter().map(|metric| AsUnit::of(metric, cases)).collect();
        for (metric, written) in set.metrics.iter().zip(&written) {
            self.declare_metric(file, metric, &written.unit);
        }
        let scopes: BTreeSet<_> = set.benchmarks.iter().map(scope).collect();
        for (benchmark, series) in set.benchmarks.iter().zip(&set.series) {
            let shared = entries.len();
            if scopes.len() > 1 {
                for (key, value) in scope(benchmark).into_iter().flatten() {
                    let key = self.strings.intern(key).ok_or(Full)?;
                    entries.push((key, self.strings.intern(value).ok_or(Full)?));
                }
            }
            let configuration = self.configuration(file, &entries)?;
            entries.truncate(shared);
            let name = self.benchmark(name_of(benchmark))?;
            self.add_series((name, configuration), series, &written)?;
            let metrics = set.metrics.iter().zip(&series.columns).zip(&written);
            for ((metric, column), written) in metrics {
                let step = benchmark.resolution(metric, column, &series.iterations);
                let Some(step) = step else { continue };
                let writing = self.writing(&written.unit)?;
                let tidied = written.number(step) * self.writings[writing as usize].factor;
                self.resolutions.insert((name, configuration, writing), tidied);
            }
        }
        Ok(())
    }

    /// What its name does not say already.
    fn declare_metric(&mut self, file: u32, metric: &Metric, unit: &str) {
        let better = match metric.direction {
            Direction::Lower => "lower",
            Direction::Higher => "higher",
            Direction::Neither => "neither",
        };
        if self.direction(unit) != metric.direction {
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
        written: &[AsUnit],
    ) -> Result<(), Full> {
        let mut passed = vec![0; series.columns.len()];
        let mut entries = Vec::with_capacity(series.columns.len());
        for row in 0..series.rows {
            entries.clear();
            for ((column, at), written) in series.columns.iter().zip(&mut passed).zip(written) {
                if column.rows.get(*at) == Some(&row) {
                    let number = Some((written.number(column.values[*at]), Written::Computed));
                    entries.push(Entry { unit: &written.unit, number, text: "" });
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

/// What a case is compared within, as facts: its file, and its group there.
fn scope(benchmark: &Benchmark) -> [Option<(&'static str, &str)>; 2] {
    let case = benchmark.case.as_ref();
    let group = case.and_then(|case| case.group.as_deref());
    [case.map(|case| ("suite", case.file.as_str())), group.map(|group| ("group", group))]
}

/// The name of a command or a case is taken as it is, whatever slashes and hyphens it has; any other, such as
/// one that was read from Go's benchmarks, is cut as a Go name. Parameters come before its GOMAXPROCS.
fn name_of(benchmark: &Benchmark) -> Name {
    let key = &benchmark.key;
    if benchmark.command.is_some() || benchmark.case.is_some() {
        return Name::with_params(&key.name, &key.params);
    }
    let name = Name::of_go(&key.name);
    let is_procs = |part: &&str| !part.starts_with('/');
    let params: Vec<String> = key.params.iter().map(|(k, v)| format!("/{k}={v}")).collect();
    let pieces = [name.base()].into_iter().chain(name.parts().filter(|part| !is_procs(part)));
    let pieces = pieces.chain(params.iter().map(String::as_str));
    Name::of_pieces(pieces.chain(name.parts().filter(is_procs)))
}

/// How the values of a metric are written.
struct AsUnit {
    unit: String,
    /// The unit that values are converted to, where that is not the base unit.
    of: Option<Unit>,
}

impl AsUnit {
    /// A metric that is named like a unit (`p99-ms/op`) keeps its name, and has its values in it. What is
    /// not of an iteration, in a run set of iterations (`cases`), is of no operation.
    fn of(metric: &Metric, cases: bool) -> AsUnit {
        let name = &metric.name;
        let base = metric.unit.base();
        let (numerator, denominator) = name.split_once('/').unwrap_or((name, ""));
        let word = numerator.rsplit(['-', '*']).next().unwrap_or(numerator);
        let named = match word {
            "sec" => Unit::new("s"),
            word => Unit::new(word),
        };
        let compound = word.len() < numerator.len() || !denominator.is_empty();
        let is_unit = compound && named.base() == base && !matches!(base, Base::Other(_));
        if !name.contains(char::is_whitespace) && (is_unit || !denominator.is_empty()) {
            let is_base = !is_unit || matches!(word, "sec" | "B");
            return AsUnit { unit: name.clone(), of: (!is_base).then_some(named) };
        }
        let per = if cases && metric.per == Per::Observation { "" } else { "/op" };
        let unit = match base {
            Base::Seconds if name == "wall" => format!("sec{per}"),
            Base::Seconds => format!("{name}-sec{per}"),
            Base::Bytes => format!("{name}-B{per}"),
            Base::Count => format!("{name}{per}"),
            Base::Other(unit) if unit == name => name.clone(),
            Base::Other(unit) => format!("{name}-{unit}{per}"),
        };
        AsUnit { unit, of: None }
    }

    /// A value in base units as a number in the unit.
    fn number(&self, value: f64) -> f64 {
        self.of.as_ref().map_or(value, |unit| unit.from_base(value))
    }
}
