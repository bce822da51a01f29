//! Ratios with their intervals beside what counts as the same.

use etalon_core::analysis::{Analysis, Ranked, Ranking};
use etalon_core::compare::{EquivalenceBounds, Evidence, Scale as Scales};
use etalon_core::estimate::Estimate;
use etalon_core::plots::Axis;

use super::{BENCHMARKS, Row, Scale, Still, extent, figure, middle, some_of};
use crate::words;

/// A row of the picture.
pub(super) struct Entry<'a> {
    pub(super) name: String,
    pub(super) evidence: &'a Evidence,
    pub(super) ratio: &'a Estimate,
}

/// The ratios of a ranking's rows to its first; absent where there is none.
pub(super) fn still(analysis: &Analysis, ranking: &Ranking) -> Option<Still> {
    let of_row = |row: &Ranked| {
        let assessment = &ranking.comparisons[row.comparison?].assessment;
        let evidence = (!assessment.decision.is_void()).then_some(&assessment.evidence)?;
        let name = words::ranked_name(analysis, ranking, row.benchmark);
        Some(Entry { name, evidence, ratio: evidence.shown().ratio.as_ref()? })
    };
    let entries: Vec<Entry<'_>> = ranking.rows.iter().filter_map(of_row).collect();
    let base = words::ranked_name(analysis, ranking, ranking.rows.first()?.benchmark);
    let title = words::metric_title(&ranking.metric);
    let drawn = entries.len().min(BENCHMARKS);
    let some = some_of(drawn, entries.len());
    let intervals = match entries.iter().any(|it| it.ratio.interval.is_ok()) {
        true => ", with intervals",
        false => "",
    };
    let caption = format!("{title} as a multiple of that of {base}{intervals}{some}");
    picture(&caption, &entries[..drawn])
}

/// Ratios below one another on one scale; absent where there is none.
pub(super) fn picture(caption: &str, entries: &[Entry<'_>]) -> Option<Still> {
    let bounds = entries.iter().find_map(|it| bounds(it.evidence));
    let ends = entries.iter().flat_map(|it| {
        let (lo, hi) = ends(it.ratio);
        [lo, it.ratio.value, hi]
    });
    let margin = bounds.iter().flat_map(|it| [it.lo, it.hi]);
    let one = entries.first().map(|_| 1.0);
    let (low, high) = extent(ends.chain(margin).chain(one));
    // Twice as much is as far from the same as half as much.
    let scale = Scale::on(Axis::Logarithmic, low, high, "×")?;
    let drawn = |(at, it): (usize, &Entry<'_>)| Row {
        name: it.name.clone(),
        figures: words::ratio_text(it.ratio),
        drawn: mark(&scale, it.ratio, middle(at)),
    };
    let rows: Vec<Row> = entries.iter().enumerate().map(drawn).collect();
    let band = match bounds {
        Some(_) => "; shaded: what counts as the same",
        None => "",
    };
    let caption = format!("{caption}{band}");
    Some(figure(("ratios", &caption), &rows, &scale, |bottom| behind(&scale, bounds, bottom)))
}

/// The bounds of sameness, where they are ratios.
pub(super) fn bounds(evidence: &Evidence) -> Option<EquivalenceBounds> {
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
