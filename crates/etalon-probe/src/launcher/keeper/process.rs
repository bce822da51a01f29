//! A keeper's own side: a copy of the launcher that starts hooks, and keeps what they leave.
//!
//! Owns: hooks as its children, every process that they have started, and the end of all of these, which comes when
//! the launcher asks for it or is gone. Refuses: to time, to judge an ending, and to be ended by a signal: all are
//! blocked, and it lives exactly as long as there is something to keep.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use super::message::{self, Foreground, Grace, Reply, Request, Until};
use crate::channel::milliseconds;
use crate::launcher::orphans::{Groups, Orphans, children, descendants, exited_child};
use crate::launcher::signals::Mask;
use crate::launcher::spawn::{self, Change, Joining, Program, Spawner};

/// Processes that hooks started may take so long to end once they were asked to. One that needs longer, such as a
/// database that has to write, is a service, which says how long (`stop_within`).
const PATIENCE: Duration = Duration::from_secs(2);

/// Processes that a cleanup has told to end may take so long until they count as left behind.
const MOMENT: Duration = Duration::from_millis(100);

/// Pause between two looks whether what was killed is gone.
const PAUSE: Duration = Duration::from_micros(200);

/// So many processes of hooks may be there when one more hook is started. Because: each is there until after cleanup,
/// and one for each of a thousand executions is a slip, not a server.
const MOST: usize = 200;

/// The launcher's resources that a keeper inherits.
pub(in crate::launcher) struct Inherited<'l> {
    pub(in crate::launcher) spawner: &'l mut Spawner,
    /// The hooks that there are; requests name their places.
    pub(in crate::launcher) hooks: &'l [Program],
    /// The terminal that may be lent to hooks.
    pub(in crate::launcher) terminal: Option<RawFd>,
}

/// A keeper.
pub(super) struct Process<'l> {
    /// The socket to the launcher; absent when that is gone.
    control: Option<UnixStream>,
    signals: File,
    inherited: Inherited<'l>,
    /// The hook under way, not reaped.
    hook: Option<libc::pid_t>,
    /// The event that the launcher waits for.
    awaited: Option<Until>,
    /// Whether nothing is given time to end any more.
    is_hurried: bool,
}

/// An event that a keeper waits for.
enum Event {
    Asked(Request),
    /// The launcher is gone.
    HungUp,
    /// Some child may have changed.
    Child,
    /// It is late.
    Deadline,
}

impl<'l> Process<'l> {
    /// Arranges this process, which was copied from the launcher with all signals blocked.
    pub(super) fn settle(control: UnixStream, inherited: Inherited<'l>) -> io::Result<Process<'l>> {
        close_all_but([control.as_raw_fd(), inherited.terminal.unwrap_or(-1)])?;
        // SAFETY: these calls have no memory preconditions.
        unsafe {
            libc::prctl(libc::PR_SET_NAME, c"etalon-hooks".as_ptr());
            libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        }
        inherited.spawner.is_of_this_process();
        let signals = File::from(Mask::empty().with(libc::SIGCHLD).descriptor()?);
        let control = Some(control);
        Ok(Process { control, signals, inherited, hook: None, awaited: None, is_hurried: false })
    }

    /// A keeper's life.
    pub(super) fn serve(mut self) {
        loop {
            match self.next(None) {
                Event::Asked(Request::Start { hook, padding, foreground }) => {
                    let reply = self.start(hook, padding, foreground);
                    self.say(reply);
                }
                Event::Asked(Request::Wait(until)) => self.awaited = Some(until),
                Event::Asked(Request::Reap) => {
                    let reply = self.reap_hook();
                    self.say(reply);
                }
                Event::Asked(Request::End(grace)) => return self.end(grace),
                Event::Asked(Request::Kill) | Event::HungUp => return self.end(Grace::None),
                Event::Child | Event::Deadline => {}
            }
            self.reap();
            self.tell();
        }
    }

    fn start(&mut self, hook: usize, padding: Option<u32>, foreground: Foreground) -> Reply {
        let Inherited { spawner, hooks, terminal } = &mut self.inherited;
        let Some(program) = hooks.get(hook) else { return Reply::Unknown };
        let there = children().len();
        if there >= MOST {
            return Reply::Crowded { processes: u32::try_from(there).unwrap_or(u32::MAX) };
        }
        spawner.lend(terminal.filter(|_| foreground == Foreground::Lent));
        spawner.pad(padding);
        spawner.prepare(program);
        match spawner.start(program, &Joining::None) {
            Ok(child) => {
                self.hook = Some(child.pid);
                Reply::Started { pid: child.pid, failed: child.failed }
            }
            Err(error) => Reply::NotStarted { errno: error.raw_os_error().unwrap_or(libc::EAGAIN) },
        }
    }

    /// Takes the status of everybody who has exited, but not of the hook, which keeps its number until the launcher
    /// knows. Who looks whether a process that was ended is gone must not see it for ever.
    fn reap(&self) {
        while let Some(pid) = exited_child().filter(|pid| Some(*pid) != self.hook) {
            spawn::reap(pid);
        }
    }

    /// Takes the hook's status. Of one that was killed, its group is to be gone with it: what is still dying would count
    /// as left behind.
    fn reap_hook(&mut self) -> Reply {
        let Some(hook) = self.hook.take() else { return Reply::Unknown };
        let Some((status, _)) = spawn::reap(hook) else { return Reply::Unknown };
        let deadline = Instant::now() + MOMENT;
        // SAFETY: no memory preconditions.
        let is_of_it = |pid: &libc::pid_t| unsafe { libc::getpgid(*pid) == hook };
        let was_killed = libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL;
        while was_killed && children().iter().any(is_of_it) && Instant::now() < deadline {
            std::thread::sleep(PAUSE);
            self.reap();
        }
        Reply::Reaped { status }
    }

    /// Tells the launcher what it waits for, if that has come about.
    fn tell(&mut self) {
        let (Some(until), Some(pid)) = (self.awaited, self.hook) else { return };
        let reply = match (spawn::change(pid), until) {
            (Some(Change::Exited), _) => Reply::Exited,
            (Some(Change::Stopped(signal)), Until::ExitedOrStopped) => Reply::Stopped { signal },
            (Some(Change::Continued), Until::ExitedOrContinued) => Reply::Continued,
            _ => return,
        };
        self.awaited = None;
        self.say(reply);
    }

    /// Ends everything: it is asked to, and then killed. Says how much there was.
    fn end(&mut self, grace: Grace) {
        self.hook = None; // if one is under way, it is like everything else now
        if grace == Grace::Moment {
            self.wait_for_all(MOMENT, || {});
        }
        let processes = u32::try_from(descendants().len()).unwrap_or(u32::MAX);
        let mut groups = Groups::default();
        self.wait_for_all(PATIENCE, || groups.terminate());
        Orphans::default().end(0);
        self.say(Reply::Ended { processes });
    }

    /// Waits until nobody is there, for so long, unless the launcher wants to wait no longer.
    fn wait_for_all(&mut self, patience: Duration, mut each_time: impl FnMut()) {
        let deadline = Instant::now() + patience;
        while !self.is_hurried {
            self.reap();
            if children().is_empty() {
                return;
            }
            each_time();
            match self.next(Some(deadline)) {
                Event::Deadline => return,
                Event::Asked(Request::Kill) => self.is_hurried = true,
                Event::Asked(_) | Event::HungUp | Event::Child => {}
            }
        }
    }

    /// Waits for what happens next.
    fn next(&mut self, deadline: Option<Instant>) -> Event {
        loop {
            let control = self.control.as_ref().map_or(-1, AsRawFd::as_raw_fd);
            let mut polled = [control, self.signals.as_raw_fd()].map(|fd| libc::pollfd {
                fd,
                events: libc::POLLIN,
                revents: 0,
            });
            // SAFETY: `polled` is writable, and holds two entries; a negative descriptor is skipped.
            match unsafe { libc::poll(polled.as_mut_ptr(), 2, milliseconds(deadline)) } {
                1.. if polled[1].revents != 0 => {
                    let mut info = [0_u8; size_of::<libc::signalfd_siginfo>()];
                    while self.signals.read_exact(&mut info).is_ok() {}
                    return Event::Child;
                }
                1.. => return self.asked(),
                0 if deadline.is_some_and(|deadline| Instant::now() >= deadline) => {
                    return Event::Deadline;
                }
                _ => {}
            }
        }
    }

    /// Takes the launcher's next message.
    fn asked(&mut self) -> Event {
        match self.control.as_ref().map(message::receive) {
            Some(Ok(request)) => Event::Asked(request),
            _ => {
                self.control = None;
                Event::HungUp
            }
        }
    }

    /// Tells the launcher, if it is there.
    fn say(&self, reply: Reply) {
        if let Some(control) = &self.control {
            let _it_is_seen_to_be_gone = message::send(control, reply);
        }
    }
}

/// Closes what the launcher has open: another keeper's socket would not be seen to hang up otherwise, nor etalon's.
fn close_all_but(kept: [RawFd; 2]) -> io::Result<()> {
    let entries = std::fs::read_dir("/proc/self/fd")?.flatten();
    let open = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<RawFd>().ok());
    let open: Vec<RawFd> = open.collect(); // with it, the directory is closed
    for fd in open.into_iter().filter(|fd| *fd > 2 && !kept.contains(fd)) {
        // SAFETY: no memory preconditions. What owns the descriptor in the launcher is never dropped here: this process
        // exits without unwinding.
        unsafe { libc::close(fd) };
    }
    Ok(())
}
