//! Notes as data: what was seen, with its numbers. `etalon-report` words them.

use std::sync::Arc;

use super::{Course, Growth};
use crate::compare;
use crate::dataset::ChangingLoad;
use crate::estimate::Estimate;
use crate::model::Metric;
use crate::stats::Widening;
use crate::units::Base;
use crate::variation::Cause;
use crate::verdict::Verdict;

/// A remark about something, said once by every report. Several may say the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// The subject: a benchmark, a comparison, a part of the experiment.
    pub about: String,
    /// The remark.
    pub what: NoteKind,
}

/// A remark on the ranked metric that must not be overlooked: CPU time and wall clock do not say the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Headline {
    /// CPU time is ranked, and up to this multiple of the wall clock: work ran in parallel.
    Parallel {
        /// CPU time over wall clock.
        ratio: f64,
    },
    /// CPU time is ranked, and wall clock ranks differently: a pair of which it says something else.
    WallRanksDifferently(OtherView),
    /// Wall clock is ranked, and CPU time ranks differently: a pair of which it says something else.
    CpuRanksDifferently(OtherView),
    /// Wall clock is ranked, and CPU time knows the headline's pair at least twice as well.
    CpuIsNarrower(OtherView),
}

/// A pair as the metric that is not ranked shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OtherView {
    /// Index of the better one among the benchmarks, where one is better.
    pub of: usize,
    /// Index of the other one.
    pub base: usize,
    /// The verdict on the first one.
    pub verdict: Verdict,
    /// The ratio of the pair, above 1; absent where no ratio is formed.
    pub ratio: Option<Estimate>,
}

/// How an execution can fail to be a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    /// It exited non-zero.
    Failed,
    /// A signal ended it.
    Killed,
    /// It took too long.
    TimedOut,
    /// It was stopped and continued on the way.
    Suspended,
    /// It could not be started.
    NotStarted,
}

/// A test of means beside etalon's own verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeansTest {
    /// Welch's, of every pair.
    Welch,
    /// Scott–Knott clusters.
    ScottKnott,
}

/// The remark.
#[derive(Debug, Clone, PartialEq)]
pub enum NoteKind {
    /// A remark recorded with the data, in the words of then.
    Recorded(String),
    /// Of a benchmark's executions.
    Executions(ExecutionNote),
    /// Of a metric of a benchmark.
    Metric(MetricNote),
    /// Of the design of the experiment.
    Design(DesignNote),
    /// Of a comparison.
    Comparison(ComparisonNote),
    /// Of what the runtime had to do without.
    Runtime(RuntimeNote),
    /// Of a case.
    Case(CaseNote),
}

impl NoteKind {
    /// Whether it changes how the answer is read; the others say how numbers came about.
    #[must_use]
    pub fn changes_reading(&self) -> bool {
        match self {
            NoteKind::Recorded(_) | NoteKind::Design(_) => true,
            NoteKind::Executions(note) => !matches!(note, ExecutionNote::SharedCounters { .. }),
            NoteKind::Metric(note) => matches!(
                note,
                MetricNote::NearResolution
                    | MetricNote::LauncherFloor { .. }
                    | MetricNote::Varies { .. }
            ),
            NoteKind::Comparison(note) => !matches!(note, ComparisonNote::Disagreement { .. }),
            NoteKind::Runtime(note) => matches!(note, RuntimeNote::ClockOfProcess),
            NoteKind::Case(note) => matches!(
                note,
                CaseNote::PassedOver { .. }
                    | CaseNote::OptimisedAway
                    | CaseNote::MostlyClock { .. }
                    | CaseNote::Slows
                    | CaseNote::GetsFaster
                    | CaseNote::Course { .. }
                    | CaseNote::GrowsWithBatch(_)
                    | CaseNote::Compiles
                    | CaseNote::Interpreted { .. }
                    | CaseNote::CollectorOff
            ),
        }
    }
}

/// A remark on a benchmark's executions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExecutionNote {
    /// Executions that are no measurements.
    Failures {
        /// How they ended.
        how: Failing,
        /// How many.
        count: usize,
        /// Of how many executions.
        of: usize,
    },
    /// Processes that executions left running.
    Orphans {
        /// Executions that left some.
        with: u64,
        /// Of how many executions; absent for processes of a case.
        of: Option<usize>,
        /// Processes in all.
        all: u64,
    },
    /// Executions that waited long for a CPU.
    Waited {
        /// How many.
        disturbed: usize,
        /// Of how many.
        of: usize,
    },
    /// Events that shared the CPU's counters.
    SharedCounters {
        /// The least share of the time that one was counted, in percent.
        percent: f64,
    },
}

/// A remark on a metric of a benchmark.
#[derive(Debug, Clone, PartialEq)]
pub enum MetricNote {
    /// User and system time are too short to be told apart.
    SplitByTicks,
    /// Readings are shorter than 100 × the clock's resolution.
    NearResolution,
    /// Peak memory is not told apart from the launcher's own.
    LauncherFloor {
        /// The launcher's, in bytes.
        bytes: f64,
    },
    /// Serial dependence widens the interval of the median.
    Widened {
        /// Of what.
        metric: Arc<Metric>,
        /// By how much.
        widening: Widening,
    },
    /// Readings differ for a reason.
    Varies {
        /// The strongest that is seen.
        cause: Cause,
        /// The unit of the readings.
        base: Base,
    },
}

/// A remark on the design of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub enum DesignNote {
    /// Subjects were executed one after the other.
    Sequential,
    /// Commands of a file are compared, whose format does not say whether they took turns.
    OrderUnsaid,
    /// Data of different executions are compared.
    DifferentExecutions,
    /// Executions waited for a CPU much longer at some times than at others.
    LoadChanged(ChangingLoad),
    /// Runs of a benchmark are copies of others of it, and were left out.
    Copies {
        /// How many.
        runs: usize,
    },
    /// How much runs of the benchmark differ was measured.
    NoiseMeasured {
        /// So many seconds before these data; negative: after.
        before: f64,
        /// How many runs said so.
        runs: usize,
        /// By how much they scatter, as a share.
        scatter: f64,
        /// The smallest visible change of one run a side, as a share.
        visible: Option<f64>,
    },
    /// Results of one data set are of several machines, which are not compared with each other.
    Machines {
        /// The keys that tell them apart.
        keys: Vec<String>,
    },
    /// Data sets that are compared are of machines of their own.
    OtherMachines {
        /// The facts that differ between them.
        keys: Vec<String>,
    },
    /// Each of many benchmarks is compared with the first only.
    FirstOnly {
        /// How many there are.
        all: usize,
        /// Name of the first benchmark.
        first: String,
    },
}

/// A remark on a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum ComparisonNote {
    /// A remark that every report makes on such evidence.
    Evidence(compare::Remark),
    /// The difference is real, but below the margin.
    RealButBelowMargin,
    /// No block holds both cases.
    NoCommonBlock,
    /// A test of means does not say what the verdict says.
    Disagreement {
        /// The test of means that disagrees.
        test: MeansTest,
        /// The difference it found, as a verdict; absent if it found none.
        found: Option<Verdict>,
        /// etalon's own.
        verdict: Verdict,
        /// The fewest blocks that a verdict needs, where there are fewer.
        needs: Option<usize>,
    },
}

/// A means that the runtime lacks.
#[derive(Debug, Clone, PartialEq)]
pub enum RuntimeNote {
    /// The clock is read through the FFI.
    ClockThroughFfi,
    /// Times are CPU time of the process.
    ClockOfProcess,
    /// The allocator could not be counted.
    AllocatorUncounted,
}

/// A remark on a case.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseNote {
    /// The case is no baseline because it has no time.
    PassedOver {
        /// Whether it was skipped; else it failed.
        skipped: bool,
        /// The baseline in its place.
        baseline: String,
    },
    /// A call takes no longer than an empty loop.
    OptimisedAway,
    /// Reading the clock is a large part of every time.
    MostlyClock {
        /// Seconds of a call that are the clock's.
        clock: f64,
        /// Seconds of a call.
        call: f64,
    },
    /// A call slows from turn to turn.
    Slows,
    /// A call gets faster from turn to turn.
    GetsFaster,
    /// Most processes slow down after the warm-up's first levels, or come to none.
    Course {
        /// Their course.
        course: Course,
        /// How many do.
        processes: usize,
        /// Of how many.
        of: usize,
    },
    /// A call takes longer the more were made since a collection.
    GrowsWithBatch(Growth),
    /// Memory is kept that was not seen to be allocated.
    KeepsMemory,
    /// Calls find strings of earlier ones in memory; what is reported are calls that do not.
    FindsStrings {
        /// Bytes that a call allocates less where it finds them.
        bytes: f64,
    },
    /// A JIT compiler was still compiling in many of the samples.
    Compiles,
    /// A JIT compiler could not compile it.
    Interpreted {
        /// Whether it compiled parts.
        partly: bool,
        /// Why, in its words.
        reason: String,
        /// Where.
        at: String,
    },
    /// The interval is wider than its target.
    TargetMissed,
    /// Percentiles are of means over batches.
    MeansOverBatches,
    /// Warm-up took longer than the samples.
    LongWarmup,
    /// Collecting before a sample takes longer than the sample, and the heap is large.
    CollectionDominates,
    /// The collector is off.
    CollectorOff,
    /// The collector is stopped during samples.
    CollectorStopped,
}
