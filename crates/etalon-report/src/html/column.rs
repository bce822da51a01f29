//! Numbers of all observations as a column of a page: little-endian bytes, compressed, in base64.
//!
//! Owns that no number changes: whole numbers, or such divided by 1,000, a million or a thousand million, take as many
//! bytes as the largest needs, anything else the eight of a double. The lowest bytes of all stand first, then the next,
//! which compresses better. Where some have none, a column of 0 and 1 says who has.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde::Serialize;

/// How much a compressor tries: beyond it, a column of 100,000 takes twice the time and hardly a byte less.
const EFFORT: u8 = 6;
/// Divisors of whole numbers: of nanoseconds and microseconds seconds come, and of milliseconds.
const DIVISORS: [f64; 4] = [1.0, 1e9, 1e6, 1e3];

/// How a column is to be read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Layout {
    /// Bytes of a number; 8 are those of a double.
    width: usize,
    /// The divisor of its whole numbers.
    #[serde(skip_serializing_if = "is_one")]
    divisor: f64,
    /// Whether a byte for each stands before the numbers: 1 if it has one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    sparse: bool,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    pub(super) layout: Layout,
    /// Base64 of a zlib stream.
    pub(super) text: String,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes what it serialises by reference"
)]
fn is_one(divisor: &f64) -> bool {
    *divisor == 1.0
}

/// The column of numbers, some of which may be absent.
pub(super) fn column(values: &[Option<f64>]) -> Column {
    let there = || values.iter().copied().flatten();
    let divisor = DIVISORS.into_iter().find(|by| there().all(|value| whole(value, *by).is_some()));
    let widest = divisor.and_then(|by| there().filter_map(|value| whole(value, by)).max());
    let width = match widest {
        _ if divisor.is_none() => 8,
        Some(0x1_0000..) => 4,
        Some(0x100..) => 2,
        _ => 1,
    };
    let layout = Layout {
        width,
        divisor: divisor.unwrap_or(1.0),
        sparse: values.iter().any(Option::is_none),
    };
    let presence = values.iter().map(|value| u8::from(value.is_some()));
    let mut bytes: Vec<u8> = if layout.sparse { presence.collect() } else { Vec::new() };
    let number = |value: &Option<f64>| match (value, divisor) {
        (None, _) => 0_u64.to_le_bytes(),
        (Some(value), Some(by)) => u64::from(whole(*value, by).unwrap_or(0)).to_le_bytes(),
        (Some(value), None) => value.to_le_bytes(),
    };
    for place in 0..width {
        bytes.extend(values.iter().map(|value| number(value)[place]));
    }
    Column { layout, text: STANDARD.encode(compress_to_vec_zlib(&bytes, EFFORT)) }
}

/// The whole number that a value is, times a divisor, where dividing it gives the value again.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked before")]
fn whole(value: f64, divisor: f64) -> Option<u32> {
    let whole = (value * divisor).round();
    let is_one = (0.0..=f64::from(u32::MAX)).contains(&whole) && whole.is_sign_positive();
    (is_one && whole / divisor == value).then_some(whole as u32)
}

#[cfg(test)]
mod tests {
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    use super::*;

    /// The way back, as the page goes it.
    fn back(column: &Column, count: usize) -> Vec<Option<f64>> {
        let bytes = decompress_to_vec_zlib(&STANDARD.decode(&column.text).unwrap()).unwrap();
        let Layout { width, divisor, sparse } = column.layout;
        let (presence, planes) = bytes.split_at(if sparse { count } else { 0 });
        assert_eq!(planes.len(), width * count);
        let number = |at: usize| {
            let mut bytes = [0; 8];
            (0..width).for_each(|place| bytes[place] = planes[place * count + at]);
            match width {
                8 => f64::from_le_bytes(bytes),
                _ => u64::from_le_bytes(bytes) as f64 / divisor,
            }
        };
        (0..count)
            .map(|at| presence.get(at).is_none_or(|it| *it == 1).then(|| number(at)))
            .collect()
    }

    /// Would catch a number that changes on its way into a page, and widths that are larger than needed.
    #[test]
    fn no_number_changes() {
        let all: [(&[Option<f64>], usize, f64); 7] = [
            (&[Some(0.0), Some(255.0)], 1, 1.0),
            (&[Some(7.0), None, Some(256.0)], 2, 1.0),
            (&[Some(0.001_234_567), Some(4.0)], 4, 1e9),
            (&[Some(5.0), Some(-1.0)], 8, 1.0),
            (&[Some(-0.0)], 8, 1.0),
            (&[Some(1e-12), Some(f64::MAX), Some(1.0 / 3.0)], 8, 1.0),
            (&[], 1, 1.0),
        ];
        for (values, width, divisor) in all {
            let column = column(values);
            assert_eq!(
                (column.layout.width, column.layout.divisor),
                (width, divisor),
                "{values:?}"
            );
            let bits =
                |of: &[Option<f64>]| of.iter().map(|v| v.map(f64::to_bits)).collect::<Vec<_>>();
            assert_eq!(bits(&back(&column, values.len())), bits(values));
        }
    }
}
