//! Decimal text to base units and back, each with one rounding.
//!
//! Owns the way a foreign number becomes a double in base units: `368.123` µs is the double nearest to
//! 0.000368123 s, which a parse and a division would not promise. The way back writes the fewest
//! digits that read as the same double. Refuses units that are no power of ten of their base, except
//! KiB, which is exact in binary.

use etalon_core::dataset::{Parsed, Written, parse};

/// How a written number becomes one in base units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// Times ten to this power.
    Power(i32),
    /// Times 1024.
    Kibi,
}

/// The contents of a cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    /// A number in base units, finite and not negative.
    Number(f64),
    /// Nothing.
    Empty,
    /// A NaN or an infinity; what was written.
    NotFinite(String),
}

/// Integers below this have one double each, so that dividing by a power of ten rounds once.
const EXACT: u64 = 1 << 53;

/// Reads a cell.
///
/// # Errors
/// Why it is no quantity that can be measured.
pub(super) fn read(cell: &[u8], scale: Scale) -> Result<Cell, String> {
    if let (Scale::Power(power), Some(integer)) = (scale, small_integer(cell)) {
        #[allow(clippy::cast_precision_loss)] // below 2^53
        let exact = integer as f64;
        return Ok(Cell::Number(match power {
            0 => exact,
            _ => exact / 10_f64.powi(-power),
        }));
    }
    let text = std::str::from_utf8(cell).map_err(|_| "is not a number".to_owned())?;
    let text = text.trim_matches(' ');
    if text.is_empty() {
        return Ok(Cell::Empty);
    }
    let unsigned = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
    if matches!(unsigned.as_str(), "nan" | "inf" | "infinity") && text.len() - unsigned.len() < 2 {
        return Ok(Cell::NotFinite(text.to_owned()));
    }
    decimal(text, scale).map(Cell::Number)
}

/// A cell that [`read`] gives a number of, as it is written: the number, how, and its text where that is
/// needed.
///
/// # Errors
/// If it is no finite number.
pub(super) fn as_written(cell: &[u8]) -> Result<(f64, Written, String), String> {
    if let Some(integer) = small_integer(cell) {
        #[allow(clippy::cast_precision_loss)] // below 2^53
        return Ok((integer as f64, Written::Decimals(0), String::new()));
    }
    let text = String::from_utf8_lossy(cell);
    let text = text.trim_matches(' ');
    match parse(text) {
        Ok(Parsed::Finite(number, written @ Written::Text)) => {
            Ok((number, written, text.to_owned()))
        }
        Ok(Parsed::Finite(number, written)) => Ok((number, written, String::new())),
        // Finite in base units, perhaps, but no double in the unit it is written in.
        _ => Err(format!("`{}` is larger than any number", crate::raw::clipped(text))),
    }
}

/// A run of digits whose value is exact as a double.
fn small_integer(cell: &[u8]) -> Option<u64> {
    if cell.is_empty() || cell.len() > 16 {
        return None;
    }
    let mut value = 0_u64;
    for byte in cell {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    (value < EXACT).then_some(value)
}

/// Reads a decimal number, shifting its exponent before the one rounding.
fn decimal(text: &str, scale: Scale) -> Result<f64, String> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let not_a_number = || format!("`{}` is not a number", crate::raw::clipped(text));
    let digits = mantissa.strip_prefix(['+', '-']).unwrap_or(mantissa);
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && digits.bytes().any(|b| b.is_ascii_digit());
    let exponent: i64 = exponent.parse().map_err(|_| not_a_number())?;
    if !plain {
        return Err(not_a_number());
    }
    let is_integer = !digits.contains('.') && mantissa.len() == text.len();
    if is_integer && mantissa.parse::<i64>().is_err() {
        return Err(crate::raw::TOO_LARGE.to_owned());
    }
    let (power, factor) = match scale {
        Scale::Power(power) => (i64::from(power), 1.0),
        Scale::Kibi => (0, 1024.0),
    };
    let shifted = exponent.saturating_add(power);
    let value: f64 = format!("{mantissa}e{shifted}").parse().map_err(|_| not_a_number())?;
    let value = value * factor;
    if value < 0.0 {
        return Err(format!("`{}` is negative", crate::raw::clipped(text)));
    }
    if value.is_infinite() {
        return Err(format!("`{}` is larger than any number", crate::raw::clipped(text)));
    }
    Ok(value)
}

/// Appends `value` divided by ten to the `power`, exactly: the shortest digits of the double with the
/// point moved. What would be an integer past 64 bits gets an exponent.
pub(super) fn write(buffer: &mut Vec<u8>, value: f64, power: i32) {
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent = exponent.parse().unwrap_or(0_i32) - power;
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |m| ("-", m));
    let digits: Vec<u8> = mantissa.bytes().filter(|b| *b != b'.').collect();
    buffer.extend_from_slice(sign.as_bytes());
    // The point stands behind so many digits.
    let point = exponent + 1;
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    if !(-20..=18).contains(&point) {
        buffer.extend_from_slice(mantissa.as_bytes());
        buffer.extend_from_slice(format!("e{exponent}").as_bytes());
    } else if point <= 0 {
        buffer.extend_from_slice(b"0.");
        buffer.extend(std::iter::repeat_n(b'0', point.unsigned_abs() as usize));
        buffer.extend_from_slice(&digits);
    } else if point >= count {
        buffer.extend_from_slice(&digits);
        if digits != b"0" {
            buffer.extend(std::iter::repeat_n(b'0', (point - count).unsigned_abs() as usize));
        }
    } else {
        let whole = point.unsigned_abs() as usize;
        buffer.extend_from_slice(&digits[..whole]);
        buffer.push(b'.');
        buffer.extend_from_slice(&digits[whole..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const US: Scale = Scale::Power(-6);

    fn written(value: f64, power: i32) -> String {
        let mut buffer = Vec::new();
        write(&mut buffer, value, power);
        String::from_utf8(buffer).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]
        /// Would catch any double that comes back with other bits.
        #[test]
        fn every_double_comes_back(bits in any::<u64>(), power in -9_i32..=0) {
            let value = f64::from_bits(bits >> 1);
            prop_assume!(value.is_finite());
            let text = written(value, power);
            let back = read(text.as_bytes(), Scale::Power(power)).unwrap();
            prop_assert_eq!(back, Cell::Number(value), "{}", text);
        }

        /// Would catch an integer number of microseconds that grows a fraction, or changes. Up to 15
        /// digits (31 years): a double has no more.
        #[test]
        fn integers_stay_integers(integer in 0_i64..1_000_000_000_000_000) {
            let Cell::Number(value) = read(integer.to_string().as_bytes(), US).unwrap() else {
                panic!("no number");
            };
            prop_assert_eq!(written(value, -6), integer.to_string());
            prop_assert_eq!(value, format!("{integer}e-6").parse::<f64>().unwrap());
        }
    }

    #[test]
    fn forms() {
        let number = |text: &str| read(text.as_bytes(), US);
        assert_eq!(number("368.123"), Ok(Cell::Number(0.000_368_123)));
        assert_eq!(number(" 1.5e3 "), Ok(Cell::Number(0.001_5)));
        assert_eq!(number("+7"), Ok(Cell::Number(7e-6)));
        assert_eq!(number("-0"), Ok(Cell::Number(-0.0)));
        assert_eq!(number("   "), Ok(Cell::Empty));
        assert_eq!(number("-INF"), Ok(Cell::NotFinite("-INF".into())));
        assert_eq!(number("-1"), Err("`-1` is negative".into()));
        assert_eq!(number("1e400"), Err("`1e400` is larger than any number".into()));
        assert_eq!(number("9223372036854775808"), Err("an integer does not fit 64 bits".into()));
        for bad in
            ["x", "--1", "1e", "1e5.5", ".", "1.2.3", "0x10", "1 2", "--nan", "1,5", "\u{661}"]
        {
            assert!(number(bad).is_err(), "{bad}");
        }
        assert_eq!(read(b"3", Scale::Kibi), Ok(Cell::Number(3072.0)));
        assert_eq!(read(b"\xff", Scale::Kibi), Err("is not a number".into()));
    }
}
