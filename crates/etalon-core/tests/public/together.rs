//! Deviations that benchmarks have in common in their blocks, of data: whose readings count, and where.
//!
//! Would catch a machine that changes its speed for all and is not named; a benchmark held against itself, against what
//! was not measured beside it, or against one that varies alone.

use crate::support::{Layout, cpu, data, labelled_data, normal, run_set};
use etalon_core::analysis::analyse;
use etalon_core::metrics;
use etalon_core::model::Metric;
use etalon_core::plan::{Order, Plan, Settings, Stopping};
use etalon_core::random::Random;
use etalon_core::variation::CauseKind;

/// Readings of benchmarks in 60 blocks around so many ms, those of a speed that changes and those of one that does not.
fn readings(costs: &[(f64, bool)]) -> Vec<Vec<f64>> {
    let mut random = Random::new(7);
    let slow = |block: usize| f64::from(u8::from(block % 13 < 5));
    let of = |(cost, changes): &(f64, bool)| {
        let share = if *changes { 0.1 } else { 0.0 };
        let value = |block| 1e-3 * cost * (1.0 + 0.01 * normal(&mut random) + share * slow(block));
        (0..60).map(value).collect()
    };
    costs.iter().map(of).collect()
}

/// Of each benchmark, whether that is its first cause.
fn together(data: &etalon_core::dataset::Dataset) -> Vec<bool> {
    let mut analysis = analyse(data, &Settings::default()).unwrap();
    analysis.explain(data);
    let first = |it: &etalon_core::analysis::Summary| {
        let causes = &it.variation.as_ref().unwrap().causes;
        causes.first().is_some_and(|cause| cause.kind == CauseKind::Together)
    };
    analysis.benchmarks.iter().map(first).collect()
}

fn wall() -> Metric {
    Metric { name: metrics::WALL.to_owned(), ..cpu(1e-9) }
}

fn sequential() -> Plan {
    Plan::new(Order::Sequential, Stopping::Runs(60), 0)
}

#[test]
fn a_machine_that_changes_for_all_is_seen() {
    let samples = readings(&[(10.0, true), (300.0, true), (2.0, true)]);
    let set = run_set(wall(), &samples, Layout::Blocks);
    assert_eq!(together(&data(std::slice::from_ref(&set))), [true; 3]);
    // One after the other there is no time that benchmarks have in common, even where numbers look like it.
    let apart = crate::support::RunSet { plan: Some(sequential()), ..set };
    assert_eq!(together(&data(&[apart])), [false; 3]);
}

/// Would catch a block that one benchmark has alone, as at the end of a run that was stopped, hiding what the others
/// say.
#[test]
fn a_block_without_others_hides_nothing() {
    let mut samples = readings(&[(10.0, true), (300.0, true)]);
    samples[0].pop();
    assert_eq!(together(&data(&[run_set(wall(), &samples, Layout::Blocks)])), [true; 2]);
    // Without half of the blocks, nothing is claimed.
    samples[0].truncate(30);
    assert!(!together(&data(&[run_set(wall(), &samples, Layout::Blocks)]))[1]);
}

#[test]
fn who_varies_alone_has_nothing_in_common() {
    let samples = readings(&[(10.0, true), (300.0, false), (2.0, false), (5.0, false)]);
    assert_eq!(together(&data(&[run_set(wall(), &samples, Layout::Blocks)])), [false; 4]);
    let one = readings(&[(10.0, true)]);
    let runs = [run_set(wall(), &one, Layout::Blocks), run_set(wall(), &one, Layout::Blocks)];
    assert_eq!(together(&labelled_data(&[("a", &runs[0]), ("b", &runs[1])])), [false; 2]);
}
