//! `etalon convert`, as typed.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use etalon_record::open::SourceFormat;

use super::values;

/// `etalon convert`.
#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Files (- is standard input) or saved run sets: @last, @-2 (the one before), @NAME, @ID
    #[arg(value_name = "DATA", required = true)]
    pub data: Vec<OsString>,
    /// Format to write
    #[arg(long, value_name = "FORMAT")]
    pub to: To,
    /// Format of the files: auto, etalon, bestguess, bestguess-linux (peak memory in KiB), hyperfine,
    /// go
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = values::from)]
    pub from: SourceFormat,
    /// Write to this file, which is replaced as a whole [default: standard output]
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<OsString>,
    /// Replace an existing non-empty output file
    #[arg(long)]
    pub force: bool,
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
    /// hyperfine's JSON
    Hyperfine,
    /// Go's benchmark format, which benchstat reads
    Go,
}
