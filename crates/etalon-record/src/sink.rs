//! Appending whole lines to a file.
//!
//! Owns the promise that a record holds whole lines only: one `write(2)` per call, and where the
//! system takes only a part of it (a full disk, a size limit), the part is cut off again. Refuses
//! to buffer, to reopen and to choose what is written.

use std::fs::File;
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use etalon_core::shell::copied;

use crate::raw::os_reason;

/// Why a line did not get into a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot write {}: {why}; {}", path.display(), left(*safe, path))]
pub struct WriteError {
    /// Which file could not be written.
    pub path: PathBuf,
    /// The operating system's reason.
    pub why: String,
    /// The size of what is in it, all of it whole lines; absent where that could not be made sure:
    /// it is not a regular file, or somebody else appended to it as well.
    pub safe: Option<u64>,
}

/// The state of the file, as the end of the message.
fn left(safe: Option<u64>, path: &Path) -> String {
    match safe {
        Some(0) => "nothing was measured: make room, or choose another place".to_owned(),
        Some(bytes) => format!(
            "the {bytes} bytes written before are whole and readable with `etalon report {}`",
            copied(&path.display().to_string())
        ),
        None => "its last line may be torn".to_owned(),
    }
}

/// Appends `line` (with its newline) to `file`, which was opened for appending. One `write(2)` if
/// the system takes it whole, as it does for a regular file with space left.
///
/// # Errors
/// If the system does not take all of it. A regular file is then cut back to what it held before.
pub fn append(file: &File, line: &[u8], path: &Path) -> Result<(), WriteError> {
    let mut done = 0;
    while done < line.len() {
        let mut writer = file;
        match writer.write(&line[done..]) {
            Ok(0) => return Err(failed(file, done, path, &ErrorKind::WriteZero.into())),
            Ok(written) => done += written,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(file, done, path, &error)),
        }
    }
    Ok(())
}

/// Empties `file`, which is to be replaced. A device has nothing to remove.
///
/// # Errors
/// If the system does not do it. What it held is still there then.
pub fn empty(file: &File, path: &Path) -> Result<(), WriteError> {
    let held = file.metadata().ok().filter(|facts| facts.is_file()).map_or(0, |facts| facts.len());
    if held == 0 {
        return Ok(());
    }
    let failed = |error: &io::Error| WriteError {
        path: path.to_owned(),
        why: os_reason(error),
        safe: Some(held),
    };
    file.set_len(0).map_err(|error| failed(&error))
}

/// Cuts off the part of a line that was written, and says what is left.
fn failed(file: &File, partly: usize, path: &Path, error: &io::Error) -> WriteError {
    WriteError {
        path: path.to_owned(),
        why: os_reason(error),
        safe: cut_back(file, partly as u64).ok().flatten(),
    }
}

/// Removes the last `partly` bytes if they are the ones just written. After an appending write the
/// position is the end of what was written; if the file goes on after it, somebody else appended,
/// and cutting would lose theirs.
fn cut_back(mut file: &File, partly: u64) -> io::Result<Option<u64>> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Ok(None);
    }
    if partly == 0 {
        return Ok(Some(metadata.len()));
    }
    if file.stream_position()? != metadata.len() {
        return Ok(None);
    }
    let safe = metadata.len().saturating_sub(partly);
    file.set_len(safe)?;
    Ok(Some(safe))
}
