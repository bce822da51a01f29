//! Limits of a worker, and who sets them.

use std::fmt;

/// The limits of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Its memory; the machine's without.
    pub memory: Option<MemoryLimit>,
}

/// How much memory a worker may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimit {
    /// Its address space, in bytes; never above the hard limit of this process.
    pub bytes: u64,
    /// Where that is from.
    pub origin: MemoryOrigin,
}

/// Where a limit is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryOrigin {
    /// It was asked for.
    Asked,
    /// It is half of what was available.
    Available,
    /// etalon itself was started under it.
    Inherited,
}

impl Limits {
    pub(crate) fn bytes(&self) -> Option<u64> {
        self.memory.map(|memory| memory.bytes)
    }
}

impl fmt::Display for MemoryLimit {
    #[allow(clippy::cast_precision_loss)] // three digits are shown
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = self.bytes as f64 / 1e6;
        let why = match self.origin {
            MemoryOrigin::Asked => "--memory-limit",
            MemoryOrigin::Available => "half of what was available; --memory-limit allows more",
            MemoryOrigin::Inherited => "etalon was started under this limit: ulimit -v",
        };
        write!(f, "its process may have {megabytes:.0} MB ({why})")
    }
}
