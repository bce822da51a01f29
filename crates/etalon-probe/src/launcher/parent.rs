//! Whether etalon is still there.

use std::os::fd::RawFd;

/// The socket to etalon.
#[derive(Clone, Copy)]
pub(super) struct ParentLink(RawFd);

impl ParentLink {
    /// Of a socket that is open as long as the process serves.
    pub(super) fn new(socket: RawFd) -> ParentLink {
        ParentLink(socket)
    }

    /// Whether it is alive and has not hung up.
    pub(super) fn is_there(self) -> bool {
        let mut polled = libc::pollfd { fd: self.0, events: libc::POLLRDHUP, revents: 0 };
        // SAFETY: one writable pollfd, of a descriptor that is open as long as the process serves.
        unsafe { libc::poll(&raw mut polled, 1, 0) == 0 }
    }
}
