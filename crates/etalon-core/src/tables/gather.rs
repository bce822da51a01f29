//! From rows of a dataset to the values of cells.
//!
//! Owns which values belong to which cell, in time order, and what varies inside one. Every distinct
//! name, configuration and unit is asked once; rows are sorted by series once, by counting, so the cost
//! is linear in the rows whatever the number of tables. Only their numbers are: values stay where
//! they are, because of millions a second copy was a quarter of all memory. Refuses to compute with them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ask::{FILE, Query};
use super::by_series::BySeries;
use super::few::Few;
use super::method::Numbers;
use crate::dataset::{
    BenchmarkId, ConfigurationId, Dataset, InUnit, Measured, RunOf, RunSetId, Series, SeriesId,
    SpellingId, Value, WholeRuns,
};
use crate::model::Benchmark;
use crate::query::{Evaluator, Place, TupleId};
use crate::units::Base;

/// The values that stand at one place in the rows of a series.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    series: SeriesId,
    /// How many values of a row stand before it.
    place: u32,
    pub spelling: SpellingId,
}

/// A value of a cell, and its row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub row: u32,
    pub value: Value,
}

impl Member {
    pub(super) fn row(self) -> usize {
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
    /// The base of the values in each tidied unit.
    bases: Vec<Base>,
    sorted: BySeries,
    /// Of each run set whether its data set is in several columns, where no query says what becomes of data sets.
    across: Vec<bool>,
    /// How many executions of a benchmark under one configuration have no values because of how they ended.
    pub lost: FxHashMap<SeriesOf, usize>,
    /// Benchmarks whose calls do nothing that can be seen.
    idle: FxHashSet<BenchmarkId>,
}

/// A benchmark, and the configuration it was measured under.
pub(super) type SeriesOf = (BenchmarkId, ConfigurationId);

pub(super) fn series_of(data: &Dataset, row: usize) -> SeriesOf {
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
    pub parts: Few<Part>,
    /// Distinct residues with the run set they are of, in order of appearance.
    pub residues: Few<(RunSetId, TupleId)>,
    /// The distinct configurations, in order of appearance.
    pub configurations: Few<ConfigurationId>,
    /// Runs that are copies of others among its values, and left out.
    copies: Few<RunOf>,
    /// How many distinct benchmarks and configurations there are.
    pub sources: usize,
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
                let cell = cells.number(&evaluator, &query, at, data, row);
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
    let across = match numbers {
        Numbers::Reference => vec![false; data.run_sets.len()],
        _ => across_columns(data, &query, &cells),
    };
    let idle = match numbers {
        Numbers::Reference => FxHashSet::default(),
        _ => data.idle(),
    };
    let mut gathered =
        Gathered { data, evaluator, query, cells, numbers, bases, sorted, across, lost, idle };
    if numbers != Numbers::Reference
        && data.run_sets.iter().map(|set| set.runs.max(1)).sum::<u32>() > 1
    {
        gathered.leave_copies_out();
    }
    gathered
}

/// Whether the data set of each run set has values in several columns. Runs of a side are in its column; data sets in
/// several columns are an axis of their own.
fn across_columns(data: &Dataset, query: &Query, cells: &[CellAt]) -> Vec<bool> {
    if data.run_sets.len() < 2 || query.names_files() {
        return vec![false; data.run_sets.len()];
    }
    let mut columns: FxHashMap<&str, FxHashSet<TupleId>> = FxHashMap::default();
    for cell in cells {
        for (run_set, _) in cell.residues.all() {
            columns.entry(&data.run_sets[run_set.at()].label).or_default().insert(cell.col);
        }
    }
    let is_across =
        |label: &String| columns.get(label.as_str()).is_some_and(|columns| columns.len() > 1);
    data.run_sets.iter().map(|set| is_across(&set.label)).collect()
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

    /// Whether all calls of a cell do nothing that can be seen.
    pub(super) fn is_idle(&self, cell: usize) -> bool {
        let mut parts = self.cells[cell].parts.all().iter();
        parts.all(|part| self.idle.contains(&self.data.series[part.series.at()].benchmark))
    }

    /// Whether a cell is of functions, whose empty loop is measured beside them.
    pub(super) fn is_of_cases(&self, cell: usize) -> bool {
        let declared = |part: &Part| {
            let benchmark = self.data.series[part.series.at()].benchmark;
            self.data.benchmarks[benchmark.at()].benchmark.as_ref()
        };
        let mut parts = self.cells[cell].parts.all().iter();
        parts.any(|part| declared(part).is_some_and(|benchmark| benchmark.case.is_some()))
    }

    /// How many runs of a cell are copies of others of it, and left out.
    pub(super) fn copies(&self, cell: usize) -> usize {
        self.cells[cell].copies.all().len()
    }

    /// The base of the values in a tidied unit: by the reference's rules always that unit.
    pub(super) fn base(&self, unit: &str) -> Base {
        match (self.numbers, self.data.unit_called(unit)) {
            (Numbers::Nearest, Some(at)) => self.bases[at.at()].clone(),
            _ => Base::Other(unit.to_owned()),
        }
    }

    /// Whether values are in their tidied unit, which is its own base.
    pub(super) fn has_own_base(&self, spelling: SpellingId) -> bool {
        let unit = self.data.spellings[spelling.at()].unit;
        matches!(self.bases[unit.at()], Base::Other(_))
    }

    /// The values of a cell, in the order of the data: in base units, or the reference's numbers.
    pub(super) fn values(&self, cell: usize) -> Vec<f64> {
        match self.cells[cell].parts.all() {
            [part] if self.copies(cell) == 0 => {
                self.part_members(*part).map(self.number(part.spelling)).collect()
            }
            _ => {
                let number = |of: Member| self.number(of.value.spelling)(of);
                self.members(cell).into_iter().map(number).collect()
            }
        }
    }

    /// The number of each value of a unit, its conversion found once.
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

    /// The values of each build of a side, in the order of [`Gathered::values`]; none where those stand for themselves.
    pub(super) fn values_of_builds(&self, cell: usize) -> Vec<Vec<f64>> {
        if !self.data.has_builds_behind() {
            return Vec::new();
        }
        let members = self.members(cell);
        let mut builds: Vec<Vec<f64>> = Vec::new();
        for (at, member) in members.iter().enumerate() {
            let is_own = self.has_own_base(member.value.spelling);
            let unit = if is_own { InUnit::Tidied } else { InUnit::Base };
            let behind = self.data.builds_behind(member.row(), member.value, unit);
            if at == 0 {
                builds = vec![Vec::with_capacity(members.len()); behind.len()];
            }
            if behind.len() != builds.len() {
                return Vec::new();
            }
            builds.iter_mut().zip(behind).for_each(|(of, number)| of.push(number));
        }
        builds
    }

    /// The members of a cell, in the order of the data, without copies.
    pub(super) fn members(&self, cell: usize) -> Vec<Member> {
        let parts = self.cells[cell].parts.all();
        let mut members: Vec<Member> = match parts {
            [part] => self.part_members(*part).collect(),
            parts => parts.iter().flat_map(|part| self.part_members(*part)).collect(),
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

    fn part_members(&self, part: Part) -> impl Iterator<Item = Member> {
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
        let file = self.has_several_files(cell).then(|| FILE.to_owned());
        if varying.is_empty() {
            return file.into_iter().collect();
        }
        let columns = self.evaluator.columns(residue);
        let keys = varying.into_iter().map(|column| columns[column].key.to_string());
        file.into_iter().chain(keys).collect()
    }

    /// Whether a cell holds values of several data sets, one of which is in other columns, too.
    fn has_several_files(&self, cell: usize) -> bool {
        let run_sets = || self.cells[cell].residues.all().iter().map(|(run_set, _)| run_set.at());
        let label = |at: usize| self.data.run_sets[at].label.as_str();
        let first = run_sets().next().map(label);
        run_sets().any(|at| self.across[at]) && run_sets().any(|at| Some(label(at)) != first)
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
    fn number(
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
        let processors = data.processors_of(row);
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
