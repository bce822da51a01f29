//! Failures and exit codes. One place decides what a program that called etalon learns:
//! 0 done · 1 a measured thing failed · 2 usage, input or output error, or a command that cannot be
//! started · 3 a check failed only because something is unclear · 130 interrupted.

use std::fmt::{self, Display};
use std::io;
use std::process::ExitCode;

use etalon_record::ReadError;

/// The error of Linux when a terminal is written to that was closed.
const EIO: i32 = 5;

/// How a subcommand ended that did its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything done.
    Done,
    /// A measured thing failed, or a check did.
    Failed,
    /// A check failed only because something is unclear.
    Unclear,
    /// Nothing was compared of what was to be compared; why was told.
    Empty,
    /// Ended by the user; what there is was saved and shown.
    Interrupted,
}

impl Exit {
    /// Its number.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Empty => 2,
            Exit::Unclear => 3,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Whether somebody reads what is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    There,
    /// Whoever read our output has gone; the data are saved.
    Gone,
}

/// An error: what was wrong, where, what to do.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Usage, input or output.
    Usage,
    /// Whoever reads our output has gone; nothing to say and nobody to say it to.
    ClosedPipe,
    /// The user ended it before anything was measured.
    Interrupted,
    /// One of two sides has nothing that can be measured: a measured thing failed.
    Side,
    /// The device does not take our output: a terminal that was closed, or a broken disk.
    Device,
}

impl Failure {
    /// An error about usage, input or output.
    pub(crate) fn new(message: impl Display) -> Failure {
        Failure { message: message.to_string(), kind: Kind::Usage }
    }

    /// The user ended it before anything was measured.
    pub(crate) fn interrupted(message: impl Display) -> Failure {
        Failure { message: message.to_string(), kind: Kind::Interrupted }
    }

    /// A side of a project does not build, or has not what is to be measured.
    pub(crate) fn of_side(message: impl Display) -> Failure {
        Failure { message: message.to_string(), kind: Kind::Side }
    }

    /// An error about something named.
    pub(crate) fn about(subject: impl Display, message: impl Display) -> Failure {
        Failure::new(format!("{subject}: {message}"))
    }

    /// An error while writing the report.
    pub(crate) fn of_output(error: &io::Error) -> Failure {
        let kind = match error.kind() {
            io::ErrorKind::BrokenPipe => Kind::ClosedPipe,
            _ if error.raw_os_error() == Some(EIO) => Kind::Device,
            _ => Kind::Usage,
        };
        let message = format!("cannot write to standard output: {error}");
        Failure { message, kind }
    }

    /// The failure as one after everything was measured: nothing has to be measured again, if that is kept.
    pub(crate) fn after_saving(self, kept: Option<&str>) -> Failure {
        let Some(reference) = kept else { return self };
        Failure {
            message: format!("{}; what was measured is saved as {reference}", self.message),
            ..self
        }
    }

    /// Whether an execution that was interrupted may end with this as with its interrupt: whoever
    /// would have read its report went with it.
    pub(crate) fn follows_interrupt(&self) -> bool {
        matches!(self.kind, Kind::ClosedPipe | Kind::Device)
    }

    /// Whether the user ended it.
    pub(crate) fn is_interrupt(&self) -> bool {
        self.kind == Kind::Interrupted
    }

    /// Its message, for an error that another one is about to hide.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The code that a program ends with, and whether there is anybody to say why.
    pub(crate) fn ending(&self) -> (ExitCode, Audience) {
        match self.kind {
            Kind::ClosedPipe => (Exit::Done.into(), Audience::Gone),
            Kind::Interrupted => (Exit::Interrupted.into(), Audience::There),
            Kind::Side => (Exit::Failed.into(), Audience::There),
            Kind::Usage | Kind::Device => (ExitCode::from(2), Audience::There),
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        Failure::new(error)
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
