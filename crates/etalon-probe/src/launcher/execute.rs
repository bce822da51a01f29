//! One execution: start, wait, read what it cost, end what it left behind.
//!
//! Owns: what happens between the two clock readings (block signals, clone, unblock, wait; nothing
//! else) and how an ending becomes an outcome. Refuses: to record (that is [`super::batch`]'s) and
//! to correct anything.
//!
//! No window is left for a signal: from before the clone until the group is known to the handlers
//! all signals are blocked, and the handlers kill by themselves (see [`super::signals`]).

use std::ffi::c_int;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

use etalon_core::model::Outcome;

use super::leftovers::Leftovers;
use super::metrics::{Source, Values};
use super::signals::{self, Mask};
use super::spawn::{self, Child, Ended, Program, Spawner};
use super::terminal::Terminal;
use crate::clock::now_ns;

/// What executions need besides their program.
pub(super) struct Executor {
    pub(super) spawner: Spawner,
    pub(super) timeout: Option<Duration>,
    pub(super) terminal: Option<Terminal>,
    pub(super) leftovers: Leftovers,
    /// Where waiting for a CPU is read, if it is wanted and there. It costs some 10 µs.
    pub(super) schedstat: Option<Schedstat>,
}

/// What one execution was.
#[derive(Debug)]
pub(super) struct Execution {
    pub(super) outcome: Outcome,
    /// When it began, on the monotonic clock.
    pub(super) began_ns: u64,
    pub(super) values: Values,
    /// Descendants that were still alive at its end.
    pub(super) leftovers: u32,
}

/// How an execution went.
pub(super) enum Executed {
    /// It came to an end.
    Finished(Execution),
    /// The experiment was stopped before or while it ran.
    Interrupted,
}

/// What was read when an execution came to its end.
struct End {
    ended: Ended,
    wall_ns: u64,
    waited: Option<Waited>,
    rang: bool,
    /// Its exit status and usage.
    reaped: Option<(c_int, libc::rusage)>,
    leftovers: u32,
}

impl Execution {
    /// An execution that did not come about, now.
    pub(super) fn not_started(error: &io::Error) -> Execution {
        Execution {
            outcome: Outcome::NotStarted { why: error.to_string() },
            began_ns: now_ns(),
            values: Values::default(),
            leftovers: 0,
        }
    }
}

impl Executor {
    /// Gives commands the foreground of this terminal while they run.
    pub(super) fn lend(&mut self, terminal: Terminal) {
        self.spawner.lend(terminal.descriptor());
        self.terminal = Some(terminal);
    }

    /// Executes `program` once.
    pub(super) fn execute(&mut self, program: &Program) -> Executed {
        match self.start(program) {
            None => Executed::Interrupted,
            Some(Err(error)) => Executed::Finished(Execution::not_started(&error)),
            Some(Ok((child, began_ns))) => {
                let end = self.end(child, began_ns);
                self.conclude(child, began_ns, &end)
            }
        }
    }

    /// Executes what cannot be executed; the child's resident size in bytes, which is our own.
    pub(super) fn rehearse(&mut self, nothing: &Program) -> Option<i64> {
        let (child, began_ns) = self.start(nothing)?.ok()?;
        Some(self.end(child, began_ns).reaped?.1.ru_maxrss * 1024)
    }

    /// Starts it, with the handlers knowing of it; nothing if the experiment has been stopped.
    fn start(&mut self, program: &Program) -> Option<io::Result<(Child, u64)>> {
        if let Some(timeout) = self.timeout {
            signals::arm(timeout);
        }
        Mask::full().apply();
        if signals::stopped() {
            signals::working_mask().apply();
            return None;
        }
        let began_ns = now_ns();
        let started = self.spawner.start(program);
        if let Ok(child) = started {
            signals::in_flight(child.pid);
        }
        signals::working_mask().apply();
        Some(started.map(|child| (child, began_ns)))
    }

    /// Waits for its end, and leaves nothing of it behind.
    fn end(&mut self, child: Child, began_ns: u64) -> End {
        let ended = spawn::wait(child.pid);
        let wall_ns = now_ns() - began_ns;
        if ended != Ended::Exited {
            signals::kill_group();
            spawn::wait_for_exit(child.pid);
        }
        let waited = self.schedstat.as_ref().and_then(|schedstat| schedstat.read(child.pid));
        let rang = self.timeout.is_some() && signals::disarm();
        signals::landed();
        let reaped = spawn::reap(child.pid);
        if let Some(terminal) = &self.terminal {
            terminal.take_back();
        }
        End { ended, wall_ns, waited, rang, reaped, leftovers: self.leftovers.end(child.pid) }
    }

    /// What it all means.
    fn conclude(&self, child: Child, began_ns: u64, end: &End) -> Executed {
        let Some((status, usage)) = &end.reaped else { return Executed::Interrupted };
        let (outcome, values) = match child.failed {
            Some(errno) => (exec_failed(errno), Values::default()),
            None => (outcome(*status, end.ended, end.rang), values(end.wall_ns, usage, end.waited)),
        };
        if self.interrupts(&outcome) {
            return Executed::Interrupted;
        }
        Executed::Finished(Execution { outcome, began_ns, values, leftovers: end.leftovers })
    }

    /// Whether this ending was brought about by a stop: our own SIGKILL, or a Ctrl-C typed while
    /// the command had the terminal. What ended by itself in spite of a stop counts.
    fn interrupts(&self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Killed { signal: libc::SIGINT } if self.terminal.is_some() => {
                signals::stop();
                true
            }
            Outcome::Killed { signal: libc::SIGKILL } => signals::stopped(),
            _ => false,
        }
    }
}

fn outcome(status: c_int, ended: Ended, rang: bool) -> Outcome {
    if let Ended::Stopped(signal) = ended {
        return Outcome::Killed { signal };
    }
    if libc::WIFSIGNALED(status) {
        let signal = libc::WTERMSIG(status);
        // The timer may ring after a command has ended by itself: only the kill is a timeout.
        return if rang && signal == libc::SIGKILL {
            Outcome::TimedOut
        } else {
            Outcome::Killed { signal }
        };
    }
    match libc::WEXITSTATUS(status) {
        0 => Outcome::Ok,
        code => Outcome::Failed { code },
    }
}

fn exec_failed(errno: i32) -> Outcome {
    let hint = match errno {
        libc::ENOEXEC => ": a script needs a #! line, or its interpreter named before it",
        libc::E2BIG => ": arguments and environment are too long together",
        libc::ENOENT => ": it, or the interpreter or loader it names, is gone",
        _ => "",
    };
    let why = format!("{}{hint}", io::Error::from_raw_os_error(errno));
    Outcome::NotStarted { why }
}

fn values(wall_ns: u64, usage: &libc::rusage, waited: Option<Waited>) -> Values {
    let mut values = Values::default();
    let us = |t: libc::timeval| t.tv_sec * 1_000_000 + t.tv_usec;
    let (user, sys) = (us(usage.ru_utime), us(usage.ru_stime));
    values.set(Source::Wall, i64::try_from(wall_ns).unwrap_or(i64::MAX));
    values.set(Source::User, user);
    values.set(Source::Sys, sys);
    values.set(Source::Cpu, user + sys);
    values.set(Source::Rss, usage.ru_maxrss * 1024); // KiB on Linux
    values.set(Source::Minflt, usage.ru_minflt);
    values.set(Source::Majflt, usage.ru_majflt);
    values.set(Source::Vcsw, usage.ru_nvcsw);
    values.set(Source::Ivcsw, usage.ru_nivcsw);
    if let Some(waited) = waited.filter(|waited| waited.covers(user + sys)) {
        values.set(Source::CpuWait, waited.wait_ns);
    }
    values
}

/// What the scheduler says about a process's main thread.
#[derive(Debug, Clone, Copy)]
struct Waited {
    run_ns: i64,
    wait_ns: i64,
}

impl Waited {
    /// Whether the main thread is nearly all of the execution: it had at least 90 % of its CPU time.
    fn covers(self, cpu_us: i64) -> bool {
        self.run_ns >= cpu_us.saturating_mul(900)
    }
}

/// `/proc/PID/schedstat`, where there is one.
pub(super) struct Schedstat {
    proc: OwnedFd,
}

impl Schedstat {
    /// Opens `/proc`, if it is that of our own process namespace.
    pub(super) fn open() -> Option<Schedstat> {
        let own = std::fs::read_link("/proc/self").ok();
        let ours =
            own.is_some_and(|pid| pid.as_os_str() == std::process::id().to_string().as_str());
        let proc = ours.then(|| std::fs::File::open("/proc").ok()).flatten()?;
        Some(Schedstat { proc: proc.into() })
    }

    /// Reads it for a child that has exited and is not reaped.
    fn read(&self, pid: libc::pid_t) -> Option<Waited> {
        let path = Path::to_schedstat(pid);
        let mut text = [0_u8; 64]; // two 64-bit numbers and a count
        // SAFETY: `path` is NUL-terminated; `text` is writable for its length; the descriptor is
        // closed once, here.
        let length = unsafe {
            let at = self.proc.as_raw_fd();
            let file = libc::openat(at, path.0.as_ptr().cast(), libc::O_RDONLY | libc::O_CLOEXEC);
            if file < 0 {
                return None;
            }
            let length = libc::read(file, text.as_mut_ptr().cast(), text.len());
            libc::close(file);
            usize::try_from(length).ok()?
        };
        let text = str::from_utf8(&text[..length]).ok()?;
        let mut numbers = text.split_ascii_whitespace().map(str::parse);
        Some(Waited { run_ns: numbers.next()?.ok()?, wait_ns: numbers.next()?.ok()? })
    }
}

/// `PID/schedstat`, without allocating.
struct Path([u8; 24]);

impl Path {
    fn to_schedstat(pid: libc::pid_t) -> Path {
        use std::io::Write;
        let mut bytes = [0_u8; 24]; // ten digits, ten letters and the NUL fit
        let _ = write!(&mut bytes[..23], "{pid}/schedstat");
        Path(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_known_only_where_the_main_thread_did_the_work() {
        // 2.3 of 211 ms were seen for a shell that starts others: its waiting says nothing.
        let seen = |run_ns| Waited { run_ns, wait_ns: 5 }.covers(211_000);
        assert!(!seen(2_300_000));
        assert!(!seen(189_899_999));
        assert!(seen(189_900_000));
    }

    #[test]
    fn only_a_kill_after_the_timer_is_a_timeout() {
        // Would catch a command that succeeded just before the timer being called timed out.
        assert_eq!(outcome(0, Ended::Exited, true), Outcome::Ok);
        assert_eq!(outcome(9, Ended::Exited, true), Outcome::TimedOut);
        assert_eq!(outcome(9, Ended::Exited, false), Outcome::Killed { signal: 9 });
        assert_eq!(outcome(15, Ended::Exited, true), Outcome::Killed { signal: 15 });
        assert_eq!(outcome(9, Ended::Stopped(21), false), Outcome::Killed { signal: 21 });
        assert_eq!(outcome(3 << 8, Ended::Exited, false), Outcome::Failed { code: 3 });
    }

    #[test]
    fn the_longest_path_fits() {
        let path = Path::to_schedstat(i32::MAX);
        assert_eq!(&path.0[..21], b"2147483647/schedstat\0");
    }
}
