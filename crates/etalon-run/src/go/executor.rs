//! The executor of Go benchmarks: a process of a test binary for each subject of a block.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::time::Duration;

use etalon_core::model::{NotStarted, Observation, Outcome};
use etalon_core::plan::Stage;
use etalon_core::run_set::StoppedBy;
use etalon_probe::clock;
use etalon_probe::untimed::{self, Executed as Ended, Program};
use etalon_record::foreign::go::{Execution, Live, is_without_results};
use serde::{Deserialize, Serialize};

use super::build::Binary;
use crate::error::RunError;
use crate::executor::{Batch, Executed, Executor, Stop};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::Records;
use crate::state::Started;

/// The request to a binary that printed no result and did not fail: to say why, as `-test.v` does.
const ASKED_WHY: [&str; 2] = ["-test.v", "-test.benchtime=1x"];

/// The beginning of its answer.
const SKIPPED: &str = "--- SKIP: ";

/// A top-level benchmark of a package on a side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoSubject {
    /// Its name, without `Benchmark`.
    pub name: String,
    /// Its pattern, with that of its sub-benchmarks.
    pub pattern: String,
    /// Facts of it beside those that a binary prints: its package, its side.
    pub facts: Vec<(String, String)>,
    /// The binary that executes it; where there is none, why.
    pub binary: Result<Binary, String>,
    /// Subjects of the same number are the sides of one benchmark.
    pub benchmark: usize,
}

/// How benchmarks are executed.
#[derive(Debug, Clone, Default)]
pub struct GoSetup {
    /// The subjects of the experiment.
    pub subjects: Vec<GoSubject>,
    /// Flags of every binary, before the user's own.
    pub flags: Vec<OsString>,
    /// The user's own arguments of every binary.
    pub arguments: Vec<OsString>,
    /// How long an execution may take. Go's own limit ends before its benchmarks begin.
    pub limit: Option<Duration>,
    /// Facts that binaries print, and that the record has of each machine by itself.
    pub of_machine: &'static [&'static str],
}

/// Executes benchmarks of Go packages.
#[derive(Debug)]
pub struct GoBenchmarks {
    setup: GoSetup,
    live: Live,
    started_ns: u64,
}

/// The outcome of a subject's execution.
enum Came {
    Results,
    Nothing,
    TimedOut,
    Interrupted,
}

impl GoBenchmarks {
    /// Nothing is executed yet.
    #[must_use]
    pub fn new(setup: GoSetup) -> GoBenchmarks {
        let live = Live::without(setup.of_machine);
        GoBenchmarks { setup, live, started_ns: 0 }
    }

    /// Executes a subject once, and records what came of it.
    fn subject(
        &mut self,
        subject: usize,
        block: u32,
        monitor: &mut Monitor<'_>,
    ) -> Result<Came, RunError> {
        let at_ns = clock::now_ns().saturating_sub(self.started_ns);
        let Some(mut ended) = self.executed(subject, &[], monitor) else {
            return Ok(Came::Interrupted);
        };
        if ended.is_ok() && is_without_results(&ended.stdout) {
            match self.why_empty(subject, monitor) {
                Some(outcome) => ended.outcome = outcome,
                None => return Ok(Came::Interrupted),
            }
        }
        let GoSubject { name, facts, .. } = &self.setup.subjects[subject];
        let execution = Execution {
            name,
            facts,
            block,
            at_ns,
            outcome: &ended.outcome,
            stdout: &ended.stdout,
            stderr: &ended.stderr,
        };
        let mut lines = Vec::new();
        let seen = self.live.add(&execution, &mut lines);
        monitor.records.lines(|record| record.append(&mut lines), |_| {})?;
        Ok(match ended.outcome {
            Outcome::TimedOut => Came::TimedOut,
            _ if seen.results > 0 => Came::Results,
            _ => Came::Nothing,
        })
    }

    /// Why a subject printed no result; nothing if the user does not want to wait.
    fn why_empty(&self, subject: usize, monitor: &mut Monitor<'_>) -> Option<Outcome> {
        let ended = self.executed(subject, &ASKED_WHY, monitor)?;
        let printed = String::from_utf8_lossy(&ended.stdout);
        let lines: Vec<&str> = printed.lines().collect();
        let skipped = lines.iter().position(|line| line.trim_start().starts_with(SKIPPED));
        let why = skipped.map_or(NotStarted::NoMatch, |at| {
            // The reason stands before the line that says so.
            let reason = lines[..at].last().filter(|line| line.starts_with(' '));
            NotStarted::Skipped(reason.map(|reason| reason.trim().to_owned()))
        });
        Some(Outcome::NotStarted { why })
    }

    /// A process of a subject's binary; nothing if it was interrupted.
    fn executed(&self, subject: usize, more: &[&str], monitor: &mut Monitor<'_>) -> Option<Ended> {
        let GoSetup { subjects, flags, arguments, limit, .. } = &self.setup;
        let GoSubject { pattern, binary, .. } = &subjects[subject];
        let not_started = |why: NotStarted, said: &str| Ended {
            outcome: Outcome::NotStarted { why },
            stdout: Vec::new(),
            stderr: said.as_bytes().to_vec(),
        };
        let binary = match binary {
            Ok(binary) => binary,
            Err(why) => {
                let first = why.lines().find(|line| !line.starts_with('#')).unwrap_or(why);
                return Some(not_started(NotStarted::NotBuilt(first.to_owned()), why));
            }
        };
        let mut words: Vec<OsString> =
            vec!["-test.run=^$".into(), format!("-test.bench={pattern}").into()];
        words.extend_from_slice(flags);
        words.extend(more.iter().map(Into::into));
        words.extend_from_slice(arguments);
        let program = Program {
            program: binary.path.as_os_str(),
            arguments: &words,
            environment: &[],
            input: None,
            directory: &binary.directory,
            inherits: None,
        };
        match untimed::execute_within(&program, *limit, &mut || monitor.interrupted()) {
            Ok(ended) => ended,
            Err(error) => Some(not_started(NotStarted::Other(error.to_string()), "")),
        }
    }

    /// The subjects of a block, the sides of a benchmark behind each other. Benchmarks of the first block are in the
    /// order of their packages, so that the record names them in that order.
    fn order(&self, random: &[usize], is_first: bool) -> Vec<usize> {
        let benchmark = |subject: &usize| self.setup.subjects[*subject].benchmark;
        let mut benchmarks: Vec<usize> = Vec::new();
        for at in random.iter().map(benchmark) {
            if !benchmarks.contains(&at) {
                benchmarks.push(at);
            }
        }
        if is_first {
            benchmarks.sort_unstable();
        }
        let place = |subject: &usize| benchmarks.iter().position(|at| *at == benchmark(subject));
        let mut order = random.to_vec();
        order.sort_by_key(place);
        order
    }
}

impl Executor for GoBenchmarks {
    fn start(
        &mut self,
        _: &Experiment,
        _: &Records<'_>,
        started_ns: u64,
    ) -> Result<Started, RunError> {
        self.started_ns = started_ns;
        Ok(Started::default())
    }

    /// One: a block takes seconds.
    fn batch_size(&self, _: &Stage) -> u32 {
        1
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        let mut given_up = Vec::new();
        let random = batch.orders.first().map_or(&[][..], Vec::as_slice);
        for subject in self.order(random, batch.first_of_stage) {
            monitor.progress()?;
            monitor.under_way(subject);
            match self.subject(subject, batch.first, monitor)? {
                Came::Results => {}
                Came::Nothing | Came::TimedOut if batch.first_of_stage => given_up.push(subject),
                Came::Nothing | Came::TimedOut => {}
                Came::Interrupted => {
                    let flow = Stop::by(StoppedBy::Interrupt);
                    return Ok(Executed { blocks: 0, given_up, flow });
                }
            }
        }
        Ok(Executed { blocks: 1, given_up, flow: ControlFlow::Continue(()) })
    }

    fn completes(&self, _: &Observation) -> bool {
        true
    }
}
