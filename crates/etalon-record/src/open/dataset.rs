//! The front door for tables: a file of any format becomes rows of a dataset.
//!
//! Go's benchmarks are read row by row, everything else through its run set. What is of no known format is
//! read as Go's, which allows any line anywhere. That a file has no rows is the caller's to judge.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use etalon_core::dataset::{Dataset, Full};

use super::{CHUNK, Format, From, detect, read};
use crate::foreign::decode::Decoded;
use crate::foreign::go::{self, Input};
use crate::raw::{ReadError, Strictness, os_reason};

/// Adds a file to a dataset as its next one; the file's index.
///
/// # Errors
/// As [`super::open`]; or if a dataset cannot hold it.
pub fn add_file(
    data: &mut Dataset,
    (path, label): (&Path, &str),
    from: From,
    strictness: Strictness,
) -> Result<u32, ReadError> {
    let source = path.display().to_string();
    let file = File::open(path)
        .map_err(|error| ReadError::Open { source: source.clone(), why: os_reason(&error) })?;
    let input = Input { path: source, label: label.to_owned() };
    add_stream(data, BufReader::with_capacity(CHUNK, file), &input, (from, strictness))
}

/// Whether a file is read as Go's benchmarks: because its beginning is, or because it comes `from` there.
///
/// # Errors
/// If it cannot be opened or read.
pub fn is_go(path: &Path, from: From) -> Result<bool, ReadError> {
    if from != From::Auto {
        return Ok(from == From::Go);
    }
    let source = || path.display().to_string();
    let file = File::open(path)
        .map_err(|error| ReadError::Open { source: source(), why: os_reason(&error) })?;
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::IsADirectory => ReadError::Directory { source: source() },
        _ => ReadError::Io { source: source(), line: 1, why: os_reason(&error) },
    };
    let mut beginning = Vec::new();
    let text = Decoded::new(BufReader::new(file)).map_err(failed)?;
    text.take(CHUNK as u64).read_to_end(&mut beginning).map_err(failed)?;
    Ok(detect(&beginning) == Format::Go)
}

/// Adds a stream to a dataset as its next file.
///
/// # Errors
/// As [`add_file`], without the file.
pub fn add_stream(
    data: &mut Dataset,
    mut reader: impl BufRead,
    input: &Input,
    (from, strictness): (From, Strictness),
) -> Result<u32, ReadError> {
    let source = || input.path.clone();
    let is_go = match from {
        From::Go => true,
        From::Auto => {
            let beginning = reader.fill_buf().map_err(|error| match error.kind() {
                std::io::ErrorKind::IsADirectory => ReadError::Directory { source: source() },
                _ => ReadError::Io { source: source(), line: 1, why: os_reason(&error) },
            })?;
            matches!(detect(beginning), Format::Go | Format::Unknown { .. } | Format::Empty)
        }
        _ => false,
    };
    if is_go {
        return go::read_into(data, reader, input, strictness);
    }
    let set = read(reader, &input.path, from, strictness)?;
    let file = u32::try_from(data.files.len()).unwrap_or(u32::MAX);
    data.add_run_set(&set, &input.label).map_err(|Full| ReadError::BadLine {
        source: source(),
        line: 0,
        reason: etalon_core::dataset::Reason::Full.to_string(),
    })?;
    Ok(file)
}
