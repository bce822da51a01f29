//! Files that are read as a whole, with what stands beside them.
//!
//! Owns the limit of their size, compressed input, the files of a directory, and which of its neighbours a file is read
//! with. Regular files only. Refuses to look for anything that its format does not name.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::format::SourceFormat;
use crate::entries::entries;
use crate::foreign::decode::Decoded;
use crate::foreign::harness::HarnessFormat;
use crate::foreign::harness::results::{Part, Source};
use crate::raw::{ReadError, os_reason};

/// The most bytes that are read at once. Because: memory has to stay bounded, and a million readings take 20 MB.
const MOST: u64 = 256 * 1024 * 1024;
/// The most files of a directory, and the deepest. Because: as above; a directory may lead in a circle.
const FILES: usize = 200_000;
const DEPTH: usize = 12;

/// The first bytes of what gzip wrote.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The stream as it was before it was compressed, if it was.
pub(super) fn decompressed<'r>(
    mut reader: impl BufRead + Send + 'r,
) -> io::Result<Box<dyn BufRead + Send + 'r>> {
    match reader.fill_buf()?.starts_with(&GZIP) {
        true => Ok(Box::new(BufReader::new(MultiGzDecoder::new(reader)))),
        false => Ok(Box::new(reader)),
    }
}

/// All of a file, as UTF-8 and as it was before it was compressed.
///
/// # Errors
/// If it cannot be read, or is larger than what is read at once.
pub fn whole_text(reader: impl BufRead + Send) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Decoded::new(decompressed(reader)?)?.take(MOST + 1).read_to_end(&mut text)?;
    match text.len() as u64 > MOST {
        true => Err(io::Error::other(format!("more than {} MB", MOST >> 20))),
        false => Ok(text),
    }
}

/// All of a stream, and the files beside it.
pub(super) fn parts(
    reader: impl Read,
    source: &str,
    beside: Vec<Part>,
) -> Result<Source, ReadError> {
    let mut text = Vec::new();
    let failed = |error: io::Error| ReadError::Io {
        source: source.to_owned(),
        line: 1,
        why: os_reason(&error),
    };
    reader.take(MOST + 1).read_to_end(&mut text).map_err(failed)?;
    if text.len() as u64 > MOST {
        return Err(ReadError::TooLarge { source: source.to_owned(), limit: MOST });
    }
    let mut parts = vec![Part { path: source.to_owned(), text }];
    parts.extend(beside);
    Ok(Source { parts })
}

/// The files that one of this format is read with, as far as they are there.
pub(super) fn beside(path: &Path, format: HarnessFormat) -> Vec<Part> {
    let Some(directory) = path.parent() else { return Vec::new() };
    let part = |name: &&str| {
        let path = directory.join(name);
        read(&path).ok().map(|text| Part { path: path.display().to_string(), text })
    };
    format.beside().iter().filter_map(part).collect()
}

/// The files of a directory that a harness leaves, and its format; absent of a file.
pub(super) fn directory(
    path: &Path,
    from: SourceFormat,
) -> Result<Option<(HarnessFormat, Vec<Part>)>, ReadError> {
    if !path.is_dir() {
        return Ok(None);
    }
    let asked = |format: &HarnessFormat| match from {
        SourceFormat::Auto => true,
        from => from == SourceFormat::Harness(*format),
    };
    for (_, format) in HarnessFormat::ALL.into_iter().filter(|(_, format)| asked(format)) {
        let mut parts = Vec::new();
        let mut left = MOST;
        if let Some(is_of) = format.files() {
            collect(path, (is_of, DEPTH), &mut parts, &mut left)?;
        }
        if !parts.is_empty() {
            return Ok(Some((format, parts)));
        }
    }
    Err(ReadError::Directory { source: path.display().to_string() })
}

/// Adds the files below a directory that are meant, in the order of their names.
fn collect(
    directory: &Path,
    (is_of, depth): (fn(&Path) -> bool, usize),
    parts: &mut Vec<Part>,
    left: &mut u64,
) -> Result<(), ReadError> {
    let failed = |path: &Path, error: &io::Error| ReadError::open(path, error);
    let entries = entries(directory).map_err(|error| failed(directory, &error))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let Ok(about) = fs::symlink_metadata(&path) else { continue };
        if about.is_dir() && depth > 0 {
            collect(&path, (is_of, depth - 1), parts, left)?;
        } else if about.is_file() && is_of(&path) {
            let text = read(&path).map_err(|error| failed(&path, &error))?;
            let source = directory.display().to_string();
            let size = text.len() as u64;
            if size > *left || parts.len() == FILES {
                return Err(ReadError::TooLarge { source, limit: MOST });
            }
            *left -= size;
            parts.push(Part { path: path.display().to_string(), text });
        }
    }
    Ok(())
}

/// A regular file as UTF-8.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("no regular file"));
    }
    whole_text(BufReader::new(File::open(path)?))
}
