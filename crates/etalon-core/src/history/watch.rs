//! Which steps of a series are suspected, under which rate of false alarms.
//!
//! Owns how far a step has to stand out, by how often the series are looked at, and which changes are worth a word.
//! Refuses to know where values come from: one a point, in the order of commits.

use crate::stats::{Changes, InsufficientData, level_steps};

/// How often a series is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Watch {
    /// Once, when it is complete.
    Once,
    /// After every point, under a rate of false alarms.
    EveryPoint(FalseAlarms),
}

/// How many false alarms are allowed of series that are looked at after every point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FalseAlarms {
    a_year: f64,
    series: u32,
    points_a_year: f64,
}

impl FalseAlarms {
    /// So many a year of all series together, of which each gets so many points a year. `None` unless all are above 0
    /// and finite.
    #[must_use]
    pub fn new(a_year: f64, series: u32, points_a_year: f64) -> Option<FalseAlarms> {
        let is_rate = |rate: f64| rate > 0.0 && rate.is_finite();
        let is_sound = is_rate(a_year) && series > 0 && is_rate(points_a_year);
        is_sound.then_some(FalseAlarms { a_year, series, points_a_year })
    }

    /// So many a year of all series together.
    #[must_use]
    pub fn a_year(&self) -> f64 {
        self.a_year
    }

    /// So many series.
    #[must_use]
    pub fn series(&self) -> u32 {
        self.series
    }

    /// So many points a year of each.
    #[must_use]
    pub fn points_a_year(&self) -> f64 {
        self.points_a_year
    }

    /// Allowed alarms for each point of a series.
    fn a_point(&self) -> f64 {
        self.a_year / (f64::from(self.series) * self.points_a_year)
    }
}

/// How far a step has to stand out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Critical {
    /// In standard errors, as of a normal distribution: what [`level_steps`] takes.
    pub value: f64,
    /// For so many series the rate of false alarms holds: fewer than were asked about where the calibration ends.
    pub series: u32,
}

/// Critical value of one look at a complete series: at most 5 % of flat series of 60 to 1,000 points have a step.
const ONCE: f64 = 3.5;

/// False alarms for each point of a flat series that is looked at after every point, by critical value: the most of
/// five noises (white, autocorrelation 0.5 and 0.8, Student's t of 3 degrees, spikes) from 60 to 300 points, 8,000
/// series each, and of spikes from 300 to 900, 3,000 series; the upper ends of intervals of 95 %. `etalon-calibrate
/// 2000 flat` measures the first part again.
const ALARMS: [(f64, f64); 6] =
    [(3.5, 1.6e-3), (4.0, 5.5e-4), (4.5, 1.9e-4), (5.0, 7.2e-5), (5.5, 3.6e-5), (6.0, 1.7e-5)];

impl Watch {
    /// How far a step has to stand out; never less than for one look.
    #[must_use]
    pub fn critical(&self) -> Critical {
        let Watch::EveryPoint(allowed) = self else {
            return Critical { value: ONCE, series: u32::MAX };
        };
        let (series, wanted) = (allowed.series, allowed.a_point());
        let [(least, most_often), .., (most, least_often)] = ALARMS;
        if wanted >= most_often {
            return Critical { value: least, series };
        }
        if wanted < least_often {
            let holds = allowed.a_year / (allowed.points_a_year * least_often);
            return Critical { value: most, series: whole(holds) };
        }
        // Rates fall about as the tail of a normal distribution does: their logarithms are nearly linear over half a
        // unit.
        let pair = ALARMS.windows(2).find(|pair| wanted >= pair[1].1);
        let value = pair.map_or(most, |pair| {
            let [(below, often), (above, rarely)] = [pair[0], pair[1]];
            let share = (often / wanted).ln() / (often / rarely).ln();
            below + share * (above - below)
        });
        Critical { value, series }
    }
}

/// The whole number below; that of the largest where it is larger.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // above 0; saturates
fn whole(number: f64) -> u32 {
    number.floor() as u32
}

/// How a series is checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Check {
    /// How often it is looked at.
    pub watch: Watch,
    /// Changes below are none; in the unit of the values, at least 0.
    pub margin: f64,
    /// Of intervals, in (0, 1).
    pub level: f64,
}

/// The steps and drifts of a series that are suspected: those of [`level_steps`] that reach the margin.
///
/// # Errors
/// Fewer than 40 values; values that are not finite; a level out of range.
pub fn suspected(values: &[f64], check: &Check) -> Result<Changes, InsufficientData> {
    let mut changes = level_steps(values, check.watch.critical().value, check.level)?;
    changes.steps.retain(|step| step.size.abs() >= check.margin);
    changes.drifts.retain(|drift| drift.size.abs() >= check.margin);
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_point(a_year: f64, series: u32, points: f64) -> Critical {
        Watch::EveryPoint(FalseAlarms::new(a_year, series, points).unwrap()).critical()
    }

    /// Would catch a budget that grows stricter where more is allowed, one that ignores series or points, and an end of
    /// the table that promises what was never simulated.
    #[test]
    fn the_critical_value_follows_the_budget() {
        assert_eq!(every_point(1.0, 1, 100.0).value, 3.5);
        let values = [1, 10, 30, 100, 200].map(|series| every_point(1.0, series, 250.0));
        assert!(values.windows(2).all(|pair| pair[0].value < pair[1].value), "{values:?}");
        assert_eq!(every_point(1.0, 40, 250.0), every_point(2.0, 40, 500.0));
        for (critical, rate) in ALARMS {
            let at = every_point(rate * 1000.0, 1, 1000.0).value;
            assert!((at - critical).abs() < 1e-9, "{at} {critical}");
        }
        let beyond = every_point(1.0, 1_000_000, 1000.0);
        let (most, rate) = ALARMS[ALARMS.len() - 1];
        assert_eq!(beyond.value, most);
        let holds = f64::from(beyond.series) * 1000.0 * rate;
        assert!(holds <= 1.0 && beyond.series >= 10, "{beyond:?}");
        assert_eq!(Watch::Once.critical().value, 3.5);
    }

    #[test]
    fn nonsense_is_no_budget() {
        let none = [(0.0, 1, 1.0), (1.0, 0, 1.0), (1.0, 1, 0.0), (f64::NAN, 1, 1.0)];
        assert!(none.iter().all(|&(a, s, p)| FalseAlarms::new(a, s, p).is_none()));
        assert_eq!(FalseAlarms::new(1.0, 1, f64::INFINITY), None);
    }

    /// A step of 0.1 is none within a margin of 0.2, and its neighbour of 0.5 stays.
    #[test]
    fn what_is_below_the_margin_is_left_out() {
        let level = |i: usize| {
            if i < 40 {
                0.0
            } else if i < 80 {
                0.1
            } else {
                0.6
            }
        };
        let values: Vec<f64> = (0..120).map(level).collect();
        let check = Check { watch: Watch::Once, margin: 0.0, level: 0.95 };
        let places = |check: &Check| -> Vec<usize> {
            suspected(&values, check).unwrap().steps.iter().map(|step| step.at).collect()
        };
        assert_eq!(places(&check), [40, 80]);
        assert_eq!(places(&Check { margin: 0.2, ..check }), [80]);
    }
}
