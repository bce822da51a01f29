//! A benchmark of a run set, and its samples.
//!
//! Owns when samples are made: a metric's readings are taken from the dataset when somebody asks for them, and
//! are gone when nobody holds them any more. Of a million executions with ten metrics each, samples of all
//! at once take twice the memory of the dataset. Refuses to compute with them.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::derived::{self, Measure};
use crate::compare::EarlierRuns;
use crate::dataset::history::Side;
use crate::dataset::{Column, Dataset, Group, RunSetId, does_nothing, smallest};
use crate::metrics;
use crate::model::{Case, Level, Metric};
use crate::plan::Settings;
use crate::sample::{Lost, Places, Sample};
use crate::scope::Declaration;
use crate::stats;
use crate::verdict::{Decision, Reason};

/// A benchmark of a run set.
#[derive(Debug)]
pub(crate) struct Subject<'d> {
    pub(crate) data: &'d Dataset,
    pub(crate) run_set: RunSetId,
    pub(crate) group: Group,
    /// The level of its intervals that its file asks for; absent of a command.
    asked_level: Option<f64>,
    /// The metrics of its run set.
    measures: Arc<[Measure]>,
    /// How many of its executions failed, were killed or timed out.
    lost: usize,
    /// Where its rows were measured; absent if they are not in that order.
    places: Option<Places>,
}

/// One metric's readings of one benchmark.
#[derive(Debug)]
pub(crate) struct Readings {
    /// The metric, with its resolution in these readings.
    pub(crate) metric: Arc<Metric>,
    pub(crate) sample: Sample,
}

/// The benchmarks of all run sets.
pub(crate) fn subjects(data: &Dataset) -> Vec<Subject<'_>> {
    let mut last: Option<(RunSetId, Arc<[Measure]>)> = None;
    let subject = |group: Group| {
        let of_set = last.take().filter(|(run_set, _)| *run_set == group.run_set);
        let measures = of_set.map_or_else(
            || derived::measures(data.metrics(group.run_set)).into(),
            |(_, measures)| measures,
        );
        last = Some((group.run_set, Arc::clone(&measures)));
        let places = match group.placed {
            true => data.are_in_order(&group.rows).then(|| data.places(&group.rows)),
            false => Some(Places::None),
        };
        Subject {
            data,
            run_set: group.run_set,
            asked_level: group.benchmark.asked_level(),
            lost: lost(data, &group),
            measures,
            places,
            group,
        }
    };
    data.groups_without_copies().into_iter().map(subject).collect()
}

/// How many of a group's executions have no value because they failed, were killed or timed out.
fn lost(data: &Dataset, group: &Group) -> usize {
    let is_lost = |row: &&u32| data.rows.outcome(**row as usize).is_failure();
    group.uncounted.iter().filter(is_lost).count()
}

impl Subject<'_> {
    /// The level of its intervals.
    pub(crate) fn confidence(&self, settings: &Settings) -> f64 {
        settings.criteria.level(self.asked_level)
    }

    /// The first and the last block in which it was executed, whatever came of that.
    fn span(&self) -> Option<(u32, u32)> {
        let rows = || self.group.rows.iter().chain(&self.group.uncounted);
        let blocks = || rows().filter_map(|row| self.block(*row));
        Some((blocks().min()?, blocks().max()?))
    }

    fn block(&self, row: u32) -> Option<u32> {
        self.data.rows.place(row as usize).map(|place| place.block)
    }

    /// Whether its rows are readings.
    pub(crate) fn level(&self) -> Level {
        self.group.benchmark.level
    }

    /// Its name, with its parameters.
    pub(crate) fn label(&self) -> String {
        self.group.benchmark.label()
    }

    /// Its name, without parameters.
    pub(crate) fn name(&self) -> &str {
        &self.group.benchmark.key.name
    }

    /// Whether it is a case, without a look at what is declared of 100,000.
    pub(crate) fn is_case(&self) -> bool {
        self.asked_level.is_some()
    }

    /// Its declaration as a case; absent for a command.
    pub(crate) fn case(&self) -> Option<&Case> {
        self.group.benchmark.case.as_ref()
    }

    /// The declaration that its scope depends on.
    pub(crate) fn declared(&self) -> Declaration<'_> {
        let key = &self.group.benchmark.key;
        Declaration { name: &key.name, params: &key.params, case: self.case() }
    }

    /// Whether its calls do nothing that can be seen. Linear in the rows of a case.
    pub(crate) fn is_idle(&self) -> bool {
        let shortest = |metric| smallest(&self.columns([metric])?[0].values);
        let call = self.case().and_then(|_| shortest(metrics::WALL));
        let empty_loop = || shortest(metrics::EMPTY_LOOP);
        call.is_some_and(|call| does_nothing(&self.group.benchmark, call, empty_loop()))
    }

    /// Whether it is called this: its name, or that with its parameters.
    pub(crate) fn is_called(&self, asked: &str) -> bool {
        self.name() == asked || self.label() == asked
    }

    /// Earlier runs of it and of another, by a metric.
    pub(crate) fn earlier(&self, other: &Subject<'_>, metric: &str) -> Vec<EarlierRuns> {
        let data = self.data;
        let spelling = self.measure(metric).and_then(Measure::spelling);
        let sides = self.side().zip(other.side());
        let (false, Some(spelling), Some((base, candidate))) =
            (data.history.is_empty(), spelling, sides)
        else {
            return Vec::new();
        };
        let unit = data.units[data.spellings[spelling.at()].unit.at()].as_str();
        data.history.earlier(data, unit, [&[base], &[candidate]])
    }

    fn side(&self) -> Option<Side> {
        let first = *self.group.rows.first()? as usize;
        Some(Side::from_row(self.data, first))
    }

    /// The metrics of its run set, and the sums that follow from them.
    pub(crate) fn measures(&self) -> impl Iterator<Item = &Measure> {
        self.measures.iter()
    }

    /// The metric of this name.
    pub(crate) fn measure(&self, metric: &str) -> Option<&Measure> {
        self.measures().find(|measure| measure.metric.name == metric)
    }

    /// The readings of metrics with their rows, by name; absent if it does not have all of them. Linear in
    /// the rows.
    pub(crate) fn columns<const N: usize>(&self, metrics: [&str; N]) -> Option<[Column; N]> {
        let measures: Option<Vec<&Measure>> =
            metrics.iter().map(|name| self.measure(name)).collect();
        derived::columns(self.data, &self.group.rows, &measures?).try_into().ok()
    }

    /// The readings of a metric in those of these rows that have one, by name.
    pub(crate) fn read_in(&self, rows: &[u32], metric: &str) -> Option<Column> {
        derived::columns(self.data, rows, &[self.measure(metric)?]).pop()
    }

    /// The readings by row.
    pub(crate) fn cells_in(&self, rows: &[u32], metric: &str) -> FxHashMap<u32, f64> {
        let columns = self.read_in(rows, metric).into_iter();
        columns.flat_map(|it| it.rows.into_iter().zip(it.values)).collect()
    }

    /// The sample of a metric, by name. O(n log n).
    pub(crate) fn sample(&self, metric: &str) -> Option<Readings> {
        self.readings(&[self.measure(metric)?]).next()?
    }

    /// The samples of some of its metrics, each made when it is its turn. O(n log n).
    pub(crate) fn readings(&self, measures: &[&Measure]) -> impl Iterator<Item = Option<Readings>> {
        let columns = derived::columns(self.data, &self.group.rows, measures);
        measures.iter().zip(columns).map(|(measure, column)| {
            let column = match measure.metric.is_of_work() {
                true => derived::columns(self.data, &self.group.work, &[measure]).pop()?,
                false => column,
            };
            self.reading(measure, column)
        })
    }

    fn reading(&self, measure: &Measure, Column { rows, values }: Column) -> Option<Readings> {
        let numbers = rows.iter().map(|row| *row as usize);
        let resolution = self.data.resolution(self.group.id, &measure.metric, numbers);
        let sample = match &self.places {
            Some(Places::None) => self.data.sample_at(&rows, values, Places::None),
            Some(places) if rows == self.group.rows => {
                self.data.sample_at(&rows, values, places.clone())
            }
            _ => self.data.sample(&rows, values),
        };
        // Values of a dataset are finite.
        let mut sample = sample.ok()?;
        sample.lost = Lost { count: self.lost, of: sample.len() + self.lost };
        if measure.metric.name == metrics::WALL {
            sample.set_waited(self.data.waited(&rows).into_iter());
        }
        let metric = match measure.metric.resolution == resolution {
            true => Arc::clone(&measure.metric),
            false => Arc::new(Metric { resolution, ..Metric::clone(&measure.metric) }),
        };
        Some(Readings { metric, sample })
    }
}

/// Benchmarks with their samples of one metric, for all that compares them.
#[derive(Debug)]
pub(crate) struct Samples<'s, 'd> {
    pub(crate) subjects: &'s [Subject<'d>],
    /// Of each benchmark; absent if its run set has no such metric.
    pub(crate) readings: Vec<Option<Readings>>,
    /// Of each benchmark whether the metric is the time of calls that do nothing that can be seen.
    idle: Vec<bool>,
}

impl<'s, 'd> Samples<'s, 'd> {
    pub(crate) fn new(subjects: &'s [Subject<'d>], metric: &str) -> Samples<'s, 'd> {
        let readings = subjects.iter().map(|subject| subject.sample(metric)).collect();
        let is_time = [metrics::WALL, metrics::CPU].contains(&metric);
        let idle = subjects.iter().map(|subject| is_time && subject.is_idle()).collect();
        Samples { subjects, readings, idle }
    }

    /// The metric as a benchmark has it.
    pub(crate) fn metric(&self, index: usize) -> Option<&Metric> {
        self.readings[index].as_ref().map(|readings| &*readings.metric)
    }

    /// The sample of a benchmark.
    pub(crate) fn sample(&self, index: usize) -> Option<&Sample> {
        self.readings[index].as_ref().map(|readings| &readings.sample)
    }

    /// Whether a benchmark's calls do nothing that can be seen, and the metric is their time.
    pub(crate) fn is_idle(&self, index: usize) -> bool {
        self.idle[index]
    }

    /// The reason for no verdict on two benchmarks by a metric, whatever their values: nothing is done, or work was not
    /// counted alike.
    pub(crate) fn withheld(&self, pair: [usize; 2], metric: &Metric) -> Option<Decision> {
        let [base, candidate] = pair.map(|at| self.is_idle(at));
        let of = pair.map(|at| self.subjects[at].run_set);
        let counted_otherwise = || {
            let is_so = metric.is_of_work() && !self.subjects[pair[0]].data.are_counted_alike(of);
            is_so.then(|| Decision::withheld(Reason::CountedOtherwise))
        };
        Decision::on_nothing(base, candidate).or_else(counted_otherwise)
    }

    /// The median of a benchmark, base units; absent without values.
    pub(crate) fn median(&self, index: usize) -> Option<f64> {
        stats::median(self.sample(index)?.sorted())
    }
}

/// From which block to which subjects were executed: of many cases, only some are measured side by side.
pub(super) struct Spans(FxHashSet<(RunSetId, u32, u32)>);

impl Spans {
    pub(super) fn new(subjects: &[Subject<'_>]) -> Spans {
        let span = |it: &Subject<'_>| it.span().map(|(first, last)| (it.run_set, first, last));
        Spans(subjects.iter().filter_map(span).collect())
    }

    /// Blocks of one of two in which the other was never to be executed, because they are those of subjects that are
    /// measured apart from that other.
    pub(super) fn blocks_apart(&self, own: &Subject<'_>, other: &Subject<'_>) -> usize {
        let Some((first, last)) = other.span() else { return 0 };
        let is_apart = |span: &&(RunSetId, u32, u32)| {
            span.0 == other.run_set && (span.2 < first || last < span.1)
        };
        let apart: Vec<_> = self.0.iter().filter(is_apart).collect();
        let blocks = own.group.rows.iter().filter_map(|row| own.block(*row));
        let blocks: BTreeSet<u32> =
            blocks.filter(|block| *block < first || last < *block).collect();
        let is_others = |block: &&u32| apart.iter().any(|span| (span.1..=span.2).contains(*block));
        blocks.iter().filter(is_others).count()
    }
}
