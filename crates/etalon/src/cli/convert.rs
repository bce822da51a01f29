//! `etalon convert`, as typed.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use etalon_record::open::SourceFormat;

use super::values;

/// Convert data from one known format into another
#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Files (- is standard input) or saved runs: @last, @-2, @NAME, @ID
    #[arg(value_name = "DATA", required = true)]
    pub data: Vec<OsString>,
    /// Format to write
    #[arg(long, value_name = "FORMAT")]
    pub to: To,
    /// Write to this file [default: standard output]
    ///
    /// The file is replaced as a whole.
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<OsString>,
    /// Replace an existing non-empty output file
    #[arg(long)]
    pub force: bool,
    /// Format of the files
    ///
    /// auto, etalon, bestguess, bestguess-linux (peak memory in KiB), hyperfine, go, table, or a harness:
    /// pytest-benchmark, pyperf, asv, google-benchmark, nanobench, perf-stat, gnu-time, criterion, cargo-criterion, jmh,
    /// mitata, tinybench, vitest, bencher, github-action-benchmark
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = values::from)]
    pub from: SourceFormat,
    /// Treat unreadable lines as errors
    #[arg(long)]
    pub strict: bool,
    /// Print no remarks on standard error
    #[arg(long)]
    pub quiet: bool,
}

/// `--to` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum To {
    /// etalon's record of one run, as JSON Lines
    Etalon,
    /// BestGuess's raw data, a CSV row per execution
    Bestguess,
    /// hyperfine's JSON (schema 2, from 2.0 on)
    Hyperfine,
    /// hyperfine's JSON as up to 1.21 (schema 1)
    #[value(name = "hyperfine-1")]
    Hyperfine1,
    /// Go's benchmark format, which benchstat reads
    Go,
    /// Bencher Metric Format: medians
    Bencher,
    /// OpenMetrics text, which Prometheus reads: medians
    Openmetrics,
    /// JSON for github-action-benchmark's customSmallerIsBetter: medians
    GithubActionBenchmark,
    /// JSON for github-action-benchmark's customBiggerIsBetter: medians of rates
    GithubActionBenchmarkBigger,
}
