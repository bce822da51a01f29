//! The quantities of one execution that can be read, each with its name, unit and origin.
//!
//! Owns: the list. Refuses: reading any of it (`execute`, `counters` and `cgroup` do).

use etalon_core::metrics;

/// One quantity the launcher reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// From before the start to after the end, on the monotonic clock.
    Wall,
    /// CPU time in user mode. Its share of [`Source::Cpu`] is counted by clock tick.
    User,
    /// CPU time in the kernel. Its share of [`Source::Cpu`] is counted by clock tick.
    Sys,
    /// CPU time, user and kernel, of the command and all descendants it waited for.
    Cpu,
    /// The largest resident size any of those processes had.
    Rss,
    /// Page faults served without reading a disk.
    Minflt,
    /// Page faults that read a disk.
    Majflt,
    /// Times it gave up the CPU itself.
    Vcsw,
    /// Times the CPU was taken from it.
    Ivcsw,
    /// Time it was ready and waited for a CPU. Absent where it would not cover the execution, and where it is no more
    /// than a tenth of it.
    CpuWait,
    /// Time without a CPU, where that does not say it: one process or thread at a time cannot have waited longer.
    CpuWaitMax,
    /// perf: time on a CPU.
    TaskClock,
    /// perf: times a CPU was given up or taken away.
    ContextSwitches,
    /// perf: times it went on on another CPU.
    Migrations,
    /// perf: page faults.
    PageFaults,
    /// perf: instructions retired.
    Instructions,
    /// perf: CPU cycles.
    Cycles,
    /// perf: branch instructions retired.
    Branches,
    /// perf: branches predicted wrongly.
    BranchMisses,
    /// perf: accesses to the last-level cache, as the CPU defines them.
    CacheRefs,
    /// perf: accesses that the last-level cache could not serve.
    CacheMisses,
    /// perf: the smallest share of the time in which one of the hardware events was counted, in
    /// whole percent, rounded down. Below 100 there were more events than counters, and the counts
    /// are scaled.
    Counted,
    /// `/proc/PID/io`: bytes that storage was read for.
    IoRead,
    /// `/proc/PID/io`: bytes that storage is to be written for.
    IoWrite,
    /// `/proc/PID/io`: bytes passed by `read` and its relatives, from anything.
    IoRchar,
    /// `/proc/PID/io`: bytes passed by `write` and its relatives, to anything. A child that writes
    /// itself into its control groups has one byte for each in here.
    IoWchar,
    /// Control group: CPU time of all processes.
    TreeCpu,
    /// Control group: the largest memory of all processes together, files cached for them included.
    TreePeak,
    /// Control group: bytes read from block devices.
    TreeIoRead,
    /// Control group: bytes written to block devices.
    TreeIoWrite,
}

/// Where a quantity comes from, which is also what has to be asked for to get it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The clock, rusage and the scheduler: always read.
    Always,
    /// perf events.
    Event,
    /// `/proc/PID/io`.
    Io,
    /// The execution's control group.
    Group,
}

/// All of them, in the order they are recorded in, with name, unit and origin.
const TABLE: [(Source, &str, &str, Origin); SOURCES] = [
    (Source::Wall, metrics::WALL, "ns", Origin::Always),
    (Source::User, metrics::USER, "us", Origin::Always),
    (Source::Sys, metrics::SYS, "us", Origin::Always),
    (Source::Cpu, metrics::CPU, "us", Origin::Always),
    (Source::Rss, metrics::RSS, "B", Origin::Always),
    (Source::Minflt, metrics::MINFLT, "count", Origin::Always),
    (Source::Majflt, metrics::MAJFLT, "count", Origin::Always),
    (Source::Vcsw, metrics::VCSW, "count", Origin::Always),
    (Source::Ivcsw, metrics::IVCSW, "count", Origin::Always),
    (Source::CpuWait, metrics::CPU_WAIT, "ns", Origin::Always),
    (Source::CpuWaitMax, metrics::CPU_WAIT_MAX, "ns", Origin::Always),
    (Source::TaskClock, "task_clock", "ns", Origin::Event),
    (Source::ContextSwitches, "context_switches", "count", Origin::Event),
    (Source::Migrations, "migrations", "count", Origin::Event),
    (Source::PageFaults, "page_faults", "count", Origin::Event),
    (Source::Instructions, metrics::INSTRUCTIONS, "count", Origin::Event),
    (Source::Cycles, metrics::CYCLES, "count", Origin::Event),
    (Source::Branches, "branches", "count", Origin::Event),
    (Source::BranchMisses, metrics::BRANCH_MISSES, "count", Origin::Event),
    (Source::CacheRefs, "cache_refs", "count", Origin::Event),
    (Source::CacheMisses, metrics::CACHE_MISSES, "count", Origin::Event),
    (Source::Counted, metrics::COUNTED, "%", Origin::Event),
    (Source::IoRead, "io_read", "B", Origin::Io),
    (Source::IoWrite, "io_write", "B", Origin::Io),
    (Source::IoRchar, "io_rchar", "B", Origin::Io),
    (Source::IoWchar, "io_wchar", "B", Origin::Io),
    (Source::TreeCpu, "tree_cpu", "ns", Origin::Group),
    (Source::TreePeak, "tree_peak", "B", Origin::Group),
    (Source::TreeIoRead, "tree_io_read", "B", Origin::Group),
    (Source::TreeIoWrite, "tree_io_write", "B", Origin::Group),
];

/// How many there are.
pub(super) const SOURCES: usize = 30;

impl Source {
    /// All of them, in the order they are recorded in.
    pub fn all() -> impl Iterator<Item = Source> {
        TABLE.into_iter().map(|(source, ..)| source)
    }

    /// The metric's name.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The source of the metric of that name, if it is one of the launcher's; also of one that is called otherwise because
    /// the command is a harness.
    #[must_use]
    pub fn named(name: &str) -> Option<Source> {
        let whole = metrics::OF_WHOLE_COMMAND.iter().find(|(_, whole)| *whole == name);
        let name = whole.map_or(name, |(name, _)| name);
        Source::all().find(|source| source.name() == name)
    }

    /// The symbol of its unit.
    pub(super) fn unit(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// Where it comes from.
    #[must_use]
    pub(crate) fn origin(self) -> Origin {
        TABLE[self as usize].3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_sources() {
        // Would catch a quantity recorded under another one's name.
        for (index, source) in Source::all().enumerate() {
            assert_eq!(source as usize, index);
            assert_eq!(Source::named(source.name()), Some(source));
        }
        assert_eq!(Source::all().count(), SOURCES);
        assert_eq!(Source::named("faults"), None);
        assert_eq!(Source::named("command_cpu"), Some(Source::Cpu));
    }
}
