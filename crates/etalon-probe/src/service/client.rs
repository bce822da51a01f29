//! etalon's side: a guard started, asked, listened to and ended.
//!
//! Owns: the guard's process, the socket to it and the service's log. Refuses: to decide anything, and to be used from
//! anywhere but the thread that lives longest: a guard ends when the thread that started it does.

use std::ffi::OsStr;
use std::io::{self, PipeWriter};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitStatus;
use std::time::Duration;

use serde::Serialize;

use super::guard::MARKER;
use super::log::Log;
use super::protocol::{Order, Reply, Setup};
use crate::channel::{Channel, is_gone};
use crate::launcher::client::error::{how, not_started};
use crate::launcher::client::process::{Outputs, Process, SELF};
use crate::launcher::protocol::Execute;
use crate::launcher::wire;
use crate::limits::explained;

/// Why there is no guard, or no longer one.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// It could not be started.
    #[error("its guard cannot be started from {SELF}: {}", not_started(.0))]
    Start(io::Error),
    /// It is gone; how it ended, where that is known.
    #[error("its guard ended unexpectedly{}: was it killed?", how(*.0))]
    Lost(Option<ExitStatus>),
    /// It could not be spoken to.
    #[error("cannot speak to its guard: {}", explained(.0))]
    Control(io::Error),
}

/// The guards of an experiment in the order in which they are started: without etalon, each waits for the next.
#[derive(Debug, Default)]
pub struct Line(Option<PipeWriter>);

/// A running guard.
#[derive(Debug)]
pub struct Guard {
    process: Process,
    control: Channel,
    log: Log,
}

impl Guard {
    /// Starts a guard; nothing of the service is executed yet. Call it on the main thread. The program must call
    /// [`super::run_if_asked`] at the beginning of `main`.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(name: &str, setup: &Setup, line: &mut Line) -> Result<Guard, GuardError> {
        let (ours, theirs) = UnixStream::pair().map_err(GuardError::Start)?;
        let log = Log::create().map_err(GuardError::Start)?;
        let (later, held) = io::pipe().map_err(GuardError::Start)?;
        let process = Process::executed(MARKER, Some(OsStr::new(name)), theirs, Outputs::None);
        let process = process.map_err(GuardError::Start)?;
        let mut guard = Guard { process, control: Channel::new(ours), log };
        let mut files = vec![guard.log.descriptor(), later.as_fd()];
        files.extend(line.0.as_ref().map(AsFd::as_fd));
        let passed = wire::pass(guard.control.socket(), &files);
        passed.map_err(|error| guard.cannot_send(error))?;
        guard.send(setup)?;
        line.0 = Some(held);
        Ok(guard)
    }

    /// Has it start the service; [`Guard::listen`] tells what comes of that.
    ///
    /// # Errors
    /// If the guard is gone; so with everything it is asked for.
    pub fn begin(&mut self) -> Result<(), GuardError> {
        self.send(&Order::Start)
    }

    /// Has it execute a command beside the service, one at a time; [`Guard::listen`] tells how that ended.
    ///
    /// # Errors
    /// If the guard is gone.
    pub fn execute(&mut self, execute: &Execute, within: Duration) -> Result<(), GuardError> {
        let within_ns = u64::try_from(within.as_nanos()).unwrap_or(u64::MAX);
        self.send(&Order::Execute { execute: execute.clone(), within_ns })
    }

    /// Has it stop the service and end. The last thing to listen to is [`Reply::Stopped`].
    ///
    /// # Errors
    /// If the guard is gone.
    pub fn stop(&mut self) -> Result<(), GuardError> {
        self.send(&Order::Stop)
    }

    /// Kills it at once, also if it is stopping already.
    ///
    /// # Errors
    /// If the guard is gone.
    pub fn kill(&mut self) -> Result<(), GuardError> {
        self.send(&Order::Kill)
    }

    /// Waits for its next message for this time; a signal shortens that.
    ///
    /// # Errors
    /// If the guard is gone.
    pub fn listen(&mut self, patience: Duration) -> Result<Option<Reply>, GuardError> {
        self.log.forget();
        if !self.control.is_readable(Some(patience)).map_err(GuardError::Control)? {
            return Ok(None);
        }
        match self.control.receive().map_err(GuardError::Control)? {
            Some(reply) => Ok(Some(reply)),
            None => Err(self.lost()),
        }
    }

    /// The output of the service.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }

    fn send<T: Serialize>(&mut self, message: &T) -> Result<(), GuardError> {
        let sent = self.control.send(message);
        sent.map_err(|error| self.cannot_send(error))
    }

    fn cannot_send(&mut self, error: io::Error) -> GuardError {
        if is_gone(&error) { self.lost() } else { GuardError::Control(error) }
    }

    /// It closed its end, so it is ending.
    fn lost(&mut self) -> GuardError {
        GuardError::Lost(self.process.wait().ok().flatten())
    }
}

impl Drop for Guard {
    /// Has the service stopped, if it was not, and waits until everything of it is gone.
    fn drop(&mut self) {
        let _it_may_be_gone = self.stop();
        self.control.hang_up();
        let _ = self.process.wait();
    }
}
