//! Standard input, output and error of the commands, which are the launcher's own.
//!
//! Owns: putting the wanted files on descriptors 0, 1 and 2 before an execution, so that the child
//! has nothing to redirect. Refuses: to do any of it between the clock readings, and to give a hook
//! the command's input or output file (a hook reads and writes `/dev/null` instead; its standard
//! error goes where the command's goes).

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::drain::Drain;
use super::protocol::{Files, Input, Output, Refusal, Stdio};
use crate::memory_file;

/// Descriptors 0, 1 and 2, and the work on them before each execution.
pub(super) struct Streams {
    null: File,
    input: Option<PathBuf>,
    /// Whether something else than nothing may be on descriptor 0.
    has_input: bool,
    /// The output of commands, where a hook shall not write; whether it is emptied before each.
    output: Option<OwnedFd>,
    truncate: bool,
    /// Whether descriptor 1 is what commands without a file of their own write to.
    is_in_place: bool,
    /// Whether what commands print is read.
    read: bool,
    drain: Option<Drain>,
}

/// The end of what a command prints that is read: numbers stand there, if anywhere in so much.
const READ: u64 = 1 << 20;

impl Streams {
    /// Opens everything and puts it in place.
    pub(super) fn set_up(stdio: &Stdio) -> Result<Streams, Refusal> {
        let null = OpenOptions::new().read(true).write(true).open("/dev/null");
        let null = null.map_err(|e| Refusal::about("/dev/null", &e))?;
        let input = set_up_input(&stdio.stdin, &null)?;
        let mut drain = Pipes::default();
        let output = set_up_output(&stdio.stdout, 1, &mut drain.output, &null)?;
        set_up_output(&stdio.stderr, 2, &mut drain.error, &null)?;
        let drain =
            drain.start().map_err(|e| Refusal::about("the pipes for commands' output", &e))?;
        let truncate = matches!(stdio.stdout, Output::File(_) | Output::Read);
        let read = matches!(stdio.stdout, Output::Read);
        let (has_input, is_in_place) = (input.is_some(), true);
        Ok(Streams { null, input, has_input, output, truncate, is_in_place, read, drain })
    }

    /// Makes ready for a command: its input read from the beginning, its output file empty.
    pub(super) fn for_command(&mut self, own: &Files) -> io::Result<()> {
        let input = own.input.as_ref().map(|file| Path::new(file.as_os_str()));
        if let Some(path) = input.or(self.input.as_deref()) {
            put(File::open(path).map_err(|e| about_file("input", path, &e))?.as_fd(), 0)?;
            self.has_input = true;
        } else {
            self.without_input()?;
        }
        if let Some(file) = &own.output {
            let path = Path::new(file.as_os_str());
            let file = OpenOptions::new().append(true).create(true).open(path);
            put(file.map_err(|e| about_file("output", path, &e))?.as_fd(), 1)?;
            self.is_in_place = false;
        } else if let Some(output) = self.output.as_ref().filter(|_| !self.is_in_place) {
            put(output.as_fd(), 1)?;
            self.is_in_place = true;
        }
        if self.truncate || own.output.is_some() {
            // SAFETY: no memory preconditions. What has no length (a device, a pipe) refuses, and
            // has nothing to empty.
            unsafe { libc::ftruncate(1, 0) };
        }
        self.forget();
        Ok(())
    }

    /// Makes ready for a hook.
    pub(super) fn for_hook(&mut self) -> io::Result<()> {
        self.without_input()?;
        if self.output.is_some() || !self.is_in_place {
            put(self.null.as_fd(), 1)?;
            self.is_in_place = false;
        }
        self.forget();
        Ok(())
    }

    fn without_input(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.has_input) {
            put(self.null.as_fd(), 0)?;
        }
        Ok(())
    }

    /// The end of what was printed by what was executed last; nothing where it is not read, or cannot be.
    pub(super) fn printed(&self) -> Option<Vec<u8>> {
        let file = File::from(self.output.as_ref().filter(|_| self.read)?.try_clone().ok()?);
        let length = file.metadata().ok()?.len();
        let mut end = vec![0; usize::try_from(length.min(READ)).ok()?];
        file.read_exact_at(&mut end, length.saturating_sub(READ)).ok()?;
        Some(end)
    }

    /// The beginning and the end of standard error of what was executed last; empty where it is not kept.
    pub(super) fn said(&self) -> Vec<u8> {
        self.drain.as_ref().map(Drain::said).unwrap_or_default()
    }

    /// Forgets what was written before.
    pub(super) fn forget(&self) {
        if let Some(drain) = &self.drain {
            drain.reset();
        }
    }
}

fn about_file(role: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::other(format!("{role} {}: {error}", path.display()))
}

/// The read ends made while setting up.
#[derive(Default)]
struct Pipes {
    output: Option<io::PipeReader>,
    error: Option<io::PipeReader>,
}

impl Pipes {
    fn start(self) -> io::Result<Option<Drain>> {
        if self.output.is_none() && self.error.is_none() {
            return Ok(None);
        }
        Drain::start(self.error, self.output).map(Some)
    }
}

fn set_up_input(input: &Input, null: &File) -> Result<Option<PathBuf>, Refusal> {
    match input {
        Input::Inherit => Ok(None),
        Input::Null => {
            put(null.as_fd(), 0).map(|()| None).map_err(|e| Refusal::about("/dev/null", &e))
        }
        Input::File(path) => {
            let path = PathBuf::from(path.as_os_str());
            File::open(&path).map_err(|e| Refusal::about_path(&path, &e))?;
            Ok(Some(path))
        }
    }
}

/// Puts an output on `descriptor`. A copy is returned where a hook shall not write to it.
fn set_up_output(
    output: &Output,
    descriptor: RawFd,
    pipe: &mut Option<io::PipeReader>,
    null: &File,
) -> Result<Option<OwnedFd>, Refusal> {
    let refused = |e: io::Error| Refusal::about("a command's output", &e);
    match output {
        Output::Inherit => Ok(None),
        Output::Null => put(null.as_fd(), descriptor).map(|()| None).map_err(refused),
        Output::Pipe => {
            let (reader, writer) = io::pipe().map_err(refused)?;
            put(writer.as_fd(), descriptor).map_err(refused)?;
            *pipe = Some(reader);
            Ok(None)
        }
        Output::Read => {
            let file = memory_file::create().map_err(refused)?;
            put(file.as_fd(), descriptor).map_err(refused)?;
            Ok(Some(file.into()))
        }
        Output::File(path) => {
            let path = PathBuf::from(path.as_os_str());
            let refused = |e: io::Error| Refusal::about_path(&path, &e);
            let file = OpenOptions::new().append(true).create(true).open(&path).map_err(refused)?;
            put(file.as_fd(), descriptor).map_err(refused)?;
            Ok(Some(file.into()))
        }
    }
}

/// Makes `descriptor` refer to what `file` refers to, for commands to inherit.
pub(super) fn put(file: BorrowedFd<'_>, descriptor: RawFd) -> io::Result<()> {
    // SAFETY: `file` is open and never one of 0, 1, 2 (which Rust's runtime keeps open), so the
    // duplicate loses its close-on-exec flag; whoever owns 0, 1 and 2 by name means what is there.
    let done = unsafe { libc::dup2(file.as_raw_fd(), descriptor) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
