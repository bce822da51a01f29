//! Causes of differences between the readings of a benchmark: how much each level of the experiment adds, and what
//! goes with slow readings.
//!
//! Owns which causes are looked for, when one is named, and their order. Refuses to drop readings, and to say what
//! would cure a cause: reports word that.

mod causes;
mod level_shares;

pub(crate) use level_shares::best_repetitions;
pub use level_shares::{LevelShare, Levels, levels};

use causes::Points;

/// The readings of one benchmark and facts beside them, in time order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Readings {
    /// The readings, base units, finite.
    pub values: Vec<f64>,
    /// The block of each, where blocks hold several readings; else empty.
    pub blocks: Vec<u32>,
    /// The least that two readings can differ by.
    pub resolution: Option<f64>,
    /// Of each reading, where all have it: seconds that it waited for a CPU, or at most that.
    pub waiting: Option<Waiting>,
    /// Page faults of each, where all have it.
    pub faults: Option<Vec<f64>>,
    /// Context switches of each, where all have it.
    pub switches: Option<Vec<f64>>,
    /// How far the other benchmarks were from what is usual for them in the block of each, as logarithms; 0 in a block
    /// without others, absent where many have none.
    pub others: Option<Vec<f64>>,
}

/// How long readings waited for a CPU.
#[derive(Debug, Clone, PartialEq)]
pub enum Waiting {
    /// As the kernel counted it.
    Counted(Vec<f64>),
    /// Time without a CPU, which is waiting only where the CPU was also taken away more often: with the times that it
    /// was.
    AtMost {
        /// Seconds without a CPU.
        seconds: Vec<f64>,
        /// Times that the CPU was taken from it.
        taken: Vec<f64>,
    },
}

/// A cause of variation.
#[derive(Debug, Clone, PartialEq)]
pub struct Cause {
    /// The kind of cause.
    pub kind: CauseKind,
    /// The share of the variance that it would remove, in [0, 1].
    pub share: f64,
    /// Its p, corrected for all causes that were looked for.
    pub p: f64,
}

/// The kind of a cause.
#[derive(Debug, Clone, PartialEq)]
pub enum CauseKind {
    /// Slow readings waited for a CPU.
    Waiting,
    /// Slow readings have more page faults.
    Faults,
    /// Slow readings have more context switches.
    Switches,
    /// Readings go up and down with those of other benchmarks in the same blocks.
    Together,
    /// The first reading of all is far above the others.
    First {
        /// That reading.
        value: f64,
        /// The median of the others.
        others: f64,
    },
    /// Readings change level once.
    Step {
        /// Readings before it.
        after: usize,
        /// Their median.
        before: f64,
        /// The median of those behind.
        behind: f64,
    },
    /// Readings go one way.
    Drift {
        /// By how much, from the first to the last.
        change: f64,
    },
    /// Readings (blocks, where these hold several) come in groups.
    Modes(Vec<Mode>),
}

impl CauseKind {
    /// Its name in `--json`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            CauseKind::Waiting => "waiting",
            CauseKind::Faults => "faults",
            CauseKind::Switches => "switches",
            CauseKind::Together => "together",
            CauseKind::First { .. } => "first",
            CauseKind::Step { .. } => "step",
            CauseKind::Drift { .. } => "drift",
            CauseKind::Modes(_) => "modes",
        }
    }
}

/// A group of readings around a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mode {
    /// The median of the group.
    pub at: f64,
    /// The share of the readings that are in it.
    pub share: f64,
}

/// The chance that steady readings of one of the benchmarks of a report are said to have any cause.
const ALPHA: f64 = 0.05;
/// A cause that would remove less of the variance is not worth a cure.
const WORTH: f64 = 0.1;
/// Causes that are named at most: what is left behind three is little.
const MOST: usize = 3;
/// A cause that says more is preferred to one that describes (waiting to a step, a step to what all benchmarks have in
/// common, that to two modes) unless it removes less than this share of what the other removes.
const NEARLY: f64 = 0.8;
/// That share where benchmarks have something in common beside modes.
const MODES: f64 = 0.5;
/// Fewer points show nothing.
pub const FEWEST: usize = 10;
/// Of more readings every second, third … is looked at: what is not seen in so many is not worth a cure.
const ENOUGH: usize = 5_000;

/// The causes of variation that are seen, strongest first; empty for what is steady. `among` so many benchmarks whose
/// causes are read together: each has its share of [`ALPHA`].
///
/// In rounds: of every kind that is not named yet, a test (its p corrected for all of the round) and the share of the
/// variance that it would remove; the strongest is named, what it explains is taken off the readings, and so on with
/// what is left.
#[must_use]
#[allow(clippy::cast_precision_loss)] // numbers of benchmarks
pub(crate) fn causes(readings: &Readings, among: usize) -> Vec<Cause> {
    let alpha = ALPHA / among.max(1) as f64;
    let Some(mut points) = Points::new(readings, ENOUGH).filter(|points| points.len() >= FEWEST)
    else {
        return Vec::new();
    };
    let all = points.squares();
    let mut named: Vec<Cause> = Vec::new();
    while named.len() < MOST && all > 0.0 {
        let mut seen = causes::seen(&points);
        seen.retain(|found| named.iter().all(|cause| !causes::is_alike(&cause.kind, &found.kind)));
        let p: Vec<f64> = seen.iter().map(|found| found.p).collect();
        let p = crate::stats::adjust(&p, crate::stats::Correction::Holm);
        let left = points.squares();
        let candidates = seen.into_iter().zip(p).filter(|(_, p)| *p <= alpha).map(|(found, p)| {
            let share = (left - points.less(&found.fit).squares()) / all;
            (found, p, share)
        });
        let candidates: Vec<_> = candidates.filter(|(_, _, share)| *share >= WORTH).collect();
        let Some((found, p, share)) = strongest(candidates) else { break };
        points = points.less(&found.fit);
        named.push(Cause { kind: found.kind, share: share.min(1.0), p });
    }
    named.sort_by(|a, b| b.share.total_cmp(&a.share));
    named
}

/// The one that removes most, among those that say as much.
fn strongest(
    mut candidates: Vec<(causes::CauseTest, f64, f64)>,
) -> Option<(causes::CauseTest, f64, f64)> {
    let together = candidates.iter().find(|it| it.0.kind == CauseKind::Together).map(|it| it.2);
    // Groups are chosen to remove much of anything.
    candidates.retain(|(found, _, share)| match found.kind {
        CauseKind::Modes(_) => together.is_none_or(|together| together < MODES * share),
        _ => true,
    });
    let most = candidates.iter().map(|(_, _, share)| *share).fold(0.0, f64::max);
    let near = candidates.into_iter().filter(|(_, _, share)| *share >= NEARLY * most);
    near.max_by(|a, b| {
        let rank = |it: &(causes::CauseTest, f64, f64)| causes::rank(&it.0.kind);
        rank(a).cmp(&rank(b)).then(a.2.total_cmp(&b.2))
    })
}

#[cfg(test)]
mod tests;
