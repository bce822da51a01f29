//! Readings in the order in which they were measured: drift is a slope, a change of the machine a step.

use etalon_core::analysis::Analysis;
use etalon_core::plots::{Axis, Group, Plotted};

use super::panel::{LEFT, Panel, RIGHT};
use super::{FOOT, Scale, Still, extent, headings, said, top};
use crate::number::{DisplayUnit, counted};
use crate::words;

/// A plot with its name; the plot alone.
const ROW: f64 = 96.0;
const HEIGHT: f64 = 66.0;

/// The benchmarks of a group below one another, each on a scale of its own; absent of one reading each.
pub(super) fn still(analysis: &Analysis, group: &Group) -> Option<Still> {
    let places = group.benchmarks.iter().flat_map(|it| it.over_time.iter().map(|it| it.at));
    let (first, last) = extent(places);
    let first = group.warmups.first().map_or(first, |(from, _)| first.min(*from));
    if first >= last {
        return None;
    }
    // Warm-ups before the first block have no number.
    let x = Scale::on(Axis::Linear, first.floor(), last.ceil(), "")?.between(LEFT, RIGHT);
    let x = x.with_ticks_from(1.0);
    let mut drawn = String::new();
    let mut rows = Vec::new();
    for (at, it) in group.benchmarks.iter().enumerate() {
        let is_last = at + 1 == group.benchmarks.len();
        let (plot, figures) = plot(analysis, group, it, &x, (top(at, ROW), is_last))?;
        drawn.push_str(&plot);
        rows.push((words::case_name(analysis, it.benchmark), figures));
    }
    drawn.push_str(&headings(&rows, ROW));
    let title = words::metric_title(&group.metric);
    let order = match group.in_blocks {
        true => "by block, within it in the order of execution",
        false => "in the order in which they were measured",
    };
    let some = super::some_of(group.benchmarks.len(), group.of);
    let thinned =
        super::thinned(group.benchmarks.iter().map(|it| (it.over_time.len(), it.readings)));
    Some(Still {
        name: "over-time",
        caption: format!(
            "{title}: readings {order}; dashed: the median; each on its own scale{}{thinned}{some}",
            warmup(analysis, group)
        ),
        said: rows.iter().map(|(name, figures)| said(name, figures)).collect(),
        height: top(group.benchmarks.len(), ROW) + FOOT,
        drawn,
    })
}

fn plot(
    analysis: &Analysis,
    group: &Group,
    it: &Plotted,
    x: &Scale,
    (from, is_last): (f64, bool),
) -> Option<(String, String)> {
    let summary = analysis.benchmarks[it.benchmark].metric(&group.metric.name)?;
    let (low, high) = (summary.quartiles.min, summary.quartiles.max);
    let shown = DisplayUnit::fitting(&group.metric, low.abs().max(high.abs()));
    let (top, bottom) = (from + 24.0, from + 24.0 + HEIGHT);
    let y = Scale::over([low, high].into_iter().map(|it| shown.number(it)), shown.symbol())?;
    let y = y.between(bottom - 2.0, top + 2.0).with_few_ticks();
    let panel = Panel { x, y: &y, top, bottom, across: "" };
    let points = it.over_time.iter().map(|point| (point.at, shown.number(point.value)));
    let across = if group.in_blocks { "block" } else { "reading" };
    let axes = Panel { x, y: &y, top, bottom, across }.axes();
    let axes = if is_last { axes } else { panel.heights() };
    let warm: String = group.warmups.iter().map(|(from, to)| panel.stretch(*from, *to)).collect();
    let before = it.warmup.iter().map(|point| (point.at, shown.number(point.value)));
    let before = match it.warmup.is_empty() {
        true => String::new(),
        false => panel.dots(before, "before"),
    };
    let middle = panel.level(shown.number(summary.median.value), "one");
    let figures = counted(it.readings, "reading", "readings");
    Some((warm + &axes + &middle + &before + &panel.dots(points, "s0"), figures))
}

/// The note on the warm-up: what is shaded, or not drawn.
fn warmup(analysis: &Analysis, group: &Group) -> String {
    if !group.warmups.is_empty() {
        return "; shaded: the warm-up, which no figure rests on, at the edge where it is beyond the scale".to_owned();
    }
    let plan =
        |it: &etalon_core::analysis::Execution| it.plan.as_ref().map_or(0, |plan| plan.warmup);
    match analysis.executions.iter().map(plan).max().unwrap_or(0) {
        0 => String::new(),
        n => format!(
            "; after {} that {} not drawn",
            counted(n as usize, "warm-up", "warm-ups"),
            if n == 1 { "is" } else { "are" }
        ),
    }
}
