//! A guard: what this binary does, re-executed, instead of being etalon.
//!
//! Owns: one service, from its start to its end, and its end whatever becomes of etalon. Refuses: to take part in
//! anything that is timed; it sleeps until something happens to the service, or etalon asks for something.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use etalon_core::model::Outcome;
use etalon_record::Text;

use super::children::Children;
use super::protocol::{Executed, Order, Reply, Setup, Stopped};
use crate::channel::{Channel, milliseconds};
use crate::launcher::serve::keep_to_ourselves;
use crate::launcher::signals::Mask;
use crate::launcher::wire;
use crate::limits::explained;

/// A guard's `argv[0]`: what a process list shows, and how the binary knows that it is one. etalon's process and the
/// service's name follow as arguments; the socket is standard input.
pub(super) const MARKER: &str = "etalon-service";

/// Becomes a guard, and does not return, if this process was started to be one. Call it at the beginning of `main`,
/// before there is a second thread.
#[expect(clippy::disallowed_methods, reason = "here this process is a guard, not etalon")]
pub fn run_if_asked() {
    let mut arguments = std::env::args_os();
    if arguments.next().is_none_or(|name| name != *MARKER) {
        return;
    }
    let parent = arguments.next().and_then(|number| number.to_str()?.parse().ok());
    let guarded = parent.map_or(Err(io::ErrorKind::InvalidInput.into()), guard);
    std::process::exit(i32::from(guarded.is_err()));
}

/// A guard's life: `parent` is etalon, the socket to it standard input.
fn guard(parent: libc::pid_t) -> io::Result<()> {
    let signals = settle(parent)?;
    let control = UnixStream::from(rustix::stdio::stdin().try_clone_to_owned()?);
    let mut files = wire::take(&control)?.into_iter();
    let mut control = Channel::new(control);
    let setup = control.receive::<Setup>()?;
    let (Some(setup), Some(log)) = (setup, files.next()) else { return Ok(()) };
    let later = files.next();
    let mut guard = Guard {
        control: Some(control),
        signals,
        setup,
        log,
        later,
        children: Children::default(),
        told_end: false,
    };
    guard.serve();
    drop(files); // until here, the guard before this one waits where etalon is gone
    Ok(())
}

/// Arranges the process: whose death ends it, whose orphans it gets, what it passes on. Signals are read from what
/// this returns.
fn settle(parent: libc::pid_t) -> io::Result<File> {
    let mask =
        [libc::SIGTERM, libc::SIGINT, libc::SIGHUP].into_iter().fold(Mask::empty(), Mask::with);
    let mask = mask.with(libc::SIGCHLD);
    mask.apply();
    // SAFETY: these calls have no memory preconditions. SIGCHLD may have been inherited as ignored, which would take
    // our children's statuses away.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        libc::prctl(libc::PR_SET_NAME, c"etalon-service".as_ptr());
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
        if libc::getppid() != parent {
            return Err(io::ErrorKind::NotConnected.into()); // etalon died before the line above
        }
    }
    keep_to_ourselves()?;
    mask.descriptor().map(File::from)
}

/// An event that a guard waits for.
enum Event {
    /// etalon asks for something.
    Asked(Order),
    /// etalon is gone.
    HungUp,
    /// A signal asks the guard to end.
    Told,
    /// Some child has ended, and is reaped.
    Child,
    /// It is late.
    Deadline,
}

struct Guard {
    /// The socket to etalon; absent when it has hung up.
    control: Option<Channel>,
    signals: File,
    setup: Setup,
    log: OwnedFd,
    /// Ends when the guard that was started after this one does.
    later: Option<OwnedFd>,
    children: Children,
    /// Whether etalon knows that the service has ended by itself.
    told_end: bool,
}

impl Guard {
    fn serve(&mut self) {
        loop {
            match self.wait(self.children.deadline()) {
                Event::Asked(Order::Start) => self.start(),
                Event::Asked(Order::Execute { execute, within_ns }) => {
                    let deadline = Instant::now() + Duration::from_nanos(within_ns);
                    if let Err(executed) = self.children.begin(&execute, &self.setup, deadline) {
                        self.say(&Reply::Executed(executed));
                    }
                }
                Event::Asked(Order::Stop) | Event::Told => return self.stop(),
                Event::Asked(Order::Kill) => return self.end(None),
                Event::HungUp => {
                    self.wait_for_later();
                    return self.stop();
                }
                Event::Child => self.look(),
                Event::Deadline => self.children.end_command(),
            }
        }
    }

    fn start(&mut self) {
        let started = self.children.start(&self.setup, self.log.as_fd());
        self.say(&match started {
            Ok(()) => Reply::Started,
            Err(error) => Reply::NotStarted { why: explained(&error) },
        });
    }

    /// Tells what has ended.
    fn look(&mut self) {
        if let Some(executed) = self.children.executed() {
            self.say(&Reply::Executed(executed));
        }
        if let Some(ended) = self.children.ended().filter(|_| !self.told_end) {
            self.told_end = true;
            self.say(&Reply::Ended(ended));
        }
    }

    /// Stops the service: by its command or SIGTERM, and when its time is over by SIGKILL. The command is executed
    /// even if the service has ended: something may be left of it that is not below this process.
    fn stop(&mut self) {
        self.children.forget_command();
        let deadline = Instant::now() + Duration::from_nanos(self.setup.stop_within_ns);
        let by_command = self.setup.stop.clone().filter(|_| self.children.were_started());
        let mut failed = None;
        let mut by_signal = by_command.is_none();
        if let Some(execute) = by_command {
            failed = self.children.begin(&execute, &self.setup, deadline).err();
            by_signal = failed.is_some();
        }
        while self.children.are_there() {
            if by_signal {
                self.children.terminate();
            }
            match self.wait(Some(deadline)) {
                Event::Asked(Order::Kill) => break,
                Event::Deadline => {
                    let late = || Executed { outcome: Outcome::TimedOut, output: Text::default() };
                    failed = failed.or_else(|| self.children.is_executing().then(late));
                    break;
                }
                Event::Child if !by_signal => {
                    let badly = |executed: &Executed| executed.outcome != Outcome::Ok;
                    failed = self.children.executed().filter(badly);
                    by_signal = failed.is_some();
                }
                _ => {}
            }
        }
        self.end(failed);
    }

    /// Kills whatever is there, and tells how it went.
    fn end(&mut self, stop_failed: Option<Executed>) {
        let killed = self.children.kill();
        let outcome = self.children.outcome();
        self.say(&Reply::Stopped(Stopped { outcome, killed, stop_failed }));
    }

    /// Waits until the guard that was started after this one has ended.
    fn wait_for_later(&mut self) {
        let Some(later) = self.later.take() else { return };
        // Nothing is ever written to it; a signal that comes meanwhile is blocked.
        let _end = File::from(later).read(&mut [0]);
    }

    /// Waits for what happens next.
    fn wait(&mut self, deadline: Option<Instant>) -> Event {
        loop {
            if self.control.as_ref().is_some_and(Channel::has_more) {
                return self.asked();
            }
            let mut polled = [
                polled(self.control.as_ref().map_or(-1, Channel::descriptor)),
                polled(self.signals.as_raw_fd()),
            ];
            // SAFETY: `polled` is writable, and holds two entries; a negative descriptor is skipped.
            let ready = unsafe { libc::poll(polled.as_mut_ptr(), 2, milliseconds(deadline)) };
            match ready {
                1.. if polled[0].revents != 0 => return self.asked(),
                1.. => {
                    if let Some(event) = self.signalled() {
                        return event;
                    }
                }
                0 if deadline.is_some_and(|deadline| Instant::now() >= deadline) => {
                    return Event::Deadline;
                }
                _ => {} // a signal that is not blocked
            }
        }
    }

    /// Takes etalon's next message.
    fn asked(&mut self) -> Event {
        let asked = self.control.as_mut().map(Channel::receive);
        match asked {
            Some(Ok(Some(asked))) => Event::Asked(asked),
            _ => {
                self.control = None;
                Event::HungUp
            }
        }
    }

    /// Takes the signals that came.
    fn signalled(&mut self) -> Option<Event> {
        let mut event = None;
        let mut info = [0_u8; size_of::<libc::signalfd_siginfo>()];
        while self.signals.read_exact(&mut info).is_ok() {
            // The number is the first field.
            let signal = i32::from_ne_bytes([info[0], info[1], info[2], info[3]]);
            if signal == libc::SIGCHLD {
                self.children.reap();
                self.children.end_halted();
                event = event.or(Some(Event::Child));
            } else {
                event = Some(Event::Told);
            }
        }
        event
    }

    /// Tells etalon, if it is there.
    fn say(&mut self, reply: &Reply) {
        if let Some(control) = &mut self.control {
            let _it_is_seen_to_be_gone = control.send(reply);
        }
    }
}

fn polled(fd: RawFd) -> libc::pollfd {
    libc::pollfd { fd, events: libc::POLLIN | libc::POLLRDHUP, revents: 0 }
}
