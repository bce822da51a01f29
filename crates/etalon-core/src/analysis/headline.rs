//! The remark on the ranked metric for the first line of a report, as data. `etalon-report` words it.

use crate::estimate::Estimate;
use crate::verdict::Verdict;

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

/// The answer's pair as CPU time settles it, where wall clock, which is ranked, leaves it open and knows it less than
/// half as well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CpuAnswer {
    /// Index of the one that the answer speaks of among the benchmarks.
    pub of: usize,
    /// Index of the one that it is held against.
    pub base: usize,
    /// The verdict on the first one.
    pub verdict: Verdict,
    /// The first over the second.
    pub ratio: Option<Estimate>,
    /// Whether their executions waited for a CPU so often that the wall clock says little.
    pub is_busy: bool,
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
