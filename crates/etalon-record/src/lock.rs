//! Who may write to a file: one process, as long as it lives.
//!
//! Owns the lock (`flock`): it belongs to the open file, passes to processes that inherit that, and ends
//! with the last of them, however they end. Refuses to wait, and to keep anybody from a file on a
//! file system without locks, who is then told nothing. Who holds it is `etalon-probe`'s to find out.

use std::fs::{File, TryLockError};

/// The answer to asking for the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// It is this process's until the file is closed; or there are no locks here.
    Taken,
    /// Another process has it.
    Held,
}

/// How often to ask again while somebody only looks. Because: a look ([`is_held`]) takes microseconds.
const PATIENCE: u32 = 10_000;

/// Takes the lock of an open file.
#[must_use]
pub fn take(file: &File) -> Lock {
    for _ in 0..PATIENCE {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if is_held(file) => return Lock::Held,
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
            _ => return Lock::Taken,
        }
    }
    Lock::Held
}

/// Whether a process has the lock of this file. Looking takes a shared lock for a moment.
#[must_use]
pub fn is_held(file: &File) -> bool {
    match file.try_lock_shared() {
        Ok(()) => {
            // Closing would do it too; a failure means that there is no lock to give back.
            let _released = file.unlock();
            false
        }
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
    }
}
