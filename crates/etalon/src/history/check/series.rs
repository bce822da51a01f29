//! A series of the store as core looks at it: logarithms, links between anchors, facts by number.

use std::collections::BTreeSet;

use etalon_core::history::{Link, Point, Series, SeriesName};
use etalon_core::model::Context;
use etalon_core::stats::normal_quantile;
use etalon_history::{Database, PointRow, SeriesKey, SeriesRow};

use super::LEVEL;
use crate::failure::Failure;

/// Reads a series with its points.
pub(super) fn read(database: &Database, row: &SeriesRow) -> Result<Series, Failure> {
    let rows = database.points(row.id).map_err(Failure::new)?;
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
    let mut facts: Vec<Context> = Vec::new();
    let point = |row: &PointRow| Point {
        value: if is_constant { 0.0 } else { row.value.ln() },
        half_width: half_width(row),
        commit: known(&row.commit),
        time: row.time,
        anchor: row.anchor.clone(),
        facts: number(&mut facts, &row.facts),
    };
    let points = rows.iter().map(point).collect();
    Ok(Series { name, direction: row.direction, points, links: links(&rows), facts })
}

/// The number of facts, which get one where they are new; absent where there are none.
fn number(all: &mut Vec<Context>, facts: &Context) -> Option<usize> {
    if facts.is_empty() {
        return None;
    }
    // From the end: most points have those of the one before.
    let known = all.iter().rposition(|other| other == facts);
    Some(known.unwrap_or_else(|| {
        all.push(facts.clone());
        all.len() - 1
    }))
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
