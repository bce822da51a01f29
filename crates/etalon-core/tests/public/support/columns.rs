//! Data as columns of numbers, as tests have them: run sets of series, and the dataset they stand for.
//!
//! Values are in base units. Refuses to round: a number is put down so that it is read as the very double.

use etalon_core::dataset::{Dataset, Entry, Execution, Place, SpellingId, Written};
use etalon_core::model::{Benchmark, Context, Metric, Note, Outcome, OutcomeCounts, Per};
use etalon_core::plan::{Plan, Settings};
use etalon_core::run_set::{End, Look, Printed};
use etalon_core::units::Unit;

/// One metric's readings: rows ascending, finite values in base units.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Column {
    pub rows: Vec<u32>,
    pub values: Vec<f64>,
}

/// An execution that does not count, behind so many that do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Uncounted {
    pub rows_before: u32,
    pub block: Option<u32>,
    pub outcome: Outcome,
}

/// A benchmark's executions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Series {
    pub blocks: Vec<u32>,
    pub turns: Vec<u32>,
    pub iterations: Vec<u64>,
    pub rows: u32,
    pub columns: Vec<Column>,
    pub exits: Vec<(u32, i32)>,
    pub uncounted: Vec<Uncounted>,
    /// The message of the first of those, with its index among them.
    pub said: Option<(usize, String)>,
    pub warmup_outcomes: OutcomeCounts,
    pub orphans: u64,
    pub with_orphans: u64,
}

/// A run set with its rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RunSet {
    pub source: String,
    pub id: Option<String>,
    pub started: Option<String>,
    pub argv: Vec<String>,
    pub context: Context,
    pub plan: Option<Plan>,
    pub settings: Option<Settings>,
    pub metrics: Vec<Metric>,
    pub benchmarks: Vec<Benchmark>,
    pub series: Vec<Series>,
    pub looks: Vec<Look>,
    pub notes: Vec<Note>,
    pub outputs: Vec<Printed>,
    pub end: Option<End>,
    pub lost: Option<String>,
}

impl RunSet {
    pub(crate) fn empty(source: &str) -> RunSet {
        RunSet { source: source.to_owned(), ..RunSet::default() }
    }
}

/// The dataset of some run sets.
pub(crate) fn data(sets: &[RunSet]) -> Dataset {
    let labelled: Vec<(&str, &RunSet)> = sets.iter().map(|set| (&*set.source, set)).collect();
    labelled_data(&labelled)
}

/// The data of run sets with labels, which `.file` says.
pub(crate) fn labelled_data(sets: &[(&str, &RunSet)]) -> Dataset {
    let mut data = Dataset::default();
    sets.iter().for_each(|(label, set)| add(&mut data, label, set));
    data
}

fn add(data: &mut Dataset, label: &str, set: &RunSet) {
    let run_set = etalon_core::run_set::RunSet {
        label: label.to_owned(),
        id: set.id.clone(),
        started: set.started.clone(),
        argv: set.argv.clone(),
        context: set.context.clone(),
        plan: set.plan.clone(),
        settings: set.settings.clone(),
        looks: set.looks.clone(),
        notes: set.notes.clone(),
        outputs: set.outputs.clone(),
        end: set.end.clone(),
        lost: set.lost.clone(),
        ..etalon_core::run_set::RunSet::from_source(&set.source)
    };
    let run_set = data.add_run_set(run_set).unwrap();
    let metrics: Vec<Metric> = (0..set.metrics.len()).map(|at| recorded(set, at)).collect();
    let spellings: Vec<SpellingId> =
        metrics.iter().map(|metric| data.add_metric(run_set, metric.clone()).unwrap()).collect();
    let entries = data.context_entries(run_set).unwrap();
    let configuration = data.configuration(run_set, &entries).unwrap();
    for (benchmark, series) in set.benchmarks.iter().zip(&set.series) {
        let benchmark = data.add_benchmark(run_set, benchmark.clone()).unwrap();
        let mut uncounted = series.uncounted.iter().enumerate().peekable();
        let mut add_uncounted = |data: &mut Dataset, row: u32| {
            while let Some((at, one)) = uncounted.next_if(|(_, one)| one.rows_before <= row) {
                let said = series.said.as_ref().filter(|(of, _)| *of == at);
                if let Some((_, text)) = said {
                    let row = u32::try_from(data.len()).unwrap();
                    data.tally(benchmark).said = Some((row, text.clone()));
                }
                let place = one.block.map(|block| Place { block, turn: None });
                let outcome = Some(one.outcome.clone());
                let execution = Execution { place, outcome, ..Execution::default() };
                data.add_row((benchmark, configuration), execution, std::iter::empty()).unwrap();
            }
        };
        for row in 0..series.rows {
            add_uncounted(data, row);
            let (values, execution) = (values(series, row, &metrics), execution(series, row));
            let entries = values.iter().map(|(metric, number, written)| Entry {
                spelling: spellings[*metric],
                number: Some((*number, *written)),
                text: "",
            });
            data.add_row((benchmark, configuration), execution, entries).unwrap();
        }
        add_uncounted(data, series.rows);
        let tally = data.tally(benchmark);
        tally.warmup_outcomes = series.warmup_outcomes;
        (tally.orphans, tally.with_orphans) = (series.orphans, series.with_orphans);
    }
    data.finish(run_set).unwrap();
}

fn execution(series: &Series, row: u32) -> Execution {
    let at = row as usize;
    let turn = series.turns.get(at).copied();
    let exit = series.exits.iter().find(|(of, _)| *of == row);
    Execution {
        place: series.blocks.get(at).map(|block| Place { block: *block, turn }),
        iterations: series.iterations.get(at).map(|n| i64::try_from(*n).unwrap()),
        outcome: exit.map(|(_, code)| Outcome::Failed { code: *code }),
    }
}

fn values(series: &Series, row: u32, metrics: &[Metric]) -> Vec<(usize, f64, Written)> {
    let of = |(at, (column, metric)): (usize, (&Column, &Metric))| {
        let value = column.values[column.rows.binary_search(&row).ok()?];
        let iterations = series.iterations.get(row as usize).copied().unwrap_or(1);
        let iterations = if metric.per == Per::Iteration { iterations } else { 1 };
        let (number, written) = in_unit(value, &metric.unit, iterations)
            .unwrap_or((metric.unit.from_base(value) * iterations as f64, Written::Computed));
        Some((at, number, written))
    };
    series.columns.iter().zip(metrics).enumerate().filter_map(of).collect()
}

/// The metric in the unit it was declared in, if each of its values can be put down in that; else in base
/// units.
fn recorded(set: &RunSet, index: usize) -> Metric {
    let metric = &set.metrics[index];
    let mut values = set.series.iter().filter_map(|s| s.columns.get(index)).flat_map(|c| &c.values);
    if metric.per == Per::Iteration
        || values.all(|value| in_unit(*value, &metric.unit, 1).is_some())
    {
        return metric.clone();
    }
    Metric { unit: Unit::new(&metric.unit.base().to_string()), ..metric.clone() }
}

/// The number that, written in this unit for so many iterations, is read as exactly this value of one.
fn in_unit(value: f64, unit: &Unit, iterations: u64) -> Option<(f64, Written)> {
    let iterations = iterations as f64;
    let near = unit.from_base(value) * iterations;
    let exact = |written: f64| (unit.to_base(written) / iterations).to_bits() == value.to_bits();
    let whole = near.round();
    if whole.abs() < 9_007_199_254_740_992.0 && exact(whole + 0.0) {
        return Some((whole + 0.0, Written::Decimals(0)));
    }
    let found = [near, near.next_up(), near.next_down()].into_iter().find(|x| exact(*x));
    found.map(|number| (number, Written::Computed))
}
