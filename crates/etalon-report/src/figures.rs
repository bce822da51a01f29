//! Numbers of a column in one unit, with as many digits as mean something.
//!
//! Owns when a column has one unit and when its rows need one each, and the rule of digits: three significant ones of the
//! smallest value, as many decimals for the others of the column, and fewer where a value is so much larger that nobody
//! reads them. Refuses to lay numbers out.

use etalon_core::analysis::MetricSummary;
use etalon_core::estimate::Estimate;
use etalon_core::stats::Interval;
use etalon_core::units::{Base, Unit};

use crate::number::{fixed, separated, within};
use crate::text::{clean, shortened};

/// The longest symbol of a unit, and the longest number.
const SYMBOL: usize = 12;
const NUMBER: usize = 11;

/// The smallest size that is shown: a smaller one is only said to be smaller.
const LEAST: &str = "0.001";

/// The smallest number that is read with the decimals of a column, and what is too large to be read.
const SMALLEST: f64 = 1e-3;
pub(crate) const LARGEST: f64 = 1e6;

/// The most decimals of a number that has no smaller unit.
const DECIMALS: i32 = 9;

/// A number that no unit makes larger, with two digits; what would take too many decimals is only said to be small.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few decimals
fn tiny(value: f64) -> String {
    let decimals = 1 - value.abs().log10().floor() as i32;
    match (1..=DECIMALS).contains(&decimals) {
        true => fixed(value, decimals as usize),
        false if value < 0.0 => format!(">-{LEAST}"),
        false => format!("<{LEAST}"),
    }
}

/// The unit and the digits of a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figures {
    unit: Unit,
    decimals: usize,
    /// Whether values are so far apart that each has decimals of its own.
    is_wide: bool,
}

/// Values that are farther apart than this have decimals of their own. Because: in one unit the larger would have six digits
/// and more, as in 66,302.067 ns beside 0.280 ns, and no interval of a benchmark is as narrow as the last of them.
pub(crate) const WIDE: f64 = 1e2;

impl Figures {
    /// Of values in base units: the unit fits the one in the middle (of sizes the smallest, as long as the largest is
    /// short in it), the smallest has three significant digits.
    pub(crate) fn new(base: &Base, values: impl IntoIterator<Item = f64>) -> Figures {
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
        let is_wide =
            sizes.first().zip(sizes.last()).is_some_and(|(least, most)| *most > WIDE * least);
        Figures { unit, decimals, is_wide }
    }

    /// One for each row of a table: the same for all as long as every value can be read in it, else that of the row's
    /// own values.
    pub(crate) fn for_rows(base: &Base, rows: &[Vec<f64>]) -> Vec<Figures> {
        let common = Figures::new(base, rows.iter().flatten().copied());
        if rows.iter().flatten().all(|value| common.can_show(*value)) {
            return vec![common; rows.len()];
        }
        rows.iter().map(|row| Figures::new(base, row.iter().copied())).collect()
    }

    /// Figures for other values: in this unit if it suits them, else in theirs.
    pub(crate) fn for_others(
        &self,
        mut values: impl Iterator<Item = f64> + Clone,
        own: Figures,
    ) -> Figures {
        // Nothing at all has no decimals, and asks for none.
        let sizes = values.clone().map(|value| self.unit.from_base(value).abs());
        let least = sizes.filter(|size| *size > 0.0);
        match (values.all(|value| self.can_show(value)), least.min_by(f64::total_cmp)) {
            (true, Some(least)) => {
                Figures { decimals: decimals(least), is_wide: own.is_wide, ..self.clone() }
            }
            _ => own,
        }
    }

    /// Whether a value has two digits at least in a column made for it, and not too many.
    fn can_show(&self, value: f64) -> bool {
        let size = self.unit.from_base(value).abs();
        size == 0.0 || (SMALLEST..LARGEST).contains(&size)
    }

    /// The unit's symbol, a long one without its middle; nothing for a number of things.
    pub(crate) fn symbol(&self) -> String {
        match self.unit.base() {
            Base::Count => String::new(),
            _ => shortened(&clean(self.unit.symbol()), SYMBOL, "…"),
        }
    }

    /// A value without its unit, thousands apart. Nothing at all has no decimals, so that it is not taken for a little.
    pub(crate) fn digits(&self, value: f64) -> String {
        let value = self.unit.from_base(value);
        if value == 0.0 {
            return "0".to_owned();
        }
        within(separated(&fixed(value, self.decimals_of(value))), value, NUMBER)
    }

    /// The decimals of a value in the unit.
    fn decimals_of(&self, value: f64) -> usize {
        match self.is_wide {
            true => self.decimals.min(decimals(value.abs())),
            false => self.decimals,
        }
    }

    /// The ends of an interval in the unit of its centre, each with three significant digits.
    fn ends(&self, centre: f64, interval: Interval) -> String {
        let unit = match self.has_two_digits_of(centre) {
            true => self.unit.clone(),
            false => Unit::for_display(self.unit.base(), centre),
        };
        let end = |value: f64| {
            let value = unit.from_base(value);
            let is_whole = self.decimals == 0 && value.fract() == 0.0;
            let decimals = if is_whole { 0 } else { decimals(value.abs()) };
            within(separated(&fixed(value, decimals)), value, NUMBER)
        };
        format!("{} … {}", end(interval.lo), end(interval.hi))
    }

    /// With as many more decimals, two at most, as tell the ends of a range apart.
    pub(crate) fn telling_apart(&self, lo: f64, hi: f64) -> Figures {
        let least = self.decimals_of(self.unit.from_base(lo.abs().max(hi.abs())));
        let with = |more| Figures { decimals: least + more, is_wide: false, ..self.clone() };
        let mut candidates = std::iter::once(self.clone()).chain((0..=2).map(with));
        candidates.find(|it| it.digits(lo) != it.digits(hi)).unwrap_or_else(|| self.clone())
    }

    /// A value with the unit, or with its own where fewer than two of its digits would be seen.
    pub(crate) fn show(&self, value: f64) -> String {
        if self.has_two_digits_of(value) {
            return self.with_symbol(&self.digits(value));
        }
        let own = Figures::new(self.unit.base(), [value]);
        own.with_symbol(&match own.has_two_digits_of(value) {
            true => own.digits(value),
            false => tiny(value),
        })
    }

    fn with_symbol(&self, digits: &str) -> String {
        format!("{digits} {}", self.symbol()).trim_end().to_owned()
    }

    /// Whether two digits of a value are seen, or all it has.
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // a few decimals
    pub(crate) fn has_two_digits_of(&self, value: f64) -> bool {
        let size = self.unit.from_base(value).abs();
        size.is_finite() && (size.fract() == 0.0 || size * 10_f64.powi(self.decimals as i32) >= 9.5)
    }
}

/// Decimals that show three significant digits, of a number that begins with a large digit two: none to three, four
/// below 0.03.
fn decimals(least: f64) -> usize {
    match least {
        _ if least >= 100.0 => 0,
        _ if least >= 10.0 => 1,
        _ if least >= 0.3 => 2,
        _ if least >= 0.03 => 3,
        _ => 4,
    }
}

/// From here on an interval reaches so far that its ends say more than a share of the centre.
pub(crate) const FAR: f64 = 1.0;

/// A centre with the reach of its interval: `1.72 µs ± 2 %`; with its ends where that is more than the centre itself,
/// `1.58 ms (0.70 … 22.0)`, and across 0, where no share says anything, `2 B ± 16 B`; alone where it has none.
pub(crate) fn with_reach(centre: &Estimate, figures: &Figures) -> String {
    let shown = figures.show(centre.value);
    match (reach(centre), centre.interval) {
        (Some(0.0), _) | (_, Err(_)) => shown,
        (Some(share), Ok(interval)) if share > FAR => {
            format!("{shown} ({})", figures.ends(centre.value, interval))
        }
        (Some(share), _) => format!("{shown} ± {}", percent(share)),
        (None, Ok(interval)) => format!("{shown} ± {}", figures.show(farther(centre, interval))),
    }
}

/// How far the farther end of an interval is from its centre.
pub(crate) fn farther(centre: &Estimate, interval: Interval) -> f64 {
    (interval.hi - centre.value).max(centre.value - interval.lo)
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

/// A share in percent: whole from 1 % on, below that its first digit, in four decimals at most; `>999 %` above that.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = match percent {
        p if p >= 999.5 => return ">999 %".to_owned(),
        p if p >= 0.995 => 0,
        // 0.0951 is rounded up to 0.1, so the digit is one place further left.
        p if p > 0.0 => (-(p / 0.95).log10()).ceil().clamp(1.0, 4.0) as usize,
        _ => 1,
    };
    format!("{percent:.decimals$} %")
}

/// A change that is told by no number.
pub(crate) const BEYOND: f64 = 1000.0;

/// A change as it can be seen: `0.04 %`, `4.2 %`, `42 %`, and from tenfold on as a factor, `14 ×`.
#[must_use]
pub fn changed(share: f64) -> String {
    let size = share.abs();
    let sign = if share < 0.0 { "-" } else { "" };
    match size {
        _ if size < 0.0005 => format!("{sign}{}", percent(size)),
        _ if size < 0.1 => format!("{sign}{:.1} %", 100.0 * size),
        _ if size < 10.0 => format!("{sign}{:.0} %", 100.0 * size),
        _ if size < BEYOND => format!("{:.0} ×", 1.0 + size),
        // Of values that are not of one thing, such as all sizes together: no digit of that means anything.
        _ => "more than 1,000 ×".to_owned(),
    }
}

/// A median with the reach of its interval: `0.91 ms ± 3 %`.
pub(crate) fn median(summary: &MetricSummary, figures: &Figures) -> String {
    with_reach(&summary.median, figures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_core::estimate::Method;

    /// Would catch digits that mean nothing, and a sign that is lost.
    #[test]
    fn changes_are_factors_from_tenfold_on() {
        let said = [0.000_41, 0.0421, -0.0421, 0.42, 9.94, 13.4, 161.82, 7595.0].map(changed);
        let expected =
            ["0.04 %", "4.2 %", "-4.2 %", "42 %", "994 %", "14 ×", "163 ×", "more than 1,000 ×"];
        assert_eq!(said, expected);
    }

    /// Would catch a median that looks exact because its interval is so wide that it reaches below 0.
    #[test]
    fn an_interval_that_reaches_across_0_is_told() {
        let told = |value, lo, hi| {
            let interval = Ok(Interval { lo, hi, level: 0.95 });
            let centre = Estimate { value, interval, method: Method::MedianOrderStatistics };
            with_reach(&centre, &Figures::new(&Base::Bytes, [value]))
        };
        assert_eq!(told(2.0, -1.0, 3.0), "2 B ± 3 B");
        assert_eq!(told(200.0, 190.0, 210.0), "200 B ± 5 %");
        // No share says how far that is.
        assert_eq!(told(200.0, 150.0, 2784.0), "200 B (150 … 2,784)");
        assert_eq!([told(2.0, 2.0, 2.0), told(0.0, -1.0, 1.0)], ["2 B", "0 B ± 1 B"]);
    }

    #[test]
    fn a_small_share_is_not_none() {
        let shown = [0.2, 0.0099, 0.004, 0.000_999, 0.0009, 0.0004, 0.00003].map(percent);
        assert_eq!(shown, ["20 %", "1.0 %", "0.4 %", "0.1 %", "0.09 %", "0.04 %", "0.003 %"]);
    }

    #[test]
    fn the_ends_of_a_range_are_told_apart() {
        let figures = Figures::new(&Base::Seconds, [0.101]);
        let range = |lo, hi| {
            let figures = figures.telling_apart(lo, hi);
            [figures.show(lo), figures.show(hi)]
        };
        assert_eq!(range(0.101, 0.103), ["101 ms", "103 ms"]);
        assert_eq!(range(0.1009, 0.1012), ["100.9 ms", "101.2 ms"]);
        assert_eq!(range(0.101, 0.101), ["101 ms", "101 ms"]);
        // The decimals of the column's smallest value are not those of the ends.
        let wide = Figures::new(&Base::Seconds, [4_817.366e-6, 0.0213e-6, 3e-6]);
        let range = wide.telling_apart(4_817.366e-6, 4_817.44e-6);
        assert_eq!(range.show(4_817.366e-6), "4,817.37 µs");
    }

    /// Would catch `4,817.3665 µs` in the row below a column that has a 0.
    #[test]
    fn a_0_asks_for_no_decimals() {
        let rows = Figures::new(&Base::Seconds, [4_817.366_5e-6, 120e-6]);
        let others = [0.0, 4_817.366_5e-6];
        let own = Figures::new(&Base::Seconds, others);
        let below = rows.for_others(others.into_iter(), own);
        assert_eq!(others.map(|value| below.show(value)), ["0 ms", "4.82 ms"]);
    }

    /// Would catch digits beyond what any interval knows.
    #[test]
    fn no_value_of_a_column_has_more_than_five_digits() {
        let all = [0.28e-9, 4.2e-9, 250e-9, 66_302.067e-9, 999_999e-9];
        for least in 0..all.len() {
            for most in least..all.len() {
                let figures = Figures::new(&Base::Seconds, [all[least], all[most]]);
                let shown = figures.digits(all[most]);
                let digits = shown.trim_start_matches(['0', '.']).matches(char::is_numeric);
                assert!(digits.count() <= 5, "{shown}");
            }
        }
    }

    #[test]
    fn one_unit_for_a_column() {
        let shown = |values: &[f64]| {
            let figures = Figures::new(&Base::Seconds, values.iter().copied());
            values.iter().map(|value| figures.show(*value)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&[910e-6, 1100e-6]), ["0.91 ms", "1.10 ms"]);
        assert_eq!(
            shown(&[520e-9, 845e-9, 888e-9, 7115e-9]),
            ["520 ns", "845 ns", "888 ns", "7,115 ns"]
        );
        // Values far apart: each has the digits that it needs.
        assert_eq!(shown(&[0.28e-9, 42.1e-9, 66_302.067e-9]), ["0.280 ns", "42.1 ns", "66,302 ns"]);
        assert_eq!(shown(&[0.0]), ["0 ms"]);
        assert_eq!(shown(&[0.0, 3.25]), ["0 s", "3.25 s"]);
        assert_eq!(shown(&[1.5e-9, 3.25]), ["1.50 ns", "3.25 s"]);
        let own = Figures::for_rows(&Base::Seconds, &[vec![1.5e-9, 1.7e-9], vec![3.25, 3.5]]);
        assert_eq!([own[0].show(1.7e-9), own[1].show(3.25)], ["1.70 ns", "3.25 s"]);
        let common = Figures::for_rows(&Base::Seconds, &[vec![910e-6], vec![1100e-6]]);
        assert_eq!(common[0], common[1]);
        let counts = Figures::new(&Base::Count, [2.5]);
        assert_eq!([counts.show(1.3e-7), counts.show(0.31)], ["0.00000013", "0.31"]);
        assert_eq!([counts.show(1.3e-11), counts.show(-4e-12)], ["<0.001", ">-0.001"]);
        let bytes = Figures::new(&Base::Bytes, [864.0, 1960.0, 43_200.0]);
        assert_eq!([bytes.show(864.0), bytes.show(43_200.0)], ["864 B", "43,200 B"]);
    }
}
