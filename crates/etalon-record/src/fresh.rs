//! New files under a hidden name, until they are whole and take the name they are to have.
//!
//! Owns: that nobody sees half a file, that no link somebody planted is written through, and that what
//! a killed process left is swept by the next one that writes to the directory: a hidden file is locked
//! as long as its writer lives, and one that is not is nobody's. Refuses to write content.

#![expect(clippy::disallowed_methods, reason = "a new file is made here")]

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use tempfile::{Builder, TempPath};

use crate::entries::entries;
use crate::lock::{self, Lock};

/// How a hidden file's name begins and ends. Because: no id and no name of a saved run begins with `.`.
const BEGINS: &str = ".etalon-";
const ENDS: &str = ".tmp";

/// Who may read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Nobody but its owner.
    Owner,
    /// Whom the process's umask allows.
    Umask,
}

/// A file's hidden name; removed with this, unless the file has taken another one.
#[derive(Debug)]
pub struct Hidden(TempPath);

/// A new file in a directory, open for reading and appending, locked, and its hidden name.
///
/// # Errors
/// If it cannot be created.
pub fn create(directory: &Path, readers: Readers) -> io::Result<(File, Hidden)> {
    let mode = if readers == Readers::Owner { 0o600 } else { 0o666 };
    let open = |path: &Path| {
        OpenOptions::new().read(true).append(true).create_new(true).mode(mode).open(path)
    };
    loop {
        let named = Builder::new().prefix(BEGINS).suffix(ENDS).make_in(directory, open)?;
        let (file, path) = named.into_parts();
        let taken = lock::take(&file) == Lock::Taken;
        // Before it was locked it was nobody's, and may have been swept.
        if taken && leads_to(&path, &file)? {
            return Ok((file, Hidden(path)));
        }
    }
}

impl Hidden {
    /// Gives the file this name, in place of what has it.
    ///
    /// # Errors
    /// If it cannot be renamed; it keeps its hidden name then.
    pub fn take_name(&self, path: &Path) -> io::Result<()> {
        fs::rename(&self.0, path)
    }
}

/// Removes what killed writers left in a directory. What cannot be read or removed stays.
pub fn sweep(directory: &Path) {
    let Ok(entries) = entries(directory) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|n| n.starts_with(BEGINS) && n.ends_with(ENDS));
        // A link is followed nowhere, and a pipe would be waited for.
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            remove_abandoned(&entry.path());
        }
    }
}

/// Removes a file that no process holds. Returns whether it is gone.
pub(crate) fn remove_abandoned(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    lock::take(&file) == Lock::Taken && fs::remove_file(path).is_ok()
}

/// Whether a path leads to an open file.
///
/// # Errors
/// If the open file cannot be looked at.
pub(crate) fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    let open = file.metadata()?;
    Ok(path.metadata().is_ok_and(|at| (at.dev(), at.ino()) == (open.dev(), open.ino())))
}
