//! Why a worker cannot be worked with: what etalon can say about it.

use std::io;

use etalon_probe::limits::explained;

/// Why a worker cannot be worked with. How it ended is no error, but an answer.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// It could not be started.
    #[error("cannot start a Lua worker: {}", not_started(.0))]
    Start(io::Error),
    /// It could not be spoken to.
    #[error("cannot speak to the Lua worker: {0}")]
    Control(io::Error),
    /// It does not take requests.
    #[error("the Lua worker takes no requests: is it stopped?")]
    Deaf,
    /// It said something that is not part of the protocol.
    #[error("the Lua worker said what etalon does not understand: {why}: {line}")]
    Garbled {
        /// The beginning of the line.
        line: String,
        /// The complaint about it.
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

/// Why a process could not be started, and what to look at.
fn not_started(error: &io::Error) -> String {
    let hint = match error.kind() {
        io::ErrorKind::NotFound => "; is /proc mounted, and the suite's directory still there?",
        _ => "",
    };
    format!("{}{hint}", explained(error))
}
