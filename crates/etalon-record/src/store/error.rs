//! What can go wrong with the store, in words that name the file and what to do.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::raw::os_reason;

/// Why the store could not do something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// No environment variable says where the store is.
    NoHome,
    /// A file or directory could not be used.
    Io {
        /// What was tried, such as `create`, `read` or `rename`.
        verb: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The operating system's reason.
        why: String,
    },
    /// A record of that id is there already.
    Exists {
        /// Its file.
        path: PathBuf,
    },
    /// An id that is not one.
    NotAnId {
        /// What was given.
        id: String,
    },
    /// A name that cannot be one.
    BadName {
        /// What was given.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A reference to a run that does not exist.
    Unknown {
        /// What was asked for.
        asked: String,
        /// Names and ids that look like it, best first.
        close: Vec<String>,
        /// Where the store is.
        home: PathBuf,
    },
    /// The run is being written at the moment.
    Running {
        /// Its file.
        path: PathBuf,
    },
}

impl StoreError {
    pub(super) fn io(verb: &'static str, path: &Path, error: &io::Error) -> StoreError {
        StoreError::Io { verb, path: path.to_owned(), why: os_reason(error) }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::NoHome => f.write_str(
                "there is no place to save runs: none of ETALON_HOME, XDG_STATE_HOME and HOME is set",
            ),
            StoreError::Io { verb, path, why } => {
                write!(f, "cannot {verb} {}: {why}", path.display())
            }
            StoreError::Exists { path } => write!(
                f,
                "{} exists already and is not overwritten; remove it or use another id",
                path.display()
            ),
            StoreError::NotAnId { id } => write!(
                f,
                "`{id}` is not the id of a run; `etalon runs` lists ids, which look like \
                 20261121T031122.123456Z-1a2b"
            ),
            StoreError::BadName { name, reason } => {
                write!(f, "`{name}` cannot be a name: {reason}")
            }
            StoreError::Unknown { asked, close, home } => {
                write!(f, "no saved run `{asked}` in {}", home.display())?;
                if close.is_empty() {
                    return f.write_str("; `etalon runs` lists what is there");
                }
                write!(f, "; did you mean {}?", close.join(" or "))
            }
            StoreError::Running { path } => write!(
                f,
                "{} is being written by a running etalon; wait until it ends, or interrupt it",
                path.display()
            ),
        }
    }
}

impl std::error::Error for StoreError {}
