//! Whose child an execution is: the launcher's own, or that of a [`super::keeper`].
//!
//! Owns: the seam between what is done around an execution ([`super::execute`]) and the process that may wait for it.
//! Refuses: to start anything, because the two are started by different means.

use std::ffi::c_int;

use super::spawn::{self, Child, WaitEnd};

/// Waits for a child, and takes its status.
pub(super) trait Overseer {
    /// Waits until it has exited or stopped, see [`spawn::wait`].
    fn wait(&mut self, child: Child) -> (WaitEnd, i64);

    /// Waits until it has exited, see [`spawn::wait_for_exit`].
    fn wait_for_exit(&mut self, child: Child) -> i64;

    /// Waits until a stopped one goes on, see [`spawn::wait_for_continue`].
    fn wait_for_continue(&mut self, child: Child);

    /// Takes its status and usage. Until then its process group has its number.
    fn reap(&mut self, child: Child) -> Option<(c_int, libc::rusage)>;
}

/// This process itself.
pub(super) struct Own;

impl Overseer for Own {
    fn wait(&mut self, child: Child) -> (WaitEnd, i64) {
        spawn::wait(child.pid)
    }

    fn wait_for_exit(&mut self, child: Child) -> i64 {
        spawn::wait_for_exit(child.pid)
    }

    fn wait_for_continue(&mut self, child: Child) {
        spawn::wait_for_continue(child.pid);
    }

    fn reap(&mut self, child: Child) -> Option<(c_int, libc::rusage)> {
        spawn::reap(child.pid)
    }
}
