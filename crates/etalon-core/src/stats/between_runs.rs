//! Two sides whose measurements were not interleaved: the run is the unit of replication.
//!
//! Owns how the scatter between runs widens a comparison. A run is one execution of the whole experiment; its
//! value is the median of its readings. What is known of the scatter decides the formula ([`Scatter`]); interval
//! and p come from the same half-width, so that they agree at every level. On the scale of logarithms all shares
//! are of ratios. Refuses to find runs or earlier runs: the caller brings them.
//!
//! The forms and constants rest on the measurements and simulations in `docs/notes/rules.md`.

use super::interval::{InsufficientData, Interval, check_level};
use super::moments::mean;
use super::normal::{normal_quantile, normal_sf};
use super::occasions::OccasionScatter;
use super::root::root;
use super::student_t::{student_t_quantile, student_t_two_sided};
use super::summaries::Noise;
use super::welch::welch_noise;

/// From so many runs a side on, the runs themselves say how much runs scatter.
pub const ENOUGH_RUNS: usize = 3;

/// The scatter between runs that is assumed where nothing is known, as a share: together with the spread of the
/// readings inside a run the shortest rule that kept each of seven workloads at 7 % false verdicts or fewer.
pub(crate) const ASSUMED_SCATTER: f64 = 0.025;

/// Degrees of freedom of the assumed scatter: excursions of +8 to +60 % in some runs are heavier than a normal tail.
const ASSUMED_DF: f64 = 3.0;

/// The two-sided 5 % quantile of Student's t with [`ASSUMED_DF`] over that of the normal distribution.
const T_OVER_Z: f64 = 3.182_446_305_283_71 / 1.959_963_984_540_054;

/// No p is smaller: what doubles can still tell from nothing, with room for products.
const SMALLEST_P: f64 = 1e-300;

/// One side of the comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct RunsOfSide {
    /// The value of each run: the median of its readings.
    pub centres: Vec<f64>,
    /// The robust standard deviation of each run's readings: their interquartile range over 1.349; 0 of one.
    pub spreads: Vec<f64>,
    /// How much of each run's value its executions did nothing but wait for a CPU; empty where that is not known.
    pub waited: Vec<f64>,
}

/// Knowledge of how much runs of unchanged code differ: standard deviations, in the unit of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scatter {
    /// Nothing: it is assumed, as this and the spread of the readings.
    Assumed(f64),
    /// It is this.
    Known(f64),
    /// Earlier runs of the same code had this standard deviation.
    Earlier {
        /// Standard deviation of their values.
        sd: f64,
        /// Its degrees of freedom.
        df: f64,
    },
}

/// How the runs of two sides lie in time. A *stretch* is a series of runs of one side with none of the other between
/// them: what the machine did meanwhile is in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InTime {
    /// By turns, three stretches a side at least; each value is that of a stretch.
    Alternating,
    /// One side after the other, or in an order that nobody knows, in so many stretches of base and candidate; each
    /// value is that of a run.
    InSequence([usize; 2]),
}

/// The precision of readings by themselves, where too few runs speak: half the width of their interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Within {
    /// Half the width.
    pub half_width: f64,
    /// The level of that interval.
    pub level: f64,
    /// Degrees of freedom by which it grows with the level.
    pub df: f64,
}

/// Candidate less base, between runs; or over nodes, in place of runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BetweenRuns {
    /// Mean of the candidate's runs less mean of the base's; of nodes the middle of what each says of both.
    pub difference: f64,
    /// How much of the difference comes from waiting for a CPU; 0 where that is not known, or runs alternate.
    pub waited: f64,
    within: Part,
    between: Part,
}

/// A part of the half-width: a standard error with how its quantile grows as alpha falls.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Part {
    error: f64,
    distribution: ErrorDistribution,
}

impl Part {
    fn half_width(&self, alpha: f64) -> f64 {
        if self.error == 0.0 { 0.0 } else { self.error * self.distribution.quantile(alpha) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum ErrorDistribution {
    /// Student's t with these degrees of freedom.
    T(f64),
    /// The normal distribution.
    Z,
    /// Student's t with three degrees of freedom at 5 %, and beyond that as the normal distribution grows: in a
    /// family of many, t alone would ask for what no data can show.
    Assumed,
}

impl ErrorDistribution {
    /// The quantile of a two-sided alpha.
    fn quantile(self, alpha: f64) -> f64 {
        let z = |alpha: f64| -normal_quantile(alpha / 2.0);
        let t = |alpha: f64, df: f64| -student_t_quantile(alpha / 2.0, df);
        match self {
            ErrorDistribution::T(df) => t(alpha, df),
            ErrorDistribution::Z => z(alpha),
            ErrorDistribution::Assumed if alpha >= 0.05 => t(alpha, ASSUMED_DF),
            ErrorDistribution::Assumed => z(alpha) * T_OVER_Z,
        }
    }

    /// The two-sided alpha of a quantile: the inverse.
    fn tails(self, quantile: f64) -> f64 {
        let z = |quantile: f64| 2.0 * normal_sf(quantile);
        match self {
            ErrorDistribution::T(df) => student_t_two_sided(quantile, df),
            ErrorDistribution::Z => z(quantile),
            ErrorDistribution::Assumed => {
                let alpha = student_t_two_sided(quantile, ASSUMED_DF);
                if alpha >= 0.05 { alpha } else { z(quantile / T_OVER_Z) }
            }
        }
    }
}

/// Compares two sides between runs. Stretches that alternate in time say all by themselves (Welch's t), [`ENOUGH_RUNS`]
/// a side. One side after the other, what the machine did meanwhile is in the difference, however many runs there are,
/// and the scatter is added in quadrature: not divided by the number of runs, or as an earlier scatter says of means of
/// so many stretches. With fewer runs the scatter is added to `within`.
///
/// Who waits for a CPU is no matter of the code, and a run meets a busy machine or does not, which is no scatter around
/// a middle: without alternation the interval spans the difference with that time and without it.
///
/// # Errors
/// Without a run on a side; values that are not finite.
#[allow(clippy::cast_precision_loss)] // numbers of runs
pub fn between_runs(
    base: &RunsOfSide,
    candidate: &RunsOfSide,
    in_time: InTime,
    scatter: Scatter,
    within: Result<Within, InsufficientData>,
) -> Result<BetweenRuns, InsufficientData> {
    let centre = |side: &RunsOfSide| mean(&side.centres).ok_or(InsufficientData::Empty);
    let difference = centre(candidate)? - centre(base)?;
    if !difference.is_finite() {
        return Err(InsufficientData::NotFinite);
    }
    let sizes = [base, candidate].map(|side| side.centres.len());
    let stretches = match in_time {
        InTime::Alternating => sizes,
        InTime::InSequence(stretches) => stretches,
    };
    let share = stretches.iter().map(|k| 1.0 / (*k).max(1) as f64).sum::<f64>().sqrt();
    let enough = sizes.iter().all(|k| *k >= ENOUGH_RUNS);
    let (within, between) = if enough {
        let Noise { error, df } = welch_noise(&base.centres, &candidate.centres)?;
        let between = match (in_time, scatter) {
            (InTime::Alternating, _) => Part { error: 0.0, distribution: ErrorDistribution::Z },
            (InTime::InSequence(_), Scatter::Earlier { sd, df }) => {
                Part { error: sd * share, distribution: ErrorDistribution::T(df) }
            }
            (InTime::InSequence(_), Scatter::Known(sd)) => {
                Part { error: sd * std::f64::consts::SQRT_2, distribution: ErrorDistribution::Z }
            }
            (InTime::InSequence(_), Scatter::Assumed(sd)) => {
                let error = sd.hypot(typical(base, candidate)) * std::f64::consts::SQRT_2;
                Part { error, distribution: ErrorDistribution::Z }
            }
        };
        (Part { error, distribution: ErrorDistribution::T(df) }, between)
    } else {
        let within = within?;
        let distribution = ErrorDistribution::T(within.df);
        let error = within.half_width / distribution.quantile(1.0 - within.level);
        let between = match scatter {
            Scatter::Earlier { sd, df } => {
                Part { error: sd * share, distribution: ErrorDistribution::T(df) }
            }
            Scatter::Known(sd) => Part { error: sd * share, distribution: ErrorDistribution::Z },
            Scatter::Assumed(sd) => Part {
                error: sd.hypot(root_mean_square(base, candidate)) * share,
                distribution: ErrorDistribution::Assumed,
            },
        };
        (Part { error, distribution }, between)
    };
    let waited = |side: &RunsOfSide| mean(&side.waited).unwrap_or(0.0);
    let waited = match in_time {
        InTime::Alternating => 0.0,
        InTime::InSequence(_) => waited(candidate) - waited(base),
    };
    Ok(BetweenRuns { difference, waited, within, between })
}

/// Whether the assumed scatter, of runs whose readings spread so, makes the interval of 95 % wider than this scatter of
/// earlier runs does.
#[must_use]
pub(crate) fn assumed_is_wider(spread: f64, earlier: &OccasionScatter) -> bool {
    let assumed = ASSUMED_SCATTER.hypot(spread) * ErrorDistribution::Assumed.quantile(0.05);
    assumed > earlier.sd * ErrorDistribution::T(earlier.df).quantile(0.05)
}

fn spreads<'a>(base: &'a RunsOfSide, candidate: &'a RunsOfSide) -> impl Iterator<Item = f64> + 'a {
    base.spreads.iter().chain(&candidate.spreads).copied()
}

/// The median spread of a run's readings.
fn typical(base: &RunsOfSide, candidate: &RunsOfSide) -> f64 {
    let all: Vec<f64> = spreads(base, candidate).collect();
    super::Sorted::new(&all).ok().and_then(|sorted| super::median(&sorted)).unwrap_or(0.0)
}

/// The spread of a run's readings, in quadratic mean.
#[allow(clippy::cast_precision_loss)] // numbers of runs
fn root_mean_square(base: &RunsOfSide, candidate: &RunsOfSide) -> f64 {
    let squares: f64 = spreads(base, candidate).map(|spread| spread * spread).sum();
    (squares / (base.spreads.len() + candidate.spreads.len()).max(1) as f64).sqrt()
}

impl BetweenRuns {
    /// A difference with a standard error, and Student's t of so many degrees of freedom.
    #[must_use]
    pub(super) fn student(difference: f64, error: f64, df: f64) -> BetweenRuns {
        let within = Part { error, distribution: ErrorDistribution::T(df) };
        let between = Part { error: 0.0, distribution: ErrorDistribution::Z };
        BetweenRuns { difference, waited: 0.0, within, between }
    }

    /// Half the width of the interval of level 1 − alpha, alpha in (0, 1), around a difference that did not wait:
    /// √(within² + between²).
    #[must_use]
    pub fn half_width(&self, alpha: f64) -> f64 {
        self.within.half_width(alpha).hypot(self.between.half_width(alpha))
    }

    /// How many times as wide its interval of a level is as it would be with a half-width within of 1/`factor`.
    #[must_use]
    pub(crate) fn widened_by(&self, factor: f64, level: f64) -> f64 {
        let (within, between) =
            (self.within.half_width(1.0 - level), self.between.half_width(1.0 - level));
        if within == 0.0 { 1.0 } else { within.hypot(between) / (within / factor).hypot(between) }
    }

    /// The interval of the difference.
    ///
    /// # Errors
    /// A `level` outside (0, 1); an end that is not finite.
    pub fn interval(&self, level: f64) -> Result<Interval, InsufficientData> {
        check_level(level)?;
        let half = self.half_width(1.0 - level);
        let (lo, hi) = self.differences();
        let (lo, hi) = (lo - half, hi + half);
        if lo.is_finite() && hi.is_finite() {
            Ok(Interval { lo, hi, level })
        } else {
            Err(InsufficientData::NotFinite)
        }
    }

    /// The two-sided p of "the difference is `shift`": 1 less the highest level whose interval leaves it out; at
    /// least 10⁻³⁰⁰, at most 1.
    #[must_use]
    pub fn p(&self, shift: f64) -> f64 {
        let (lo, hi) = self.differences();
        self.tails((lo - shift).max(shift - hi))
    }

    /// The difference as measured and without what was waited for a CPU, the smaller first.
    fn differences(&self) -> (f64, f64) {
        let other = self.difference - self.waited;
        (self.difference.min(other), self.difference.max(other))
    }

    /// The two-sided p of a difference that lies so far away.
    fn tails(&self, distance: f64) -> f64 {
        if distance <= 0.0 {
            return 1.0;
        }
        let parts = (self.within, self.between);
        let (part, other) = if parts.0.error > 0.0 { parts } else { (parts.1, parts.0) };
        // In quantiles of one part the half-width is nearly straight.
        let alpha = |quantile: f64| part.distribution.tails(quantile).max(SMALLEST_P);
        let half_width =
            |quantile: f64| (part.error * quantile).hypot(other.half_width(alpha(quantile)));
        let farthest = distance / part.error;
        if part.error == 0.0 || half_width(farthest).is_nan() {
            SMALLEST_P
        } else if other.error == 0.0 {
            alpha(farthest)
        } else {
            alpha(root(0.0, farthest, |quantile| half_width(quantile) - distance))
        }
    }

    /// The one-sided p of "the difference is at most `shift`", against "it is greater".
    #[must_use]
    pub fn p_greater(&self, shift: f64) -> f64 {
        self.tail(self.differences().0 - shift)
    }

    /// The one-sided p of "the difference is at least `shift`", against "it is less".
    #[must_use]
    pub fn p_less(&self, shift: f64) -> f64 {
        self.tail(shift - self.differences().1)
    }

    /// The one-sided p of a difference that lies so far on the side asked for.
    fn tail(&self, distance: f64) -> f64 {
        let half = self.tails(distance.abs()) / 2.0;
        if distance >= 0.0 { half } else { 1.0 - half }
    }

    /// The standard error that belongs to the half-width: what a normal estimate would scatter by.
    #[must_use]
    pub(crate) fn standard_error(&self) -> f64 {
        self.within.error.hypot(self.between.error)
    }
}
