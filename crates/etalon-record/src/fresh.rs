//! New files under a hidden name, until they are whole and take the name they are to have.
//!
//! Owns: that nobody sees half a file, that no link somebody planted is written through, and that what
//! a killed process left is swept by the next one that writes to the directory: a hidden file is locked
//! as long as its writer lives, and one that is not is nobody's. Refuses to write content.

#![expect(clippy::disallowed_methods, reason = "a new file is made here")]

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

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
pub struct Hidden(PathBuf);

/// A new file in a directory, open for reading and appending, locked, and its hidden name.
///
/// # Errors
/// If it cannot be created.
pub fn create(directory: &Path, readers: Readers) -> io::Result<(File, Hidden)> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let mode = if readers == Readers::Owner { 0o600 } else { 0o666 };
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!("{BEGINS}{}-{number}{ENDS}", std::process::id()));
        let mut options = OpenOptions::new();
        match options.read(true).append(true).create_new(true).mode(mode).open(&path) {
            Ok(file) => {
                let taken = lock::take(&file) == Lock::Taken;
                // Before it was locked it was nobody's, and may have been swept.
                if taken && leads_to(&path, &file)? {
                    return Ok((file, Hidden(path)));
                }
            }
            // A process of this number was here before, or is, in another container.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
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

impl Drop for Hidden {
    fn drop(&mut self) {
        let _renamed_already = fs::remove_file(&self.0);
    }
}

/// Removes what killed writers left in a directory. What cannot be read or removed stays.
pub fn sweep(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
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
