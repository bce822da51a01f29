//! Sides that were built twice: folding against a slow obvious twin, and controls that move or hold.

use std::collections::BTreeMap;

use crate::support::cpu;
use etalon_core::dataset::{Dataset, Entry, Execution, Place, Written};
use etalon_core::model::{Accept, Benchmark, BenchmarkKey, Outcome, RunSet};
use etalon_core::tables::{Controls, Method, Query, QuerySpec, Style, Tables, natural, tabulate};
use etalon_core::verdict::{Reason, Verdict};
use proptest::prelude::*;

/// Side, build, block, and a value; `None` for one that did not count.
type Line = (usize, usize, u32, Option<f64>);

/// A command on two sides, each built twice.
fn dataset(lines: &[Line]) -> Dataset {
    let mut data = Dataset::default();
    let run_set = data.add_run_set(RunSet::of("r")).unwrap();
    let metric = data.add_metric(run_set, cpu(0.0)).unwrap();
    let configuration = data.configuration(run_set, &[]).unwrap();
    let benchmark = |side: &str, build: &str| Benchmark {
        key: BenchmarkKey {
            name: "p".to_owned(),
            params: [("side", side), ("build", build)]
                .map(|(k, v)| (k.to_owned(), v.to_owned()))
                .into(),
        },
        command: Some("p".to_owned()),
        shell: None,
        hash: None,
        accept: Accept::Zero,
        case: None,
    };
    let all = ["base", "head"].map(|side| {
        ["1", "2"].map(|build| data.add_benchmark(run_set, benchmark(side, build)).unwrap())
    });
    for &(side, build, block, value) in lines {
        let outcome = value.is_none().then_some(Outcome::TimedOut);
        let execution =
            Execution { place: Some(Place { block, turn: None }), outcome, iterations: None };
        let entry =
            |value| Entry { spelling: metric, number: Some((value, Written::Computed)), text: "" };
        let entries: Vec<Entry<'_>> = value.map(entry).into_iter().collect();
        data.add_row((all[side][build], configuration), execution, entries.into_iter()).unwrap();
    }
    data.finish(run_set).unwrap();
    data
}

/// By block, the values of a benchmark of folded data, in the unit in which they were written; `None` if one did not count.
fn folded(data: &Dataset) -> BTreeMap<(String, u32), Option<f64>> {
    let row = |row: usize| {
        let key = (data.name_of(row).full().to_owned(), data.rows.place(row).unwrap().block);
        let value = data.row(row).next().map(|value| data.values.number(value.index as usize));
        (key, value.filter(|_| data.counts(row)))
    };
    (0..data.len()).map(row).collect()
}

proptest! {
    /// Would catch a build that is left out or counted twice, a mean on another scale, a side that has a reading where a
    /// build has none, and blocks that are torn.
    #[test]
    fn a_side_has_the_mean_of_its_builds(
        values in prop::collection::vec(prop_oneof![1 => Just(None), 8 => (1_u32..1000).prop_map(Some)], 4..40),
        order in any::<u64>(),
    ) {
        let mut lines: Vec<Line> = values
            .iter()
            .enumerate()
            .map(|(at, value)| (at / 2 % 2, at % 2, u32::try_from(at / 4).unwrap(), value.map(f64::from)))
            .collect();
        // Within a block, in any order.
        let key = |line: &Line| (line.2, (line.0 as u64 * 2 + line.1 as u64 + 1).wrapping_mul(order | 1) % 7);
        lines.sort_by_key(key);
        let sides = dataset(&lines).of_sides().unwrap();
        let mut expected: BTreeMap<(String, u32), Option<f64>> = BTreeMap::new();
        for (side, name) in [(0, "p/side=base"), (1, "p/side=head")] {
            for block in 0..=u32::try_from(values.len() / 4).unwrap() {
                let of: Vec<Option<f64>> =
                    lines.iter().filter(|line| (line.0, line.2) == (side, block)).map(|line| line.3).collect();
                if let [one, two] = of[..] {
                    let mean = one.zip(two).map(|(one, two)| (one * two).sqrt());
                    expected.insert((name.to_owned(), block), mean);
                }
            }
        }
        let found = folded(&sides);
        prop_assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (key, value) in expected {
            match (found[&key], value) {
                (Some(found), Some(value)) => prop_assert!((found / value - 1.0).abs() < 1e-12),
                (found, value) => prop_assert_eq!(found, value),
            }
        }
    }
}

/// Would catch zeros that become NaN, and equal counts that are rounded.
#[test]
fn what_has_no_logarithm_has_a_mean_too() {
    let of = |one: f64, two: f64| {
        let data = dataset(&[(0, 0, 0, Some(one)), (0, 1, 0, Some(two))]).of_sides().unwrap();
        folded(&data)[&("p/side=base".to_owned(), 0)].unwrap()
    };
    assert_eq!(
        [of(0.0, 0.0), of(0.0, 4.0), of(3.0, 3.0), of(680.0, 680.0)],
        [0.0, 2.0, 3.0, 680.0]
    );
}

/// Forty blocks that scatter by 1 %, with a factor for each of the four builds.
fn experiment(factors: [f64; 4]) -> Dataset {
    let mut lines = Vec::new();
    let mut noise = 12_345_u64;
    for block in 0..40 {
        for (at, factor) in factors.iter().enumerate() {
            noise = noise
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let uniform = (noise >> 33) as f64 / (1_u64 << 31) as f64;
            lines.push((
                at / 2,
                at % 2,
                block,
                Some(1e6 * factor * (1.0 + 0.03 * (uniform - 0.5))),
            ));
        }
    }
    dataset(&lines)
}

fn compared(data: &Dataset) -> (Tables, Controls) {
    let method = Method::of(Style::Etalon);
    let asked = QuerySpec { row: ".name".to_owned(), ..natural(data) };
    let of_controls = Controls::method(method);
    let query = Query::parse(&Controls::query(&asked)).unwrap();
    let controls = Controls::of(tabulate(data, query, &of_controls), &of_controls);
    let query = QuerySpec { col: "/side@(base head)".to_owned(), ..asked };
    let mut tables = tabulate(&data.of_sides().unwrap(), Query::parse(&query).unwrap(), &method);
    tables.withhold(&controls);
    (tables, controls)
}

fn verdict(tables: &Tables) -> (Verdict, Vec<Reason>) {
    let cell = tables.tables[0].rows[0].cells[1].as_ref().unwrap();
    let decision = cell.comparison.as_ref().unwrap().assessment.as_ref().unwrap().decision.clone();
    (decision.verdict, decision.reasons)
}

/// Would catch a control that is of the other side, one that is not looked at, and verdicts that stand beside one that
/// moved; and sound experiments that lose theirs.
#[test]
fn a_build_that_is_slower_withholds_the_verdict() {
    let (tables, controls) = compared(&experiment([1.0, 1.0, 1.1, 1.1]));
    assert!(controls.moved.is_empty() && controls.compared == 2, "{controls:?}");
    assert!(controls.visible[0].1 < 0.03, "{controls:?}");
    assert_eq!(verdict(&tables), (Verdict::Slower, vec![Reason::BeyondChance]));
    for (at, side) in ["base", "base", "head", "head"].into_iter().enumerate() {
        let mut factors = [1.0, 1.0, 1.1, 1.1];
        factors[at] *= 1.03;
        let (tables, controls) = compared(&experiment(factors));
        let moved: Vec<&str> = controls.moved.iter().map(|moved| moved.side.as_str()).collect();
        assert_eq!(moved, [side], "{controls:?}");
        let ratio = controls.moved[0].ratio.unwrap();
        assert!((ratio.ln().abs() - 1.03_f64.ln()).abs() < 0.01, "{ratio}");
        assert_eq!(verdict(&tables), (Verdict::Unclear, vec![Reason::ControlMoved]));
    }
}
