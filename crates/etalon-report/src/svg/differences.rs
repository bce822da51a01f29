//! Candidate over base within each block: what is compared, one point a block.

use etalon_core::compare::{EquivalenceBounds, Scale as Scales};
use etalon_core::model::Metric;
use etalon_core::plots::{Axis, Pair};

use super::panel::{LEFT, Panel, RIGHT};
use super::{FOOT, Scale, Still, extent, headings, said, top};
use crate::number::{DisplayUnit, counted};
use crate::words;

/// A plot with its name; the plot alone.
pub(super) const ROW: f64 = 126.0;
pub(super) const HEIGHT: f64 = 94.0;

/// The comparisons below one another; absent where no blocks pair.
pub(super) fn still(
    metric: &Metric,
    pairs: &[Pair],
    name: impl Fn(usize) -> String,
) -> Option<Still> {
    let pairs: Vec<&Pair> = pairs.iter().filter(|it| it.of_blocks > 1).collect();
    let (first, last) = extent(pairs.iter().flat_map(|it| it.blocks.iter().map(|it| it.at)));
    let x = Scale::on(Axis::Linear, first, last, "")?.between(LEFT, RIGHT);
    let base = common_base(&pairs, &name);
    let (mut drawn, mut rows) = (String::new(), Vec::new());
    for (at, pair) in pairs.iter().enumerate() {
        let is_last = at + 1 == pairs.len();
        drawn.push_str(&plot(metric, pair, &x, (top(at, ROW), is_last))?);
        let figures = counted(pair.of_blocks, "block", "blocks");
        rows.push((called(pair, base.as_deref(), &name), figures));
    }
    drawn.push_str(&headings(&rows, ROW));
    let against = against(pairs.first()?.evidence.scale, base.as_deref());
    let thinned = super::thinned(pairs.iter().map(|it| (it.blocks.len(), it.of_blocks)));
    let title = words::metric_title(metric);
    Some(Still {
        name: "differences",
        caption: format!(
            "{title} within each block, {against}; solid: the estimate{}{thinned}",
            margin(&pairs)
        ),
        said: rows.iter().map(|(name, figures)| said(name, figures)).collect(),
        height: top(pairs.len(), ROW) + FOOT,
        drawn,
    })
}

/// The name of the base of all pairs; absent where they are compared with several.
pub(super) fn common_base(pairs: &[&Pair], name: impl Fn(usize) -> String) -> Option<String> {
    let mut names = pairs.iter().map(|it| name(it.base));
    let first = names.next()?;
    names.all(|it| it == first).then_some(first)
}

/// The title over a comparison: beside a caption that names the base of all, the candidate alone, because there is
/// little room.
pub(super) fn called(pair: &Pair, base: Option<&str>, name: impl Fn(usize) -> String) -> String {
    match base {
        Some(_) => name(pair.candidate),
        None => format!("{} against {}", name(pair.candidate), name(pair.base)),
    }
}

/// The scale of a comparison's values against the base's: `as a multiple of that of gzip -9`.
pub(super) fn against(scale: Scales, base: Option<&str>) -> String {
    let whose = base.map_or("the other's".to_owned(), |base| format!("that of {base}"));
    match scale {
        Scales::Ratio => format!("as a multiple of {whose}"),
        Scales::Difference => format!("less {whose}"),
    }
}

/// The meaning of the shaded band, where there is one.
pub(super) fn margin(pairs: &[&Pair]) -> &'static str {
    match pairs.iter().any(|it| it.evidence.bounds.is_some()) {
        true => "; shaded: what counts as the same",
        false => "",
    }
}

/// How differences, or ratios, are shown.
pub(super) fn shown(metric: &Metric, pair: &Pair, largest: f64) -> Option<DisplayUnit> {
    (pair.evidence.scale == Scales::Difference).then(|| DisplayUnit::fitting(metric, largest))
}

/// The value of "no difference" on the scale of a comparison.
pub(super) fn none(pair: &Pair) -> f64 {
    if pair.evidence.scale == Scales::Ratio { 1.0 } else { 0.0 }
}

/// The scale of heights that holds values, no difference, and the margin where that is not far wider than they are.
pub(super) fn heights(
    metric: &Metric,
    pair: &Pair,
    values: impl Iterator<Item = f64>,
) -> Option<(Scale, Option<DisplayUnit>)> {
    let (low, high) = extent(values.chain([none(pair)]));
    let shown = shown(metric, pair, low.abs().max(high.abs()));
    let number = |value: f64| shown.as_ref().map_or(value, |it| it.number(value));
    let bounds = pair.evidence.bounds.filter(|it| it.hi - it.lo < 4.0 * (high - low));
    let margin = bounds.iter().flat_map(|it| [it.lo, it.hi]);
    let all = [low, high].into_iter().chain(margin).map(number);
    let (low, high) = extent(all);
    // Twice as much is as far from the same as half as much.
    let scale = match &shown {
        Some(shown) => Scale::on(Axis::suiting(low, high), low, high, shown.symbol()),
        None => Scale::on(Axis::Logarithmic, low, high, "×"),
    };
    Some((scale?, shown))
}

fn plot(metric: &Metric, pair: &Pair, x: &Scale, (from, is_last): (f64, bool)) -> Option<String> {
    let (top, bottom) = (from + 24.0, from + 24.0 + HEIGHT);
    let (y, shown) = heights(metric, pair, pair.blocks.iter().map(|it| it.value))?;
    let y = y.between(bottom - 2.0, top + 2.0).with_few_ticks();
    let number = |value: f64| shown.as_ref().map_or(value, |it| it.number(value));
    let panel = Panel { x, y: &y, top, bottom, across: "block" };
    let points = pair.blocks.iter().map(|point| (point.at, number(point.value)));
    let estimate = match pair.evidence.scale {
        Scales::Ratio => pair.evidence.shown().ratio,
        Scales::Difference => pair.evidence.shown().difference,
    };
    let band = pair.evidence.bounds.map_or_else(String::new, |EquivalenceBounds { lo, hi }| {
        panel.band(number(lo), number(hi))
    });
    let axes = if is_last { panel.axes() } else { panel.heights() };
    let estimate = estimate.map_or_else(String::new, |it| panel.level(number(it.value), "mark"));
    let same = panel.level(number(none(pair)), "one");
    Some(band + &axes + &same + &panel.dots(points, "s0") + &estimate)
}
