//! How far two benchmarks are apart at each quantile: a tail that differs is seen where medians agree.

use etalon_core::compare::Scale as Scales;
use etalon_core::model::Metric;
use etalon_core::plots::{Axis, Pair, Shifted};

use super::differences::{HEIGHT, ROW, heights, margin, none};
use super::panel::{LEFT, Panel, RIGHT};
use super::{FOOT, Scale, Still, heading, said, top};
use crate::number::{Shown, percent};
use crate::words;

/// The comparisons below one another; absent where there are few readings.
pub(super) fn still(
    metric: &Metric,
    pairs: &[Pair],
    name: impl Fn(usize) -> String,
) -> Option<Still> {
    let pairs: Vec<&Pair> = pairs.iter().filter(|it| it.quantiles.len() > 2).collect();
    let level = pairs.first()?.evidence.shown().level;
    let x = Scale::on(Axis::Linear, 0.0, 100.0, "%")?.between(LEFT, RIGHT - 8.0);
    let (mut drawn, mut lines) = (String::new(), Vec::new());
    for (at, pair) in pairs.iter().enumerate() {
        let title = format!("{} against {}", name(pair.candidate), name(pair.base));
        let (plot, ends) = plot(metric, pair, &x, (top(at, ROW), at + 1 == pairs.len()))?;
        drawn.push_str(&plot);
        drawn.push_str(&heading(&title, &ends, top(at, ROW) + 14.0));
        lines.push(said(&title, &ends));
    }
    let of = match pairs.first()?.evidence.scale {
        Scales::Ratio => "as a multiple of the other's",
        Scales::Difference => "less the other's",
    };
    let title = words::metric_title(metric);
    let intervals = match pairs.iter().any(|it| it.quantiles.iter().any(|it| it.interval.is_some()))
    {
        true => format!(", with intervals of {} each", percent(level)),
        false => String::new(),
    };
    Some(Still {
        name: "quantiles".to_owned(),
        caption: format!("{title} {of} at each tenth of the readings{intervals}{}", margin(&pairs)),
        said: lines,
        height: top(pairs.len(), ROW) + FOOT,
        drawn,
    })
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

/// The first, the middle and the last in figures.
fn figures(pair: &Pair, shown: Option<&Shown>) -> String {
    let text = |it: &Shifted| {
        let value = match shown {
            Some(shown) => format!("{} {}", shown.plain(it.value), shown.symbol()),
            None => format!("{:.3} ×", it.value),
        };
        format!("{} % {value}", (100.0 * it.q).round())
    };
    let of = &pair.quantiles;
    let chosen = [of.first(), of.get(of.len() / 2), of.last()];
    chosen.into_iter().flatten().map(text).collect::<Vec<_>>().join(", ")
}
