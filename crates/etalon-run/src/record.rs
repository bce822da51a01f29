//! The lines of a record that are not observations, and reading the record while it grows.
//!
//! The same lines go to the second file where that is a record too; a CSV file gets rows only.

use std::fs::File;
use std::os::fd::AsFd;
use std::path::Path;

use etalon_core::model::{End, Look, Note, RunSet, StoppedBy};
use etalon_probe::launcher::{Destination, Lines, Second};
use etalon_record::raw::write;
use etalon_record::store::NewRecord;
use etalon_record::{HeaderLine, Strictness, open, rows, sink};

use crate::error::RunError;
use crate::experiment::{Experiment, Format, Output};

/// The record and the second file.
pub(crate) struct Records<'a> {
    pub(crate) record: &'a NewRecord,
    pub(crate) second: Option<&'a Output>,
}

impl Records<'_> {
    /// Everything that comes before observations.
    pub(crate) fn begin(
        &self,
        experiment: &Experiment,
        started: &str,
        floor_rss: Option<u64>,
    ) -> Result<(), RunError> {
        let mut context = experiment.context.clone();
        if let Some(floor) = floor_rss {
            context.insert("launcher.rss".to_owned(), floor.to_string());
        }
        let header = HeaderLine {
            id: Some(self.record.id.clone()),
            tool: experiment.tool.clone(),
            started: Some(started.to_owned()),
            argv: experiment.argv.clone(),
            context,
        };
        let mut lines = Vec::new();
        write::header(&mut lines, &header);
        for metric in &experiment.metrics {
            write::metric(&mut lines, metric);
        }
        for benchmark in &experiment.benchmarks {
            write::benchmark(&mut lines, benchmark);
        }
        write::plan(&mut lines, &experiment.plan);
        write::settings(&mut lines, &experiment.settings);
        append(&self.record.file, &self.record.path, &lines)?;
        match self.second {
            Some(second) if second.format == Format::Record => {
                append(&second.file, &second.path, &lines)
            }
            Some(second) => {
                let mut line = Vec::new();
                rows::header(&mut line);
                append(&second.file, &second.path, &line)
            }
            None => Ok(()),
        }
    }

    pub(crate) fn look(&self, look: &Look) -> Result<(), RunError> {
        self.line(|line| write::look(line, look))
    }

    /// The last lines: a note, if there is one, and the end. The record gets them even if the
    /// second file cannot be written.
    pub(crate) fn finish(
        &self,
        note: Option<&Note>,
        stopped_by: &StoppedBy,
        at: &str,
    ) -> Result<(), RunError> {
        self.line(|line| {
            if let Some(note) = note {
                write::note(line, note);
            }
            write::end(line, &End { stopped_by: stopped_by.clone(), at: at.to_owned() });
        })
    }

    fn line(&self, fill: impl FnOnce(&mut Vec<u8>)) -> Result<(), RunError> {
        let mut line = Vec::new();
        fill(&mut line);
        append(&self.record.file, &self.record.path, &line)?;
        match self.second {
            Some(second) if second.format == Format::Record => {
                append(&second.file, &second.path, &line)
            }
            _ => Ok(()),
        }
    }

    /// What the record holds so far.
    pub(crate) fn read(&self) -> Result<RunSet, RunError> {
        open(&self.record.path, Strictness::Lenient).map_err(RunError::Read)
    }

    /// Both files as the launcher takes them.
    pub(crate) fn destinations(
        &self,
        experiment: &Experiment,
    ) -> (Destination<'_>, Option<Second<'_>>) {
        let second = self.second.map(|second| Second {
            destination: destination(&second.file, &second.path),
            lines: match second.format {
                Format::Record => Lines::Record,
                Format::Rows => Lines::Rows(experiment.benchmarks.clone()),
            },
        });
        (destination(&self.record.file, &self.record.path), second)
    }
}

fn destination<'a>(file: &'a File, path: &Path) -> Destination<'a> {
    Destination { file: file.as_fd(), path: path.as_os_str().into() }
}

fn append(file: &File, path: &Path, lines: &[u8]) -> Result<(), RunError> {
    sink::append(file, lines, path).map_err(RunError::Write)
}
