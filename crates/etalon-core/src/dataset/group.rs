//! Rows benchmark by benchmark, and samples of them.
//!
//! Owns which rows are of one benchmark (facts that differ within a run set tell apart, too), what a metric's
//! readings of them are, and which of a reading's coordinates make a sample: blocks and turns, or none. Both
//! reports and tables get their samples here. Refuses to drop, and to compare.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ids::{BenchmarkId, ConfigurationId, RunSetId, SchemaId, SeriesId, SpellingId};
use super::values::Conversion;
use super::{Dataset, Declared, State, Tally, WholeRuns};
use crate::model::{
    Accept, Benchmark, BenchmarkKey, Metric, OutcomeCounts, SIDE, SaidBy, place_of,
};
use crate::sample::{Places, Sample};
use crate::stats::NotFinite;
use crate::strings::Symbol;

/// A benchmark's executions, in the order they came.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The run set.
    pub run_set: RunSetId,
    /// The benchmark that all rows belong to.
    pub id: BenchmarkId,
    /// What is declared of it; facts that differ within its run set are parameters.
    pub benchmark: Arc<Benchmark>,
    /// The rows that count.
    pub rows: Vec<u32>,
    /// How many runs were left out, because they are copies of others.
    pub copies: usize,
    /// Those that do not, because of how they ended.
    pub uncounted: Vec<u32>,
    /// Whether every row that counts has a block; if one has none, no two of them are paired with others'.
    pub placed: bool,
}

/// One metric's readings of one benchmark, in time order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Column {
    /// The row of each.
    pub rows: Vec<u32>,
    /// Values in base units, finite.
    pub values: Vec<f64>,
}

impl Dataset {
    /// The benchmarks of all run sets with their rows: in the order of the run sets, and within one as
    /// declared, or as they first came. Linear.
    #[must_use]
    pub fn groups(&self) -> Vec<Group> {
        let facts = Facts::of(self);
        let mut groups: Vec<Group> = Vec::new();
        let mut of_series: Vec<Option<usize>> = vec![None; self.series.len()];
        let mut known: FxHashMap<(BenchmarkId, ConfigurationId), usize> = FxHashMap::default();
        for (at, declared) in self.benchmarks.iter().enumerate() {
            if let (Some(benchmark), Ok(id)) = (&declared.benchmark, BenchmarkId::new(at)) {
                groups.push(Group::new(declared, id, Arc::clone(benchmark)));
            }
        }
        let mut declared: Vec<Option<usize>> = vec![None; self.benchmarks.len()];
        groups.iter().enumerate().for_each(|(at, group)| declared[group.id.at()] = Some(at));
        for (row, series) in self.rows.all_series().enumerate() {
            let series = series.at();
            let group = *of_series[series].get_or_insert_with(|| {
                let of = self.series[series];
                let other = facts.group[of.configuration.at()];
                *known.entry((of.benchmark, other)).or_insert_with(|| {
                    let first = declared[of.benchmark.at()];
                    let is_free = |at: &usize| {
                        groups[*at].rows.is_empty() && groups[*at].uncounted.is_empty()
                    };
                    let from = &self.benchmarks[of.benchmark.at()];
                    let params =
                        from.is_told_apart_by_facts().then(|| &facts.other[of.configuration.at()]);
                    match first.filter(is_free) {
                        Some(at) => {
                            groups[at].tell_apart(params);
                            at
                        }
                        None => {
                            let mut group = Group::new(from, of.benchmark, from.declared());
                            group.tell_apart(params);
                            groups.push(group);
                            groups.len() - 1
                        }
                    }
                })
            });
            let number = u32::try_from(row).unwrap_or(u32::MAX);
            let group = &mut groups[group];
            if self.counts(row) {
                group.rows.push(number);
                group.placed &= self.rows.place(row).is_some();
            } else {
                group.uncounted.push(number);
            }
        }
        groups.sort_by_key(|group| group.run_set);
        self.in_order_of_sides(groups)
    }

    /// The same with the sides of a benchmark beside each other, the base first, where facts say which they are: what is
    /// told apart by facts is declared when it is measured, in random order.
    fn in_order_of_sides(&self, groups: Vec<Group>) -> Vec<Group> {
        let sides = |group: &Group| self.run_sets[group.run_set.at()].sides;
        let of_facts = |group: &Group| sides(group).is_some_and(|it| it.said_by == SaidBy::Fact);
        if !groups.iter().any(of_facts) {
            return groups;
        }
        let mut first: HashMap<(RunSetId, BenchmarkKey), usize> = HashMap::new();
        let placed = |(at, group): (usize, Group)| {
            let mut key = group.benchmark.key.clone();
            let side = key.params.iter().find(|(name, _)| of_facts(&group) && name == SIDE);
            let side = side.map_or(0, |(_, side)| place_of(side));
            key.params.retain(|(name, _)| name != SIDE);
            (*first.entry((group.run_set, key)).or_insert(at), side, group)
        };
        let mut placed: Vec<(usize, usize, Group)> =
            groups.into_iter().enumerate().map(placed).collect();
        placed.sort_by_key(|(first, side, _)| (*first, *side));
        placed.into_iter().map(|(.., group)| group).collect()
    }

    /// The same, without the rows of runs that are copies of others of their group: what is compared.
    #[must_use]
    pub fn groups_without_copies(&self) -> Vec<Group> {
        let mut groups = self.groups();
        let whole = WholeRuns::of(self);
        let of_several = |group: &&mut Group| !self.is_one_run(group.run_set);
        groups.iter_mut().filter(of_several).for_each(|group| group.leave_copies_out(self, &whole));
        groups
    }

    /// The metrics that rows of a run set have values of, and those that it declares: in the order declared,
    /// or as they first came; those of one name together.
    #[must_use]
    pub fn metrics(&self, run_set: RunSetId) -> Vec<(Metric, Vec<SpellingId>)> {
        let named = self.named_metrics(run_set).into_iter();
        named.map(|(_, spellings)| (self.metric(spellings[0]), spellings)).collect()
    }

    /// The metrics of all run sets, each name once.
    #[must_use]
    pub fn all_metrics(&self) -> Vec<Metric> {
        let run_sets = (0..self.run_sets.len()).map_while(|at| RunSetId::new(at).ok());
        let mut seen = HashSet::new();
        let all = run_sets.flat_map(|run_set| self.metrics(run_set)).map(|(metric, _)| metric);
        // Those of one run set have names of their own.
        let is_one = self.run_sets.len() < 2;
        all.filter(|metric| is_one || seen.insert(metric.name.clone())).collect()
    }

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
        // Which values of a row go to which column is the same in all rows of a schema.
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
    pub fn places(&self, rows: &[u32]) -> Places {
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
        Ok(self.with_runs(Sample::at(values, places)?, rows))
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
    pub fn resolution(
        &self,
        benchmark: BenchmarkId,
        metric: &Metric,
        rows: impl Iterator<Item = usize>,
    ) -> Option<f64> {
        let step = metric.resolution?;
        let declared = self.benchmarks[benchmark.at()].benchmark.as_ref();
        let each = declared.and_then(|b| b.case.as_ref()).is_some_and(|case| case.timer);
        if metric.per == crate::model::Per::Observation || each {
            return Some(step);
        }
        let fewest = rows.filter_map(|row| self.rows.iterations(row)).min();
        Some(fewest.map_or(step, |fewest| step / fewest as f64))
    }
}

impl Declared {
    /// Whether facts that differ within a run set tell its executions apart: a command or a case is declared
    /// as often as it is meant.
    fn is_told_apart_by_facts(&self) -> bool {
        self.benchmark.as_ref().is_none_or(|b| b.command.is_none() && b.case.is_none())
    }

    /// What is declared of it: no more than its name, where its source says no more.
    #[must_use]
    pub fn declared(&self) -> Arc<Benchmark> {
        let by_name = || Benchmark {
            key: BenchmarkKey { name: self.name.full().to_owned(), params: Vec::new() },
            command: None,
            shell: None,
            hash: None,
            accept: Accept::Zero,
            case: None,
        };
        self.benchmark.clone().unwrap_or_else(|| Arc::new(by_name()))
    }
}

impl Group {
    fn new(declared: &Declared, id: BenchmarkId, benchmark: Arc<Benchmark>) -> Group {
        let run_set = declared.run_set;
        let (rows, uncounted) = (Vec::new(), Vec::new());
        Group { run_set, id, benchmark, rows, copies: 0, uncounted, placed: true }
    }

    fn leave_copies_out(&mut self, data: &Dataset, whole: &WholeRuns<'_>) {
        let copies = whole.copies(self.rows.iter().copied());
        if !copies.is_empty() {
            self.rows.retain(|row| !copies.contains(&data.run_of(*row as usize)));
            self.copies = copies.len();
        }
    }

    /// Makes facts parameters.
    fn tell_apart(&mut self, facts: Option<&Vec<(String, String)>>) {
        if let Some(facts) = facts.filter(|facts| !facts.is_empty()) {
            Arc::make_mut(&mut self.benchmark).key.params.extend_from_slice(facts);
        }
    }

    /// How the executions ended, those that do not count included.
    #[must_use]
    pub fn outcomes(&self, data: &Dataset) -> OutcomeCounts {
        let mut counts = OutcomeCounts::default();
        let all = self.rows.iter().chain(&self.uncounted);
        all.for_each(|row| counts.add(data.rows.outcome(*row as usize)));
        counts
    }

    /// What is counted of them beside.
    #[must_use]
    pub fn tally<'d>(&self, data: &'d Dataset) -> Option<&'d Tally> {
        data.benchmarks[self.id.at()].tally.as_deref()
    }

    /// Blocks that rows count in; rows, unless a block holds several turns.
    #[must_use]
    pub fn blocks(&self, data: &Dataset) -> usize {
        self.by_block(data).map_or(self.rows.len(), |blocks| blocks.len())
    }

    /// The rows of each block, by turn, in the order of the blocks; absent where no block holds several turns.
    #[must_use]
    pub fn by_block(&self, data: &Dataset) -> Option<Vec<Vec<u32>>> {
        let place = |row: &u32| data.rows.place(*row as usize);
        if !data.rows.have_turns() || !self.rows.iter().filter_map(place).any(|p| p.turn.is_some())
        {
            return None;
        }
        let mut rows = self.rows.clone();
        rows.sort_by_key(place);
        // Rows without a block are not of one block.
        let are_of_one =
            |a: &u32, b: &u32| place(a).zip(place(b)).is_some_and(|(a, b)| a.block == b.block);
        Some(rows.chunk_by(are_of_one).map(<[u32]>::to_vec).collect())
    }
}

impl Dataset {
    /// Facts that all rows of a run set were measured under, by key.
    #[must_use]
    pub fn shared_facts(&self, run_set: RunSetId) -> crate::model::Context {
        let measured = self.series.iter().filter(|s| !self.schemas[s.schema.at()].is_empty());
        let measured: HashSet<ConfigurationId> = measured.map(|s| s.configuration).collect();
        let configurations = measured.iter().map(|at| &self.configurations[at.at()]);
        let mut own = configurations.filter(|configuration| configuration.run_set == run_set);
        let Some(first) = own.next() else { return crate::model::Context::new() };
        let mut shared = first.entries.clone();
        own.for_each(|other| shared.retain(|entry| other.entries.contains(entry)));
        let text = |symbol| self.strings.text(symbol).to_owned();
        shared.into_iter().map(|(key, value)| (text(key), text(value))).collect()
    }

    /// Whether a run set has a row that counts.
    #[must_use]
    pub fn has_rows(&self, run_set: RunSetId) -> bool {
        let of_set = |series: SeriesId| {
            self.configurations[self.series[series.at()].configuration.at()].run_set == run_set
        };
        let mut all = self.rows.all_series().enumerate();
        all.any(|(row, series)| of_set(series) && self.counts(row))
    }
}

/// Facts of configurations, told apart by whether all of a run set share them.
struct Facts {
    /// Per configuration: the first of its run set with the same other facts.
    group: Vec<ConfigurationId>,
    /// Per configuration: its other facts.
    other: Vec<Vec<(String, String)>>,
}

impl Facts {
    fn of(data: &Dataset) -> Facts {
        let mut facts = Facts { group: Vec::new(), other: Vec::new() };
        let mut counts: HashMap<(RunSetId, (Symbol, Symbol)), usize> = HashMap::new();
        let mut all: HashMap<RunSetId, usize> = HashMap::new();
        // What has no values was not measured under anything.
        let measured = data.series.iter().filter(|s| !data.schemas[s.schema.at()].is_empty());
        let measured: HashSet<ConfigurationId> = measured.map(|s| s.configuration).collect();
        for configuration in measured.iter().map(|at| &data.configurations[at.at()]) {
            *all.entry(configuration.run_set).or_default() += 1;
            for entry in &configuration.entries {
                *counts.entry((configuration.run_set, *entry)).or_default() += 1;
            }
        }
        let mut groups: HashMap<(RunSetId, Vec<(String, String)>), ConfigurationId> =
            HashMap::new();
        for (at, configuration) in data.configurations.iter().enumerate() {
            let run_set = configuration.run_set;
            let text = |symbol| data.strings.text(symbol).to_owned();
            let differs =
                |entry: &&(Symbol, Symbol)| counts.get(&(run_set, **entry)) != all.get(&run_set);
            let own = configuration.entries.iter().filter(differs);
            let other: Vec<_> = own.map(|(key, value)| (text(*key), text(*value))).collect();
            let Ok(id) = ConfigurationId::new(at) else { break };
            facts.group.push(*groups.entry((run_set, other.clone())).or_insert(id));
            facts.other.push(other);
        }
        facts
    }
}
