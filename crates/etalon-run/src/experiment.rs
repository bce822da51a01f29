//! An experiment as the loop takes it: subjects in stages, order, stopping, what the analysis is asked for.
//! Everything is decided, nothing typed.
//!
//! Refuses to know what its subjects are: that is the [`Executor`](crate::Executor)'s.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::path::PathBuf;

use etalon_core::model::{Bisection, Context, Harness, Metric, Note, Sides};
use etalon_core::plan::{Plan, Settings, Stage};
use etalon_core::run_set::{ChecksFile, ExperimentFile};
use etalon_probe::launcher::protocol::Hook;
use etalon_record::fresh::Hidden;
use etalon_record::raw::Unfinished;
use etalon_record::sink::{self, WriteError};
use etalon_record::{BenchmarkLine, Text};

/// Everything the loop needs to know.
#[derive(Debug)]
pub struct Experiment {
    /// The subjects as the record keeps them.
    pub benchmarks: Vec<BenchmarkLine>,
    /// Which benchmarks the record has.
    pub naming: Naming,
    /// Which of them share blocks, in this order. The first of a stage is what the others are compared
    /// with; it may be in several.
    pub stages: Vec<Stage>,
    /// The metrics that are measured.
    pub metrics: Vec<Metric>,
    /// Order, number, stopping rule, seed.
    pub plan: Plan,
    /// The settings of the analysis; the stopping rule looks at its metric.
    pub settings: Settings,
    /// Facts about machine and tool.
    pub context: Context,
    /// The tool and its version, for the record.
    pub tool: String,
    /// The command line, for the record.
    pub argv: Vec<Text>,
    /// The file it is declared in, if it is.
    pub file: Option<ExperimentFile>,
    /// The file that its checks are declared in, if they are.
    pub checks: Option<ChecksFile>,
    /// That it measures two states of a project, and where its benchmarks say which.
    pub sides: Option<Sides>,
    /// The commits that it searches, if it does.
    pub bisection: Option<Bisection>,
    /// The output of files while they were loaded.
    pub printed: Vec<(String, Text)>,
    /// Remarks about the experiment itself, for the record.
    pub notes: Vec<Note>,
    /// The record it is resumed from, if it is not a new experiment.
    pub resumed: Option<Resumed>,
}

impl Experiment {
    /// The half-width over median that a subject is measured to: what its file asks for, else `target`.
    pub(crate) fn target(&self, subject: usize, target: f64) -> f64 {
        let case = self.benchmarks.get(subject).and_then(|line| line.case.as_ref());
        case.and_then(|case| case.sampling.target).map_or(target, |width| width / 2.0)
    }

    /// The name of a hook where it was asked for: an option, or a key of the experiment's file.
    #[must_use]
    pub fn called(&self, hook: Hook) -> String {
        let name = match hook {
            Hook::Requires => "requires",
            Hook::Setup => "setup",
            Hook::Prepare => "prepare",
            Hook::Conclude => "conclude",
            Hook::Cleanup => "cleanup",
        };
        match &self.file {
            Some(file) => format!("{name} (a key of {})", file.path),
            None if hook == Hook::Requires => name.to_owned(),
            None => format!("--{name}"),
        }
    }

    /// The name, in that place, of the time that an execution may take.
    #[must_use]
    pub fn timeout_called(&self) -> &'static str {
        if self.file.is_some() { "timeout" } else { "--timeout" }
    }

    /// The names of all benchmarks.
    pub(crate) fn labels(&self) -> Vec<String> {
        self.benchmarks.iter().map(|line| line.to_benchmark().label()).collect()
    }

    /// The name of a subject in notes.
    pub(crate) fn label(&self, subject: usize) -> String {
        let line = self.benchmarks.get(subject);
        line.map_or_else(String::new, |line| line.to_benchmark().label())
    }
}

/// Which benchmarks the record has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// The subjects, by their numbers.
    Subjects,
    /// Benchmarks as a harness names them, numbered as they come: one subject may have several, which nobody knows
    /// before. The executor writes their lines and those of their metrics.
    Harness(Harness),
    /// The subjects, and behind them benchmarks as a harness names them, as they come.
    Behind(Harness),
}

impl Naming {
    /// The harness whose names they are.
    pub(crate) fn harness(self) -> Option<Harness> {
        match self {
            Naming::Subjects => None,
            Naming::Harness(harness) | Naming::Behind(harness) => Some(harness),
        }
    }
}

/// An execution that is resumed.
#[derive(Debug)]
pub struct Resumed {
    /// Its id.
    pub id: String,
    /// The part of it that exists.
    pub record: Unfinished,
}

/// The second place observations go to, besides the saved record (`-o`). What it held before is there until the first
/// line is written.
#[derive(Debug)]
pub struct Output {
    /// The open file; written at its end.
    pub file: File,
    /// Its name, for errors.
    pub path: PathBuf,
    /// The kind of its lines.
    pub format: Format,
    /// Whether something was written to it.
    pub is_begun: Cell<bool>,
    /// Its hidden name, as long as the file that it is to replace has the other one: until something is measured.
    pub hidden: RefCell<Option<Hidden>>,
}

impl Output {
    /// Begins it: removes what it held, which has to be replaced from now on; one that is new is empty.
    pub(crate) fn begin(&self) -> Result<(), WriteError> {
        self.is_begun.set(true);
        match self.is_in_place() {
            true => sink::empty(&self.file, &self.path),
            false => Ok(()),
        }
    }

    /// Whether its name leads to it, and not to what it is to replace.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.hidden.borrow().is_none()
    }

    /// Takes the place of what it replaces: something was measured.
    pub(crate) fn take_place(&self) -> Result<(), WriteError> {
        let Some(hidden) = self.hidden.take() else { return Ok(()) };
        let path = std::fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let cannot = |error: std::io::Error| WriteError {
            path: self.path.clone(),
            why: error.to_string(),
            safe: None,
        };
        hidden.take_name(&path).map_err(cannot)
    }
}

/// The kind of the second file's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A record like the saved one.
    Record,
    /// CSV rows in BestGuess's columns.
    Rows,
}
