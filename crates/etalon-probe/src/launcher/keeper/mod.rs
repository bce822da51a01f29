//! Keepers: processes below the launcher that start hooks, and keep what these leave until it is to end.
//!
//! A hook may start a server that is measured through a client. It has to live until after cleanup, and what a measured
//! command leaves has to end at once; both become children of the nearest subreaper. So the hooks of a kind have one
//! of their own: a copy of the launcher, made when the first of them is executed, whose descendants are exactly what
//! they started. It ends them when it is told to and when the launcher is gone, however that came about.
//!
//! Owns: the launcher's side, which asks; the keeper's own is in [`process`], what they say in [`message`]. Refuses: to
//! have a keeper decide anything about a hook. Timeout, stop, suspension and the terminal are the launcher's, as they
//! are for commands; that is why a hook is reaped only when the launcher knows of its end.

mod message;
mod process;

use std::ffi::c_int;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

use super::overseer::Overseer;
use super::protocol::{Extent, Hook, Leftover};
use super::signals::{self, Mask};
use super::spawn::{Child, WaitEnd};
use message::{Foreground, Grace, Reply, Request, Until};
pub(super) use process::Inherited;
use process::Process;

/// So many ms a keeper may be silent until it is told to go on. Because: its hook may stop it, as its parent, and then
/// nobody else would.
const SILENCE: c_int = 200;

/// Which hooks have one keeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    /// Their role.
    pub(super) hook: Hook,
    /// When what they started has to end.
    pub(super) extent: Extent,
}

/// The keepers that there are.
#[derive(Default)]
pub(super) struct Keepers(Vec<Keeper>);

/// A keeper.
pub(super) struct Keeper {
    kind: Kind,
    control: UnixStream,
    pid: libc::pid_t,
}

impl Keepers {
    /// That of a kind.
    pub(super) fn get(&mut self, kind: Kind) -> Option<&mut Keeper> {
        self.0.iter_mut().find(|keeper| keeper.kind == kind)
    }

    /// Makes that of a kind, whose process this is. It gets the descriptors 0, 1 and 2 as they are now.
    pub(super) fn begin(
        &mut self,
        kind: Kind,
        inherited: Inherited<'_>,
    ) -> io::Result<libc::pid_t> {
        let (control, pid) = fork(inherited)?;
        self.0.push(Keeper { kind, control, pid });
        Ok(pid)
    }

    /// Touches what asking touches, as a hook does.
    pub(super) fn rehearse(&mut self) {
        for keeper in &mut self.0 {
            std::hint::black_box(keeper.ask(Request::Reap).is_ok()); // there is none
        }
    }

    /// Ends what hooks have started that has to end now, and its keepers; how much there was, by kind.
    pub(super) fn end(&mut self, extent: Extent) -> Vec<Leftover> {
        let all = std::mem::take(&mut self.0).into_iter();
        let (mut ending, others): (Vec<Keeper>, _) =
            all.partition(|keeper| extent == Extent::All || keeper.kind.extent == extent);
        self.0 = others;
        let ends = |keeper: &Keeper| matches!(keeper.kind.hook, Hook::Conclude | Hook::Cleanup);
        let grace = if ending.iter().any(ends) { Grace::Moment } else { Grace::None };
        for keeper in &ending {
            let _it_is_seen_to_be_gone = message::send(&keeper.control, Request::End(grace));
        }
        let ended = ending.iter_mut().map(|keeper| (keeper.kind.hook, keeper.ended()));
        let leftovers = ended.map(|(hook, processes)| Leftover { hook, processes });
        leftovers.filter(|leftover| leftover.processes > 0).collect()
    }
}

impl Keeper {
    /// Starts a hook.
    pub(super) fn start(&mut self, hook: usize, padding: Option<u32>) -> io::Result<Child> {
        let foreground = if signals::lent() { Foreground::Lent } else { Foreground::Stays };
        match self.ask(Request::Start { hook, padding, foreground })? {
            Reply::Started { pid, failed } => Ok(Child { pid, failed, outside: false }),
            Reply::NotStarted { errno } => Err(io::Error::from_raw_os_error(errno)),
            Reply::Crowded { processes } => Err(io::Error::other(format!(
                "{processes} processes that it started before are still there: whatever is no longer needed has to be \
                 ended, by conclude for instance"
            ))),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn ask(&self, request: Request) -> io::Result<Reply> {
        message::send(&self.control, request)?;
        while !self.has_said_something() {}
        message::receive(&self.control)
    }

    /// Whether there is a message, or it is gone. Waits a while for that, or until a signal comes.
    fn has_said_something(&self) -> bool {
        let fd = self.control.as_raw_fd();
        let mut polled = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        // SAFETY: one writable pollfd, of an open descriptor.
        let ready = unsafe { libc::poll(&raw mut polled, 1, SILENCE) };
        if ready == 0 {
            // SAFETY: no memory preconditions. One that is gone would be seen to be; to one that was not stopped it is
            // nothing, because a keeper has all signals blocked.
            unsafe { libc::kill(self.pid, libc::SIGCONT) };
        }
        ready > 0
    }

    /// Waits until it has ended everything; how many processes there were. A stop takes the time from them that they
    /// have for that.
    fn ended(&mut self) -> u32 {
        let mut is_hurried = false;
        loop {
            if signals::stopped() && !is_hurried {
                is_hurried = true;
                let _it_is_seen_to_be_gone = message::send(&self.control, Request::Kill);
            }
            if self.has_said_something() {
                break;
            }
        }
        match message::receive(&self.control) {
            Ok(Reply::Ended { processes }) => processes,
            _ => 0,
        }
    }
}

impl Overseer for Keeper {
    /// A keeper goes on while the launcher is stopped, and sees the stop that is the launcher's own doing.
    fn wait(&mut self, _: Child) -> (WaitEnd, i64) {
        let mut holds = 0;
        loop {
            match self.ask(Request::Wait(Until::ExitedOrStopped)) {
                Ok(Reply::Stopped { signal: libc::SIGSTOP }) if holds < signals::holds() => {
                    holds += 1;
                }
                Ok(Reply::Stopped { signal }) => return (WaitEnd::Stopped(signal), 0),
                _ => return (WaitEnd::Exited, 0),
            }
        }
    }

    fn wait_for_exit(&mut self, _: Child) -> i64 {
        let _exited_or_gone = self.ask(Request::Wait(Until::Exited));
        0
    }

    fn wait_for_continue(&mut self, _: Child) {
        let _continued_or_gone = self.ask(Request::Wait(Until::ExitedOrContinued));
    }

    /// Its status, and no usage: nobody measures a hook.
    fn reap(&mut self, _: Child) -> Option<(c_int, libc::rusage)> {
        let Ok(Reply::Reaped { status }) = self.ask(Request::Reap) else { return None };
        // SAFETY: all-zero is a valid rusage.
        Some((status, unsafe { MaybeUninit::zeroed().assume_init() }))
    }
}

impl Drop for Keeper {
    /// Waits for its end, which comes when it has ended everything.
    fn drop(&mut self) {
        let _ = self.control.shutdown(std::net::Shutdown::Both); // it may be gone
        let mut status = 0;
        // SAFETY: `status` is writable. If the keeper was reaped, as an orphan that had ended, there is no such child.
        while unsafe { libc::waitpid(self.pid, &raw mut status, 0) } < 0
            && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
        {}
    }
}

/// Makes a copy of the launcher a keeper. Gives back the launcher's end of the socket to it.
fn fork(inherited: Inherited<'_>) -> io::Result<(UnixStream, libc::pid_t)> {
    let (ours, theirs) = UnixStream::pair()?;
    Mask::full().apply(); // the copy never handles a signal
    // SAFETY: the thread that empties pipes is not in the copy. It shares a lock with `Streams` only, which the copy
    // does not use, and the allocator's, which fork takes before it copies.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let kept = Process::settle(theirs, inherited).map(Process::serve);
        // SAFETY: ends the copy, without what the launcher would do at its end.
        unsafe { libc::_exit(i32::from(kept.is_err())) };
    }
    let failed = (pid < 0).then(io::Error::last_os_error);
    signals::working_mask().apply();
    failed.map_or(Ok((ours, pid)), Err)
}
