//! The time of day, as records have it.

use std::time::SystemTime;

use jiff::Timestamp;

/// Now; the last moment that records can say, or the first, where the clock is beyond it.
#[must_use]
pub fn now() -> Timestamp {
    as_said(SystemTime::now())
}

fn as_said(time: SystemTime) -> Timestamp {
    let beyond = if time > SystemTime::UNIX_EPOCH { Timestamp::MAX } else { Timestamp::MIN };
    Timestamp::try_from(time).unwrap_or(beyond)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Would catch a clock at the end of the year 9999 that ends etalon.
    #[test]
    fn every_clock_says_something() {
        let after = |seconds| as_said(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(after(1), Timestamp::from_second(1).unwrap());
        // The last second of the year 9999, in which some places have the year after.
        for beyond in [253_402_300_799, 253_402_300_800, 1 << 40] {
            assert_eq!(after(beyond), Timestamp::MAX, "{beyond}");
        }
    }
}
