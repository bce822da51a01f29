//! Whether a file system has what was written to a file.
//!
//! Owns the question that a file system elsewhere (NFS, a quota) answers when a file is closed and no earlier; here it takes
//! no time. Refuses to wait for a disk: power loss is not covered.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::IntoRawFd;

/// Asks by closing a duplicate; the file stays open.
///
/// # Errors
/// If something that was written is not there.
pub fn ask(file: &File) -> io::Result<()> {
    let duplicate = file.try_clone()?.into_raw_fd();
    // SAFETY: the descriptor was made here and is nobody else's.
    if unsafe { libc::close(duplicate) } == 0 {
        return Ok(());
    }
    match io::Error::last_os_error() {
        error if error.kind() == ErrorKind::Interrupted => Ok(()),
        error => Err(error),
    }
}
