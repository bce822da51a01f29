//! From rows of a dataset to the values of cells.
//!
//! Owns which values belong to which cell, in time order, and what varies inside one. Every distinct
//! name, configuration and unit is asked once; rows are sorted by series once, by counting, so the cost
//! is linear in the rows whatever the number of tables. Only their numbers are: values stay where
//! they are, because of millions a second copy was a quarter of all memory. Refuses to compute with them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Numbers;
use super::ask::Query;
use super::by_series::BySeries;
use super::few::{Few, once};
use crate::dataset::history::Side;
use crate::dataset::{
    BenchmarkId, ConfigurationId, Dataset, Measured, Quantity, RunOf, RunSetId, Series, SeriesId,
    SpellingId, Value, WholeRuns,
};
use crate::model::Benchmark;
use crate::query::{Evaluator, Place, TupleId};
use crate::sample::{Lost, Sample};
use crate::stats::{NotFinite, Sorted, median};
use crate::units::Base;
use std::sync::Arc;

/// The values that stand at one place in the rows of a series.
#[derive(Debug, Clone, Copy)]
struct Part {
    series: SeriesId,
    /// How many values of a row stand before it.
    place: u32,
    spelling: SpellingId,
}

/// A value of a cell, and its row.
#[derive(Debug, Clone, Copy)]
struct Member {
    row: u32,
    value: Value,
}

impl Member {
    fn row(self) -> usize {
        self.row as usize
    }
}

/// Values by cell.
#[derive(Debug)]
pub(super) struct Gathered<'d> {
    pub data: &'d Dataset,
    pub evaluator: Evaluator,
    pub query: Query,
    /// The cells, in the order in which their first values appear.
    pub cells: Vec<CellAt>,
    numbers: Numbers,
    /// What the values in each tidied unit are counted in.
    bases: Vec<Base>,
    sorted: BySeries,
    /// How many executions of a benchmark under one configuration have no values because of how they ended.
    lost: FxHashMap<SeriesOf, usize>,
}

/// A benchmark, and the configuration it was measured under.
type SeriesOf = (BenchmarkId, ConfigurationId);

fn series_of(data: &Dataset, row: usize) -> SeriesOf {
    let series = data.series_of(row);
    (series.benchmark, series.configuration)
}

/// Where a cell is, and where its values are from.
#[derive(Debug)]
pub(super) struct CellAt {
    pub table: TupleId,
    pub row: TupleId,
    pub col: TupleId,
    /// Its parts: a place in the rows of a series. One, most often.
    parts: Few<Part>,
    /// Distinct residues with the run set they are of, in order of appearance.
    pub residues: Few<(RunSetId, TupleId)>,
    /// The distinct configurations, in order of appearance.
    pub configurations: Few<ConfigurationId>,
    /// Runs that are copies of others among its values, and left out.
    copies: Few<RunOf>,
    /// How many distinct benchmarks and configurations there are.
    sources: usize,
    /// The highest level of intervals that a file of them asks for.
    pub asked: Option<f64>,
    /// The smallest and the largest number of processors behind their names; absent for none.
    pub processors: [Option<u32>; 2],
}

impl CellAt {
    /// The run set all values are from, where that is one.
    pub(super) fn run_set(&self, data: &Dataset) -> Option<RunSetId> {
        let run_set = |at: &ConfigurationId| data.configurations[at.at()].run_set;
        let first = run_set(self.configurations.all().first()?);
        self.configurations.all().iter().all(|at| run_set(at) == first).then_some(first)
    }
}

/// Puts every value into its cell.
pub(super) fn gather(data: &Dataset, query: Query, numbers: Numbers) -> Gathered<'_> {
    let query = query.led(data);
    let mut evaluator = Evaluator::new(query.filter.clone(), query.space.clone());
    let mut cells = Cells::default();
    let sorted = BySeries::of(data);
    // Rows of a series have their values in the same cells.
    for row in first_rows(data, &sorted) {
        let series = data.rows.series(row);
        for (place, value) in (0..).zip(data.row(row)) {
            if let Some(at) = evaluator.place(&Measured { data, row, value }) {
                let cell = cells.of(&evaluator, &query, at, data, row);
                let part = Part { series, place, spelling: value.spelling };
                cells.cells[cell as usize].parts.push(part);
            }
        }
    }
    let mut cells = cells.cells;
    for cell in &mut cells {
        cell.residues.once();
        cell.configurations.once();
    }
    let bases = data.bases();
    let mut lost = FxHashMap::default();
    data.lost().for_each(|row| *lost.entry(series_of(data, row)).or_default() += 1);
    let mut gathered = Gathered { data, evaluator, query, cells, numbers, bases, sorted, lost };
    if numbers != Numbers::Reference
        && data.run_sets.iter().map(|set| set.runs.max(1)).sum::<u32>() > 1
    {
        gathered.leave_copies_out();
    }
    gathered
}

/// The first row of each series: in the order of the data, but where that is one of chance, in blocks, in the order
/// in which benchmarks are declared.
fn first_rows(data: &Dataset, sorted: &BySeries) -> Vec<usize> {
    let begins = sorted.starts.windows(2).filter(|ends| ends[0] < ends[1]).map(|ends| ends[0]);
    let mut first: Vec<usize> = begins.map(|at| sorted.row(at) as usize).collect();
    // What somebody else wrote stays in the order it was written in.
    first.sort_unstable_by_key(|row| {
        let series = data.series_of(*row);
        let run_set = data.configurations[series.configuration.at()].run_set;
        (run_set, data.rows.place(*row).map(|_| series.benchmark), *row)
    });
    first
}

impl Gathered<'_> {
    /// Finds the copies among the runs of each cell.
    fn leave_copies_out(&mut self) {
        let whole = WholeRuns::of(self.data);
        let has_several = |cell: &usize| {
            self.cells[*cell].run_set(self.data).is_none_or(|of| !self.data.is_one_run(of))
        };
        let of_cell = |cell: usize| {
            let rows = self.members(cell).into_iter().map(|member| member.row);
            (cell, whole.copies(rows))
        };
        let found: Vec<(usize, Vec<RunOf>)> =
            (0..self.cells.len()).filter(has_several).map(of_cell).collect();
        for (cell, copies) in found {
            copies.into_iter().for_each(|run| self.cells[cell].copies.push(run));
        }
    }

    /// How many runs of a cell are copies of others of it, and left out.
    pub(super) fn copies(&self, cell: usize) -> usize {
        self.cells[cell].copies.all().len()
    }

    /// What the values in a tidied unit are counted in: by the reference's rules always in that.
    pub(super) fn base(&self, unit: &str) -> Base {
        match (self.numbers, self.data.unit_called(unit)) {
            (Numbers::Nearest, Some(at)) => self.bases[at.at()].clone(),
            _ => Base::Other(unit.to_owned()),
        }
    }

    /// Whether values are in their tidied unit, which is its own base.
    fn has_own_base(&self, spelling: SpellingId) -> bool {
        let unit = self.data.spellings[spelling.at()].unit;
        matches!(self.bases[unit.at()], Base::Other(_))
    }

    /// The values of a cell, in the order of the data: in base units, or the reference's numbers.
    pub(super) fn values(&self, cell: usize) -> Vec<f64> {
        match self.cells[cell].parts.all() {
            [part] if self.copies(cell) == 0 => {
                self.of_part(*part).map(self.number(part.spelling)).collect()
            }
            _ => {
                let number = |of: Member| self.number(of.value.spelling)(of);
                self.members(cell).into_iter().map(number).collect()
            }
        }
    }

    /// What values of a unit become, the way found once.
    fn number(&self, spelling: SpellingId) -> impl Fn(Member) -> f64 {
        let data = self.data;
        let is_reference = self.numbers == Numbers::Reference;
        let converts = !is_reference && !self.has_own_base(spelling);
        let conversion = converts.then(|| data.conversion(spelling));
        move |of| match conversion {
            Some(conversion) => data.in_base(of.row(), of.value.index, conversion),
            None if is_reference => data.reference_number(of.value),
            None => data.number(of.value),
        }
    }

    /// The sample of a cell whose values these are: by blocks and turns, where it is of one benchmark in one
    /// run set and all its rows have them. Values that are not finite are no values of a dataset.
    pub(super) fn sample(&self, cell: usize, values: Vec<f64>) -> Option<Sample> {
        let sample = match self.placed_rows(cell) {
            Some(rows) => self.data.sample(&rows, values),
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
            return Ok(Sample::new(values, Arc::new([]))?.of_runs(vec![end]));
        }
        let members = self.members(cell);
        let run = |of: &Member| self.data.run_of(of.row());
        let mut runs: Vec<RunOf> = members.iter().map(run).collect();
        if !self.data.rows.have_turns() {
            return Ok(Sample::new(values, Arc::new([]))?.of_runs(self.data.run_ends(&runs)));
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
        Ok(Sample::new(medians, Arc::new([]))?.of_runs(self.data.run_ends(&runs)))
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
        let first = Side::of(self.data, *rows.first()?);
        let mut seen = FxHashSet::default();
        rows.retain(|row| seen.insert(series_of(self.data, *row)));
        let is_one = rows.iter().all(|row| Side::of(self.data, *row).is_of(&first));
        is_one.then_some(first)
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

    /// What a cell holds, in the order of the data, without copies.
    fn members(&self, cell: usize) -> Vec<Member> {
        let parts = self.cells[cell].parts.all();
        let mut members: Vec<Member> = match parts {
            [part] => self.of_part(*part).collect(),
            parts => parts.iter().flat_map(|part| self.of_part(*part)).collect(),
        };
        if parts.len() > 1 {
            members.sort_unstable_by_key(|member| member.value.index);
        }
        let copies = self.cells[cell].copies.all();
        if !copies.is_empty() {
            members.retain(|member| !copies.contains(&self.data.run_of(member.row())));
        }
        members
    }

    fn of_part(&self, part: Part) -> impl Iterator<Item = Member> {
        let Part { series, place, spelling } = part;
        self.sorted.rows(series).map(move |row| {
            let index = self.data.rows.first(row as usize) + place;
            Member { row, value: Value { spelling, index } }
        })
    }

    /// Names of what no query mentions and what is not the same for all values of a cell.
    pub(super) fn varying(&self, cell: usize) -> Vec<String> {
        let residue = self.evaluator.residue();
        let all: Vec<TupleId> = self.cells[cell].residues.all().iter().map(|it| it.1).collect();
        let varying = self.evaluator.varying(residue, &all);
        if varying.is_empty() {
            return Vec::new();
        }
        let columns = self.evaluator.columns(residue);
        varying.into_iter().map(|column| columns[column].key.to_string()).collect()
    }
}

/// Cells while they are found.
#[derive(Default)]
struct Cells {
    cells: Vec<CellAt>,
    known: FxHashMap<(TupleId, TupleId, TupleId), u32>,
    of_place: Vec<u32>,
}

impl Cells {
    /// The cell of a place; a row of it is the one at hand.
    fn of(
        &mut self,
        evaluator: &Evaluator,
        query: &Query,
        place: Place,
        data: &Dataset,
        row: usize,
    ) -> u32 {
        if let Some(cell) = self.of_place.get(place.0 as usize) {
            return *cell;
        }
        let tuple = |projection| evaluator.tuple(place, projection);
        let (table, row_tuple, col) = (tuple(query.table), tuple(query.row), tuple(query.col));
        let processors = data.name_of(row).processors();
        let cells = &mut self.cells;
        let cell = *self.known.entry((table, row_tuple, col)).or_insert_with(|| {
            cells.push(CellAt {
                table,
                row: row_tuple,
                col,
                parts: Few::None,
                residues: Few::None,
                configurations: Few::None,
                copies: Few::None,
                sources: 0,
                asked: None,
                processors: [processors; 2],
            });
            // Fewer cells than values.
            u32::try_from(cells.len() - 1).unwrap_or(u32::MAX)
        });
        let at = &mut self.cells[cell as usize];
        // What is there already is found where it is most often, and else when all are there.
        let residue = (data.run_set_of(row), tuple(evaluator.residue()));
        if at.residues.all().last() != Some(&residue) {
            at.residues.push(residue);
        }
        let Series { benchmark, configuration, .. } = data.series_of(row);
        if at.configurations.all().last() != Some(&configuration) {
            at.configurations.push(configuration);
        }
        at.sources += 1;
        let asked = data.benchmarks[benchmark.at()].benchmark.as_deref();
        let asked = asked.and_then(Benchmark::asked_level);
        at.asked = at.asked.into_iter().chain(asked).max_by(f64::total_cmp);
        at.processors = [at.processors[0].min(processors), at.processors[1].max(processors)];
        // Places are numbered as they appear, so this is the next one.
        self.of_place.push(cell);
        cell
    }
}
