//! A series of the store as core looks at it: logarithms, links between anchors, facts by number.

use std::collections::BTreeSet;

use etalon_core::history::{Link, Point, Series, SeriesName};
use etalon_core::model::Context;
use etalon_core::stats::normal_quantile;
use etalon_history::{PointRow, SeriesKey, SeriesRow, is_of_toolchain};
use etalon_report::html::PagePoint;

use super::LEVEL;

/// A series of these points.
pub(super) fn read(row: &SeriesRow, rows: &[PointRow]) -> Series {
    let SeriesKey { project, benchmark, metric, branch, machine, .. } = &row.key;
    let known = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let name = SeriesName {
        project: known(project),
        benchmark: benchmark.clone(),
        unit: metric.clone(),
        branch: known(branch),
        machine: known(machine),
    };
    // A count that is 0 at each commit has no logarithm, and no step.
    let is_constant = rows.windows(2).all(|pair| pair[0].value == pair[1].value);
    let mut facts = Toolchains::default();
    let mut points = Vec::with_capacity(rows.len());
    for row in rows {
        points.push(Point {
            value: if is_constant { 0.0 } else { row.value.ln() },
            half_width: half_width(row),
            commit: known(&row.commit),
            time: row.time,
            anchor: row.anchor.clone(),
            facts: facts.number(&row.facts),
        });
    }
    Series { name, direction: row.direction, points, links: links(rows), facts: facts.all }
}

/// The points as a page has them.
pub(super) fn page_points(rows: &[PointRow]) -> Vec<PagePoint<'_>> {
    let mut points = Vec::with_capacity(rows.len());
    for row in rows {
        let PointRow { commit, time, anchor, value, interval, n, runs, .. } = row;
        let (commit, anchor) = (commit.as_str(), anchor.as_deref());
        let (time, value, interval, n, runs) = (*time, *value, *interval, *n, *runs);
        points.push(PagePoint { commit, time, anchor, value, interval, n, runs });
    }
    points
}

/// Facts of toolchain and libraries, each set once.
#[derive(Default)]
struct Toolchains<'a> {
    all: Vec<Context>,
    /// All facts of the point before, with their number.
    last: Option<(&'a Context, Option<usize>)>,
}

impl<'a> Toolchains<'a> {
    /// The number of a point's, which get one where they are new; absent where there are none.
    fn number(&mut self, facts: &'a Context) -> Option<usize> {
        if let Some((_, number)) = self.last.filter(|(last, _)| *last == facts) {
            return number;
        }
        let own: Context = facts
            .iter()
            .filter(|(key, _)| is_of_toolchain(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let known = self.all.iter().position(|other| *other == own);
        let number = known.or_else(|| {
            let is_some = !own.is_empty();
            is_some.then(|| {
                self.all.push(own);
                self.all.len() - 1
            })
        });
        self.last = Some((facts, number));
        number
    }
}

/// Anchors that were measured against each other: a point under one of them that is of another's commit.
fn links(rows: &[PointRow]) -> Vec<Link> {
    let anchors: BTreeSet<&String> = rows.iter().filter_map(|row| row.anchor.as_ref()).collect();
    let link = |row: &PointRow| {
        let from = row.anchor.as_ref()?;
        let is_link = row.commit != *from && anchors.contains(&row.commit);
        let half_width = half_width(row).filter(|_| is_link)?;
        let (from, to) = (from.clone(), row.commit.clone());
        Some(Link { from, to, shift: row.value.ln(), half_width })
    };
    rows.iter().filter_map(link).collect()
}

/// Half the width of an interval of logarithms at 95 %.
fn half_width(row: &PointRow) -> Option<f64> {
    let (lo, hi) = row.interval.filter(|(lo, hi)| *lo > 0.0 && hi.is_finite())?;
    let errors = |level: f64| normal_quantile(f64::midpoint(1.0, level));
    let half = (hi.ln() - lo.ln()) / 2.0 * errors(LEVEL) / errors(row.level);
    Some(half).filter(|half| half.is_finite())
}
