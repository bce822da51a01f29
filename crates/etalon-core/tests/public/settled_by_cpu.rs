//! Answers that wall clock leaves open and CPU time settles: of commands, and of functions, each file for itself.

use crate::support::{Column, Layout, RunSet, data, normal, run_set};
use etalon_core::analysis::{Ranking, analyse};
use etalon_core::metrics;
use etalon_core::model::{Case, Collector, Metric, Sampling, Warmup};
use etalon_core::plan::Settings;
use etalon_core::random::Random;
use etalon_core::verdict::Verdict;

/// Two benchmarks in 30 blocks, the second 5 % slower: wall clock and CPU time scatter by so much.
fn set((wall, cpu): (f64, f64), files: Option<[&str; 2]>) -> RunSet {
    let mut random = Random::new(12);
    let mut times = |scatter: f64| -> Vec<Vec<f64>> {
        let mut time = |slower: f64| 1e-3 * slower * (scatter * normal(&mut random)).exp();
        [1.0, 1.05].map(|slower| (0..30).map(|_| time(slower)).collect()).into()
    };
    let (wall, cpu) = (times(wall), times(cpu));
    let mut set = run_set(Metric::new(metrics::WALL, "s"), &wall, Layout::Blocks);
    set.metrics.push(Metric::new(metrics::CPU, "s"));
    for (series, values) in set.series.iter_mut().zip(cpu) {
        series.columns.push(Column { rows: (0..30).collect(), values });
    }
    if let Some(files) = files {
        let sampling = || Sampling {
            warmup: Warmup::For(0.0),
            collector: Collector::Full,
            confidence: 0.95,
            target: None,
        };
        for (benchmark, file) in set.benchmarks.iter_mut().zip(files) {
            benchmark.case = Some(Case::new(file, sampling()));
        }
    }
    set
}

fn rankings(set: RunSet) -> Vec<Ranking> {
    analyse(&data(&[set]), &Settings::default()).unwrap().rankings
}

/// Would catch functions that only wall clock answers for, cases of one file that answer for another, and CPU time that
/// speaks where it knows no better, or where wall clock knows.
#[test]
fn cpu_time_answers_where_wall_clock_cannot() {
    let one_file = Some(["a_bench.lua", "a_bench.lua"]);
    for files in [None, one_file] {
        let [ranking] = &rankings(set((0.5, 0.005), files))[..] else { panic!("one ranking") };
        let settled = ranking.by_cpu.expect("CPU time knows");
        assert!(!settled.is_busy);
        let ratio = settled.ratio.unwrap().value;
        let slower = if settled.of == 1 { ratio } else { 1.0 / ratio };
        assert!((slower - 1.05).abs() < 0.01, "{settled:?}");
        let expected = if settled.of == 1 { Verdict::Slower } else { Verdict::Faster };
        assert_eq!(settled.verdict, expected);
        for scatter in [(0.5, 0.5), (0.5, 0.4), (0.005, 0.005)] {
            let silent = rankings(set(scatter, files)).iter().all(|it| it.by_cpu.is_none());
            assert!(silent, "{scatter:?} {files:?}");
        }
    }
    let apart = rankings(set((0.5, 0.005), Some(["a_bench.lua", "b_bench.lua"])));
    assert!(apart.iter().all(|ranking| ranking.by_cpu.is_none()), "{apart:?}");
}
