//! Earlier runs of the same benchmarks: how much unchanged code differs from one run to the next.
//!
//! Owns which earlier runs speak for a comparison: those of the same benchmark and unit, on the same machine, of the
//! code of either side, each once. Which of them say how much runs scatter, and how much, is
//! [`crate::compare::EarlierRuns`]'. Refuses to find records: they come as a dataset.

use std::collections::HashMap;
use std::sync::Arc;

use super::{BenchmarkId, ConfigurationId, Dataset, Likeness, Name, Print, RunOf, Series, UnitId};
use crate::compare::{EarlierRun, EarlierRuns, SideRuns, Spread};
use crate::sample::Sample;

/// The package that Go's benchmarks are of: names are its own.
pub(crate) const PACKAGE: &str = "pkg";

/// The fact that identifies a version of the code, besides the hash of its program.
pub const COMMIT: &str = "commit";

/// Values of earlier runs.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// By benchmark and unit.
    runs: HashMap<(Subject, String), Vec<Run>>,
    /// The runs of each benchmark, those that are compared among them: copies of these are left out.
    known: HashMap<Subject, Vec<SeenRun>>,
    /// How many runs of a benchmark were left out for that.
    copies: HashMap<Subject, usize>,
    /// The names of the sources.
    sources: Vec<Arc<str>>,
}

/// A run of a benchmark that was seen.
#[derive(Debug, Clone)]
struct SeenRun {
    /// The number of its source, and the run in that.
    id: (usize, RunOf),
    machine: [Option<String>; 6],
    /// When it began, where no other run of its source did at that moment.
    began: Option<f64>,
    print: Print,
}

/// A benchmark across datasets: its name with its parameters, and the file, the group or the package that declares it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Subject {
    name: Name,
    place: [Option<String>; 3],
}

impl Subject {
    fn new(data: &Dataset, benchmark: BenchmarkId, configuration: ConfigurationId) -> Subject {
        let declared = &data.benchmarks[benchmark.at()];
        let case = declared.benchmark.as_deref().and_then(|benchmark| benchmark.case.as_ref());
        let package = data.fact(configuration, PACKAGE).map(str::to_owned);
        let group = case.and_then(|case| case.group.clone());
        let file = case.map(|case| case.file.clone());
        Subject { name: declared.name.clone(), place: [file, group, package] }
    }
}

/// A side of a comparison: its benchmark, and where one of its rows was measured.
#[derive(Debug, Clone)]
pub struct Side {
    subject: Subject,
    series: Series,
    run: RunOf,
}

impl Side {
    /// That of a row.
    #[must_use]
    pub(crate) fn from_row(data: &Dataset, row: usize) -> Side {
        let series = data.series_of(row);
        let subject = Subject::new(data, series.benchmark, series.configuration);
        Side { subject, series, run: data.run_of(row) }
    }

    /// Whether another is of the same benchmark.
    #[must_use]
    pub(crate) fn is_of(&self, other: &Side) -> bool {
        self.subject == other.subject
    }
}

/// A version of the code: its commit, and the hash of its program, where they are known.
type Code = [Option<String>; 2];

/// Where a run was made, and of what.
#[derive(Debug, Clone, PartialEq)]
struct Origin {
    machine: [Option<String>; 6],
    code: Code,
    began: Option<f64>,
}

#[derive(Debug, Clone)]
struct Run {
    /// The number of its source, and the run in that.
    id: (usize, RunOf),
    origin: Origin,
    /// The median of the logarithms of its readings.
    value: f64,
    spread: Spread,
}

/// The benchmark of a run's rows, and the facts they were measured under.
type Measured = (BenchmarkId, ConfigurationId);

/// Rows and their values in one unit.
type Readings = (Vec<u32>, Vec<f64>);

impl History {
    /// One without runs, in which those of a dataset are to count as little as their copies: they are compared.
    #[must_use]
    pub fn beside(data: &Dataset) -> History {
        let mut history = History::default();
        history.fresh(data);
        history.copies.clear();
        history
    }

    /// The runs of a dataset besides those known. O(n log n).
    pub fn add(&mut self, data: &Dataset) {
        let first = self.sources.len();
        let fresh = self.fresh(data);
        let mut readings: HashMap<(Measured, UnitId, RunOf), Readings> = HashMap::new();
        let mut order = Vec::new();
        for (measured, run, rows) in fresh {
            for (row, value) in rows.iter().flat_map(|row| data.row(*row).map(move |v| (*row, v))) {
                let key = (measured, data.unit(value), run);
                let (rows, values) = readings.entry(key).or_insert_with(|| {
                    order.push(key);
                    Readings::default()
                });
                rows.push(u32::try_from(row).unwrap_or(u32::MAX));
                values.push(data.base(value));
            }
        }
        for key in order {
            let (_, unit, run) = key;
            let Some((rows, values)) = readings.remove(&key) else { continue };
            let series = data.series_of(rows[0] as usize);
            let origin = Origin::new(data, series, run);
            let sample = data.sample(&rows, values).ok().filter(Sample::is_positive);
            let Some((value, spread)) = sample.as_ref().and_then(figures) else { continue };
            let subject = Subject::new(data, series.benchmark, series.configuration);
            let key = (subject, data.units[unit.at()].clone());
            let id = (first + run.0.at(), run);
            self.runs.entry(key).or_default().push(Run { id, origin, value, spread });
        }
    }

    /// The runs of each benchmark that are not copies of known ones, with their rows; they and their sources are known
    /// from now on.
    fn fresh(&mut self, data: &Dataset) -> Vec<(Measured, RunOf, Vec<usize>)> {
        let first = self.sources.len();
        self.sources.extend(data.run_sets.iter().map(|set| Arc::from(set.label.as_str())));
        let mut of_runs: HashMap<(Measured, RunOf), Vec<usize>> = HashMap::new();
        let mut order = Vec::new();
        for row in (0..data.len()).filter(|row| data.counts(*row)) {
            let Series { benchmark, configuration, .. } = data.series_of(row);
            let key = ((benchmark, configuration), data.run_of(row));
            let rows = of_runs.entry(key).or_insert_with(|| {
                order.push(key);
                Vec::new()
            });
            rows.push(row);
        }
        let mut fresh = Vec::new();
        for (measured, run) in order {
            let Some(rows) = of_runs.remove(&(measured, run)) else { continue };
            let subject = Subject::new(data, measured.0, measured.1);
            let origin = Origin::new(data, data.series_of(rows[0]), run);
            let began = origin.began.filter(|_| data.is_one_run(run.0));
            let print = Print::new(data, rows.iter().copied());
            let id = (first + run.0.at(), run);
            let found = SeenRun { id, machine: origin.machine, began, print };
            let known = self.known.entry(subject.clone()).or_default();
            if known.iter().any(|known| known.is_copied_by(&found)) {
                *self.copies.entry(subject).or_default() += 1;
                continue;
            }
            known.push(found);
            fresh.push((measured, run, rows));
        }
        fresh
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The earlier runs for a comparison of two sides: each is a benchmark, or several whose geometric mean is
    /// compared. Those of the base, and those of the candidate where that is of other benchmarks; none if the sides are
    /// of two machines.
    #[must_use]
    pub(crate) fn earlier(
        &self,
        data: &Dataset,
        unit: &str,
        sides: [&[Side]; 2],
    ) -> Vec<EarlierRuns> {
        let [base, candidate] = sides;
        let origin = |side: &Side| Origin::new(data, side.series, side.run);
        let (Some(first), Some(other)) = (base.first(), candidate.first()) else {
            return Vec::new();
        };
        let origins = [origin(first), origin(other)];
        if self.is_empty() || origins[0].machine != origins[1].machine {
            return Vec::new();
        }
        let [base, candidate] = [base, candidate]
            .map(|sides| sides.iter().map(|side| &side.subject).collect::<Vec<&Subject>>());
        let mut found = vec![self.benchmark_runs(&base, unit, &origins)];
        if base != candidate {
            found.push(self.benchmark_runs(&candidate, unit, &origins));
        }
        found
    }

    fn benchmark_runs(
        &self,
        subjects: &[&Subject],
        unit: &str,
        sides: &[Origin; 2],
    ) -> EarlierRuns {
        let [base, candidate] = sides;
        let is_meant = |run: &Run| {
            let Origin { machine, code, .. } = &run.origin;
            *machine == base.machine
                && [base, candidate].iter().any(|side| may_be(code, &side.code))
        };
        let mut meant = self.means(subjects, unit).unwrap_or_default();
        meant.retain(is_meant);
        let mut versions: Vec<Code> = Vec::new();
        let mut earlier = |run: Run| {
            let known = versions.iter().position(|code| *code == run.origin.code);
            let version = known.unwrap_or_else(|| {
                versions.push(run.origin.code.clone());
                versions.len() - 1
            });
            EarlierRun {
                name: Arc::clone(&self.sources[run.id.0]),
                version,
                source: run.id.0,
                began: run.origin.began,
                value: run.value,
                spread: run.spread,
            }
        };
        let runs = meant.into_iter().map(&mut earlier).collect();
        let copies = subjects.iter().filter_map(|subject| self.copies.get(*subject)).max();
        EarlierRuns { runs, copies: copies.copied().unwrap_or(0) }
    }

    /// The runs that have all of some benchmarks, each with the mean of their values and the quadratic mean of their
    /// spreads.
    #[allow(clippy::cast_precision_loss)] // benchmarks of a table
    fn means(&self, subjects: &[&Subject], unit: &str) -> Option<Vec<Run>> {
        let of = |subject: &&Subject| self.runs.get(&((*subject).clone(), unit.to_owned()));
        let all: Vec<&Vec<Run>> = subjects.iter().map(of).collect::<Option<_>>()?;
        let mut sums: HashMap<(usize, RunOf), Sums> = HashMap::new();
        for run in all.iter().copied().flatten() {
            let sums = sums.entry(run.id).or_default();
            sums.count += 1;
            sums.values += run.value;
            sums.squares += run.spread.sd.powi(2);
            sums.readings += run.spread.readings;
        }
        let mean = |run: &Run| {
            let Sums { count, values, squares, readings } = sums[&run.id];
            let count_of_all = all.len() as f64;
            let spread = Spread { sd: (squares / count_of_all).sqrt(), readings };
            let value = values / count_of_all;
            (count == all.len()).then(|| Run { value, spread, ..run.clone() })
        };
        Some(all.first()?.iter().filter_map(mean).collect())
    }
}

/// Sums over the benchmarks of a run.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    count: usize,
    values: f64,
    squares: f64,
    readings: usize,
}

impl SeenRun {
    /// Whether another run is a copy of this one: it began at the same moment on the same machine, or has the same
    /// readings. What one run measured is no copy.
    fn is_copied_by(&self, other: &SeenRun) -> bool {
        if self.id == other.id {
            return false;
        }
        let is_other_source = self.id.0 != other.id.0 && self.machine == other.machine;
        let starts = self.began.zip(other.began).filter(|_| is_other_source);
        starts.is_some_and(|(a, b)| a.total_cmp(&b).is_eq())
            || self.print.likeness(&other.print) == Likeness::Copy
    }
}

impl Origin {
    fn new(data: &Dataset, series: Series, run: RunOf) -> Origin {
        let fact = |key: &str| data.fact(series.configuration, key).map(str::to_owned);
        let declared = data.benchmarks[series.benchmark.at()].benchmark.as_deref();
        let hash = declared.and_then(|benchmark| benchmark.hash.as_deref());
        Origin {
            machine: data.machine(series.configuration).map(|fact| fact.map(str::to_owned)),
            code: [fact(COMMIT), hash.map(str::to_owned)],
            began: data.run_sets[run.0.at()].began,
        }
    }
}

/// Whether two versions of the code may be one, as far as they are known.
fn may_be(one: &Code, other: &Code) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other || one.is_none() || other.is_none())
}

/// The median of the logarithms, and how much they spread.
fn figures(sample: &Sample) -> Option<(f64, Spread)> {
    let side = SideRuns::from_sample(&sample.clone().in_runs(Vec::new()))?;
    let (value, sd) = (side.values.centres.first()?, side.values.spreads.first()?);
    Some((*value, Spread { sd: *sd, readings: sample.len() }))
}
