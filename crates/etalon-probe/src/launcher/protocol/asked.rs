//! The conditions of commands and the readings besides, when they are asked for; and the answer.
//!
//! Owns: the words for it. Refuses: defaults that cost: whatever is not asked for adds no system
//! call to an execution.

use serde::{Deserialize, Serialize};

/// The conditions that commands are executed under. Prepare, conclude, setup and cleanup get the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// The CPUs they may run on, by number; those etalon may run on if absent.
    pub cpus: Option<Vec<usize>>,
    /// Their niceness, -20 (favoured) to 19; etalon's own if absent. Below etalon's own it takes a
    /// privilege.
    pub nice: Option<i32>,
    /// Where the kernel puts their memory.
    pub aslr: Aslr,
}

/// Address space layout randomisation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Aslr {
    /// As etalon has it.
    #[default]
    Keep,
    /// Addresses are equal in every execution.
    Off,
}

/// Whether events (perf) and block I/O are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Counters {
    /// Not counted.
    #[default]
    Off,
    /// Counted where the machine can.
    On,
    /// Only instructions, and only those that programs execute themselves, not the kernel for them.
    Instructions,
}

/// Whether each execution gets a control group, which sees processes that nobody waited for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cgroup {
    /// No group.
    #[default]
    Off,
    /// The best kind of group that works here.
    On,
}

/// The part of a request that could be set up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ready {
    /// The resident size that a command starts at, in bytes: the launcher's own.
    pub floor_rss: Option<u64>,
    /// The metrics of the setup that no observation will hold, each with the reason.
    pub unavailable: Vec<Unavailable>,
    /// The scope of events, if they were asked for.
    pub events: Events,
    /// The control groups, if they were asked for.
    pub cgroup: Groups,
    /// The cost of counters; absent if they were not asked for, or where it could not be measured.
    pub counters_cost: Option<Overhead>,
    /// The cost of control groups, measured in the same way.
    pub cgroup_cost: Option<Overhead>,
}

/// A metric that cannot be measured here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unavailable {
    /// As it is declared in the record.
    pub metric: String,
    /// The operating system's reason, with the remedy where there is one.
    pub why: String,
}

/// The scope of events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Events {
    /// They were not asked for.
    #[default]
    NotAsked,
    /// The programs and what the kernel does for them.
    Whole,
    /// The programs alone: counting the kernel is not permitted.
    UserOnly {
        /// The reason, with the remedy.
        why: String,
    },
    /// None can be counted; [`Ready::unavailable`] says why.
    None,
}

/// Which control groups executions get.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Groups {
    /// They were not asked for.
    #[default]
    NotAsked,
    /// Version 2.
    V2,
    /// Version 1: one hierarchy per controller.
    V1,
    /// None works here: `cpu` and `rss` see the processes that were waited for, and no others.
    None {
        /// The obstacle for either version.
        why: String,
    },
}

/// The time that counters or control groups add to one execution of a program that does nothing: medians
/// over pairs of executions with and without them, the other there in both if it was asked for.
/// Signed, because a difference of two medians this
/// small may be below zero by chance. After an execution of more than some 20 ms, version 1 groups
/// cost one wait for the kernel more, some 10 ms, which is not in here: it is before the clock
/// starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overhead {
    /// To its `wall`, in ns: this much of every reading is theirs.
    pub wall_ns: i64,
    /// To the time from one execution to the next, `wall` included, in ns.
    pub whole_ns: i64,
}
