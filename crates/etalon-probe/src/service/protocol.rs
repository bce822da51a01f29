//! Messages between etalon and a guard: JSON, one message a line, over a socket.
//!
//! Owns: the messages. etalon sends one [`Setup`] behind the open files of [`super::client`], then [`Order`]; a guard
//! answers each with a [`Reply`], and says [`Reply::Ended`] unasked. Closing the socket has the guard stop the service.

use etalon_core::model::Outcome;
use etalon_record::Text;
use serde::{Deserialize, Serialize};

use crate::launcher::protocol::{Execute, OutcomeDef};

/// A service as its guard needs to know it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Setup {
    /// The service itself.
    pub start: Execute,
    /// The command that ends it, if that is no signal.
    pub stop: Option<Execute>,
    /// The whole environment of its commands, as `NAME=VALUE`.
    pub environment: Vec<Text>,
    /// The absolute directory they are executed in.
    pub directory: Text,
    /// How long it may take to end, in ns.
    pub stop_within_ns: u64,
}

/// A request of etalon to a guard.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Order {
    /// Start the service: [`Reply::Started`] or [`Reply::NotStarted`].
    Start,
    /// Execute a command beside it: [`Reply::Executed`].
    Execute {
        /// The command.
        execute: Execute,
        /// How long it may take, in ns.
        within_ns: u64,
    },
    /// Stop the service: [`Reply::Stopped`], and the guard ends.
    Stop,
    /// Stop it without waiting for anything.
    Kill,
}

/// A message of a guard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// The service's program is executed.
    Started,
    /// It is not.
    NotStarted {
        /// The operating system's reason.
        why: String,
    },
    /// A command beside it has ended.
    Executed(Executed),
    /// The service has ended by itself.
    Ended(Ended),
    /// It is no more, whether it was stopped or not.
    Stopped(Stopped),
}

/// How a command beside a service ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Executed {
    /// How it ended.
    #[serde(with = "OutcomeDef")]
    pub outcome: Outcome,
    /// Its output on both streams, the first 16 KB.
    pub output: Text,
}

/// How a service ended by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// How its process ended; of a daemon, the last of its processes.
    #[serde(with = "OutcomeDef")]
    pub outcome: Outcome,
    /// Whether it was a daemon: its command had ended well, and left something running.
    pub daemon: bool,
}

/// How a service was stopped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stopped {
    /// How its process ended; of a daemon, the last of its processes. `Ok` where none was started.
    #[serde(with = "OutcomeDef")]
    pub outcome: Outcome,
    /// Processes that had to be killed.
    pub killed: u32,
    /// How the command that stops it ended, if it has one and that was not done well.
    pub stop_failed: Option<Executed>,
}
