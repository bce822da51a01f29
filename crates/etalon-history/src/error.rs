//! Why the history cannot be had, in words for whoever asked.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why the history cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// A newer version of etalon wrote it.
    #[error(
        "{}: a newer etalon wrote this history (schema {found}, this one knows {known}), and it is left alone: \
         use that etalon, or move the file away and make it anew with `etalon history rebuild`", .path.display()
    )]
    Newer {
        /// Its file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The newest schema that is known.
        known: i64,
    },
    /// A database of another program, or no database.
    #[error(
        "{}: no history of etalon's ({why}), and it is left alone: move it away, and `etalon history rebuild` makes \
         the history anew", .path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its nature.
        why: String,
    },
    /// No room.
    #[error("{}: cannot be written: no space left; nothing of this was added", .path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Another process has it for long.
    #[error("{}: another etalon is writing to it, for longer than half a minute", .path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Anything else that SQLite says.
    #[error("{}: {why}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// Its words.
        why: String,
    },
}

/// Why points cannot be handed to a server.
#[derive(Debug, thiserror::Error)]
pub enum SharedError {
    /// The file that they are in cannot be read.
    #[error(transparent)]
    History(HistoryError),
    /// A newer version of etalon made the tables there.
    #[error(
        "a newer etalon made its tables (schema {found}, this one knows {known}), and they are left alone: use that etalon"
    )]
    Newer {
        /// Their schema.
        found: i64,
        /// The newest schema that is known.
        known: i64,
    },
    /// PostgreSQL's own words.
    #[error("{why}")]
    Postgres {
        /// The words.
        why: String,
    },
}

impl HistoryError {
    /// SQLite's error about a file.
    pub(crate) fn new(path: &Path, error: &rusqlite::Error) -> HistoryError {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => HistoryError::Full { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                HistoryError::Busy { path }
            }
            Some(ErrorCode::NotADatabase) => {
                HistoryError::Foreign { path, why: "it is no database".to_owned() }
            }
            _ => HistoryError::Sqlite { path, why: error.to_string() },
        }
    }
}
