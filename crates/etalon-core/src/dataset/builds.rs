//! Sides of a project that were built more than once: what counts as the reading of a side.
//!
//! Owns how the readings of builds become one: in every block all builds of a side are executed, and the side's reading
//! is their mean on the scale of logarithms; of equal ones that value, of those that are not all above 0 their
//! arithmetic mean. Where a build has no reading, the side has none in that block. Refuses to say whether builds agree:
//! [`crate::tables::Controls`] does.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{
    BenchmarkId, Dataset, DeclaredBenchmark, Entry, Execution, Full, Name, Place, Rows, Values,
};
use crate::dataset::number::Written;
use crate::model::Benchmark;

/// The parameter that says which of several builds of a side a benchmark is of.
pub const BUILD: &str = "build";

impl Dataset {
    /// Whether sides were built more than once.
    #[must_use]
    pub fn has_builds(&self) -> bool {
        self.benchmarks.iter().any(|declared| declared.param(BUILD).is_some())
    }

    /// The data with one benchmark for all builds of a side. Linear in the values.
    ///
    /// # Errors
    /// If there are 2³² of something, which there were not.
    pub fn with_builds_joined(&self) -> Result<Dataset, Full> {
        let mut sides = self.clone();
        (sides.rows, sides.values) = (Rows::default(), Values::default());
        sides.series.clear();
        sides.index.series.clear();
        sides.run_starts.clear();
        sides.benchmarks.clear();
        let mut of: Vec<BenchmarkId> = Vec::with_capacity(self.benchmarks.len());
        let mut builds: Vec<usize> = Vec::new();
        for declared in &self.benchmarks {
            let side = declared.joined();
            let same = |known: &DeclaredBenchmark| {
                known.run_set == side.run_set
                    && known.name == side.name
                    && known.benchmark.as_deref().map(Benchmark::identity)
                        == side.benchmark.as_deref().map(Benchmark::identity)
            };
            let at = sides.benchmarks.iter().position(same).unwrap_or_else(|| {
                sides.benchmarks.push(side);
                builds.push(0);
                builds.len() - 1
            });
            builds[at] += 1;
            of.push(BenchmarkId::new(at)?);
        }
        let mut together: FxHashMap<(BenchmarkId, Option<Place>), Vec<usize>> =
            FxHashMap::default();
        for row in 0..self.len() {
            let side = of[self.series_of(row).benchmark.at()];
            together.entry((side, self.rows.place(row))).or_default().push(row);
        }
        let readings = together.into_iter().flat_map(|((side, _), rows)| {
            let readings = self.readings(&rows, builds[side.at()]);
            readings.into_iter().map(move |rows| (side, rows))
        });
        let mut readings: Vec<(BenchmarkId, Vec<usize>)> = readings.collect();
        // In the order in which they came to an end.
        readings.sort_by_key(|(_, rows)| rows.last().copied());
        for (side, rows) in readings {
            sides.add_reading(self, side, &rows)?;
        }
        sides.shrink_to_fit();
        Ok(sides)
    }

    /// Rows of a side in one place, a row of each build together: the first of each, the second of each, and so on,
    /// such as times and memory of a function. None where a build has none; one that did not come to an end is alone.
    /// Rows without a place are of none together: one of them that did not come to an end says nothing about the
    /// others.
    fn readings(&self, rows: &[usize], builds: usize) -> Vec<Vec<usize>> {
        let mut of_build: Vec<(BenchmarkId, Vec<usize>)> = Vec::with_capacity(builds);
        for row in rows {
            let build = self.series_of(*row).benchmark;
            match of_build.iter_mut().find(|(known, _)| *known == build) {
                Some((_, rows)) => rows.push(*row),
                None => of_build.push((build, vec![*row])),
            }
        }
        if of_build.len() < builds {
            return Vec::new();
        }
        let are_placed = rows.iter().all(|row| self.rows.place(*row).is_some());
        if let Some(failed) = rows.iter().find(|row| are_placed && !self.counts(**row)) {
            return vec![vec![*failed]];
        }
        let fewest = of_build.iter().map(|(_, rows)| rows.len()).min().unwrap_or(0);
        (0..fewest).map(|at| of_build.iter().map(|(_, rows)| rows[at]).collect()).collect()
    }

    /// Adds the reading of a side from those of its builds in `data`. One that did not come to an end is the side's.
    #[allow(clippy::cast_precision_loss)] // a count of calls
    fn add_reading(
        &mut self,
        data: &Dataset,
        side: BenchmarkId,
        rows: &[usize],
    ) -> Result<(), Full> {
        let failed = rows.iter().copied().find(|row| !data.counts(*row));
        let row = failed.unwrap_or(rows[0]);
        let configuration = data.series_of(row).configuration;
        let execution = Execution {
            place: data.rows.place(row),
            iterations: data.rows.iterations(row),
            outcome: Some(data.rows.outcome(row).clone()),
        };
        if failed.is_some() {
            return self.add_row((side, configuration), execution, std::iter::empty());
        }
        let mut entries: Vec<Entry<'_>> = Vec::new();
        for value in data.row(row) {
            // Builds may have repeated a function differently often.
            let per_iteration = data.conversion(value.spelling).per_iteration;
            let iterations = |row: usize| match per_iteration {
                true => data.rows.iterations(row).unwrap_or(1) as f64,
                false => 1.0,
            };
            let of_build = |row: &usize| {
                let found = data.row(*row).find(|it| it.spelling == value.spelling)?;
                Some(data.values.number(found.index as usize) / iterations(*row))
            };
            let numbers: Option<Vec<f64>> = rows.iter().map(of_build).collect();
            let number = numbers.as_deref().map(|numbers| mean(numbers) * iterations(row));
            entries.extend(number.map(|number| Entry {
                spelling: value.spelling,
                number: Some((number, Written::Computed)),
                text: "",
            }));
        }
        self.add_row((side, configuration), execution, entries.into_iter())
    }
}

impl DeclaredBenchmark {
    /// The value of a parameter.
    fn param(&self, name: &str) -> Option<&str> {
        let params = self.benchmark.iter().flat_map(|benchmark| &benchmark.key.params);
        params.into_iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The benchmark of the side that it is a build of; itself where it is none.
    fn joined(&self) -> DeclaredBenchmark {
        let mut side = self.clone();
        if let Some(benchmark) = side.benchmark.as_mut().filter(|_| self.param(BUILD).is_some()) {
            Arc::make_mut(benchmark).key.params.retain(|(name, _)| name != BUILD);
            side.name = Name::from_benchmark(benchmark);
        }
        side
    }
}

/// The mean of numbers on the scale of logarithms, where they have one.
fn mean(numbers: &[f64]) -> f64 {
    #[allow(clippy::cast_precision_loss)] // a few builds
    let count = numbers.len() as f64;
    if numbers.iter().all(|number| *number == numbers[0]) {
        return numbers[0];
    }
    if numbers.iter().all(|number| *number > 0.0) {
        return (numbers.iter().map(|number| number.ln()).sum::<f64>() / count).exp();
    }
    numbers.iter().sum::<f64>() / count
}
