//! Small JSON files beside records.
//!
//! Owns that each is whole, replaced as a whole, its owner's alone, and never written through a link. Refuses
//! to know what is in them.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StoreError;
use super::record::create_directory;
use crate::fresh::{self, Readers};

/// The most that is read of one. Because: they hold some words, and memory has to stay bounded.
const MOST: u64 = 1024 * 1024;

/// The contents of a file; nothing where there is none or it is none of ours.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    if !path.metadata().is_ok_and(|file| file.is_file()) {
        return None; // a pipe would be waited for
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MOST).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Replaces a file, and makes its directory.
pub(super) fn write_json<T: Serialize>(path: &Path, content: &T) -> Result<(), StoreError> {
    let failed = |error: std::io::Error| StoreError::io("write", path, &error);
    let directory = path.parent().unwrap_or(Path::new("."));
    create_directory(directory)?;
    let mut bytes = serde_json::to_vec(content).map_err(|error| failed(error.into()))?;
    bytes.push(b'\n');
    write(directory, path, &bytes).map_err(failed)
}

/// Writes a file beside and gives it its name: nobody sees half of it, and a link is replaced, not followed.
pub(super) fn write(directory: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    fresh::sweep(directory);
    let (mut file, hidden) = fresh::create(directory, Readers::Owner)?;
    file.write_all(bytes)?;
    hidden.take_name(path)
}

/// Removes a file, if it is there.
pub(super) fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(StoreError::io("remove", path, &error))
        }
        _ => Ok(()),
    }
}
