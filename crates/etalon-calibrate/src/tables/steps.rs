//! Steps in a history: series of one value a point, flat or not, looked at once and after every point.

use etalon_core::history::{Check, FalseAlarms, Watch, suspected};
use etalon_core::random::Random;
use etalon_core::stats::{Changes, level_steps};

use crate::figure::{Bound, Kind};
use crate::noise::normal;
use crate::table::{Row, Table, Weight};

/// Series are looked at from this number of points to that one.
pub(super) const FROM: usize = 60;
pub(super) const TO: usize = 300;
/// Twenty series of 240 points may have one false alarm: 5 % of them.
const BUDGET: (f64, u32, f64) = (1.0, 20, (TO - FROM) as f64);
/// Critical values of which the share of series ever flagged is shown.
const CRITICALS: [f64; 5] = [3.5, 4.0, 4.5, 5.0, 5.5];
/// A step counts as found so near its place.
const NEAR: usize = 5;
pub(super) const LEVEL: f64 = 0.95;

/// The scatter of the points of a series; of deviation 1 but for spikes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Points {
    /// Independent and normal.
    White,
    /// Autoregressive.
    Dependent(f64),
    /// Student's t of 3 degrees of freedom, of deviation 1.
    HeavyTails,
    /// White, and 3 % of points 10 higher.
    Spikes,
    /// A quarter of the points 5 higher.
    Bimodal,
    /// Whole numbers, of which three in five are 0.
    Ties,
    /// White, and a slow wander of deviation ½: an autoregression of 0.98.
    Wander,
    /// White, and a rise by 1 from the first point to the last.
    Trend,
}

impl Points {
    pub(super) fn name(self) -> String {
        match self {
            Points::White => "white".to_owned(),
            Points::Dependent(phi) => format!("AR(1) {phi}"),
            Points::HeavyTails => "t₃".to_owned(),
            Points::Spikes => "3 % spikes".to_owned(),
            Points::Bimodal => "bimodal 75/25".to_owned(),
            Points::Ties => "ties".to_owned(),
            Points::Wander => "slow wander, ½σ".to_owned(),
            Points::Trend => "trend, 1σ".to_owned(),
        }
    }

    pub(super) fn series(self, random: &mut Random) -> Vec<f64> {
        let mut state = normal(random);
        let mut next = |phi: f64, random: &mut Random| {
            let value = state;
            state = phi * state + (1.0 - phi * phi).sqrt() * normal(random);
            value
        };
        let mut value = |at: usize| match self {
            Points::White => normal(random),
            Points::Dependent(phi) => next(phi, random),
            Points::HeavyTails => {
                let squares: f64 = (0..3).map(|_| normal(random).powi(2)).sum();
                normal(random) / squares.sqrt()
            }
            Points::Spikes => normal(random) + if random.uniform() < 0.03 { 10.0 } else { 0.0 },
            Points::Bimodal => normal(random) + if random.uniform() < 0.25 { 5.0 } else { 0.0 },
            Points::Ties => (normal(random) / 2.0).round(),
            Points::Wander => 0.5 * next(0.98, random) + normal(random),
            Points::Trend => normal(random) + at as f64 / TO as f64,
        };
        (0..TO).map(&mut value).collect()
    }
}

/// Series without a step.
#[must_use]
pub(super) fn flat() -> Table {
    let share = |name: &str| (name.to_owned(), Kind::Share);
    let mut columns =
        vec![share("within 1 a year of 20 series"), share("drifted"), share("once, c = 3.5")];
    columns.extend(CRITICALS.map(|critical| share(&format!("c = {critical}"))));
    let asked = |points: Points| match points {
        Points::Wander | Points::Trend | Points::Bimodal => Bound::Shown,
        _ => Bound::AtMost(0.05),
    };
    let row = |points: Points| {
        let mut bounds = vec![asked(points), Bound::Shown, asked(points)];
        bounds.extend([Bound::Shown; CRITICALS.len()]);
        Row {
            title: points.name(),
            asked: bounds,
            weight: Weight::Large,
            replicate: Box::new(move |random| never(points, random)),
        }
    };
    let rows = [
        Points::White,
        Points::Dependent(0.5),
        Points::Dependent(0.8),
        Points::HeavyTails,
        Points::Spikes,
        Points::Ties,
        Points::Bimodal,
        Points::Wander,
        Points::Trend,
    ];
    Table {
        title: "A flat history".to_owned(),
        about: "One value a point without a step, looked at after every point from 60 to 300: how many series have \
                ever a step suspected under a budget of one false alarm a year for twenty series of 240 points a \
                year (5 % of them), how many are ever called drifted in its place, and how many have a step by \
                critical value c; and of one look at all 300 points. A wander and a trend are changes: shown."
            .to_owned(),
        of: "points".to_owned(),
        columns,
        rows: rows.map(row).into(),
    }
}

/// Suspicions of a series that has no step.
fn never(points: Points, random: Random) -> Vec<Option<u32>> {
    let mut random = random;
    let values = points.series(&mut random);
    let budget = every_point();
    let (mut step, mut drift, mut by_critical) = (false, false, [false; CRITICALS.len()]);
    for count in FROM..=TO {
        let seen = &values[..count];
        if !step || !drift {
            let found = check(seen, budget);
            step |= !found.steps.is_empty();
            drift |= !found.drifts.is_empty();
        }
        for (ever, critical) in by_critical.iter_mut().zip(CRITICALS) {
            if *ever {
                continue;
            }
            // What does not stand out does not so by a larger value.
            let Ok(found) = level_steps(seen, critical, LEVEL) else { break };
            if found == Changes::default() {
                break;
            }
            *ever = !found.steps.is_empty();
        }
    }
    let once = !check(&values, Watch::Once).steps.is_empty();
    let figures = [step, drift, once].into_iter().chain(by_critical);
    figures.map(|it| Some(u32::from(it))).collect()
}

/// A step of so many deviations at a point.
#[derive(Clone, Copy)]
struct Raised {
    points: Points,
    size: f64,
    at: usize,
}

/// Series with a step.
#[must_use]
pub(super) fn stepped() -> Table {
    let share = |name: &str| (name.to_owned(), Kind::Share);
    let noises = [
        Points::White,
        Points::HeavyTails,
        Points::Spikes,
        Points::Dependent(0.5),
        Points::Dependent(0.8),
    ];
    let of = |at: usize, size: f64| noises.map(|points| Raised { points, size, at });
    let rows = [of(150, 2.0), of(150, 1.0), of(290, 2.0)].into_iter().flatten();
    Table {
        title: "Steps in a history".to_owned(),
        about: "The same series with a step in the middle or ten points before the end. Found is a step within \
                five points of it, by one look at 300 points (c = 3.5) and under the budget above; then, of one \
                look, how many series have more steps than that, how many drifted, and how often the intervals of \
                place and size hold the truth where a step is found. The last column is how many points after the \
                step the first of any is suspected, looking after every point, where one is. Of 1σ under \
                dependence, and of 2σ under 0.8, nothing is asked: no rule that keeps the alarms of flat series \
                down finds them."
            .to_owned(),
        of: "points, size, at".to_owned(),
        columns: vec![
            share("found once"),
            share("found under the budget"),
            share("more steps"),
            share("drifted"),
            share("place covered"),
            share("size covered"),
            ("points until suspected".to_owned(), Kind::Mean),
        ],
        rows: rows.map(row).collect(),
    }
}

fn row(raised: Raised) -> Row {
    let Raised { points, size, at } = raised;
    let found = match points {
        Points::Dependent(phi) if phi > 0.5 || size < 2.0 => Bound::Shown,
        // Five points of new level hide behind a dependence.
        Points::Dependent(_) if at > 150 => Bound::Shown,
        Points::Dependent(_) => Bound::AtLeast(0.85),
        _ if size < 2.0 => Bound::AtLeast(0.65),
        _ => Bound::AtLeast(0.93),
    };
    let covered = if found == Bound::Shown { Bound::Shown } else { Bound::AtLeast(0.93) };
    let under_budget = if at > 150 { Bound::Shown } else { found };
    let rest = [Bound::Shown, Bound::Shown, covered, covered, Bound::Shown];
    Row {
        title: format!("{}, {size}σ, {at}", points.name()),
        asked: [found, under_budget].into_iter().chain(rest).collect(),
        weight: Weight::Usual,
        replicate: Box::new(move |random| raise(raised, random)),
    }
}

/// Findings about a step.
fn raise(raised: Raised, random: Random) -> Vec<Option<u32>> {
    let Raised { points, size, at } = raised;
    let mut random = random;
    let mut values = points.series(&mut random);
    values[at..].iter_mut().for_each(|value| *value += size);
    let (once, watched) = (check(&values, Watch::Once), check(&values, every_point()));
    let near = |found: &Changes| found.steps.iter().any(|step| step.at.abs_diff(at) <= NEAR);
    let nearest = once.steps.iter().min_by_key(|step| step.at.abs_diff(at));
    let is_suspected = |count: &usize| !check(&values[..*count], every_point()).steps.is_empty();
    let first = (at..=TO).find(is_suspected);
    let yes = |it: bool| Some(u32::from(it));
    vec![
        yes(near(&once)),
        yes(near(&watched)),
        yes(once.steps.len() > 1),
        yes(!once.drifts.is_empty()),
        nearest.and_then(|step| yes(step.places.contains(&at))),
        nearest.and_then(|step| yes(step.interval.contains(size))),
        first.and_then(|count| u32::try_from(count - at).ok()),
    ]
}

pub(super) fn every_point() -> Watch {
    let (a_year, series, points) = BUDGET;
    FalseAlarms::new(a_year, series, points).map_or(Watch::Once, Watch::EveryPoint)
}

/// Suspected changes; none of a series that has no answer, and these have.
fn check(values: &[f64], watch: Watch) -> Changes {
    suspected(values, &Check { watch, margin: 0.0, level: LEVEL }).unwrap_or_default()
}
