//! Ratios with their intervals beside what counts as the same.

use etalon_core::analysis::{Analysis, Ranked, Ranking};
use etalon_core::compare::{EquivalenceBounds, Evidence, Scale as Scales};
use etalon_core::estimate::Estimate;

use super::{Row, Scale, figure, middle};
use crate::words;

/// The ratios of a ranking's rows to its first; absent where there is none.
pub(super) fn still(analysis: &Analysis, ranking: &Ranking) -> Option<String> {
    let rows: Vec<(&Ranked, &Evidence, &Estimate)> =
        ranking.rows.iter().filter_map(|row| of_row(ranking, row)).collect();
    let bounds = rows.iter().find_map(|(_, evidence, _)| bounds(evidence));
    let ends = rows.iter().flat_map(|(_, _, ratio)| {
        let (lo, hi) = ends(ratio);
        [lo, ratio.value, hi]
    });
    let margin = bounds.iter().flat_map(|it| [it.lo, it.hi]);
    let first = rows.first().map(|_| 1.0);
    let scale = Scale::over(ends.chain(margin).chain(first), "×")?;
    let drawn = |(at, (row, _, ratio)): (usize, &(&Ranked, &Evidence, &Estimate))| Row {
        name: words::ranked_name(analysis, ranking, row.benchmark),
        figures: words::ratio_text(ratio),
        drawn: mark(&scale, ratio, middle(at)),
    };
    let rows: Vec<Row> = rows.iter().enumerate().map(drawn).collect();
    let base = words::ranked_name(analysis, ranking, ranking.rows.first()?.benchmark);
    let title = words::metric_title(&ranking.metric);
    let band = match bounds {
        Some(_) => "; shaded: what counts as the same",
        None => "",
    };
    let caption = format!("{title} as a multiple of that of {base}, with intervals{band}");
    Some(figure(&caption, &rows, &scale, |bottom| behind(&scale, bounds, bottom)))
}

fn of_row<'a>(
    ranking: &'a Ranking,
    row: &'a Ranked,
) -> Option<(&'a Ranked, &'a Evidence, &'a Estimate)> {
    let evidence = &ranking.comparisons[row.comparison?].assessment.evidence;
    Some((row, evidence, evidence.ratio.as_ref()?))
}

fn bounds(evidence: &Evidence) -> Option<EquivalenceBounds> {
    evidence.bounds.filter(|_| evidence.scale == Scales::Ratio)
}

fn ends(ratio: &Estimate) -> (f64, f64) {
    ratio.interval.as_ref().map_or((ratio.value, ratio.value), |it| (it.lo, it.hi))
}

fn mark(scale: &Scale, ratio: &Estimate, y: f64) -> String {
    let (lo, hi) = ends(ratio);
    format!(
        "<line class=\"mark\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y}\" y2=\"{y}\"/>\
         <circle class=\"dot\" cx=\"{:.1}\" cy=\"{y}\" r=\"4\"/>",
        scale.at(lo),
        scale.at(hi),
        scale.at(ratio.value)
    )
}

/// The margin, at least a pixel wide.
fn behind(scale: &Scale, bounds: Option<EquivalenceBounds>, bottom: f64) -> String {
    let Some(bounds) = bounds else { return String::new() };
    let (from, to) = (scale.at(bounds.lo), scale.at(bounds.hi));
    format!(
        "<rect class=\"band\" x=\"{from:.1}\" width=\"{:.1}\" y=\"18\" height=\"{}\"/>\n",
        (to - from).max(1.0),
        bottom - 18.0
    )
}
