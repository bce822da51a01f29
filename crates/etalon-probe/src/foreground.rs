//! Whether a terminal is this process's to write to.
//!
//! Owns: the one question. Refuses: to change who has the terminal; the launcher lends it.

use std::os::fd::{AsFd, AsRawFd};

/// Whether this process is in the foreground of a terminal. Of what is no terminal, nobody is.
#[must_use]
pub fn owns(terminal: impl AsFd) -> bool {
    // SAFETY: both calls take integers and have no memory preconditions; the descriptor is open.
    unsafe { libc::tcgetpgrp(terminal.as_fd().as_raw_fd()) == libc::getpgrp() }
}
