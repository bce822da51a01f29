//! Numbers as they are written.
//!
//! Owns the way from decimal text to the nearest double, how the text can be had again, and the shift by
//! a power of ten with one rounding. Refuses NaN and infinity as values: they are told apart, with their
//! text. Everything is linear in the text.

use std::fmt::Write;

/// How a number was written, so that it can be written again byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// With so many digits behind the point (and no point for none), at most 15 digits.
    Decimals(u8),
    /// In another way; the text is kept beside it.
    Text,
    /// It was computed: any text that reads as the same double will do.
    Computed,
}

impl Written {
    const TEXT: u8 = 0x7f;
    const COMPUTED: u8 = 0x7e;

    /// The form in seven bits: there are as many as numbers.
    pub(super) fn packed(self) -> u8 {
        match self {
            Written::Decimals(decimals) => decimals,
            Written::Text => Written::TEXT,
            Written::Computed => Written::COMPUTED,
        }
    }

    pub(super) fn unpacked(byte: u8) -> Written {
        match byte {
            Written::TEXT => Written::Text,
            Written::COMPUTED => Written::Computed,
            decimals => Written::Decimals(decimals),
        }
    }

    /// The digits of a number that was written so, without its point, where they fit 32 bits and say all of
    /// it: it is the double nearest to them over ten to the power of its decimals.
    pub(super) fn digits_of(self, number: f64) -> Option<u32> {
        let Written::Decimals(decimals) = self else { return None };
        let ten = *POWERS.get(usize::from(decimals))?;
        // Off by far less than a half. What is too large or negative becomes another number.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let digits = (number * ten + 0.5) as u32;
        let whole = f64::from(digits);
        // Most numbers are whole ones, and a division takes longer than all the rest.
        let back = if decimals == 0 { whole } else { whole / ten };
        (back.to_bits() == number.to_bits()).then_some(digits)
    }
}

/// The meaning of a text in place of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Parsed {
    /// A finite number: the double nearest to the text.
    Finite(f64, Written),
    /// A NaN or an infinity.
    NotFinite,
}

/// Why a text is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberError {
    /// It is something else.
    NotANumber,
    /// No double is that large.
    TooLarge,
}

/// Digits that survive in a double, whatever they are.
const DIGITS: usize = 15;

/// Powers of ten that are doubles.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Reads a number: decimal with or without exponent, hexadecimal with one (`0x1.8p-3`), or `inf`, `infinity`,
/// `nan` in any case.
///
/// # Errors
/// Why it is none.
pub fn parse(text: &str) -> Result<Parsed, NumberError> {
    if let Some((number, written, length)) = plain_prefix(text.as_bytes())
        && length == text.len()
    {
        return Ok(Parsed::Finite(number, written));
    }
    let number = text.parse().ok().or_else(|| hexadecimal(text));
    let number: f64 = number.ok_or(NumberError::NotANumber)?;
    if number.is_finite() {
        return Ok(Parsed::Finite(number, Written::Text));
    }
    if text.bytes().any(|b| b.is_ascii_digit()) {
        return Err(NumberError::TooLarge);
    }
    Ok(Parsed::NotFinite)
}

/// A hexadecimal number as Go writes them: a power of two behind it, 16 digits at most (so many fit into
/// what is rounded once).
fn hexadecimal(text: &str) -> Option<f64> {
    let (sign, unsigned) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    let digits = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"))?;
    let (mantissa, exponent) = digits.split_once(['p', 'P'])?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    if !all.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None; // `from_str_radix` takes a sign
    }
    let number = u64::from_str_radix(&all, 16).ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    let places = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    #[allow(clippy::cast_precision_loss)] // rounded here, and not again
    let number = number as f64;
    Some(sign * libm::scalbn(number, exponent.checked_sub(places)?))
}

/// A number at the beginning of a text, if it is one of at most 15 digits without an exponent, in the only
/// form with that many decimals, and a blank or nothing follows; with it, its length.
#[inline]
#[must_use]
pub fn plain_prefix(text: &[u8]) -> Option<(f64, Written, usize)> {
    plain_number(text).filter(|(_, _, end)| matches!(text.get(*end), None | Some(b' ' | b'\t')))
}

/// The number at the beginning of a text, whatever follows. That is nearly every number there is, and fast. Digits and
/// power of ten are exact in a double, so the division rounds once.
#[inline]
#[must_use]
pub fn plain_number(text: &[u8]) -> Option<(f64, Written, usize)> {
    let sign = usize::from(text.first() == Some(&b'-'));
    let (whole, from) = digits(text, sign, 0);
    let mut mantissa = whole;
    let mut end = from;
    let mut decimals = 0;
    if text.get(end) == Some(&b'.') {
        (mantissa, end) = digits(text, end + 1, whole);
        decimals = end - from - 1;
        if decimals == 0 {
            return None;
        }
    }
    let places = from - sign;
    let ambiguous = places == 0 || (places > 1 && text[sign] == b'0');
    // More digits than fit have made the mantissa wrong, but not the count of them.
    if ambiguous || places + decimals > DIGITS {
        return None;
    }
    #[allow(clippy::cast_precision_loss)] // at most 15 digits
    let mut number = mantissa as f64;
    if decimals > 0 {
        number /= POWERS[decimals];
    }
    #[allow(clippy::cast_possible_truncation)] // at most 15
    let written = Written::Decimals(decimals as u8);
    Some((if sign > 0 { -number } else { number }, written, end))
}

/// Appends the digits from a place on to a number; the number and where they end.
#[inline]
fn digits(text: &[u8], from: usize, mut number: u64) -> (u64, usize) {
    let mut at = from;
    while let Some(byte) = text.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (number, at)
}

/// A number times ten to a power: the double nearest to that of its text, where the text is
/// [`Written::Decimals`]; else the number is taken as it is. O(1).
#[must_use]
pub fn nearest(number: f64, written: Written, power: i32) -> f64 {
    let (digits, shift) = match written {
        _ if power == 0 => return number,
        // Off by less than a quarter before it is rounded: below 10^15 and 2^-52 of it.
        Written::Decimals(decimals) if decimals > 0 => {
            ((number * POWERS[usize::from(decimals)]).round(), power - i32::from(decimals))
        }
        // Whole, of at most 15 digits, or taken as it is.
        _ => (number, power),
    };
    nearest_whole(digits, shift)
}

/// A number that is whole, or taken as it is, times ten to a power, rounded once. O(1).
#[inline]
pub(super) fn nearest_whole(number: f64, power: i32) -> f64 {
    match POWERS.get(power.unsigned_abs() as usize) {
        Some(ten) if power < 0 => number / ten,
        Some(ten) => number * ten,
        None => shifted_far(number, power).unwrap_or(number),
    }
}

/// A number times ten to a power that is no double.
fn shifted_far(digits: f64, shift: i32) -> Option<f64> {
    let digits = format!("{digits:e}");
    let (mantissa, exponent) = digits.split_once('e')?;
    let exponent = exponent.parse::<i32>().ok()?.saturating_add(shift);
    format!("{mantissa}e{exponent}").parse().ok()
}

/// The double nearest to a text times ten to a power, if it is finite.
pub(super) fn shifted(text: &str, power: i32) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent = exponent.parse::<i64>().ok()?.saturating_add(i64::from(power));
    let number: f64 = format!("{mantissa}e{exponent}").parse().ok()?;
    number.is_finite().then_some(number)
}

/// Appends a number as it was written; `text` is its text if that was kept.
pub fn write_number(out: &mut String, number: f64, written: Written, text: Option<&str>) {
    // Writing to a string does not fail.
    let _infallible = match (written, text) {
        (Written::Decimals(decimals), _) => {
            write_plain(out, number, usize::from(decimals));
            Ok(())
        }
        (Written::Text, Some(text)) => write!(out, "{text}"),
        // Digits one can read, up to where they are mostly zeros.
        _ if number == 0.0 || (1e-7..1e15).contains(&number.abs()) => write!(out, "{number}"),
        _ => write!(out, "{number:e}"),
    };
}

/// Appends a number that [`plain_prefix`] read: its digits as an integer, and the point between them.
fn write_plain(out: &mut String, number: f64, decimals: usize) {
    if number.is_sign_negative() {
        out.push('-');
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // below 10^15
    let digits = (number.abs() * POWERS[decimals]).round() as u64;
    let _infallible = write!(out, "{digits:0width$}", width = decimals + 1);
    if decimals > 0 {
        out.insert(out.len() - decimals, '.');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn finite(text: &str) -> (f64, Written) {
        match parse(text) {
            Ok(Parsed::Finite(number, written)) => (number, written),
            other => panic!("{text}: {other:?}"),
        }
    }

    fn again(text: &str) -> String {
        let (number, written) = finite(text);
        let mut out = String::new();
        write_number(&mut out, number, written, Some(text));
        out
    }

    /// Go's `strconv.ParseFloat` gives these, and refuses those.
    #[test]
    fn hexadecimal_numbers_have_a_power_of_two() {
        let cases = [
            ("0x1.8p-3", 0.1875),
            ("0X1P4", 16.0),
            ("-0x.8p1", -1.0),
            ("+0x1.fffffffffffffp1023", f64::MAX),
            ("0x20000000000001p0", 9_007_199_254_740_992.0),
            ("0x1p-1074", 5e-324),
        ];
        for (text, number) in cases {
            assert_eq!(finite(text).0.to_bits(), number.to_bits(), "{text}");
            assert_eq!(again(text), text);
        }
        for text in ["0x1.8", "0xp1", "0x1p", "0x-1p1", "x1p1", "0x1g p1", "0x1p1.5"] {
            assert_eq!(parse(text), Err(NumberError::NotANumber), "{text}");
        }
        assert_eq!(parse("0x1p1024"), Err(NumberError::TooLarge));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]
        /// Would catch a number read with another double than the standard library's, text that does not
        /// come back, and a shift that rounds twice.
        #[test]
        fn numbers_are_read_written_and_shifted_exactly(
            text in "-?(0|[1-9][0-9]{0,14}|00[0-9]{1,3})(\\.[0-9]{0,8})?([eE][+-]?[0-9]{1,2})?",
            power in -20_i32..20,
        ) {
            let (number, written) = finite(&text);
            prop_assert_eq!(number.to_bits(), text.parse::<f64>().unwrap().to_bits());
            prop_assert_eq!(&again(&text), &text);
            let expected = shifted(&text, power).unwrap();
            let near = match written {
                Written::Text => shifted(&text, power).unwrap(),
                _ => nearest(number, written, power),
            };
            prop_assert_eq!(near.to_bits(), expected.to_bits(), "{:?} {}", written, power);
        }

        /// Would catch digits lost from a computed number.
        #[test]
        fn computed_numbers_come_back(bits in any::<u64>()) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite());
            let mut out = String::new();
            write_number(&mut out, number, Written::Computed, None);
            prop_assert_eq!(finite(&out).0.to_bits(), bits);
            prop_assert!(out.len() < 30, "{}", out);
        }
    }

    #[test]
    fn forms() {
        assert_eq!(finite("0.2500"), (0.25, Written::Decimals(4)));
        assert_eq!(finite("007"), (7.0, Written::Text));
        assert_eq!(finite("5."), (5.0, Written::Text));
        assert_eq!(finite("+5"), (5.0, Written::Text));
        assert_eq!(finite("9999999999999999999999999999999").0, 1e31);
        for text in ["nan", "NaN", "Inf", "-infinity", "+inf"] {
            assert_eq!(parse(text), Ok(Parsed::NotFinite), "{text}");
        }
        assert_eq!(parse("1e999"), Err(NumberError::TooLarge));
        for text in ["", "-", ".", "x", "1_0", "1e", "0x1.8", "1,5", "--1", "٣", "1.2.3", "e5"] {
            assert_eq!(parse(text), Err(NumberError::NotANumber), "{text}");
        }
        // The nearest double to 0.0000001234, which the product with 1e-9 is not always.
        assert_eq!(nearest(123.4, Written::Decimals(1), -9), 1.234e-7);
    }
}
