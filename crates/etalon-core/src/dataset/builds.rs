//! Sides of a project that were built more than once: what counts as the reading of a side.
//!
//! Owns how the readings of builds become one: in every block all builds of a side are executed, and the side's reading
//! is their mean on the scale of logarithms; of equal ones that value, of those that are not all above 0 their
//! arithmetic mean. Where a build has no reading, the side has none in that block. The builds' own readings are kept
//! behind it, for a mean hides what is disturbed in one of them: samples have both. Refuses to say whether builds agree:
//! [`crate::tables::Controls`] does.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::values::InUnit;
use super::{
    BenchmarkId, ConfigurationId, Dataset, DeclaredBenchmark, Entry, Execution, Full, Name, Place,
    Rows, RunSetId, Series, Value, Values,
};
use crate::dataset::number::Written;
use crate::model::{BUILD, Benchmark, SaidBy};
use crate::stats::ENOUGH_LAYOUTS;

/// A benchmark on a side, and the facts that it was measured under.
type SideId = (BenchmarkId, ConfigurationId);

/// The readings of builds behind the values of sides, in the units that these are written in.
#[derive(Debug, Clone, Default)]
pub(super) struct BuildReadings {
    /// Where those of each value end.
    ends: Vec<usize>,
    numbers: Vec<f64>,
}

impl BuildReadings {
    /// Those of a value, in the order of the builds' numbers; none of one that stands for itself.
    fn get(&self, index: u32) -> &[f64] {
        let index = index as usize;
        let from = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.ends.get(index).map_or(&[], |end| &self.numbers[from..*end])
    }

    /// Adds those of the next value.
    fn push(&mut self, numbers: &[f64]) {
        self.numbers.extend(numbers);
        self.ends.push(self.numbers.len());
    }
}

impl Dataset {
    /// Whether sides were built more than once.
    #[must_use]
    pub fn has_builds(&self) -> bool {
        self.builds().iter().any(|builds| *builds > 1)
    }

    /// Whether sides were built with their code placed otherwise: no two builds that are made in the same way are so many.
    #[must_use]
    pub fn has_layouts(&self) -> bool {
        self.builds().iter().any(|builds| *builds >= ENOUGH_LAYOUTS)
    }

    /// How often each run set's sides were built, as far as their benchmarks say; 1 where there are none.
    fn builds(&self) -> Vec<usize> {
        let mut named: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); self.run_sets.len()];
        for declared in &self.benchmarks {
            let is_said = self.said_by(declared.run_set) == Some(SaidBy::Parameter);
            named[declared.run_set.at()].extend(declared.param(BUILD).filter(|_| is_said));
        }
        for series in &self.series {
            let run_set = self.configurations[series.configuration.at()].run_set;
            let is_said = self.said_by(run_set) == Some(SaidBy::Fact);
            let build = self.fact(series.configuration, BUILD).filter(|_| is_said);
            named[run_set.at()].extend(build.filter(|build| build.parse::<u8>().is_ok()));
        }
        named.iter().map(|named| named.len().max(1)).collect()
    }

    fn said_by(&self, run_set: RunSetId) -> Option<SaidBy> {
        self.run_sets[run_set.at()].sides.map(|sides| sides.said_by)
    }

    /// The data with one benchmark for all builds of a side. Linear in the values.
    ///
    /// # Errors
    /// If there are 2³² of something, which there were not.
    pub fn with_builds_joined(&self) -> Result<Dataset, Full> {
        let builds = self.builds();
        let mut sides = self.clone();
        (sides.rows, sides.values) = (Rows::default(), Values::default());
        sides.build_readings = BuildReadings::default();
        sides.series.clear();
        sides.index.series.clear();
        sides.run_starts.clear();
        let configurations = sides.join_configurations(self, &builds)?;
        let benchmarks = sides.join_benchmarks(self, &builds, &configurations)?;
        let side = |series: Series| -> SideId {
            (benchmarks[series.benchmark.at()], configurations[series.configuration.at()])
        };
        let mut together: FxHashMap<(SideId, Option<Place>), Vec<usize>> = FxHashMap::default();
        for row in 0..self.len() {
            let key = (side(self.series_of(row)), self.rows.place(row));
            together.entry(key).or_default().push(row);
        }
        let readings = together.into_iter().flat_map(|((side, _), rows)| {
            let series = self.series_of(rows[0]);
            // The work of one build is counted, which stands for all of its side.
            let builds = match self.is_build(series) && !self.is_of_work(series) {
                true => builds[self.run_set_of(rows[0]).at()],
                false => 1,
            };
            self.readings(&rows, builds).into_iter().map(move |rows| (side, rows))
        });
        let mut readings: Vec<(SideId, Vec<usize>)> = readings.collect();
        // In the order in which they came to an end.
        readings.sort_by_key(|(_, rows)| rows.iter().max().copied());
        for (side, rows) in readings {
            sides.add_reading(self, side, &rows)?;
        }
        sides.shrink_to_fit();
        Ok(sides)
    }

    /// The readings of each build of a side in the place of a value of it, by the builds' numbers: in base units, or in the
    /// tidied unit. None where the value stands for itself.
    pub(crate) fn builds_behind(
        &self,
        row: usize,
        value: Value,
        unit: InUnit,
    ) -> impl ExactSizeIterator<Item = f64> {
        let conversion = self.conversion(value.spelling);
        self.build_readings.get(value.index).iter().map(move |number| match unit {
            InUnit::Base => self.part_in_base(row, *number, conversion),
            InUnit::Tidied => self.part_tidied(row, *number, value.spelling),
        })
    }

    /// Whether some values stand for those of several builds.
    pub(crate) fn has_builds_behind(&self) -> bool {
        !self.build_readings.numbers.is_empty()
    }

    /// Whether rows of a series are of one of several builds.
    fn is_build(&self, series: Series) -> bool {
        self.build((series.benchmark, series.configuration)).is_some()
    }

    /// The build that rows are of, where sides were built.
    fn build(&self, (benchmark, configuration): SideId) -> Option<&str> {
        let declared = &self.benchmarks[benchmark.at()];
        match self.said_by(declared.run_set)? {
            SaidBy::Parameter => declared.param(BUILD),
            SaidBy::Fact => self.fact(configuration, BUILD),
        }
    }

    /// Puts a configuration in the place of those of several builds of a side; the number of each one's.
    fn join_configurations(
        &mut self,
        data: &Dataset,
        builds: &[usize],
    ) -> Result<Vec<ConfigurationId>, Full> {
        self.configurations.clear();
        self.index.configurations.clear();
        let mut joined = Vec::with_capacity(data.configurations.len());
        for configuration in &data.configurations {
            let run_set = configuration.run_set;
            let mut entries = configuration.entries.clone();
            if builds[run_set.at()] > 1 && data.said_by(run_set) == Some(SaidBy::Fact) {
                entries.retain(|(key, _)| data.strings.text(*key) != BUILD);
            }
            joined.push(self.configuration(run_set, &entries)?);
        }
        Ok(joined)
    }

    /// Puts a benchmark in the place of those of several builds of a side; the number of each one's. Benchmarks that
    /// facts tell apart are of one side where they were measured under the same others.
    fn join_benchmarks(
        &mut self,
        data: &Dataset,
        builds: &[usize],
        configurations: &[ConfigurationId],
    ) -> Result<Vec<BenchmarkId>, Full> {
        let mut under: Vec<BTreeSet<ConfigurationId>> =
            vec![BTreeSet::new(); data.benchmarks.len()];
        for series in &data.series {
            if data.said_by(data.benchmarks[series.benchmark.at()].run_set) == Some(SaidBy::Fact) {
                let joined = configurations[series.configuration.at()];
                under[series.benchmark.at()].insert(joined);
            }
        }
        self.benchmarks.clear();
        // The first benchmark of each side.
        let mut firsts: Vec<usize> = Vec::new();
        let mut joined = Vec::with_capacity(data.benchmarks.len());
        for (number, declared) in data.benchmarks.iter().enumerate() {
            let is_built = builds[declared.run_set.at()] > 1;
            let side = if is_built { declared.joined() } else { declared.clone() };
            let same = |(known, first): (&DeclaredBenchmark, &usize)| {
                known.is_of_side(&side) && under[*first] == under[number]
            };
            let known = self.benchmarks.iter().zip(&firsts).position(same).filter(|_| is_built);
            let at = known.unwrap_or_else(|| {
                self.benchmarks.push(side);
                firsts.push(number);
                firsts.len() - 1
            });
            joined.push(BenchmarkId::new(at)?);
        }
        Ok(joined)
    }

    /// Rows of a side in one place, a row of each build together: the first of each, the second of each, and so on,
    /// such as times and memory of a function. None where a build has none; one that did not come to an end is alone.
    /// Rows without a place are of none together: one of them that did not come to an end says nothing about the
    /// others.
    fn readings(&self, rows: &[usize], builds: usize) -> Vec<Vec<usize>> {
        let mut of_build: Vec<(SideId, Vec<usize>)> = Vec::with_capacity(builds);
        for row in rows {
            let Series { benchmark, configuration, .. } = self.series_of(*row);
            let build = (benchmark, configuration);
            match of_build.iter_mut().find(|(known, _)| *known == build) {
                Some((_, rows)) => rows.push(*row),
                None => of_build.push((build, vec![*row])),
            }
        }
        if of_build.len() < builds {
            return Vec::new();
        }
        // Builds pair by their numbers, in whatever order they were executed.
        of_build.sort_by_key(|(of, _)| self.build(*of).and_then(|it| it.parse::<u64>().ok()));
        let are_placed = rows.iter().all(|row| self.rows.place(*row).is_some());
        if let Some(failed) = rows.iter().find(|row| are_placed && !self.counts(**row)) {
            return vec![vec![*failed]];
        }
        let fewest = of_build.iter().map(|(_, rows)| rows.len()).min().unwrap_or(0);
        (0..fewest).map(|at| of_build.iter().map(|(_, rows)| rows[at]).collect()).collect()
    }

    /// Adds the reading of a side from those of its builds in `data`. One that did not come to an end is the side's.
    #[allow(clippy::cast_precision_loss)] // a count of calls
    fn add_reading(&mut self, data: &Dataset, side: SideId, rows: &[usize]) -> Result<(), Full> {
        let failed = rows.iter().copied().find(|row| !data.counts(*row));
        let row = failed.unwrap_or(rows[0]);
        let execution = Execution {
            place: data.rows.place(row),
            iterations: data.rows.iterations(row),
            outcome: Some(data.rows.outcome(row).clone()),
        };
        if failed.is_some() {
            return self.add_row(side, execution, std::iter::empty());
        }
        let mut entries: Vec<Entry<'_>> = Vec::new();
        let mut behind: Vec<Vec<f64>> = Vec::new();
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
            let Some(numbers) = numbers else { continue };
            let number = Some((mean(&numbers) * iterations(row), Written::Computed));
            entries.push(Entry { spelling: value.spelling, number, text: "" });
            behind.push(numbers.into_iter().map(|number| number * iterations(row)).collect());
        }
        self.add_row(side, execution, entries.into_iter())?;
        let builds =
            |of: &Vec<f64>| self.build_readings.push(if rows.len() > 1 { of } else { &[] });
        behind.iter().for_each(builds);
        Ok(())
    }
}

impl DeclaredBenchmark {
    /// The value of a parameter.
    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        let params = self.benchmark.iter().flat_map(|benchmark| &benchmark.key.params);
        params.into_iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether another one is of the same benchmark on the same side.
    fn is_of_side(&self, other: &DeclaredBenchmark) -> bool {
        self.run_set == other.run_set
            && self.name == other.name
            && self.benchmark.as_deref().map(Benchmark::identity)
                == other.benchmark.as_deref().map(Benchmark::identity)
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
