//! The disposition of a signal that a process inherited.
//!
//! Owns: the one question. Refuses: to change anything; what was inherited as ignored (`nohup`) is
//! to stay ignored, by whoever installs handlers.

/// Whether a signal is ignored.
#[must_use]
pub fn is_ignored(signal: i32) -> bool {
    // SAFETY: all-zero is a valid sigaction to be written; without a new action nothing changes.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}
