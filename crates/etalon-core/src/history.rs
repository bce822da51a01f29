//! Earlier runs of the same benchmarks: how much unchanged code differs from one run to the next.
//!
//! Owns which earlier runs speak for a comparison: those of the same benchmark and unit, on the same machine, of the
//! code of either side, nearest in time. Refuses to find records: they come as a dataset.

use std::collections::HashMap;

use crate::compare::Earlier;
use crate::dataset::{BenchmarkId, ConfigurationId, Dataset, Name, RunOf, Series, UnitId};
use crate::sample::Sample;
use crate::stats::{self, Sorted};

/// So many earlier runs say how much runs scatter; fewer count as none.
pub const ENOUGH: usize = 5;

/// At most so many, those nearest in time. Because: machines and their neighbours change.
const NEAREST: usize = 20;

/// Facts that tell machines apart: Go's, then etalon's.
pub const MACHINE: [&str; 6] =
    ["cpu", "goos", "goarch", "cpu.model", "machine.arch", "machine.host"];

/// The package that Go's benchmarks are of: names are its own.
pub(crate) const PACKAGE: &str = "pkg";

/// The fact that identifies a version of the code, besides the hash of its program.
const COMMIT: &str = "commit";

/// Values of earlier runs.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// By benchmark and unit.
    runs: HashMap<(Subject, String), Vec<Run>>,
    /// How many datasets they are of.
    sources: usize,
}

/// A benchmark across datasets: its name with its parameters, and the file, the group or the package that declares it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Subject {
    name: Name,
    place: [Option<String>; 3],
}

impl Subject {
    fn of(data: &Dataset, benchmark: BenchmarkId, configuration: ConfigurationId) -> Subject {
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
    pub fn of(data: &Dataset, row: usize) -> Side {
        let series = data.series_of(row);
        let subject = Subject::of(data, series.benchmark, series.configuration);
        Side { subject, series, run: data.run_of(row) }
    }

    /// Whether another is of the same benchmark.
    #[must_use]
    pub fn is_of(&self, other: &Side) -> bool {
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
    /// The number of its dataset, and the run in that.
    id: (usize, RunOf),
    origin: Origin,
    /// The median of the logarithms of its readings.
    value: f64,
}

/// Rows and their values in one unit.
type Readings = (Vec<u32>, Vec<f64>);

impl History {
    /// The runs of a dataset.
    #[must_use]
    pub fn of(data: &Dataset) -> History {
        let mut history = History::default();
        history.add(data);
        history
    }

    /// The runs of a dataset besides those known. O(n log n).
    pub fn add(&mut self, data: &Dataset) {
        let source = self.sources;
        self.sources += 1;
        type Of = ((BenchmarkId, ConfigurationId), UnitId, RunOf);
        let mut readings: HashMap<Of, Readings> = HashMap::new();
        let mut order = Vec::new();
        for row in (0..data.len()).filter(|row| data.counts(*row)) {
            let Series { benchmark, configuration, .. } = data.series_of(row);
            let run = data.run_of(row);
            for value in data.row(row) {
                let key = ((benchmark, configuration), data.unit(value), run);
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
            let origin = Origin::of(data, series, run);
            let sample = data.sample(&rows, values).ok().filter(Sample::is_positive);
            let Some(value) = sample.and_then(|sample| centre(&sample)) else { continue };
            let subject = Subject::of(data, series.benchmark, series.configuration);
            let key = (subject, data.units[unit.at()].clone());
            self.runs.entry(key).or_default().push(Run { id: (source, run), origin, value });
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// How much earlier runs scatter, for a comparison of two sides: each is a benchmark, or several whose geometric
    /// mean is compared. Absent if there are fewer than [`ENOUGH`], the sides are of two machines, or they lie
    /// further apart in time than the earlier runs reach.
    #[must_use]
    pub fn earlier(&self, data: &Dataset, unit: &str, sides: [&[Side]; 2]) -> Option<Earlier> {
        let [base, candidate] = sides;
        let origin = |side: &Side| Origin::of(data, side.series, side.run);
        let origins = [origin(base.first()?), origin(candidate.first()?)];
        if origins[0].machine != origins[1].machine {
            return None;
        }
        let of = |sides: &[Side]| {
            let subjects: Vec<&Subject> = sides.iter().map(|side| &side.subject).collect();
            self.of_benchmarks(&subjects, unit, &origins)
        };
        let of_base = of(base)?;
        if base.iter().map(|side| &side.subject).eq(candidate.iter().map(|side| &side.subject)) {
            return Some(of_base);
        }
        let of_candidate = of(candidate)?;
        Some(Earlier {
            runs: of_base.runs.min(of_candidate.runs),
            sd: (of_base.sd.powi(2) / 2.0 + of_candidate.sd.powi(2) / 2.0).sqrt(),
            df: of_base.df + of_candidate.df,
            span: of_base.span.zip(of_candidate.span).map(|(a, b)| a.min(b)),
        })
    }

    fn of_benchmarks(
        &self,
        subjects: &[&Subject],
        unit: &str,
        sides: &[Origin; 2],
    ) -> Option<Earlier> {
        let [base, candidate] = sides;
        let is_meant = |run: &Run| {
            let Origin { machine, code, .. } = &run.origin;
            *machine == base.machine
                && [base, candidate].iter().any(|side| may_be(code, &side.code))
        };
        let mut meant = self.means(subjects, unit)?;
        meant.retain(is_meant);
        let moments = base.began.zip(candidate.began);
        match moments.map(|(a, b)| f64::midpoint(a, b)) {
            Some(middle) => {
                let distance = |run: &Run| {
                    run.origin.began.map_or(f64::INFINITY, |began| (began - middle).abs())
                };
                meant.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
            }
            // The last ones.
            None => meant.reverse(),
        }
        meant.truncate(NEAREST);
        let span = span(&meant);
        let apart = moments.map(|(a, b)| (a - b).abs());
        if span.zip(apart).is_some_and(|(span, apart)| span < apart) {
            return None;
        }
        scatter(&meant).map(|(sd, df)| Earlier { runs: meant.len(), sd, df, span })
    }

    /// The runs that have all of some benchmarks, each with the mean of their values.
    #[allow(clippy::cast_precision_loss)] // benchmarks of a table
    fn means(&self, subjects: &[&Subject], unit: &str) -> Option<Vec<Run>> {
        let of = |subject: &&Subject| self.runs.get(&((*subject).clone(), unit.to_owned()));
        let all: Vec<&Vec<Run>> = subjects.iter().map(of).collect::<Option<_>>()?;
        let mut sums: HashMap<(usize, RunOf), (usize, f64)> = HashMap::new();
        for run in all.iter().copied().flatten() {
            let (count, sum) = sums.entry(run.id).or_default();
            (*count, *sum) = (*count + 1, *sum + run.value);
        }
        let mean = |run: &Run| {
            let (count, sum) = sums[&run.id];
            let value = sum / all.len() as f64;
            (count == all.len()).then(|| Run { value, ..run.clone() })
        };
        Some(all.first()?.iter().filter_map(mean).collect())
    }
}

impl Origin {
    fn of(data: &Dataset, series: Series, run: RunOf) -> Origin {
        let fact = |key: &str| data.fact(series.configuration, key).map(str::to_owned);
        let declared = data.benchmarks[series.benchmark.at()].benchmark.as_deref();
        let hash = declared.and_then(|benchmark| benchmark.hash.as_deref());
        Origin {
            machine: MACHINE.map(fact),
            code: [fact(COMMIT), hash.map(str::to_owned)],
            began: data.run_sets[run.0.at()].began,
        }
    }
}

/// Whether two versions of the code may be one, as far as they are known.
fn may_be(one: &Code, other: &Code) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other || one.is_none() || other.is_none())
}

/// The median of the logarithms.
fn centre(sample: &Sample) -> Option<f64> {
    let logs: Vec<f64> = sample.values.iter().map(|v| v.ln()).collect();
    stats::median(&Sorted::new(&logs).ok()?)
}

/// Seconds from the first to the last, where all say when they were.
fn span(runs: &[Run]) -> Option<f64> {
    let began: Option<Vec<f64>> = runs.iter().map(|run| run.origin.began).collect();
    let began = Sorted::new(&began?).ok()?;
    Some(began.max()? - began.min()?)
}

/// The standard deviation within versions of the code, pooled, with its degrees of freedom.
#[allow(clippy::cast_precision_loss)] // numbers of runs
fn scatter(runs: &[Run]) -> Option<(f64, f64)> {
    if runs.len() < ENOUGH {
        return None;
    }
    let mut versions: HashMap<&Code, Vec<f64>> = HashMap::new();
    for run in runs {
        versions.entry(&run.origin.code).or_default().push(run.value);
    }
    let squares = |values: &Vec<f64>| {
        let mean = stats::mean(values).unwrap_or(0.0);
        values.iter().map(|v| (v - mean).powi(2)).sum::<f64>()
    };
    let mut sums: Vec<f64> = versions.values().map(squares).collect();
    sums.sort_by(f64::total_cmp);
    let df = (runs.len() - versions.len()) as f64;
    (df + 1.0 >= ENOUGH as f64).then(|| ((sums.iter().sum::<f64>() / df).sqrt(), df))
}
