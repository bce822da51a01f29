//! Processes as `/proc` has them: who is below whom, and in which state.
//!
//! Refuses: to do anything to one.

use std::fmt::Display;
use std::fs;

/// A process.
pub(crate) struct Process {
    pub(crate) pid: libc::pid_t,
    pub(crate) parent: libc::pid_t,
    /// The letter of its state: `T` for one that is stopped.
    pub(crate) state: char,
}

impl Process {
    /// The one of this number, if there is one.
    pub(crate) fn numbered(pid: libc::pid_t) -> Option<Process> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name before these fields is in parentheses and may hold anything.
        let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace();
        let state = fields.next()?.chars().next()?;
        Some(Process { pid, parent: fields.next()?.parse().ok()?, state })
    }

    /// All there are.
    pub(crate) fn all() -> Vec<Process> {
        let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
        let pids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter_map(Process::numbered).collect()
    }

    /// Whether it has exited and is not reaped.
    pub(crate) fn has_exited(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }
}

/// The children of a process as the kernel lists them, by the thread they belong to; `None` if it does not.
pub(crate) fn children_of(process: impl Display) -> Option<Vec<libc::pid_t>> {
    let mut all = Vec::new();
    for task in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let list = fs::read_to_string(task.ok()?.path().join("children")).ok()?;
        all.extend(list.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
    }
    Some(all)
}
