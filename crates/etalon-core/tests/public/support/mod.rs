//! Parts that simulations share: run sets made of numbers, and normal noise. Refuses to decide
//! anything.

mod columns;

pub(crate) use columns::{Column, RunSet, Series, Uncounted, data, labelled_data};

use etalon_core::model::{Benchmark, Metric};
use etalon_core::random::Random;

/// Whether samples share blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Values of the same place pair.
    Blocks,
    /// No blocks.
    Independent,
}

/// A standard normal number by Box–Muller.
pub(crate) fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.uniform()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.uniform()).cos()
}

/// CPU time in seconds, with a clock that steps by this much.
pub(crate) fn cpu(resolution: f64) -> Metric {
    Metric { resolution: Some(resolution), ..Metric::new("cpu", "s") }
}

/// One benchmark per sample, all of this metric, without plan, looks and end.
pub(crate) fn run_set(metric: Metric, samples: &[Vec<f64>], layout: Layout) -> RunSet {
    RunSet {
        metrics: vec![metric],
        benchmarks: (0..samples.len()).map(benchmark).collect(),
        series: samples.iter().map(|values| series(values, layout)).collect(),
        ..RunSet::empty("simulated")
    }
}

fn benchmark(number: usize) -> Benchmark {
    Benchmark::new(format!("b{number}"))
}

fn series(values: &[f64], layout: Layout) -> Series {
    let rows = u32::try_from(values.len()).expect("fewer than 2^32 values");
    Series {
        blocks: if layout == Layout::Blocks { (0..rows).collect() } else { Vec::new() },
        rows,
        columns: vec![Column { rows: (0..rows).collect(), values: values.to_vec() }],
        ..Series::default()
    }
}
