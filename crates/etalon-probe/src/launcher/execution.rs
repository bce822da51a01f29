//! An execution and its role: plain data.

use std::io;

use etalon_core::model::{NotStarted, Outcome};

use super::metrics::Values;
use crate::clock::now_ns;
use crate::limits::explained;

/// The role of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A command, with everything that is read of it.
    Command,
    /// A hook, of which nothing but its outcome is wanted.
    Hook,
}

/// One execution.
#[derive(Debug)]
pub(super) struct Execution {
    pub(super) outcome: Outcome,
    /// When it began, on the monotonic clock.
    pub(super) began_ns: u64,
    pub(super) values: Values,
    /// Descendants that were still alive at its end.
    pub(super) orphans: u32,
}

/// How an execution went.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one at a time; a box would be an allocation"
)]
pub(super) enum Executed {
    /// It came to an end.
    Finished(Execution),
    /// The experiment was stopped before or while it ran.
    Interrupted,
}

impl Execution {
    /// An execution that did not come about, now.
    pub(super) fn not_started(error: &io::Error) -> Execution {
        Execution {
            outcome: Outcome::NotStarted { why: NotStarted::Other(explained(error)) },
            began_ns: now_ns(),
            values: Values::default(),
            orphans: 0,
        }
    }
}
