//! Shares of the variance by level, and how often each level is best repeated.

use crate::stats;

/// The share that a level adds to the variance of a reading.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelShare {
    /// The name of the level: `run`, `node`, `block`, `turn`.
    pub level: &'static str,
    /// Its share, in [0, 1]; the shares of all levels sum to 1.
    pub share: f64,
    /// Its variance, base units squared; 0 where the estimate was below.
    pub variance: f64,
    /// Whether the estimate was below 0: the level adds nothing that is seen.
    pub below_zero: bool,
}

/// The levels, outermost first.
pub type Levels = Vec<LevelShare>;

/// The shares by level, outermost first: of named groups, and last of readings within the innermost ones, called
/// `innermost`. Empty where a level is not repeated, and without spread.
#[must_use]
pub fn levels(
    values: &[f64],
    groups: &[(&'static str, &[u32])],
    innermost: &'static str,
) -> Levels {
    let ids: Vec<&[u32]> = groups.iter().map(|(_, ids)| *ids).collect();
    let variances = stats::nested_variances(values, &ids).unwrap_or_default();
    let all: f64 = variances.iter().map(|variance| variance.max(0.0)).sum();
    if all <= 0.0 || !all.is_finite() {
        return Vec::new();
    }
    let names = groups.iter().map(|(name, _)| *name).chain([innermost]);
    let share = |(level, variance): (&'static str, f64)| LevelShare {
        level,
        share: variance.max(0.0) / all,
        variance: variance.max(0.0),
        below_zero: variance < 0.0,
    };
    names.zip(variances).map(share).collect()
}

/// How many of the next inner level are best executed in each of a level, for the narrowest mean in a given time: one
/// number less than there are levels, each at least 1; absent where more always pay, as the outer level adds nothing.
/// `costs` are seconds that one more of each level takes by itself, outermost first.
///
/// √(cᵢ/cᵢ₊₁ · s²ᵢ₊₁/s²ᵢ). Kalibera & Jones, Rigorous benchmarking in reasonable time, ISMM (2013), §6.
#[must_use]
pub(crate) fn best_repetitions(levels: &Levels, costs: &[f64]) -> Vec<Option<f64>> {
    let best = |(level, cost): (&[LevelShare], &[f64])| {
        let best = (cost[0] / cost[1] * (level[1].variance / level[0].variance)).sqrt();
        best.is_finite().then(|| best.max(1.0))
    };
    levels.windows(2).zip(costs.windows(2)).map(best).collect()
}
