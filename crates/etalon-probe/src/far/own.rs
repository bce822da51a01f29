//! The two streams of a process that somebody far away talks to.

use std::fs::File;
use std::io;

use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};

/// Takes standard input and output for the process alone: whatever it starts reads nothing and writes to standard error,
/// so that no program puts a line between those of the two that talk. Input first.
///
/// # Errors
/// If the system refuses.
pub fn own_streams() -> io::Result<(File, File)> {
    // Above the numbers of the standard streams.
    let input = fcntl_dupfd_cloexec(stdin(), 3)?;
    let output = fcntl_dupfd_cloexec(stdout(), 3)?;
    dup2_stdin(File::open("/dev/null")?)?;
    dup2_stdout(stderr())?;
    Ok((input.into(), output.into()))
}
