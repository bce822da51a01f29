//! The subjects of a run in a few columns.

use super::columns::shared;
use crate::text::{shortened, width};
use crate::view::Charset;

/// The fewest columns for one of several names. Because: fewer do not tell one from another.
const NARROWEST: usize = 8;

/// The names as far as they fit, each shortened in its middle, and how many more there are.
pub(super) fn within(names: &[String], columns: usize, charset: Charset) -> String {
    // Of more, the commas alone are too wide.
    let most = names.len().min(columns / 2 + 1);
    for shown in (1..=most).rev() {
        let more = match names.len() - shown {
            0 => String::new(),
            more => format!(" +{more}"),
        };
        let wanted: Vec<usize> = names[..shown].iter().map(|name| width(name)).collect();
        let room = columns.saturating_sub(2 * (shown - 1) + more.len());
        let widths = shared(room, &wanted);
        let enough = |(have, want): (&usize, &usize)| *have >= NARROWEST.min(*want);
        if shown == 1 || widths.iter().zip(&wanted).all(enough) {
            let cut = names
                .iter()
                .zip(&widths)
                .map(|(name, room)| shortened(name, *room, charset.ellipsis()));
            return format!("{}{more}", cut.collect::<Vec<_>>().join(", "));
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_names_as_can_be_told_apart() {
        let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let fit = |list: &[&str], columns| within(&names(list), columns, Charset::Unicode);
        let gzips = ["gzip -1 -c Cargo.lock", "gzip -9 -c Cargo.lock"];
        assert_eq!(fit(&gzips, 60), "gzip -1 -c Cargo.lock, gzip -9 -c Cargo.lock");
        assert_eq!(fit(&gzips, 24), "gzip -1…ock, gzip -9…ock");
        assert_eq!(fit(&gzips, 16), "gzip -1 …lock +1");
        assert_eq!(fit(&["a", "b", "c"], 7), "a, b, c");
        assert_eq!(fit(&["a", "b", "c"], 6), "a +2");
        assert_eq!(fit(&[], 6), "");
        for columns in 3..50 {
            assert!(width(&fit(&gzips, columns)) <= columns);
        }
    }
}
