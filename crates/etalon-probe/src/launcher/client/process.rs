//! This binary as a process below etalon, which is something else than etalon: started, and waited for.
//!
//! Owns: the two ways to get one. Refuses: to know what it does.

use std::ffi::OsStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};

use crate::launcher::{serve, streams};

/// Where this binary is. It stays valid if the file is replaced meanwhile.
pub(crate) const SELF: &str = "/proc/self/exe";

/// Standard output and error of a process.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Outputs {
    /// Those of etalon.
    Etalons,
    /// Nothing: it may outlive etalon for a while, and whoever reads etalon's output waits for its end.
    None,
}

/// A child process.
#[derive(Debug)]
pub(crate) struct Process {
    pid: libc::pid_t,
    /// How it ended; from then on the number may be another process's.
    ended: Option<ExitStatus>,
}

impl Process {
    /// Re-executes this binary under a name that says what it is to be (its first argument is etalon's process, the
    /// second `about`), in a process group of its own so that a Ctrl-C is
    /// etalon's to handle. Its standard input is the socket to etalon: no descriptor but a standard one gets into
    /// another process without a window in which it would get into others. Etalon's own follows with
    /// the setup.
    pub(crate) fn executed(
        marker: &str,
        about: Option<&OsStr>,
        control: UnixStream,
        outputs: Outputs,
    ) -> io::Result<Process> {
        let output = || match outputs {
            Outputs::Etalons => Stdio::inherit(),
            Outputs::None => Stdio::null(),
        };
        let child = Command::new(SELF)
            .arg0(marker)
            .arg(std::process::id().to_string())
            .args(about)
            .process_group(0)
            .stdin(OwnedFd::from(control))
            .stdout(output())
            .stderr(output())
            .spawn()?;
        Ok(Process { pid: child.id().cast_signed(), ended: None })
    }

    /// Makes a copy of this process the launcher, which takes a fifth of the time. Only where this process is
    /// still small and has one thread. Gives back `ours`, etalon's end of the socket, which the copy does not keep: or
    /// etalon's death would not end the conversation.
    pub(super) fn forked(
        control: UnixStream,
        ours: UnixStream,
    ) -> io::Result<(Process, UnixStream)> {
        let parent = std::process::id().cast_signed();
        // SAFETY: this process has one thread (the caller's promise), so that no lock is held in the copy by a thread
        // that is not there.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                drop(ours);
                serve::end(&become_launcher(control).and_then(|()| serve::serve(parent)))
            }
            pid => Ok((Process { pid, ended: None }, ours)),
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.pid.cast_unsigned()
    }

    /// Sends SIGTERM, unless it has ended; one that is stopped gets it, too.
    pub(crate) fn terminate(&mut self) {
        if let Ok(None) = self.wait_with(libc::WNOHANG) {
            // SAFETY: no memory preconditions; the child is not reaped, so the number is its.
            unsafe { libc::kill(self.pid, libc::SIGTERM) };
            // One that is not stopped would take it for the end of a pause.
            if self.is_stopped() {
                self.resume();
            }
        }
    }

    /// Whether it is stopped.
    pub(super) fn is_stopped(&self) -> bool {
        let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
        let options = libc::WSTOPPED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: `info` is writable, and all zero where there is nothing to tell; the child is ours and not reaped.
        unsafe {
            let done =
                libc::waitid(libc::P_PID, self.pid.cast_unsigned(), info.as_mut_ptr(), options);
            done == 0 && info.assume_init().si_signo == libc::SIGCHLD
        }
    }

    /// Has it go on with its group, if it is stopped.
    pub(super) fn resume(&mut self) {
        if let Ok(None) = self.wait_with(libc::WNOHANG) {
            // SAFETY: no memory preconditions; the child is not reaped, so the number is its and its group's.
            unsafe { libc::kill(-self.pid, libc::SIGCONT) };
        }
    }

    /// Sends a signal with a value, unless it has ended.
    pub(super) fn tell(&mut self, signal: libc::c_int, value: usize) {
        if let Ok(None) = self.wait_with(libc::WNOHANG) {
            let value = libc::sigval { sival_ptr: std::ptr::without_provenance_mut(value) };
            // SAFETY: the value is a number for its receiver; the child is not reaped, so the number is its.
            unsafe { libc::sigqueue(self.pid, signal, value) };
        }
    }

    /// Waits for its end.
    pub(crate) fn wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.wait_with(0)
    }

    fn wait_with(&mut self, options: libc::c_int) -> io::Result<Option<ExitStatus>> {
        while self.ended.is_none() {
            let mut status = 0;
            // SAFETY: `status` is writable; the child is ours and not reaped.
            match unsafe { libc::waitpid(self.pid, &raw mut status, options) } {
                0 => return Ok(None),
                1.. => self.ended = Some(ExitStatus::from_raw(status)),
                _ => match io::Error::last_os_error() {
                    error if error.kind() == io::ErrorKind::Interrupted => {}
                    error => return Err(error),
                },
            }
        }
        Ok(self.ended)
    }
}

/// Arranges the process of a launcher: a group of its own, and the socket as standard input.
fn become_launcher(control: UnixStream) -> io::Result<()> {
    // SAFETY: moves this process to a group; no memory preconditions.
    if unsafe { libc::setpgid(0, 0) } == -1 {
        return Err(io::Error::last_os_error());
    }
    streams::put(OwnedFd::from(control).as_fd(), 0)
}
