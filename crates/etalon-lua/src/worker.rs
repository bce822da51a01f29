//! etalon's side of a worker: starting it, asking it, listening to it, ending it.
//!
//! Owns the process with its supervisor, the socket and the pipe. Whatever a suite prints is taken
//! from the pipe whenever the worker is waited for, so it never blocks on it; whatever it does to
//! its process, everything it said before is handed out first and then how it ended. Refuses lines that
//! are no answer to what was asked (`Expected`), and to decide how long is too long: the caller kills.

mod error;
mod limits;
mod output;
mod process;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use etalon_core::model::Outcome;
use etalon_probe::clock;
use etalon_probe::halts::Halts;
use etalon_probe::launcher::protocol::Control;

use crate::host::Host;
use crate::protocol::{self, Answer, Expected, Request};
pub use error::WorkerError;
pub use limits::{Limits, MemoryLimit, MemoryOrigin};
use output::Drain;
pub use output::Output;
use process::Process;

/// A line longer than this is none: the longest line a record may have.
const LONGEST: usize = 16 << 20;

/// How long a worker that closed its channel may take to end by itself, so that its own exit code
/// is seen. Because from the end of the channel to that of the process it is microseconds.
const GRACE: Duration = Duration::from_millis(200);

/// How long a request may wait to be taken. A worker that is waited for reads at once; one that
/// takes longer was stopped.
const TAKE: Duration = Duration::from_secs(10);

/// How a worker is started.
#[derive(Debug, Clone, Copy)]
pub struct WorkerSpec<'a> {
    /// Which Lua it is.
    pub host: &'a Host,
    /// Its limits.
    pub limits: &'a Limits,
    /// The conditions that it is executed under: CPUs and niceness.
    pub control: &'a Control,
    /// The directory it is executed in; absolute.
    pub directory: &'a Path,
    /// How many bytes its environment is larger, if that is randomised.
    pub padding: Option<u32>,
    /// The words in front of those that it is called with: of a program that executes and counts it.
    pub under: &'a [OsString],
}

/// How a worker ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// How its process ended.
    pub outcome: Outcome,
    /// How many processes it had started were still running then, and were killed.
    pub orphans: u32,
}

/// A running worker. Dropping it ends it, with everything it started.
#[derive(Debug)]
pub struct Worker {
    process: Process,
    control: UnixStream,
    /// Bytes that were received and not handed out.
    received: Vec<u8>,
    drain: Drain,
    expected: Expected,
    halts: Halts,
    ended: Option<End>,
}

/// The event that a wait for a worker ends with.
enum Event {
    /// Nothing happened, or a signal came.
    Nothing,
    /// It may have said or printed something.
    Readable,
    /// Its process is over.
    Over,
}

impl Worker {
    /// Starts a worker.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(spec: &WorkerSpec<'_>) -> Result<Worker, WorkerError> {
        let (ours, theirs) = UnixStream::pair().map_err(WorkerError::Start)?;
        ours.set_nonblocking(true).map_err(WorkerError::Start)?;
        let (process, drain) = Process::start(spec, theirs).map_err(WorkerError::Start)?;
        let (received, expected) = (Vec::new(), Expected::default());
        Ok(Worker {
            process,
            control: ours,
            received,
            drain,
            expected,
            halts: Halts::default(),
            ended: None,
        })
    }

    /// Its supervisor's process, which ends after it.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Sends a request. One that a worker which has ended cannot take is not an error here:
    /// [`Worker::wait`] tells how it ended.
    ///
    /// # Errors
    /// If it does not take the request.
    pub fn ask(&mut self, request: &Request) -> Result<(), WorkerError> {
        self.expected.asked(request);
        let line = request.to_line();
        let mut rest = line.as_bytes();
        let deadline = Deadline::after(TAKE);
        while !rest.is_empty() {
            match self.control.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    self.drain.take();
                    if deadline.over() {
                        return Err(WorkerError::Deaf);
                    }
                    let mut polled = [poll_for(self.control.as_raw_fd(), libc::POLLOUT)];
                    poll(&mut polled, Duration::from_millis(50)).map_err(WorkerError::Control)?;
                }
                Err(e) if hung_up(&e) => return Ok(()),
                Err(error) => return Err(WorkerError::Control(error)),
            }
        }
        Ok(())
    }

    /// Waits for the next thing the worker says, for at most `patience`. `None`: nothing yet, or a
    /// signal came. After [`Answer::Ended`] there is nothing else.
    ///
    /// # Errors
    /// If it says what nobody understands, or cannot be listened to; kill it then.
    pub fn wait(&mut self, patience: Duration) -> Result<Option<Answer>, WorkerError> {
        let deadline = Deadline::after(patience);
        loop {
            if let Some(answer) = self.next_answer()? {
                return Ok(Some(answer));
            }
            if let Some(end) = &self.ended {
                return Ok(Some(Answer::Ended(end.outcome.clone())));
            }
            match self.listen(deadline.left())? {
                Event::Over => self.end()?,
                Event::Readable => {
                    if self.receive()? == Silence::HungUp {
                        self.see_it_end()?;
                    }
                }
                Event::Nothing => {
                    let Some(signal) = self.halted() else { return Ok(None) };
                    self.end()?;
                    let killed = Outcome::Killed { signal: libc::SIGKILL };
                    if let Some(end) = self.ended.as_mut().filter(|end| end.outcome == killed) {
                        end.outcome = Outcome::Killed { signal };
                    }
                }
            }
        }
    }

    /// The signal by which something of it has stopped itself, which nobody continues.
    fn halted(&mut self) -> Option<i32> {
        Some(self.halts.below(self.pid().cast_signed()).first()?.signal)
    }

    /// Waits for the end of a worker that was asked for it: for as long as a request may wait.
    ///
    /// # Errors
    /// If it cannot be listened to.
    pub fn wait_for_its_end(&mut self) -> Result<(), WorkerError> {
        let deadline = Deadline::after(TAKE);
        while self.ended.is_none() && !deadline.over() {
            self.wait(deadline.left())?;
        }
        Ok(())
    }

    /// Its output since the last call: the first 64 KiB, and how much more there was.
    pub fn output(&mut self) -> Output {
        self.drain.take();
        self.drain.output()
    }

    /// Ends it now, with everything it started; tells how it ended, which is by the kill unless it
    /// had ended before.
    #[must_use]
    pub fn kill(mut self) -> End {
        match self.ended.take() {
            Some(end) => end,
            None => self.process.end(),
        }
    }

    /// The next whole line.
    fn next_answer(&mut self) -> Result<Option<Answer>, WorkerError> {
        let Some(end) = self.received.iter().position(|&byte| byte == b'\n') else {
            if self.received.len() > LONGEST {
                return Err(WorkerError::garbled(&self.received, "longer than 16 MiB"));
            }
            return Ok(None);
        };
        let rest = self.received.split_off(end + 1);
        let line = std::mem::replace(&mut self.received, rest);
        // What was printed before the line was said is in the pipe already.
        self.drain.take();
        let answer = protocol::read(&line).and_then(|(request, answer)| {
            self.expected.take(request, &answer)?;
            Ok(answer)
        });
        answer.map(Some).map_err(|why| WorkerError::garbled(&line, &why))
    }

    /// Waits until something happens to the worker.
    fn listen(&self, patience: Duration) -> Result<Event, WorkerError> {
        let mut polled = [
            poll_for(self.control.as_raw_fd(), libc::POLLIN),
            poll_for(self.process.descriptor(), libc::POLLIN),
            poll_for(self.drain.descriptor(), libc::POLLIN),
        ];
        if poll(&mut polled, patience).map_err(WorkerError::Control)? == 0 {
            return Ok(Event::Nothing);
        }
        Ok(if polled[1].revents == 0 { Event::Readable } else { Event::Over })
    }

    /// Takes what there is from the socket and the pipe.
    fn receive(&mut self) -> Result<Silence, WorkerError> {
        self.drain.take();
        let mut piece = [0_u8; 8192];
        loop {
            match self.control.read(&mut piece) {
                Ok(0) => return Ok(Silence::HungUp),
                Ok(length) => self.received.extend_from_slice(&piece[..length]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Ok(Silence::ForNow),
                Err(e) if hung_up(&e) => return Ok(Silence::HungUp),
                Err(error) => return Err(WorkerError::Control(error)),
            }
        }
    }

    /// The channel is closed: the process is about to end, or is no use any more.
    fn see_it_end(&mut self) -> Result<(), WorkerError> {
        let deadline = Deadline::after(GRACE);
        while !deadline.over() {
            let mut polled = [poll_for(self.process.descriptor(), libc::POLLIN)];
            let left = deadline.left().min(Duration::from_millis(20));
            if poll(&mut polled, left).map_err(WorkerError::Control)? > 0 {
                break;
            }
            self.drain.take(); // it may be printing its last
        }
        self.end()
    }

    /// Takes its last words, and puts its process and what it started away.
    fn end(&mut self) -> Result<(), WorkerError> {
        let end = self.process.end();
        self.receive()?;
        self.drain.take();
        self.ended = Some(end);
        Ok(())
    }
}

/// Why nothing more is read from the socket.
#[derive(PartialEq, Eq)]
enum Silence {
    ForNow,
    HungUp,
}

fn hung_up(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

fn poll_for(fd: RawFd, events: libc::c_short) -> libc::pollfd {
    libc::pollfd { fd, events, revents: 0 }
}

/// Polls; 0 when nothing happened in time or a signal came. Rounds up, so as not to spin.
fn poll(polled: &mut [libc::pollfd], patience: Duration) -> io::Result<i32> {
    let milliseconds = i32::try_from(patience.as_micros().div_ceil(1000)).unwrap_or(i32::MAX);
    let count = libc::nfds_t::try_from(polled.len()).unwrap_or(0);
    // SAFETY: `polled` is writable for `count` entries; negative descriptors are skipped.
    match unsafe { libc::poll(polled.as_mut_ptr(), count, milliseconds) } {
        ready @ 0.. => Ok(ready),
        _ => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::Interrupted => Ok(0),
            error => Err(error),
        },
    }
}

/// A point in time.
struct Deadline(u64);

impl Deadline {
    fn after(patience: Duration) -> Deadline {
        let patience = u64::try_from(patience.as_nanos()).unwrap_or(u64::MAX);
        Deadline(clock::now_ns().saturating_add(patience))
    }

    fn left(&self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(clock::now_ns()))
    }

    fn over(&self) -> bool {
        self.left().is_zero()
    }
}
