//! The key `cause` of an observation that was not started: the kind of reason, beside its words.
//!
//! Owns what stands for which kind, and what the words of records without the key mean.

use etalon_core::model::NotStarted;
use serde::{Deserialize, Serialize};

/// How the words of a reason begin that a skipped benchmark gave.
const SKIPPED_FOR: &str = "skipped: ";

/// A kind of reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Cause {
    NotInstalled,
    Skipped,
    NoMatch,
    NotBuilt,
    NoResult,
    /// One of a newer version, of which the words are kept.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl Cause {
    /// The kind of a reason; none of one that has only words.
    pub(super) fn from_reason(reason: &NotStarted) -> Option<Cause> {
        match reason {
            NotStarted::NotInstalled => Some(Cause::NotInstalled),
            NotStarted::Skipped(_) => Some(Cause::Skipped),
            NotStarted::NoMatch => Some(Cause::NoMatch),
            NotStarted::NotBuilt(_) => Some(Cause::NotBuilt),
            NotStarted::NoResult(_) => Some(Cause::NoResult),
            NotStarted::Other(_) => None,
        }
    }

    /// The reason that has these words.
    fn reason(self, words: String) -> NotStarted {
        match self {
            Cause::NotInstalled => NotStarted::NotInstalled,
            Cause::Skipped => {
                NotStarted::Skipped(words.strip_prefix(SKIPPED_FOR).map(str::to_owned))
            }
            Cause::NoMatch => NotStarted::NoMatch,
            Cause::NotBuilt => NotStarted::NotBuilt(words),
            Cause::NoResult => NotStarted::NoResult(words),
            Cause::Unknown => NotStarted::Other(words),
        }
    }

    /// The kind that words meant before there was the key; all others are the operating system's.
    fn before_the_key(words: &str) -> Cause {
        match words {
            "not installed" => Cause::NotInstalled,
            "none of its sub-benchmarks matches" => Cause::NoMatch,
            "skipped" => Cause::Skipped,
            _ if words.starts_with(SKIPPED_FOR) => Cause::Skipped,
            _ => Cause::Unknown,
        }
    }
}

/// The reason that an observation gives.
pub(super) fn reason(cause: Option<Cause>, words: String) -> NotStarted {
    cause.unwrap_or_else(|| Cause::before_the_key(&words)).reason(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a kind that is written under one name and read under another, and records from before the key
    /// whose skipped benchmarks are failures.
    #[test]
    fn every_reason_reads_back_with_the_key_and_most_without() {
        let skipped = NotStarted::Skipped(Some("no network".to_owned()));
        let all =
            [NotStarted::NotInstalled, NotStarted::Skipped(None), skipped, NotStarted::NoMatch];
        for reason_written in &all {
            assert_eq!(&reason(None, reason_written.to_string()), reason_written);
        }
        let worded = [NotStarted::NotBuilt, NotStarted::NoResult, NotStarted::Other]
            .map(|kind| kind("why".to_owned()));
        for reason_written in all.iter().chain(&worded) {
            let key = Cause::from_reason(reason_written)
                .map(|cause| serde_json::to_string(&cause).unwrap());
            let cause = key.map(|key| serde_json::from_str(&key).unwrap());
            assert_eq!(&reason(cause, reason_written.to_string()), reason_written);
        }
        let newer = serde_json::from_str("\"eclipse\"").unwrap();
        let other = NotStarted::Other("not installed".to_owned());
        assert_eq!(reason(Some(newer), "not installed".to_owned()), other);
    }
}
