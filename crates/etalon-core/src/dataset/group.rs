//! Rows benchmark by benchmark.
//!
//! Owns which rows are of one benchmark: facts that differ within a run set tell apart, too. Refuses to make samples of
//! them: that is [`super::samples`]'s.

use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::ids::{BenchmarkId, ConfigurationId, RunSetId, SeriesId, SpellingId};
use super::{Dataset, DeclaredBenchmark, Series, State, Tally, WholeRuns};
use crate::metrics;
use crate::model::{
    Accept, BUILD, Benchmark, BenchmarkKey, Level, Metric, OutcomeCounts, SIDE, SaidBy, place_of,
};

/// A benchmark's executions, in the order they came.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The run set.
    pub run_set: RunSetId,
    /// The benchmark that all rows belong to.
    pub id: BenchmarkId,
    /// Its declaration; facts that differ within its run set are parameters.
    pub benchmark: Arc<Benchmark>,
    /// The rows that count.
    pub rows: Vec<u32>,
    /// How many runs were left out, because they are copies of others.
    pub copies: usize,
    /// Those that do not, because of how they ended.
    pub uncounted: Vec<u32>,
    /// Those whose work was counted apart from timing: no executions of the benchmark as it is measured.
    pub work: Vec<u32>,
    /// Whether every row that counts has a block; if one has none, no two of them are paired with others'.
    pub placed: bool,
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
        let is_of_work: Vec<bool> = self.series.iter().map(|it| self.is_of_work(*it)).collect();
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
            if is_of_work[series] {
                group.work.push(number);
            } else if self.counts(row) {
                group.rows.push(number);
                group.placed &= self.rows.place(row).is_some();
            } else {
                group.uncounted.push(number);
            }
        }
        groups.sort_by_key(|group| group.run_set);
        self.in_order_of_sides(groups)
    }

    /// Groups with the sides of a benchmark beside each other, the base first, where facts say which they are: what is
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
            let param = |key: &BenchmarkKey, name: &str| {
                let mut params = key.params.iter().filter(|_| of_facts(&group));
                params.find(|(known, _)| known == name).map(|(_, value)| value.clone())
            };
            let side = param(&key, SIDE).map_or(0, |side| place_of(&side));
            let build = param(&key, BUILD);
            key.params.retain(|(name, _)| name != SIDE && name != BUILD);
            ((*first.entry((group.run_set, key)).or_insert(at), side, build), group)
        };
        let mut placed: Vec<_> = groups.into_iter().enumerate().map(placed).collect();
        placed.sort_by(|(one, _), (other, _)| one.cmp(other));
        placed.into_iter().map(|(_, group)| group).collect()
    }

    /// The groups without the rows of runs that are copies of others of their group: what is compared.
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

    /// Whether rows of a series are counts of work, and of nothing else: an execution that was counted was not timed.
    #[must_use]
    pub fn is_of_work(&self, series: Series) -> bool {
        let fields = &self.schemas[series.schema.at()];
        let mut present = fields.iter().filter(|field| field.state == State::Present);
        match (present.next(), present.next()) {
            (Some(field), None) => self.metric(field.spelling).is_of_work(),
            _ => false,
        }
    }

    /// Whether counts of work of two run sets can be compared: made by the same means on the same kind of CPU, which has
    /// programs choose their instructions.
    pub(crate) fn are_counted_alike(&self, of: [RunSetId; 2]) -> bool {
        let [one, other] = of.map(|set| &self.run_sets[set.at()].context);
        [metrics::COUNTED_BY, "cpu.model"].iter().all(|fact| one.get(*fact) == other.get(*fact))
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

impl DeclaredBenchmark {
    /// Whether facts that differ within a run set tell its executions apart: a command or a case is declared
    /// as often as it is meant.
    fn is_told_apart_by_facts(&self) -> bool {
        self.benchmark.as_ref().is_none_or(|b| b.command.is_none() && b.case.is_none())
    }

    /// Its declaration: no more than its name, where its source says no more.
    #[must_use]
    pub fn declared(&self) -> Arc<Benchmark> {
        let by_name = || Benchmark {
            key: BenchmarkKey { name: self.name.full().to_owned(), params: Vec::new() },
            command: None,
            shell: None,
            hash: None,
            accept: Accept::Zero,
            level: Level::Readings,
            case: None,
        };
        self.benchmark.clone().unwrap_or_else(|| Arc::new(by_name()))
    }
}

impl Group {
    fn new(declared: &DeclaredBenchmark, id: BenchmarkId, benchmark: Arc<Benchmark>) -> Group {
        let run_set = declared.run_set;
        let (rows, uncounted, work) = (Vec::new(), Vec::new(), Vec::new());
        Group { run_set, id, benchmark, rows, copies: 0, uncounted, work, placed: true }
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

    /// The tally of its executions beside the rows.
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
