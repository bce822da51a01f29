//! Which files a program opens, and which names it sees: one execution of it under a tracer, without privileges.
//!
//! Owns: a tracer, which is this binary re-executed in the program's place ([`Report::around`]), so that whoever starts
//! programs starts, limits and ends it as the program itself; and what it reports ([`Trace`]). It follows threads and
//! children, static programs and those that make system calls without a library; only the few calls that it asks for
//! stop (seccomp), so that all others cost nothing. Where it may not trace, it executes nothing and says why ([`Gap`]).
//! Refuses: to say what files mean, and to time anything: a traced program is a slower one.

mod calls;
mod filter;
mod sockets;
mod tracer;

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::path::Path;

use etalon_record::Text;
use serde::{Deserialize, Serialize};

use crate::launcher::client::process::SELF;
use crate::launcher::protocol::Execute;
use crate::memory_file;

/// The tracer's `argv[0]`. The file for its report follows, the program's path, and the program's arguments.
const MARKER: &str = "etalon-tracer";

/// The files that an execution opened, and the names that it saw.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// Absolute paths of files that were opened to be read, programs included, links followed. Files of the kernel
    /// (`/proc`, `/sys`, `/dev`) and directories opened as such are not among them.
    pub opened: BTreeSet<Text>,
    /// Absolute paths of what was asked about by its name and is there (stat(2), readlink(2)), but for directories:
    /// programs ask about these where they look for something. Links of their directories are followed.
    #[serde(default)]
    pub asked_about: BTreeSet<Text>,
    /// Directories whose names were read, each with the program that did.
    #[serde(default)]
    pub listed: BTreeSet<(Text, Text)>,
    /// The file that the program was given as standard input.
    pub input: Option<Text>,
    /// Sockets of other programs that it connected to: what those read is not in here.
    pub peers: BTreeSet<Text>,
    /// Why files may be missing; empty if none is.
    pub gaps: Vec<Gap>,
}

/// Why a trace is not complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gap {
    /// The system does not let it trace: nothing was executed.
    NotPermitted {
        /// The system's reason.
        why: String,
    },
    /// A program gets another user's rights, which it does not get where it is traced.
    Privileged(Text),
    /// A program of another architecture, whose system calls have other numbers.
    Foreign(Text),
    /// It traces processes by itself; there is one tracer a process.
    Tracer,
    /// It has the kernel open files for it without a system call each.
    Ring,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::NotPermitted { why } => write!(f, "the system does not permit tracing ({why})"),
            Gap::Privileged(program) => {
                let program = program.to_string_lossy();
                write!(f, "{program} gets another user's rights, which no traced program does")
            }
            Gap::Foreign(program) => {
                write!(f, "{} is of another architecture", program.to_string_lossy())
            }
            Gap::Tracer => f.write_str("it traces processes by itself"),
            Gap::Ring => f.write_str("it may open files through io_uring, which is not traced"),
        }
    }
}

/// Where a tracer reports to: a file in memory, which this process holds.
#[derive(Debug)]
pub struct Report(File);

impl Report {
    /// An empty one.
    ///
    /// # Errors
    /// If the system has no such files.
    pub fn new() -> io::Result<Report> {
        memory_file::named(c"etalon-trace").map(Report)
    }

    /// Wraps a program in a tracer that reports here, as long as this process lives. It ends as the program does.
    #[must_use]
    pub fn around(&self, execute: &Execute) -> Execute {
        let file = format!("/proc/{}/fd/{}", std::process::id(), self.0.as_raw_fd());
        let mut argv = vec![Text::from(MARKER), Text::from(file), execute.path.clone()];
        argv.extend(execute.argv.iter().cloned());
        Execute { path: Text::from(SELF), argv, ..execute.clone() }
    }

    /// Takes the report; nothing if the tracer did not come to its end.
    #[must_use]
    pub fn read(mut self) -> Option<Trace> {
        let mut text = Vec::new();
        self.0.rewind().and_then(|()| self.0.read_to_end(&mut text)).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

/// Becomes the tracer, and does not return, if this process was started to be it. Call it first thing in `main`, after
/// the launcher: what was done before counts into the launcher's size.
#[expect(clippy::disallowed_methods, reason = "here this process is the tracer, not etalon")]
pub fn run_if_asked() {
    let mut arguments = std::env::args_os();
    if arguments.next().is_none_or(|name| name != *MARKER) {
        return;
    }
    let (Some(file), Some(program)) = (arguments.next(), arguments.next()) else { return };
    let words: Vec<_> = arguments.collect();
    let report = File::options().write(true).open(Path::new(&file));
    let Ok(mut report) = report else { std::process::exit(127) };
    let (trace, ended) = tracer::trace(&program, &words);
    let written = serde_json::to_vec(&trace).map_err(io::Error::other);
    // Without it, whoever waits for it says that there is none.
    let _unwritten = written.and_then(|text| report.write_all(&text));
    ended.repeat()
}
