//! A file in memory: it has no name and goes when it is closed, however its process ends.

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::{AsRawFd, FromRawFd};

/// A new, empty one for a record, open for reading and appending.
///
/// # Errors
/// If the system has none.
pub fn create() -> io::Result<File> {
    named(c"etalon-record")
}

/// A new, empty one, open for reading and appending; lists of open files show the name.
pub(crate) fn named(name: &CStr) -> io::Result<File> {
    // SAFETY: a NUL-terminated name; the call returns a new descriptor or an error.
    let fd = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a descriptor just made, owned by nobody else.
    let file = unsafe { File::from_raw_fd(fd) };
    // SAFETY: sets a flag on an open descriptor; no memory preconditions.
    if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFL, libc::O_APPEND) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(file)
}

/// Gives back the memory of what stands before a place; it reads as zeros from then on. Whole pages only.
pub(crate) fn forget_before(file: &File, place: u64) {
    let Ok(length) = libc::off_t::try_from(place) else { return };
    let hole = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
    // SAFETY: works on an open descriptor; no memory preconditions. That it cannot be done costs memory only.
    unsafe { libc::fallocate(file.as_raw_fd(), hole, 0, length) };
}

/// The last line of a file, which others append to.
pub(crate) fn last_line(file: &File) -> String {
    let mut bytes = Vec::new();
    let Ok(mut file) = file.try_clone() else { return String::new() };
    if file.rewind().and_then(|()| file.read_to_end(&mut bytes)).is_err() {
        return String::new();
    }
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines().rev().map(str::trim);
    lines.find(|line| !line.is_empty()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Catches a file that is written from its position on, which readers move.
    #[test]
    fn it_is_appended_to() {
        let mut file = create().unwrap();
        file.write_all(b"one").unwrap();
        file.rewind().unwrap();
        file.write_all(b"two").unwrap();
        file.rewind().unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "onetwo");
    }
}
