//! Orders: in which order the values of a field come, as ranks computed once all are known.
//!
//! Every order is total: values it cannot tell apart (all words under `num`, `1` and `1.0`) come by
//! their bytes. An absent value is the empty text.

use std::cmp::Ordering;

/// The order of a field's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// As they first appear in the data.
    First,
    /// By their bytes.
    Alpha,
    /// Numbers by size, with decimal and binary prefixes (`2k`, `1MiB`), then NaN, then the rest.
    Num,
    /// As listed; what is not listed is filtered out.
    Fixed(Vec<String>),
    /// Those listed before all others, which follow as they first appear: nothing is filtered out.
    Led(Vec<String>),
}

/// The rank of each value among all `values` (which are distinct, in order of appearance).
/// O(n log n).
pub(super) fn ranks(order: &Order, values: &[&str]) -> Vec<u32> {
    let mut places: Vec<usize> = (0..values.len()).collect();
    match order {
        Order::First => {}
        Order::Alpha => places.sort_by_key(|&i| values[i]),
        Order::Num => {
            let numbers: Vec<Option<f64>> = values.iter().map(|value| number(value)).collect();
            places.sort_by(|&i, &j| {
                by_number(numbers[i], numbers[j]).then_with(|| values[i].cmp(values[j]))
            });
        }
        Order::Fixed(listed) => {
            // The last place of a value that is listed twice, and the first for one that is not
            // listed at all: a full name that passed loses its separate parts afterwards.
            let place = |value: &str| listed.iter().rposition(|l| l == value).unwrap_or(0);
            places.sort_by_cached_key(|&i| (place(values[i]), values[i]));
        }
        Order::Led(leaders) => places.sort_by_key(|&i| {
            leaders.iter().position(|leader| leader == values[i]).unwrap_or(leaders.len())
        }),
    }
    let mut ranks = vec![0; values.len()];
    for (rank, place) in (0..).zip(places) {
        ranks[place] = rank;
    }
    ranks
}

/// Numbers by size, NaN after them, then what is not a number; equal where that does not decide.
fn by_number(a: Option<f64>, b: Option<f64>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// 10³ⁿ, rounded once each.
const DECIMAL: [f64; 9] = [1.0, 1e3, 1e6, 1e9, 1e12, 1e15, 1e18, 1e21, 1e24];

/// A number as people write one: digits, exponent, `inf`, `nan`; or digits with a prefix `k`, `K`,
/// `M` … `Y`, an `i` behind it for powers of 1024, and a `B` or `b`.
fn number(text: &str) -> Option<f64> {
    if let Some(plain) = plain(text) {
        return Some(plain);
    }
    let text = text.strip_suffix(['b', 'B']).unwrap_or(text);
    let (text, binary) = match text.strip_suffix('i') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let prefix = text.chars().next_back()?;
    let power = "KMGTPEZY".find(if prefix == 'k' { 'K' } else { prefix });
    let (digits, power) = match power {
        Some(at) => (&text[..text.len() - 1], at + 1),
        None if binary => return None,
        None => (text, 0),
    };
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if !unsigned.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let scale = if binary { BINARY[power] } else { DECIMAL[power] };
    plain(digits).map(|value| value * scale)
}

/// 2¹⁰ⁿ, exactly.
const BINARY: [f64; 9] = [
    1.0,
    1024.0,
    1_048_576.0,
    1_073_741_824.0,
    1_099_511_627_776.0,
    1_125_899_906_842_624.0,
    1_152_921_504_606_846_976.0,
    1_180_591_620_717_411_303_424.0,
    1_208_925_819_614_629_174_706_176.0,
];

/// A number as Go's parser takes it, hexadecimal aside: underscores between digits, no sign before `nan`,
/// nothing too large for a double.
fn plain(text: &str) -> Option<f64> {
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_digit)
    };
    let misplaced = text
        .match_indices('_')
        .any(|(at, _)| !is_digit(at.checked_sub(1)) || !is_digit(at.checked_add(1)));
    let value: f64 = text.replace('_', "").parse().ok().filter(|_| !misplaced)?;
    let signed = text.starts_with(['+', '-']);
    let spelled = text.contains(['i', 'I']);
    let refused = (value.is_nan() && signed) || (value.is_infinite() && !spelled);
    (!refused).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forms at the edge of the grammar of numbers; orders are compared with benchstat's in
    /// `tests/public/query`.
    #[test]
    fn reads_numbers_as_people_write_them() {
        for (text, want) in [
            ("1", Some(1.0)),
            ("100.5", Some(100.5)),
            ("1e3", Some(1e3)),
            ("1b", Some(1.0)),
            ("1k", Some(1e3)),
            ("1K", Some(1e3)),
            ("1ki", Some(1024.0)),
            ("1kiB", Some(1024.0)),
            ("+2MiB", Some(2_097_152.0)),
            ("-1.5G", Some(-1.5e9)),
            ("1Y", Some(1e24)),
            (".5k", Some(500.0)),
            ("-inf", Some(f64::NEG_INFINITY)),
            ("", None),
            (".", None),
            ("k", None),
            ("1i", None),
            ("1iB", None),
            ("1kB/s", None),
            ("1kBB", None),
            ("1e3k", None),
            ("infk", None),
            ("1.2.3", None),
            ("1e999", None),
            ("1_000.5_0e1_0", Some(1000.50e10)),
            ("1__0", None),
            ("1_.5", None),
            ("_1", None),
            ("1_", None),
            ("-nan", None),
            ("1é", None),
        ] {
            assert_eq!(number(text), want, "{text}");
        }
    }
}
