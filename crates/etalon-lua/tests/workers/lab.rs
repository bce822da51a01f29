//! A suite, a worker that has it, and what it says.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use etalon_core::model::Outcome;
use etalon_lua::{
    Answer, Clock, Failed, Finished, Host, Limits, Load, Loaded, Place, Prepare, Prepared, Reading,
    Request, Source, Worker, WorkerSpec,
};
use etalon_probe::launcher::protocol::Control;

/// Longest time anything is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A suite in a directory of its own.
pub(crate) struct Lab {
    pub directory: tempfile::TempDir,
    pub host: Host,
    pub limits: Limits,
    pub clock: Clock,
    /// Seconds of warm-up where it is gone through as a whole.
    pub warmup: f64,
}

/// A worker and everything it said that is not the answer to a request.
pub(crate) struct Talk {
    pub worker: Worker,
    pub observations: Vec<Reading>,
    pub notes: Vec<String>,
}

impl Lab {
    /// The suite's text is put behind the line that loads `measure`.
    pub(crate) fn new(suite: &str) -> Lab {
        let lab = Lab {
            directory: tempfile::tempdir().unwrap(),
            host: Host::embedded(),
            limits: Limits::default(),
            clock: Clock::Best,
            warmup: QUICK,
        };
        let text = format!("local measure = require('measure')\n{suite}");
        std::fs::write(lab.path("suite.lua"), text).unwrap();
        lab
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn start(&self) -> Talk {
        self.start_under(&[])
    }

    /// Executed by what these words call.
    pub(crate) fn start_under(&self, under: &[OsString]) -> Talk {
        let worker = Worker::start(&WorkerSpec {
            host: &self.host,
            limits: &self.limits,
            control: &Control::default(),
            directory: self.directory.path(),
            padding: None,
            under,
        })
        .unwrap();
        Talk { worker, observations: Vec::new(), notes: Vec::new() }
    }

    pub(crate) fn request(&self) -> Request {
        self.request_for(Source::File(self.path("suite.lua")))
    }

    pub(crate) fn request_for(&self, source: Source) -> Request {
        let directory = self.directory.path().to_owned();
        let place = Place { caller: directory.clone(), directory };
        Request::Load(Load { source, place, clock: self.clock })
    }

    /// A worker that has loaded the suite.
    pub(crate) fn loaded(&self) -> (Talk, Loaded) {
        let mut talk = self.start();
        match talk.ask(&self.request()) {
            Answer::Loaded(loaded) => (talk, loaded),
            other => panic!("not loaded: {other:?}"),
        }
    }

    /// A worker that is ready to sample the first case.
    pub(crate) fn prepared(&self, prepare: Prepare) -> (Talk, Prepared) {
        let (mut talk, _) = self.loaded();
        let prepared = talk.prepare(prepare);
        (talk, prepared)
    }

    /// Goes as far as it goes: load, prepare, two turns, memory, finish.
    pub(crate) fn through(&self) -> (Talk, Answer) {
        let mut talk = self.start();
        let requests = [
            self.request(),
            Request::Prepare(Prepare { warmup: self.warmup, ..quick() }),
            Request::Turn { turn: 0, cpu: None },
            Request::Turn { turn: 1, cpu: None },
            Request::Memory { readings: 2 },
            Request::Finish,
        ];
        for request in requests {
            let answer = talk.ask(&request);
            if matches!(answer, Answer::Failed(_) | Answer::Ended(_) | Answer::Finished(_)) {
                return (talk, answer);
            }
        }
        unreachable!("finish is answered by one of these");
    }

    /// Goes through to the end, which has to be a good one.
    pub(crate) fn finished(&self) -> (Talk, Finished) {
        match self.through() {
            (mut talk, Answer::Finished(finished)) => {
                assert_eq!(talk.end(), Outcome::Ok);
                (talk, finished)
            }
            (_, other) => panic!("not finished: {other:?}"),
        }
    }

    /// Goes as far as it fails, which it has to; then it ends with 1.
    pub(crate) fn failed(&self) -> (Talk, Failed) {
        match self.through() {
            (mut talk, Answer::Failed(failed)) => {
                assert_eq!(talk.end(), Outcome::Failed { code: 1 });
                (talk, failed)
            }
            (_, other) => panic!("did not fail: {other:?}"),
        }
    }
}

/// Seconds of warm-up where it does not matter.
const QUICK: f64 = 0.001;

/// The first case, in small batches.
pub(crate) fn quick() -> Prepare {
    Prepare {
        case: 1,
        benchmark: 0,
        block: 0,
        started_ns: etalon_probe::clock::now_ns(),
        warmup: QUICK,
        until_level: false,
        gc_step: 0,
        batch_ns: 100_000,
        allocation: 64 << 20,
        long_ns: 20_000_000,
    }
}

impl Talk {
    /// Asks, and waits for the answer. Observations and notes on the way are kept; the answer to a
    /// turn is its observation.
    pub(crate) fn ask(&mut self, request: &Request) -> Answer {
        self.worker.ask(request).unwrap();
        loop {
            match self.next() {
                Answer::Observation(observation) => {
                    self.observations.push(observation.clone());
                    if matches!(request, Request::Turn { .. }) {
                        return Answer::Observation(observation);
                    }
                }
                Answer::Note(note) => self.notes.push(note.text),
                answer => return answer,
            }
        }
    }

    /// The next thing it says.
    pub(crate) fn next(&mut self) -> Answer {
        let begun = Instant::now();
        loop {
            if let Some(answer) = self.worker.wait(Duration::from_secs(1)).unwrap() {
                return answer;
            }
            assert!(begun.elapsed() < PATIENCE, "it says nothing: {:?}", self.worker.output());
        }
    }

    pub(crate) fn prepare(&mut self, prepare: Prepare) -> Prepared {
        match self.ask(&Request::Prepare(prepare)) {
            Answer::Prepared(prepared) => prepared,
            other => panic!("not prepared: {other:?}"),
        }
    }

    pub(crate) fn turn(&mut self, turn: u32) -> Reading {
        match self.ask(&Request::Turn { turn, cpu: None }) {
            Answer::Observation(observation) => observation,
            other => panic!("no observation: {other:?}"),
        }
    }

    /// The readings of `memory`.
    pub(crate) fn memory(&mut self, readings: u32) -> Vec<Reading> {
        let before = self.observations.len();
        assert_eq!(self.ask(&Request::Memory { readings }), Answer::Done);
        self.observations.split_off(before)
    }

    pub(crate) fn finish(&mut self) -> Finished {
        match self.ask(&Request::Finish) {
            Answer::Finished(finished) => finished,
            other => panic!("not finished: {other:?}"),
        }
    }

    /// How it ended; nothing may come before that any more.
    pub(crate) fn end(&mut self) -> Outcome {
        match self.next() {
            Answer::Ended(outcome) => outcome,
            other => panic!("not the end: {other:?}"),
        }
    }

    pub(crate) fn printed(&mut self) -> String {
        String::from_utf8(self.worker.output().text).unwrap()
    }
}

/// Whether a process is there.
pub(crate) fn is_alive(pid: u32) -> bool {
    // SAFETY: signal 0 only asks.
    unsafe { libc::kill(pid.cast_signed(), 0) == 0 }
}

/// Says loudly that something was not tested: on the screen, and where tests/run.sh counts.
pub(crate) fn skip(why: &str) {
    println!("SKIPPED: {why}");
    if let Some(file) = std::env::var_os("ETALON_TEST_SKIPS") {
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        writeln!(file, "{why}").unwrap();
    }
}
