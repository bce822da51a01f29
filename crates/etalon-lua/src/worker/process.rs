//! The process of a worker: its supervisor, seen from etalon.
//!
//! Owns starting it and ending it. What the supervisor does, and why there is one, is said in `supervisor.rs`.

use std::io::{self, Read};
use std::net::Shutdown;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use etalon_core::model::{NotStarted, Outcome};
use etalon_probe::launcher::protocol::PADDING_VARIABLE;

use super::output::Drain;
use super::{End, WorkerSpec};
use crate::surroundings::{MARKER, Report, Surroundings};

/// This binary. Valid even if the file is replaced meanwhile.
pub(super) const SELF: &str = "/proc/self/exe";

/// How long a supervisor may take to end what there is. Because it gives up after 2 s itself.
const PATIENCE: Duration = Duration::from_secs(10);

/// A process that was started, and is not reaped yet unless `ended`.
#[derive(Debug)]
pub(super) struct Process {
    supervisor: Child,
    /// The socket to the supervisor. It becomes readable when the worker is over, whoever else holds its
    /// pipe and its channel.
    control: UnixStream,
    ended: Option<End>,
}

impl Process {
    /// Starts it with `channel` as its standard input, in a group of its own: a Ctrl-C is etalon's
    /// to handle.
    pub(super) fn start(
        spec: &WorkerSpec<'_>,
        channel: UnixStream,
    ) -> io::Result<(Process, Drain)> {
        let (control, theirs) = UnixStream::pair()?;
        control.set_read_timeout(Some(PATIENCE))?;
        let mut supervisor = Command::new(SELF)
            .arg0(MARKER)
            .args(surroundings(spec).to_arguments())
            .envs(spec.host.environment.iter().map(|(name, value)| (name, value)))
            .envs(spec.padding.map(padding))
            .current_dir(spec.directory)
            .process_group(0)
            .stdin(OwnedFd::from(channel))
            .stdout(Stdio::piped())
            .stderr(OwnedFd::from(theirs))
            .spawn()?;
        let output = supervisor.stdout.take();
        let process = Process { supervisor, control, ended: None };
        Ok((process, Drain::new(output)?))
    }

    /// The supervisor's process.
    pub(super) fn id(&self) -> u32 {
        self.supervisor.id()
    }

    pub(super) fn descriptor(&self) -> RawFd {
        self.control.as_raw_fd()
    }

    /// Ends it and what it started, if that is still there, and tells how it ended. One that has exited
    /// keeps its code.
    pub(super) fn end(&mut self) -> End {
        if let Some(end) = &self.ended {
            return end.clone();
        }
        // The supervisor takes that for etalon's end; it may have said how the worker ended already.
        let _gone = self.control.shutdown(Shutdown::Write);
        let mut said = Vec::new();
        if self.control.read_to_end(&mut said).is_err() {
            let _gone = self.supervisor.kill(); // stopped, perhaps; its worker ends with it
        }
        let end = end_of(&String::from_utf8_lossy(&said), self.supervisor.wait());
        self.ended = Some(end.clone());
        end
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// The surroundings that a worker is to have.
fn surroundings(spec: &WorkerSpec<'_>) -> Surroundings {
    Surroundings {
        memory: spec.limits.bytes(),
        cpus: spec.control.cpus.clone(),
        nice: spec.control.nice,
        jit: spec.host.jit,
        under: spec.under.to_vec(),
        interpreter: spec.host.interpreter.clone(),
    }
}

/// The variable that makes an environment so much larger.
fn padding(bytes: u32) -> (&'static str, String) {
    (PADDING_VARIABLE, "x".repeat(bytes as usize))
}

/// The end of a worker as its supervisor told it, or as the supervisor's own end implies it.
fn end_of(said: &str, supervisor: io::Result<ExitStatus>) -> End {
    let (outcome, orphans) = match (Report::read(said), supervisor) {
        (Some(Report::Ended { status, orphans }), _) => {
            (outcome(ExitStatus::from_raw(status)), orphans)
        }
        (Some(Report::NotStarted { error }), _) => {
            let why = io::Error::from_raw_os_error(error).to_string();
            (Outcome::NotStarted { why: NotStarted::Other(why) }, 0)
        }
        (None, Ok(status)) => (outcome(status), 0),
        (None, Err(error)) => {
            let why = NotStarted::Other(format!("its end was not seen: {error}"));
            (Outcome::NotStarted { why }, 0)
        }
    };
    End { outcome, orphans }
}

/// How a process ended.
fn outcome(status: ExitStatus) -> Outcome {
    match (status.code(), status.signal()) {
        (Some(0), _) => Outcome::Ok,
        (Some(code), _) => Outcome::Failed { code },
        (None, signal) => Outcome::Killed { signal: signal.unwrap_or(0) },
    }
}
