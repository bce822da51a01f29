//! Notes on cases and their runtimes: times, memory, compiler, and what a runtime has to do without.

/// A remark on a case.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseNote {
    /// The case is no baseline, although it is the first.
    PassedOver {
        /// Why not.
        why: PassedReason,
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
        /// Bytes that a call allocates whose strings are new.
        alloc: f64,
        /// Bytes that a call allocates less where it finds them.
        bytes: f64,
    },
    /// Calls give back some of what they allocate: the former blocks of tables that grow.
    GivesBack {
        /// Bytes that a call allocates.
        alloc: f64,
        /// Bytes of these that it gives back.
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

/// Why the first case is no baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassedReason {
    /// It was skipped.
    Skipped,
    /// It has no time.
    Failed,
    /// Its calls do nothing that can be seen.
    DoesNothing,
}

/// The course of a process's times, the least remarkable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Course {
    /// They are on one level from the first batch that is long enough on.
    Flat,
    /// They get shorter, and stay on the last level.
    Warming,
    /// They get longer: the last level is above an earlier one.
    Slowing,
    /// They stay on no level.
    Unsteady,
}

impl Course {
    /// All of them, in order.
    pub const ALL: [Course; 4] = [Course::Flat, Course::Warming, Course::Slowing, Course::Unsteady];

    /// The word used in every output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Course::Flat => "flat",
            Course::Warming => "warming",
            Course::Slowing => "slowing",
            Course::Unsteady => "unsteady",
        }
    }
}

/// A time that depends on how many calls were made since a collection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// Calls right after a collection: the median.
    pub first_calls: u64,
    /// Seconds that one of them takes.
    pub first: f64,
    /// Calls of a sample, made after those: the median.
    pub calls: u64,
    /// Seconds that one of them takes.
    pub call: f64,
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
