//! Names of the metrics that etalon records itself and gives a meaning to.
//!
//! Owns the names: a report finds a metric by them in any record. Refuses units and directions: who measures
//! a metric declares those.

/// From start to end of an execution, or of the calls of a reading.
pub const WALL: &str = "wall";
/// CPU time, user and kernel.
pub const CPU: &str = "cpu";
/// CPU time in user mode.
pub const USER: &str = "user";
/// CPU time in the kernel.
pub const SYS: &str = "sys";
/// CPU time of all processes of a control group.
pub const TREE_CPU: &str = "tree_cpu";
/// The largest resident size.
pub const RSS: &str = "rss";
/// Page faults: the sum of the next two.
pub const FAULTS: &str = "faults";
/// Page faults served without reading a disk.
pub const MINFLT: &str = "minflt";
/// Page faults that read a disk.
pub const MAJFLT: &str = "majflt";
/// Context switches: the sum of the next two.
pub const CSW: &str = "csw";
/// Times it gave up the CPU itself.
pub const VCSW: &str = "vcsw";
/// Times the CPU was taken from it.
pub const IVCSW: &str = "ivcsw";
/// Time it was ready and waited for a CPU.
pub const CPU_WAIT: &str = "cpu_wait";
/// The upper bound of that, where it was not looked up or does not cover the execution: time without a CPU.
pub const CPU_WAIT_MAX: &str = "cpu_wait_max";
/// perf: the share of the time in which its events were counted.
pub const COUNTED: &str = "counted";
/// perf: CPU cycles.
pub const CYCLES: &str = "cycles";
/// Instructions executed: retired as perf has them, or counted exactly, apart from timing (`--count`).
pub const INSTRUCTIONS: &str = "instructions";
/// The fact that says by which means, of which version, and with which seeds work was counted.
pub const COUNTED_BY: &str = "count.by";
/// perf: accesses that the last-level cache could not serve.
pub const CACHE_MISSES: &str = "cache_misses";
/// perf: branches predicted wrongly.
pub const BRANCH_MISSES: &str = "branch_misses";
/// Lua: time of the calls between a collection and the sample after it, which are `rewarming` of as many as the
/// sample has.
pub const REWARM: &str = "rewarm";
/// Lua: time of collections.
pub const GC_TIME: &str = "gc_time";
/// Lua: collections that were finished.
pub const GC_CYCLES: &str = "gc_cycles";
/// Lua: bytes allocated.
pub const ALLOC: &str = "alloc";
/// Lua: bytes of [`ALLOC`] that calls would not allocate while equal strings are in memory.
pub const INTERNED: &str = "interned";
/// Lua: bytes of [`ALLOC`] that calls gave back themselves while the collector was stopped: former blocks of tables that
/// grew.
pub const RETURNED: &str = "returned";
/// Lua: allocations.
pub const ALLOCS: &str = "allocs";
/// Lua scripts: the process from start to end.
pub const PROCESS: &str = "process";
/// Lua: reallocations.
pub const REALLOCS: &str = "reallocs";
/// Lua: blocks freed.
pub const FREES: &str = "frees";
/// Lua: the largest heap.
pub const PEAK: &str = "peak";
/// Lua: the heap before the first call.
pub const HEAP: &str = "heap";
/// Lua: what a full collection leaves behind; records have called it this from the first.
pub const RETAINED: &str = "uncollected";
/// Lua: what a call takes that does nothing, in the same process: an iteration of the empty loop; for
/// `run_with_timer` an empty target, with the clock around it.
pub const EMPTY_LOOP: &str = "empty_loop";
/// Lua: the first call of a process.
pub const FIRST_CALL: &str = "first_call";
/// Lua: calls of the warm-up before the first batch that takes at most 1.25 times the median sample, per call.
pub const WARM_CALLS: &str = "warm_calls";
/// Lua: 1 where the limit ended a warm-up before times stayed on one level, else 0.
pub const WARMUP_CUT: &str = "warmup_cut";
/// LuaJIT: traces that its compiler started to record, from the first call of the warm-up on.
pub const TRACE_STARTS: &str = "trace_starts";
/// LuaJIT: those that became machine code.
pub const TRACES: &str = "traces";
/// LuaJIT: those that were aborted.
pub const TRACE_ABORTS: &str = "trace_aborts";
/// LuaJIT: machine code of [`TRACES`].
pub const MCODE: &str = "mcode";
/// LuaJIT: samples in which a trace was started.
pub const COMPILING: &str = "compiling";
/// LuaJIT: instructions that a call leaves to the interpreter, counted apart from the samples.
pub const INTERPRETED: &str = "interpreted";
/// Commands that are harnesses: [`WALL`] of the whole command, beside that of its benchmarks.
pub const COMMAND: &str = "command";
/// Those: [`CPU`] of the whole command.
pub const COMMAND_CPU: &str = "command_cpu";
/// Those: [`RSS`] of the whole command.
pub const COMMAND_RSS: &str = "command_rss";

/// The metrics of a whole command that is a harness, by what they are called of a command that is none. Because: they are
/// of another thing than what its benchmarks take, so that no table, family or mean holds both.
pub const OF_WHOLE_COMMAND: [(&str, &str); 3] =
    [(WALL, COMMAND), (CPU, COMMAND_CPU), (RSS, COMMAND_RSS)];

/// Parts and side effects of other metrics: who compares looks at those first.
pub(crate) const PARTS: [&str; 28] = [
    USER,
    SYS,
    MINFLT,
    MAJFLT,
    VCSW,
    IVCSW,
    CPU_WAIT,
    CPU_WAIT_MAX,
    GC_TIME,
    GC_CYCLES,
    REALLOCS,
    FREES,
    RETURNED,
    HEAP,
    RETAINED,
    EMPTY_LOOP,
    FIRST_CALL,
    WARM_CALLS,
    WARMUP_CUT,
    TRACE_STARTS,
    TRACES,
    TRACE_ABORTS,
    MCODE,
    COMPILING,
    INTERPRETED,
    COMMAND,
    COMMAND_CPU,
    COMMAND_RSS,
];

/// Whether a metric is a part or a side effect of others.
#[must_use]
pub fn is_part(name: &str) -> bool {
    PARTS.contains(&name)
}

/// Times and sizes of which nothing is the least there can be.
pub const NEVER_NEGATIVE: [&str; 10] =
    [WALL, CPU, USER, SYS, RSS, CPU_WAIT, CPU_WAIT_MAX, COMMAND, COMMAND_CPU, COMMAND_RSS];

/// How many calls [`REWARM`] is of, for a sample of so many: an eighth, rounded up.
#[must_use]
pub(crate) fn rewarming(calls: u64) -> u64 {
    calls.div_ceil(8)
}

/// The tidied units that a metric's values can have: the way back from [`by_unit`]. A unit is itself, too.
#[must_use]
pub fn units_of(metric: &str) -> Vec<String> {
    let time = if metric == WALL { "sec".to_owned() } else { format!("{metric}-sec") };
    let names = [metric.to_owned(), time, format!("{metric}-B")];
    names.into_iter().flat_map(|name| [format!("{name}/op"), name]).collect()
}

/// The metric that a tidied unit is of: `user` of `user-sec/op`.
#[must_use]
pub fn by_unit(unit: &str) -> &str {
    let name = unit.strip_suffix("/op").unwrap_or(unit);
    name.strip_suffix("-sec").or_else(|| name.strip_suffix("-B")).unwrap_or(name)
}
