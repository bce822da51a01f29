//! The lines of a record that are not observations, and reading the record while it grows.
//!
//! The same lines go to the second file where that is a record too; a CSV file gets rows only.

use std::fs::File;
use std::os::fd::AsFd;
use std::path::Path;

use etalon_core::model::{End, Look, Note, RunSet, StoppedBy};
use etalon_probe::launcher::protocol::Ready;
use etalon_probe::launcher::{Destination, Lines, Second};
use etalon_probe::peers::{Others, Presence};
use etalon_record::raw::{Event, write};
use etalon_record::rows::Row;
use etalon_record::store::NewRecord;
use etalon_record::{HeaderLine, Strictness, open, rows, sink};

use crate::error::RunError;
use crate::execute::Finished;
use crate::experiment::{Experiment, Format, Output, Resumed};
use crate::extras;
use crate::standing::resumed_note;

/// The record and the second file.
pub(crate) struct Records<'a> {
    pub(crate) record: &'a NewRecord,
    pub(crate) second: Option<&'a Output>,
}

impl Records<'_> {
    /// Everything that comes before observations; for an execution that is gone on with, all that
    /// came before.
    pub(crate) fn begin(
        &self,
        experiment: &Experiment,
        now: &str,
        ready: &Ready,
    ) -> Result<(), RunError> {
        let lines = match &experiment.resumed {
            None => self.first_lines(experiment, now, ready),
            Some(resumed) => self.lines_so_far(resumed, now),
        };
        append(&self.record.file, &self.record.path, &lines)?;
        match self.second {
            Some(second) if second.format == Format::Record => {
                append(&second.file, &second.path, &lines)
            }
            Some(second) => append(&second.file, &second.path, &rows_so_far(experiment)),
            None => Ok(()),
        }
    }

    fn first_lines(&self, experiment: &Experiment, now: &str, ready: &Ready) -> Vec<u8> {
        let mut context = experiment.context.clone();
        context.extend(extras::facts(ready));
        let header = HeaderLine {
            id: Some(self.record.id.clone()),
            tool: experiment.tool.clone(),
            started: Some(now.to_owned()),
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
        for note in experiment.notes.iter().chain(&extras::notes(ready)) {
            write::note(&mut lines, note);
        }
        lines
    }

    /// The lines of the record gone on from, under a header of this one: its own id, everything
    /// else as it was, and which record it goes on from.
    fn lines_so_far(&self, resumed: &Resumed, now: &str) -> Vec<u8> {
        let mut header =
            HeaderLine { id: Some(self.record.id.clone()), ..resumed.record.header.clone() };
        header.context.insert("resumed.from".to_owned(), resumed.id.clone());
        header.context.insert("resumed.at".to_owned(), now.to_owned());
        let mut lines = Vec::new();
        write::header(&mut lines, &header);
        lines.extend_from_slice(&resumed.record.lines);
        write::note(&mut lines, &resumed_note(&resumed.id));
        lines
    }

    pub(crate) fn look(&self, look: &Look) -> Result<(), RunError> {
        self.line(|line| write::look(line, look))
    }

    /// The last lines: a note, if there is one, and the end. The record gets them even if the
    /// second file cannot be written.
    fn finish(
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

    /// Writes the end. If that fails too, the first error is the one to tell.
    pub(crate) fn close(&self, finished: Finished, presence: &Presence) -> Finished {
        let note = match presence.others() {
            Others::Seen => Some(Note {
                about: "machine".to_owned(),
                text: "another etalon was measuring at the same time".to_owned(),
            }),
            Others::None | Others::Unknown => None,
        };
        let now = jiff::Timestamp::now().to_string();
        match self.finish(note.as_ref(), &finished.stopped_by, &now) {
            Err(error) if finished.error.is_none() => {
                Finished { stopped_by: StoppedBy::Error, error: Some(error), ..finished }
            }
            _ => finished,
        }
    }

    pub(crate) fn note(&self, note: &Note) -> Result<(), RunError> {
        self.line(|line| write::note(line, note))
    }

    fn line(&self, fill: impl FnOnce(&mut Vec<u8>)) -> Result<(), RunError> {
        self.line_and_row(fill, |_| {})
    }

    /// Lines of the record, and what they are as rows.
    pub(crate) fn line_and_row(
        &self,
        fill: impl FnOnce(&mut Vec<u8>),
        row: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), RunError> {
        let mut line = Vec::new();
        fill(&mut line);
        append(&self.record.file, &self.record.path, &line)?;
        let Some(second) = self.second else { return Ok(()) };
        if second.format == Format::Rows {
            line.clear();
            row(&mut line);
        }
        append(&second.file, &second.path, &line)
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

/// The CSV file's lines so far: its header, and the rows of what was executed before.
fn rows_so_far(experiment: &Experiment) -> Vec<u8> {
    let mut lines = Vec::new();
    rows::header(&mut lines);
    let Some(Resumed { record, .. }) = &experiment.resumed else { return lines };
    for event in &record.events {
        if let Event::Observed(observation) = event
            && let Some(benchmark) = record.benchmarks.get(observation.benchmark)
        {
            rows::row(&mut lines, &Row { benchmark, observation, metrics: &record.metrics });
        }
    }
    lines
}

fn destination<'a>(file: &'a File, path: &Path) -> Destination<'a> {
    Destination { file: file.as_fd(), path: path.as_os_str().into() }
}

pub(crate) fn append(file: &File, path: &Path, lines: &[u8]) -> Result<(), RunError> {
    sink::append(file, lines, path).map_err(RunError::Write)
}
