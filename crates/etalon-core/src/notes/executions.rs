//! Notes on executions: what became of those that are no measurements, and what disturbed others.

use crate::model::{Outcome, StopSignal};

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
    /// CPU time of processes that nobody waited for, which is no part of the benchmark's.
    MoreInGroup {
        /// The benchmark's, in seconds.
        own: f64,
        /// That of all processes of its control group.
        all: f64,
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
    /// A benchmark whose executions came to no result.
    NoResult {
        /// How the first of them ended.
        how: Outcome,
        /// The name of the signal that ended it, where one did.
        signal: Option<String>,
        /// How many.
        count: usize,
    },
}

/// How an execution can fail to be a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    /// It exited non-zero.
    Failed,
    /// A signal ended it.
    Killed,
    /// It stopped itself.
    Stopped(StopSignal),
    /// It took too long.
    TimedOut,
    /// It was stopped and continued on the way.
    Suspended,
    /// It could not be started.
    NotStarted,
}
