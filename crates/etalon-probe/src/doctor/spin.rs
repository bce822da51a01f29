//! A spin: the same arithmetic over and over for some time, each piece with its wall clock and CPU time, and what else
//! the machine did meanwhile.
//!
//! Owns the measuring. Refuses figures: whoever asked for the spin works them out of its pieces. It spins on the real
//! machine and reads the real `/proc`, whatever tree is read otherwise.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use super::ticks;
use super::work::{Work, thread_cpu_ns};
use crate::clock::now_ns;
use crate::machine::bounded::Tree;

/// The length of a piece. Because the two clock reads around it cost 0.3 % of it, and a thread of the same core that
/// gets busy for a millisecond still shows in several.
const PIECE_NS: u64 = 100_000;

/// How long it spins before anything counts. Because CPUs take some ms to get to the rate they hold under load.
const BEFORE: Duration = Duration::from_millis(100);

/// How many of the busiest other programs are named. Because more than some do not get to be busy on most machines.
const NAMED: usize = 10;

/// One piece of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Wall clock, in ns.
    pub wall_ns: u64,
    /// CPU time of this thread, in ns.
    pub cpu_ns: u64,
}

/// Findings of a spin.
#[derive(Debug, Clone, PartialEq)]
pub struct Spin {
    /// The pieces, in the order in which they were done.
    pub pieces: Vec<Piece>,
    /// Wall clock of the whole, in s.
    pub seconds: f64,
    /// CPUs' worth of time that the hypervisor gave to others; absent where nobody says.
    pub stolen: Option<f64>,
    /// CPUs' worth of time that everything else here was executed, kernel included; absent where nobody says.
    pub others: Option<f64>,
    /// Other programs that were busy, the busiest first; those that can be seen from here.
    pub busy: Vec<Busy>,
}

/// A program that was executed meanwhile.
#[derive(Debug, Clone, PartialEq)]
pub struct Busy {
    /// Its process.
    pub pid: u32,
    /// Its name, as the kernel has it: 15 bytes at most.
    pub name: String,
    /// Whether it is a thread of the kernel, which nobody can stop.
    pub is_kernel: bool,
    /// CPUs' worth of its time.
    pub cpus: f64,
}

/// Spins for so long, one thread, wherever the scheduler puts it.
#[must_use]
#[allow(clippy::cast_precision_loss)] // some seconds in ns
pub fn spin(time: Duration) -> Spin {
    let mut work = Work::calibrated(PIECE_NS);
    let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    let _warm: Vec<Piece> = pieces(&mut work, nanoseconds(BEFORE));
    let before = Meanwhile::now();
    let begin = now_ns();
    let pieces = pieces(&mut work, nanoseconds(time));
    let seconds = now_ns().saturating_sub(begin) as f64 / 1e9;
    let after = Meanwhile::now();
    let (stolen, others) = before.until(&after, seconds);
    Spin { pieces, seconds, stolen, others, busy: before.busy(&after, seconds) }
}

fn pieces(work: &mut Work, time_ns: u64) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(usize::try_from(time_ns / PIECE_NS * 2).unwrap_or(0));
    let (begin, mut wall, mut cpu) = (now_ns(), now_ns(), thread_cpu_ns());
    while wall.saturating_sub(begin) < time_ns {
        work.piece();
        let (wall_after, cpu_after) = (now_ns(), thread_cpu_ns());
        let (wall_ns, cpu_ns) = (wall_after.saturating_sub(wall), cpu_after.saturating_sub(cpu));
        pieces.push(Piece { wall_ns, cpu_ns });
        (wall, cpu) = (wall_after, cpu_after);
    }
    pieces
}

/// Counters of the machine up to now.
struct Meanwhile {
    /// Ticks that all CPUs were busy, and that were stolen.
    busy: Option<u64>,
    stolen: Option<u64>,
    /// CPU time of this process, in ns.
    own_ns: u64,
    /// Every process that can be seen.
    processes: HashMap<u32, Process>,
}

/// A process as `/proc` has it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Process {
    name: String,
    is_kernel: bool,
    ticks: u64,
    /// When it began, in ticks since boot: with its number it is this process and no later one. Its name may change.
    began: u64,
}

impl Meanwhile {
    fn now() -> Meanwhile {
        let tree = Tree::new(Path::new("/"));
        let all = tree.lines("proc/stat").next().and_then(|line| ticks(&line));
        // Everything but idle and waiting for input or output; guests are part of user time.
        let busy = all.as_ref().map(|all| [0, 1, 2, 5, 6].iter().map(|at| all[*at]).sum());
        Meanwhile {
            busy,
            stolen: all.map(|all| all[7]),
            own_ns: super::work::process_cpu_ns(),
            processes: processes(&tree),
        }
    }

    /// CPUs' worth that were stolen, and that others had.
    #[allow(clippy::cast_precision_loss)] // ticks of some seconds
    fn until(&self, after: &Meanwhile, seconds: f64) -> (Option<f64>, Option<f64>) {
        let rate = ticks_per_second();
        let cpus = |before: Option<u64>, after: Option<u64>| {
            Some(after?.saturating_sub(before?) as f64 / rate? as f64 / seconds)
        };
        let own = after.own_ns.saturating_sub(self.own_ns) as f64 / 1e9 / seconds;
        let others = cpus(self.busy, after.busy).map(|all| (all - own).max(0.0));
        (cpus(self.stolen, after.stolen), others)
    }

    /// The other programs that were busy for at least a tick in a hundred.
    #[allow(clippy::cast_precision_loss)] // ticks of some seconds
    fn busy(&self, after: &Meanwhile, seconds: f64) -> Vec<Busy> {
        let Some(rate) = ticks_per_second() else { return Vec::new() };
        let own = std::process::id();
        let others = after.processes.iter().filter(|(pid, _)| **pid != own);
        let busy = others.map(|(pid, now)| {
            let before = self.processes.get(pid).filter(|before| before.began == now.began);
            let ticks = now.ticks.saturating_sub(before.map_or(0, |before| before.ticks));
            let Process { name, is_kernel, .. } = now.clone();
            let cpus = ticks as f64 / rate as f64 / seconds;
            Busy { pid: *pid, name, is_kernel, cpus }
        });
        let mut busy: Vec<Busy> = busy.filter(|busy| busy.cpus >= 0.01).collect();
        busy.sort_by(|a, b| b.cpus.total_cmp(&a.cpus).then(a.pid.cmp(&b.pid)));
        busy.truncate(NAMED);
        busy
    }
}

/// Every process, by `/proc/PID/stat`.
fn processes(tree: &Tree<'_>) -> HashMap<u32, Process> {
    let pids = tree.names("proc").into_iter().filter_map(|name| name.parse().ok());
    pids.filter_map(|pid: u32| Some((pid, process(&tree.value(&format!("proc/{pid}/stat"))?)?)))
        .collect()
}

/// `PF_KTHREAD` of a process's flags.
const KERNEL: u64 = 0x0020_0000;

/// A process by a line of proc_pid_stat(5). The name is in parentheses and may hold anything.
fn process(line: &str) -> Option<Process> {
    let (head, rest) = line.rsplit_once(") ")?;
    let (_, name) = head.split_once(" (")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    // That page counts from 1, and the state after the name is 3.
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    Some(Process {
        name: name.to_owned(),
        is_kernel: field(9)? & KERNEL != 0,
        ticks: field(14)?.checked_add(field(15)?)?,
        began: field(22)?,
    })
}

/// How many ticks `/proc` counts in a second.
fn ticks_per_second() -> Option<u64> {
    // SAFETY: no preconditions.
    let rate = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    u64::try_from(rate).ok().filter(|rate| *rate > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a name with spaces and parentheses that moves the columns, and a wrong column.
    #[test]
    fn a_process_may_have_any_name() {
        let line = "77 (a) b (c) R 4 5 6 7 8 2097152 10 11 12 13 120 30 16 17 18 19 20 21 4711 23";
        let found = process(line).unwrap();
        let name = "a) b (c".to_owned();
        assert_eq!(found, Process { name, is_kernel: true, ticks: 150, began: 4711 });
        assert_eq!(process("77 (short) R 1 2"), None);
    }

    /// Catches own time counted as others', a process that began meanwhile without its time or with that of an earlier
    /// one of its number, and one that took another name with all the time of its life.
    #[test]
    fn what_others_did_is_all_without_what_is_known() {
        let process = |name: &str, ticks, began| Process {
            name: name.to_owned(),
            is_kernel: false,
            ticks,
            began,
        };
        let meanwhile = |busy, own_ns, processes: &[(u32, Process)]| Meanwhile {
            busy: Some(busy),
            stolen: Some(0),
            own_ns,
            processes: processes.iter().cloned().collect(),
        };
        let rate = ticks_per_second().unwrap();
        let before = [(1, process("idle", 50, 1)), (2, process("old name", 9000, 2))];
        let before = [&before[..], &[(3, process("ended", 8000, 3))]].concat();
        let after = [(1, process("idle", 50, 1)), (2, process("new name", 9000 + rate, 2))];
        let after = [&after[..], &[(3, process("began", 2 * rate, 4))]].concat();
        let before = meanwhile(1000, 0, &before);
        let after = meanwhile(1000 + 3 * rate, 2_000_000_000, &after);
        assert_eq!(before.until(&after, 2.0), (Some(0.0), Some(0.5)));
        let busy =
            |pid, name: &str, cpus| Busy { pid, name: name.to_owned(), is_kernel: false, cpus };
        assert_eq!(before.busy(&after, 2.0), [busy(3, "began", 1.0), busy(2, "new name", 0.5)]);
    }

    /// Catches a spin without pieces, and pieces that took no time.
    #[test]
    fn a_short_spin_has_pieces() {
        let seen = spin(Duration::from_millis(20));
        assert!(!seen.pieces.is_empty());
        assert!(seen.pieces.iter().all(|piece| piece.wall_ns > 0 && piece.cpu_ns > 0));
    }
}
