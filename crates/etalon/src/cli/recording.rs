//! Options of the record: of every command that measures.

use std::ffi::OsString;

use clap::Args;

/// Where what is measured is kept.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Record")]
pub(crate) struct Recording {
    /// Write raw data to FILE as they are measured
    ///
    /// BestGuess's columns in a .csv, else JSON Lines.
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<OsString>,
    /// Replace an existing non-empty output file
    #[arg(long)]
    pub force: bool,
    /// Do not save the run
    ///
    /// -o still writes it, and @last stays what it is.
    #[arg(long)]
    pub no_save: bool,
    /// Resume an interrupted run: @last, @NAME, @ID, a file
    ///
    /// In a new record, as it was begun: subjects, seed and schedule are the recorded ones. Only options of
    /// record, report and exports may be added.
    #[arg(long, value_name = "RUN")]
    pub resume: Option<OsString>,
}
