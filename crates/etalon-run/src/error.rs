//! What can go wrong around an execution. Failures of what is measured are not errors; they are
//! outcomes, and [`crate::Finished`] tells of the one that stopped it.

use etalon_core::analysis::AnalysisError;
use etalon_lua::WorkerError;
use etalon_probe::launcher::LauncherError;
use etalon_probe::launcher::protocol::Refusal;
use etalon_record::ReadError;
use etalon_record::sink::WriteError;

/// Why an execution could not go on.
#[derive(Debug)]
pub enum RunError {
    /// A file could not be written; what is in it is intact.
    Write(WriteError),
    /// The launcher could not be started or was lost.
    Launcher(LauncherError),
    /// A Lua worker could not be started, or said what nobody understands.
    Worker(WorkerError),
    /// The launcher could not set up what was asked for.
    Refused(Refusal),
    /// What is to be ranked cannot be measured here.
    NotAvailable {
        /// The metric.
        metric: String,
        /// The reason.
        why: String,
    },
    /// The record just written could not be read back.
    Read(ReadError),
    /// It could be read but not used.
    Analysis(AnalysisError),
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Write(error) => error.fmt(f),
            RunError::Launcher(error) => error.fmt(f),
            RunError::Worker(error) => error.fmt(f),
            RunError::Refused(refusal) => {
                write!(f, "{}: {}", refusal.subject.to_string_lossy(), refusal.why)
            }
            RunError::NotAvailable { metric, why } => {
                write!(f, "--metric {metric}: not available; {why}")
            }
            RunError::Read(error) => error.fmt(f),
            RunError::Analysis(error) => write!(f, "the record cannot be analysed: {error:?}"),
        }
    }
}

impl std::error::Error for RunError {}
