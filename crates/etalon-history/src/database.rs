//! The file: opened, brought to this etalon's schema, or refused.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::HistoryError;
use crate::schema::{APPLICATION, STEPS, migrate, number, version};

/// How long another writer is waited for. Because: adding a run takes milliseconds, and a file of another harness
/// seconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// Pauses while another etalon makes the file, and how many of them: SQLite does not wait by itself there.
const PAUSE: Duration = Duration::from_millis(20);
const PAUSES: u32 = 500;

/// Bytes of the file that a process looks at through its memory. Because: a question about a series reads few pages
/// of a large file.
const MAPPED: i64 = 1 << 30;

/// The use that is made of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Questions are asked.
    Read,
    /// Points are added; the file is made where there is none.
    Write,
}

/// A history.
#[derive(Debug)]
pub struct Database {
    pub(crate) connection: Connection,
    path: PathBuf,
}

impl Database {
    /// Opens the history in a file and brings it to this etalon's schema; nothing where none is and nothing is written.
    ///
    /// # Errors
    /// If it is a newer etalon's or another program's, which are left as they are, or cannot be opened.
    pub fn open(path: &Path, access: Access) -> Result<Option<Database>, HistoryError> {
        let is_there = path.metadata().is_ok_and(|file| file.len() > 0);
        if access == Access::Read && !is_there {
            return Ok(None);
        }
        let failed = |error: &rusqlite::Error| HistoryError::new(path, error);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|e| failed(&e))?;
        let mut database = Database { connection, path: path.to_owned() };
        database.known().and_then(|()| database.prepared().map_err(|e| failed(&e)))?;
        Ok(Some(database))
    }

    /// Refuses what is not this etalon's, before anything is written: closing it is no occasion either.
    fn known(&self) -> Result<(), HistoryError> {
        let failed = |error: rusqlite::Error| HistoryError::new(&self.path, &error);
        let untouched = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        self.connection.busy_timeout(PATIENCE).map_err(failed)?;
        self.connection.set_db_config(untouched, true).map_err(failed)?;
        let pragma = |name| self.connection.pragma_query_value(None, name, |row| row.get(0));
        let (known, found) = (number(STEPS), version(&self.connection).map_err(failed)?);
        let application: i64 = pragma("application_id").map_err(failed)?;
        // Whoever was killed before the first table left a file without any.
        let tables = "SELECT count(*) FROM sqlite_schema";
        let tables: i64 =
            self.connection.query_row(tables, [], |row| row.get(0)).map_err(failed)?;
        if tables > 0 && application != APPLICATION {
            let why = "the database of another program".to_owned();
            return Err(HistoryError::Foreign { path: self.path.clone(), why });
        }
        if found > known {
            return Err(HistoryError::Newer { path: self.path.clone(), found, known });
        }
        self.connection.set_db_config(untouched, false).map_err(failed)?;
        Ok(())
    }

    /// Settings, and the tables that it lacks.
    fn prepared(&mut self) -> rusqlite::Result<()> {
        self.write_ahead()?;
        self.connection.pragma_update(None, "synchronous", "NORMAL")?;
        self.connection.pragma_update(None, "mmap_size", MAPPED)?;
        self.connection.set_prepared_statement_cache_capacity(64);
        migrate(&mut self.connection, STEPS)
    }

    /// Has it write ahead. Several etalons may do so at once, and SQLite then says that the file is in use without
    /// waiting.
    fn write_ahead(&self) -> rusqlite::Result<()> {
        let mode = |name: &str| -> rusqlite::Result<String> {
            match name {
                "" => self.connection.pragma_query_value(None, "journal_mode", |row| row.get(0)),
                name => {
                    let set = |row: &rusqlite::Row<'_>| row.get(0);
                    self.connection.pragma_update_and_check(None, "journal_mode", name, set)
                }
            }
        };
        if mode("")? == "wal" {
            return Ok(());
        }
        for _ in 0..PAUSES {
            match mode("wal") {
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                    std::thread::sleep(PAUSE);
                }
                other => return other.map(drop),
            }
        }
        mode("wal").map(drop)
    }

    /// Its file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn failed(&self, error: &rusqlite::Error) -> HistoryError {
        HistoryError::new(&self.path, error)
    }
}
