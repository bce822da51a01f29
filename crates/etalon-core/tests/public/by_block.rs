//! Readings by blocks and turns, against a slow obvious twin: which are of one benchmark, what stands for a
//! block, and which two pair.

use std::collections::BTreeMap;

use crate::support::cpu;
use etalon_core::dataset::{Dataset, Entry, Execution, Group, Place, Written};
use etalon_core::model::{Benchmark, BenchmarkKey, Case, Collector, Outcome, Sampling, Warmup};
use etalon_core::run_set::RunSet;
use etalon_core::sample::{Sample, pairs};
use etalon_core::tables::{Cell, Method, Query, Style, natural, tabulate};
use proptest::prelude::*;

/// One line of an experiment: benchmark, block, turn, value; `None` for one that did not count.
type Line = (usize, u32, Option<u32>, Option<u32>);

/// Two benchmarks with these rows. Names of cases are told apart by themselves.
fn dataset(lines: &[Line]) -> Dataset {
    let mut data = Dataset::default();
    let run_set = data.add_run_set(RunSet::from_source("r")).unwrap();
    let metric = data.add_metric(run_set, cpu(1.0)).unwrap();
    let configuration = data.configuration(run_set, &[]).unwrap();
    let sampling = Sampling {
        warmup: Warmup::For(0.0),
        collector: Collector::Off,
        confidence: 0.95,
        target: None,
    };
    let benchmark = |name: &str| Benchmark {
        key: BenchmarkKey { name: name.to_owned(), params: Vec::new() },
        case: Some(Case::new("f.lua", sampling)),
        ..Benchmark::default()
    };
    let benchmarks = ["a", "b"].map(|name| data.add_benchmark(run_set, benchmark(name)).unwrap());
    for &(of, block, turn, value) in lines {
        let outcome = value.is_none().then_some(Outcome::TimedOut);
        let place = Some(Place { block, turn });
        let execution = Execution { place, outcome, iterations: None };
        let entry = |value| Entry {
            spelling: metric,
            number: Some((f64::from(value), Written::Decimals(0))),
            text: "",
        };
        let entries: Vec<Entry<'_>> = value.map(entry).into_iter().collect();
        data.add_row((benchmarks[of], configuration), execution, entries.into_iter()).unwrap();
    }
    data.finish(run_set).unwrap();
    data
}

fn sample(data: &Dataset, group: &Group) -> Sample {
    let column = data.columns(&group.rows, &[&data.metrics(group.run_set)[0].1]).remove(0);
    data.sample(&column.rows, column.values).unwrap()
}

/// The readings of a benchmark by block and turn.
fn readings(lines: &[Line], of: usize) -> BTreeMap<u32, BTreeMap<u32, f64>> {
    let mut blocks: BTreeMap<u32, BTreeMap<u32, f64>> = BTreeMap::new();
    for (_, block, turn, value) in lines.iter().filter(|line| line.0 == of) {
        if let Some(value) = value {
            blocks.entry(*block).or_default().insert(turn.unwrap_or(0), f64::from(*value));
        }
    }
    blocks
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2])
}

/// Lines whose places are all different, some of one side only, with their order.
fn lines() -> impl Strategy<Value = Vec<Line>> {
    // No line; one that does not count; one that does.
    let value = || {
        let counts = (1_u32..50).prop_map(|value| Some(Some(value)));
        prop_oneof![1 => Just(None), 1 => Just(Some(None)), 6 => counts]
    };
    let grid = (1_u32..7, 1_u32..4).prop_flat_map(move |(blocks, turns)| {
        let cells = 2 * (blocks * turns) as usize;
        (Just((blocks, turns)), proptest::collection::vec(value(), cells))
    });
    let placed = grid.prop_map(move |((blocks, turns), values)| {
        let places = (0..blocks).flat_map(move |block| (0..turns).map(move |turn| (block, turn)));
        let both = places.flat_map(|place| [(0, place), (1, place)]);
        let lines = both.zip(values).filter_map(|((of, (block, turn)), value)| {
            Some((of, block, (turns > 1).then_some(turn), value?))
        });
        lines.collect::<Vec<Line>>()
    });
    prop_oneof![placed.clone(), placed.prop_shuffle()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Would catch a block with the readings of another, one that goes missing or counts twice, and readings
    /// paired with those of other turns, in whatever order their lines stand.
    #[test]
    fn blocks_and_pairs_are_those_of_their_places(lines in lines()) {
        let data = dataset(&lines);
        let groups = data.groups();
        let [a, b] = [0, 1].map(|of| readings(&lines, of));
        for (of, (group, expected)) in groups.iter().zip([&a, &b]).enumerate() {
            let not_counted = lines.iter().filter(|line| line.0 == of && line.3.is_none()).count();
            prop_assert_eq!(group.uncounted.len(), not_counted);
            prop_assert_eq!(group.blocks(&data), expected.len());
            let sample = sample(&data, group);
            let blocks: Vec<u32> = expected.keys().copied().collect();
            let medians: Vec<f64> =
                expected.values().map(|turns| median(turns.values().copied())).collect();
            prop_assert_eq!((&sample.blocks[..], &sample.values), (&blocks[..], &medians));
        }
        let mut common = Vec::new();
        for (block, turns) in &a {
            let Some(others) = b.get(block) else { continue };
            let both = turns.iter().filter_map(|(turn, x)| Some((*x, *others.get(turn)?)));
            common.push(both.collect::<Vec<(f64, f64)>>());
        }
        common.retain(|readings| !readings.is_empty());
        let [x, y] = [0, 1].map(|of| sample(&data, &groups[of]));
        let found = pairs(&x, &y);
        prop_assert_eq!(found.is_some(), !common.is_empty());
        if let Some(found) = found {
            prop_assert_eq!(found.dropped, a.len() + b.len() - 2 * common.len());
            let mut from = 0;
            for (end, readings) in found.ends.iter().zip(&common) {
                let at = found.base[from..*end].iter().copied();
                let at: Vec<_> = at.zip(found.candidate[from..*end].iter().copied()).collect();
                prop_assert_eq!(&at, readings);
                from = *end;
            }
            prop_assert_eq!(found.ends.len(), common.len());
        }
    }

    /// Would catch a table that counts readings or blocks otherwise than a report does.
    #[test]
    fn a_table_has_the_blocks_of_a_report(lines in lines()) {
        let data = dataset(&lines);
        let query = Query::new(natural(&data));
        let tables = tabulate(&data, query, &Method::new(Style::Etalon));
        let cells = tables.tables.iter().flat_map(|table| &table.rows).flat_map(|row| &row.cells);
        let found: Vec<(usize, f64)> =
            cells.flatten().map(|cell: &Cell| (cell.n, cell.centre.value)).collect();
        let mut expected = Vec::new();
        for of in with_values(&lines) {
            let blocks = readings(&lines, of);
            let medians = blocks.values().map(|turns| median(turns.values().copied()));
            expected.push((blocks.len(), median(medians)));
        }
        prop_assert_eq!(found, expected);
    }
}

/// The benchmarks that have values, in the order in which they are declared: that of lines is one of chance.
fn with_values(lines: &[Line]) -> Vec<usize> {
    let has_values = |of: &usize| lines.iter().any(|line| line.0 == *of && line.3.is_some());
    (0..2).filter(has_values).collect()
}
