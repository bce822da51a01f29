//! How readings spread: their density, each of them as a tick, and their quartiles as a box.

use etalon_core::analysis::Analysis;
use etalon_core::plots::{Axis, Group, Plotted};

use super::{Row, Scale, Still, boxes, extent, rows_of, top};
use crate::number::{DisplayUnit, counted};
use crate::words;

/// From the name of a row to that of the next.
const HEIGHT: f64 = 88.0;
/// The height of the highest curve, and the length of a tick.
const HILL: f64 = 38.0;
const TICK: f64 = 6.0;

/// The benchmarks of a group below one another; absent where none scatters.
pub(super) fn still(analysis: &Analysis, group: &Group) -> Option<Still> {
    // A curve reaches beyond its readings; where it reaches below 0, logarithms end with them.
    let is_drawn = |value: f64| group.axis == Axis::Linear || value > 0.0;
    let ends = group.benchmarks.iter().flat_map(|it| {
        let curve = it.density.iter().flat_map(|it| [it.curve.first(), it.curve.last()]);
        let curve = curve.flatten().map(|(value, _)| *value);
        let ticks = [it.ticks.first(), it.ticks.last()].into_iter().flatten().copied();
        ticks.chain(curve).filter(|value| is_drawn(*value))
    });
    let (low, high) = extent(ends);
    let shown = DisplayUnit::fitting(&group.metric, low.abs().max(high.abs()));
    let symbol = shown.symbol();
    let scale = Scale::on(group.axis, shown.number(low), shown.number(high), symbol)?;
    let row = |(at, it): (usize, &Plotted)| {
        let summary = analysis.benchmarks[it.benchmark].metric(&group.metric.name);
        let base = top(at, HEIGHT) + 22.0 + HILL;
        let plot = summary.map_or_else(String::new, |summary| {
            boxes::plot(&scale, &shown, &summary.quartiles, base + TICK + 10.0)
        });
        let readings = counted(it.readings, "reading", "readings");
        let median = summary.map(|it| format!("{}, ", shown.said(it.median.value)));
        Row {
            name: words::case_name(analysis, it.benchmark),
            figures: format!("{}{readings}", median.unwrap_or_default()),
            drawn: hill(it, &scale, &shown, base) + &ticks(it, &scale, &shown, base) + &plot,
        }
    };
    let rows: Vec<Row> = group.benchmarks.iter().enumerate().map(row).collect();
    let title = words::metric_title(&group.metric);
    let some = super::some_of(group.benchmarks.len(), group.of);
    // Of blocks with several readings the median that is compared is not that of all readings, at which the box has its bar.
    let is_of_blocks = |it: &Plotted| {
        let summary = analysis.benchmarks[it.benchmark].metric(&group.metric.name);
        summary.is_some_and(|it| it.n < it.readings)
    };
    let of_blocks = match group.benchmarks.iter().any(is_of_blocks) {
        true => "; in figures: the median of the blocks",
        false => "",
    };
    let caption = format!(
        "{title}: density, a tick for each reading, and a box of median and quartiles with minimum and maximum{of_blocks}{some}"
    );
    Some(rows_of(HEIGHT, ("spread", &caption), &rows, &scale, |_| String::new()))
}

fn hill(it: &Plotted, scale: &Scale, shown: &DisplayUnit, base: f64) -> String {
    let Some(density) = &it.density else { return String::new() };
    let place = |(value, height): &(f64, f64)| {
        format!("L{:.1} {:.1}", scale.at(shown.number(*value)), base - height * HILL)
    };
    let end = |at: Option<&(f64, f64)>| at.map_or(0.0, |it| scale.at(shown.number(it.0)));
    let (first, last) = (end(density.curve.first()), end(density.curve.last()));
    let places: String = density.curve.iter().map(place).collect();
    format!("<path class=\"hill\" d=\"M{first:.1} {base:.1}{places}L{last:.1} {base:.1}\"/>")
}

fn ticks(it: &Plotted, scale: &Scale, shown: &DisplayUnit, base: f64) -> String {
    let tick = |value: &f64| format!("M{:.1} {base:.1}v{TICK}", scale.at(shown.number(*value)));
    let places: String = it.ticks.iter().map(tick).collect();
    format!("<path class=\"ticks\" d=\"{places}\"/>")
}
