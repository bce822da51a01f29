//! The lines of a record that are not observations, and reading the record while it grows.
//!
//! Its lines go to the second file too where that is a record; a CSV file gets rows only.

use std::cell::{Cell, Ref, RefCell};
use std::fs::File;
use std::io::BufReader;
use std::os::fd::AsFd;
use std::path::Path;

use etalon_core::analysis::terms;
use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::model::{Metric, Note, Observation, Outcome, Service};
use etalon_core::run_set::{End, Look, StoppedBy};
use etalon_probe::launcher::protocol::Appended;
use etalon_probe::launcher::{Destination, Lines, Second};
use etalon_probe::peers::{Others, Presence};
use etalon_record::altered::altered;
use etalon_record::open::{Opened, SourceFormat};
use etalon_record::raw::{Event, Tail, write};
use etalon_record::rows::Row;
use etalon_record::store::NewRecord;
use etalon_record::{HeaderLine, ReadError, Strictness, Text, rows, sink};

use crate::error::RunError;
use crate::experiment::{Experiment, Format, Naming, Output, Resumed};
use crate::state::{Damage, Finished, Started, resumed_note};

/// Where an experiment is recorded.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// Where it is saved.
    pub record: &'a NewRecord,
    /// A second file beside it.
    pub second: Option<&'a Output>,
}

/// The record and the second file. Executors append observations and remarks.
pub struct Records<'a> {
    pub(crate) record: &'a NewRecord,
    second: Option<&'a Output>,
    experiment: &'a Experiment,
    /// Bytes that were appended to both, by whomever.
    appended: Cell<Appended>,
    /// The part of the record that was read.
    tail: RefCell<Tail>,
}

impl<'a> Records<'a> {
    pub(crate) fn new(
        Files { record, second }: Files<'a>,
        experiment: &'a Experiment,
    ) -> Records<'a> {
        let mut kept = terms(&experiment.settings.metric);
        if experiment.bisection.as_ref().is_some_and(|it| it.counts) {
            kept.push(metrics::INSTRUCTIONS.to_owned());
        }
        let tail = RefCell::new(Tail::new(&record.path.display().to_string(), kept));
        Records { record, second, experiment, appended: Cell::default(), tail }
    }
}

impl Records<'_> {
    /// Everything that comes before observations; for an execution that is resumed, all that came before.
    /// The second file is begun first: that the record is there says that all is well.
    pub(crate) fn begin(
        &self,
        experiment: &Experiment,
        started: &Started,
        now: &str,
    ) -> Result<(), RunError> {
        let lines = match &experiment.resumed {
            None => self.first_lines(experiment, started, now),
            Some(resumed) => self.lines_so_far(resumed, started, now),
        };
        self.second.map_or(Ok(()), Output::begin).map_err(RunError::Write)?;
        match self.second {
            Some(second) if second.format == Format::Record => {
                self.append_second(second, &lines)?
            }
            Some(second) => self.append_second(second, &rows_so_far(experiment))?,
            None => {}
        }
        self.record.begin(&lines).map_err(RunError::Write)?;
        self.count(Appended { record: lines.len() as u64, second: 0 });
        let failed = if experiment.resumed.is_none() { &started.failed[..] } else { &[] };
        failed.iter().try_for_each(|it| self.observation(&it.observation, Some(&it.stderr)))
    }

    /// Appends an observation whose values are of the experiment's metrics, with what was said by what
    /// failed.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn observation(
        &self,
        observation: &Observation,
        stderr: Option<&Text>,
    ) -> Result<(), RunError> {
        let metrics = &self.experiment.metrics;
        self.lines(
            |lines| write::observation(lines, observation, metrics, stderr),
            |rows| self.row(rows, observation, metrics),
        )
    }

    /// Appends a count of work, which is in no row of a CSV file: nothing was timed.
    pub(crate) fn counted(&self, observation: &Observation) -> Result<(), RunError> {
        let metrics = &self.experiment.metrics;
        self.line(|line| write::observation(line, observation, metrics, None))
    }

    /// Appends an observation as a row of the CSV file.
    pub(crate) fn row(&self, rows: &mut Vec<u8>, observation: &Observation, metrics: &[Metric]) {
        let benchmark = self.experiment.benchmarks.get(observation.benchmark);
        let are_subjects = !matches!(self.experiment.naming, Naming::Harness(_));
        if let Some(benchmark) = benchmark.filter(|_| are_subjects) {
            rows::row(rows, &Row { benchmark, observation, metrics });
        }
    }

    /// Appends lines to the record, and what they are as rows of a CSV file.
    pub(crate) fn lines(
        &self,
        fill: impl FnOnce(&mut Vec<u8>),
        rows: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), RunError> {
        self.observed()?;
        self.append(fill, rows)
    }

    /// Something was measured: from now on the second file is in place.
    pub(crate) fn observed(&self) -> Result<(), RunError> {
        self.second.map_or(Ok(()), Output::take_place).map_err(RunError::Write)
    }

    fn append(
        &self,
        fill: impl FnOnce(&mut Vec<u8>),
        rows: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), RunError> {
        let mut lines = Vec::new();
        fill(&mut lines);
        append(&self.record.file, &self.record.path, &lines)?;
        self.count(Appended { record: lines.len() as u64, second: 0 });
        let Some(second) = self.second else { return Ok(()) };
        if second.format == Format::Rows {
            lines.clear();
            rows(&mut lines);
        }
        self.append_second(second, &lines)
    }

    /// Appends to the second file.
    fn append_second(&self, second: &Output, lines: &[u8]) -> Result<(), RunError> {
        append(&second.file, &second.path, lines)?;
        self.count(Appended { record: 0, second: lines.len() as u64 });
        Ok(())
    }

    /// Counts what was appended.
    pub(crate) fn count(&self, more: Appended) {
        let before = self.appended.get();
        self.appended.set(Appended {
            record: before.record + more.record,
            second: before.second + more.second,
        });
    }

    /// The damage to the files while they were written. Of a launcher that was lost nobody knows what
    /// it had appended.
    fn damage(&self, error: Option<&RunError>) -> Damage {
        if matches!(error, Some(RunError::Launcher(_))) {
            return Damage::default();
        }
        let appended = self.appended.get();
        // What cannot be looked at is no less than it was.
        let second = self.second.filter(|second| second.is_in_place()).and_then(|second| {
            altered(&second.file, &second.path, appended.second).unwrap_or(None)
        });
        Damage { record: self.record.altered(appended.record), second }
    }

    fn first_lines(&self, experiment: &Experiment, started: &Started, now: &str) -> Vec<u8> {
        let mut context = experiment.context.clone();
        context.extend(started.facts.clone());
        let header = HeaderLine {
            id: Some(self.record.id.clone()),
            tool: experiment.tool.clone(),
            started: Some(now.to_owned()),
            argv: experiment.argv.clone(),
            context,
            experiment: experiment.file.clone(),
            checks: experiment.checks.clone(),
            sides: experiment.sides,
            bisection: experiment.bisection.clone(),
            harness: experiment.naming.harness(),
            lost: None,
        };
        let mut lines = Vec::new();
        write::header(&mut lines, &header);
        for metric in &experiment.metrics {
            write::metric(&mut lines, metric);
        }
        if matches!(experiment.naming, Naming::Subjects | Naming::Behind(_)) {
            for benchmark in &experiment.benchmarks {
                write::benchmark(&mut lines, benchmark);
            }
        }
        started.nodes.iter().for_each(|node| write::node(&mut lines, node));
        write::plan(&mut lines, &experiment.plan);
        write::settings(&mut lines, &experiment.settings);
        for (file, text) in &experiment.printed {
            write::printed(&mut lines, file, text.clone());
        }
        for note in experiment.notes.iter().chain(&started.notes) {
            write::note(&mut lines, note);
        }
        lines
    }

    /// The lines of the record it is resumed from, under a header of this one: its own id, everything
    /// else as it was, and which record that is.
    fn lines_so_far(&self, resumed: &Resumed, started: &Started, now: &str) -> Vec<u8> {
        let mut header =
            HeaderLine { id: Some(self.record.id.clone()), ..resumed.record.header.clone() };
        header.context.insert("resumed.from".to_owned(), resumed.id.clone());
        header.context.insert("resumed.at".to_owned(), now.to_owned());
        let mut lines = Vec::new();
        write::header(&mut lines, &header);
        lines.extend_from_slice(&resumed.record.lines);
        write::note(&mut lines, &resumed_note(&resumed.id));
        started.nodes.iter().for_each(|node| write::node(&mut lines, node));
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
            Others::Seen => {
                Some(Note::new("machine", "another etalon was measuring at the same time"))
            }
            Others::None | Others::Unknown => None,
        };
        let now = crate::today::now().to_string();
        let mut finished = match self.finish(note.as_ref(), &finished.stopped_by, &now) {
            Err(error) if finished.error.is_none() => {
                Finished { stopped_by: StoppedBy::Error, error: Some(error), ..finished }
            }
            _ => finished,
        };
        finished.damage = self.damage(finished.error.as_ref());
        finished
    }

    /// Appends a remark.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn note(&self, note: &Note) -> Result<(), RunError> {
        self.line(|line| write::note(line, note))
    }

    /// Appends what a service was, and how it ended.
    pub(crate) fn service(&self, service: &Service) -> Result<(), RunError> {
        self.line(|line| write::service(line, service))
    }

    fn line(&self, fill: impl FnOnce(&mut Vec<u8>)) -> Result<(), RunError> {
        self.append(fill, |_| {})
    }

    /// Reads the new part of the record. Returns all there is of the metric that is looked at.
    pub(crate) fn read(&self) -> Result<Ref<'_, Dataset>, RunError> {
        let mut tail = self.tail.borrow_mut();
        let new = self.record.contents_from(tail.at());
        tail.follow(new).map_err(RunError::Read)?;
        drop(tail);
        Ok(Ref::map(self.tail.borrow(), Tail::data))
    }

    /// How many observations there are.
    pub(crate) fn rows(&self) -> Result<usize, RunError> {
        Ok(self.read()?.len())
    }

    /// How the last execution ended, if there was one after so many observations.
    pub(crate) fn ended(&self, rows: usize) -> Result<Option<Outcome>, RunError> {
        let data = self.read()?;
        let last = data.len().checked_sub(1).filter(|last| *last >= rows);
        Ok(last.map(|last| data.rows.outcome(last).clone()))
    }

    /// The block of the last observation seen when the record was read last.
    pub(crate) fn last_block(&self) -> Option<u32> {
        self.tail.borrow().last_block()
    }

    /// The executions of a block, if it was the last that was seen when the record was read last.
    pub(crate) fn executed_in(&self, block: u32) -> usize {
        let tail = self.tail.borrow();
        let data = tail.data();
        let of_block = |row: &usize| data.rows.place(*row).is_some_and(|at| at.block == block);
        (0..data.len()).rev().take_while(of_block).count()
    }

    /// Both files as the launcher takes them.
    pub(crate) fn destinations(&self) -> (Destination<'_>, Option<Second<'_>>) {
        let second = self.second.map(|second| Second {
            destination: destination(&second.file, &second.path),
            lines: match second.format {
                Format::Record => Lines::Record,
                Format::Rows => Lines::Rows(self.experiment.benchmarks.clone()),
            },
        });
        (destination(&self.record.file, &self.record.path), second)
    }
}

/// A record that may still be written; `source` names it.
///
/// # Errors
/// If it cannot be read as a record.
pub fn read(record: &NewRecord, source: &str) -> Result<Dataset, ReadError> {
    let bytes = BufReader::with_capacity(CHUNK, record.contents());
    Opened::new(bytes, source, SourceFormat::Etalon)?.read(Strictness::Lenient)
}

/// Bytes read at a time.
const CHUNK: usize = 64 * 1024;

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

fn append(file: &File, path: &Path, lines: &[u8]) -> Result<(), RunError> {
    sink::append(file, lines, path).map_err(RunError::Write)
}
