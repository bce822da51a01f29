//! Seeing what is in a suite: it is loaded once, in a process that measures nothing.

use std::ops::ControlFlow;
use std::time::Duration;

use etalon_core::model::Outcome;
use etalon_lua::{
    Answer, Clock, Host, Limits, Load, Loaded, Output, Place, Request, Source, Worker,
};

use super::listen::{Listener, Said};
use crate::error::RunError;
use crate::experiment::Watcher;

/// A suite to be looked at.
#[derive(Debug, Clone)]
pub struct WantedSuite {
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
    pub loaded: Result<Loaded, Broken>,
}

/// A suite, or a case, that did not get there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// How its process ended.
    pub outcome: Outcome,
    /// What was wrong.
    pub message: String,
    /// How many processes its own had left running, which were killed with it.
    pub leftovers: u32,
}

impl Broken {
    pub(super) fn new(outcome: Outcome, message: String) -> Broken {
        Broken { outcome, message, leftovers: 0 }
    }
}

/// Loads every suite, one after the other. One that cannot be loaded is no error. Breaks when the
/// user asked to stop.
///
/// # Errors
/// If no process can be started or spoken to.
pub fn discover(
    wanted: Vec<WantedSuite>,
    host: &Host,
    (limits, timeout): (Limits, Duration),
    watcher: &mut dyn Watcher,
) -> Result<ControlFlow<(), Vec<Suite>>, RunError> {
    let mut suites = Vec::new();
    for WantedSuite { name, source, place } in wanted {
        let mut worker =
            Worker::start(host, &limits, &place.directory).map_err(RunError::Worker)?;
        let load = Load { source: source.clone(), place: place.clone(), clock: Clock::Best };
        let mut listener = Listener { watcher, timeout, limits };
        let said = listener.ask(&mut worker, &Request::Load(load), |answer| {
            Ok(match answer {
                Answer::Loaded(loaded) => Some(loaded),
                _ => None,
            })
        })?;
        let loaded = match said {
            Said::Answer(loaded) => Ok(loaded),
            Said::Broken(broken) => Err(broken),
            Said::Interrupted => return Ok(ControlFlow::Break(())),
        };
        let printed = worker.output();
        let leftovers = worker.kill().leftovers;
        let loaded = loaded.map_err(|broken| Broken { leftovers, ..broken });
        suites.push(Suite { name, source, place, printed, loaded });
    }
    Ok(ControlFlow::Continue(suites))
}
