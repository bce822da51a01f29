//! Errors around an execution. Failures of what is measured are not errors; they are
//! outcomes, and [`crate::Finished`] tells of the one that stopped it.

mod nodes;
mod origin;
mod service;

use etalon_core::analysis::AnalysisError;
use etalon_lua::WorkerError;
use etalon_probe::launcher::LauncherError;
use etalon_probe::launcher::protocol::Refusal;
use etalon_record::ReadError;
use etalon_record::sink::WriteError;

use crate::sides::SidesError;

pub use nodes::NodesError;
pub use origin::OriginError;
pub(crate) use service::how;
pub use service::{ServiceError, Trouble};

/// Why an execution could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file could not be written; what is in it is intact.
    #[error(transparent)]
    Write(WriteError),
    /// The launcher could not be started or was lost.
    #[error(transparent)]
    Launcher(LauncherError),
    /// A Lua worker could not be started, or said what nobody understands.
    #[error(transparent)]
    Worker(WorkerError),
    /// A service could not be had, or ended before it was to.
    #[error(transparent)]
    Service(ServiceError),
    /// There are no nodes, or none any more.
    #[error(transparent)]
    Nodes(NodesError),
    /// A commit cannot be checked out.
    #[error(transparent)]
    Sides(SidesError),
    /// A side does not execute what is its own.
    #[error(transparent)]
    Origin(OriginError),
    /// The launcher could not set up what was asked for.
    #[error("{}: {}", .0.subject.to_string_lossy(), .0.why)]
    Refused(Refusal),
    /// The ranked metric cannot be measured here.
    #[error("--metric {metric}: not available; {why}")]
    NotAvailable {
        /// As it was asked for.
        metric: String,
        /// The system's refusal.
        why: String,
    },
    /// There is nothing that counts instructions.
    #[error(
        "--count: {why}; it counts with valgrind: install that (apt install valgrind), or leave --count out"
    )]
    NoValgrind {
        /// Why it is not to be had.
        why: String,
    },
    /// No command printed a metric in the first block.
    #[error("no command printed the metric number {metric}")]
    NothingPrinted {
        /// Index of the metric.
        metric: usize,
    },
    /// A command wrote no results in its first execution.
    #[error(
        "`{subject}`: no results: {why}; execute it by hand to see where it writes them, and say that with {{results}}, or \
         with --results FORMAT=PATH"
    )]
    Results {
        /// The command.
        subject: String,
        /// The fault of them.
        why: String,
    },
    /// It cannot be said which benchmark of a harness is meant.
    #[error("{why}")]
    NoBenchmark {
        /// Why, and how to say it.
        why: String,
    },
    /// The record just written could not be read back.
    #[error(transparent)]
    Read(ReadError),
    /// It could be read but not used.
    #[error(
        "a look could not analyse the record ({0:?}): this is a fault in etalon; what was measured is in the record"
    )]
    Analysis(AnalysisError),
}
