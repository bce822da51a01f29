//! Why there is no launcher: what etalon can say about it.

use std::fmt;
use std::io;
use std::process::ExitStatus;

use super::SELF;
use crate::launcher::protocol::Refusal;
use crate::limits::explained;

/// Why there is no launcher, or no longer one.
#[derive(Debug)]
pub enum LauncherError {
    /// It could not be started.
    Start(io::Error),
    /// It could not open or enter something.
    Refused(Refusal),
    /// It is gone; how it ended, where that is known.
    Lost(Option<ExitStatus>),
    /// A request names a command or hook that was not set up, or a batch has not one padding per
    /// block.
    NoSuchCommand,
    /// It could not be spoken to.
    Control(io::Error),
}

impl fmt::Display for LauncherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LauncherError::Start(error) => {
                write!(f, "cannot start the launcher from {SELF}: {}", explained(error))?;
                match error.kind() {
                    io::ErrorKind::NotFound => f.write_str(": is /proc mounted?"),
                    _ => Ok(()),
                }
            }
            LauncherError::Refused(Refusal { subject, why }) => write!(f, "{subject}: {why}"),
            LauncherError::Lost(Some(status)) => write!(
                f,
                "the launcher ended unexpectedly ({status}): what was measured is in the record"
            ),
            LauncherError::Lost(None) => {
                f.write_str("the launcher ended unexpectedly: what was measured is in the record")
            }
            LauncherError::NoSuchCommand => {
                f.write_str("a request names what was not set up: this is a fault in etalon")
            }
            LauncherError::Control(error) => {
                write!(f, "cannot speak to the launcher: {}", explained(error))
            }
        }
    }
}

impl std::error::Error for LauncherError {}
