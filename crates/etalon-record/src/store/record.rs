//! A record being written, and the removal of records.
//!
//! Owns the life of a record: created under a hidden name and locked, shown as `.partial` by its first
//! lines, renamed when finished. One that cannot be in the store is in a directory for temporary files,
//! or in memory, and is written in the same way. No `fsync`: power loss is not covered, everything else
//! is. Refuses to write lines beyond the first: that is [`crate::sink`].

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{DirBuilderExt, FileExt};
use std::path::{Path, PathBuf};

use super::{FINISHED, PARTIAL, Store, StoreError, file_names, is_id};
use crate::altered::{Altered, altered};
use crate::fresh::{self, Hidden, Readers, remove_abandoned};
use crate::lock;
use crate::sink::{WriteError, append};

/// Room that has to be there for a record to be begun, in bytes. Because: its first lines have to fit,
/// and a disk that is full then is found out before anything is executed.
const FIRST_LINES: usize = 4096;

/// A record that is being written.
#[derive(Debug)]
pub struct NewRecord {
    /// Open for reading and appending, exclusively locked. A process that inherits it keeps the lock.
    pub file: File,
    /// Where it is from its first lines until it is finished; for one in memory, what it is called.
    pub path: PathBuf,
    /// The id by which `@ID` and `report` find it.
    pub id: String,
    place: Place,
}

/// Where a record is.
#[derive(Debug)]
enum Place {
    Store(Hidden),
    Elsewhere(Hidden),
    Memory,
}

impl Store {
    /// Creates a record. It is no saved run until it is begun; dropped before that, it leaves nothing.
    ///
    /// # Errors
    /// If `id` is not one, is taken, or the file cannot be created or has no room for a line.
    pub fn create(&self, id: &str) -> Result<NewRecord, StoreError> {
        if !is_id(id) {
            return Err(StoreError::NotAnId { id: id.to_owned() });
        }
        let runs = self.runs();
        create_directory(&runs)?;
        fresh::sweep(&runs);
        self.sweep()?;
        let path = runs.join(format!("{id}{PARTIAL}"));
        for taken in [runs.join(format!("{id}{FINISHED}")), path.clone()] {
            if taken.symlink_metadata().is_ok() {
                return Err(StoreError::Exists { path: taken });
            }
        }
        let (file, hidden) = with_room(&runs)?;
        self.enter(id);
        Ok(NewRecord { file, path, id: id.to_owned(), place: Place::Store(hidden) })
    }

    /// Saves the whole of a record again whose file in the store lost its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save_again(&self, record: &NewRecord) -> Result<PathBuf, StoreError> {
        create_directory(&self.runs())?;
        let path = self.runs().join(format!("{}{FINISHED}", record.id));
        copy(record, &path).map_err(|error| StoreError::io("write", &path, &error))?;
        Ok(path)
    }

    /// Removes a saved run, the names that point to it, and what was said of it.
    ///
    /// # Errors
    /// If there is no such run, it is being written, or a file cannot be removed.
    pub fn remove(&self, id: &str) -> Result<(), StoreError> {
        let path = self.find(id).ok_or_else(|| self.unknown(id))?;
        let file = File::open(&path).map_err(|error| StoreError::io("read", &path, &error))?;
        if lock::is_held(&file) {
            return Err(StoreError::Running { path });
        }
        for name in self.names_of(id)? {
            self.remove_name(&name)?;
        }
        self.remove_labels(id)?;
        self.forget_answer(id);
        self.forget_noise(id);
        self.forget_membership(id);
        fs::remove_file(&path).map_err(|error| StoreError::io("remove", &path, &error))
    }

    /// Removes unfinished files with nothing in them, which earlier versions left when they were killed
    /// as they started.
    fn sweep(&self) -> Result<(), StoreError> {
        let runs = self.runs();
        for name in file_names(&runs)?.iter().filter(|name| name.ends_with(PARTIAL)) {
            let path = runs.join(name);
            if path.metadata().is_ok_and(|file| file.is_file() && file.len() == 0) {
                remove_abandoned(&path);
            }
        }
        Ok(())
    }
}

impl NewRecord {
    /// A record in a directory for temporary files, for where there is no store.
    ///
    /// # Errors
    /// If the file cannot be created or has no room for a line.
    pub fn elsewhere(directory: &Path, id: &str) -> Result<NewRecord, StoreError> {
        let path = directory.join(format!("etalon-{id}{FINISHED}"));
        fresh::sweep(directory);
        let (file, hidden) = with_room(directory)?;
        Ok(NewRecord { file, path, id: id.to_owned(), place: Place::Elsewhere(hidden) })
    }

    /// A record in memory: a file that has no name, opened for reading and appending.
    #[must_use]
    pub fn in_memory(file: File, id: &str) -> NewRecord {
        let path = Path::new("the record in memory").to_owned();
        NewRecord { file, path, id: id.to_owned(), place: Place::Memory }
    }

    /// Whether it is in the store.
    #[must_use]
    pub fn is_in_store(&self) -> bool {
        matches!(self.place, Place::Store(_))
    }

    /// Whether it is in memory only.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        matches!(self.place, Place::Memory)
    }

    /// Writes the first lines, and gives the file its name: a record that can be seen has a header.
    ///
    /// # Errors
    /// If they cannot be written, or the file cannot be renamed. It is no saved run then.
    pub fn begin(&self, lines: &[u8]) -> Result<(), WriteError> {
        let failed = |why: String| WriteError { path: self.path.clone(), why, safe: Some(0) };
        append(&self.file, lines, &self.path).map_err(|error| failed(error.why))?;
        match &self.place {
            Place::Store(hidden) | Place::Elsewhere(hidden) => {
                hidden.take_name(&self.path).map_err(|error| failed(crate::raw::os_reason(&error)))
            }
            Place::Memory => Ok(()),
        }
    }

    /// All of it up to now, whatever became of its name.
    #[must_use]
    pub fn contents(&self) -> Contents<'_> {
        self.contents_from(0)
    }

    /// Reads it from the byte of this number on.
    #[must_use]
    pub fn contents_from(&self, at: u64) -> Contents<'_> {
        Contents { file: &self.file, at }
    }

    /// The damage to its file, which got so many bytes.
    #[must_use]
    pub fn altered(&self, written: u64) -> Option<Altered> {
        match self.place {
            Place::Memory => None,
            // What cannot be looked at is no less than it was.
            _ => altered(&self.file, &self.path, written).unwrap_or(None),
        }
    }

    /// Gives the record its final name, and its lock back; where it is.
    ///
    /// # Errors
    /// If it cannot be renamed; it then stays a readable `.partial`.
    pub fn finish(&mut self) -> Result<&Path, StoreError> {
        if self.is_in_store() {
            let finished = self.path.with_file_name(format!("{}{FINISHED}", self.id));
            fs::rename(&self.path, &finished)
                .map_err(|error| StoreError::io("rename", &self.path, &error))?;
            self.path = finished;
        }
        // Where that fails there was no lock.
        let _released = self.file.unlock();
        Ok(&self.path)
    }

    /// Keeps a copy of all of it in a directory for temporary files.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_in(&self, directory: &Path) -> Result<PathBuf, StoreError> {
        let path = directory.join(format!("etalon-{}{FINISHED}", self.id));
        copy(self, &path).map_err(|error| StoreError::io("write", &path, &error))?;
        Ok(path)
    }
}

/// The contents of a record, from its beginning. Reading leaves the place where lines are appended alone.
#[derive(Debug)]
pub struct Contents<'a> {
    file: &'a File,
    at: u64,
}

impl Read for Contents<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// A directory that only its owner may look into, and those on the way to it, unless they are there.
pub(super) fn create_directory(path: &Path) -> Result<(), StoreError> {
    let created = DirBuilder::new().recursive(true).mode(0o700).create(path);
    created.map_err(|error| StoreError::io("create", path, &error))
}

/// A new file in which there is room for some lines.
fn with_room(directory: &Path) -> Result<(File, Hidden), StoreError> {
    let cannot = |verb| move |error: io::Error| StoreError::io(verb, directory, &error);
    let (file, hidden) =
        fresh::create(directory, Readers::Owner).map_err(cannot("create a file in"))?;
    io::Write::write_all(&mut &file, &[b'\n'; FIRST_LINES])
        .and_then(|()| file.set_len(0))
        .and_then(|()| io::Seek::rewind(&mut &file))
        .map_err(cannot("write to"))?;
    Ok((file, hidden))
}

/// Writes all of a record to a new file, which then takes this name; never one that is there.
fn copy(record: &NewRecord, path: &Path) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let directory = path.parent().unwrap_or(Path::new("."));
    let (file, hidden) = fresh::create(directory, Readers::Owner)?;
    io::copy(&mut record.contents(), &mut &file)?;
    hidden.take_name(path)
}
