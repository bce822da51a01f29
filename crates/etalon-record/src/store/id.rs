//! Ids of saved runs: their start, to the microsecond, and something random.
//!
//! Owns that lexical order is order in time. Refuses to read the clock or to make randomness; both
//! are given.

use jiff::Timestamp;

/// The id of a run that started then, such as `20261121T031122.123456Z-1a2b`. `entropy` tells runs
/// apart that started within one microsecond (in two processes, or on two machines).
#[must_use]
pub fn make_id(started: Timestamp, entropy: u16) -> String {
    format!("{}-{entropy:04x}", started.strftime("%Y%m%dT%H%M%S.%6fZ"))
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
