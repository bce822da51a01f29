//! Times as sources write them.

use jiff::Timestamp;

/// Seconds since 1970 of an RFC 3339 time; absent where the text is no such time.
#[allow(clippy::cast_precision_loss)] // to the microsecond until the year 2200
pub(crate) fn seconds_since_1970(text: &str) -> Option<f64> {
    let time: Timestamp = text.parse().ok()?;
    Some(time.as_nanosecond() as f64 / 1e9)
}
