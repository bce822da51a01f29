//! The process above a worker: what this binary does, re-executed, instead of being etalon.
//!
//! Owns: the worker's process (started by a fork, so that it costs no second exec), and everything it
//! leaves behind. The supervisor is a child subreaper, so what a suite has started becomes its child
//! when the worker ends, also what left the worker's group. Each worker has one of its own, because workers
//! that are alive together would share their orphans. It ends the worker and its orphans when etalon hangs
//! up, by whatever death. Refuses: to take part in anything that is timed; it sleeps until the end.
//!
//! Its standard input is the worker's channel, its standard output the worker's output, its standard
//! error the socket to etalon ([`Report`] is the one thing said there). All other descriptors are
//! closed: a suite inherits none.
//!
//! An interpreter that cannot load the native module cannot write to the channel, which is a socket. So every
//! interpreter gets a pipe, too; what comes out of it is passed on to the channel. With the native module the
//! pipe is closed before anything is measured.

use std::ffi::c_int;
use std::io;
use std::os::fd::RawFd;
use std::path::Path;

use etalon_probe::launcher::control;
use etalon_probe::launcher::orphans::Orphans;
use etalon_probe::launcher::protocol::Control;

use crate::host::Interpreter;
use crate::surroundings::{MARKER, Report, Surroundings, jit_of};
use crate::{embedded, foreign};

/// The worker's channel to etalon.
const CHANNEL: RawFd = 0;

/// The lowest descriptor that is none of the three streams.
const FIRST_PRIVATE: RawFd = 3;

/// Exit code of a worker that did not become one.
const NO_WORKER: c_int = 1;

/// Becomes a supervisor or its worker, and does not return, if this process was started to be one. Call
/// it at the beginning of `main`, before there is a second thread.
#[expect(clippy::disallowed_methods, reason = "here this process is not etalon")]
pub fn run_if_asked() {
    let mut arguments = std::env::args_os();
    if arguments.next().is_none_or(|name| name != *MARKER) {
        // A worker that something executes which has names of its own for programs.
        if arguments.next().is_some_and(|word| word == *MARKER) {
            let jit = arguments.next().and_then(|word| word.into_string().ok());
            std::process::exit(embedded::work(jit_of(jit)));
        }
        return;
    }
    let surroundings = Surroundings::read(arguments);
    std::process::exit(supervise(&surroundings));
}

/// Starts the worker and sees it to its end; in the worker, is it. Returns the exit code of either.
fn supervise(surroundings: &Surroundings) -> i32 {
    let Ok(etalon) = keep_streams_only() else { return NO_WORKER };
    let Ok(mut answers) = Answers::of(surroundings) else { return NO_WORKER };
    // SAFETY: no memory preconditions. SIGCHLD may have been inherited as ignored, which would take the
    // worker's status away. There is one thread, so the child of the fork can do whatever this process can.
    let (own, worker) = unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        (libc::getpid(), libc::fork())
    };
    match worker {
        0 => return become_worker(own, etalon, surroundings, &answers),
        ..0 => say(etalon, Report::NotStarted { error: last_error() }),
        _ => {
            answers.are_read_here();
            for stream in 1..FIRST_PRIVATE {
                close(stream); // it is the worker's: its hanging up has to be seen
            }
            let seen = see_to_its_end(worker, etalon, &mut answers);
            let status = reap(worker);
            answers.pass_on();
            let orphans = Orphans::default().end(worker);
            let error = seen.err().map(|error| error.raw_os_error().unwrap_or(0));
            let ended = Report::Ended { status, orphans };
            say(etalon, error.map_or(ended, |error| Report::NotStarted { error }));
        }
    }
    0
}

/// The pipe of a worker that cannot write to its channel. Both ends are closed where it is no use (any more).
#[derive(Default)]
struct Answers {
    ends: Option<(RawFd, RawFd)>,
}

impl Answers {
    /// The pipe, where another program is executed.
    fn of(surroundings: &Surroundings) -> io::Result<Answers> {
        if surroundings.interpreter == Interpreter::Embedded {
            return Ok(Answers::default());
        }
        let mut ends = [-1; 2];
        // SAFETY: `ends` has room for both.
        match unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } {
            0 => Ok(Answers { ends: Some((ends[0], ends[1])) }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// In the supervisor, which keeps the channel as long as there may be answers to pass on.
    fn are_read_here(&mut self) {
        match self.ends {
            None => close(CHANNEL),
            Some((reading, writing)) => {
                close(writing);
                // SAFETY: a call on descriptors without memory preconditions.
                unsafe { libc::fcntl(reading, libc::F_SETFL, libc::O_NONBLOCK) };
            }
        }
    }

    /// The descriptor to wait on; −1 for none.
    fn descriptor(&self) -> RawFd {
        self.ends.map_or(-1, |(reading, _)| reading)
    }

    /// Passes on what is there.
    fn pass_on(&mut self) {
        let mut piece = [0_u8; 8192];
        while let Some((reading, _)) = self.ends {
            // SAFETY: `piece` is writable for its length.
            let got = unsafe { libc::read(reading, piece.as_mut_ptr().cast(), piece.len()) };
            match usize::try_from(got) {
                Ok(got @ 1..) => send(CHANNEL, &piece[..got]),
                Err(_) if last_error() == libc::EAGAIN => return,
                Err(_) if last_error() == libc::EINTR => {}
                // Nobody has the other end.
                Ok(0) | Err(_) => {
                    close(reading);
                    close(CHANNEL);
                    self.ends = None;
                }
            }
        }
    }
}

/// Closes all that was inherited but the streams, moves the socket to etalon away from standard error,
/// and lets that be what standard output is. Returns the socket.
fn keep_streams_only() -> io::Result<RawFd> {
    close_private()?;
    // SAFETY: calls on descriptors of this process, without memory preconditions.
    let etalon = unsafe {
        let etalon = libc::fcntl(2, libc::F_DUPFD_CLOEXEC, FIRST_PRIVATE);
        if libc::dup2(1, 2) < 0 { -1 } else { etalon }
    };
    if etalon < 0 { Err(io::Error::last_os_error()) } else { Ok(etalon) }
}

fn close_private() -> io::Result<()> {
    // SAFETY: closes descriptors that nothing in this process owns yet.
    if unsafe { libc::close_range(FIRST_PRIVATE.cast_unsigned(), u32::MAX, 0) } == 0 {
        return Ok(());
    }
    // Before Linux 5.9, or where a sandbox refuses what it does not know.
    let open: Vec<RawFd> = std::fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    for descriptor in open.into_iter().filter(|descriptor| *descriptor >= FIRST_PRIVATE) {
        // SAFETY: as above; that of the list itself is closed already.
        unsafe { libc::close(descriptor) };
    }
    Ok(())
}

/// The child's part: take a group of its own, tie its life to the supervisor's, limit
/// itself, be a Lua.
fn become_worker(
    supervisor: libc::pid_t,
    etalon: RawFd,
    surroundings: &Surroundings,
    answers: &Answers,
) -> i32 {
    // SAFETY: no memory preconditions; `limit` is readable. Rust ignores SIGPIPE, and what a suite starts
    // would inherit that.
    let limited = unsafe {
        libc::close(etalon);
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != supervisor {
            return NO_WORKER; // it ended before the line above
        }
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        surroundings.memory.is_none_or(|bytes| {
            let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
            libc::setrlimit(libc::RLIMIT_AS, &raw const limit) == 0
        })
    };
    if !limited {
        embedded::fail_on(
            CHANNEL,
            &format!("cannot limit its memory: {}", io::Error::last_os_error()),
        );
        return NO_WORKER;
    }
    let Surroundings { cpus, nice, jit, under, interpreter, .. } = surroundings;
    let control = Control { cpus: cpus.clone(), nice: *nice, ..Control::default() };
    if let Err(refusal) = control::take_on(&control) {
        embedded::fail_on(CHANNEL, &format!("{}: {}", refusal.subject, refusal.why));
        return NO_WORKER;
    }
    if *interpreter == Interpreter::Embedded && under.is_empty() {
        return embedded::work(*jit);
    }
    let writing = answers.ends.map_or(-1, |(_, writing)| writing);
    let error = foreign::execute((interpreter, under), *jit, writing);
    let program = under.first().map(Path::new).or(interpreter.program());
    embedded::fail_on(
        CHANNEL,
        &format!("cannot execute {}: {error}", program.unwrap_or(Path::new("it")).display()),
    );
    NO_WORKER
}

/// Waits until the worker has ended, or etalon has hung up; then the worker is killed.
fn see_to_its_end(worker: libc::pid_t, etalon: RawFd, answers: &mut Answers) -> io::Result<()> {
    // SAFETY: no memory preconditions; the worker is not reaped.
    let process = unsafe { libc::syscall(libc::SYS_pidfd_open, worker, 0) };
    let watched = match c_int::try_from(process) {
        Ok(process @ 0..) => wait_for_either(process, etalon, answers),
        _ => Err(io::Error::last_os_error()),
    };
    if !watched.as_ref().is_ok_and(|first| *first == First::Worker) {
        // SAFETY: no memory preconditions; the worker is not reaped, so the number is its.
        unsafe { libc::kill(worker, libc::SIGKILL) };
    }
    watched.map(|_| ())
}

/// Whose end came first.
#[derive(PartialEq, Eq)]
enum First {
    Worker,
    Etalon,
}

fn wait_for_either(process: RawFd, etalon: RawFd, answers: &mut Answers) -> io::Result<First> {
    loop {
        let mut polled = [
            libc::pollfd { fd: etalon, events: libc::POLLIN | libc::POLLRDHUP, revents: 0 },
            libc::pollfd { fd: process, events: libc::POLLIN, revents: 0 },
            libc::pollfd { fd: answers.descriptor(), events: libc::POLLIN, revents: 0 },
        ];
        // SAFETY: `polled` is writable, and holds three entries.
        let ready = unsafe { libc::poll(polled.as_mut_ptr(), 3, -1) };
        match ready {
            1.. if polled[1].revents != 0 => return Ok(First::Worker),
            1.. if polled[0].revents != 0 => return Ok(First::Etalon),
            1.. => answers.pass_on(),
            _ if last_error() == libc::EINTR => {}
            _ => return Err(io::Error::last_os_error()),
        }
    }
}

/// The worker's status, as `wait` gives it.
fn reap(worker: libc::pid_t) -> c_int {
    let mut status = 0;
    // SAFETY: `status` is writable.
    while unsafe { libc::waitpid(worker, &raw mut status, 0) } < 0 && last_error() == libc::EINTR {}
    status
}

/// Says the one thing there is to say; etalon may be gone.
fn say(etalon: RawFd, report: Report) {
    send(etalon, report.to_line().as_bytes());
}

/// Sends all of it, unless there is nobody to get it.
fn send(to: RawFd, bytes: &[u8]) {
    let mut rest = bytes;
    while !rest.is_empty() {
        // SAFETY: `rest` is readable for its length.
        let sent = unsafe { libc::send(to, rest.as_ptr().cast(), rest.len(), libc::MSG_NOSIGNAL) };
        match usize::try_from(sent) {
            Ok(sent) => rest = rest.get(sent..).unwrap_or_default(),
            Err(_) if last_error() == libc::EINTR => {}
            Err(_) => return,
        }
    }
}

fn close(descriptor: RawFd) {
    // SAFETY: no memory preconditions; nothing in this process owns it.
    unsafe { libc::close(descriptor) };
}

fn last_error() -> c_int {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
