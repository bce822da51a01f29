//! The front door for tables: a file of any format becomes rows of a dataset.
//!
//! Go's benchmarks are read row by row, everything else through its run set. What is of no known format is
//! read as Go's, which allows any line anywhere. That a file has no rows is the caller's to judge.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use etalon_core::dataset::{Dataset, Full};

use super::{CHUNK, Format, From, detect, read};
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
