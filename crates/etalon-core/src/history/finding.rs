//! A change of a series: what and where it is, whose it is, and whether it is accepted.
//!
//! Owns what a step at a link or at a change of facts is. Refuses to find one: [`super::suspected`] does.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use super::series::{Scale, Series};
use crate::model::{Context, Direction};
use crate::notes::NotWaivedReason;
use crate::stats::{Drift, Interval, LevelStep};
use crate::tables::Waiver;

/// A step may be that of a link so near to its places, or nearer than these are wide. Because: of steps that links of
/// flat series brought about, one in twenty has the link outside its places, and the smaller it is, the farther.
const NEAR: usize = 5;
/// Half the width of an interval of 95 % in standard errors.
const OF_NORMAL: f64 = 1.959_964;

/// A change of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What, and where.
    pub change: Change,
    /// The logarithm of the ratio of the new level to the one before, or of the end of a drift to its start.
    pub size: f64,
    /// Of the size.
    pub interval: Interval,
    /// The size of a step in standard errors.
    pub statistic: Option<f64>,
    /// Which way it is.
    pub way: Way,
    /// Whose it is.
    pub origin: Origin,
    /// The evidence for it.
    pub evidence: Evidence,
    /// Whether it is accepted.
    pub standing: Standing,
}

/// A change by indices of the series' points.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The level, from one point to the next.
    Step {
        /// The first point on the new level.
        at: usize,
        /// Where the new level may begin.
        places: RangeInclusive<usize>,
    },
    /// The level, slowly.
    Drift {
        /// From the first point to behind the last.
        points: Range<usize>,
    },
}

/// Which way a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// For the worse.
    Worse,
    /// For the better.
    Better,
    /// Neither: no direction is better.
    Other,
}

/// Whose a change is.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// One of the commits at its places.
    Commits,
    /// Facts of toolchain or libraries changed at its places: not the commit's.
    Facts(Vec<FactChange>),
}

/// A fact that is another one from some point on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FactChange {
    /// The key.
    pub key: String,
    /// Its value before; absent where there was none.
    pub before: Option<String>,
    /// Its value from then on.
    pub after: Option<String>,
}

/// The evidence for a change.
#[derive(Debug, Clone, PartialEq)]
pub enum Evidence {
    /// The series alone.
    Suspected,
    /// The series alone: its neighbours were to be measured, and could not be.
    Unmeasured(Unmeasured),
    /// Its neighbours, measured against each other in blocks: this interval of the ratio's logarithm.
    Confirmed(Interval),
    /// These, measured so, do not differ like that: no step.
    Refuted(Interval),
    /// These, measured so, may differ like that or not at all.
    Unclear(Interval),
}

/// Why the neighbours of a step were not measured against each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unmeasured {
    /// No saved run says how.
    NoRecord,
    /// The saved run is of another subcommand than the one that measures two revisions.
    OtherCommand(String),
    /// The saved run is of this other machine.
    OtherMachine(String),
    /// The saved run was started elsewhere in the project.
    OtherDirectory(String),
    /// This commit is not here.
    NoCommit(String),
    /// Measuring failed so.
    Failed(String),
    /// They were measured, and a side differs from its own second build.
    ControlMoved,
    /// They were measured, and nothing was read of this benchmark and metric on both.
    NoReadings,
    /// The time for all of it was over.
    NoTime,
    /// The user ended it before.
    Interrupted,
}

/// Whether a change is accepted.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// Nobody has.
    New,
    /// Nobody has: this waiver does not hold.
    NotWaived(Waiver, NotWaivedReason),
    /// This waiver does.
    Known(Waiver),
}

impl Finding {
    /// The index of its first point.
    #[must_use]
    pub fn start(&self) -> usize {
        match &self.change {
            Change::Step { at, .. } => *at,
            Change::Drift { points } => points.start,
        }
    }

    /// The last commit that is surely before a step of a series, and the first that is surely behind it; nothing of a
    /// drift.
    #[must_use]
    pub fn neighbours<'s>(&self, series: &'s Series) -> Option<(&'s str, &'s str)> {
        let Change::Step { at, places } = &self.change else { return None };
        let commit = |at: usize| series.points.get(at)?.commit.as_deref();
        let (before, after) = (places.start().checked_sub(1)?, *places.end().max(at));
        commit(before).zip(commit(after)).filter(|(before, after)| before != after)
    }

    /// The evidence that the ratio of its neighbours is, measured against each other in blocks: a logarithm with its
    /// interval. It is confirmed where that lies wholly on the side of the step and reaches the margin, and refuted
    /// where that ends before the step does.
    #[must_use]
    pub fn weighed(&self, size: f64, measured: Interval, margin: f64) -> Evidence {
        let along = |interval: Interval| match self.size < 0.0 {
            true => (-interval.hi, -interval.lo),
            false => (interval.lo, interval.hi),
        };
        let (near, far) = along(measured);
        let (suspected, _) = along(self.interval);
        if near > 0.0 && size.abs() >= margin {
            return Evidence::Confirmed(measured);
        }
        match far < suspected.max(margin) {
            true => Evidence::Refuted(measured),
            false => Evidence::Unclear(measured),
        }
    }

    /// The share by which it may be worse at the far end of its interval; nothing where it is not worse.
    #[must_use]
    pub fn far_end(&self, direction: Direction) -> Option<f64> {
        (self.way == Way::Worse).then(|| self.ends(direction).1.exp_m1())
    }

    /// The share by which it surely is worse: that of the near end, which may lie below 0.
    #[must_use]
    pub fn near_end(&self, direction: Direction) -> Option<f64> {
        (self.way == Way::Worse).then(|| self.ends(direction).0.exp_m1())
    }

    /// The ends of the interval, where above 0 is worse: what was measured in blocks goes before what the series says.
    fn ends(&self, direction: Direction) -> (f64, f64) {
        let interval = match self.evidence {
            Evidence::Confirmed(interval) => interval,
            Evidence::Suspected
            | Evidence::Unmeasured(_)
            | Evidence::Refuted(_)
            | Evidence::Unclear(_) => self.interval,
        };
        match direction {
            Direction::Higher => (-interval.hi, -interval.lo),
            Direction::Lower | Direction::Neither => (interval.lo, interval.hi),
        }
    }
}

/// Steps as findings; without those that a link may be, which do not stand out from its interval.
pub(super) fn step_findings(
    series: &Series,
    scale: &Scale,
    critical: f64,
    steps: Vec<LevelStep>,
) -> Vec<Finding> {
    let finding = |step: LevelStep| {
        let LevelStep { at, places, size, interval, statistic } = step;
        let reach = NEAR.max(places.end() - places.start());
        let is_near =
            |link: &usize| *link + reach >= *places.start() && *link <= places.end() + reach;
        let links = scale.links.iter().filter(|(link, _)| is_near(link));
        let of_links: f64 = links.map(|(_, half_width)| (half_width / OF_NORMAL).powi(2)).sum();
        let own = size.abs() / statistic;
        let error = (own * own + of_links).sqrt();
        let is_beyond = of_links == 0.0 || size.abs() > critical * error;
        let widened = widened(interval, size, error / own);
        let places = scale.start + places.start()..=scale.start + places.end();
        let origin = origin(series, places.clone());
        is_beyond.then(|| Finding {
            change: Change::Step { at: scale.start + at, places },
            size,
            interval: widened,
            statistic: Some(size.abs() / error),
            way: way(size, series.direction),
            origin,
            evidence: Evidence::Suspected,
            standing: Standing::New,
        })
    };
    steps.into_iter().filter_map(finding).collect()
}

/// Drifts as findings.
pub(super) fn drift_findings(series: &Series, scale: &Scale, drifts: Vec<Drift>) -> Vec<Finding> {
    let finding = |drift: Drift| {
        let Drift { points, size, interval } = drift;
        Finding {
            change: Change::Drift { points: scale.start + points.start..scale.start + points.end },
            size,
            interval,
            statistic: None,
            way: way(size, series.direction),
            origin: Origin::Commits,
            evidence: Evidence::Suspected,
            standing: Standing::New,
        }
    };
    drifts.into_iter().map(finding).collect()
}

/// An interval around a size whose error is larger by a factor.
fn widened(interval: Interval, size: f64, factor: f64) -> Interval {
    let end = |end: f64| size + factor * (end - size);
    Interval { lo: end(interval.lo), hi: end(interval.hi), level: interval.level }
}

fn way(size: f64, direction: Direction) -> Way {
    match direction {
        Direction::Neither => Way::Other,
        Direction::Lower if size > 0.0 => Way::Worse,
        Direction::Higher if size < 0.0 => Way::Worse,
        Direction::Lower | Direction::Higher => Way::Better,
    }
}

/// Whose a change at one of these points is.
fn origin(series: &Series, places: RangeInclusive<usize>) -> Origin {
    let facts = |at: usize| series.facts.get(series.points.get(at)?.facts?);
    let changes = places.filter(|at| *at > 0).filter_map(|at| facts(at - 1).zip(facts(at)));
    let changes: BTreeSet<FactChange> =
        changes.flat_map(|(before, after)| fact_changes(before, after)).collect();
    match changes.is_empty() {
        true => Origin::Commits,
        false => Origin::Facts(changes.into_iter().collect()),
    }
}

fn fact_changes(before: &Context, after: &Context) -> Vec<FactChange> {
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let change = |key: &String| {
        let [before, after] = [before, after].map(|facts| facts.get(key).cloned());
        (before != after).then(|| FactChange { key: key.clone(), before, after })
    };
    keys.into_iter().filter_map(change).collect()
}
