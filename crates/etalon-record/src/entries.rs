//! The entries of a directory.
//!
//! Owns that nothing follows from how a directory is closed: there is nothing that could be lost then, and the standard
//! library panics where a file system refuses. Refuses to sort, and to follow links.

use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{Dir, Mode, OFlags};

/// The entries of a directory, in no order, without itself and the one above it.
#[derive(Debug)]
pub struct Entries {
    directory: Arc<Path>,
    open: Dir,
}

/// An entry of a directory.
#[derive(Debug, Clone)]
pub struct Entry {
    directory: Arc<Path>,
    name: OsString,
}

/// Reads a directory.
///
/// # Errors
/// If it is none, or cannot be opened; each entry may be an error of its own.
pub fn entries(directory: impl AsRef<Path>) -> io::Result<Entries> {
    let directory: Arc<Path> = Arc::from(directory.as_ref());
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let open = Dir::new(rustix::fs::open(&*directory, flags, Mode::empty())?)?;
    Ok(Entries { directory, open })
}

impl Iterator for Entries {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<io::Result<Entry>> {
        loop {
            let entry = match self.open.read()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error.into())),
            };
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name != "." && name != ".." {
                let directory = Arc::clone(&self.directory);
                return Some(Ok(Entry { directory, name: name.to_owned() }));
            }
        }
    }
}

impl Entry {
    /// Its name in the directory.
    #[must_use]
    pub fn file_name(&self) -> OsString {
        self.name.clone()
    }

    /// Its path: that of the directory, and its name.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.join(&self.name)
    }

    /// The kind of file that it is; a link is one.
    ///
    /// # Errors
    /// If it cannot be looked at.
    pub fn file_type(&self) -> io::Result<FileType> {
        Ok(self.metadata()?.file_type())
    }

    /// What there is to know of it, not of what a link leads to.
    ///
    /// # Errors
    /// If it cannot be looked at.
    pub fn metadata(&self) -> io::Result<Metadata> {
        fs::symlink_metadata(self.path())
    }
}
