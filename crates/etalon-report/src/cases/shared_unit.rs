//! One unit for a column of numbers, as long as all of them can be read in it.

use etalon_core::units::{Base, Unit};

use crate::figures::{LARGEST, WIDE};
use crate::number::{fixed, separated};
use crate::table::{Cell, Column};
use crate::text::clean;

/// A column in the unit that suits all its values, and its cells; where no unit does, every cell has
/// its own. Four significant digits, as far as a value has them.
pub(super) fn column(title: &str, base: &Base, values: &[Option<f64>]) -> (Column, Vec<Cell>) {
    let sizes = values.iter().flatten().map(|v| v.abs()).filter(|v| *v > 0.0);
    let (least, most) = sizes.fold((f64::INFINITY, 0.0_f64), |(l, m), v| (l.min(v), m.max(v)));
    if values.iter().all(Option::is_none) {
        let cells = values.iter().map(|_| Cell::words_or_absent(None)).collect();
        return (Column::numbers(title, String::new()), cells);
    }
    match common(base, least.min(most), most) {
        Some(unit) => {
            let whole = |v: &f64| unit.from_base(*v).fract() == 0.0;
            let all_whole = values.iter().flatten().all(whole);
            let decimals = match (all_whole, base) {
                (true, _) => 0,
                // Of halves of things nobody needs thousandths.
                (false, Base::Count) => {
                    let all = || values.iter().flatten();
                    let is_enough =
                        |places: &usize| all().all(|v| fixed(*v, *places).parse() == Ok(*v));
                    let most = decimals(unit.from_base(least));
                    (1..most).find(is_enough).unwrap_or(most)
                }
                (false, _) => decimals(unit.from_base(least)),
            };
            // Nothing at all has no decimals; of what is so much larger than the least nobody needs thousandths.
            let of_column = decimals;
            let decimals = |v: f64| match unit.from_base(v.abs()) {
                0.0 => 0,
                size if most > WIDE * least => of_column.min(self::decimals(size)),
                _ => of_column,
            };
            let number = |v: f64| Cell::number(grouped(&fixed(unit.from_base(v), decimals(v))));
            let cells = values.iter().map(|v| v.map_or(Cell::words_or_absent(None), number));
            let cells = cells.collect();
            (Column::numbers(title, symbol(&unit)), cells)
        }
        None => {
            let cells = values.iter().map(|v| Cell::words_or_absent(v.map(|v| alone(base, v))));
            (Column::numbers(title, String::new()), cells.collect())
        }
    }
}

/// The largest unit in which the smallest magnitude has two of its digits within four decimals, or
/// that of the smallest where the largest then has at most six digits before the point.
fn common(base: &Base, least: f64, most: f64) -> Option<Unit> {
    let of_most = Unit::for_display(base, most);
    if of_most.from_base(least) >= 0.01 || most == 0.0 {
        return Some(of_most);
    }
    let of_least = Unit::for_display(base, least);
    (of_least.from_base(most) < LARGEST).then_some(of_least)
}

/// The digits before the point apart, of a number that has six of them.
fn grouped(digits: &str) -> String {
    if digits.split('.').next().unwrap_or(digits).len() < 6 {
        digits.to_owned()
    } else {
        separated(digits)
    }
}

/// Decimals that show four significant digits of a number: one to three of a number above 1.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
fn decimals(least: f64) -> usize {
    if least.is_finite() && least >= 1.0 {
        (3.0 - least.log10().floor()).clamp(0.0, 3.0) as usize
    } else if least >= 0.1 {
        3
    } else {
        4
    }
}

/// A value with a unit of its own.
pub(super) fn alone(base: &Base, value: f64) -> String {
    let unit = Unit::for_display(base, value);
    let value = unit.from_base(value);
    let decimals =
        if value.fract() == 0.0 && symbol(&unit).len() < 2 { 0 } else { decimals(value.abs()) };
    format!("{} {}", fixed(value, decimals), symbol(&unit)).trim_end().to_owned()
}

/// A number of things has no unit in a table that says what things.
fn symbol(unit: &Unit) -> String {
    if *unit.base() == Base::Count { String::new() } else { clean(unit.symbol()) }
}

/// A rate with a decimal prefix before its unit: `2.643 M`, `1.250 GB/s`.
pub(super) fn rate(value: f64, unit: &str) -> String {
    let prefixes = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let found = prefixes.into_iter().find(|(size, _)| value >= size * 0.999_95);
    let (size, prefix) = found.unwrap_or((1.0, ""));
    let number = fixed(value / size, decimals((value / size).max(1.0)));
    format!("{number} {prefix}{unit}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(values: &[f64]) -> (String, Vec<String>) {
        let values: Vec<Option<f64>> = values.iter().map(|v| Some(*v)).collect();
        let (column, cells) = column("x", &Base::Seconds, &values);
        (column.unit, cells.into_iter().map(|cell| cell.text).collect())
    }

    #[test]
    fn one_unit_while_it_can_be_read() {
        let texts = |t: &[&str]| t.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let (unit, cells) = shown(&[378.331e-6, 623.066e-3]);
        assert_eq!((unit.as_str(), cells), ("ms", texts(&["0.378", "623.1"])));
        let (unit, cells) = shown(&[0.41e-9, 52.3e-9]);
        assert_eq!((unit.as_str(), cells), ("ns", texts(&["0.410", "52.30"])));
        let (unit, cells) = shown(&[3.5e-9, 52.3e-6]);
        assert_eq!((unit.as_str(), cells), ("ns", texts(&["3.500", "52300"])));
        let (unit, cells) = shown(&[3.5e-9, 52.3e-3]);
        assert_eq!((unit.as_str(), cells), ("", texts(&["3.500 ns", "52.30 ms"])));
        let (unit, cells) = shown(&[0.28e-9, 98.55e-9, 66_302.067e-9]);
        assert_eq!((unit.as_str(), cells), ("ns", texts(&["0.280", "98.55", "66302"])));
        let (unit, cells) = shown(&[3.5e-9, 52.3]);
        assert_eq!((unit.as_str(), cells), ("", texts(&["3.500 ns", "52.30 s"])));
        let (unit, cells) = shown(&[0.0, 0.0]);
        assert_eq!((unit.as_str(), cells), ("ms", texts(&["0", "0"])));
        let (unit, cells) = shown(&[0.0, 1.6]);
        assert_eq!((unit.as_str(), cells), ("s", texts(&["0", "1.600"])));
        assert_eq!(shown(&[]).1, texts(&[]));
    }

    #[test]
    fn rates() {
        assert_eq!(
            [
                rate(2643.1, ""),
                rate(1.605, ""),
                rate(2.4e9, "B/s"),
                rate(0.013, ""),
                rate(999_990.0, "")
            ],
            ["2.643 k", "1.605", "2.400 GB/s", "0.013", "1.000 M"]
        );
    }
}
