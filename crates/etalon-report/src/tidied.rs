//! Numbers of a row in one unit: chosen by the row's smallest value, with four significant digits there.
//!
//! Owns the way from values in a base unit, and the tidied unit they are of, to what is shown. Refuses to scale
//! what is neither time nor bytes: a count stays one.

use etalon_core::compare::Evidence;
use etalon_core::estimate::Estimate;
use etalon_core::stats::Interval;
use etalon_core::units::{Base, Unit, is_rate, renamed};

use crate::number::fixed;

/// How the numbers of a row are shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scale {
    unit: Unit,
    symbol: String,
    decimals: usize,
}

/// What a number in a base unit is shown as: a rate by what its numerator is (`B/s` in `MB`), other units of
/// their own as they are.
fn shown(base: &Base) -> Base {
    match base {
        Base::Other(rate) if is_rate(rate) => {
            let numerator = rate.split('/').next().unwrap_or(rate);
            Unit::of_name(numerator).base().clone()
        }
        Base::Other(_) => Base::Count,
        base => base.clone(),
    }
}

impl Scale {
    /// The scale of values in a base unit.
    pub(crate) fn of(values: impl IntoIterator<Item = f64, IntoIter: Clone>, base: &Base) -> Scale {
        let values = values.into_iter();
        let base = shown(base);
        let sizes = values.clone().map(f64::abs).filter(|size| *size > 0.0);
        let smallest = sizes.min_by(f64::total_cmp).unwrap_or(0.0);
        let shown = Unit::for_display(&base, smallest);
        let whole = |value: f64| shown.from_base(value).fract() == 0.0;
        let counted = matches!(shown.symbol(), "count" | "B");
        let decimals = if counted && values.clone().all(whole) {
            0
        } else {
            decimals(shown.from_base(smallest))
        };
        let symbol = match base {
            Base::Count => String::new(),
            _ => shown.symbol().to_owned(),
        };
        Scale { unit: shown, symbol, decimals }
    }

    /// A value without its unit.
    fn digits(&self, value: f64) -> String {
        fixed(self.unit.from_base(value), self.decimals)
    }

    /// A value with its unit.
    pub(crate) fn show(&self, value: f64) -> String {
        let digits = self.digits(value);
        if self.symbol.is_empty() { digits } else { format!("{digits} {}", self.symbol) }
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

/// How far a centre's interval reaches, as a share of it; absent where nothing bounds it, or it reaches
/// across 0.
pub(crate) fn reach(centre: &Estimate) -> Option<f64> {
    let interval = centre.interval.ok()?;
    let value = centre.value;
    if interval.lo == value && interval.hi == value {
        return Some(0.0);
    }
    let same_side = interval.lo * value > 0.0 && interval.hi * value > 0.0;
    same_side.then(|| (interval.hi / value - 1.0).abs().max((1.0 - interval.lo / value).abs()))
}

/// A centre and its reach: `1.718 µs ± 2 %`.
pub(crate) fn centred(centre: &Estimate, scale: &Scale) -> String {
    let reach = match (reach(centre), centre.interval) {
        (Some(share), _) => format!("{:.0} %", share * 100.0),
        (None, Err(_)) => "∞".to_owned(),
        (None, Ok(_)) => "?".to_owned(),
    };
    format!("{} ± {reach}", scale.show(centre.value))
}

/// A ratio as a change with its interval, in percent: `-17.2 % (-18.0 … -16.1)`.
pub(crate) fn change(ratio: f64, interval: Option<Interval>) -> String {
    let percent = |ratio: f64| {
        let text = format!("{:+.1}", (ratio - 1.0) * 100.0);
        if matches!(text.as_str(), "+0.0" | "-0.0") { "0.0".to_owned() } else { text }
    };
    match interval {
        Some(i) if i.lo == i.hi && ratio == 1.0 => "0 %".to_owned(),
        Some(i) if i.lo == i.hi => format!("{} %", percent(ratio)),
        Some(i) => format!("{} % ({} … {})", percent(ratio), percent(i.lo), percent(i.hi)),
        None => format!("{} %", percent(ratio)),
    }
}

/// The change that a verdict is about: the ratio's, and that of the difference with its unit where there is no
/// ratio, as from 0: `+16 B`.
pub(crate) fn changed(evidence: &Evidence, base: &Base) -> String {
    match evidence.ratio {
        Some(ratio) => change(ratio.value, ratio.interval.ok()),
        None => difference(evidence.difference.value, evidence.difference.interval.ok(), base),
    }
}

fn difference(value: f64, interval: Option<Interval>, base: &Base) -> String {
    let ends = interval.filter(|i| i.lo != i.hi).map(|i| [i.lo, i.hi]);
    let scale = Scale::of([value].into_iter().chain(ends.into_iter().flatten()), base);
    let signed = |value: f64| {
        let text = scale.digits(value);
        if value > 0.0 { format!("+{text}") } else { text }
    };
    let interval =
        ends.map_or(String::new(), |[lo, hi]| format!(" ({} … {})", signed(lo), signed(hi)));
    let symbol = if scale.symbol.is_empty() { "" } else { " " };
    format!("{}{symbol}{}{interval}", signed(value), scale.symbol)
}

/// A centre as pages for reading have it: whole nanoseconds, bytes or things, three digits at least, with
/// thousands separators; its reach where it is not 0.
pub(crate) fn plain(centre: &Estimate, base: &Base) -> String {
    let text = plain_number(centre.value, base);
    match reach(centre) {
        Some(0.0) => text,
        Some(share) => format!("{text} ± {:.0}%", share * 100.0),
        None if centre.interval.is_err() => format!("{text} ± ∞"),
        None => format!("{text} ± ?"),
    }
}

/// A value as those pages have it.
pub(crate) fn plain_number(value: f64, base: &Base) -> String {
    let value = if *base == Base::Seconds { value * 1e9 } else { value };
    if value.abs() >= 100.0 || value.fract() == 0.0 {
        return separated(&fixed(value.round(), 0));
    }
    fixed(value, decimals(value.abs()).min(4).saturating_sub(1))
}

/// A unit as those pages name it: with nanoseconds or bytes in it, or behind it where its name says neither.
pub(crate) fn plain_unit(unit: &str, base: &Base) -> String {
    let symbol = match base {
        Base::Seconds => "ns",
        Base::Bytes => "B",
        Base::Count | Base::Other(_) => return unit.to_owned(),
    };
    let says_so = Unit::of_name(unit).base() == base;
    let renamed = renamed(unit, symbol).filter(|_| says_so);
    renamed.unwrap_or_else(|| format!("{unit}, {symbol}"))
}

fn separated(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return format!("{sign}{digits}");
    }
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    format!("{sign}{}", groups.join(","))
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
        assert_eq!(plain_unit("sec/op", &Base::Seconds), "ns/op");
        assert_eq!(plain_unit("p99-ms/op", &Base::Seconds), "p99-ns/op");
        assert_eq!(plain_unit("time/req", &Base::Seconds), "time/req, ns");
        assert_eq!(plain_unit("widgets/op", &Base::Count), "widgets/op");
    }

    #[test]
    fn no_change_has_no_sign() {
        let interval = |lo, hi| Some(Interval { lo, hi, level: 0.95 });
        assert_eq!(change(0.9999, interval(0.99, 1.0001)), "0.0 % (-1.0 … 0.0)");
        assert_eq!(change(1.0, interval(1.0, 1.0)), "0 %");
        assert_eq!(change(1.25, interval(1.25, 1.25)), "+25.0 %");
        assert_eq!(change(0.5, None), "-50.0 %");
    }

    #[test]
    fn a_change_from_nothing_is_an_amount() {
        let interval = |lo, hi| Some(Interval { lo, hi, level: 0.95 });
        assert_eq!(difference(16.0, interval(16.0, 16.0), &Base::Bytes), "+16 B");
        assert_eq!(difference(0.0, interval(0.0, 0.0), &Base::Count), "0");
        assert_eq!(difference(-2.0, None, &Base::Count), "-2");
        assert_eq!(
            difference(1.5e-3, interval(-1e-3, 4e-3), &Base::Seconds),
            "+1.500 ms (-1.000 … +4.000)"
        );
    }

    #[test]
    fn one_scale_a_row() {
        let values = [1.7184e-6, 3.066e-3];
        let scale = Scale::of(values.iter().copied(), &Base::Seconds);
        assert_eq!(scale.show(values[0]), "1.718 µs");
        assert_eq!(scale.show(values[1]), "3066.000 µs");
        assert_eq!(Scale::of([12.0, 0.0], &Base::Count).show(12.0), "12");
        assert_eq!(Scale::of([0.0], &Base::Bytes).show(0.0), "0 B");
    }
}
