//! The listing: every saved run with what its first and last lines say.
//!
//! Owns what a run's state is and that a file that cannot be read is listed as that. Reads the
//! first line and the last few kilobytes of each file, never the observations.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use etalon_core::model::End;

use super::{Store, StoreError};
use crate::lock::is_held;
use crate::raw::{HeaderLine, LONGEST_LINE, os_reason, parse_end, parse_header};

/// Bytes read at the end of a file. Because: an end line has about 80, and notes may follow it.
const TAIL: u64 = 8 * 1024;

/// A saved run.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// Its id, from the file's name.
    pub id: String,
    /// Its file.
    pub path: PathBuf,
    /// Names that point to it, in alphabetical order.
    pub names: Vec<String>,
    /// The file's size in bytes; absent if that cannot be had.
    pub bytes: Option<u64>,
    /// What state it is in.
    pub state: State,
    /// Its header; absent if it cannot be read.
    pub header: Option<HeaderLine>,
    /// How it ended; absent if it does not say.
    pub end: Option<End>,
}

/// The state of a saved run. It follows from the content, not from the file's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It says how it ended.
    Complete,
    /// It does not say how it ended, and nobody is writing it.
    Interrupted,
    /// It is being written, or gone on with.
    Running,
    /// It is not a readable record.
    Unreadable {
        /// Why.
        reason: String,
    },
}

impl Store {
    /// All saved runs, newest first.
    ///
    /// # Errors
    /// If a directory of the store cannot be read. Files that cannot be read are listed as that.
    pub fn list(&self) -> Result<Vec<Saved>, StoreError> {
        let names = self.all_names()?;
        let mut saved = Vec::new();
        for id in self.ids()? {
            // Renamed or removed since the directory was read: the next listing has it right.
            let Some(path) = self.find(&id) else { continue };
            let mut of_this: Vec<String> =
                names.iter().filter(|(_, other)| *other == id).map(|(n, _)| n.clone()).collect();
            of_this.sort_unstable();
            saved.push(look_at(id, path, of_this));
        }
        Ok(saved)
    }
}

/// Looks at one file.
fn look_at(id: String, path: PathBuf, names: Vec<String>) -> Saved {
    let unreadable = |reason| Glimpse {
        bytes: None,
        state: State::Unreadable { reason },
        header: None,
        end: None,
    };
    let Glimpse { bytes, state, header, end } = glimpse(&path).unwrap_or_else(unreadable);
    Saved { id, path, names, bytes, state, header, end }
}

/// What can be seen of a file without reading all of it.
struct Glimpse {
    bytes: Option<u64>,
    state: State,
    header: Option<HeaderLine>,
    end: Option<End>,
}

fn glimpse(path: &Path) -> Result<Glimpse, String> {
    let file = File::open(path).map_err(|error| os_reason(&error))?;
    let bytes = file.metadata().map_err(|error| os_reason(&error))?.len();
    let running = is_held(&file);
    let mut first = Vec::new();
    let mut reader = BufReader::new(&file);
    reader
        .by_ref()
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut first)
        .map_err(|error| os_reason(&error))?;
    let source = path.display().to_string();
    let header = Some(parse_header(&first, &source).map_err(|error| error.to_string())?);
    let end = last_end(&file, bytes).map_err(|error| os_reason(&error))?;
    let state = match (&end, running) {
        (_, true) => State::Running,
        (Some(_), false) => State::Complete,
        (None, false) => State::Interrupted,
    };
    Ok(Glimpse { bytes: Some(bytes), state, header, end })
}

/// The end line among the last lines of a file.
fn last_end(mut file: &File, bytes: u64) -> std::io::Result<Option<End>> {
    file.seek(SeekFrom::Start(bytes.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    Ok(tail.rsplit(|byte| *byte == b'\n').find_map(parse_end))
}
