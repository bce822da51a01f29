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

/// What a piece is to take. Because the two clock reads around it cost 0.3 % of it, and a thread of the same core that
/// gets busy for a millisecond still shows in several.
const PIECE_NS: u64 = 100_000;

/// How long it spins before anything counts. Because CPUs take some ms to get to the rate they hold under load.
const BEFORE: Duration = Duration::from_millis(100);

/// How many of the busiest other programs are named.
const NAMED: usize = 3;

/// One piece of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Wall clock, in ns.
    pub wall_ns: u64,
    /// CPU time of this thread, in ns.
    pub cpu_ns: u64,
}

/// What was seen.
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

/// What the machine has done so far.
struct Meanwhile {
    /// Ticks that all CPUs were busy, and that were stolen.
    busy: Option<u64>,
    stolen: Option<u64>,
    /// CPU time of this process, in ns.
    own_ns: u64,
    /// Ticks of every process that can be seen, with its name.
    processes: HashMap<u32, (String, u64)>,
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
        let busy = others.map(|(pid, (name, now))| {
            let before = self.processes.get(pid).filter(|before| before.0 == *name);
            let ticks = now.saturating_sub(before.map_or(0, |before| before.1));
            Busy { pid: *pid, name: name.clone(), cpus: ticks as f64 / rate as f64 / seconds }
        });
        let mut busy: Vec<Busy> = busy.filter(|busy| busy.cpus >= 0.01).collect();
        busy.sort_by(|a, b| b.cpus.total_cmp(&a.cpus).then(a.pid.cmp(&b.pid)));
        busy.truncate(NAMED);
        busy
    }
}

/// User and system ticks of every process, by `/proc/PID/stat`.
fn processes(tree: &Tree<'_>) -> HashMap<u32, (String, u64)> {
    let pids = tree.names("proc").into_iter().filter_map(|name| name.parse().ok());
    pids.filter_map(|pid: u32| Some((pid, process(&tree.value(&format!("proc/{pid}/stat"))?)?)))
        .collect()
}

/// Name and ticks out of a line of proc_pid_stat(5). The name is in parentheses and may hold anything.
fn process(line: &str) -> Option<(String, u64)> {
    let (head, rest) = line.rsplit_once(") ")?;
    let (_, name) = head.split_once(" (")?;
    // After the state, `utime` and `stime` are the eleventh and twelfth.
    let mut times = rest.split(' ').skip(11);
    let mut tick = || times.next()?.parse::<u64>().ok();
    Some((name.to_owned(), tick()?.checked_add(tick()?)?))
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

    /// Catches a name with spaces and parentheses that moves the columns.
    #[test]
    fn a_process_may_have_any_name() {
        let line = "77 (a) b (c) R 1 2 3 4 5 6 7 8 9 10 120 30 0 0 20";
        assert_eq!(process(line), Some(("a) b (c".to_owned(), 150)));
        assert_eq!(process("77 (short) R 1 2"), None);
    }

    /// Catches own time counted as others', and a process that began meanwhile without its time.
    #[test]
    fn what_others_did_is_all_without_what_is_known() {
        let meanwhile = |busy, own_ns, ticks: &[(u32, u64)]| Meanwhile {
            busy: Some(busy),
            stolen: Some(0),
            own_ns,
            processes: ticks.iter().map(|(pid, n)| (*pid, ("x".to_owned(), *n))).collect(),
        };
        let rate = ticks_per_second().unwrap();
        let before = meanwhile(1000, 0, &[(1, 50)]);
        let after = meanwhile(1000 + 3 * rate, 2_000_000_000, &[(1, 50), (9, rate)]);
        assert_eq!(before.until(&after, 2.0), (Some(0.0), Some(0.5)));
        let busy = before.busy(&after, 2.0);
        assert_eq!(busy, [Busy { pid: 9, name: "x".to_owned(), cpus: 0.5 }]);
    }

    /// Catches a spin without pieces, and pieces that took no time.
    #[test]
    fn a_short_spin_has_pieces() {
        let seen = spin(Duration::from_millis(20));
        assert!(!seen.pieces.is_empty());
        assert!(seen.pieces.iter().all(|piece| piece.wall_ns > 0 && piece.cpu_ns > 0));
    }
}
