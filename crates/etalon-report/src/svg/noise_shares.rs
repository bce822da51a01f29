//! Where the noise comes from: shares of the variance between runs, between blocks and between readings.

use etalon_core::analysis::{Analysis, Summary};
use etalon_core::plots::Axis;
use etalon_core::variation::Levels;

use super::{Row, Scale, Still, figure, middle};
use crate::words;

/// Half the height of a bar.
const HALF: f64 = 7.0;
/// Benchmarks of a picture.
const ROWS: usize = 20;

/// A bar for each benchmark whose variance was divided; absent where none was.
pub(super) fn still(analysis: &Analysis) -> Option<Still> {
    let levels =
        |it: &Summary| it.variation.as_ref().map_or_else(Levels::new, |it| it.levels.clone());
    let all = analysis.benchmarks.iter().map(levels).enumerate();
    let found: Vec<(usize, Levels)> = all.filter(|(_, levels)| !levels.is_empty()).collect();
    if found.is_empty() {
        return None;
    }
    let scale = Scale::on(Axis::Linear, 0.0, 100.0, "%")?;
    let row = |(at, (benchmark, levels)): (usize, &(usize, Levels))| {
        let figures: Vec<String> = levels
            .iter()
            .map(|it| format!("between {}s {:.0} %", it.level, 100.0 * it.share))
            .collect();
        Row {
            name: words::case_name(analysis, *benchmark),
            figures: figures.join(", "),
            drawn: bar(&scale, levels, middle(at)),
        }
    };
    let drawn = &found[..found.len().min(ROWS)];
    let rows: Vec<Row> = drawn.iter().enumerate().map(row).collect();
    let metric = &analysis.settings.metric;
    let title = analysis.benchmarks.iter().find_map(|it| it.metric(metric));
    let title = title
        .map_or_else(|| metric.clone(), |it| words::lower_first(&words::metric_title(&it.metric)));
    let levels: Vec<String> =
        found[0].1.iter().map(|it| format!("between {}s", it.level)).collect();
    let some = super::some_of(drawn.len(), found.len());
    let caption = format!(
        "Where readings of {title} differ: shares of the variance, from the left {}{some}",
        levels.join(", ")
    );
    Some(figure(("noise", &caption), &rows, &scale, |_| String::new()))
}

/// From the left the outermost level.
fn bar(scale: &Scale, levels: &Levels, y: f64) -> String {
    let mut from = 0.0;
    let part = |(at, it): (usize, &etalon_core::variation::LevelShare)| {
        let to = from + 100.0 * it.share;
        let (left, right) = (scale.at(from), scale.at(to));
        from = to;
        format!(
            "<rect class=\"fill{at}\" x=\"{left:.1}\" width=\"{:.1}\" y=\"{}\" height=\"{}\"/>",
            (right - left).max(0.0),
            y - HALF,
            2.0 * HALF
        )
    };
    levels.iter().take(4).enumerate().map(part).collect()
}
