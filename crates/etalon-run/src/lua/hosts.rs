//! Asking Luas: what one is, what is in a suite, which of them can read it.
//!
//! Refuses to look for interpreters: whoever asks says where they are.

use std::ops::ControlFlow;
use std::path::PathBuf;

use etalon_lua::{
    Answer, Clock, Host, Interpreter, Load, Loaded, Place, Request, Runtime, Source, Worker,
    WorkerSpec,
};

use super::failure::CaseFailure;
use super::listen::{Listener, Reply};
use super::suite::{Discovery, SuiteSpec};
use crate::error::RunError;
use crate::watch::Watcher;

/// The result of loading a suite, with its output.
pub(super) struct Heard {
    pub(super) printed: etalon_lua::Output,
    pub(super) loaded: Result<Loaded, CaseFailure>,
}

/// Has a Lua load something; breaks when the user asked to stop.
pub(super) fn load(
    host: &Host,
    what: &SuiteSpec,
    spec: &Discovery<'_>,
    watcher: &mut dyn Watcher,
) -> Result<ControlFlow<(), Heard>, RunError> {
    let Discovery { limits, control, timeout, .. } = *spec;
    let SuiteSpec { source, place, .. } = what;
    let directory = &place.directory;
    let worker =
        WorkerSpec { host, limits: &limits, control, directory, padding: None, under: &[] };
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
    Ok(ControlFlow::Continue(Heard { printed, loaded }))
}

/// Starts a Lua and asks what it is. What is wrong with one that does not answer is in words; breaks when the user
/// asked to stop.
///
/// # Errors
/// If no process can be started or spoken to.
pub fn ask(
    host: &Host,
    spec: &Discovery<'_>,
    watcher: &mut dyn Watcher,
) -> Result<ControlFlow<(), Result<Runtime, String>>, RunError> {
    let nothing = Source::Chunk { code: "nil".to_owned(), name: "nothing".to_owned() };
    let root = PathBuf::from("/");
    let place = Place { directory: root.clone(), caller: root };
    let what = SuiteSpec { name: String::new(), source: nothing, place };
    let Heard { printed, loaded } = match load(host, &what, spec, watcher)? {
        ControlFlow::Continue(heard) => heard,
        ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
    };
    Ok(ControlFlow::Continue(loaded.map(|loaded| loaded.runtime).map_err(|failure| {
        what_is_wrong(host, &String::from_utf8_lossy(&printed.text), &failure.message)
    })))
}

/// The complaint about a Lua that printed this and failed like that: the log, if it is an nginx.
fn what_is_wrong(host: &Host, printed: &str, failure: &str) -> String {
    let mut lines = printed.lines().filter(|line| !line.trim().is_empty());
    if let Interpreter::Nginx(_) = &host.interpreter {
        let log: String = lines.map(|line| format!("\n  {line}")).collect();
        return match log.is_empty() {
            true => format!("it does not start: {failure}"),
            false => format!("it does not start; its log:{log}"),
        };
    }
    match lines.next() {
        Some(line) => format!("it does not do what a Lua does, and says: {}", line.trim()),
        None => format!("it does not do what a Lua does ({failure})"),
    }
}

/// Of these Luas, those that can read a suite; none of its code is executed. Breaks when the user asked to stop.
pub(super) fn readers<'h>(
    suite: &SuiteSpec,
    hosts: impl Iterator<Item = &'h Host>,
    spec: &Discovery<'_>,
    watcher: &mut dyn Watcher,
) -> Result<ControlFlow<(), Vec<&'h Host>>, RunError> {
    let code = match &suite.source {
        Source::Chunk { code, .. } => code.clone(),
        Source::File(path) | Source::Script(path) => {
            match std::fs::read(suite.place.caller.join(path)) {
                Ok(bytes) => without_first_comment(&String::from_utf8_lossy(&bytes)),
                Err(_) => return Ok(ControlFlow::Continue(Vec::new())),
            }
        }
    };
    // A chunk is compiled, and called when it is measured.
    let source = Source::Chunk { code, name: suite.name.clone() };
    let what = SuiteSpec { source, ..suite.clone() };
    let mut readers = Vec::new();
    for host in hosts {
        match load(host, &what, spec, watcher)? {
            ControlFlow::Continue(heard) if heard.loaded.is_ok() => readers.push(host),
            ControlFlow::Continue(_) => {}
            ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
        }
    }
    Ok(ControlFlow::Continue(readers))
}

/// A file as Lua compiles it: a first line for the shell is none of its.
fn without_first_comment(text: &str) -> String {
    match text.strip_prefix('#') {
        Some(rest) => rest.split_once('\n').map_or(String::new(), |(_, code)| format!("\n{code}")),
        None => text.to_owned(),
    }
}
