//! Lending the terminal to a command whose output is shown.
//!
//! Owns: finding out whether etalon has the terminal's foreground, and taking it back after an
//! execution. Refuses: to lend what etalon does not have (it may itself be in the background, from the
//! start or since a Ctrl-Z and `bg`), and to take it from whoever got it since. The
//! child takes the foreground itself before it executes its program (see [`super::spawn`]), so it
//! can never be stopped for reading too early.

use std::fs::{File, OpenOptions};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, RawFd};

/// The controlling terminal, while etalon's group has its foreground.
pub(super) struct Terminal {
    tty: File,
    home: libc::pid_t,
    /// How it was set, for programs that end without restoring that.
    modes: libc::termios,
}

impl Terminal {
    /// The terminal, if etalon (our parent) has the foreground of one.
    pub(super) fn from_parent() -> Option<Terminal> {
        let tty = OpenOptions::new().read(true).write(true).open("/dev/tty").ok()?;
        // SAFETY: no memory preconditions; the descriptor is open.
        let (home, foreground) =
            unsafe { (libc::getpgid(libc::getppid()), libc::tcgetpgrp(tty.as_raw_fd())) };
        if home <= 0 || home != foreground {
            return None;
        }
        let mut modes = MaybeUninit::<libc::termios>::uninit();
        // SAFETY: tcgetattr fills in what it is given when it returns 0.
        let modes = unsafe {
            (libc::tcgetattr(tty.as_raw_fd(), modes.as_mut_ptr()) == 0).then(|| modes.assume_init())
        };
        Some(Terminal { tty, home, modes: modes? })
    }

    /// The group that lends it: etalon's.
    pub(super) fn home(&self) -> libc::pid_t {
        self.home
    }

    /// Whether etalon has its foreground now.
    pub(super) fn is_home(&self) -> bool {
        // SAFETY: no memory preconditions; the descriptor is open.
        unsafe { libc::tcgetpgrp(self.tty.as_raw_fd()) == self.home }
    }

    pub(super) fn descriptor(&self) -> RawFd {
        self.tty.as_raw_fd()
    }

    /// Gives the foreground back to etalon, with the modes it had. SIGTTOU is blocked in the launcher, so this may be
    /// done from the background; if etalon's group is gone there is nobody to give it to.
    pub(super) fn take_back(&self) {
        // SAFETY: the descriptor is open and the modes are initialised.
        unsafe {
            libc::tcsetpgrp(self.tty.as_raw_fd(), self.home);
            libc::tcsetattr(self.tty.as_raw_fd(), libc::TCSANOW, &raw const self.modes);
        }
    }
}
