//! How a package, or one benchmark of it, ended that did not pass.
//!
//! Owns the kinds of such endings, their wording, and the outcome that each stands for. That something passed
//! is no ending here. Refuses to read output: a reader finds them.

use std::fmt;

use super::excerpt::clipped;
use crate::model::{NotStarted, Outcome};

/// A package or a benchmark that ended, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The package; absent where the source does not say which.
    pub package: Option<String>,
    /// The benchmark as it is named, without `Benchmark`; absent where it is the whole package.
    pub benchmark: Option<String>,
    /// Its ending.
    pub how: Ending,
}

/// How something ended without passing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It said that it failed.
    Failed,
    /// It panicked, or the runtime ended it: what was printed.
    Panicked(String),
    /// It took longer than it was given: what was printed.
    TimedOut(String),
    /// It exited with this code.
    Exited(i32),
    /// A signal ended it, by its name.
    Killed(String),
    /// It was not built, or not set up: what `go` says in brackets.
    NotBuilt(String),
    /// The harness has something to say against it.
    Faulted(String),
    /// Its output breaks off before the line that says how it ended.
    Cut,
}

/// Names of signals as Go prints them, with their numbers on Linux.
const SIGNALS: [(&str, i32); 12] = [
    ("hangup", 1),
    ("interrupt", 2),
    ("quit", 3),
    ("illegal instruction", 4),
    ("trace/breakpoint trap", 5),
    ("aborted", 6),
    ("bus error", 7),
    ("floating point exception", 8),
    ("killed", 9),
    ("segmentation fault", 11),
    ("broken pipe", 13),
    ("terminated", 15),
];

impl Ending {
    /// Of a signal by the name that Go prints; absent for any other text.
    #[must_use]
    pub fn by_signal(name: &str) -> Option<Ending> {
        let plain = name.strip_suffix(" (core dumped)").unwrap_or(name);
        let known = SIGNALS.iter().any(|(signal, _)| *signal == plain);
        known.then(|| Ending::Killed(plain.to_owned()))
    }

    /// The outcome it stands for; none of a cut, which says nothing of how it ended.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        Some(match self {
            Ending::Failed | Ending::Faulted(_) => Outcome::Failed { code: 1 },
            // The exit code of Go's runtime.
            Ending::Panicked(_) => Outcome::Failed { code: 2 },
            Ending::TimedOut(_) => Outcome::TimedOut,
            Ending::Exited(code) => Outcome::Failed { code: *code },
            Ending::Killed(name) => {
                let known = SIGNALS.iter().find(|(signal, _)| signal == name);
                Outcome::Killed { signal: known.map_or(9, |(_, number)| *number) }
            }
            Ending::NotBuilt(why) => Outcome::NotStarted { why: NotStarted::NotBuilt(why.clone()) },
            Ending::Cut => return None,
        })
    }
}

impl Ended {
    /// Whether it is a package without a closing line, which files that were edited have, too.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.how == Ending::Cut && self.benchmark.is_none()
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.benchmark, &self.package) {
            (Some(name), Some(package)) => {
                write!(f, "Benchmark{} of {} ", clipped(name), clipped(package))?;
            }
            (Some(name), None) => write!(f, "Benchmark{} ", clipped(name))?,
            (None, Some(package)) => write!(f, "{} ", clipped(package))?,
            (None, None) => f.write_str("a package ")?,
        }
        match &self.how {
            Ending::Failed => f.write_str("failed"),
            Ending::Panicked(text) => write!(f, "panicked: `{}`", clipped(text)),
            Ending::TimedOut(text) => write!(f, "timed out: `{}`", clipped(text)),
            Ending::Exited(code) => write!(f, "ended with exit status {code}"),
            Ending::Killed(name) => write!(f, "was ended by a signal: {}", clipped(name)),
            Ending::NotBuilt(why) => write!(f, "has no results: {}", clipped(why)),
            Ending::Faulted(text) => write!(f, "is faulted by its harness: `{}`", clipped(text)),
            Ending::Cut if self.benchmark.is_some() => {
                f.write_str("breaks off within its line, the last one, which has no end")
            }
            Ending::Cut => f.write_str(
                "has no closing `PASS` or `ok` line: its output is cut, or its lines were chosen by hand",
            ),
        }
    }
}
