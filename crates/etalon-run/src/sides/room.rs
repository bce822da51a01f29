//! A directory of etalon's own, in use as long as its lock is held, and gone with its user.
//!
//! Owns: its name, its lock, and that what a killed etalon left goes when the next one begins ([`sweep`]). Refuses to
//! say what is in it.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use etalon_record::entries::entries;
use etalon_record::lock::{self, Lock};

use super::SidesError;

/// The beginning of the names of directories of sides.
const PREFIX: &str = "etalon-sides-";

/// The ending of the name of the file that is locked as long as a directory is used. It is there before the directory,
/// so that one without it is nobody's.
const LOCK: &str = ".lock";

/// A directory for what is built, without sides. It goes when this is dropped.
#[derive(Debug)]
pub struct Scratch {
    /// Where it is.
    pub path: PathBuf,
    _room: Room,
}

impl Scratch {
    /// Makes one below `temporary`.
    ///
    /// # Errors
    /// If that is not possible.
    pub fn new(temporary: &Path) -> Result<Scratch, SidesError> {
        let room = Room::new(temporary)?;
        Ok(Scratch { path: room.path.clone(), _room: room })
    }
}

/// Removes directories that an etalon has left which was killed.
pub fn sweep(temporary: &Path) {
    let Ok(entries) = entries(temporary) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
        let bare = name.strip_suffix(LOCK).unwrap_or(name);
        let (path, lock) = (temporary.join(bare), temporary.join(format!("{bare}{LOCK}")));
        // What cannot be removed is another user's.
        match File::open(&lock) {
            Ok(file) if lock::take(&file) == Lock::Held => {}
            Ok(_held) => {
                let _left = fs::remove_dir_all(&path);
                if !path.exists() {
                    let _left = fs::remove_file(&lock);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let _left = fs::remove_dir_all(&path);
            }
            Err(_) => {}
        }
    }
}

/// A directory of etalon's own, in use as long as its lock is held.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) path: PathBuf,
    lock: PathBuf,
    _held: File,
}

impl Room {
    pub(super) fn new(temporary: &Path) -> Result<Room, SidesError> {
        sweep(temporary);
        let mut number = 0_u32;
        loop {
            let path = temporary.join(format!("{PREFIX}{}-{number}", std::process::id()));
            let lock = temporary.join(format!("{PREFIX}{}-{number}{LOCK}", std::process::id()));
            number += 1;
            let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&lock);
            let file = match made {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(SidesError::Io { path: lock, error }),
            };
            // A sweep may have been quicker.
            if lock::take(&file) == Lock::Held || !lock.exists() {
                continue;
            }
            let room = Room { path, lock, _held: file };
            directory(&room.path)?;
            return Ok(room);
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // What cannot be removed now, the next etalon removes.
        let _left = fs::remove_dir_all(&self.path);
        if !self.path.exists() {
            let _left = fs::remove_file(&self.lock);
        }
    }
}

pub(super) fn directory(path: &Path) -> Result<(), SidesError> {
    let made = DirBuilder::new().mode(0o700).create(path);
    made.map_err(|error| SidesError::Io { path: path.to_owned(), error })
}

/// Makes a directory with those above it, where it is not there, for nobody but its owner.
pub(super) fn private(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}
