//! Why a worker cannot be worked with: what etalon can say about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use etalon_probe::limits::explained;

/// Why a worker cannot be worked with. How it ended is no error, but an answer.
#[derive(Debug)]
pub enum WorkerError {
    /// It could not be started.
    Start {
        /// The program.
        program: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It could not be spoken to.
    Control(io::Error),
    /// It does not take requests.
    Deaf,
    /// It said something that is not part of the protocol.
    Garbled {
        /// The beginning of the line.
        line: String,
        /// What is wrong with it.
        why: String,
    },
}

impl WorkerError {
    pub(super) fn garbled(line: &[u8], why: &str) -> WorkerError {
        let shown = &line[..line.len().min(200)];
        let line = String::from_utf8_lossy(shown).trim_end().to_owned();
        WorkerError::Garbled { line, why: why.to_owned() }
    }
}

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkerError::Start { program, error } => {
                let why = explained(error);
                write!(f, "cannot start a Lua worker from {}: {why}", program.display())?;
                match error.kind() {
                    io::ErrorKind::NotFound if program.starts_with("/proc") => {
                        f.write_str(": is /proc mounted?")
                    }
                    _ => Ok(()),
                }
            }
            WorkerError::Control(error) => write!(f, "cannot speak to the Lua worker: {error}"),
            WorkerError::Deaf => f.write_str("the Lua worker takes no requests: is it stopped?"),
            WorkerError::Garbled { line, why } => {
                write!(f, "the Lua worker said what etalon does not understand: {why}: {line}")
            }
        }
    }
}

impl std::error::Error for WorkerError {}
