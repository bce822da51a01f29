//! Surroundings of a measurement: settings, limits and states of the system, as its files tell them, and a spin that
//! shows what they come to.
//!
//! Owns reading ([`read`], [`spin`]) and changing settings so that they can be put back ([`change`], [`put_back`]).
//! Refuses to judge: what a value means for measuring, and what changes it, is said by whoever asks. What cannot be
//! read is absent, never a value that would be fine.

use std::collections::BTreeSet;
use std::path::Path;

use etalon_core::model::Context;

use crate::machine::bounded::Tree;
use crate::machine::facts_at;

mod heat;
mod journal;
mod limits;
mod settings;
mod spin;
mod work;

pub use heat::{Heat, Zone};
pub use journal::{Change, JournalError, Refused, Restoration, change, may_change, put_back};
pub use limits::{Limits, MemoryLimit, Quota};
pub use settings::{Kind, Setting, settings};
pub use spin::{Busy, Piece, Spin, spin};

/// Readings of a system, each where it could be read.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    /// The facts that every record has; see [`crate::machine`] for their keys.
    pub facts: Context,
    /// Clock rates that the CPUs may have.
    pub frequency: Option<Frequency>,
    /// Where frequencies above the nominal one are switched.
    pub turbo_switch: Option<TurboSwitch>,
    /// Whether `smt/control` takes `off`.
    pub smt_control: Option<String>,
    /// Share of all time since the start of the machine that the hypervisor gave to others, 0 to 1.
    pub stolen: Option<f64>,
    /// CPUs that the scheduler leaves alone, as the kernel writes them; empty for none.
    pub isolated: Option<String>,
    /// When memory is given in huge pages: `always`, `madvise`, `never`.
    pub huge_pages: Option<String>,
    /// Nodes of memory.
    pub nodes: Option<usize>,
    /// Whether the kernel moves pages between nodes.
    pub numa_balancing: Option<bool>,
    /// Swap space.
    pub swap: Option<Swap>,
    /// `perf_event_paranoid`.
    pub perf_paranoid: Option<i32>,
    /// The source of the kernel's clock.
    pub clock: Option<ClockSource>,
    /// How much later than asked a sleep of this process may end, in ns.
    pub timer_slack_ns: Option<u64>,
    /// Limits of the control groups around this process.
    pub limits: Limits,
    /// Temperatures and throttling.
    pub heat: Heat,
}

/// Clock rates in Hz, over all frequency domains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frequency {
    /// The lowest that any domain may have.
    pub lowest: u64,
    /// The highest that any domain may have.
    pub highest: u64,
    /// Whether every domain has a single rate.
    pub is_fixed: bool,
}

/// Where frequencies above the nominal one are switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurboSwitch {
    /// `intel_pstate/no_turbo`, 1 for off.
    IntelPstate,
    /// `cpufreq/boost`, 0 for off.
    Boost,
    /// `cpufreq/policy*/boost`, 0 for off.
    Domains,
}

/// Swap space in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap {
    /// All of it; 0 without any.
    pub total: u64,
    /// The amount in use.
    pub used: u64,
}

/// The source of the kernel's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockSource {
    /// The source in use.
    pub current: String,
    /// All there are.
    pub available: Vec<String>,
}

/// The directory of the CPUs, and that of their frequency domains.
const CPU: &str = "sys/devices/system/cpu";
const DOMAINS: &str = "sys/devices/system/cpu/cpufreq";

/// Reads everything below a root: `/`, or a tree that somebody planted. Takes about 0.5 ms.
#[must_use]
pub fn read(root: &Path) -> System {
    let tree = &Tree::new(root);
    System {
        facts: facts_at(root),
        frequency: frequency(tree),
        turbo_switch: turbo_switch(tree),
        smt_control: tree.value(&format!("{CPU}/smt/control")),
        stolen: stolen(tree),
        isolated: isolated(tree),
        huge_pages: tree.value("sys/kernel/mm/transparent_hugepage/enabled").map(|t| chosen(&t)),
        nodes: nodes(tree),
        numa_balancing: number(tree, "proc/sys/kernel/numa_balancing").map(|on: i32| on != 0),
        swap: swap(tree),
        perf_paranoid: number(tree, "proc/sys/kernel/perf_event_paranoid"),
        clock: clock(tree),
        timer_slack_ns: number(tree, "proc/self/timerslack_ns"),
        limits: limits::read(tree),
        heat: heat::read(tree),
    }
}

/// A file that holds one number.
fn number<N: std::str::FromStr>(tree: &Tree<'_>, name: &str) -> Option<N> {
    tree.value(name)?.parse().ok()
}

/// The frequency domains, `policy0` first.
pub(crate) fn domains(tree: &Tree<'_>) -> Vec<String> {
    let number = |name: &String| name.strip_prefix("policy")?.parse::<u32>().ok();
    let mut names: Vec<(u32, String)> =
        tree.names(DOMAINS).into_iter().filter_map(|name| Some((number(&name)?, name))).collect();
    names.sort();
    names.into_iter().map(|(_, name)| format!("{DOMAINS}/{name}")).collect()
}

/// In files: kHz.
fn frequency(tree: &Tree<'_>) -> Option<Frequency> {
    let rate = |domain: &String, name: &str| -> Option<u64> {
        number::<u64>(tree, &format!("{domain}/{name}"))?.checked_mul(1000)
    };
    let range = |domain: &String| {
        Some((rate(domain, "scaling_min_freq")?, rate(domain, "scaling_max_freq")?))
    };
    let ranges: Vec<(u64, u64)> = domains(tree).iter().map(range).collect::<Option<_>>()?;
    Some(Frequency {
        lowest: ranges.iter().map(|range| range.0).min()?,
        highest: ranges.iter().map(|range| range.1).max()?,
        is_fixed: ranges.iter().all(|range| range.0 == range.1),
    })
}

fn turbo_switch(tree: &Tree<'_>) -> Option<TurboSwitch> {
    if tree.exists(&format!("{CPU}/intel_pstate/no_turbo")) {
        return Some(TurboSwitch::IntelPstate);
    }
    if tree.exists(&format!("{DOMAINS}/boost")) {
        return Some(TurboSwitch::Boost);
    }
    let has_own = domains(tree).iter().any(|domain| tree.exists(&format!("{domain}/boost")));
    has_own.then_some(TurboSwitch::Domains)
}

/// From the first line of `/proc/stat`, whose eighth number it is (proc_stat(5)). Guests are part of user time.
#[allow(clippy::cast_precision_loss)] // ticks of 10 ms
fn stolen(tree: &Tree<'_>) -> Option<f64> {
    let ticks = ticks(&tree.lines("proc/stat").next()?)?;
    let all: u64 = ticks.iter().take(8).sum();
    (all > 0).then(|| ticks[7] as f64 / all as f64)
}

/// The numbers of the line of all CPUs, at least the first eight.
fn ticks(line: &str) -> Option<Vec<u64>> {
    let numbers = line.strip_prefix("cpu ")?.split_whitespace();
    let numbers: Vec<u64> = numbers.map(|n| n.parse().ok()).collect::<Option<_>>()?;
    (numbers.len() >= 8).then_some(numbers)
}

fn isolated(tree: &Tree<'_>) -> Option<String> {
    let name = format!("{CPU}/isolated");
    tree.exists(&name).then(|| tree.value(&name).unwrap_or_default())
}

/// The word in brackets of a file that lists its choices; a file with a single word has no other.
fn chosen(text: &str) -> String {
    let inside = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inside.map_or(text, |(word, _)| word).to_owned()
}

fn nodes(tree: &Tree<'_>) -> Option<usize> {
    let is_node =
        |name: &&String| name.strip_prefix("node").is_some_and(|rest| rest.parse::<u32>().is_ok());
    let count = tree.names("sys/devices/system/node").iter().filter(is_node).count();
    (count > 0).then_some(count)
}

/// From `/proc/meminfo`, in KiB there.
fn swap(tree: &Tree<'_>) -> Option<Swap> {
    let bytes = |key| -> Option<u64> {
        let text = tree.field("proc/meminfo", key, ':')?;
        text.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    };
    let (total, free) = (bytes("SwapTotal")?, bytes("SwapFree")?);
    Some(Swap { total, used: total.saturating_sub(free) })
}

fn clock(tree: &Tree<'_>) -> Option<ClockSource> {
    const SOURCE: &str = "sys/devices/system/clocksource/clocksource0";
    let all = tree.value(&format!("{SOURCE}/available_clocksource")).unwrap_or_default();
    let all: BTreeSet<&str> = all.split_whitespace().collect();
    Some(ClockSource {
        current: tree.value(&format!("{SOURCE}/current_clocksource"))?,
        available: all.into_iter().map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::fixture::{fixture, put};

    /// Catches a value made up where there is nothing to read.
    #[test]
    fn an_empty_tree_says_nothing() {
        let dir = fixture(&[]);
        let system = read(dir.path());
        let System { frequency, turbo_switch, stolen, isolated, huge_pages, nodes, .. } = &system;
        assert_eq!((frequency, turbo_switch, stolen), (&None, &None, &None));
        assert_eq!((isolated, huge_pages, nodes), (&None, &None, &None));
        assert_eq!((system.swap, system.perf_paranoid, system.clock), (None, None, None));
        assert_eq!((system.timer_slack_ns, system.numa_balancing), (None, None));
        assert_eq!(system.limits, Limits { cpus: Quota::Unknown, throttled: None, memory: None });
        assert_eq!(system.heat, Heat { zones: vec![], throttled: None });
    }

    /// Catches kHz taken for Hz, one domain's range given for all, and a range of one called fixed for two.
    #[test]
    fn rates_are_those_of_all_domains() {
        let dir = fixture(&[]);
        for (domain, lowest, highest) in [(0, "800000", "4200000"), (10, "400000", "3100000")] {
            let name = |file| format!("{DOMAINS}/policy{domain}/scaling_{file}_freq");
            put(dir.path(), &name("min"), lowest);
            put(dir.path(), &name("max"), highest);
        }
        let found = frequency(&Tree::new(dir.path()));
        let all = Frequency { lowest: 400_000_000, highest: 4_200_000_000, is_fixed: false };
        assert_eq!(found, Some(all));
        put(dir.path(), &format!("{DOMAINS}/policy0/scaling_min_freq"), "4200000");
        assert!(!frequency(&Tree::new(dir.path())).unwrap().is_fixed);
        put(dir.path(), &format!("{DOMAINS}/policy10/scaling_max_freq"), "400000");
        assert!(frequency(&Tree::new(dir.path())).unwrap().is_fixed);
    }

    /// Catches the wrong column of `/proc/stat`, and guest time counted twice.
    #[test]
    fn stolen_time_is_the_eighth_number() {
        let dir = fixture(&[("proc/stat", "cpu  10 10 10 50 5 5 5 5 40 40\ncpu0 1 2\n")]);
        assert_eq!(stolen(&Tree::new(dir.path())), Some(0.05));
        let dir = fixture(&[("proc/stat", "cpu  1 2 3 4\n")]);
        assert_eq!(stolen(&Tree::new(dir.path())), None);
    }

    /// Catches "no CPU is isolated" said where nobody knows.
    #[test]
    fn no_isolated_cpu_is_something_else_than_no_file() {
        let dir = fixture(&[("sys/devices/system/cpu/isolated", "\n")]);
        assert_eq!(isolated(&Tree::new(dir.path())).as_deref(), Some(""));
        put(dir.path(), "sys/devices/system/cpu/isolated", "2-3\n");
        assert_eq!(isolated(&Tree::new(dir.path())).as_deref(), Some("2-3"));
    }

    /// Catches the first choice taken for the one that was made.
    #[test]
    fn the_choice_stands_in_brackets() {
        assert_eq!(chosen("always [madvise] never"), "madvise");
        assert_eq!(chosen("never"), "never");
    }

    /// Catches files beside the nodes counted, free swap called used, and sources out of one line.
    #[test]
    fn nodes_swap_and_sources() {
        let source = "sys/devices/system/clocksource/clocksource0";
        let dir = fixture(&[
            ("sys/devices/system/node/node0/x", ""),
            ("sys/devices/system/node/node1/x", ""),
            ("sys/devices/system/node/online", "0-1"),
            ("proc/meminfo", "SwapTotal: 100 kB\nSwapFree: 90 kB\n"),
            (&format!("{source}/current_clocksource"), "hpet\n"),
            (&format!("{source}/available_clocksource"), "tsc hpet acpi_pm \n"),
        ]);
        let tree = Tree::new(dir.path());
        assert_eq!(nodes(&tree), Some(2));
        assert_eq!(swap(&tree), Some(Swap { total: 102_400, used: 10_240 }));
        let clock = clock(&tree).unwrap();
        assert_eq!(clock.current, "hpet");
        assert_eq!(clock.available, ["acpi_pm", "hpet", "tsc"]);
    }
}
