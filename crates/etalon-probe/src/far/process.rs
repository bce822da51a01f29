//! A process of ssh for one thing that is done on another machine: what it says, for how long, and its end.
//!
//! Refuses to know what is done there.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::ground::{BEGIN, END};
use super::limited::Until;
use crate::memory_file;

/// How often is looked whether something has happened that nobody tells.
pub(super) const PATIENCE: Duration = Duration::from_millis(10);

/// Lines of login scripts that are passed over, at most, and bytes of all of it.
const CHATTER: usize = 1000;
const MUCH: u64 = 1 << 20;

/// A session.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) child: Child,
    pub(super) input: Option<ChildStdin>,
    pub(super) output: Option<BufReader<ChildStdout>>,
    pub(super) said: File,
}

impl Process {
    /// Has each of its lines heard, as far as they are text, until nobody wants more or the moment has come. An error
    /// says that it has, or that it is too much.
    pub(super) fn hear(
        &mut self,
        end: Instant,
        mut wants_more: impl FnMut(io::Result<String>) -> bool,
    ) {
        let Some(output) = self.output.as_mut() else { return };
        let until = Until { pipe: output.get_mut(), end };
        let mut lines = BufReader::new(until.take(MUCH));
        let mut line = Vec::new();
        let mut heard = 0;
        loop {
            line.clear();
            let text = match lines.read_until(b'\n', &mut line) {
                Ok(0) if heard < MUCH => return,
                Ok(0) => Err(io::ErrorKind::FileTooLarge.into()),
                Ok(length) => {
                    heard += length as u64;
                    Ok(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned())
                }
                Err(error) => Err(error),
            };
            let is_over = text.is_err();
            if !wants_more(text) || is_over {
                return;
            }
        }
    }

    /// Its account of the machine, if it gives one.
    pub(super) fn ground(&mut self, end: Instant) -> Heard {
        let (mut told, mut before) = (None::<Vec<String>>, 0);
        let (mut last, mut heard) = (String::new(), None);
        self.hear(end, |line| {
            match (line, &mut told) {
                (Ok(line), Some(told)) if line == END => heard = Some(Heard::Ground(told.clone())),
                (Ok(line), Some(told)) => told.push(line),
                (Ok(line), None) if line == BEGIN => told = Some(Vec::new()),
                (Ok(line), None) => (last, before) = (line, before + 1),
                (Err(error), told) if error.kind() == io::ErrorKind::TimedOut => {
                    heard = Some(match told {
                        None => Heard::Silence(last.clone()),
                        Some(_) => Heard::Stall,
                    });
                }
                (Err(_), _) => heard = Some(Heard::Chatter(last.clone())),
            }
            if before + told.as_ref().map_or(0, Vec::len) > CHATTER {
                heard = Some(Heard::Chatter(last.clone()));
            }
            heard.is_none()
        });
        heard.or(told.map(Heard::Ground)).unwrap_or(Heard::End(last))
    }

    /// How it ended, if it has and that is known.
    pub(super) fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Waits for its end for so long, and ends it then.
    pub(super) fn wait(&mut self, limit: Duration) {
        let since = Instant::now();
        while since.elapsed() < limit {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            sleep(PATIENCE);
        }
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }

    /// The last line of what it said when it has ended.
    pub(super) fn last_words(&mut self) -> String {
        drop(self.input.take());
        self.wait(Duration::from_secs(2));
        memory_file::last_line(&self.said)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.input.take());
        self.wait(Duration::from_secs(2));
    }
}

/// The outcome of a shell that was to tell what its machine is; beside it the last line that was no part of that.
pub(super) enum Heard {
    /// That, as far as it was told.
    Ground(Vec<String>),
    /// More than any shell says.
    Chatter(String),
    /// Nothing more, for as long as it is waited for.
    Silence(String),
    /// Nothing more, and it had begun to tell.
    Stall,
    /// An end.
    End(String),
}

/// The remedy where login scripts are in the way.
pub(super) const NO_TERMINAL: &str =
    "let `[ -t 0 ] || return` stand first in them (~/.bashrc), and `ssh HOST true` come back";

/// A line that login scripts have printed, in words.
pub(super) fn printed(line: &str) -> String {
    let some: String = line.chars().take(60).collect();
    match some.trim().is_empty() {
        true => String::new(),
        false => format!(" (`{}`)", some.trim().escape_debug()),
    }
}

/// Starts a process that ends with the thread that calls this, and that Ctrl-C of a terminal does not reach.
pub(super) fn spawned(command: &mut Command) -> io::Result<Child> {
    command.process_group(0);
    // SAFETY: between fork and exec, one system call that may be made there.
    unsafe {
        command.pre_exec(|| match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        });
    }
    command.spawn()
}
