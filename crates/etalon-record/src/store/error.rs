//! Errors of the store, in words that name the file and the remedy.

use std::io;
use std::path::{Path, PathBuf};

use crate::raw::os_reason;

/// Why the store could not do something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// No environment variable says where the store is.
    #[error(
        "there is no place to save runs, because none of ETALON_HOME, XDG_STATE_HOME and HOME is set: set one of them"
    )]
    NoHome,
    /// A file or directory could not be used.
    #[error("cannot {verb} {}: {why}", path.display())]
    Io {
        /// The attempt, such as `create`, `read` or `rename`.
        verb: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The operating system's reason.
        why: String,
    },
    /// A record of that id is there already.
    #[error("{} exists already and is not overwritten; remove it or use another id", path.display())]
    Exists {
        /// Where its record is.
        path: PathBuf,
    },
    /// Something that is to be saved is no record.
    #[error("{reason}")]
    NoRecord {
        /// The reason.
        reason: String,
    },
    /// An id that is not one.
    #[error(
        "`{id}` is not the id of a run; `etalon runs` lists ids, which look like \
         20261121T031122.123456Z-kzmwqtbx"
    )]
    NotAnId {
        /// The text that was given.
        id: String,
    },
    /// A name or tag that cannot be one.
    #[error("`{name}` cannot be a {kind}: {reason}")]
    BadName {
        /// Its kind: a name or a tag.
        kind: &'static str,
        /// The text that was given.
        name: String,
        /// The complaint about it.
        reason: &'static str,
    },
    /// A note that is too long.
    #[error(
        "a note has at most {most} bytes, and this one has {bytes}: write a file, and note its name"
    )]
    LongNote {
        /// How long it is.
        bytes: usize,
        /// How long one may be.
        most: usize,
    },
    /// The beginning of several ids.
    #[error("`{asked}` is the beginning of {count} runs: {}; write more of one", listed(candidates, *count))]
    Ambiguous {
        /// The reference that was given.
        asked: String,
        /// The names of the runs, the newest first; not all, if they are many.
        candidates: Vec<String>,
        /// How many they are.
        count: usize,
    },
    /// A reference to a run that does not exist.
    #[error("no saved run `{asked}` in {}; {}", home.display(), hint(close))]
    Unknown {
        /// The reference that was given.
        asked: String,
        /// Names and ids that look like it, best first.
        close: Vec<String>,
        /// Where the store is.
        home: PathBuf,
    },
    /// The run is being written at the moment.
    #[error(
        "{} is being written by a running etalon; wait until it ends, or interrupt it",
        path.display()
    )]
    Running {
        /// Where its record is.
        path: PathBuf,
    },
}

impl StoreError {
    pub(super) fn io(verb: &'static str, path: &Path, error: &io::Error) -> StoreError {
        StoreError::Io { verb, path: path.to_owned(), why: os_reason(error) }
    }
}

/// The runs that something may stand for.
fn listed(candidates: &[String], count: usize) -> String {
    let more = match count - candidates.len().min(count) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", candidates.join(", "))
}

/// The end of the message about a run that is not there.
fn hint(close: &[String]) -> String {
    if close.is_empty() {
        return "`etalon runs` lists what is there".to_owned();
    }
    format!("did you mean {}?", close.join(" or "))
}
