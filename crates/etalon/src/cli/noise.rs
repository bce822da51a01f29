//! Options of `etalon noise`.

use std::ffi::OsString;

use clap::Args;

use super::cmd::Control;
use super::run::HostArgs;
use super::values;

/// Measure how much identical programs differ here
///
/// An A/A experiment: the same command (or suite) is measured in several runs one after the other, then against itself in
/// blocks. All of it is saved as any run is; later comparisons of the command on this machine know its scatter from it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Subject", mut_arg("count", |arg| arg.hide(true)))]
pub(crate) struct Noise {
    /// A command in one argument, or a suite (*.lua)
    ///
    /// [default: a loop of sh that takes some milliseconds]
    #[arg(value_name = "COMMAND")]
    pub subject: Option<OsString>,
    /// Name the command, as later runs of it are named
    #[arg(short = 'n', long = "name", value_name = "NAME")]
    pub name: Option<String>,
    /// Start a shell for each execution: '/bin/sh -c'
    #[arg(short = 's', long, value_name = "CMD")]
    pub shell: Option<OsString>,
    /// Of a suite cases that match: a word, /regexp/ or query
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// How much is measured.
    #[command(flatten)]
    pub amount: NoiseAmount,
    /// Which Luas execute a suite.
    #[command(flatten)]
    pub hosts: HostArgs,
    /// What commands are executed under.
    #[command(flatten)]
    pub control: Control,
    /// The metric that is looked at [default: wall]
    #[arg(long, value_name = "METRIC", help_heading = "Report")]
    pub metric: Option<String>,
    /// One JSON document
    #[arg(long, help_heading = "Report")]
    pub json: bool,
    /// No remarks, no progress
    #[arg(long, help_heading = "Report")]
    pub quiet: bool,
    /// Do not save the runs: no later comparison finds them
    #[arg(long, help_heading = "Record")]
    pub no_save: bool,
}

/// How much is measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Amount")]
pub(crate) struct NoiseAmount {
    /// So many runs one after the other
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = values::whole(2..=1000))]
    pub in_sequence: u32,
    /// Executions in each run, and blocks
    ///
    /// [default: until 2 % precision or its part of --budget, at least 10 in a run and 30 blocks]
    #[arg(short = 'r', long, value_name = "N", value_parser = values::whole(5..=1_000_000))]
    pub runs: Option<u32>,
    /// Without -r, the time for all of it, half of it for blocks
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", default_value = "60s", conflicts_with = "runs", value_parser = values::duration)]
    pub budget: f64,
    /// Seed of all random choices, always recorded
    ///
    /// [default: a new one]
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    pub seed: Option<u64>,
}
