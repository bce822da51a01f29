//! Processes that have stopped themselves where nobody continues them, found by looking.
//!
//! The kernel tells a stop to the parent only, and a shell that waits for a program does not ask about it: whoever waits
//! for the shell would wait for ever. A stopped process counts once nobody beside it has done anything for a while: what
//! stops and continues processes of its own is left alone as long as it is at work.
//!
//! Owns: the looks, how far they are apart, and which signal it was. Refuses: to end anything.

use std::fs;
use std::time::Duration;

use crate::clock;
use crate::processes::{Process, children_of};

/// The time between two looks. Because: a look reads some files of each process, and something may be measured.
const PAUSE: Duration = Duration::from_millis(500);

/// So long nobody may have done anything.
const STILL: Duration = Duration::from_secs(2);

/// A process that stopped itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Halted {
    /// The signal that stopped it.
    pub signal: i32,
    /// The processes above it, from the first that was looked at, and itself.
    pub line: Vec<libc::pid_t>,
}

/// Looks at the same processes again and again.
#[derive(Debug, Default)]
pub struct Halts {
    looked_ns: u64,
    /// The processes at the last look, if one of them was stopped.
    seen: Vec<Seen>,
    /// Since when they have been so.
    since_ns: u64,
}

/// A process at a look.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    /// Those above it, and itself.
    line: Vec<libc::pid_t>,
    is_stopped: bool,
    /// How often its threads were taken off a CPU.
    switches: u64,
}

impl Halts {
    /// Looks at a process and everything below it, unless that was done a moment ago; who has stopped.
    pub fn at(&mut self, process: libc::pid_t) -> Vec<Halted> {
        self.look(|| vec![process])
    }

    /// Looks at everything below a process, unless that was done a moment ago; who has stopped.
    pub fn below(&mut self, process: libc::pid_t) -> Vec<Halted> {
        self.look(|| children_of(process).unwrap_or_default())
    }

    fn look(&mut self, tops: impl FnOnce() -> Vec<libc::pid_t>) -> Vec<Halted> {
        let now_ns = clock::now_ns();
        if now_ns.saturating_sub(self.looked_ns) < nanoseconds(PAUSE) {
            return Vec::new();
        }
        self.looked_ns = now_ns;
        let seen = looked_at(tops());
        if seen != self.seen {
            (self.seen, self.since_ns) = (seen, now_ns);
        }
        if now_ns.saturating_sub(self.since_ns) < nanoseconds(STILL) {
            return Vec::new();
        }
        self.since_ns = now_ns;
        let stopped = std::mem::take(&mut self.seen).into_iter().filter(|it| it.is_stopped);
        stopped.map(|Seen { line, .. }| Halted { signal: signal(&line), line }).collect()
    }
}

/// The signal that stopped the last of them; where that cannot be seen, SIGSTOP. Because: the others come from
/// terminals, for whole groups, and parents see these stop.
fn signal(line: &[libc::pid_t]) -> i32 {
    line.last().and_then(|pid| stopped_by(*pid)).unwrap_or(libc::SIGSTOP)
}

/// Everybody, if one is stopped; else nobody.
fn looked_at(tops: Vec<libc::pid_t>) -> Vec<Seen> {
    let mut lines: Vec<Vec<libc::pid_t>> = tops.into_iter().map(|top| vec![top]).collect();
    let mut at = 0;
    while let Some(line) = lines.get(at).cloned() {
        at += 1;
        let below = line.last().and_then(children_of).unwrap_or_default();
        lines.extend(below.into_iter().map(|child| [&line[..], &[child]].concat()));
    }
    let is_stopped = |line: &Vec<libc::pid_t>| {
        let process = line.last().and_then(|pid| Process::numbered(*pid));
        process.is_some_and(|it| it.state == 'T')
    };
    let stopped: Vec<bool> = lines.iter().map(is_stopped).collect();
    if !stopped.contains(&true) {
        return Vec::new();
    }
    let all = lines.into_iter().zip(stopped);
    all.map(|(line, is_stopped)| {
        let switches = line.last().map_or(0, |pid| switches(*pid));
        Seen { line, is_stopped, switches }
    })
    .collect()
}

/// How often a process's threads were taken off a CPU, since they are there.
fn switches(pid: libc::pid_t) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let texts = tasks.filter_map(|task| fs::read_to_string(task.path().join("status")).ok());
    let of_thread = |text: String| {
        let lines = text.lines().filter(|line| line.contains("ctxt_switches:"));
        lines
            .filter_map(|line| line.split_ascii_whitespace().last()?.parse::<u64>().ok())
            .sum::<u64>()
    };
    texts.map(of_thread).sum()
}

/// The signal that stopped a process, which a tracer of it is told, if one may trace it. It stays stopped.
fn stopped_by(pid: libc::pid_t) -> Option<i32> {
    /// Numbers of the kernel, which not every C library has.
    const SEIZE: libc::c_long = 0x4206;
    const DETACH: libc::c_long = 17;
    let mut status = 0;
    // SAFETY: neither request reads or writes memory of this process; `status` is writable. There is no wait: a process
    // that is stopped is seen to be as soon as it is traced.
    unsafe {
        if libc::syscall(libc::SYS_ptrace, SEIZE, pid, 0, 0) == -1 {
            return None;
        }
        let waited = libc::waitpid(pid, &raw mut status, libc::WNOHANG | libc::__WALL);
        libc::syscall(libc::SYS_ptrace, DETACH, pid, 0, 0);
        (waited == pid && libc::WIFSTOPPED(status)).then(|| libc::WSTOPSIG(status))
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use super::*;

    /// Looks until something is found, or the program has ended.
    fn found(child: &mut Child) -> Option<Halted> {
        let (mut halts, pid) = (Halts::default(), child.id().cast_signed());
        loop {
            if let Some(halted) = halts.at(pid).pop() {
                return Some(halted);
            }
            if child.try_wait().unwrap().is_some() {
                return None;
            }
            std::thread::yield_now();
        }
    }

    /// In a group of its own: the kernel stops none that nobody of its session could continue, such as that of a test which
    /// a daemon started.
    fn shell(text: &str) -> Child {
        Command::new("sh").args(["-c", text]).process_group(0).spawn().unwrap()
    }

    /// Would catch a process below a shell that is not found, and one that is told with another's signal.
    #[test]
    fn who_stopped_is_found_with_the_signal() {
        for (name, signal) in
            [("STOP", libc::SIGSTOP), ("TSTP", libc::SIGTSTP), ("TTOU", libc::SIGTTOU)]
        {
            let mut child = shell(&format!("sh -c 'kill -{name} $$; true'; true"));
            let halted = found(&mut child).expect("it is stopped");
            assert_eq!((halted.signal, halted.line.len()), (signal, 2), "{name}");
            assert_eq!(halted.line[0], child.id().cast_signed());
            // SAFETY: no memory preconditions; the process is below a child that is not reaped.
            unsafe { libc::kill(halted.line[1], libc::SIGKILL) };
            child.wait().unwrap();
        }
    }

    /// Would catch a program that stops another one for longer than that and goes on working, which is its business.
    #[test]
    fn who_is_at_work_is_left_alone() {
        let works = "sleep 100 & p=$!; kill -STOP $p; i=0; while [ $i -lt 35 ]; do sleep 0.1; i=$((i+1)); done; kill -9 $p";
        assert_eq!(found(&mut shell(works)), None);
    }
}
