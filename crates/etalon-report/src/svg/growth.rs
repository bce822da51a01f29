//! Benchmarks over a parameter that is a number, with the power of it that they grow by.

use etalon_core::plots::{Growing, Grown};
use etalon_core::stats::PowerLaw;

use super::legend::{LINE, legend};
use super::panel::{LEFT, Panel, RIGHT};
use super::{Scale, Still, said, top};
use crate::number::Shown;
use crate::text::clean;
use crate::words;

/// The height of the plot.
const HEIGHT: f64 = 220.0;

/// One plot for a parameter; absent where nothing has an extent.
pub(super) fn still(growing: &Growing) -> Option<Still> {
    let points = || growing.curves.iter().flat_map(|it| &it.points);
    let xs = points().map(|it| it.0);
    let ends = points().flat_map(|(_, it)| {
        let interval = it.interval.ok();
        [interval.map_or(it.value, |it| it.lo), interval.map_or(it.value, |it| it.hi)]
    });
    let extent = |values: &mut dyn Iterator<Item = f64>| {
        values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)))
    };
    let (first, last) = extent(&mut { xs });
    let (low, high) = extent(&mut { ends });
    let shown = Shown::fitting(&growing.metric, low.abs().max(high.abs()));
    let x = Scale::on(growing.across, first, last, "")?.between(LEFT + 8.0, RIGHT - 8.0);
    let y = Scale::on(growing.up, shown.number(low), shown.number(high), shown.symbol())?;
    let y = y.between(HEIGHT, 8.0);
    let param = clean(&growing.param);
    let panel = Panel { x: &x, y: &y, top: 8.0, bottom: HEIGHT, across: &param };
    let mut drawn = panel.axes();
    for (at, curve) in growing.curves.iter().enumerate() {
        drawn.push_str(&of_curve(&panel, curve, &shown, at));
    }
    let entries: Vec<(String, String)> =
        growing.curves.iter().map(|it| (name(it), law(it.law.as_ref(), &param))).collect();
    drawn.push_str(&legend(&entries, HEIGHT + 42.0));
    let title = words::metric_title(&growing.metric);
    let some = super::some_of(growing.curves.len(), growing.of);
    Some(Still {
        name: "growth".to_owned(),
        caption: format!(
            "{title} over {param}, with intervals; dashed: the power of {param} that it grows by, fitted to the \
             logarithms of the medians{some}"
        ),
        said: entries.iter().map(|(name, figures)| said(name, figures)).collect(),
        height: HEIGHT + 34.0 + top(entries.len(), LINE),
        drawn,
    })
}

fn of_curve(panel: &Panel<'_>, curve: &Grown, shown: &Shown, at: usize) -> String {
    let points = || curve.points.iter().map(|(x, it)| (*x, shown.number(it.value)));
    let mut drawn = panel.line(points(), &format!("curve s{at}"));
    for (x, estimate) in &curve.points {
        let Ok(interval) = estimate.interval else { continue };
        let ends = [interval.lo, interval.hi].map(|value| (*x, shown.number(value)));
        drawn.push_str(&panel.line(ends.into_iter(), &format!("curve s{at}")));
    }
    drawn.push_str(&panel.dots(points(), &format!("s{at}")));
    let ends = [curve.points.first(), curve.points.last()].into_iter().flatten();
    if let Some(law) = &curve.law {
        let places = ends.map(|(x, _)| (*x, shown.number(law.at(*x))));
        drawn.push_str(&panel.line(places, &format!("law s{at}")));
    }
    drawn
}

/// The name with its other parameters.
fn name(curve: &Grown) -> String {
    let others: Vec<String> =
        curve.others.iter().map(|(name, value)| format!("{name}={value}")).collect();
    match others.is_empty() {
        true => clean(&curve.name),
        false => clean(&format!("{} ({})", curve.name, others.join(", "))),
    }
}

/// `grows by n^1.02 (0.98 … 1.06)`.
fn law(law: Option<&PowerLaw>, param: &str) -> String {
    let Some(law) = law else { return "no power: it is not above 0 everywhere".to_owned() };
    match &law.interval {
        Ok(it) => format!("grows by {param}^{:.2} ({:.2} … {:.2})", law.exponent, it.lo, it.hi),
        Err(_) => format!("grows by {param}^{:.2}", law.exponent),
    }
}
