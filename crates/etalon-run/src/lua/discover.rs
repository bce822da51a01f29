//! Seeing what is in a suite: it is loaded once, in a process that measures nothing.

use std::ops::ControlFlow;
use std::time::Duration;

use etalon_core::model::Outcome;
use etalon_lua::{Answer, Clock, Host, Limits, Load, Loaded, Output, Request, Source, Worker};

use super::listen::{Listener, Said};
use crate::error::RunError;
use crate::experiment::Watcher;

/// A suite that was looked at.
#[derive(Debug)]
pub struct Suite {
    /// What it is called: the path as typed, or `-e`.
    pub name: String,
    /// Where it is.
    pub source: Source,
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
}

/// Loads every suite, one after the other. One that cannot be loaded is no error. Breaks when the
/// user asked to stop.
///
/// # Errors
/// If no process can be started or spoken to.
pub fn discover(
    wanted: Vec<(String, Source)>,
    host: &Host,
    (limits, timeout): (Limits, Duration),
    watcher: &mut dyn Watcher,
) -> Result<ControlFlow<(), Vec<Suite>>, RunError> {
    let mut suites = Vec::new();
    for (name, source) in wanted {
        let mut worker = Worker::start(host, &limits).map_err(RunError::Worker)?;
        let load = Load { source: source.clone(), clock: Clock::Best };
        let mut listener = Listener { watcher, timeout };
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
        suites.push(Suite { name, source, printed, loaded });
    }
    Ok(ControlFlow::Continue(suites))
}
