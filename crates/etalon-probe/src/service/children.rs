//! A guard's children: the service, a command beside it, and whatever they have left.
//!
//! Owns: starting them, each in a process group of its own and dead if the guard is; their ends. Refuses: to wait.

use std::ffi::{OsStr, OsString, c_int};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use etalon_core::model::{NotStarted, Outcome};
use etalon_record::Text;

use super::protocol::{Ended, Executed, Setup};
use crate::launcher::orphans::{Groups, Orphans, children, exited_child};
use crate::launcher::protocol::Execute;
use crate::launcher::signals::Mask;
use crate::launcher::spawn::{self, Change};
use crate::limits::explained;
use crate::memory_file;

/// So much of what a command writes is told.
const TOLD: usize = 16 * 1024;

/// How long something that was killed may take to end.
const PATIENCE: Duration = Duration::from_secs(2);
/// Pause between two looks whether it has.
const PAUSE: Duration = Duration::from_micros(200);

/// A guard's children.
#[derive(Default)]
pub(super) struct Children {
    service: Option<Started>,
    command: Option<Beside>,
    /// Whether the service's own process has ended well, and others of it have not ended.
    is_daemon: bool,
    /// How the last of those ended that the guard has not started itself.
    last_orphan: Option<c_int>,
    /// Process groups that were asked to end.
    asked: Groups,
}

/// A process that leads a group.
struct Started {
    group: libc::pid_t,
    /// The signal by which it stopped itself.
    halted: Option<i32>,
    status: Option<c_int>,
}

impl Started {
    fn leading(group: libc::pid_t) -> Started {
        Started { group, halted: None, status: None }
    }
}

/// A command beside the service.
struct Beside {
    process: Started,
    output: File,
    deadline: Instant,
    is_late: bool,
}

impl Children {
    /// Starts the service.
    pub(super) fn start(&mut self, setup: &Setup, log: BorrowedFd<'_>) -> io::Result<()> {
        let group = started(&setup.start, setup, log)?;
        self.service = Some(Started::leading(group));
        Ok(())
    }

    /// Starts a command beside it. Of one that cannot be started, how it ended.
    pub(super) fn begin(
        &mut self,
        execute: &Execute,
        setup: &Setup,
        deadline: Instant,
    ) -> Result<(), Executed> {
        let begun = memory_file::named(c"etalon-service-command").and_then(|output| {
            let group = started(execute, setup, output.as_fd())?;
            Ok(Beside { process: Started::leading(group), output, deadline, is_late: false })
        });
        match begun {
            Ok(command) => self.command = Some(command),
            Err(error) => {
                let outcome = Outcome::NotStarted { why: NotStarted::Other(explained(&error)) };
                return Err(Executed { outcome, output: Text::default() });
            }
        }
        Ok(())
    }

    /// Whether the service was started.
    pub(super) fn were_started(&self) -> bool {
        self.service.is_some()
    }

    /// Whether a command is under way.
    pub(super) fn is_executing(&self) -> bool {
        self.command.is_some()
    }

    /// When the command under way has to be over.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.command.as_ref().filter(|command| !command.is_late).map(|command| command.deadline)
    }

    /// Ends the command under way, which took too long.
    pub(super) fn end_command(&mut self) {
        if let Some(command) = &mut self.command {
            command.is_late = true;
            command.process.kill();
        }
    }

    /// Ends the command under way, and nothing will be said of it.
    pub(super) fn forget_command(&mut self) {
        self.end_command();
        self.command = None;
    }

    /// The command, if it has ended.
    pub(super) fn executed(&mut self) -> Option<Executed> {
        let command = self.command.take_if(|command| command.process.status.is_some())?;
        let outcome = match command.process.status {
            Some(status) if !command.is_late => outcome(status),
            _ => Outcome::TimedOut,
        };
        let mut output = vec![0; TOLD];
        let read = command.output.read_at(&mut output, 0).unwrap_or(0);
        output.truncate(read);
        Some(Executed { outcome, output: Text::from(OsString::from_vec(output)) })
    }

    /// Takes note of everybody who has ended.
    pub(super) fn reap(&mut self) {
        while let Some(pid) = exited_child() {
            let of_command = self.command.as_ref().is_some_and(|it| it.process.group == pid);
            if of_command {
                kill_group(pid); // what it leaves in its group; its number is its own until it is reaped
            }
            let mut status = 0;
            // SAFETY: `status` is writable; the child has ended and is not reaped.
            unsafe { libc::waitpid(pid, &raw mut status, libc::__WALL) };
            match (&mut self.command, &mut self.service) {
                (Some(command), _) if of_command => command.process.ended(status),
                (_, Some(service)) if service.group == pid => {
                    service.ended(status);
                    self.is_daemon = status == 0 && self.others();
                }
                _ => self.last_orphan = Some(status),
            }
        }
    }

    /// Kills those that have stopped themselves: nobody continues them.
    pub(super) fn end_halted(&mut self) {
        let command = self.command.as_mut().map(|command| &mut command.process);
        for started in command.into_iter().chain(&mut self.service) {
            started.end_halted();
        }
    }

    /// Whether anybody is there beside the command under way.
    fn others(&self) -> bool {
        let command = self.command.as_ref().map(|command| command.process.group);
        children().into_iter().any(|pid| Some(pid) != command)
    }

    /// Whether anybody is there.
    pub(super) fn are_there(&self) -> bool {
        !children().is_empty()
    }

    /// How the service has ended, if it was started and has. A command that ended well may have left a daemon.
    pub(super) fn ended(&self) -> Option<Ended> {
        let status = self.service.as_ref()?.status?;
        if status == 0 && self.others() {
            return None;
        }
        Some(Ended { outcome: self.outcome(), daemon: self.is_daemon })
    }

    /// How its process ended; of a daemon, the last of its processes.
    pub(super) fn outcome(&self) -> Outcome {
        let of_service = self.service.as_ref().map(|service| service.status);
        let status = match of_service {
            Some(_) if self.is_daemon => self.last_orphan,
            Some(status) => status,
            None => return Outcome::Ok,
        };
        status.map_or(Outcome::Killed { signal: libc::SIGKILL }, outcome)
    }

    /// Asks every process group to end that was not asked yet.
    pub(super) fn terminate(&mut self) {
        self.asked.terminate();
    }

    /// Kills everybody; how many of the service's there were.
    pub(super) fn kill(&mut self) -> u32 {
        self.end_command();
        let was_there = self.service.as_ref().is_some_and(|service| service.status.is_none());
        self.service.iter().for_each(Started::kill);
        let began = Instant::now();
        let unreaped = |started: &Started| started.status.is_none();
        loop {
            self.reap();
            let command = self.command.as_ref().is_some_and(|command| unreaped(&command.process));
            if !command && !self.service.as_ref().is_some_and(unreaped)
                || began.elapsed() > PATIENCE
            {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        let group = self.service.as_ref().map_or(0, |service| service.group);
        let orphans = Orphans::default().end(group);
        if orphans > 0 {
            self.last_orphan = None;
        }
        orphans + u32::from(was_there)
    }
}

impl Started {
    /// Kills its group, if it has stopped.
    fn end_halted(&mut self) {
        if self.status.is_none()
            && let Some(Change::Stopped(signal)) = spawn::change(self.group)
        {
            self.halted = Some(signal);
            self.kill();
        }
    }

    /// Takes note of its status; of one that was killed for a stop, that of the stop.
    fn ended(&mut self, status: c_int) {
        let is_killed = libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL;
        let halted = self.halted.filter(|_| is_killed);
        self.status = Some(halted.map_or(status, |signal| libc::W_STOPCODE(signal)));
    }

    /// Kills its group, if it is there.
    fn kill(&self) {
        if self.status.is_none() {
            kill_group(self.group);
        }
    }
}

/// Kills the group of a child that is not reaped.
fn kill_group(group: libc::pid_t) {
    // SAFETY: no memory preconditions; the number is the group's as long as its leader is not reaped.
    unsafe { libc::kill(-group, libc::SIGKILL) };
}

fn outcome(status: c_int) -> Outcome {
    let status = ExitStatus::from_raw(status);
    match (status.code(), status.signal()) {
        (Some(0), _) => Outcome::Ok,
        (Some(code), _) => Outcome::Failed { code },
        (None, signal) => {
            let signal = signal.or(status.stopped_signal());
            Outcome::Killed { signal: signal.unwrap_or(libc::SIGKILL) }
        }
    }
}

/// Executes a program in a group of its own that reads nothing, and writes to this; it dies with this process.
fn started(execute: &Execute, setup: &Setup, output: BorrowedFd<'_>) -> io::Result<libc::pid_t> {
    let guard = std::process::id().cast_signed();
    let mut command = Command::new(execute.path.as_os_str());
    if let Some((name, arguments)) = execute.argv.split_first() {
        command.arg0(name.as_os_str()).args(arguments.iter().map(Text::as_os_str));
    }
    command
        .env_clear()
        .envs(setup.environment.iter().filter_map(assignment))
        .current_dir(setup.directory.as_os_str())
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(output.try_clone_to_owned()?)
        .stderr(output.try_clone_to_owned()?);
    let unblocked = Mask::empty(); // the guard's own is inherited otherwise
    let with_guard = move || {
        unblocked.apply();
        // SAFETY: both calls are async-signal-safe and have no memory preconditions.
        let orphaned = unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            libc::getppid() != guard
        };
        if orphaned { Err(io::ErrorKind::NotConnected.into()) } else { Ok(()) }
    };
    // SAFETY: what is executed in the child does nothing but three system calls; an error of a kind needs no memory.
    unsafe { command.pre_exec(with_guard) };
    Ok(command.spawn()?.id().cast_signed())
}

/// A variable and its value.
fn assignment(text: &Text) -> Option<(&OsStr, &OsStr)> {
    let text = text.as_bytes();
    let at = text.iter().position(|byte| *byte == b'=').filter(|at| *at > 0)?;
    Some((OsStr::from_bytes(&text[..at]), OsStr::from_bytes(&text[at + 1..])))
}
