//! Ids of saved runs: their start, to the microsecond, and something random.
//!
//! Owns that lexical order is order in time, and what of an id people type. Refuses to read the clock or to
//! make randomness; both are given.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// The letters of an id's random part. Because: without vowels they are no words, and without digits no dates
/// and no positions.
const LETTERS: &[u8; 20] = b"bcdfghjklmnpqrstvwxz";
/// How many of them. Because: 20⁸ are 2.6 · 10¹⁰, and a store holds thousands.
const RANDOM: u32 = 8;
/// How the time in an id is written.
const TIME: &str = "%Y%m%dT%H%M%S.%6fZ";

/// The id of a run that started then, such as `20261121T031122.123456Z-kzmwqtbx`. `entropy` makes its random
/// part, of which the first letters are what people type.
#[must_use]
pub fn make_id(started: Timestamp, entropy: u64) -> String {
    let base = LETTERS.len() as u64;
    let places = (0..RANDOM).map(|place| entropy / base.pow(place) % base);
    let random: String = places
        .filter_map(|at| LETTERS.get(usize::try_from(at).ok()?))
        .map(|l| char::from(*l))
        .collect();
    format!("{}-{random}", started.strftime(TIME))
}

/// Whether this can be an id: letters, digits, `.`, `_` and `-` after a digit or letter. Wider than
/// what [`make_id`] makes, so that records copied in under their own names are found; never a path.
#[must_use]
pub fn is_id(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.len() <= 100
        && text.chars().all(allowed)
}

/// The random part of an id: what stands behind its last `-`.
pub(super) fn random_part(id: &str) -> Option<&str> {
    id.rsplit_once('-').map(|(_, random)| random)
}

/// When a run of this id started, if the id says it.
pub(super) fn time_of(id: &str) -> Option<Timestamp> {
    let (time, _) = id.rsplit_once('-')?;
    let at = DateTime::strptime(TIME, time).ok()?;
    at.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_says_when_its_run_started() {
        let at: Timestamp = "2026-11-21T03:11:22.123456Z".parse().unwrap();
        assert_eq!(time_of(&make_id(at, 7)), Some(at));
        assert_eq!(time_of("20261121T031122.123456Z-1a2b"), Some(at));
        assert_eq!([time_of("by-hand"), time_of(""), time_of("x")], [None; 3]);
    }
}
