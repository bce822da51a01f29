//! The process of a worker, and its group.
//!
//! Owns starting it, limiting it, and ending it with everything it left behind. A process that is
//! not reaped keeps its number, and its group keeps it: so both are killed before that, never after.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};

use etalon_core::model::Outcome;

use super::output::Drain;
use crate::host::Host;

/// A process that was started, and is not reaped yet unless `ended`.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Becomes readable when the process is over, whoever else holds its pipes and its socket.
    descriptor: OwnedFd,
    ended: Option<Outcome>,
}

impl Process {
    /// Starts it with `channel` as its standard input, in a group of its own: a Ctrl-C is etalon's
    /// to handle.
    pub(super) fn start(host: &Host, channel: UnixStream) -> io::Result<(Process, Drain)> {
        let mut child = Command::new(&host.program)
            .arg0(&host.arg0)
            .args(&host.args)
            .process_group(0)
            .stdin(OwnedFd::from(channel))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        match watch(&child).and_then(|d| Ok((d, Drain::new(out, err)?))) {
            Ok((descriptor, drain)) => Ok((Process { child, descriptor, ended: None }, drain)),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn descriptor(&self) -> RawFd {
        self.descriptor.as_raw_fd()
    }

    /// Limits its address space. From outside, so that starting it needs no fork; it was not asked
    /// to do anything yet.
    pub(super) fn limit(&self, bytes: u64) -> io::Result<()> {
        let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
        // SAFETY: `limit` is readable, nothing is written; the process is not reaped.
        let code = unsafe {
            libc::prlimit(self.number(), libc::RLIMIT_AS, &raw const limit, std::ptr::null_mut())
        };
        if code < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Ends it and what it started, if that is still there, and tells how it ended.
    pub(super) fn end(&mut self) -> Outcome {
        if let Some(outcome) = &self.ended {
            return outcome.clone();
        }
        // SAFETY: no memory preconditions; the process is not reaped, so its number and its group's
        // are nobody else's. One that has exited keeps its code.
        unsafe { libc::kill(-self.number(), libc::SIGKILL) };
        let outcome = match self.child.wait() {
            Ok(status) => outcome(status),
            Err(error) => Outcome::NotStarted { why: format!("its end was not seen: {error}") },
        };
        self.ended = Some(outcome.clone());
        outcome
    }

    fn number(&self) -> libc::pid_t {
        self.child.id().cast_signed()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// How a process ended.
fn outcome(status: ExitStatus) -> Outcome {
    match (status.code(), status.signal()) {
        (Some(0), _) => Outcome::Ok,
        (Some(code), _) => Outcome::Failed { code },
        (None, signal) => Outcome::Killed { signal: signal.unwrap_or(0) },
    }
}

/// A descriptor that becomes readable when the process ends.
fn watch(child: &Child) -> io::Result<OwnedFd> {
    // SAFETY: no memory preconditions; the process is not reaped.
    let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, child.id(), 0) };
    match RawFd::try_from(descriptor) {
        // SAFETY: the system just made this descriptor for the caller, closed on exec.
        Ok(descriptor @ 0..) => Ok(unsafe { OwnedFd::from_raw_fd(descriptor) }),
        _ => Err(io::Error::last_os_error()),
    }
}
