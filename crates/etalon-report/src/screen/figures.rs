//! Numbers of a column in one unit, with as many digits as mean something.

use etalon_core::analysis::MetricSummary;
use etalon_core::model::Metric;
use etalon_core::units::{Base, Unit};

use crate::number::{fixed, within};
use crate::text::{clean, shortened};
use crate::tidied::reach;

/// The longest symbol of a unit, and the longest number.
const SYMBOL: usize = 12;
const NUMBER: usize = 11;

/// The unit and the digits of a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figures {
    unit: Unit,
    decimals: usize,
}

impl Figures {
    /// Of values in base units: the unit fits the one in the middle (of sizes the smallest, as long as the largest is
    /// short in it), the smallest has three significant digits.
    pub(crate) fn of(base: &Base, values: impl IntoIterator<Item = f64>) -> Figures {
        let mut sizes: Vec<f64> =
            values.into_iter().map(f64::abs).filter(|size| *size > 0.0).collect();
        sizes.sort_by(f64::total_cmp);
        let middle = match sizes.len() {
            0 => 0.0,
            n if n % 2 == 1 => sizes[n / 2],
            n => f64::midpoint(sizes[n / 2 - 1], sizes[n / 2]),
        };
        let unit = match (base, sizes.first(), sizes.last()) {
            // Sizes are read as they are as long as they are short.
            (Base::Bytes, Some(least), Some(most))
                if *most < 1e5 * Unit::for_display(base, *least).to_base(1.0) =>
            {
                Unit::for_display(base, *least)
            }
            _ => Unit::for_display(base, middle),
        };
        let whole = |size: &f64| unit.from_base(*size).fract() == 0.0;
        let counted = matches!(unit.base(), Base::Count) || unit.symbol() == "B";
        let decimals = match sizes.first() {
            None => 0,
            Some(_) if counted && sizes.iter().all(whole) => 0,
            Some(least) => decimals(unit.from_base(*least)),
        };
        Figures { unit, decimals }
    }

    /// The unit's symbol, a long one without its middle; nothing for a number of things.
    pub(super) fn symbol(&self) -> String {
        match self.unit.base() {
            Base::Count => String::new(),
            _ => shortened(&clean(self.unit.symbol()), SYMBOL, "…"),
        }
    }

    /// A value without its unit, thousands apart.
    pub(super) fn digits(&self, value: f64) -> String {
        let value = self.unit.from_base(value);
        within(thousands(&fixed(value, self.decimals)), value, NUMBER)
    }

    /// A value with its unit.
    pub(crate) fn show(&self, value: f64) -> String {
        format!("{} {}", self.digits(value), self.symbol()).trim_end().to_owned()
    }
}

/// Decimals that show three significant digits: none to three, four below 0.01.
fn decimals(least: f64) -> usize {
    match least {
        _ if least >= 100.0 => 0,
        _ if least >= 10.0 => 1,
        _ if least >= 0.1 => 2,
        _ if least >= 0.01 => 3,
        _ => 4,
    }
}

/// Digits before the point in groups of three.
fn thousands(text: &str) -> String {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len());
    let (whole, rest) = text.split_at(end);
    let digits = whole.trim_start_matches('-');
    if digits.len() < 4 || rest.contains('e') {
        return text.to_owned();
    }
    let mut out = whole[..whole.len() - digits.len()].to_owned();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

/// How far the interval of a median reaches: `± 3 %`; absent where there is none, or the value is exact.
pub(super) fn precision(summary: &MetricSummary) -> Option<String> {
    let share = reach(&summary.median).filter(|share| *share > 0.0)?;
    Some(format!("± {}", percent(share)))
}

/// A share in percent: one decimal below 1 %.
pub(crate) fn percent(share: f64) -> String {
    let decimals = usize::from(share < 0.00995);
    let percent = share * 100.0;
    format!("{} %", within(format!("{percent:.decimals$}"), percent, NUMBER))
}

/// A median with the reach of its interval: `0.91 ms ± 3 %`.
pub(super) fn median(summary: &MetricSummary, figures: &Figures) -> String {
    let shown = figures.show(summary.median.value);
    precision(summary).map_or(shown.clone(), |precision| format!("{shown} {precision}"))
}

/// The metric's base, for units.
pub(crate) fn base(metric: &Metric) -> &Base {
    metric.unit.base()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unit_for_a_column() {
        let shown = |values: &[f64]| {
            let figures = Figures::of(&Base::Seconds, values.iter().copied());
            values.iter().map(|value| figures.show(*value)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&[910e-6, 1100e-6]), ["0.91 ms", "1.10 ms"]);
        assert_eq!(
            shown(&[520e-9, 845e-9, 888e-9, 7115e-9]),
            ["520 ns", "845 ns", "888 ns", "7,115 ns"]
        );
        assert_eq!(shown(&[0.0]), ["0 ms"]);
        assert_eq!(shown(&[1.5e-9, 3.25]), ["0.0000 s", "3.2500 s"]);
        let bytes = Figures::of(&Base::Bytes, [864.0, 1960.0, 43_200.0]);
        assert_eq!([bytes.show(864.0), bytes.show(43_200.0)], ["864 B", "43,200 B"]);
    }
}
