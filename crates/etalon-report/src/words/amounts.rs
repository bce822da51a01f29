//! Margins, amounts and ratios as a reader writes them.

use etalon_core::criteria::Margin;
use etalon_core::estimate::{Estimate, Method};
use etalon_core::stats::Interval;
use etalon_core::units::{Base, Unit};

use crate::number::{bounded, decimals_apart, decimals_for, fixed, percent, seen};

/// The margin as the user writes it.
pub(crate) fn margin_text(margin: Margin, base: &Base) -> String {
    match margin {
        Margin::Relative(share) => percent(share),
        Margin::Absolute(size, _) => amount(size, base),
    }
}

/// An amount as the user writes it.
pub(crate) fn amount(size: f64, base: &Base) -> String {
    let unit = Unit::for_display(base, size);
    format!("{} {}", trimmed(unit.from_base(size)), unit.symbol())
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A ratio with its interval: `1.326 × (1.305 … 1.345)`; that of exact values is a point and says nothing more.
pub(crate) fn ratio_text(ratio: &Estimate) -> String {
    match &ratio.interval {
        Ok(i) if ratio.method != Method::Exact => {
            let [value, lo, hi] = factors(ratio.value, i);
            format!("{value} × ({lo} … {hi})")
        }
        _ => format!("{} ×", bounded(ratio.value, seen(ratio.value, 2))),
    }
}

/// A factor without its interval: `1.18 ×`, `21.0 ×`.
pub(crate) fn times(factor: f64) -> String {
    format!("{} ×", grouped(factor, decimals(factor)))
}

/// Of factors beyond this one only that they are is said.
const MOST: f64 = 999_999.5;

/// The ends of a factor's interval in brackets, with as many digits as the factor has: ` (1.15 … 1.21)`.
pub(crate) fn ends(factor: f64, Interval { lo, hi, .. }: &Interval) -> String {
    if *lo > MOST {
        return String::new();
    }
    let decimals = decimals_apart(1.0, [*lo, *hi], decimals(factor));
    format!(" ({} … {})", grouped(*lo, decimals), grouped(*hi, decimals))
}

/// Three significant digits of a factor, two at least behind the point of a small one, and three of one near 1.
fn decimals(factor: f64) -> usize {
    match factor {
        _ if factor >= 99.95 => 0,
        _ if factor >= 10.0 => 1,
        _ if !(0.9..1.095).contains(&factor) => 2,
        _ => 3,
    }
}

fn grouped(factor: f64, decimals: usize) -> String {
    bounded(factor, decimals)
}

/// A ratio and the ends of its interval: two digits of its half-width, whole numbers from 1000 on, and more where an end would
/// read as 1, which the interval excludes.
pub(crate) fn factors(ratio: f64, interval: &Interval) -> [String; 3] {
    let decimals = if ratio < 1000.0 { decimals_for(interval.half_width()) } else { 0 };
    let decimals = decimals_apart(1.0, [interval.lo, interval.hi], decimals);
    [ratio, interval.lo, interval.hi].map(|number| match number < MOST {
        true => fixed(number, decimals),
        false => bounded(number, 0),
    })
}
