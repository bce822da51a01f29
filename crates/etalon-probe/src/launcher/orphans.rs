//! Ending the orphans of an execution: background jobs, daemons, whatever has outlived it.
//!
//! Owns: killing and reaping every descendant that is still there, and counting those that were
//! alive. The launcher is a child subreaper, so an orphan becomes its child, even one that left the
//! process group (`setsid`, daemons). Refuses: to wait for ever; what cannot be killed (another
//! user's process, one stuck in the kernel) is counted, left alone and remembered.
//!
//! Counted are those that died of our SIGKILL, or survived it. An orphan that had already exited by
//! itself was not alive and is not.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use crate::processes::{Process, children_of};

/// How long the dead may take to be reaped. Ending a large process takes the kernel some ms.
const PATIENCE: Duration = Duration::from_secs(2);
/// Pause between two looks. Killing one small process takes about 0.1 ms.
const PAUSE: Duration = Duration::from_micros(100);

/// Ends orphans; remembers those it could not end, or shall not. For a process that is a child subreaper, as the
/// launcher is.
#[derive(Debug, Default)]
pub struct Orphans {
    immortal: Vec<libc::pid_t>,
}

/// A look at the children.
enum ChildState {
    /// No child is left.
    None,
    /// One has been reaped; whether it had to be killed.
    Reaped { killed: bool },
    /// There are some, alive or dying.
    Alive,
}

impl Orphans {
    /// Kills and reaps everything; the number of descendants that were still alive. The common
    /// case, none, is one system call. `group` is the process group the execution had.
    pub fn end(&mut self, group: libc::pid_t) -> u32 {
        let mut count = 0;
        let mut began = None;
        loop {
            match look() {
                ChildState::None => return count,
                ChildState::Reaped { killed } => count += u32::from(killed),
                ChildState::Alive => {
                    let alive = self.kill(group);
                    if alive.is_empty() {
                        return count;
                    }
                    if began.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
                        count += u32::try_from(alive.len()).unwrap_or(u32::MAX);
                        self.immortal.extend(alive);
                        return count;
                    }
                    std::thread::sleep(PAUSE);
                }
            }
        }
    }

    /// From now on, this child is no orphan: nothing is done to it.
    pub(crate) fn leave_alone(&mut self, child: libc::pid_t) {
        self.immortal.push(child);
    }

    /// Kills all children but those known to be immortal, and lists them. If one of them is still
    /// in the execution's group, the whole group goes at once: something that forks faster than
    /// one by one can be killed must not get away.
    fn kill(&mut self, group: libc::pid_t) -> Vec<libc::pid_t> {
        let all = children();
        self.immortal.retain(|pid| all.contains(pid));
        let alive: Vec<_> = all.into_iter().filter(|pid| !self.immortal.contains(pid)).collect();
        // SAFETY: neither call has memory preconditions. A member keeps the group's number from being
        // given away; it is our unreaped child, so it is still one when the group is killed.
        unsafe {
            if alive.iter().any(|pid| libc::getpgid(*pid) == group) {
                libc::kill(-group, libc::SIGKILL);
            }
        }
        for pid in &alive {
            // SAFETY: kill has no memory preconditions; `pid` is an unreaped child of ours, so the
            // number cannot have been given to another process.
            unsafe { libc::kill(*pid, libc::SIGKILL) };
        }
        alive
    }
}

fn look() -> ChildState {
    let mut status: c_int = 0;
    // SAFETY: `status` is writable; no usage is asked for.
    let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG | libc::__WALL) };
    match pid {
        0 => ChildState::Alive,
        pid if pid > 0 => ChildState::Reaped {
            killed: libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL,
        },
        _ => ChildState::None,
    }
}

/// A child that has exited and is not reaped.
pub(crate) fn exited_child() -> Option<libc::pid_t> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT | libc::__WALL;
    // SAFETY: `info` is writable and stays zero if there is none; the pid is there if the call says so.
    let pid = unsafe {
        if libc::waitid(libc::P_ALL, 0, info.as_mut_ptr(), options) != 0 {
            return None;
        }
        info.assume_init().si_pid()
    };
    (pid > 0).then_some(pid)
}

/// Process groups of children that were asked to end.
#[derive(Debug, Default)]
pub(crate) struct Groups(Vec<libc::pid_t>);

impl Groups {
    /// Asks every group of a child to end that was not asked yet.
    pub(crate) fn terminate(&mut self) {
        // SAFETY: the calls take integers and have no memory preconditions. A child that is not reaped keeps the number
        // of its group from being given away.
        unsafe {
            for pid in children() {
                let group = libc::getpgid(pid);
                if group > 0 && group != libc::getpgrp() && !self.0.contains(&group) {
                    libc::kill(-group, libc::SIGTERM);
                    self.0.push(group);
                }
            }
        }
    }
}

/// All children of this process, adopted ones included.
pub(crate) fn children() -> Vec<libc::pid_t> {
    children_of("self").unwrap_or_else(children_by_parent)
}

/// For kernels built without that list: all processes whose parent we are.
fn children_by_parent() -> Vec<libc::pid_t> {
    let own = std::process::id().cast_signed();
    let processes = Process::all().into_iter();
    processes.filter(|process| process.parent == own).map(|process| process.pid).collect()
}

/// Everybody below this process who has not exited.
pub(crate) fn descendants() -> Vec<libc::pid_t> {
    let processes = Process::all();
    let mut below = vec![std::process::id().cast_signed()];
    let mut seen = 0;
    while let Some(&parent) = below.get(seen) {
        seen += 1;
        below.extend(processes.iter().filter(|it| it.parent == parent).map(|it| it.pid));
    }
    let is_alive =
        |pid: &libc::pid_t| processes.iter().any(|it| it.pid == *pid && !it.has_exited());
    below.into_iter().skip(1).filter(is_alive).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lists_of_children_agree() {
        // Would catch a fallback that finds nothing, which no other test would reach.
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = child.id().cast_signed();
        assert!(children_of("self").unwrap().contains(&pid));
        assert!(children_by_parent().contains(&pid));
        assert!(descendants().contains(&pid));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
