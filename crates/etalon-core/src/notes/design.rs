//! Notes on the design of an experiment: order, runs, machines, and what is held against what.

use crate::dataset::ChangingLoad;
use crate::run_set::StoppedBy;

/// A remark on the design of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub enum DesignNote {
    /// Subjects were executed one after the other.
    Sequential,
    /// Commands of a file are compared, whose format does not say whether they took turns.
    OrderUnsaid,
    /// Of benchmarks there are centres alone, which a harness formed.
    CentresAlone {
        /// Of how many.
        benchmarks: usize,
        /// How many there are.
        of: usize,
    },
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
    /// An experiment did not come to the end that was asked for.
    CutShort {
        /// Why it ended; absent of one that could not say so.
        stopped_by: Option<StoppedBy>,
    },
    /// Looks at verdicts, until there were some, have cost what is left to them.
    LooksPaid {
        /// How many.
        looks: usize,
        /// The significance level that is left.
        alpha: f64,
        /// The level of intervals that is left.
        confidence: f64,
    },
    /// Keys are to be ignored that nothing has.
    NothingIgnored {
        /// The keys, as queries spell them.
        keys: Vec<String>,
    },
    /// Nothing is compared, because keys make tables of which none has two data sets.
    KeptApart {
        /// The keys, as queries spell them.
        keys: Vec<String>,
    },
}
