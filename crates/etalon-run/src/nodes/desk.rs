//! The worker's side: requests come in, the executor does them, and lines of its record go out.
//!
//! Owns that a worker ends with its input: what is under way is ended, then come the cleanups. Refuses to decide anything:
//! order, number and phase are the collector's.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Weak};
use std::thread::Builder;

use etalon_core::model::Note;
use etalon_core::plan::Stage;
use etalon_probe::clock;
use etalon_probe::limits::explained;
use etalon_probe::peers::{Others, Presence};
use etalon_record::store::NewRecord;
use serde::Serialize;

use super::delivery;
use super::protocol::{Completion, End, Hello, Job, Ready, Remark, Reply, Request, Work, hash};
use crate::error::{NodesError, RunError};
use crate::executor::{Batch, Executor, Flow, Stop};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::{Files, Records};
use crate::watch::{Progress, Watcher};

/// Where a worker is asked, and answers.
#[derive(Debug)]
pub struct Desk {
    input: BufReader<File>,
    output: File,
    /// Nanoseconds that the run set is old.
    elapsed_ns: u64,
}

impl Desk {
    /// Says that the worker is there, as this program.
    ///
    /// # Errors
    /// If nobody is there to hear it.
    pub fn open((input, output): (File, File), hello: Hello) -> Result<Desk, RunError> {
        let mut desk = Desk { input: BufReader::new(input), output, elapsed_ns: 0 };
        desk.say(&Reply::Hello(hello))?;
        Ok(desk)
    }

    /// Takes the job, its files into this directory.
    ///
    /// # Errors
    /// If it does not come as it was sent.
    pub fn job(&mut self, directory: &Path) -> Result<Job, RunError> {
        let mut line = Vec::new();
        let not = |why: String| RunError::Nodes(NodesError::Asked(why));
        self.input.read_until(b'\n', &mut line).map_err(|error| not(error.to_string()))?;
        let job: Job = serde_json::from_slice(&line).map_err(|error| not(error.to_string()))?;
        let taken = match &job.contents {
            Some(path) => File::open(path.as_os_str())
                .map_err(|error| error.to_string())
                .and_then(|file| delivery::take(&job, &mut BufReader::new(file), directory)),
            None => delivery::take(&job, &mut self.input, directory),
        };
        taken.map_err(not)?;
        self.elapsed_ns = job.elapsed_ns;
        Ok(job)
    }

    /// Says that the job cannot be done, in words.
    ///
    /// # Errors
    /// If nobody is there to hear it.
    pub fn refuse(&mut self, why: &str) -> Result<(), RunError> {
        self.say(&Reply::Refused(why.to_owned()))
    }

    /// Says what this machine is, and waits until nobody asks any more.
    ///
    /// # Errors
    /// If nobody is there to hear it.
    pub fn present(mut self, ready: Ready) -> Result<(), RunError> {
        self.say(&Reply::Ready(Box::new(ready)))?;
        let waited = io::copy(&mut self.input, &mut io::sink());
        waited.map(drop).map_err(|error| RunError::Nodes(NodesError::Asked(error.to_string())))
    }

    /// Does what is asked for until the input ends. The record is in memory.
    ///
    /// # Errors
    /// If the executor cannot go on; that was said.
    pub fn serve(
        mut self,
        experiment: &Experiment,
        executor: &mut dyn Executor,
        record: &NewRecord,
        user: &mut dyn Watcher,
    ) -> Result<(), RunError> {
        let records = Records::new(Files { record, second: None }, experiment);
        let started_ns = clock::now_ns().saturating_sub(self.elapsed_ns);
        let presence = Presence::announce();
        let ready = begun(experiment, executor, &records, started_ns);
        let ready = match ready {
            Ok(ready) => ready,
            Err(error) => return self.refuse(&error.to_string()),
        };
        let Desk { input, mut output, .. } = self;
        let asked = Arc::new(RequestCount::default());
        let requests = match heard(input, Arc::downgrade(&asked)) {
            Ok(requests) => requests,
            Err(error) => {
                executor.end();
                return said(&mut output, &[], &Reply::Refused(explained(&error)));
            }
        };
        said(&mut output, &[], &Reply::Ready(Box::new(ready)))?;
        let mut ear = Ear { asked, taken: 0, told: 0, user };
        let mut at = at_end(record);
        let mut worker = Worker { executor, stage: None, output, record, at: &mut at };
        let served = worker.serve(&requests, &mut ear, (experiment, &records, &presence));
        worker.executor.end();
        served
    }

    fn say(&mut self, reply: &Reply) -> Result<(), RunError> {
        said(&mut self.output, &[], reply)
    }
}

/// Has everything get ready.
fn begun(
    experiment: &Experiment,
    executor: &mut dyn Executor,
    records: &Records<'_>,
    started_ns: u64,
) -> Result<Ready, RunError> {
    executor.begin(experiment, records, started_ns)?;
    let started = executor.start(experiment, records, started_ns)?;
    records.begin(experiment, &started, "")?;
    let mut facts = experiment.context.clone();
    facts.extend(started.facts);
    let of = |line: &etalon_record::BenchmarkLine| {
        (line.to_benchmark().label(), line.hash.as_ref().map(|hash| hash.to_string()))
    };
    Ok(Ready {
        benchmarks: experiment.benchmarks.iter().map(of).collect(),
        facts,
        notes: experiment.notes.iter().chain(&started.notes).map(Remark::from).collect(),
        fails: started.failed.first().map(|it| it.stderr.to_string_lossy().into_owned()),
    })
}

/// A worker at work.
struct Worker<'a> {
    executor: &'a mut dyn Executor,
    /// The stage that was set up.
    stage: Option<Stage>,
    output: File,
    record: &'a NewRecord,
    /// How much of the record was sent.
    at: &'a mut u64,
}

impl Worker<'_> {
    fn serve(
        &mut self,
        requests: &Receiver<Request>,
        ear: &mut Ear<'_>,
        (experiment, records, presence): (&Experiment, &Records<'_>, &Presence),
    ) -> Result<(), RunError> {
        let mut result = Ok(());
        let mut is_put_away = false;
        while let Ok(request) = requests.recv() {
            ear.taken += 1;
            let mut monitor = Monitor::new(experiment, records, ear);
            is_put_away |= request == Request::PutAway;
            if is_put_away && presence.others() == Others::Seen {
                let text = "another etalon was measuring at the same time";
                records.note(&Note::new("machine", text))?;
            }
            let done = self.request(&request, &mut monitor);
            let answered = match done {
                Ok(done) => self.answer(done),
                Err(error) => {
                    let why = worded(&error, experiment);
                    let refused = said(&mut self.output, &[], &Reply::Refused(why));
                    result = Err(error);
                    refused
                }
            };
            if answered.is_err() || result.is_err() {
                break;
            }
        }
        // Nobody asks any more: whatever was begun is put in order.
        ear.taken = u64::MAX;
        let mut monitor = Monitor::new(experiment, records, ear);
        if let Some(stage) = self.stage.take() {
            let _flow = self.executor.clean_up(&stage, &mut monitor)?;
        }
        if !is_put_away {
            let _flow = self.executor.put_away(&mut monitor)?;
        }
        result
    }

    fn request(
        &mut self,
        request: &Request,
        monitor: &mut Monitor<'_>,
    ) -> Result<Completion, RunError> {
        let of = |subjects: &[usize]| Stage { subjects: subjects.to_vec() };
        Ok(match request {
            Request::SetUp(subjects) => {
                let stage = of(subjects);
                self.stage = Some(stage.clone());
                ended(self.executor.set_up(&stage, monitor)?)
            }
            Request::CleanUp(subjects) => {
                self.stage = None;
                ended(self.executor.clean_up(&of(subjects), monitor)?)
            }
            Request::PutAway => ended(self.executor.put_away(monitor)?),
            Request::Execute(work) => self.blocks(work, monitor)?,
            Request::Interrupt => ended(ControlFlow::Continue(())),
        })
    }

    fn blocks(&mut self, work: &Work, monitor: &mut Monitor<'_>) -> Result<Completion, RunError> {
        let batch = Batch {
            phase: work.phase(),
            first: work.first,
            orders: work.orders.clone(),
            padding: work.padding.clone(),
            deadline_ns: None,
            first_of_stage: work.is_first,
        };
        let executed = self.executor.execute(&batch, monitor)?;
        let is_over = monitor.interrupted() || monitor.was_interrupted;
        let mut done = ended(executed.flow);
        if is_over && executed.blocks < u32::try_from(work.orders.len()).unwrap_or(u32::MAX) {
            done.end = End::Interrupted;
        }
        Ok(Completion {
            blocks: executed.blocks,
            first: Some(work.first),
            given_up: executed.given_up,
            ..done
        })
    }

    /// Sends the new lines of the record, and what closes them.
    fn answer(&mut self, done: Completion) -> Result<(), RunError> {
        let mut lines = Vec::new();
        let read = self.record.contents_from(*self.at).read_to_end(&mut lines);
        read.map_err(|error| RunError::Nodes(NodesError::Asked(error.to_string())))?;
        *self.at += lines.len() as u64;
        let count = lines.iter().filter(|byte| **byte == b'\n').count();
        let done = Completion { lines: count as u64, hash: hash(&lines), ..done };
        said(&mut self.output, &lines, &Reply::Done(done))
    }
}

fn ended(flow: Flow) -> Completion {
    let end = match flow {
        ControlFlow::Break(Stop { failure: Some(failure), .. }) => End::Failed(failure),
        ControlFlow::Break(Stop { failure: None, .. }) => End::Interrupted,
        ControlFlow::Continue(()) => End::Whole,
    };
    Completion { blocks: 0, first: None, lines: 0, hash: String::new(), given_up: Vec::new(), end }
}

fn at_end(record: &NewRecord) -> u64 {
    let mut lines = Vec::new();
    record.contents().read_to_end(&mut lines).map_or(0, |length| length as u64)
}

/// An error in the words of whoever hears it elsewhere.
fn worded(error: &RunError, experiment: &Experiment) -> String {
    match error {
        RunError::NothingPrinted { metric } if *metric < experiment.metrics.len() => {
            format!("no command printed `{}`", experiment.metrics[*metric].name)
        }
        error => error.to_string(),
    }
}

/// Writes lines and a reply.
fn said(output: &mut File, lines: &[u8], reply: &Reply) -> Result<(), RunError> {
    let asked = |why: String| RunError::Nodes(NodesError::Asked(why));
    let line = line_of(reply).map_err(|error| asked(error.to_string()))?;
    let written = output.write_all(lines).and_then(|()| output.write_all(&line));
    written.map_err(|error| asked(error.to_string()))
}

/// A message as a line.
pub(super) fn line_of(message: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// How many requests came, and up to which of them all are interrupted.
#[derive(Debug, Default)]
struct RequestCount {
    came: AtomicU64,
    interrupted: AtomicU64,
}

/// Hears requests as they come; an end of the input interrupts what is under way.
fn heard(mut input: BufReader<File>, asked: Weak<RequestCount>) -> io::Result<Receiver<Request>> {
    let (sender, receiver) = channel();
    let hearing = Builder::new().spawn(move || {
        let mut line = Vec::new();
        let mut hears = || {
            line.clear();
            let read = input.read_until(b'\n', &mut line).unwrap_or(0);
            if read == 0 { None } else { serde_json::from_slice::<Request>(&line).ok() }
        };
        while let Some(request) = hears() {
            let Some(asked) = asked.upgrade() else { return };
            if request == Request::Interrupt {
                asked.interrupted.store(asked.came.load(Ordering::Relaxed), Ordering::Relaxed);
                continue;
            }
            asked.came.fetch_add(1, Ordering::Relaxed);
            if sender.send(request).is_err() {
                return;
            }
        }
        if let Some(asked) = asked.upgrade() {
            asked.interrupted.store(asked.came.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    });
    hearing.map(|_| receiver)
}

/// Whoever wants a worker to end: the collector, and the machine's own user.
struct Ear<'a> {
    asked: Arc<RequestCount>,
    /// How many requests were taken, and the last one whose interrupt was told.
    taken: u64,
    told: u64,
    user: &'a mut dyn Watcher,
}

impl Watcher for Ear<'_> {
    fn wants_progress(&self) -> bool {
        false
    }

    fn progress(&mut self, _: &Progress<'_>) {}

    fn will_take(&mut self, _: u32, _: f64) {}

    fn interrupted(&mut self) -> bool {
        let is_asked = self.asked.interrupted.load(Ordering::Relaxed) >= self.taken;
        let is_new = is_asked && self.told < self.taken;
        if is_new {
            self.told = self.taken;
        }
        self.user.interrupted() || is_new
    }

    fn stage_done(&mut self, _: &NewRecord) {}
}
