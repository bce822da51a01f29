//! Benchmarks over a size, with the power of it that they grow by.

use etalon_core::plots::{Axis, Growing, Grown};
use etalon_core::stats::PowerLaw;

use super::legend::{LINE, legend};
use super::panel::{LEFT, Panel, RIGHT};
use super::{Scale, Still, along, extent, said, top};
use crate::number::{DisplayUnit, fixed};
use crate::text::clean;

/// The height of the plot.
const HEIGHT: f64 = 220.0;
/// Room at its sides for labels of ticks, beside what the size is called.
const EDGE: f64 = 18.0;
/// Pieces of a line that is bent.
const BENT: u32 = 24;

/// One plot for a size, of what is called `title`, a table's columns by their names; absent where nothing has an
/// extent.
pub(super) fn still(
    growing: &Growing,
    title: &str,
    column: impl Fn(usize) -> String,
) -> Option<Still> {
    let points = || growing.curves.iter().flat_map(|it| &it.points);
    let xs = points().map(|it| it.0);
    let laws = growing.curves.iter().flat_map(|it| law_places(growing, it)).map(|it| it.1);
    let ends = points().flat_map(|(_, it)| {
        let interval = it.interval.ok();
        [interval.map_or(it.value, |it| it.lo), interval.map_or(it.value, |it| it.hi)]
    });
    let ends = ends.chain(laws);
    let (first, last) = extent(xs);
    let (low, high) = extent(ends);
    let (shown, unit) = along(&growing.metric, low.abs().max(high.abs()));
    let x = Scale::on(growing.across, first, last, "")?.between(LEFT + EDGE, RIGHT - EDGE);
    let y = Scale::on(growing.up, shown.number(low), shown.number(high), &unit)?;
    let y = y.between(HEIGHT, 8.0);
    let param = clean(&growing.param);
    let panel = Panel { x: &x, y: &y, top: 8.0, bottom: HEIGHT, across: &param };
    let mut drawn = panel.axes();
    for (at, curve) in growing.curves.iter().enumerate() {
        drawn.push_str(&curve_markup(&panel, (growing, curve), &shown, at));
    }
    let (common, names) = names(&growing.curves, &growing.param, column);
    let laws = growing.curves.iter().map(|it| law(it.law.as_ref(), &param));
    let entries: Vec<_> =
        names.into_iter().zip(laws).enumerate().map(|(at, (name, law))| (at, name, law)).collect();
    drawn.push_str(&legend(&entries, HEIGHT + 42.0));
    let thinned = match growing.curves.iter().map(|it| it.points.len()).max() {
        Some(most) if growing.curves.iter().any(|it| it.points.len() < it.of) => {
            format!("; of many sizes {most}, the least and the greatest among them")
        }
        _ => String::new(),
    };
    let some = super::some_of(growing.curves.len(), growing.of);
    Some(Still {
        name: "growth",
        caption: format!(
            "{title}{common} over {param}, with intervals; thin: the power of {param} that it grows as, fitted to the \
             logarithms of the medians{thinned}{some}"
        ),
        said: entries.iter().map(|(_, name, figures)| said(name, figures)).collect(),
        height: HEIGHT + 34.0 + top(entries.len(), LINE),
        drawn,
    })
}

fn curve_markup(
    panel: &Panel<'_>,
    (growing, curve): (&Growing, &Grown),
    shown: &DisplayUnit,
    at: usize,
) -> String {
    let points = || curve.points.iter().map(|(x, it)| (*x, shown.number(it.value)));
    let mut drawn = panel.line(points(), &format!("curve s{at}"));
    for (x, estimate) in &curve.points {
        let Ok(interval) = estimate.interval else { continue };
        let ends = [interval.lo, interval.hi].map(|value| (*x, shown.number(value)));
        drawn.push_str(&panel.line(ends.into_iter(), &format!("interval s{at}")));
    }
    drawn.push_str(&panel.dots(points(), &format!("s{at}")));
    let law: Vec<(f64, f64)> = law_places(growing, curve);
    if !law.is_empty() {
        let places = law.into_iter().map(|(x, value)| (x, shown.number(value)));
        drawn.push_str(&panel.line(places, &format!("law s{at}")));
    }
    drawn
}

/// The power that a curve grows by: two places where it is a straight line, else so many that it looks bent.
fn law_places(growing: &Growing, curve: &Grown) -> Vec<(f64, f64)> {
    let (Some(law), [(first, _), .., (last, _)]) = (&curve.law, &curve.points[..]) else {
        return Vec::new();
    };
    let is_straight = [growing.across, growing.up] == [Axis::Logarithmic; 2];
    let steps = if is_straight { 1 } else { BENT };
    let place = |at: u32| {
        let share = f64::from(at) / f64::from(steps);
        let x = match growing.across {
            Axis::Logarithmic => first * (last / first).powf(share),
            Axis::Linear => first + share * (last - first),
        };
        (x, law.at(x))
    };
    (0..=steps).map(place).filter(|it| it.1.is_finite()).collect()
}

/// A caption for all curves, and the name of each. The name's common part is in the caption, where columns tell them
/// apart.
fn names(curves: &[Grown], param: &str, column: impl Fn(usize) -> String) -> (String, Vec<String>) {
    let own: Vec<String> = curves.iter().map(|it| name(it, param)).collect();
    let columns: Vec<String> =
        curves.iter().map(|it| it.column.map(&column).unwrap_or_default()).collect();
    let is_one = own.len() > 1 && own.iter().all(|it| *it == own[0]);
    if is_one && columns.iter().all(|it| !it.is_empty()) {
        let of = if own[0].is_empty() { String::new() } else { format!(" of {}", own[0]) };
        return (of, columns);
    }
    let size = || clean(&format!("{{{param}}}"));
    let both = |(own, column): (String, String)| match (own.is_empty(), column.is_empty()) {
        (true, true) => size(),
        (true, false) => column,
        (false, true) => own,
        (false, false) => format!("{own}, {column}"),
    };
    (String::new(), own.into_iter().zip(columns).map(both).collect())
}

/// The name with its other parameters; nothing where a size is all it is called by.
fn name(curve: &Grown, param: &str) -> String {
    let others: Vec<String> =
        curve.others.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let others = clean(&others.join(", "));
    match (curve.name == format!("{{{param}}}"), others.is_empty()) {
        (true, _) => others,
        (false, true) => clean(&curve.name),
        (false, false) => format!("{} ({others})", clean(&curve.name)),
    }
}

/// `grows as n^1.02 (0.98 … 1.06)`.
fn law(law: Option<&PowerLaw>, param: &str) -> String {
    let Some(law) = law else { return "no power: it is not above 0 everywhere".to_owned() };
    let power = format!("grows as {param}^{}", fixed(law.exponent, 2));
    match &law.interval {
        Ok(it) => format!("{power} ({} … {})", fixed(it.lo, 2), fixed(it.hi, 2)),
        Err(_) => power,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch curves that are called by what all of them have, and two with one name.
    #[test]
    fn curves_are_called_by_what_tells_them_apart() {
        let said = |curves: &[(&str, &[&str], Option<usize>)]| {
            let grown = |(called, others, column): &(&str, &[&str], Option<usize>)| Grown {
                name: (*called).to_owned(),
                others: others.iter().map(|it| ("impl".to_owned(), (*it).to_owned())).collect(),
                column: *column,
                points: Vec::new(),
                of: 0,
                law: None,
            };
            let curves: Vec<Grown> = curves.iter().map(grown).collect();
            let (common, names) = names(&curves, "n", |at| ["", "old", "new"][at].to_owned());
            format!("{common}: {}", names.join("; "))
        };
        let (old, new) = (Some(1), Some(2));
        assert_eq!(said(&[("sort {n}", &[], None)]), ": sort {n}");
        assert_eq!(said(&[("sort {n}", &[], old)]), ": sort {n}, old");
        assert_eq!(
            said(&[("sort {n}", &[], old), ("sort {n}", &[], new)]),
            " of sort {n}: old; new"
        );
        assert_eq!(
            said(&[("sort {n}", &["a"], old), ("sort {n}", &["b"], old)]),
            ": sort {n} (impl=a), old; sort {n} (impl=b), old"
        );
        assert_eq!(said(&[("{n}", &[], old), ("{n}", &[], new)]), ": old; new");
        assert_eq!(said(&[("{n}", &["a"], None), ("{n}", &["b"], None)]), ": impl=a; impl=b");
        assert_eq!(said(&[("{n}", &["a"], old), ("{n}", &["a"], new)]), " of impl=a: old; new");
        assert_eq!(said(&[("{n}", &[], Some(0)), ("sort {n}", &[], Some(0))]), ": {n}; sort {n}");
    }
}
