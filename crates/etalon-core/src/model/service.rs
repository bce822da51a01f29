//! A service: a program that was there while something was measured.

use super::Outcome;

/// A service, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Its name.
    pub name: String,
    /// The command that started it, as typed.
    pub start: String,
    /// Its own word on its version, where it was asked.
    pub version: Option<String>,
    /// Why it ended.
    pub ended: ServiceEnd,
    /// How its process ended; of a daemon, the last of its processes.
    pub outcome: Outcome,
    /// Processes of it that had to be killed.
    pub killed: u32,
    /// How much it wrote to standard output and error.
    pub log_bytes: u64,
    /// The end of that, lossy where it was not UTF-8.
    pub log: String,
}

/// Why a service ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceEnd {
    /// It was asked to, and did.
    Stopped,
    /// It was asked to, and had to be killed; or there was no time to ask.
    Killed,
    /// By itself.
    Itself,
}
