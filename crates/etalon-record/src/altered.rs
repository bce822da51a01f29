//! Whether a file is still what was written to it.
//!
//! Owns what can have become of a file while it was written: its name leads nowhere or elsewhere, or it
//! is not as long as all lines together. Refuses to compare content: a change that keeps the length
//! stays unseen.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::fresh::leads_to;

/// Damage to a file while it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Altered {
    /// Its name leads nowhere; the open file is whole.
    Deleted,
    /// Its name leads to another file; the open one is whole.
    Replaced,
    /// It is shorter than what was written.
    Cut {
        /// Its size in bytes.
        left: u64,
        /// The bytes that were written to it.
        written: u64,
    },
    /// It is longer: somebody else wrote to it.
    Mixed,
}

impl Altered {
    /// Whether what was written is there in the open file, whatever its name leads to.
    #[must_use]
    pub fn is_whole_while_open(self) -> bool {
        matches!(self, Altered::Deleted | Altered::Replaced)
    }
}

impl fmt::Display for Altered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Altered::Deleted => f.write_str("was deleted while it was written"),
            Altered::Replaced => f.write_str("was replaced while it was written"),
            Altered::Cut { left, written } => {
                write!(f, "was cut while it was written; {left} of {written} bytes are left")
            }
            Altered::Mixed => f.write_str("was written to by somebody else as well"),
        }
    }
}

/// The damage to the file that was opened as `path`, was empty, and got so many bytes. `None`: none,
/// or it is no regular file.
///
/// # Errors
/// If the open file cannot be looked at.
pub fn altered(file: &File, path: &Path, written: u64) -> io::Result<Option<Altered>> {
    let open = file.metadata()?;
    if !open.is_file() {
        return Ok(None);
    }
    Ok(match open.len() {
        left if left < written => Some(Altered::Cut { left, written }),
        more if more > written => Some(Altered::Mixed),
        _ if leads_to(path, file)? => None,
        _ if path.symlink_metadata().is_ok() => Some(Altered::Replaced),
        _ => Some(Altered::Deleted),
    })
}
