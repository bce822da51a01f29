//! Options of the record: of every command that measures, and of those whose runs can be resumed.

use std::ffi::OsString;

use clap::{Arg, Args};

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
}

/// A run to go on with.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Record")]
pub(crate) struct Resumption {
    /// Resume an interrupted run: @last, @NAME, @ID, a file
    ///
    /// In a new record, as it was begun: subjects, seed and schedule are the recorded ones. Only options of
    /// record, report and exports may be added.
    #[arg(long, value_name = "RUN")]
    pub resume: Option<OsString>,
}

/// One of these options where packages of Go are measured: a file may be Go's own, too.
pub(super) fn of_go(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "output" => arg
            .help("Write what is measured to FILE")
            .long_help("Write what is measured to FILE\n\nIn a .txt Go's lines, at the end; else the record (JSON Lines), as it is measured."),
        _ => arg,
    }
}

impl Recording {
    /// Whether Go's lines are asked for.
    pub(crate) fn is_of_go(&self) -> bool {
        let path = self.output.as_deref().map(std::path::Path::new);
        let extension = path.and_then(std::path::Path::extension);
        extension.is_some_and(|it| it.eq_ignore_ascii_case("txt"))
    }

    /// The record beside Go's lines, which are none.
    pub(crate) fn without_lines_of_go(&self) -> Recording {
        let output = self.output.clone().filter(|_| !self.is_of_go());
        Recording { output, ..self.clone() }
    }
}
