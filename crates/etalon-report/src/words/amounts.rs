//! Margins, amounts and ratios as a reader writes them.

use etalon_core::criteria::Margin;
use etalon_core::estimate::{Estimate, Method};
use etalon_core::stats::Interval;
use etalon_core::units::{Base, Unit};

use crate::number::{decimals_for, fixed, percent};

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
        _ => format!("{} ×", fixed(ratio.value, 2)),
    }
}

/// A ratio and the ends of its interval: two digits of its half-width, and whole numbers from 1000 on.
pub(crate) fn factors(ratio: f64, interval: &Interval) -> [String; 3] {
    let decimals = if ratio < 1000.0 { decimals_for(interval.half_width()) } else { 0 };
    [ratio, interval.lo, interval.hi].map(|number| fixed(number, decimals))
}
