//! Why there is no launcher: what etalon can say about it.

use std::io;
use std::process::ExitStatus;

use super::process::SELF;
use crate::launcher::protocol::Refusal;
use crate::limits::explained;

/// Why there is no launcher, or no longer one.
#[derive(Debug, thiserror::Error)]
pub enum LauncherError {
    /// It could not be started.
    #[error("cannot start the launcher from {SELF}: {}", not_started(.0))]
    Start(io::Error),
    /// It could not open or enter something.
    #[error("{}: {}", .0.subject, .0.why)]
    Refused(Refusal),
    /// It is gone; how it ended, where that is known.
    #[error("the launcher ended unexpectedly{}: what was measured is in the record", how(*.0))]
    Lost(Option<ExitStatus>),
    /// A request names a command or hook that was not set up, or a batch has not one padding per
    /// block.
    #[error("a request names what was not set up: this is a fault in etalon")]
    NoSuchCommand,
    /// It could not be spoken to.
    #[error("cannot speak to the launcher: {}", explained(.0))]
    Control(io::Error),
}

/// Why a process could not be started, and what to look at.
pub(crate) fn not_started(error: &io::Error) -> String {
    let hint = match error.kind() {
        io::ErrorKind::NotFound => ": is /proc mounted?",
        _ => "",
    };
    format!("{}{hint}", explained(error))
}

/// How it ended, in parentheses, where that is known.
pub(crate) fn how(status: Option<ExitStatus>) -> String {
    status.map_or_else(String::new, |status| format!(" ({status})"))
}
