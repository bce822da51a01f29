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
use std::time::Duration;

use etalon_core::model::{NotStarted, Outcome};

use super::execution::{Executed, Execution, Role};
use super::exited::{ExitedProcess, Waited};
use super::extras::Extras;
use super::keeper::Keeper;
use super::metrics::{Source, Values};
use super::orphans::Orphans;
use super::overseer::{Overseer, Own};
use super::signals::{self, Mask};
use super::spawn::{self, Child, Program, Spawner, WaitEnd};
use super::terminal::Terminal;
use crate::clock::now_ns;
use crate::limits::explained;

/// The means of executions besides their program.
pub(super) struct Executor {
    pub(super) spawner: Spawner,
    pub(super) timeout: Option<Duration>,
    pub(super) terminal: Option<Terminal>,
    pub(super) orphans: Orphans,
    /// Where waiting for a CPU is read, if it is wanted and there. It costs some 14 µs, see [`may_have_waited`].
    pub(super) waiting: Option<ExitedProcess>,
    /// Readings besides the usual ones, if they are asked for.
    pub(super) extras: Extras,
}

/// The end of an execution as it was read.
struct End {
    began_ns: u64,
    role: Role,
    ended: WaitEnd,
    wall_ns: u64,
    waited: Option<Waited>,
    /// Values besides the clock and its usage.
    values: Values,
    killed_for: Option<KilledFor>,
    /// Whether it went on after a stop.
    suspended: bool,
    /// Its exit status and usage.
    reaped: Option<(c_int, libc::rusage)>,
    orphans: u32,
}

/// Why the launcher has killed an execution, if that had not ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KilledFor {
    Time,
    /// Something below it had stopped itself, by this signal.
    Halt(i32),
}

impl Executor {
    /// Gives commands the foreground of this terminal while they run.
    pub(super) fn lend(&mut self, terminal: Terminal) {
        signals::lends(terminal.descriptor(), terminal.home());
        self.terminal = Some(terminal);
    }

    /// Executes a command once.
    pub(super) fn execute(&mut self, program: &Program) -> Executed {
        let started = self.start_command(program);
        if !matches!(started, Some(Ok(_))) {
            self.extras.called_off();
        }
        self.until_end(&mut Own, started, Role::Command)
    }

    /// Executes a hook once, below its keeper. What it leaves behind is the keeper's.
    pub(super) fn hook(
        &mut self,
        keeper: &mut Keeper,
        hook: usize,
        padding: Option<u32>,
    ) -> Executed {
        let started = self.start(|_| keeper.start(hook, padding));
        self.until_end(keeper, started, Role::Hook)
    }

    fn until_end(
        &mut self,
        overseer: &mut dyn Overseer,
        started: Option<io::Result<(Child, u64)>>,
        role: Role,
    ) -> Executed {
        match started {
            None => Executed::Interrupted,
            Some(Err(error)) => Executed::Finished(Execution::not_started(&error)),
            Some(Ok((child, began_ns))) => {
                let end = self.end(overseer, (child, began_ns), role);
                self.conclude(child, &end)
            }
        }
    }

    /// Whether this is how a program ends that had the terminal and caught a Ctrl-C by itself: etalon
    /// was not told, and whoever typed it meant the experiment. What it exits with then is a shell's
    /// convention.
    pub(super) fn caught_ctrl_c(&self, outcome: &Outcome) -> bool {
        self.terminal.is_some() && *outcome == Outcome::Failed { code: 128 + libc::SIGINT }
    }

    /// Executes what cannot be executed; the child's resident size in bytes, which is our own. Looks at everything that
    /// may be looked at.
    pub(super) fn rehearse(&mut self, nothing: &Program) -> Option<i64> {
        let (child, began_ns) = self.start_command(nothing)?.ok()?;
        self.waiting.as_ref().and_then(|waiting| waiting.waited(child.pid));
        let end = self.end(&mut Own, (child, began_ns), Role::Command);
        // As if it had been executed: what is said of a failure is no part of an execution.
        std::hint::black_box(self.conclude(Child { failed: None, ..child }, &end));
        Some(end.reaped?.1.ru_maxrss * 1024)
    }

    fn start_command(&mut self, program: &Program) -> Option<io::Result<(Child, u64)>> {
        let joining = self.extras.begin();
        self.spawner.prepare(program);
        self.start(|spawner| spawner.start(program, &joining))
    }

    /// Starts something, with the handlers knowing of it; nothing if the experiment has been stopped.
    fn start(
        &mut self,
        start: impl FnOnce(&mut Spawner) -> io::Result<Child>,
    ) -> Option<io::Result<(Child, u64)>> {
        if let Some(terminal) = &self.terminal {
            let lent = terminal.is_home();
            self.spawner.lend(lent.then(|| terminal.descriptor()));
            signals::set_lent(lent);
        }
        signals::begin();
        if let Some(timeout) = self.timeout {
            signals::arm(timeout);
        }
        Mask::full().apply();
        if signals::stopped() {
            signals::working_mask().apply();
            return None;
        }
        let began_ns = now_ns();
        let started = start(&mut self.spawner);
        if let Ok(child) = started {
            signals::in_flight(child.pid);
        }
        signals::working_mask().apply();
        Some(started.map(|child| (child, began_ns)))
    }

    /// Waits for its end, and leaves nothing of a command behind.
    fn end(
        &mut self,
        overseer: &mut dyn Overseer,
        (child, began_ns): (Child, u64),
        role: Role,
    ) -> End {
        let (ended, mut cpu_us) = self.wait(overseer, child);
        let wall_ns = now_ns() - began_ns;
        let suspended = signals::continued();
        // At once: a Ctrl-C typed while the foreground is that of a process that has exited reaches
        // nobody.
        self.take_back();
        if ended != WaitEnd::Exited {
            signals::kill_group();
            cpu_us = overseer.wait_for_exit(child);
        }
        let mut values = Values::default();
        let mut waited = None;
        if role == Role::Command {
            self.extras.exited(child, &mut values);
            let waiting = self.waiting.as_ref().filter(|_| may_have_waited(wall_ns, cpu_us));
            waited = waiting.and_then(|waiting| waiting.waited(child.pid));
        }
        let late = (self.timeout.is_some() && signals::disarm()).then_some(KilledFor::Time);
        let killed_for = late.or(signals::halted().map(KilledFor::Halt));
        signals::reaped();
        let reaped = overseer.reap(child);
        let mut orphans = 0;
        if role == Role::Command {
            orphans = self.orphans.end(child.pid);
            self.extras.ended(child, &mut values);
        }
        End {
            began_ns,
            role,
            ended,
            wall_ns,
            waited,
            values,
            killed_for,
            suspended,
            reaped,
            orphans,
        }
    }

    /// Waits until it has exited or stopped. A Ctrl-Z typed while it had the terminal is for etalon as
    /// well, and no end.
    fn wait(&self, overseer: &mut dyn Overseer, child: Child) -> (WaitEnd, i64) {
        loop {
            let (ended, cpu_us) = overseer.wait(child);
            if ended != WaitEnd::Stopped(libc::SIGTSTP) || !signals::lent() {
                return (ended, cpu_us);
            }
            self.take_back();
            signals::suspend_home();
            overseer.wait_for_continue(child);
        }
    }

    /// Takes the terminal back, if it was lent.
    fn take_back(&self) {
        if let Some(terminal) = self.terminal.as_ref().filter(|_| signals::lent()) {
            terminal.take_back();
            signals::set_lent(false);
        }
    }

    /// Judges an execution by its child and its end.
    fn conclude(&self, child: Child, end: &End) -> Executed {
        let Some((status, usage)) = &end.reaped else { return Executed::Interrupted };
        let (outcome, values) = match child.failed {
            Some(errno) => (exec_failed(errno), Values::default()),
            None => (outcome(*status, end.ended, end.killed_for), end.with_usage(usage)),
        };
        if self.interrupts(&outcome) {
            return Executed::Interrupted;
        }
        // A pause by Ctrl-Z does not count for the timer; another one may be of the command's own making.
        let rang = outcome == Outcome::TimedOut;
        let paused =
            end.suspended && !rang && child.failed.is_none() && !self.caught_ctrl_c(&outcome);
        let outcome =
            if paused && end.role == Role::Command { Outcome::Suspended } else { outcome };
        let End { began_ns, orphans, .. } = *end;
        Executed::Finished(Execution { outcome, began_ns, values, orphans })
    }

    /// Whether this ending was brought about by a stop: our own SIGKILL, or a Ctrl-C typed (or the
    /// terminal closed) while the command had the terminal. What ended by itself in spite of a stop
    /// counts.
    fn interrupts(&self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Killed { signal: libc::SIGINT | libc::SIGHUP } if self.terminal.is_some() => {
                signals::stop();
                true
            }
            Outcome::Killed { signal: libc::SIGKILL } => signals::stopped(),
            _ => false,
        }
    }
}

fn outcome(status: c_int, ended: WaitEnd, killed_for: Option<KilledFor>) -> Outcome {
    if let WaitEnd::Stopped(signal) = ended {
        return Outcome::Killed { signal };
    }
    if libc::WIFSIGNALED(status) {
        let signal = libc::WTERMSIG(status);
        // The timer may ring after a command has ended by itself: only the kill is a timeout.
        return match killed_for.filter(|_| signal == libc::SIGKILL) {
            Some(KilledFor::Time) => Outcome::TimedOut,
            Some(KilledFor::Halt(signal)) => Outcome::Killed { signal },
            None => Outcome::Killed { signal },
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
    let why = format!("{}{hint}", explained(&io::Error::from_raw_os_error(errno)));
    Outcome::NotStarted { why: NotStarted::Other(why) }
}

impl End {
    /// Everything that was read.
    fn with_usage(&self, usage: &libc::rusage) -> Values {
        let mut values = self.values;
        let (user, sys) = (spawn::us(usage.ru_utime), spawn::us(usage.ru_stime));
        values.set(Source::Wall, i64::try_from(self.wall_ns).unwrap_or(i64::MAX));
        values.set(Source::User, user);
        values.set(Source::Sys, sys);
        values.set(Source::Cpu, user + sys);
        values.set(Source::Rss, usage.ru_maxrss * 1024); // KiB on Linux
        values.set(Source::Minflt, usage.ru_minflt);
        values.set(Source::Majflt, usage.ru_majflt);
        values.set(Source::Vcsw, usage.ru_nvcsw);
        values.set(Source::Ivcsw, usage.ru_nivcsw);
        let elsewhere_ns = elsewhere_ns(self.wall_ns, user + sys);
        match self.waited.and_then(|waited| waited.covering(user + sys)) {
            Some(wait_ns) => values.set(Source::CpuWait, wait_ns),
            None if elsewhere_ns >= 0 => values.set(Source::CpuWaitMax, elsewhere_ns),
            None => {} // several had a CPU at once, and any of them may have waited
        }
        values
    }
}

/// Whether more than a tenth of an execution can have been waiting: what had a CPU for the rest cannot have waited
/// then.
fn may_have_waited(wall_ns: u64, cpu_us: i64) -> bool {
    elsewhere_ns(wall_ns, cpu_us) > i64::try_from(wall_ns / 10).unwrap_or(i64::MAX)
}

/// Wall time without the CPU time, in ns; below 0 where several processes or threads had CPUs at once.
fn elsewhere_ns(wall_ns: u64, cpu_us: i64) -> i64 {
    i64::try_from(wall_ns).unwrap_or(i64::MAX).saturating_sub(cpu_us.saturating_mul(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch waiting that is looked up where it cannot matter, and waiting that is missed.
    #[test]
    fn waiting_is_looked_up_where_it_may_matter() {
        assert!(!may_have_waited(1_000_000, 900));
        assert!(may_have_waited(1_000_000, 899));
        assert!(may_have_waited(1_000_000, 0));
        assert!(!may_have_waited(1_000_000, 3000));
        assert!(may_have_waited(u64::MAX, 0));
    }

    /// Would catch an execution that says twice how long it waited, a bound where there is none, and a wrong one.
    #[test]
    fn an_execution_says_how_long_it_waited_or_at_most_did() {
        let waits = |cpu_us: i64, waited: Option<(i64, i64)>| {
            // SAFETY: all-zero is a valid rusage.
            let mut usage = unsafe { std::mem::zeroed::<libc::rusage>() };
            usage.ru_stime.tv_usec = cpu_us;
            let end = End {
                began_ns: 0,
                role: Role::Command,
                ended: WaitEnd::Exited,
                wall_ns: 1_000_000,
                waited: waited.map(|(run_ns, wait_ns)| Waited { run_ns, wait_ns }),
                values: Values::default(),
                killed_for: None,
                suspended: false,
                reaped: None,
                orphans: 0,
            };
            let values = end.with_usage(&usage);
            (values.get(Source::CpuWait), values.get(Source::CpuWaitMax))
        };
        assert_eq!(waits(600, Some((600_000, 300_000))), (Some(300_000), None));
        assert_eq!(waits(600, Some((5_000, 300_000))), (None, Some(400_000)));
        assert_eq!(waits(990, None), (None, Some(10_000)));
        assert_eq!(waits(1_900, None), (None, None));
    }

    #[test]
    fn only_a_kill_after_the_timer_is_a_timeout() {
        // Would catch a command that succeeded just before the timer being called timed out.
        let (time, halt) = (Some(KilledFor::Time), Some(KilledFor::Halt(19)));
        assert_eq!(outcome(0, WaitEnd::Exited, time), Outcome::Ok);
        assert_eq!(outcome(9, WaitEnd::Exited, time), Outcome::TimedOut);
        assert_eq!(outcome(9, WaitEnd::Exited, None), Outcome::Killed { signal: 9 });
        assert_eq!(outcome(9, WaitEnd::Exited, halt), Outcome::Killed { signal: 19 });
        assert_eq!(outcome(0, WaitEnd::Exited, halt), Outcome::Ok);
        assert_eq!(outcome(15, WaitEnd::Exited, time), Outcome::Killed { signal: 15 });
        assert_eq!(outcome(9, WaitEnd::Stopped(21), None), Outcome::Killed { signal: 21 });
        assert_eq!(outcome(3 << 8, WaitEnd::Exited, None), Outcome::Failed { code: 3 });
    }
}
