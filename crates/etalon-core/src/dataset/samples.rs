//! Readings of rows, and samples of them.
//!
//! Owns the readings of a metric, and which of a reading's coordinates make a sample: blocks and turns, or none.
//! Reports and tables get their samples here. Refuses to drop, and to compare.

use std::sync::Arc;

use super::ids::{BenchmarkId, SchemaId, SpellingId};
use super::values::{Conversion, InUnit};
use super::{Dataset, State, Value};
use crate::model::{Metric, Per};
use crate::sample::{Places, Sample};
use crate::stats::NotFinite;

/// One metric's readings of one benchmark, in time order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Column {
    /// The row of each.
    pub rows: Vec<u32>,
    /// Values in base units, finite.
    pub values: Vec<f64>,
}

impl Dataset {
    /// The readings of metrics, each by its spellings, in some rows. One pass over the rows, which costs about
    /// the same for one metric as for several: values of a row stand together.
    #[must_use]
    pub fn columns(&self, rows: &[u32], metrics: &[&[SpellingId]]) -> Vec<Column> {
        let column = || Column {
            rows: Vec::with_capacity(rows.len()),
            values: Vec::with_capacity(rows.len()),
        };
        let mut columns: Vec<Column> = metrics.iter().map(|_| column()).collect();
        let each = metrics.iter().enumerate();
        let each = each.flat_map(|(at, of)| of.iter().map(move |spelling| (*spelling, at)));
        let mut of: Vec<(SpellingId, usize)> = each.collect();
        of.sort_by_key(|(spelling, _)| *spelling);
        // All rows of a schema have their values in the same columns.
        let mut known: Option<SchemaId> = None;
        let mut places: Vec<(u32, Conversion<'_>, usize)> = Vec::new();
        for &row in rows {
            let schema = self.series_of(row as usize).schema;
            if known != Some(schema) {
                known = Some(schema);
                places.clear();
                places.extend(self.places_of(schema, &of));
            }
            let first = self.rows.first(row as usize);
            for &(place, conversion, column) in &places {
                columns[column].rows.push(row);
                columns[column].values.push(self.in_base(row as usize, first + place, conversion));
            }
        }
        columns
    }

    /// The readings of a metric of one benchmark as a sample; of a side that was built several times, whose builds were
    /// joined ([`Dataset::with_builds_joined`]), with the readings of each build behind them.
    ///
    /// # Errors
    /// If a value is not finite.
    pub fn sample_of_side(&self, rows: &[u32], metric: &[SpellingId]) -> Result<Sample, NotFinite> {
        let Column { rows, values } = self.columns(rows, &[metric]).pop().unwrap_or_default();
        let builds = self.values_of_builds(&rows, metric);
        let builds = builds.into_iter().map(|values| self.sample(&rows, values));
        let builds: Vec<Sample> = builds.collect::<Result<_, _>>()?;
        Ok(self.sample(&rows, values)?.with_builds(builds))
    }

    /// The values of each build, in base units, in these rows; none where a row stands for itself.
    fn values_of_builds(&self, rows: &[u32], metric: &[SpellingId]) -> Vec<Vec<f64>> {
        let mut builds: Vec<Vec<f64>> = Vec::new();
        if !self.has_builds_behind() {
            return builds;
        }
        for (at, &row) in rows.iter().enumerate() {
            let row = row as usize;
            let schema = &self.schemas[self.series_of(row).schema.at()];
            let present = schema.iter().filter(|field| field.state == State::Present);
            let mut places = (0..).zip(present.map(|field| field.spelling));
            let Some((place, spelling)) = places.find(|(_, it)| metric.contains(it)) else {
                return Vec::new();
            };
            let value = Value { index: self.rows.first(row) + place, spelling };
            let behind = self.builds_behind(row, value, InUnit::Base);
            if at == 0 {
                builds = vec![Vec::with_capacity(rows.len()); behind.len()];
            }
            if behind.len() != builds.len() {
                return Vec::new();
            }
            builds.iter_mut().zip(behind).for_each(|(of, number)| of.push(number));
        }
        builds
    }

    /// The values of a schema's rows that belong to columns: the place among them, the way to base units, and
    /// the column.
    fn places_of(
        &self,
        schema: SchemaId,
        of: &[(SpellingId, usize)],
    ) -> impl Iterator<Item = (u32, Conversion<'_>, usize)> {
        let present = self.schemas[schema.at()].iter().filter(|f| f.state == State::Present);
        let spellings = (0..).zip(present.map(|field| field.spelling));
        spellings.flat_map(move |(place, spelling)| {
            let columns = &of[of.partition_point(|(known, _)| *known < spelling)..];
            let columns = columns.iter().take_while(move |(known, _)| *known == spelling);
            columns.map(move |(_, column)| (place, self.conversion(spelling), *column))
        })
    }

    /// Where rows that are in the order of their places were measured: in blocks, where all have one, and in
    /// turns, where some have. Linear.
    #[must_use]
    pub(crate) fn places(&self, rows: &[u32]) -> Places {
        if !self.are_placed(rows) {
            return Places::None;
        }
        let places = || rows.iter().filter_map(|row| self.rows.place(*row as usize));
        if self.rows.have_turns() && places().any(|place| place.turn.is_some()) {
            let places = places().map(|place| (place.block, place.turn.unwrap_or(0)));
            return Places::Turns(places.collect());
        }
        Places::Blocks(places().map(|place| place.block).collect())
    }

    /// The sample of readings of these rows of one benchmark. Lines of a record come in any order; where all
    /// rows have places, time is that of their places.
    ///
    /// # Errors
    /// If a value is not finite.
    pub fn sample(&self, rows: &[u32], values: Vec<f64>) -> Result<Sample, NotFinite> {
        if self.are_placed(rows) && !self.are_in_order(rows) {
            let mut readings: Vec<(u32, f64)> = rows.iter().copied().zip(values).collect();
            readings.sort_by_key(|(row, _)| self.rows.place(*row as usize));
            let (rows, values): (Vec<u32>, Vec<f64>) = readings.into_iter().unzip();
            return self.sample_at(&rows, values, self.places(&rows));
        }
        self.sample_at(rows, values, self.places(rows))
    }

    /// The sample of readings of these rows of one benchmark, which are in the order of their places.
    ///
    /// # Errors
    /// If a value is not finite.
    pub(crate) fn sample_at(
        &self,
        rows: &[u32],
        values: Vec<f64>,
        places: Places,
    ) -> Result<Sample, NotFinite> {
        Ok(self.on_nodes(self.with_runs(Sample::at(values, places)?, rows), rows))
    }

    /// The node that a row was measured on, where there are several.
    pub(crate) fn node_of(&self, row: usize) -> Option<u32> {
        self.run_sets[self.run_set_of(row).at()].nodes.of(self.rows.place(row)?.block)
    }

    /// Whether rows were measured on several nodes.
    pub(crate) fn are_on_nodes(&self, rows: &[u32]) -> bool {
        if self.run_sets.iter().all(|set| set.nodes.all().is_empty()) {
            return false;
        }
        let mut nodes = rows.iter().map(|row| self.node_of(*row as usize));
        let first = nodes.next().flatten();
        first.is_some() && nodes.any(|node| node != first)
    }

    /// The sample with the nodes that its blocks, of one run set, were executed on.
    fn on_nodes(&self, sample: Sample, rows: &[u32]) -> Sample {
        let Some(first) = rows.first() else { return sample };
        let nodes = &self.run_sets[self.run_set_of(*first as usize).at()].nodes;
        if nodes.all().is_empty() { sample } else { sample.on_nodes(Arc::clone(nodes)) }
    }

    fn are_placed(&self, rows: &[u32]) -> bool {
        rows.iter().all(|row| self.rows.place(*row as usize).is_some())
    }

    pub(crate) fn are_in_order(&self, rows: &[u32]) -> bool {
        rows.is_sorted_by_key(|row| self.rows.place(*row as usize))
    }

    /// The resolution of some rows' readings of a metric, in base units, where that is known: where
    /// a reading is divided by its iterations, so is the resolution, unless every call is timed by itself.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // a count of calls
    pub(crate) fn resolution(
        &self,
        benchmark: BenchmarkId,
        metric: &Metric,
        rows: impl Iterator<Item = usize>,
    ) -> Option<f64> {
        let step = metric.resolution?;
        let declared = self.benchmarks[benchmark.at()].benchmark.as_ref();
        let each = declared.and_then(|b| b.case.as_ref()).is_some_and(|case| case.timer);
        if metric.per == Per::Observation || each {
            return Some(step);
        }
        let fewest = rows.filter_map(|row| self.rows.iterations(row)).min();
        Some(fewest.map_or(step, |fewest| step / fewest as f64))
    }
}
