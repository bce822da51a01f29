//! Steps in a series: where its level changed, by how much, and where it drifted instead.
//!
//! Input is one value a point, in time order, on a scale where changes add up (logarithms of ratios, for the most
//! part). Neighbouring values may depend on one another, a few may lie far off, and whole stretches may rise slowly:
//! what is called a step has to stand out from the *long-run* scatter, which counts all three. Refuses to say which
//! critical value fits how many looks: that is [`crate::history`]'s.
//!
//! | file | what it owns |
//! | --- | --- |
//! | `spikes` | values far off their surroundings are drawn in |
//! | `long_run` | how much means of many values scatter |
//! | `sums` | means of stretches, and where they differ most |
//! | `search` | which places stand out |
//! | `place` | the likelihood of places |
//! | `line` | when a line fits better |

mod line;
mod long_run;
mod place;
mod search;
mod spikes;
mod sums;

use std::ops::{Range, RangeInclusive};

use super::interval::{InsufficientData, Interval};
use super::student_t::student_t_quantile;
use line::Line;
use long_run::LongRun;
use place::places;
use search::beside;
use sums::Sums;

/// The fewest points of a series in which anything is looked for: of 30, no step is found that is worth its false
/// alarms.
pub const FEWEST_POINTS: usize = 40;

/// A level that changed from one point to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelStep {
    /// The index of the first point on the new level.
    pub at: usize,
    /// The indices at which the new level may begin, by the level that was asked for.
    pub places: RangeInclusive<usize>,
    /// The mean on the new level less the one before, up to the neighbouring steps; in the unit of the values.
    pub size: f64,
    /// Of the size.
    pub interval: Interval,
    /// The size in standard errors: above the critical value.
    pub statistic: f64,
}

/// Points whose level changed, but slowly: a line fits them better than a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    /// Their indices.
    pub points: Range<usize>,
    /// From the first to the last of them along the line; in the unit of the values.
    pub size: f64,
    /// Of the size.
    pub interval: Interval,
}

/// Changes of a series.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// Steps in time order.
    pub steps: Vec<LevelStep>,
    /// Stretches that drifted, in time order; only those whose interval does not hold 0.
    pub drifts: Vec<Drift>,
}

/// The steps and drifts of a series of at least 40 finite values in time order.
///
/// A step is a place where the means of both sides differ by more than `critical` standard errors (by 0.35 more in a
/// part of a stretch), as far as the neighbouring steps, with at least five points a side. `critical` is that of a
/// normal distribution; Student's, of the same probability and n(1 − φ)/(1 + φ) − steps − 1 degrees of freedom, takes
/// its place. The standard error comes from the long-run variance: the larger of that of a first-order autoregression,
/// σ²/(1 − φ)², and that of means of n/15 consecutive points. A spike is no step, because values beyond three
/// deviations of their surroundings count as if they were there. Where a line fits a stretch better than a step, and
/// than up to three by Schwarz's criterion, the stretch drifted. Values that are all equal have none; of values that
/// repeat exactly but for a step, a step in the middle half is found.
///
/// `level` in (0, 1) is that of the intervals: of the size by Student's t again, of
/// the place the indices whose likelihood is within −2 ln(1 − √level) of the best one. O(n log n) for a few
/// steps. Why so: docs/notes/rules.md, "Steps in a series".
///
/// Bai, Econometric Theory 10 (1994); Andrews, Econometrica 59 (1991); Fryzlewicz, Annals of Statistics 42 (2014); the
/// interval of a place: Hansen, Econometrica 68 (2000).
///
/// # Errors
/// Fewer than [`FEWEST_POINTS`] values; values that are not finite; a level out of range.
pub fn level_steps(values: &[f64], critical: f64, level: f64) -> Result<Changes, InsufficientData> {
    if values.len() < FEWEST_POINTS {
        return Err(InsufficientData::TooFew { needs: FEWEST_POINTS });
    }
    if !(level > 0.0 && level < 1.0) {
        return Err(InsufficientData::LevelOutOfRange);
    }
    let Some(values) = spikes::drawn_in(values) else { return Err(InsufficientData::NotFinite) };
    let Some(scatter) = LongRun::smallest(&values) else { return Ok(Changes::default()) };
    let sums = Sums::new(&values);
    let found = search::rounds(&values, &sums, scatter, critical);
    let df = found.scatter.df(values.len(), found.steps.len());
    let t = -student_t_quantile(f64::midpoint(1.0, -level), df);
    let step = |(number, &at): (usize, &usize)| {
        let stretch = beside(&found.steps, number, values.len());
        let size = sums.mean(at..stretch.end) - sums.mean(stretch.start..at);
        let error = found.scatter.error(at - stretch.start, stretch.end - at);
        let (lo, hi) = (size - t * error, size + t * error);
        LevelStep {
            at,
            places: places(&values, &found.scatter, stretch, (at, level)),
            size,
            interval: Interval { lo, hi, level },
            statistic: size.abs() / error,
        }
    };
    let drift = |(points, line): &(Range<usize>, Line)| {
        let half = t * line.error;
        let interval = Interval { lo: line.size - half, hi: line.size + half, level };
        Drift { points: points.clone(), size: line.size, interval }
    };
    Ok(Changes {
        steps: found.steps.iter().enumerate().map(step).collect(),
        drifts: found.drifts.iter().map(drift).filter(|it| !it.interval.contains(0.0)).collect(),
    })
}
