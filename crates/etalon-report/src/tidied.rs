//! Centres and changes of tables, in words.
//!
//! Owns the way from values in a base unit, and the tidied unit they are of, to what is shown. Refuses to scale
//! what is neither time nor bytes: a count stays one.

use etalon_core::compare::Evidence;
use etalon_core::estimate::Estimate;
use etalon_core::stats::Interval;
use etalon_core::units::{Base, Unit, is_rate, renamed};

use crate::figures::{self, FAR, Figures, farther, reach};
use crate::number::{decimals_apart, fixed, seen, separated};

/// The unit of numbers under a title that names their base unit: of a rate its numerator's
/// (`B/s` in `MB`), other units of their own as numbers.
pub(crate) fn under_title(base: &Base) -> Base {
    match base {
        Base::Other(rate) if is_rate(rate) => {
            let numerator = rate.split('/').next().unwrap_or(rate);
            Unit::from_name(numerator).base().clone()
        }
        Base::Other(_) => Base::Count,
        base => base.clone(),
    }
}

/// Decimals that show a number with four significant digits: none to nine.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
fn decimals(smallest: f64) -> usize {
    if smallest <= 0.0 {
        return 0;
    }
    (3.0 - smallest.log10().floor()).clamp(0.0, 9.0) as usize
}

/// A centre and its reach, where it is not exact: `1.72 µs ± 2 %`, `2 B ± 16 B`, and `± ∞` of too few values.
pub(crate) fn centred(centre: &Estimate, figures: &Figures) -> String {
    let shown = figures::with_reach(centre, figures);
    if centre.interval.is_err() { format!("{shown} ± ∞") } else { shown }
}

/// A change, and its interval in brackets: nothing without one, or of exact values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) value: String,
    pub(crate) interval: String,
    /// The unit of both.
    pub(crate) unit: String,
}

impl Change {
    /// The interval with its unit in the brackets.
    pub(crate) fn within(&self) -> String {
        match self.interval.strip_suffix(')') {
            Some(ends) if !self.unit.is_empty() => format!("{ends} {})", self.unit),
            _ => self.interval.clone(),
        }
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let gap = if self.interval.is_empty() { "" } else { " " };
        write!(f, "{}{gap}{}", self.value, self.interval)
    }
}

/// From here on a change in percent is only said to be larger: it is times, whose number nobody reads as percent.
const MOST: f64 = 1e6;

/// A ratio as a change with its interval, in percent: `-17.2 % (-18.0 … -16.1)`.
pub(crate) fn change(ratio: f64, interval: Option<Interval>) -> Change {
    let scattered = interval.filter(|i| i.lo != i.hi);
    let decimals = scattered.map_or(1, telling_apart);
    let percent = |ratio: f64| signed_percent(ratio, decimals);
    let value = match interval {
        Some(i) if i.lo == i.hi && ratio == 1.0 => "0 %".to_owned(),
        _ => format!("{} %", percent(ratio)),
    };
    let ends = scattered.map(|i| format!("({} … {})", percent(i.lo), percent(i.hi)));
    Change { value, interval: ends.unwrap_or_default(), unit: "%".to_owned() }
}

/// One decimal; up to three where an end would read as no change, which the interval excludes, or where the ends of a
/// narrow interval, or of a change of nearly -100 %, read the same with fewer.
fn telling_apart(interval: Interval) -> usize {
    let differ = |decimals: &usize| {
        signed_percent(interval.lo, *decimals) != signed_percent(interval.hi, *decimals)
    };
    let least = decimals_apart(0.0, [interval.lo, interval.hi].map(in_percent), 1);
    let is_small =
        interval.hi < NEARLY_NOTHING || in_percent(interval.hi - interval.lo + 1.0) < NARROW;
    if is_small { (least..=3).find(differ).unwrap_or(least) } else { least }
}

/// The width in percent below which one decimal may not tell the ends of an interval apart.
const NARROW: f64 = 0.1;

/// Because below it a tenth of a percent is more than a tenth of what is left.
const NEARLY_NOTHING: f64 = 0.01;

/// A ratio as a change in percent.
pub(crate) fn in_percent(ratio: f64) -> f64 {
    (ratio - 1.0) * 100.0
}

/// A ratio as a change in percent, without its unit; whole ones from 1000 % on, and no more digits than six.
fn signed_percent(ratio: f64, decimals: usize) -> String {
    let percent = in_percent(ratio);
    let size = match percent.abs() {
        size if size < 999.95 => fixed(size, decimals),
        size if size < MOST => separated(&fixed(size, 0)),
        _ => return format!(">{}", separated(&fixed(MOST - 1.0, 0))),
    };
    let sign = if percent < 0.0 { '-' } else { '+' };
    let is_nothing = size.bytes().all(|b| matches!(b, b'0' | b'.'));
    if is_nothing { size } else { format!("{sign}{size}") }
}

/// The change that a verdict is about: the ratio's, and that of the difference with its unit where there is no
/// ratio, as from 0: `+16 B`.
pub(crate) fn changed(evidence: &Evidence, base: &Base) -> Change {
    match (evidence.shown().ratio, evidence.shown().difference) {
        (Some(ratio), _) => change(ratio.value, ratio.interval.ok()),
        (None, Some(found)) => difference(found.value, found.interval.ok(), base),
        (None, None) => Change::default(),
    }
}

fn difference(value: f64, interval: Option<Interval>, base: &Base) -> Change {
    let ends = interval.filter(|i| i.lo != i.hi).map(|i| [i.lo, i.hi]);
    let all = [value].into_iter().chain(ends.into_iter().flatten());
    let figures = Figures::new(&under_title(base), all);
    let sign = |value: f64| if value > 0.0 { "+" } else { "" };
    let signed = |value: f64| format!("{}{}", sign(value), figures.digits(value));
    let interval =
        ends.map_or(String::new(), |[lo, hi]| format!("({} … {})", signed(lo), signed(hi)));
    let unit = figures.symbol();
    Change { value: format!("{}{}", sign(value), figures.show(value)), interval, unit }
}

/// A centre as pages for reading have it: whole nanoseconds, bytes or things, three digits at least, with
/// thousands separators; its reach where it is not 0.
pub(crate) fn plain(centre: &Estimate, base: &Base) -> String {
    let text = plain_number(centre.value, base);
    match reach(centre) {
        Some(0.0) => text,
        Some(share) if share <= FAR => format!("{text} ± {:.0}%", share * 100.0),
        Some(_) => centre.interval.map_or(text.clone(), |it| {
            format!("{text} ({} … {})", plain_number(it.lo, base), plain_number(it.hi, base))
        }),
        None => match centre.interval {
            Ok(interval) => format!("{text} ± {}", plain_number(farther(centre, interval), base)),
            Err(_) => format!("{text} ± ∞"),
        },
    }
}

/// Larger numbers than this are not written out.
const MOST_DIGITS: f64 = 1e15;

/// A value as those pages have it.
pub(crate) fn plain_number(value: f64, base: &Base) -> String {
    plain_digits(if *base == Base::Seconds { value * 1e9 } else { value })
}

/// A number as those pages have it: whole from a hundred on, below that three digits, two of a small one.
pub(crate) fn plain_digits(value: f64) -> String {
    if (100.0..MOST_DIGITS).contains(&value.abs()) || value.fract() == 0.0 {
        return separated(&match value.abs() < MOST_DIGITS {
            true => format!("{:.0}", value.round() + 0.0),
            false => fixed(value, 0),
        });
    }
    fixed(value, seen(value, decimals(value.abs()).min(4).saturating_sub(1)))
}

/// A unit as those pages name it: with nanoseconds or bytes in it, or behind it where its name says neither.
pub(crate) fn plain_unit(unit: &str, base: &Base) -> String {
    let symbol = match base {
        Base::Seconds => "ns",
        Base::Bytes => "B",
        Base::Count | Base::Other(_) => return unit.to_owned(),
    };
    let says_so = Unit::from_name(unit).base() == base;
    let renamed = renamed(unit, symbol).filter(|_| says_so);
    renamed.unwrap_or_else(|| format!("{unit}, {symbol}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_core::estimate::Method;

    fn centre(value: f64, reach: f64) -> Estimate {
        let interval =
            Interval { lo: value * (1.0 - reach), hi: value * (1.0 + reach), level: 0.95 };
        Estimate { value, interval: Ok(interval), method: Method::MedianOrderStatistics }
    }

    #[test]
    fn pages_for_reading() {
        assert_eq!(plain(&centre(135_400e-9, 0.01), &Base::Seconds), "135,400 ± 1%");
        assert_eq!(plain(&centre(680.0, 0.0), &Base::Count), "680");
        assert_eq!(plain(&centre(11_340_000e-9, 0.012), &Base::Seconds), "11,340,000 ± 1%");
        assert_eq!(plain(&centre(0.254e-9, 0.0), &Base::Seconds), "0.254");
        // What was measured does not read as nothing.
        assert_eq!([0.000_34, 0.0254, 12.34].map(plain_digits), ["0.00034", "0.025", "12.3"]);
        assert_eq!(plain(&centre(200e-9, 1.5), &Base::Seconds), "200 ± 300");
        assert_eq!(plain_unit("sec/op", &Base::Seconds), "ns/op");
        assert_eq!(plain_unit("p99-ms/op", &Base::Seconds), "p99-ns/op");
        assert_eq!(plain_unit("time/req", &Base::Seconds), "time/req, ns");
        assert_eq!(plain_unit("widgets/op", &Base::Count), "widgets/op");
    }

    /// Would catch an interval across 0 that is not told.
    #[test]
    fn across_0_the_reach_is_an_amount() {
        let figures = Figures::new(&Base::Seconds, [283e-6]);
        assert_eq!(centred(&centre(283e-6, 0.05), &figures), "283 µs ± 5 %");
        assert_eq!(centred(&centre(283e-6, 1.5), &figures), "283 µs ± 424 µs");
    }

    #[test]
    fn no_change_has_no_sign() {
        let interval = |lo, hi| Some(Interval { lo, hi, level: 0.95 });
        assert_eq!(change(0.9999, interval(0.99, 1.0001)).to_string(), "0.0 % (-1.0 … 0.0)");
        assert_eq!(change(1.0, interval(1.0, 1.0)).to_string(), "0 %");
        assert_eq!(change(1.25, interval(1.25, 1.25)).to_string(), "+25.0 %");
        assert_eq!(change(0.5, None).to_string(), "-50.0 %");
        assert_eq!(change(1.007, interval(1.0002, 1.0141)).to_string(), "+0.70 % (+0.02 … +1.41)");
    }

    /// Would catch a change that is too long for its column, and one whose interval says nothing.
    #[test]
    fn large_changes_are_short_and_small_remains_are_told_apart() {
        let interval = |lo, hi| Some(Interval { lo, hi, level: 0.95 });
        assert_eq!(
            change(1167.484, interval(971.802, 1402.569)).to_string(),
            "+116,648 % (+97,080 … +140,157)"
        );
        assert_eq!(change(10.5, interval(9.5, 11.9)).to_string(), "+950.0 % (+850.0 … +1,090)");
        let huge = change(2e10, interval(4.5, 3e11));
        assert_eq!(huge.to_string(), ">999,999 % (+350.0 … >999,999)");
        assert_eq!(
            change(0.000_856, interval(0.000_713, 0.001_029)).to_string(),
            "-99.91 % (-99.93 … -99.90)"
        );
        let nothing_left = change(1e-7, interval(0.9e-7, 1.1e-7));
        assert_eq!(nothing_left.to_string(), "-100.0 % (-100.0 … -100.0)");
    }

    #[test]
    fn a_change_from_nothing_is_an_amount() {
        let interval = |lo, hi| Some(Interval { lo, hi, level: 0.95 });
        assert_eq!(difference(16.0, interval(16.0, 16.0), &Base::Bytes).to_string(), "+16 B");
        assert_eq!(difference(0.0, interval(0.0, 0.0), &Base::Count).to_string(), "0");
        assert_eq!(difference(-2.0, None, &Base::Count).to_string(), "-2");
        assert_eq!(
            difference(1.5e-3, interval(-1e-3, 4e-3), &Base::Seconds).to_string(),
            "+1.50 ms (-1.00 … +4.00)"
        );
    }
}
