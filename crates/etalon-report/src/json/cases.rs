//! The facts of a benchmark that is a function.

use etalon_core::analysis::{self, CaseFacts, Courses, Mode, Summary, Target};
use etalon_core::dataset::TraceAborts;
use etalon_core::model::{self, CaseHost, Collector};
use etalon_core::notes::{self, Course};
use serde::Serialize;

/// A function as a benchmark.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Case<'a> {
    /// The file that declares it.
    suite: &'a str,
    /// The working directory of its processes.
    directory: Option<&'a str>,
    /// The line of its declaration.
    line: Option<u32>,
    /// Words to choose cases by.
    tags: &'a [String],
    /// Bytes that one call works on.
    bytes: Option<f64>,
    /// Things that one call works on.
    items: Option<f64>,
    /// The suite's reason for skipping it.
    skipped: Option<&'a str>,
    /// Whether each call is timed alone (`run_with_timer`).
    timer: bool,
    /// The Lua; `null` where only the embedded LuaJIT was asked for.
    host: Option<Host<'a>>,
    /// How it was sampled.
    sampling: Sampling,
    /// Timed batches.
    samples: usize,
    /// Their blocks.
    blocks: usize,
    /// Calls in a batch, the median.
    iterations: Option<u64>,
    /// Samples outside Tukey's fences; none is removed.
    outliers: Option<Outliers>,
    /// Full width of the interval of the median time, in seconds.
    interval_width: Option<f64>,
    /// That width over the estimate.
    rciw: Option<f64>,
    /// A word for that width.
    quality: Option<&'static str>,
    /// Whether the width is at most `sampling.target`.
    target_met: Option<bool>,
    /// Calls in a second, from the mean time.
    calls_per_second: Option<f64>,
    /// Bytes in a second, from the mean time.
    bytes_per_second: Option<f64>,
    /// Items in a second, from the mean time.
    items_per_second: Option<f64>,
    /// A time that grows with the calls since a collection.
    growth: Option<Growth>,
    /// The course of the times in its processes; `null` where none has readings enough.
    warming: Option<Warming>,
    /// The memory of a call.
    memory: Memory,
    /// The work of LuaJIT's compiler; `null` where nothing was counted.
    compiling: Option<Compiling<'a>>,
    /// Blocks in which it failed.
    failures: Option<Failures<'a>>,
}

impl<'a> Case<'a> {
    /// Absent of a command.
    pub(super) fn new(summary: &'a Summary) -> Option<Case<'a>> {
        let (case, facts) = summary.benchmark.case.as_ref().zip(summary.case.as_ref())?;
        let model::Case { file, directory, line, group: _, tags, bytes, items, .. } = case;
        let CaseFacts { samples, blocks, iterations, outliers, precision, rates, .. } = &**facts;
        Some(Case {
            suite: file,
            directory: directory.as_deref(),
            line: *line,
            tags,
            bytes: *bytes,
            items: *items,
            skipped: case.skipped.as_deref(),
            timer: case.timer,
            host: case.host.as_deref().map(Host::new),
            sampling: Sampling::new(&case.sampling),
            samples: *samples,
            blocks: *blocks,
            iterations: *iterations,
            outliers: outliers.map(|o| Outliers { below: o.below, above: o.above }),
            interval_width: precision.map(|p| p.width),
            rciw: precision.map(|p| p.relative),
            quality: precision.map(|p| p.quality.word()),
            target_met: precision.and_then(|p| p.target).map(|target| target == Target::Met),
            calls_per_second: rates.map(|r| r.calls),
            bytes_per_second: rates.and_then(|r| r.bytes),
            items_per_second: rates.and_then(|r| r.items),
            growth: facts.growth.map(Growth::new),
            warming: facts.courses.map(Warming::new),
            memory: Memory::new(&facts.memory),
            compiling: facts.compiling.as_ref().map(Compiling::new),
            failures: facts.failures.as_ref().map(Failures::new),
        })
    }
}

/// Samples outside Tukey's fences.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Outliers {
    /// Below the lower fence.
    below: usize,
    /// Above the upper one.
    above: usize,
}

/// The interpreter of a case.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Host<'a> {
    /// The name it was asked for by.
    name: &'a str,
    /// Its program; `null` for etalon's own.
    path: Option<&'a str>,
    /// A hash of that program.
    hash: Option<&'a str>,
    /// Implementation and version.
    version: &'a str,
    /// The language it implements.
    language: &'a str,
    /// The state of its compiler: `on`, `off` or `none`.
    jit: &'a str,
    /// The clock: `native`, `ffi` or `os`.
    clock: &'a str,
    /// The counter of memory: `allocator` or `count`.
    memory: &'a str,
}

impl<'a> Host<'a> {
    fn new(host: &'a CaseHost) -> Host<'a> {
        Host {
            name: &host.name,
            path: host.path.as_deref(),
            hash: host.hash.as_deref(),
            version: &host.version,
            language: &host.language,
            jit: &host.jit,
            clock: &host.clock,
            memory: &host.memory,
        }
    }
}

/// How a case was sampled.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Sampling {
    /// Seconds in every process.
    warmup: f64,
    /// Whether it ends once times stay on one level.
    warmup_until_level: bool,
    /// The collector's work around samples.
    #[cfg_attr(test, schemars(extend("enum" = ["full", "off", "step"])))]
    collector: &'static str,
    /// Kilobytes of a step.
    step_kb: Option<u64>,
    /// Level of the interval, 0 to 1.
    confidence: f64,
    /// The full width of the interval over the estimate that was aimed at.
    target: Option<f64>,
}

impl Sampling {
    fn new(sampling: &model::Sampling) -> Sampling {
        let (collector, step) = match sampling.collector {
            Collector::Off => ("off", None),
            Collector::Full => ("full", None),
            Collector::Step(kilobytes) => ("step", Some(kilobytes.into())),
        };
        Sampling {
            warmup: sampling.warmup.seconds(),
            warmup_until_level: sampling.warmup.until_level(),
            collector,
            step_kb: step,
            confidence: sampling.confidence,
            target: sampling.target,
        }
    }
}

/// A time that grows with the calls made since a collection.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Growth {
    /// Calls right after a collection.
    first_calls: u64,
    /// Seconds that one of them takes.
    first: f64,
    /// Calls of a sample, made after those.
    calls: u64,
    /// Seconds that one of them takes.
    call: f64,
}

impl Growth {
    fn new(of: notes::Growth) -> Growth {
        let notes::Growth { first_calls, first, calls, call } = of;
        Growth { first_calls, first, calls, call }
    }
}

/// The course of the times in the processes of a case: how many have which.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Warming {
    /// The course of most.
    class: Option<&'static str>,
    /// Times that stay on one level.
    flat: usize,
    /// Times that become shorter.
    warming: usize,
    /// Times that become longer.
    slowing: usize,
    /// Times that come to no level.
    unsteady: usize,
}

impl Warming {
    fn new(courses: Courses) -> Warming {
        Warming {
            class: courses.most().map(Course::word),
            flat: courses.count(Course::Flat),
            warming: courses.count(Course::Warming),
            slowing: courses.count(Course::Slowing),
            unsteady: courses.count(Course::Unsteady),
        }
    }
}

/// The memory of a call, in bytes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Memory {
    /// Readings of memory.
    readings: usize,
    /// Allocated by a call, the median.
    alloc: Option<f64>,
    /// Allocated by a call, the most.
    max_alloc: Option<f64>,
    /// Allocated over what the baseline allocates.
    alloc_ratio: Option<f64>,
    /// Allocations of a call.
    allocs: Option<f64>,
    /// The peak.
    peak: Option<f64>,
    /// Kept by a call.
    retained: Option<f64>,
    /// The part of `alloc` that equal strings in memory save; `null` where that was not seen.
    interned: Option<f64>,
    /// The part of `alloc` that a call gives back itself, the former blocks of tables that grow; `null` where none.
    returned: Option<f64>,
    /// Kept by a sample.
    retained_per_sample: Option<f64>,
    /// Seconds of collection that a call costs.
    gc_time: Option<f64>,
}

impl Memory {
    fn new(memory: &analysis::Memory) -> Memory {
        Memory {
            readings: memory.readings,
            alloc: memory.alloc,
            max_alloc: memory.max_alloc,
            alloc_ratio: memory.relative,
            allocs: memory.allocs,
            peak: memory.peak,
            retained: memory.retained,
            interned: memory.interned,
            returned: memory.returned,
            retained_per_sample: memory.retained_per_sample,
            gc_time: memory.gc_time,
        }
    }
}

/// The work of a JIT compiler for a case; counts are medians of the processes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Compiling<'a> {
    /// How calls are executed.
    #[cfg_attr(test, schemars(extend("enum" = ["compiled", "interpreted", "mixed", "JIT off", null])))]
    mode: Option<&'static str>,
    /// Traces that it started to record.
    traces_started: Option<f64>,
    /// Traces that became machine code.
    traces_completed: Option<f64>,
    /// Traces that were aborted.
    traces_aborted: Option<f64>,
    /// Bytes of machine code.
    machine_code: Option<f64>,
    /// Interpreted instructions of a call.
    interpreted: Option<f64>,
    /// The share of samples in which it compiled.
    during_samples: Option<f64>,
    /// Why traces were aborted.
    aborts: Vec<Abort<'a>>,
}

/// An aborted trace.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Abort<'a> {
    /// Why, in the compiler's words.
    reason: &'a str,
    /// Where, as `FILE:LINE`.
    at: &'a str,
    /// How often, over all processes.
    count: u64,
    /// In how many processes.
    processes: u32,
}

impl<'a> Compiling<'a> {
    fn new(compiling: &'a analysis::Compiling) -> Compiling<'a> {
        let abort = |it: &'a TraceAborts| Abort {
            reason: &it.reason,
            at: &it.at,
            count: it.count,
            processes: it.processes,
        };
        Compiling {
            mode: compiling.mode.map(Mode::word),
            traces_started: compiling.started,
            traces_completed: compiling.completed,
            traces_aborted: compiling.aborted,
            machine_code: compiling.machine_code,
            interpreted: compiling.interpreted,
            during_samples: compiling.during_samples,
            aborts: compiling.aborts.iter().map(abort).collect(),
        }
    }
}

/// Blocks in which a case failed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Failures<'a> {
    /// Blocks in which it failed.
    blocks: usize,
    /// Blocks in all.
    of: usize,
    /// The first failure's message.
    message: Option<&'a str>,
}

impl<'a> Failures<'a> {
    fn new(failures: &'a analysis::Failures) -> Failures<'a> {
        let analysis::Failures { blocks, of, said, .. } = failures;
        Failures { blocks: *blocks, of: *of, message: said.as_deref() }
    }
}
