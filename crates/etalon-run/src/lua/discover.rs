//! Seeing what is in a suite: it is loaded once, in a process that measures nothing.

use std::ops::ControlFlow;
use std::time::Duration;

use etalon_core::model::Outcome;
use etalon_lua::{
    Answer, Clock, Host, Limits, Load, Loaded, Output, Place, Request, Source, Worker, WorkerSpec,
};
use etalon_probe::launcher::protocol::Control;

use super::listen::{Listener, Reply};
use crate::error::RunError;
use crate::watch::Watcher;

/// A suite to be looked at.
#[derive(Debug, Clone)]
pub struct SuiteSpec {
    /// What it is called: the path as typed, or `-e`.
    pub name: String,
    /// What it is.
    pub source: Source,
    /// Where it is executed.
    pub place: Place,
}

/// A suite that was looked at.
#[derive(Debug)]
pub struct Suite {
    /// What it is called: the path as typed, or `-e`.
    pub name: String,
    /// What it is.
    pub source: Source,
    /// Where it is executed.
    pub place: Place,
    /// What it printed while it was loaded.
    pub printed: Output,
    /// What is in it, or why nobody knows.
    pub loaded: Result<Loaded, CaseFailure>,
}

/// A suite, or a case, that did not get there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFailure {
    /// How its process ended.
    pub outcome: Outcome,
    /// What was wrong.
    pub message: String,
    /// How many processes its own had left running, which were killed with it.
    pub orphans: u32,
}

impl CaseFailure {
    pub(super) fn new(outcome: Outcome, message: String) -> CaseFailure {
        CaseFailure { outcome, message, orphans: 0 }
    }
}

/// How suites are looked at.
#[derive(Debug, Clone, Copy)]
pub struct Discovery<'a> {
    /// How workers are started.
    pub host: &'a Host,
    /// What they may use.
    pub limits: Limits,
    /// What they are executed under.
    pub control: &'a Control,
    /// The longest that loading may take.
    pub timeout: Duration,
}

/// Loads every suite, one after the other. One that cannot be loaded is no error. Breaks when the
/// user asked to stop.
///
/// # Errors
/// If no process can be started or spoken to.
pub fn discover(
    wanted: Vec<SuiteSpec>,
    spec: &Discovery<'_>,
    watcher: &mut dyn Watcher,
) -> Result<ControlFlow<(), Vec<Suite>>, RunError> {
    let mut suites = Vec::new();
    for SuiteSpec { name, source, place } in wanted {
        let Discovery { host, limits, control, timeout } = *spec;
        let directory = &place.directory;
        let worker = WorkerSpec { host, limits: &limits, control, directory, padding: None };
        let mut worker = Worker::start(&worker).map_err(RunError::Worker)?;
        let load = Load { source: source.clone(), place: place.clone(), clock: Clock::Best };
        let mut interrupted = || watcher.interrupted();
        let mut listener = Listener { interrupted: &mut interrupted, timeout, limits };
        let said = listener.ask(&mut worker, &Request::Load(load), |answer| {
            Ok(match answer {
                Answer::Loaded(loaded) => Some(loaded),
                _ => None,
            })
        })?;
        let loaded = match said {
            Reply::Answer(loaded) => Ok(loaded),
            Reply::Failed(failure) => Err(failure),
            Reply::Interrupted => return Ok(ControlFlow::Break(())),
        };
        let printed = worker.output();
        let orphans = worker.kill().orphans;
        let loaded = loaded.map_err(|failure| CaseFailure { orphans, ..failure });
        suites.push(Suite { name, source, place, printed, loaded });
    }
    Ok(ControlFlow::Continue(suites))
}
