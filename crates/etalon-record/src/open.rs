//! The front door for data: a path becomes a run set.
//!
//! Owns opening the file and recognising its format from its first bytes; foreign formats plug in
//! at [`detect`]. Refuses names of saved runs (`@last`): [`crate::store::Store::resolve`] turns
//! those into paths first.

#![expect(clippy::disallowed_methods, reason = "the front door opens files")]

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;

use etalon_core::model::RunSet;

use crate::raw::read::describe;
use crate::raw::{self, ReadError, Strictness, os_reason};

/// Bytes read at a time, and looked at to recognise a format. Because: below the cache size of a
/// core, and larger ones were not faster.
const CHUNK: usize = 64 * 1024;

/// What a file's first bytes say it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// etalon's own record.
    Record,
    /// Nothing at all.
    Empty,
    /// None of those etalon reads.
    Unknown {
        /// What the beginning looks like.
        found: String,
    },
}

/// Recognises a format from the beginning of a file.
#[must_use]
pub fn detect(beginning: &[u8]) -> Format {
    if beginning.is_empty() {
        return Format::Empty;
    }
    // Whether it really is a record is for its reader to say; JSON of another kind is told from it
    // there, with the better message.
    match beginning.iter().find(|b| !b.is_ascii_whitespace()) {
        Some(b'{') => Format::Record,
        _ => Format::Unknown { found: describe(beginning) },
    }
}

/// Opens and reads a file in any format etalon knows.
///
/// # Errors
/// If it cannot be opened or read, is not a format etalon knows, or, with
/// [`Strictness::Strict`], holds a line that cannot be used.
pub fn open(path: &Path, strictness: Strictness) -> Result<RunSet, ReadError> {
    let source = path.display().to_string();
    let file = File::open(path)
        .map_err(|error| ReadError::Open { source: source.clone(), why: os_reason(&error) })?;
    let mut reader = BufReader::with_capacity(CHUNK, file);
    let beginning = reader.fill_buf().map_err(|error| match error.kind() {
        ErrorKind::IsADirectory => ReadError::Directory { source: source.clone() },
        _ => ReadError::Io { source: source.clone(), line: 1, why: os_reason(&error) },
    })?;
    match detect(beginning) {
        Format::Record => raw::read(reader, &source, strictness),
        Format::Empty => Err(ReadError::Empty { source }),
        Format::Unknown { found } => Err(ReadError::NotARecord { source, found }),
    }
}
