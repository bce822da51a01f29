//! Names of units, and their meaning for numbers in them: `ms/op`, `p99-ns`, `B/req`, `widgets/op`.
//!
//! Owns the one rule for names that nothing else explains, such as those that Go programs report. The last word
//! of what stands before the slash is a unit of time or size, whatever it is per (`ms/req` are milliseconds), or
//! else a number of things. What is per time is a rate, and a product (`ns*MB`) is a unit of its own: no amount of
//! time or memory can be held against either. Refuses units that a record declares: those are what they say.

use super::{Base, Scale, Unit};

/// Units of time as names have them. Because: `min` and `h` are as often something else (a minimum).
const TIMES: [&str; 6] = ["sec", "s", "ms", "us", "µs", "ns"];
/// Units of size.
const SIZES: [&str; 9] = ["B", "bytes", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB"];

/// The parts of a name.
struct Parts<'a> {
    /// Before the slash; a rate's per operation is dropped, as it is a rate still.
    numerator: &'a str,
    denominator: &'a str,
    /// The last word of the numerator.
    word: &'a str,
}

fn parts(name: &str) -> Parts<'_> {
    let each = name.strip_suffix("/op").unwrap_or(name);
    let (numerator, denominator) = each.split_once('/').unwrap_or((each, ""));
    let word = numerator.rsplit(['-', '*', ' ']).next().unwrap_or(numerator);
    Parts { numerator, denominator, word }
}

/// The word that says what a unit is.
pub(crate) fn last_word(name: &str) -> &str {
    parts(name).word
}

/// Whether a unit is per time: `B/s`, `req/s`.
#[must_use]
pub fn is_rate(name: &str) -> bool {
    TIMES.contains(&parts(name).denominator)
}

/// Whether a unit is a time or a size, or a product that ends in one, and no rate.
#[must_use]
pub(crate) fn is_time_or_size(name: &str) -> bool {
    let word = parts(name).word;
    !is_rate(name) && (TIMES.contains(&word) || SIZES.contains(&word))
}

/// The name with its time or size in another unit (`ms/op` in `ns` is `ns/op`), if it says one.
#[must_use]
pub fn renamed(name: &str, unit: &str) -> Option<String> {
    let Parts { numerator, word, .. } = parts(name);
    let (before, after) = (numerator.strip_suffix(word)?, &name[numerator.len()..]);
    is_time_or_size(name).then(|| format!("{before}{unit}{after}"))
}

impl Unit {
    /// The unit that a name says: `ms/op` is `ms`, `p99-sec` is `s`, `allocs/op` and `widgets` are `count`, and
    /// `B/s` is one of its own. Linear.
    #[must_use]
    pub fn from_name(name: &str) -> Unit {
        let Parts { numerator, word, .. } = parts(name);
        if is_rate(name) || (is_time_or_size(name) && numerator.contains('*')) {
            let symbol = name.strip_suffix("/op").unwrap_or(name).to_owned();
            let (base, symbol) = (Base::Other(symbol.clone()), symbol.into());
            return Unit { base, symbol, scale: Scale::Multiply(1.0) };
        }
        Unit::new(match word {
            "sec" => "s",
            "bytes" => "B",
            word if is_time_or_size(name) => word,
            _ => "count",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a rule of its own for one kind of name.
    #[test]
    fn names_say_what_they_are_counted_in() {
        let cases = [
            ("sec/op", "s", "s"),
            ("ms/op", "ms", "s"),
            ("ms/req", "ms", "s"),
            ("p99-ns", "ns", "s"),
            ("B/op", "B", "B"),
            ("B/req", "B", "B"),
            ("peak-bytes", "B", "B"),
            ("KiB/op", "KiB", "B"),
            ("allocs/op", "count", "count"),
            ("widgets/op", "count", "count"),
            ("x-min", "count", "count"),
            ("%", "count", "count"),
            ("", "count", "count"),
            ("B/s", "B/s", "B/s"),
            ("B/s/op", "B/s", "B/s"),
            ("req/ns", "req/ns", "req/ns"),
            ("sec*B", "sec*B", "sec*B"),
        ];
        for (name, symbol, base) in cases {
            let unit = Unit::from_name(name);
            assert_eq!((unit.symbol(), &*unit.base().to_string()), (symbol, base), "{name}");
        }
    }

    #[test]
    fn a_time_is_renamed_where_it_stands() {
        let renamed = |name| renamed(name, "ns");
        assert_eq!(renamed("ms/op").as_deref(), Some("ns/op"));
        assert_eq!(renamed("p99-sec").as_deref(), Some("p99-ns"));
        assert_eq!(renamed("s-s/s-op").as_deref(), Some("s-ns/s-op"));
        assert_eq!((renamed("widgets/op"), renamed("req/s"), renamed("")), (None, None, None));
    }
}
