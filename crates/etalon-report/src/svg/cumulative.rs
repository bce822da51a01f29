//! Which share of readings is at or below a value: curves that lie apart are far apart everywhere.

use std::collections::HashSet;

use etalon_core::analysis::Analysis;
use etalon_core::plots::{Axis, Group, Plotted};
use etalon_core::stats::Quartiles;

use super::legend::{LINE, STYLES, legend};
use super::panel::{LEFT, Panel, RIGHT};
use super::{Scale, Still, extent, said};
use crate::number::DisplayUnit;
use crate::words;

/// The height of the plot.
const HEIGHT: f64 = 190.0;

/// The benchmarks of a group in one plot; absent of readings that are all the same.
pub(super) fn still(analysis: &Analysis, group: &Group) -> Option<Still> {
    let values = group.benchmarks.iter().flat_map(|it| it.cumulative.iter().map(|it| it.0));
    let (low, high) = extent(values);
    if low >= high {
        return None;
    }
    let shown = DisplayUnit::fitting(&group.metric, low.abs().max(high.abs()));
    let x = Scale::on(group.axis, shown.number(low), shown.number(high), shown.symbol())?;
    let x = x.between(LEFT, RIGHT - 14.0);
    let y = Scale::on(Axis::Linear, 0.0, 100.0, "%")?.between(HEIGHT, 8.0);
    let panel = Panel { x: &x, y: &y, top: 8.0, bottom: HEIGHT, across: "" };
    let mut drawn = panel.axes();
    let styles = styles(group);
    for (it, style) in group.benchmarks.iter().zip(&styles) {
        drawn.push_str(&panel.line(steps(it, &shown).into_iter(), &format!("curve s{style}")));
    }
    let middle = |at: usize| {
        let summary = analysis.benchmarks[at].metric(&group.metric.name);
        summary.map_or_else(String::new, |it| middle(&it.quartiles, &shown))
    };
    let entry = |(it, style): (&Plotted, &usize)| {
        (*style, words::case_name(analysis, it.benchmark), middle(it.benchmark))
    };
    let entries: Vec<_> = group.benchmarks.iter().zip(&styles).map(entry).collect();
    drawn.push_str(&legend(&entries, HEIGHT + 42.0));
    let title = words::metric_title(&group.metric);
    let some = super::some_of(group.benchmarks.len(), group.of);
    Some(Still {
        name: "cumulative",
        caption: format!("{title}: share of the readings at or below a value{some}"),
        said: entries.iter().map(|(_, name, figures)| said(name, figures)).collect(),
        height: HEIGHT + 34.0 + super::top(entries.len(), LINE),
        drawn,
    })
}

/// The style of each line: the benchmark's own, which it has where scripts draw it too; of two with the same the second has one
/// that is free.
fn styles(group: &Group) -> Vec<usize> {
    let own: Vec<usize> = group.benchmarks.iter().map(|it| it.benchmark % STYLES).collect();
    let mut free: Vec<usize> = (0..STYLES).filter(|it| !own.contains(it)).rev().collect();
    let mut taken = HashSet::new();
    let style = |own: usize| if taken.insert(own) { own } else { free.pop().unwrap_or(own) };
    own.into_iter().map(style).collect()
}

/// From none of the readings to all, a step at each.
fn steps(it: &Plotted, shown: &DisplayUnit) -> Vec<(f64, f64)> {
    let mut share = 0.0;
    let mut places = Vec::with_capacity(2 * it.cumulative.len());
    for (value, up_to) in &it.cumulative {
        let value = shown.number(*value);
        places.extend([(value, share), (value, 100.0 * up_to)]);
        share = 100.0 * up_to;
    }
    places
}

/// The quartiles in figures.
fn middle(of: &Quartiles, shown: &DisplayUnit) -> String {
    format!("half within {}", shown.range(of.q1, of.q3))
}
