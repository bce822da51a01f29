//! The noise of identical programs, as its document has it.

use etalon_core::analysis;
use etalon_core::noise::{self, BLOCKS, InBlocks, InSequence};
use serde::Serialize;

/// The noise of identical programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Noise<'a> {
    /// Whether it ended early.
    cut_short: bool,
    /// The command, or each case.
    benchmarks: Vec<BenchmarkNoise<'a>>,
}

impl<'a> Noise<'a> {
    pub(super) fn new(noise: &'a [analysis::Noise], cut_short: bool) -> Noise<'a> {
        Noise { cut_short, benchmarks: noise.iter().map(BenchmarkNoise::new).collect() }
    }
}

/// The noise of a benchmark.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BenchmarkNoise<'a> {
    /// Its name.
    name: &'a str,
    /// The file of a case.
    file: Option<&'a str>,
    /// The metric that was looked at.
    metric: &'a str,
    /// Runs one after the other; `null` of fewer than two.
    sequence: Option<Sequence>,
    /// Two of the same in blocks.
    blocks: Option<Blocks>,
}

impl<'a> BenchmarkNoise<'a> {
    fn new(of: &'a analysis::Noise) -> BenchmarkNoise<'a> {
        BenchmarkNoise {
            name: &of.name,
            file: of.file.as_deref(),
            metric: &of.metric.name,
            sequence: of.sequence.as_ref().map(Sequence::new),
            blocks: of.blocks.as_ref().map(Blocks::new),
        }
    }
}

/// Runs one after the other.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Sequence {
    /// The number of runs.
    runs: usize,
    /// Readings of one.
    readings: usize,
    /// Seconds from the first start to the last; `null` if not known.
    span: Option<f64>,
    /// The standard deviation of the logarithms of their medians.
    scatter: f64,
    /// The part of `scatter` that readings explain.
    explained: f64,
    /// The scatter of readings within a run, of logarithms.
    within: f64,
    /// Pairs of runs that were called a difference.
    false_alarms: FalseAlarms,
    /// The smallest visible change of one run a side.
    visible: VisibleOfRuns,
}

/// Pairs of runs that were called a difference.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FalseAlarms {
    /// By the readings alone.
    by_readings: Alarms,
    /// By the rule for one run a side.
    by_runs: Alarms,
    /// Whether the other runs were enough for a history.
    history: bool,
}

/// Comparisons that were called a difference.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Alarms {
    /// How many were.
    called: usize,
    /// Of how many.
    of: usize,
    /// Their share; `null` of none.
    share: Option<f64>,
}

/// The smallest visible change of one run a side.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct VisibleOfRuns {
    /// With these runs for a history.
    known: Vec<Visible>,
    /// With an assumed scatter between runs, as a share.
    assumed: Option<f64>,
}

/// The smallest visible change with so many readings.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Visible {
    /// Blocks, or readings of each run.
    blocks: usize,
    /// The change, as a share.
    change: Option<f64>,
}

/// Two of the same in blocks.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Blocks {
    /// The number of blocks.
    blocks: usize,
    /// The scatter of a reading beside its neighbour, as a share.
    scatter: f64,
    /// Drawings that were called a difference.
    false_alarms: Alarms,
    /// The smallest visible change.
    visible: Vec<Visible>,
    /// The one over the other, as they were executed.
    ratio: Option<f64>,
    /// The lower end of its interval.
    lo: Option<f64>,
    /// The upper end.
    hi: Option<f64>,
    /// The verdict on that.
    verdict: &'static str,
}

impl Sequence {
    fn new(of: &InSequence) -> Sequence {
        Sequence {
            runs: of.runs,
            readings: of.readings,
            span: of.span,
            scatter: of.scatter,
            explained: of.explained,
            within: of.within,
            false_alarms: FalseAlarms {
                by_readings: Alarms::new(of.by_readings),
                by_runs: Alarms::new(of.by_runs),
                history: of.has_history,
            },
            visible: VisibleOfRuns {
                known: Visible::all(of.visible.known),
                assumed: of.visible.assumed,
            },
        }
    }
}

impl Blocks {
    fn new(of: &InBlocks) -> Blocks {
        let interval = of.ratio.and_then(|ratio| ratio.interval.ok());
        Blocks {
            blocks: of.blocks,
            scatter: of.scatter,
            false_alarms: Alarms::new(of.alarms),
            visible: Visible::all(of.visible),
            ratio: of.ratio.map(|ratio| ratio.value),
            lo: interval.map(|it| it.lo),
            hi: interval.map(|it| it.hi),
            verdict: of.verdict.name(),
        }
    }
}

impl Alarms {
    fn new(of: noise::Alarms) -> Alarms {
        Alarms { called: of.called, of: of.of, share: of.share() }
    }
}

impl Visible {
    fn all(of: [Option<f64>; BLOCKS.len()]) -> Vec<Visible> {
        let of = BLOCKS.iter().zip(of);
        of.map(|(blocks, change)| Visible { blocks: *blocks, change }).collect()
    }
}
