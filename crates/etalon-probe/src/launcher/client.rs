//! etalon's side: starting the launcher, telling it what there is to execute, handing it batches, ending it.
//!
//! Owns: the launcher process and the socket to it. Refuses: to interpret what is recorded (etalon
//! follows the record file) and to be used from anywhere but the thread that lives longest: the
//! launcher ends when the thread that started it does.

pub(crate) mod error;
pub(crate) mod process;
mod suspend;

use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use etalon_record::{BenchmarkLine, Text};
use serde::Serialize;

use super::protocol::{
    Appended, Batch, Command, Extent, Leftover, Over, Perform, Ready, Reply, Request, Setup,
};
use super::signals;
use super::wire::{self, Wire};
use crate::channel::{Channel, is_gone};
use crate::halts::{Halted, Halts};
pub use error::LauncherError;
use process::{Outputs, Process};
use suspend::Companion;
pub use suspend::{awake_ns, paused_ns};

/// A running launcher.
#[derive(Debug)]
pub struct Launcher {
    process: Process,
    /// Stops and resumes with etalon.
    companion: Companion,
    control: Channel,
    commands: usize,
    hooks: usize,
    /// Those around executions included.
    has_hooks: bool,
    /// How long an execution may take.
    timeout_ns: Option<u64>,
    stopped: Stopped,
    halts: Halts,
    ready: Ready,
}

/// A stop of the launcher that is not etalon's: a command may stop its parent.
#[derive(Debug, Default, Clone, Copy)]
struct Stopped {
    /// When it was seen.
    since_ns: Option<u64>,
    /// Whether etalon had it go on since that was asked last.
    is_over: bool,
}

/// How a batch ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// Blocks that were executed as a whole.
    pub blocks: u32,
    /// Why the batch is over.
    pub why: Over,
    /// Bytes that were appended to the files meanwhile.
    pub appended: Appended,
    /// Commands that were left out of the rest of it, see [`OnFailure::GiveUp`](super::protocol::OnFailure).
    pub given_up: Vec<usize>,
    /// Places in [`Setup::printed`] of the metrics that no command has printed so far.
    pub unseen: Vec<usize>,
    /// Processes that hooks had left running and that are ended now, see [`Launcher::end`].
    pub leftovers: Vec<Leftover>,
    /// Whether somebody had stopped the launcher, and etalon had it go on.
    pub was_stopped: bool,
}

/// A file that receives observations, opened by etalon for appending, its first lines written.
#[derive(Debug, Clone)]
pub struct Destination<'a> {
    /// The open file.
    pub file: BorrowedFd<'a>,
    /// Its path, for messages.
    pub path: Text,
}

/// A second file that receives observations.
#[derive(Debug, Clone)]
pub struct Second<'a> {
    /// An open file and its name.
    pub destination: Destination<'a>,
    /// The kind of its lines.
    pub lines: Lines,
}

/// The kind of the second file's lines.
#[derive(Debug, Clone)]
pub enum Lines {
    /// The record's own.
    Record,
    /// CSV rows of these benchmarks, one per command of the setup.
    Rows(Vec<BenchmarkLine>),
}

impl Launcher {
    /// Starts the launcher. It gets going while something else is done, and waits for
    /// [`Launcher::set_up`]. Call it on the main thread: when the calling thread
    /// ends, the launcher takes that for etalon's end. The program must call
    /// [`super::run_if_asked`] first thing in `main`.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start() -> Result<Launcher, LauncherError> {
        let (ours, theirs) = UnixStream::pair().map_err(LauncherError::Start)?;
        let process = Process::executed(wire::MARKER, None, theirs, Outputs::Etalons)
            .map_err(LauncherError::Start)?;
        Ok(Launcher::over(process, ours))
    }

    /// Starts it as a copy of this process, which is faster. Call it where [`Launcher::start`] may be called and
    /// this process has done nothing yet: as long as it has a single thread, and little memory.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn split_off() -> Result<Launcher, LauncherError> {
        let (ours, theirs) = UnixStream::pair().map_err(LauncherError::Start)?;
        let (process, ours) = Process::forked(theirs, ours).map_err(LauncherError::Start)?;
        Ok(Launcher::over(process, ours))
    }

    fn over(process: Process, control: UnixStream) -> Launcher {
        let companion = Companion::of(process.id().cast_signed());
        let (control, ready) = (Channel::new(control), Ready::default());
        let (timeout_ns, stopped, halts) = (None, Stopped::default(), Halts::default());
        let (commands, hooks, has_hooks) = (0, 0, false);
        Launcher {
            process,
            companion,
            control,
            commands,
            hooks,
            has_hooks,
            timeout_ns,
            stopped,
            halts,
            ready,
        }
    }

    /// Tells it what there is to execute and where to record it. What comes of that is told by
    /// [`Launcher::wait_until_ready`]; there are some milliseconds for something else before.
    ///
    /// # Errors
    /// If it is gone.
    pub fn set_up(
        &mut self,
        setup: &Setup,
        record: &Destination<'_>,
        second: Option<&Second<'_>>,
    ) -> Result<(), LauncherError> {
        (self.commands, self.hooks) = (setup.commands.len(), setup.hooks.len());
        self.timeout_ns = setup.timeout_ns;
        let around = |command: &Command| command.prepare.is_some() || command.conclude.is_some();
        self.has_hooks = self.hooks > 0 || setup.commands.iter().any(around);
        let mut files = vec![rustix::stdio::stdin(), record.file];
        files.extend(second.map(|second| second.destination.file));
        let passed = wire::pass(self.control.socket(), &files);
        passed.map_err(|error| self.cannot_send(error))?;
        self.send(&wire(setup, record, second))
    }

    /// Waits until everything is set up.
    ///
    /// # Errors
    /// If it is gone, or something named in the setup cannot be opened or had.
    pub fn wait_until_ready(&mut self) -> Result<(), LauncherError> {
        match self.receive()? {
            Reply::Ready(ready) => self.ready = ready,
            Reply::Refused(refusal) => return Err(LauncherError::Refused(refusal)),
            Reply::Begun | Reply::Over { .. } => return Err(self.lost()),
        }
        Ok(())
    }

    /// The part of the setup that could be had.
    #[must_use]
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// The launcher's process. Valid until [`LauncherError::Lost`].
    #[must_use]
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    /// Ends what is under way, which [`Launcher::wait`] then returns as interrupted.
    pub fn interrupt(&mut self) {
        self.stopped.is_over |= self.process.is_stopped();
        self.process.terminate();
    }

    /// Has a launcher go on that was stopped for longer than an execution may take: its own timer cannot end one then.
    fn go_on(&mut self) {
        let Some(timeout_ns) = self.timeout_ns else { return };
        if !self.process.is_stopped() {
            self.stopped.since_ns = None;
            return;
        }
        let now = awake_ns();
        let since = *self.stopped.since_ns.get_or_insert(now);
        if now.saturating_sub(since) > timeout_ns {
            self.stopped = Stopped { since_ns: None, is_over: true };
            self.process.resume();
        }
    }

    /// Has it end an execution of which something has stopped itself. The launcher sees that of its children alone.
    fn end_halted(&mut self) {
        for Halted { signal, line } in self.halts.below(self.process.id().cast_signed()) {
            // An execution leads its group; a keeper above it is in the launcher's.
            // SAFETY: no memory preconditions; of a process that is gone, the launcher takes no notice.
            let leads = |pid: &libc::pid_t| unsafe { libc::getpgid(*pid) == *pid };
            if let Some(leader) = line.into_iter().find(leads) {
                self.process.tell(libc::SIGALRM, signals::halt(leader, signal));
            }
        }
    }

    /// Hands over a batch. It is executed whether or not [`Launcher::wait`] is called.
    ///
    /// # Errors
    /// If the launcher is gone, or the batch names a command that was not set up.
    pub fn begin(&mut self, batch: &Batch) -> Result<(), LauncherError> {
        let padded = batch.padding.is_empty() || batch.padding.len() == batch.blocks.len();
        if !padded || batch.blocks.iter().flatten().any(|command| *command >= self.commands) {
            return Err(LauncherError::NoSuchCommand);
        }
        self.send(&Request::Batch(batch.clone()))
    }

    /// Hands over a setup or cleanup, and returns when it has begun; [`Launcher::wait`] tells when
    /// it is over, with no blocks. An interrupt that was sent before does not end a cleanup; one
    /// that is sent after this has returned does.
    ///
    /// # Errors
    /// If the launcher is gone, or the hook was not set up.
    pub fn perform(&mut self, perform: Perform) -> Result<(), LauncherError> {
        if perform.hook >= self.hooks {
            return Err(LauncherError::NoSuchCommand);
        }
        self.send(&Request::Perform(perform))?;
        match self.receive()? {
            Reply::Begun => Ok(()),
            Reply::Ready(_) | Reply::Refused(_) | Reply::Over { .. } => Err(self.lost()),
        }
    }

    /// Whether there are hooks, which may have started something.
    #[must_use]
    pub fn has_hooks(&self) -> bool {
        self.has_hooks
    }

    /// Has it end what hooks have left running, after the cleanups of a stage or after the last; [`Launcher::wait`]
    /// tells what that was. It is asked to end (SIGTERM), and killed if it does not or an interrupt comes.
    ///
    /// # Errors
    /// If the launcher is gone.
    pub fn end(&mut self, extent: Extent) -> Result<(), LauncherError> {
        self.send(&Request::End(extent))
    }

    /// Waits for the batch, or hook, to be over, for at most `patience` (without one, as long as it
    /// takes). `None` if it is not over yet, or a signal came.
    ///
    /// # Errors
    /// If the launcher is gone.
    pub fn wait(&mut self, patience: Option<Duration>) -> Result<Option<Finished>, LauncherError> {
        if !self.control.is_readable(patience).map_err(LauncherError::Control)? {
            self.go_on();
            self.end_halted();
            return Ok(None);
        }
        match self.receive()? {
            Reply::Over { blocks_finished: blocks, why, appended, given_up, unseen, leftovers } => {
                let was_stopped = std::mem::take(&mut self.stopped).is_over;
                Ok(Some(Finished {
                    blocks,
                    why,
                    appended,
                    given_up,
                    unseen,
                    leftovers,
                    was_stopped,
                }))
            }
            Reply::Ready(_) | Reply::Refused(_) | Reply::Begun => Err(self.lost()),
        }
    }

    /// Lets it end, which takes it as long as an execution: nothing more will be asked of it. An execution in flight
    /// goes on. [`Drop`] waits for its end.
    pub fn hang_up(&mut self) {
        self.control.hang_up();
    }

    fn send<T: Serialize>(&mut self, message: &T) -> Result<(), LauncherError> {
        let sent = self.control.send(message);
        sent.map_err(|error| self.cannot_send(error))
    }

    fn cannot_send(&mut self, error: io::Error) -> LauncherError {
        if is_gone(&error) { self.lost() } else { LauncherError::Control(error) }
    }

    fn receive(&mut self) -> Result<Reply, LauncherError> {
        match self.control.receive().map_err(LauncherError::Control)? {
            Some(reply) => Ok(reply),
            None => Err(self.lost()),
        }
    }

    /// It closed its end, so it is ending or misbehaving: make sure of the former.
    fn lost(&mut self) -> LauncherError {
        self.interrupt();
        self.companion.leave();
        LauncherError::Lost(self.process.wait().ok().flatten())
    }
}

impl Drop for Launcher {
    /// Ends the launcher: an execution in flight is killed, and nothing is left behind. Hanging up
    /// comes first, or the interrupt would be taken for one that something is executed after.
    fn drop(&mut self) {
        self.hang_up();
        self.interrupt();
        self.companion.leave();
        let _ = self.process.wait();
    }
}

fn wire(setup: &Setup, record: &Destination<'_>, second: Option<&Second<'_>>) -> Wire {
    Wire {
        setup: setup.clone(),
        record: record.path.clone(),
        second: second.map(|second| second.destination.path.clone()),
        rows: second.and_then(|second| match &second.lines {
            Lines::Record => None,
            Lines::Rows(benchmarks) => Some(benchmarks.clone()),
        }),
    }
}
