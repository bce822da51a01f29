//! Reasons why something was not executed, or came to no result.
//!
//! Owns the kinds, and the words of each. Refuses to say how an execution ended that was started: that is
//! [`Outcome`](super::Outcome)'s.

use std::fmt;

/// A reason why something was not executed, or came to no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotStarted {
    /// Its experiment says that it is not installed here.
    NotInstalled,
    /// It asked to be left out, with a reason if it gave one.
    Skipped(Option<String>),
    /// It is a benchmark of several, none of which has a name that was asked for.
    NoMatch,
    /// It was not built, or not set up: the words of whatever builds it.
    NotBuilt(String),
    /// The harness that executed it has no result of it: its words, or what is amiss with its results.
    NoResult(String),
    /// Another reason, most often the operating system's.
    Other(String),
}

impl NotStarted {
    /// Whether something went wrong. What is not installed, not asked for or left out by itself is no failure.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !matches!(self, NotStarted::NotInstalled | NotStarted::Skipped(_) | NotStarted::NoMatch)
    }
}

impl fmt::Display for NotStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotStarted::NotInstalled => f.write_str("not installed"),
            NotStarted::Skipped(None) => f.write_str("skipped"),
            NotStarted::Skipped(Some(why)) => write!(f, "skipped: {why}"),
            NotStarted::NoMatch => f.write_str("none of its sub-benchmarks matches"),
            NotStarted::NotBuilt(why) | NotStarted::NoResult(why) | NotStarted::Other(why) => {
                f.write_str(why)
            }
        }
    }
}
