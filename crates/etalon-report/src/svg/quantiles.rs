//! How far two benchmarks are apart at each quantile: a tail that differs is seen where medians agree.

use etalon_core::model::Metric;
use etalon_core::plots::{Axis, Pair, Shifted};

use super::differences::{HEIGHT, ROW, against, called, common_base, heights, margin, none};
use super::panel::{LEFT, Panel, RIGHT};
use super::{FOOT, Scale, Still, headings, said, top};
use crate::number::{DisplayUnit, bounded, seen};
use crate::words;

/// The comparisons, of what is called `values`, below one another, without those in which nothing moves; absent where there are few readings.
pub(super) fn still(
    metric: &Metric,
    pairs: &[Pair],
    name: impl Fn(usize) -> String,
    values: &str,
) -> Option<Still> {
    let is_drawn = |it: &&Pair| it.quantiles.len() > 2 && it.quantiles.iter().any(|q| moves(q, it));
    let pairs: Vec<&Pair> = pairs.iter().filter(is_drawn).collect();
    let x = Scale::on(Axis::Linear, 0.0, 100.0, "%")?.between(LEFT, RIGHT - 8.0);
    let base = common_base(&pairs, &name);
    let (mut drawn, mut rows) = (String::new(), Vec::new());
    for (at, pair) in pairs.iter().enumerate() {
        let (plot, ends) = plot(metric, pair, &x, (top(at, ROW), at + 1 == pairs.len()))?;
        drawn.push_str(&plot);
        rows.push((called(pair, base.as_deref(), &name), ends));
    }
    drawn.push_str(&headings(&rows, ROW));
    let against = against(pairs.first()?.evidence.scale, base.as_deref());
    let title = words::metric_title(metric);
    Some(Still {
        name: "quantiles",
        caption: format!(
            "{title} at each tenth of the {values}, {against}{}{}",
            meaning(&pairs),
            margin(&pairs)
        ),
        said: rows.iter().map(|(name, figures)| said(name, figures)).collect(),
        height: top(pairs.len(), ROW) + FOOT,
        drawn,
    })
}

/// How a mark is to be read: whoever looks at a picture looks for the one that is off.
fn meaning(pairs: &[&Pair]) -> String {
    let marks = || pairs.iter().flat_map(|it| &it.quantiles);
    let some = marks().find_map(|it| it.interval);
    let bars = some.map_or_else(String::new, |it| {
        let level = words::level(it.level);
        format!(", with intervals that hold together at {level}: one that misses the line is a difference there")
    });
    match marks().all(|it| it.interval.is_some()) {
        true => bars,
        false => bars + "; a dot without an interval says nothing by itself",
    }
}

/// Whether a quantile says something: exact numbers that are the same on both sides do not.
fn moves(quantile: &Shifted, pair: &Pair) -> bool {
    quantile.value != none(pair) || quantile.interval.is_some_and(|it| it.lo < it.hi)
}

fn plot(
    metric: &Metric,
    pair: &Pair,
    x: &Scale,
    (from, is_last): (f64, bool),
) -> Option<(String, String)> {
    let (top, bottom) = (from + 24.0, from + 24.0 + HEIGHT);
    let ends = |it: &Shifted| it.interval.map_or([it.value; 2], |it| [it.lo, it.hi]);
    let (y, shown) = heights(metric, pair, pair.quantiles.iter().flat_map(ends))?;
    let y = y.between(bottom - 2.0, top + 2.0).with_few_ticks();
    let number = |value: f64| shown.as_ref().map_or(value, |it| it.number(value));
    let panel = Panel { x, y: &y, top, bottom, across: "quantile" };
    let band =
        pair.evidence.bounds.map(|it| panel.band(number(it.lo), number(it.hi))).unwrap_or_default();
    let axes = if is_last { panel.axes() } else { panel.heights() };
    let bar = |it: &Shifted| {
        let [lo, hi] = ends(it);
        let at = x.at(100.0 * it.q);
        format!(
            "<line class=\"mark\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>\
             <circle class=\"dot\" cx=\"{at:.1}\" cy=\"{:.1}\" r=\"3.5\"/>\n",
            y.at(number(lo)),
            y.at(number(hi)),
            y.at(number(it.value))
        )
    };
    let bars: String = pair.quantiles.iter().map(bar).collect();
    let same = panel.level(number(none(pair)), "one");
    Some((band + &axes + &same + &bars, figures(pair, shown.as_ref())))
}

/// The one nearest to the median and the last in figures: a tail that differs, differs there.
fn figures(pair: &Pair, shown: Option<&DisplayUnit>) -> String {
    let text = |it: &Shifted| {
        let value = match shown {
            Some(shown) => shown.said(it.value),
            None => format!("{} ×", bounded(it.value, seen(it.value, 3))),
        };
        format!("{} % {value}", (100.0 * it.q).round())
    };
    let of = &pair.quantiles;
    let middle = of.iter().min_by(|a, b| (a.q - 0.5).abs().total_cmp(&(b.q - 0.5).abs()));
    let chosen = [middle, of.last()];
    chosen.into_iter().flatten().map(text).collect::<Vec<_>>().join(", ")
}
