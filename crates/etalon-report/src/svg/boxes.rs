//! Box plots on one axis: whiskers at minimum and maximum, the box at the quartiles, a bar at the median.

use etalon_core::analysis::{Analysis, MetricSummary};
use etalon_core::stats::Quartiles;

use super::{BENCHMARKS, Row, Scale, Still, figure, middle, some_of};
use crate::number::DisplayUnit;
use crate::words;

/// Half the height of a box.
const HALF: f64 = 6.0;

/// The plots of those that have a value of the metric; absent where none has.
pub(super) fn still(analysis: &Analysis, metric: &str, of: &[usize]) -> Option<Still> {
    let summary = |at: &usize| Some((*at, analysis.benchmarks[*at].metric(metric)?));
    let mut found: Vec<(usize, &MetricSummary)> = of.iter().filter_map(summary).collect();
    let of = found.len();
    found.truncate(BENCHMARKS);
    let some = some_of(found.len(), of);
    let metric = &found.first()?.1.metric;
    let ends = || found.iter().flat_map(|(_, it)| [it.quartiles.min, it.quartiles.max]);
    let shown = DisplayUnit::fitting(metric, ends().map(f64::abs).fold(0.0, f64::max));
    let scale = Scale::over(ends().map(|value| shown.number(value)), shown.symbol())?;
    let row = |(at, (benchmark, summary)): (usize, &(usize, &MetricSummary))| Row {
        name: words::case_name(analysis, *benchmark),
        figures: shown.said(summary.median.value),
        drawn: plot(&scale, &shown, &summary.quartiles, middle(at)),
    };
    let rows: Vec<Row> = found.iter().enumerate().map(row).collect();
    let title = words::metric_title(metric);
    let caption = format!("{title}: median, quartiles, minimum and maximum{some}");
    Some(figure(("boxes", &caption), &rows, &scale, |_| String::new()))
}

/// One box around a height.
pub(super) fn plot(scale: &Scale, shown: &DisplayUnit, q: &Quartiles, y: f64) -> String {
    let [min, q1, median, q3, max] =
        [q.min, q.q1, q.median, q.q3, q.max].map(|value| scale.at(shown.number(value)));
    let (top, bottom) = (y - HALF, y + HALF);
    format!(
        "<line class=\"mark\" x1=\"{min:.1}\" x2=\"{max:.1}\" y1=\"{y}\" y2=\"{y}\"/>\
         <rect class=\"box\" x=\"{q1:.1}\" width=\"{:.1}\" y=\"{top}\" height=\"{}\"/>\
         <line class=\"mark\" x1=\"{median:.1}\" x2=\"{median:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>",
        q3 - q1,
        2.0 * HALF
    )
}
