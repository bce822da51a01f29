//! Links between anchors in a history: flat series whose anchors were measured against each other, with an error.

use etalon_core::history::{Check, Link, Point, Question, Series, SeriesName, answer};
use etalon_core::model::Direction;
use etalon_core::random::Random;

use super::steps::{FROM, LEVEL, Points, every_point};
use crate::figure::{Bound, Kind};
use crate::noise::normal;
use crate::table::{Row, Table, Weight};

/// Half the width of an interval of 95 % in standard errors.
const OF_NORMAL: f64 = 1.959_964;

/// Flat series with two new anchors.
#[must_use]
pub(super) fn table() -> Table {
    let share = |name: &str| (name.to_owned(), Kind::Share);
    let noises = [
        Points::White,
        Points::Dependent(0.5),
        Points::Dependent(0.8),
        Points::HeavyTails,
        Points::Spikes,
    ];
    let errors = [0.25, 0.5, 1.0, 2.0];
    let all = noises.iter().flat_map(|points| errors.map(|error| (*points, error)));
    let row = |(points, error): (Points, f64)| Row {
        title: format!("{}, {error}σ", points.name()),
        asked: vec![Bound::AtMost(0.05), Bound::Shown],
        weight: Weight::Large,
        replicate: Box::new(move |random| ever(points, error, random)),
    };
    Table {
        title: "Links between anchors".to_owned(),
        about: "Flat series with a new anchor twice between points 40 and 290, each linked to the one before with a \
                normal error of so many times a point's scatter. How many have ever a step suspected, looking after \
                every point from 60 to 300 under the budget above: with the link's interval, and were it taken for \
                exact."
            .to_owned(),
        of: "points, error of a link".to_owned(),
        columns: vec![share("with its interval"), share("taken for exact")],
        rows: all.map(row).collect(),
    }
}

/// Whether a step is ever suspected.
fn ever(points: Points, error: f64, random: Random) -> Vec<Option<u32>> {
    let mut random = random;
    let values = points.series(&mut random);
    let mut places = [0, 0].map(|_| 40 + random.below(250));
    places.sort_unstable();
    let off = places.map(|_| error * normal(&mut random));
    [OF_NORMAL * error, 0.0]
        .map(|half_width| {
            let mut series = linked(&values, places, off, half_width);
            let mut is_flagged = false;
            while !is_flagged && series.points.len() >= FROM {
                is_flagged = has_step(&series);
                series.points.pop();
            }
            Some(u32::from(is_flagged))
        })
        .into()
}

/// A series with new anchors at two places; the shifts that were measured are wrong by so much.
fn linked(values: &[f64], places: [usize; 2], off: [f64; 2], half_width: f64) -> Series {
    let anchor = |number: usize| format!("anchor {number}");
    let number = |at: usize| places.iter().filter(|place| **place <= at).count();
    let point = |(at, value): (usize, &f64)| Point {
        value: *value,
        half_width: None,
        commit: None,
        time: 0.0,
        anchor: Some(anchor(number(at))),
        facts: None,
    };
    let link = |(at, shift): (usize, f64)| Link {
        from: anchor(at),
        to: anchor(at + 1),
        shift,
        half_width,
    };
    Series {
        name: SeriesName {
            project: None,
            benchmark: String::new(),
            unit: String::new(),
            branch: None,
            machine: None,
        },
        direction: Direction::Lower,
        points: values.iter().enumerate().map(point).collect(),
        // Both changes at one point are one.
        links: off.into_iter().enumerate().map(link).chain(both(places, off, half_width)).collect(),
        facts: Vec::new(),
    }
}

/// The link of the last anchor to the first, where the one between them has no point.
fn both(places: [usize; 2], off: [f64; 2], half_width: f64) -> Option<Link> {
    let [from, to] = [0, 2].map(|number| format!("anchor {number}"));
    let half_width = half_width * 2f64.sqrt();
    (places[0] == places[1]).then(|| Link { from, to, shift: off[0] + off[1], half_width })
}

fn has_step(series: &Series) -> bool {
    let check = Check { watch: every_point(), margin: 0.0, level: LEVEL };
    let asked = Question { check, now: 0.0, recent: 1.0, declared: None };
    let findings = answer(series, &asked).findings.unwrap_or_default();
    findings.iter().any(|finding| finding.statistic.is_some())
}
