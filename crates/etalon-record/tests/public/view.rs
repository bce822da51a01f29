//! A dataset's run sets as columns of numbers, as tests look at them.

use crate::columns::{Column, RunSet, Series, Uncounted};
use etalon_core::dataset::{Dataset, Group, RunSetId};
use etalon_core::model::{Outcome, OutcomeCounts};

/// The only run set of a dataset.
pub(crate) fn only(data: &Dataset) -> RunSet {
    let mut all = run_sets(data);
    assert_eq!(all.len(), 1);
    all.pop().unwrap()
}

/// The texts of its notes.
pub(crate) fn texts(set: &RunSet) -> Vec<&str> {
    set.notes.iter().map(|note| note.text.as_str()).collect()
}

/// A benchmark's readings of a metric, with their rows.
pub(crate) fn column<'a>(
    set: &'a RunSet,
    benchmark: usize,
    metric: &str,
) -> (&'a [u32], &'a [f64]) {
    let index = set.metrics.iter().position(|m| m.name == metric).unwrap();
    let column = &set.series[benchmark].columns[index];
    (&column.rows, &column.values)
}

/// All of them.
pub(crate) fn run_sets(data: &Dataset) -> Vec<RunSet> {
    let groups = data.groups();
    let of = |(at, set): (usize, &etalon_core::run_set::RunSet)| {
        let id = RunSetId::new(at).unwrap();
        let own: Vec<&Group> = groups.iter().filter(|group| group.run_set == id).collect();
        RunSet {
            source: set.source.clone(),
            id: set.id.clone(),
            started: set.started.clone(),
            argv: set.argv.clone(),
            context: set.context.clone(),
            plan: set.plan.clone(),
            settings: set.settings.clone(),
            metrics: data.metrics(id).into_iter().map(|(metric, _)| metric).collect(),
            benchmarks: own.iter().map(|group| (*group.benchmark).clone()).collect(),
            series: own.iter().map(|group| series(data, group)).collect(),
            looks: set.looks.clone(),
            notes: set.notes.clone(),
            outputs: set.outputs.clone(),
            end: set.end.clone(),
            lost: set.lost.clone(),
        }
    };
    data.run_sets.iter().enumerate().map(of).collect()
}

fn series(data: &Dataset, group: &Group) -> Series {
    let number = |row: &u32| u32::try_from(group.rows.binary_search(row).unwrap()).unwrap();
    let metrics = data.metrics(group.run_set);
    let metrics: Vec<_> = metrics.iter().map(|(_, spellings)| &spellings[..]).collect();
    let columns = data.columns(&group.rows, &metrics).into_iter().map(|column| Column {
        rows: column.rows.iter().map(number).collect(),
        values: column.values,
    });
    let places = || group.rows.iter().filter_map(|row| data.rows.place(*row as usize));
    let turned = places().any(|place| place.turn.is_some());
    let iterations = || group.rows.iter().map(|row| data.rows.iterations(*row as usize));
    let counted = iterations().any(|n| n.is_some());
    let exits = group.rows.iter().filter_map(|row| match data.rows.outcome(*row as usize) {
        Outcome::Failed { code } => Some((number(row), *code)),
        _ => None,
    });
    let uncounted = group.uncounted.iter().map(|row| Uncounted {
        rows_before: u32::try_from(group.rows.partition_point(|other| other < row)).unwrap(),
        block: data.rows.place(*row as usize).map(|place| place.block),
        outcome: data.rows.outcome(*row as usize).clone(),
    });
    let tally = group.tally(data).cloned().unwrap_or_default();
    let said = tally
        .said
        .map(|(row, text)| (group.uncounted.iter().position(|other| *other == row).unwrap(), text));
    Series {
        blocks: places().filter(|_| group.placed).map(|place| place.block).collect(),
        turns: places().filter(|_| turned).map(|place| place.turn.unwrap_or(0)).collect(),
        iterations: iterations()
            .filter(|_| counted)
            .map(|n| u64::try_from(n.unwrap_or(1)).unwrap())
            .collect(),
        rows: u32::try_from(group.rows.len()).unwrap(),
        columns: columns.collect(),
        exits: exits.collect(),
        uncounted: uncounted.collect(),
        said,
        warmup_outcomes: tally.warmup_outcomes,
        orphans: tally.orphans,
        with_orphans: tally.with_orphans,
    }
}

impl Series {
    /// How the executions ended, those that do not count included.
    pub(crate) fn outcomes(&self) -> OutcomeCounts {
        let failed = self.exits.len();
        let ok = self.rows as usize - failed;
        let mut counts = OutcomeCounts { ok, failed, ..OutcomeCounts::default() };
        self.uncounted.iter().for_each(|execution| counts.add(&execution.outcome));
        counts
    }
}
