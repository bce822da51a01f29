//! What only the two ends of the socket need to know: how the launcher is recognised, and which
//! descriptors it inherits.

use std::os::fd::RawFd;

use etalon_record::{BenchmarkLine, Text};
use serde::{Deserialize, Serialize};

use super::protocol::Setup;

/// The launcher's `argv[0]`: what a process list shows, and how the binary knows that it is one.
/// The socket's descriptor and etalon's process follow as arguments.
pub(super) const MARKER: &str = "etalon-launcher";

/// `argv[0]` of this binary when it is executed to find out what executing something costs: it ends
/// at once.
pub(super) const IDLE: &str = "etalon-idle";

/// The first message.
#[derive(Serialize, Deserialize)]
pub(super) struct Wire {
    pub(super) setup: Setup,
    pub(super) record: Inherited,
    pub(super) second: Option<Inherited>,
    /// The second file's lines are CSV rows of these benchmarks, not the record's.
    pub(super) rows: Option<Vec<BenchmarkLine>>,
}

/// An open file the launcher inherits.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Inherited {
    pub(super) descriptor: RawFd,
    pub(super) path: Text,
}
