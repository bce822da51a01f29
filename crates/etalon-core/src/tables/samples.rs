//! Samples of cells: which of their values pair, in which blocks and runs, and what is known of them beside.
//!
//! Owns what makes values of a cell one sample, or several independent ones. Refuses to say which values are in a cell:
//! that is [`super::gather`]'s.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::few::once;
use super::gather::{Gathered, Member, Part, SeriesOf, series_of};
use crate::dataset::history::Side;
use crate::dataset::{BenchmarkId, Quantity, RunOf, SpellingId};
use crate::model::Level;
use crate::sample::{Lost, Sample};
use crate::stats::{NotFinite, Sorted, median};

impl Gathered<'_> {
    /// The sample of a cell whose values these are: by blocks and turns, where it is of one benchmark in one
    /// run set and all its rows have them. Values that are not finite are no values of a dataset.
    pub(super) fn sample(&self, cell: usize, values: Vec<f64>) -> Option<Sample> {
        let sample = match self.placed_rows(cell) {
            Some(rows) => {
                let of_build = |values| self.data.sample(&rows, values);
                let builds = self.values_of_builds(cell).into_iter().map(of_build);
                let builds: Result<Vec<Sample>, NotFinite> = builds.collect();
                self.data.sample(&rows, values).and_then(|side| Ok(side.with_builds(builds?)))
            }
            None => self.independent(cell, values),
        };
        let mut sample = sample.ok()?;
        let count = self.lost(cell);
        sample.lost = Lost { count, of: sample.len() + count };
        if let Some(rows) = self.walls(cell) {
            sample.set_waited(self.data.waited(&rows).into_iter());
        }
        Some(sample)
    }

    /// The rows of a cell of wall clocks.
    fn walls(&self, cell: usize) -> Option<Vec<u32>> {
        let is_wall = |spelling| self.data.is_wall(spelling);
        if !self.cells[cell].parts.all().iter().any(|part| is_wall(part.spelling)) {
            return None;
        }
        let members = self.members(cell);
        let is_meant = is_wall(members.first()?.value.spelling);
        is_meant.then(|| members.iter().map(|of| of.row).collect())
    }

    /// How many executions of a cell's benchmarks failed, were killed or timed out: they have no values, and stand
    /// in no cell.
    fn lost(&self, cell: usize) -> usize {
        if self.lost.is_empty() {
            return 0;
        }
        let members = self.members(cell).into_iter();
        let mut series: Vec<SeriesOf> = members.map(|of| series_of(self.data, of.row())).collect();
        once(&mut series);
        series.iter().filter_map(|of| self.lost.get(of)).sum()
    }

    /// The row of each value of a cell, where all have places of their own.
    fn placed_rows(&self, cell: usize) -> Option<Vec<u32>> {
        let rows = &self.data.rows;
        if self.cells[cell].sources != 1 || !rows.have_places() {
            return None;
        }
        let of: Vec<u32> = self.members(cell).into_iter().map(|of| of.row).collect();
        let place = |row: &u32| {
            let place = rows.place(*row as usize)?;
            Some((place.block, place.turn.unwrap_or(0)))
        };
        let mut places: Vec<(u32, u32)> = of.iter().map(place).collect::<Option<_>>()?;
        places.sort_unstable();
        places.is_sorted_by(|a, b| a < b).then_some(of)
    }

    /// The sample of values from several sources, none of which depends on another: where a block of a source
    /// holds several readings they share its fate, and their median stands for them.
    fn independent(&self, cell: usize, values: Vec<f64>) -> Result<Sample, NotFinite> {
        if let Some(run) = self.only_run(cell).filter(|_| !self.data.rows.have_turns()) {
            let end = self.data.run_end(run, values.len());
            return Ok(Sample::new(values, Arc::new([]))?.in_runs(vec![end]));
        }
        let members = self.members(cell);
        let run = |of: &Member| self.data.run_of(of.row());
        let mut runs: Vec<RunOf> = members.iter().map(run).collect();
        if !self.data.rows.have_turns() {
            return Ok(Sample::new(values, Arc::new([]))?.in_runs(self.data.run_ends(&runs)));
        }
        let block = |of: &Member| {
            let row = of.row();
            let place = self.data.rows.place(row).filter(|place| place.turn.is_some())?;
            let series = self.data.series_of(row);
            Some((series.benchmark, series.configuration, place.block))
        };
        let mut readings: Vec<Vec<f64>> = Vec::new();
        let mut known = FxHashMap::default();
        let of_readings = std::mem::take(&mut runs);
        for ((member, number), run) in members.iter().zip(values).zip(of_readings) {
            let at = readings.len();
            match block(member).map_or(at, |block| *known.entry(block).or_insert(at)) {
                new if new == at => {
                    readings.push(vec![number]);
                    runs.push(run);
                }
                known => readings[known].push(number),
            }
        }
        let median = |readings: &Vec<f64>| median(&Sorted::new(readings).ok()?);
        let medians: Vec<f64> = readings.iter().filter_map(median).collect();
        Ok(Sample::new(medians, Arc::new([]))?.in_runs(self.data.run_ends(&runs)))
    }

    /// The runs that the values of a cell are of, in their order.
    pub(super) fn runs(&self, cell: usize) -> Vec<RunOf> {
        if let Some(run) = self.only_run(cell) {
            return vec![run];
        }
        let run = |of: Member| self.data.run_of(of.row());
        let mut runs: Vec<RunOf> = self.members(cell).into_iter().map(run).collect();
        runs.dedup();
        runs
    }

    /// The run that all values of a cell are of, where nothing else is known.
    fn only_run(&self, cell: usize) -> Option<RunOf> {
        let run_set = self.cells[cell].run_set(self.data)?;
        self.data.is_one_run(run_set).then_some((run_set, 0))
    }

    /// The benchmark that all values of a cell are of, and where the first is from; absent of several.
    pub(super) fn measured(&self, cell: usize) -> Option<Side> {
        let mut rows: Vec<usize> = self.members(cell).into_iter().map(Member::row).collect();
        let first = Side::from_row(self.data, *rows.first()?);
        let mut seen = FxHashSet::default();
        rows.retain(|row| seen.insert(series_of(self.data, *row)));
        let is_one = rows.iter().all(|row| Side::from_row(self.data, *row).is_of(&first));
        is_one.then_some(first)
    }

    /// Whether the values of a cell are readings, or some of them centres that a harness formed.
    pub(super) fn level(&self, cell: usize) -> Level {
        let is_summary = |row: usize| {
            let of = self.data.series_of(row).benchmark;
            let declared = self.data.benchmarks[of.at()].benchmark.as_ref();
            declared.is_some_and(|benchmark| benchmark.level == Level::Summary)
        };
        match self.members(cell).into_iter().any(|it| is_summary(it.row())) {
            true => Level::Summary,
            false => Level::Readings,
        }
    }

    /// The coarsest resolution among the values of a cell, in their base unit, where that is known.
    pub(super) fn resolution(&self, cell: usize) -> Option<f64> {
        let data = self.data;
        let has_step = |part: &Part| {
            let spelling = &data.spellings[part.spelling.at()];
            matches!(&spelling.quantity, Quantity::Metric(of) if of.metric.resolution.is_some())
        };
        if !self.cells[cell].parts.all().iter().any(has_step) {
            return None;
        }
        let mut of: FxHashMap<(BenchmarkId, SpellingId), Vec<usize>> = FxHashMap::default();
        for member in self.members(cell) {
            let (row, spelling) = (member.row(), member.value.spelling);
            of.entry((data.series_of(row).benchmark, spelling)).or_default().push(row);
        }
        let step = |((benchmark, spelling), rows): ((BenchmarkId, SpellingId), Vec<usize>)| {
            let step = data.resolution(benchmark, &data.metric(spelling), rows.into_iter())?;
            match self.has_own_base(spelling) {
                true => Some(data.tidied(spelling, step)),
                false => Some(step),
            }
        };
        of.into_iter().filter_map(step).max_by(f64::total_cmp)
    }
}
