//! Numbers as readers see them: a unit that fits, as many digits as mean something.
//!
//! Formatting happens last and never feeds back into a computation.

use etalon_core::model::Metric;
use etalon_core::stats::Interval;
use etalon_core::units::{Base, Unit};

use crate::text::clean;

/// A unit to show values of a metric in, with the symbol to print.
#[derive(Debug, Clone, PartialEq)]
pub struct DisplayUnit {
    unit: Unit,
    symbol: String,
}

impl DisplayUnit {
    /// The unit that fits a magnitude of the metric.
    #[must_use]
    pub(crate) fn fitting(metric: &Metric, magnitude: f64) -> DisplayUnit {
        let unit = Unit::for_display(metric.unit.base(), magnitude);
        let symbol = match unit.base() {
            Base::Count => "ct".to_owned(),
            _ => clean(unit.symbol()),
        };
        DisplayUnit { unit, symbol }
    }

    /// The symbol, safe to show; a number of things is `ct`.
    #[must_use]
    pub(crate) fn symbol(&self) -> &str {
        &self.symbol
    }

    /// A value in base units, in this unit.
    #[must_use]
    pub(crate) fn number(&self, value: f64) -> f64 {
        self.unit.from_base(value)
    }

    /// Whether a value in base units is a whole number of things or bytes in this unit.
    #[must_use]
    pub(crate) fn is_whole(&self, value: f64) -> bool {
        matches!(self.unit.symbol(), "count" | "B") && self.number(value).fract() == 0.0
    }

    /// A value in base units as digits in this unit, with `decimals` behind the point.
    #[must_use]
    pub(crate) fn digits(&self, value: f64, decimals: usize) -> String {
        fixed(self.unit.from_base(value), decimals)
    }

    /// A value in base units with two decimals; whole counts and bytes without any.
    #[must_use]
    pub(crate) fn plain(&self, value: f64) -> String {
        self.digits(value, if self.is_whole(value) { 0 } else { 2 })
    }

    /// A value in base units with its unit: this one, or where fewer than two of its digits would be seen in it the one
    /// that fits the value, because 0.34 ns are not 0.00 µs.
    #[must_use]
    pub(crate) fn said(&self, value: f64) -> String {
        let size = self.number(value).abs();
        if size == 0.0 || size >= 0.095 || self.is_whole(value) {
            let decimals = if self.is_whole(value) { 0 } else { read(size) };
            return format!("{} {}", separated(&self.digits(value, decimals)), self.symbol);
        }
        let unit = Unit::for_display(self.unit.base(), value);
        let number = unit.from_base(value);
        let symbol = if unit == self.unit { &self.symbol } else { unit.symbol() };
        format!("{} {}", fixed(number, seen(number, 2)), clean(symbol))
    }

    /// A range in base units, its ends told apart, with the unit behind them.
    #[must_use]
    pub(crate) fn range(&self, lo: f64, hi: f64) -> String {
        let own = match self.number(lo.abs().max(hi.abs())) < 0.095 {
            true => Unit::for_display(self.unit.base(), hi),
            false => self.unit.clone(),
        };
        let most = own.from_base(lo.abs().max(hi.abs()));
        let least = if self.is_whole(lo) && self.is_whole(hi) { 0 } else { read(most) };
        let ends = |decimals| [lo, hi].map(|end| fixed(own.from_base(end), decimals));
        let differ = |decimals: &usize| ends(*decimals)[0] != ends(*decimals)[1];
        let decimals = (least..=least + 2).find(differ).filter(|_| lo != hi).unwrap_or(least);
        let symbol = if own == self.unit { self.symbol.clone() } else { clean(own.symbol()) };
        let [lo, hi] = ends(decimals).map(|end| separated(&end));
        format!("{lo} … {hi} {symbol}")
    }

    /// As [`DisplayUnit::plain`], in at most `width` columns.
    #[must_use]
    pub(crate) fn plain_within(&self, value: f64, width: usize) -> String {
        within(self.plain(value), self.number(value), width)
    }

    /// How many decimals show an interval's width with two digits.
    #[must_use]
    pub(crate) fn decimals(&self, interval: &Interval) -> usize {
        decimals_for(self.unit.from_base(interval.half_width()))
    }
}

/// Decimals of a number in a picture's words: two, and fewer where it has three digits before the point or more.
fn read(size: f64) -> usize {
    match size {
        _ if size >= 999.5 => 0,
        _ if size >= 99.95 => 1,
        _ => 2,
    }
}

/// Decimals that show a half-width with two significant digits: 2 to 6 of them.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
pub(crate) fn decimals_for(half_width: f64) -> usize {
    if half_width <= 0.0 {
        return 2;
    }
    (1.0 - half_width.log10().floor()).clamp(2.0, 6.0) as usize
}

/// The decimals with which no end of an interval reads as `none`, which it does not have: those given, two more at most.
#[must_use]
pub fn decimals_apart(none: f64, [lo, hi]: [f64; 2], decimals: usize) -> usize {
    if lo <= none && none <= hi {
        return decimals;
    }
    let is_apart = |decimals: &usize| {
        [lo, hi].iter().all(|end| fixed(*end, *decimals) != fixed(none, *decimals))
    };
    (decimals..=decimals + 2).find(is_apart).unwrap_or(decimals)
}

/// So many decimals at least, and as many as show two digits of a number; eight at most.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
pub(crate) fn seen(value: f64, least: usize) -> usize {
    match value.abs() {
        size if size > 0.0 && size < 1.0 => (1.0 - size.log10().floor()).clamp(0.0, 8.0) as usize,
        _ => 0,
    }
    .max(least)
}

/// A factor, or an end of its interval: whole digits apart, and beyond a million only that it is more, because no digit
/// of such a number means anything.
#[must_use]
pub(crate) fn bounded(factor: f64, decimals: usize) -> String {
    match factor {
        _ if factor >= 999_999.5 => ">999,999".to_owned(),
        _ if decimals == 0 => separated(&fixed(factor, 0)),
        _ => fixed(factor, decimals),
    }
}

/// Prefixes of numbers that are too long to be written out.
const PREFIXES: [(f64, &str); 4] = [(1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G")];

/// A number from a thousand million on with a prefix, as long as there is one: `12.35 G`.
fn prefixed(value: f64, decimals: usize) -> Option<String> {
    let (size, prefix) = PREFIXES.into_iter().find(|(size, _)| value.abs() >= *size)?;
    (value.abs() < 1e21).then(|| format!("{:.decimals$} {prefix}", value / size))
}

/// A number in at most `width` columns: fewer decimals where it is long, a prefix where even none are too many.
#[must_use]
pub(crate) fn within(text: String, value: f64, width: usize) -> String {
    if text.chars().count() <= width {
        return text;
    }
    let large = || prefixed(value, 2).unwrap_or_else(|| format!("{value:.2e}"));
    let candidates = [fixed(value, 1), fixed(value, 0), large(), format!("{value:.0e}")];
    candidates.into_iter().find(|shorter| shorter.chars().count() <= width).unwrap_or(text)
}

/// Digits with `decimals` behind the point, never `-0.00`; huge values with a prefix so that no table is torn.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= 1e9 {
        return prefixed(value, 3).unwrap_or_else(|| format!("{value:.3e}"));
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        _ => text,
    }
}

/// A number as it was given: all its digits, up to twelve, and never `-0`.
#[must_use]
pub(crate) fn exact(value: f64) -> String {
    let rounded = format!("{value:.11e}").parse().unwrap_or(value) + 0.0;
    let size = f64::abs(rounded);
    if size != 0.0 && !(1e-4..1e15).contains(&size) {
        format!("{rounded:e}")
    } else {
        rounded.to_string()
    }
}

/// A p-value: two significant digits, `< 0.001` below that.
#[must_use]
pub fn p_value(p: f64) -> String {
    if p < 0.001 {
        "< 0.001".to_owned()
    } else if p < 0.01 {
        format!("{p:.4}")
    } else {
        format!("{p:.3}")
    }
}

/// A significance level: as it was chosen, or its first four digits where it was computed.
#[must_use]
pub(crate) fn significance(alpha: f64) -> String {
    let rounded: Option<f64> = format!("{alpha:.3e}").parse().ok();
    rounded.unwrap_or(alpha).to_string()
}

/// A share as percent: `1 %`, `2.5 %`, with a space that does not break.
#[must_use]
pub(crate) fn percent(share: f64) -> String {
    let text = format!("{:.6}", share * 100.0);
    format!("{}\u{a0}%", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A share as percent with two significant digits: `12 %`, `3.1 %`, `0.42 %`.
#[must_use]
pub(crate) fn share(share: f64) -> String {
    let percents = share * 100.0;
    let digits = match percents.abs() {
        it if it >= 9.95 => 0,
        it if it >= 0.995 => 1,
        _ => 2,
    };
    if share == 0.0 { percent(0.0) } else { format!("{percents:.digits$}\u{a0}%") }
}

/// `1 block`, `2 blocks`, `2,000 blocks`.
#[must_use]
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", separated(&n.to_string()), if n == 1 { one } else { many })
}

/// `1 block`, `2 blocks`, `2 to 5 blocks`.
#[must_use]
pub fn counted_between((least, most): (usize, usize), one: &str, many: &str) -> String {
    match least == most {
        true => counted(most, one, many),
        false => {
            let [least, most] = [least, most].map(|n| separated(&n.to_string()));
            format!("{least} to {most} {many}")
        }
    }
}

/// `20 to 90 more blocks`, `20 or more further blocks` without an upper end.
pub(crate) fn counted_more(
    (least, most): (usize, usize),
    (one, many): (&str, &str),
) -> Option<String> {
    (most > 0)
        .then(|| counted_between((least, most), &format!("more {one}"), &format!("more {many}")))
}

/// Whole digits with thousands separators: `-1,234`; anything else as it is.
#[must_use]
pub fn separated(number: &str) -> String {
    let unsigned = number.trim_start_matches(['-', '+']);
    let end = unsigned.find(|c: char| !c.is_ascii_digit()).unwrap_or(unsigned.len());
    let (whole, rest) = unsigned.split_at(end);
    if whole.len() < 4 || rest.contains('e') {
        return number.to_owned();
    }
    let groups: Vec<&str> =
        whole.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    format!("{}{}{rest}", &number[..number.len() - unsigned.len()], groups.join(","))
}

/// A time as one says it: whole seconds below two minutes, minutes below two hours, hours above.
#[must_use]
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{} s", s.ceil()),
        s if s < 7200.0 => format!("{} min", (s / 60.0).ceil()),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_width() {
        assert_eq!(decimals_for(0.3), 2);
        assert_eq!(decimals_for(0.004), 4);
        assert_eq!(decimals_for(0.0), 2);
        assert_eq!(decimals_for(250.0), 2);
    }

    /// Would catch an interval without 1 that reads as if 1 were in it.
    #[test]
    fn an_interval_does_not_end_at_what_it_excludes() {
        assert_eq!(decimals_apart(1.0, [1.0002, 1.014], 3), 4);
        assert_eq!(decimals_apart(0.0, [-1.4, -0.02], 1), 2);
        assert_eq!(decimals_apart(0.0, [-1.4, 0.02], 1), 1);
        assert_eq!(decimals_apart(1.0, [1.5, 1.6], 2), 2);
        // What would take more digits than anybody reads.
        assert_eq!(decimals_apart(1.0, [1.000_000_2, 1.014], 3), 3);
    }

    #[test]
    fn no_negative_zero_and_no_endless_digits() {
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(fixed(-1.5, 1), "-1.5");
        assert_eq!(fixed(1e300, 2), "1.000e300");
        assert_eq!([fixed(1.086e11, 1), fixed(-2.5e9, 0)], ["108.600 G", "-2.500 G"]);
        assert_eq!(within("12,345,678,901.00".to_owned(), 12_345_678_901.0, 11), "12.346 G");
        assert_eq!([bounded(1.086e11, 1), bounded(1234.4, 0)], [">999,999", "1,234"]);
    }

    /// Would catch a value that reads as nothing, and two that read alike.
    #[test]
    fn small_values_have_a_unit_that_shows_them() {
        let metric = Metric {
            name: "wall".to_owned(),
            unit: Unit::new("ns"),
            direction: etalon_core::model::Direction::Lower,
            kind: etalon_core::model::Kind::Noisy,
            resolution: None,
            per: etalon_core::model::Per::Iteration,
        };
        let micro = DisplayUnit::fitting(&metric, 20e-6);
        let said = [0.34e-9, 20.2e-6, 0.0].map(|value| micro.said(value));
        assert_eq!(said, ["0.34 ns", "20.20 µs", "0.00 µs"]);
        let ranges = [micro.range(0.34e-9, 0.36e-9), micro.range(20.2e-6, 20.201e-6)];
        assert_eq!(ranges, ["0.34 … 0.36 ns", "20.200 … 20.201 µs"]);
        assert_eq!([seen(0.000_34, 3), seen(1.06, 3), seen(0.0, 2)], [5, 3, 2]);
    }

    #[test]
    fn exact_numbers_keep_their_digits() {
        assert_eq!(
            [exact(1536.0), exact(0.1 + 0.2), exact(-0.0), exact(12_345_678_901.0)],
            ["1536", "0.3", "0", "12345678901"]
        );
        assert_eq!([exact(1e300), exact(-2.5e-9)], ["1e300", "-2.5e-9"]);
    }

    #[test]
    fn small_texts() {
        assert_eq!(
            [significance(0.05), significance(0.030_396_355), significance(1e-6 / 3.0)],
            ["0.05", "0.0304", "0.0000003333"]
        );
        assert_eq!(
            [p_value(0.0), p_value(0.004_21), p_value(0.05)],
            ["< 0.001", "0.0042", "0.050"]
        );
        assert_eq!(
            [percent(0.01), percent(0.025), percent(0.95)],
            ["1\u{a0}%", "2.5\u{a0}%", "95\u{a0}%"]
        );
    }
}
