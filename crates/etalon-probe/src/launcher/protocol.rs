//! What etalon and its launcher say to each other: JSON, one message a line, over a socket.
//!
//! Owns: the messages. Refuses: versions and negotiation; both ends are the same binary. etalon
//! sends one [`Setup`] and gets [`Reply::Ready`] or [`Reply::Refused`]; then any number of times a
//! [`Batch`], each answered once, when it is over. Closing the socket ends the launcher; SIGTERM
//! ends the batch under way.

use std::io;
use std::path::Path;

use etalon_core::model::{Accept, Outcome, Phase};
use etalon_record::Text;
use serde::{Deserialize, Serialize};

/// A program to execute.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Execute {
    /// The file, as an absolute path (see [`super::resolve()`]).
    pub path: Text,
    /// Its arguments; the first is its name as typed.
    pub argv: Vec<Text>,
}

/// A command to be measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Command {
    /// What is measured.
    pub execute: Execute,
    /// Executed before each execution, not measured.
    pub prepare: Option<Execute>,
    /// Executed after each execution, not measured.
    pub conclude: Option<Execute>,
    /// Which outcomes count as completed.
    #[serde(with = "AcceptDef")]
    pub accept: Accept,
}

/// Where commands read.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub enum Input {
    /// `/dev/null`.
    #[default]
    Null,
    /// etalon's own standard input.
    Inherit,
    /// This file, opened anew before each execution.
    File(Text),
}

/// Where commands write.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub enum Output {
    /// `/dev/null`.
    #[default]
    Null,
    /// Where etalon's own goes.
    Inherit,
    /// A pipe that is emptied; of standard error the last 4 KB are kept to show after a failure.
    Pipe,
    /// This file. Standard output's is emptied before each execution, so it holds what the last one
    /// wrote; standard error is appended.
    File(Text),
}

/// Whether commands get the terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Foreground {
    /// etalon keeps it; a command that reads it is stopped, ended and reported as that.
    #[default]
    Keep,
    /// The command's group has the foreground while it runs, if etalon had it. A Ctrl-C then ends
    /// the command and with it the experiment.
    Lend,
}

/// Standard input, output and error of commands.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Stdio {
    /// Standard input.
    pub stdin: Input,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
    /// The terminal.
    pub foreground: Foreground,
}

impl Default for Stdio {
    /// Nothing to read, output thrown away, the end of standard error kept.
    fn default() -> Stdio {
        Stdio {
            stdin: Input::Null,
            stdout: Output::Null,
            stderr: Output::Pipe,
            foreground: Foreground::Keep,
        }
    }
}

/// Everything that stays the same for all executions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Setup {
    /// The commands; batches refer to them by index.
    pub commands: Vec<Command>,
    /// The whole environment, as `NAME=VALUE`.
    pub environment: Vec<Text>,
    /// The directory commands are executed in; etalon's own if absent. Other paths in here are not
    /// relative to it: give absolute ones.
    pub directory: Option<Text>,
    /// Standard input, output and error.
    pub stdio: Stdio,
    /// Longest time an execution may take, in ns. A hook has the same time for itself.
    pub timeout_ns: Option<u64>,
    /// Names of the run set's metrics, in its order; those the launcher does not know stay absent.
    pub metrics: Vec<String>,
    /// When the run set started, on the monotonic clock: the origin of observations' times.
    pub started_ns: u64,
}

/// What to do when an execution does not count as completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnFailure {
    /// Record it and stop.
    Stop,
    /// Record it; stop if the command could not even be started.
    StopIfNotStarted,
    /// Record it and go on.
    Continue,
}

/// Blocks to execute. A batch is held in memory as a whole and every command starts at the
/// launcher's resident size, so keep it to some thousands of executions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Batch {
    /// What its executions are recorded as.
    #[serde(with = "PhaseDef")]
    pub phase: Phase,
    /// The number of the first block.
    pub first_block: u32,
    /// Indices of commands, in the order they are executed in, by block.
    pub blocks: Vec<Vec<usize>>,
    /// No block is begun after this time on the monotonic clock.
    pub deadline_ns: Option<u64>,
    /// What to do about failures.
    pub on_failure: OnFailure,
}

/// What was executed around a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hook {
    /// Before it.
    Prepare,
    /// After it.
    Conclude,
}

/// What the launcher answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Reply {
    /// Set up.
    Ready {
        /// What the resident size of a command starts at, in bytes: the launcher's own.
        floor_rss: Option<u64>,
    },
    /// Not set up.
    Refused(Refusal),
    /// A batch is over.
    Over {
        /// Blocks that were executed as a whole.
        blocks_finished: u32,
        /// Why it is over.
        why: Over,
    },
}

/// Why a batch is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Over {
    /// All blocks were executed.
    Done,
    /// The deadline came first.
    DeadlinePassed,
    /// Something failed, and it was to stop for that.
    Stopped(Failure),
    /// An observation could not be written.
    WriteFailed {
        /// The file.
        path: Text,
        /// The operating system's reason.
        why: String,
        /// The file's size, all whole lines; absent where that is not sure (not a regular file).
        safe: Option<u64>,
    },
    /// The experiment was interrupted. The execution in flight is not recorded.
    Interrupted,
}

/// What failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Index of the command.
    pub command: usize,
    /// The hook that failed, if it was not the command itself.
    pub hook: Option<Hook>,
    /// How it ended.
    #[serde(with = "OutcomeDef")]
    pub outcome: Outcome,
    /// The end of what it wrote to standard error, at most 4 KB; empty unless that was a pipe.
    pub stderr: Text,
}

/// Why the launcher cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// What could not be had: a file's path, or words for it.
    pub subject: Text,
    /// The operating system's reason.
    pub why: String,
}

impl Refusal {
    pub(super) fn of(subject: &str, error: &io::Error) -> Refusal {
        Refusal { subject: Text::from(subject), why: error.to_string() }
    }

    pub(super) fn of_path(path: &Path, error: &io::Error) -> Refusal {
        Refusal { subject: Text::from(path.as_os_str()), why: error.to_string() }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Accept")]
enum AcceptDef {
    Zero,
    Any,
    Codes(Vec<i32>),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Phase")]
enum PhaseDef {
    Warmup,
    Measured,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Outcome")]
enum OutcomeDef {
    Ok,
    Failed { code: i32 },
    Killed { signal: i32 },
    TimedOut,
    NotStarted { why: String },
}
