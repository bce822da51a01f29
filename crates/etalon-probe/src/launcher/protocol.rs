//! Messages between etalon and its launcher: JSON, one message a line, over a socket.
//!
//! Owns: the messages. Refuses: versions and negotiation; both ends are the same binary. etalon
//! sends one [`Setup`] and gets [`Reply::Ready`] or [`Reply::Refused`]; then any number of times a
//! [`Request`], each answered once, when it is over (a [`Perform`] also when it begins). Closing
//! the socket ends the launcher; SIGTERM ends what is under way.

mod asked;
mod stdio;

use std::io;
use std::path::Path;

use etalon_core::model::{Accept, NotStarted, Outcome, Phase};
use etalon_record::Text;
use etalon_record::printed::Place;
use serde::{Deserialize, Serialize};

pub use asked::{Aslr, Cgroup, Control, Counters, Events, Groups, Overhead, Ready, Unavailable};
pub use stdio::{Foreground, Input, Output, Stdio};

use crate::limits::explained;

/// The variable of the environment whose length differs from block to block, where that is asked for.
pub const PADDING_VARIABLE: &str = "ETALON_PAD";

/// A program to execute.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Execute {
    /// The file, as an absolute path (see [`super::resolve()`]).
    pub path: Text,
    /// Its arguments; the first is its name as typed.
    pub argv: Vec<Text>,
    /// Variables of its own, as `NAME=VALUE`: they take the place of those of [`Setup::environment`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<Text>,
    /// An absolute directory of its own, in place of [`Setup::directory`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<Text>,
}

/// A command to be measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Command {
    /// The program that is measured.
    pub execute: Execute,
    /// Executed before each execution, not measured.
    pub prepare: Option<Execute>,
    /// Executed after each execution, not measured.
    pub conclude: Option<Execute>,
    /// Which outcomes count as completed.
    #[serde(with = "AcceptDef")]
    pub accept: Accept,
    /// Files of its own.
    #[serde(default)]
    pub files: Files,
}

/// Files that a command has in place of those of [`Setup::stdio`], by absolute path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Files {
    /// Read from its beginning by each execution.
    pub input: Option<Text>,
    /// Gets the output; emptied before each execution.
    pub output: Option<Text>,
}

/// Everything that stays the same for all executions.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Setup {
    /// The commands; batches refer to them by index.
    pub commands: Vec<Command>,
    /// Hooks outside of batches; [`Perform`] refers to them by index.
    pub hooks: Vec<Execute>,
    /// The whole environment, as `NAME=VALUE`.
    pub environment: Vec<Text>,
    /// The directory commands are executed in; etalon's own if absent. Other paths in here are not
    /// relative to it: give absolute ones.
    pub directory: Option<Text>,
    /// Standard input, output and error.
    pub stdio: Stdio,
    /// Longest time an execution may take, in ns. A hook has the same time for itself.
    pub timeout_ns: Option<u64>,
    /// The conditions that everything is executed under.
    pub control: Control,
    /// Whether events are counted.
    pub counters: Counters,
    /// Whether each execution gets a control group.
    pub cgroup: Cgroup,
    /// Names of the run set's metrics, in its order; those the launcher does not know stay absent.
    pub metrics: Vec<String>,
    /// Metrics that are read in what commands print, with [`Output::Read`]; behind all others in `metrics`.
    #[serde(default)]
    pub printed: Vec<Printed>,
    /// How often a command says that it repeated its work, where it does.
    #[serde(default)]
    pub iterations: Option<Place>,
    /// When the run set started, on the monotonic clock: the origin of observations' times.
    pub started_ns: u64,
}

/// The course after an execution that does not count as completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnFailure {
    /// Record it and stop.
    Stop,
    /// Record it; stop if the command could not even be started.
    StopIfNotStarted,
    /// Record it, and leave the command out of the rest of the batch.
    GiveUp,
    /// Record it and go on.
    Continue,
}

/// Blocks to execute. A batch is held in memory as a whole and every command starts at the
/// launcher's resident size, so keep it to some thousands of executions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Batch {
    /// The phase that its executions are recorded as.
    #[serde(with = "PhaseDef")]
    pub phase: Phase,
    /// The number of the first block.
    pub first_block: u32,
    /// Indices of commands, in the order they are executed in, by block.
    pub blocks: Vec<Vec<usize>>,
    /// By block, the length of the value of `ETALON_PAD` that every command and hook of the block
    /// has in its environment; empty if there is to be no such variable, else as long as `blocks`.
    pub padding: Vec<u32>,
    /// No block is begun after this time on the monotonic clock.
    pub deadline_ns: Option<u64>,
    /// The course after failures.
    pub on_failure: OnFailure,
}

impl Default for Batch {
    /// No blocks; if there were any, measured ones whose failures are recorded.
    fn default() -> Batch {
        Batch {
            phase: Phase::Measured,
            first_block: 0,
            blocks: Vec::new(),
            padding: Vec::new(),
            deadline_ns: None,
            on_failure: OnFailure::Continue,
        }
    }
}

/// A hook to execute, once. Nothing of it is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Perform {
    /// Index into [`Setup::hooks`].
    pub hook: usize,
    /// Its role. A [`Hook::Conclude`] or [`Hook::Cleanup`] is executed in spite of an interrupt that came
    /// before it; one that comes while it is executed ends it.
    pub role: Hook,
    /// Index of the command it belongs to: what [`Failure::command`] will be.
    pub command: usize,
    /// When what it leaves running has to end.
    pub extent: Extent,
}

/// When something has to end that a hook has started and that goes on. What prepares and conclusions of a [`Batch`]
/// leave is of its stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// After the cleanups of the stage.
    Stage,
    /// After the cleanup around all stages.
    All,
}

/// Processes that hooks had left running when they had to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leftover {
    /// The hooks.
    pub hook: Hook,
    /// How many processes; never none.
    pub processes: u32,
}

/// A request of etalon to a launcher that is set up.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Request {
    /// Execute some blocks.
    Batch(Batch),
    /// Execute a setup or cleanup.
    Perform(Perform),
    /// End what hooks have left running that has to end now: with [`Extent::All`], everything.
    End(Extent),
}

/// A role of a program that is executed around a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hook {
    /// Once, before anything else of it: whether it is installed.
    Requires,
    /// Once, before all its executions.
    Setup,
    /// Before each.
    Prepare,
    /// After each one that was begun, however it ended: a failure, a timeout, an interrupt. Only
    /// the end of etalon itself, or a second interrupt, leaves it out.
    Conclude,
    /// Once, after all its executions.
    Cleanup,
}

/// An answer of the launcher.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Reply {
    /// Set up.
    Ready(Ready),
    /// Not set up.
    Refused(Refusal),
    /// A [`Perform`] is under way: an interrupt from here on is meant for it.
    Begun,
    /// A request is over.
    Over {
        /// Blocks that were executed as a whole.
        blocks_finished: u32,
        /// Why it is over.
        why: Over,
        /// Bytes that were appended meanwhile.
        appended: Appended,
        /// Indices of the commands that were left out of the rest, see [`OnFailure::GiveUp`].
        #[serde(default)]
        given_up: Vec<usize>,
        /// Places in [`Setup::printed`] of the metrics that no command has printed so far.
        #[serde(default)]
        unseen: Vec<usize>,
        /// Processes that [`Request::End`] found and has ended.
        #[serde(default)]
        leftovers: Vec<Leftover>,
    },
}

/// A metric that is read in what commands print.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    /// Index of the metric in the run set.
    pub metric: usize,
    /// The unit that numbers are recorded in.
    pub unit: String,
    /// Where its number stands.
    pub place: Place,
}

/// Bytes of whole lines that were appended to the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appended {
    /// To the record.
    pub record: u64,
    /// To the second file.
    pub second: u64,
}

/// Why a request is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Over {
    /// All blocks, or the hook, were executed.
    Done,
    /// The deadline came first.
    DeadlinePassed,
    /// Something failed, and it was to stop for that.
    Stopped(Failure),
    /// An observation could not be written.
    WriteFailed {
        /// As the caller named it.
        path: Text,
        /// The operating system's reason.
        why: String,
        /// The file's size, all whole lines; absent where that is not sure (not a regular file).
        safe: Option<u64>,
    },
    /// The experiment was interrupted. The execution in flight is not recorded.
    Interrupted,
}

/// A failure of a command or a hook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Index of the command.
    pub command: usize,
    /// The hook that failed, if it was not the command itself.
    pub hook: Option<Hook>,
    /// How it ended.
    #[serde(with = "OutcomeDef")]
    pub outcome: Outcome,
    /// The first KB and the last 3 KB that it wrote to standard error; empty unless that was a pipe.
    pub stderr: Text,
}

/// Why the launcher cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The thing that could not be had: a file's path, or words for it.
    pub subject: Text,
    /// The operating system's reason.
    pub why: String,
}

impl Refusal {
    pub(super) fn about(subject: &str, error: &io::Error) -> Refusal {
        Refusal { subject: Text::from(subject), why: explained(error) }
    }

    pub(super) fn about_path(path: &Path, error: &io::Error) -> Refusal {
        Refusal { subject: Text::from(path.as_os_str()), why: explained(error) }
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
pub(crate) enum OutcomeDef {
    Ok,
    Failed {
        code: i32,
    },
    Killed {
        signal: i32,
    },
    TimedOut,
    Suspended,
    NotStarted {
        #[serde(with = "NotStartedDef")]
        why: NotStarted,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "NotStarted")]
enum NotStartedDef {
    NotInstalled,
    Skipped(Option<String>),
    NoMatch,
    NotBuilt(String),
    NoResult(String),
    Other(String),
}
