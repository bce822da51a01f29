//! Units: what a written number means in base units, and which unit shows it best.
//!
//! Everything is computed in base units (`s`, `B`, `count`); the unit a number was written in is
//! kept beside it by whoever stores it. A unit is chosen from the unit itself, never from a value
//! (a value of 0 stays with its neighbours). Formatting digits is the report's business.

mod named;

use std::borrow::Cow;
use std::fmt;

pub(crate) use named::is_time_or_size;
pub(crate) use named::last_word;
pub use named::{is_rate, renamed};

/// The base unit a quantity is computed and exported in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// Seconds, `s`.
    Seconds,
    /// Bytes, `B`.
    Bytes,
    /// A number of things, `count`.
    Count,
    /// Any other unit: its own base, never scaled.
    Other(String),
}

/// The dimension of an amount. Amounts of different dimensions cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// A time, in seconds.
    Time,
    /// A size, in bytes.
    Size,
    /// How many of something, without a unit.
    Number,
}

impl Dimension {
    /// The unit that amounts of it are computed in.
    #[must_use]
    pub fn base(self) -> Base {
        match self {
            Dimension::Time => Base::Seconds,
            Dimension::Size => Base::Bytes,
            Dimension::Number => Base::Count,
        }
    }
}

/// Nanoseconds in a second: every source of times counts in these or in a multiple of them.
const NANOSECONDS: f64 = 1e9;

/// Whole numbers up to this one are exact in a double.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

impl Base {
    /// The dimension of amounts in it; absent for a unit of its own.
    #[must_use]
    pub fn dimension(&self) -> Option<Dimension> {
        match self {
            Base::Seconds => Some(Dimension::Time),
            Base::Bytes => Some(Dimension::Size),
            Base::Count => Some(Dimension::Number),
            Base::Other(_) => None,
        }
    }

    /// Whether values are times, or something per time.
    #[must_use]
    pub fn is_speed(&self) -> bool {
        match self {
            Base::Seconds => true,
            Base::Other(unit) => is_rate(unit),
            Base::Bytes | Base::Count => false,
        }
    }

    /// A value as the whole number that its source counted, where it is one: seconds in nanoseconds, because
    /// sums and differences of the seconds are rounded, and two that are equal may come out different.
    #[must_use]
    pub(crate) fn whole(&self, value: f64) -> Option<f64> {
        let whole = match self {
            Base::Seconds => (value * NANOSECONDS).round(),
            _ => value.round(),
        };
        (whole.abs() <= LARGEST_WHOLE && self.value_from_whole(whole) == value).then_some(whole)
    }

    /// The way back from [`Base::whole`], and from sums, differences and means of such numbers; rounded once.
    #[must_use]
    pub(crate) fn value_from_whole(&self, whole: f64) -> f64 {
        match self {
            Base::Seconds => whole / NANOSECONDS,
            _ => whole,
        }
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Base::Seconds => "s",
            Base::Bytes => "B",
            Base::Count => "count",
            Base::Other(name) => name,
        })
    }
}

/// A unit as written, and how it converts to its base.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// Of those known nothing is allocated: there may be 100,000 metrics, and each is copied some times.
    symbol: Cow<'static, str>,
    base: Base,
    scale: Scale,
}

/// How a written value becomes a value in base units. Dividing by an exact power of ten rounds
/// once (368123 ns is the double nearest 0.000368123 s); multiplying by 1e-9 would round twice.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scale {
    Multiply(f64),
    Divide(f64),
}

/// Symbol, base, conversion. Decimal prefixes are decimal; `Ki`, `Mi`, `Gi` are binary.
const KNOWN: &[(&str, Base, Scale)] = &[
    ("ns", Base::Seconds, Scale::Divide(1e9)),
    ("us", Base::Seconds, Scale::Divide(1e6)),
    ("µs", Base::Seconds, Scale::Divide(1e6)),
    ("μs", Base::Seconds, Scale::Divide(1e6)),
    ("ms", Base::Seconds, Scale::Divide(1e3)),
    ("s", Base::Seconds, Scale::Multiply(1.0)),
    ("min", Base::Seconds, Scale::Multiply(60.0)),
    ("h", Base::Seconds, Scale::Multiply(3600.0)),
    ("B", Base::Bytes, Scale::Multiply(1.0)),
    ("kB", Base::Bytes, Scale::Multiply(1e3)),
    ("KB", Base::Bytes, Scale::Multiply(1e3)),
    ("MB", Base::Bytes, Scale::Multiply(1e6)),
    ("GB", Base::Bytes, Scale::Multiply(1e9)),
    ("KiB", Base::Bytes, Scale::Multiply(1024.0)),
    ("MiB", Base::Bytes, Scale::Multiply(1_048_576.0)),
    ("GiB", Base::Bytes, Scale::Multiply(1_073_741_824.0)),
    ("count", Base::Count, Scale::Multiply(1.0)),
];

impl Unit {
    /// The unit with this symbol. A symbol that is not known is a unit of its own.
    #[must_use]
    pub fn new(symbol: &str) -> Unit {
        match KNOWN.iter().find(|(known, ..)| *known == symbol) {
            Some((known, base, scale)) => {
                Unit { symbol: Cow::Borrowed(known), base: base.clone(), scale: *scale }
            }
            None => Unit {
                symbol: Cow::Owned(symbol.to_owned()),
                base: Base::Other(symbol.to_owned()),
                scale: Scale::Multiply(1.0),
            },
        }
    }

    /// The symbol as written.
    #[must_use]
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// The base unit values in this unit convert to.
    #[must_use]
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// A value written in this unit, in base units; rounded once.
    #[must_use]
    pub fn to_base(&self, written: f64) -> f64 {
        match self.scale {
            Scale::Multiply(factor) => written * factor,
            Scale::Divide(divisor) => written / divisor,
        }
    }

    /// The power of ten that a value written in this unit is multiplied by to be in base units; absent where
    /// it is multiplied by something else.
    #[must_use]
    pub fn power(&self) -> Option<i32> {
        let (factor, sign) = match self.scale {
            Scale::Multiply(factor) => (factor, 1),
            Scale::Divide(divisor) => (divisor, -1),
        };
        let powers = [(1.0, 0), (1e3, 3), (1e6, 6), (1e9, 9)];
        powers.iter().find(|(known, _)| *known == factor).map(|(_, power)| sign * power)
    }

    /// The unit in which a value (in base units) is shown best: the largest display unit in which
    /// the magnitude is at least 1 (or rounds to it: 999.999 µs is shown as 1.00 ms); the smallest
    /// for anything below.
    #[must_use]
    pub fn for_display(base: &Base, magnitude: f64) -> Unit {
        let ladder: &[&str] = match base {
            Base::Seconds => &["s", "ms", "µs", "ns"],
            Base::Bytes => &["GB", "MB", "kB", "B"],
            Base::Count => &["count"],
            Base::Other(name) => return Unit::new(name),
        };
        let units = ladder.iter().map(|symbol| Unit::new(symbol));
        let mut last = Unit::new(ladder[ladder.len() - 1]);
        for unit in units {
            if magnitude.abs() >= unit.to_base(0.999_995) {
                return unit;
            }
            last = unit;
        }
        // A time of exactly 0 says nothing about its scale; the middle of the ladder reads best.
        if magnitude == 0.0 && *base == Base::Seconds { Unit::new("ms") } else { last }
    }

    /// A value in base units, in this unit.
    #[must_use]
    pub fn from_base(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Multiply(factor) => value / factor,
            Scale::Divide(divisor) => value * divisor,
        }
    }
}

/// A number with the unit it was written with, as in `200us`, `1.5`, `5%`.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// The number as written.
    pub value: f64,
    /// The unit as written; empty if there was none.
    pub unit: String,
}

/// Why a text is not a quantity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuantityError {
    /// It does not start with a decimal number.
    NoNumber,
    /// The number is infinite or not a number.
    NotFinite,
}

/// Splits a text like `200us` or `2.5 %` into number and unit.
///
/// ```
/// use etalon_core::units::parse_quantity;
///
/// let time = parse_quantity("200us")?;
/// assert_eq!((time.value, time.unit.as_str()), (200.0, "us"));
/// # Ok::<(), etalon_core::units::QuantityError>(())
/// ```
///
/// # Errors
/// If there is no finite decimal number at its start.
pub fn parse_quantity(text: &str) -> Result<Quantity, QuantityError> {
    let text = text.trim();
    let number_end = number_length(text);
    let value: f64 = text[..number_end].parse().map_err(|_| QuantityError::NoNumber)?;
    if !value.is_finite() {
        return Err(QuantityError::NotFinite);
    }
    Ok(Quantity { value, unit: text[number_end..].trim().to_owned() })
}

/// A time above 0 in seconds, of at least a microsecond: `5s`, `200ms`; a bare number is seconds. Absent if it is none.
#[must_use]
pub fn parse_seconds(text: &str) -> Option<f64> {
    let quantity = parse_quantity(text).ok()?;
    let unit = Unit::new(if quantity.unit.is_empty() { "s" } else { &quantity.unit });
    let seconds = unit.to_base(quantity.value);
    // The upper end keeps nanoseconds within 64 bits.
    (*unit.base() == Base::Seconds && (1e-6..=3e9).contains(&seconds)).then_some(seconds)
}

/// Length of the decimal number a text starts with (0 if there is none). `e` belongs to the number
/// only when digits follow, so that a unit may begin with it.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = usize::from(bytes.first().is_some_and(|b| matches!(b, b'+' | b'-')));
    end += digits(end);
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits((end + 1 + sign).min(bytes.len()));
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanoseconds_convert_with_a_single_rounding() {
        for ns in [1_u32, 3, 368_123, 999_999_999] {
            let decimal: f64 = format!("{ns}e-9").parse().unwrap();
            assert_eq!(Unit::new("ns").to_base(f64::from(ns)).to_bits(), decimal.to_bits());
        }
    }

    /// Would catch a sum of seconds that differs from another one of the same microseconds.
    #[test]
    fn what_was_counted_comes_back_as_whole_numbers() {
        let (us, s) = (Unit::new("us"), Base::Seconds);
        for count in [0.0, 1.0, 3.0, 100_000.0, 200_000.0, 300_000.0, 999_999_999.0, 1e12 + 1.0] {
            assert_eq!(s.whole(us.to_base(count)), Some(count * 1000.0));
            assert_eq!(s.value_from_whole(count * 1000.0).to_bits(), us.to_base(count).to_bits());
        }
        assert_eq!(Base::Bytes.whole(4096.0), Some(4096.0));
        for (base, no) in [(&s, 1e-10), (&s, 1.0 / 3.0), (&s, 1e300), (&Base::Bytes, 0.5)] {
            assert_eq!(base.whole(no), None, "{no}");
        }
    }

    #[test]
    fn an_unknown_unit_is_its_own_base() {
        let unit = Unit::new("pages/op");
        assert_eq!(unit.base(), &Base::Other("pages/op".into()));
        assert!((unit.to_base(3.5) - 3.5).abs() < f64::EPSILON);
    }

    #[test]
    fn display_units_fit_the_magnitude() {
        let shown = |v| Unit::for_display(&Base::Seconds, v).symbol().to_owned();
        assert_eq!(
            [shown(2.0), shown(0.5), shown(4e-4), shown(3e-8), shown(1e-12), shown(0.0)],
            ["s", "ms", "µs", "ns", "ns", "ms"]
        );
        assert_eq!(Unit::for_display(&Base::Bytes, 1_860_000.0).symbol(), "MB");
        assert_eq!(Unit::for_display(&Base::Count, 0.0).symbol(), "count");
    }

    #[test]
    fn quantities() {
        let ok = |t: &str| parse_quantity(t).map(|q| (q.value, q.unit)).unwrap();
        assert_eq!(ok("200us"), (200.0, "us".into()));
        assert_eq!(ok(" 2.5 % "), (2.5, "%".into()));
        assert_eq!(ok("1e3"), (1000.0, String::new()));
        assert_eq!(ok("1e"), (1.0, "e".into()));
        assert_eq!(ok("-.5s"), (-0.5, "s".into()));
        for bad in ["", "s", "%", ".", "-", "nan", "inf", "+e5"] {
            assert_eq!(parse_quantity(bad), Err(QuantityError::NoNumber), "{bad}");
        }
        assert_eq!(parse_quantity("1e999"), Err(QuantityError::NotFinite));
    }
}
