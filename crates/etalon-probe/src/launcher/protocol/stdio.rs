//! Where commands read and write.
//!
//! Owns: the words for it. Refuses: opening anything; that is `streams`' business.

use etalon_record::Text;
use serde::{Deserialize, Serialize};

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
    /// A file in memory, emptied before each execution and read after it, see [`super::Setup::printed`]. Of standard
    /// output only.
    Read,
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
    /// Whose the terminal is while a command is executed.
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
