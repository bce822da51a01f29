//! A record being written, and the removal of records.
//!
//! Owns the life of a file in the store: created as `.partial` with an exclusive `flock` that lives
//! as long as some process holds the file open, renamed when finished. No `fsync`: power loss is
//! not covered, everything else is. Refuses to write lines: that is [`crate::sink`].

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::{FINISHED, PARTIAL, Store, StoreError, is_id};

/// A record in the store that is being written.
#[derive(Debug)]
pub struct NewRecord {
    /// Open for appending, exclusively locked. A process that inherits it keeps the lock.
    pub file: File,
    /// Where it is until it is finished.
    pub path: PathBuf,
    /// Its id.
    pub id: String,
}

impl Store {
    /// Creates an empty record.
    ///
    /// # Errors
    /// If `id` is not one, is taken, or the file cannot be created.
    pub fn create(&self, id: &str) -> Result<NewRecord, StoreError> {
        if !is_id(id) {
            return Err(StoreError::NotAnId { id: id.to_owned() });
        }
        let runs = self.runs();
        fs::create_dir_all(&runs).map_err(|error| StoreError::io("create", &runs, &error))?;
        let finished = runs.join(format!("{id}{FINISHED}"));
        if finished.exists() {
            return Err(StoreError::Exists { path: finished });
        }
        let path = runs.join(format!("{id}{PARTIAL}"));
        let opened = OpenOptions::new().append(true).create_new(true).mode(0o644).open(&path);
        let file = opened.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => StoreError::Exists { path: path.clone() },
            _ => StoreError::io("create", &path, &error),
        })?;
        lock(&file, &path)?;
        Ok(NewRecord { file, path, id: id.to_owned() })
    }

    /// Removes a saved run and the names that point to it.
    ///
    /// # Errors
    /// If there is no such run, it is being written, or a file cannot be removed.
    pub fn remove(&self, id: &str) -> Result<(), StoreError> {
        let path = self.find(id).ok_or_else(|| self.unknown(id))?;
        let file = File::open(&path).map_err(|error| StoreError::io("read", &path, &error))?;
        if is_locked(&file) {
            return Err(StoreError::Running { path });
        }
        for name in self.names_of(id)? {
            self.remove_name(&name)?;
        }
        fs::remove_file(&path).map_err(|error| StoreError::io("remove", &path, &error))
    }
}

impl NewRecord {
    /// Gives the record its final name and lets go of it.
    ///
    /// # Errors
    /// If it cannot be renamed; it then stays a readable `.partial`.
    pub fn finish(self) -> Result<PathBuf, StoreError> {
        let finished = self.path.with_file_name(format!("{}{FINISHED}", self.id));
        fs::rename(&self.path, &finished)
            .map_err(|error| StoreError::io("rename", &self.path, &error))?;
        Ok(finished)
    }
}

/// Locks a new file. A listing may hold it for the moment it takes to look, so this waits. A file
/// system without locks is no reason not to measure: the record then looks interrupted to others
/// while it is written.
fn lock(file: &File, path: &Path) -> Result<(), StoreError> {
    match file.lock() {
        Err(error) if error.kind() != ErrorKind::Unsupported => {
            Err(StoreError::io("lock", path, &error))
        }
        _ => Ok(()),
    }
}

/// Whether a process has this record open for writing.
pub(super) fn is_locked(file: &File) -> bool {
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
