//! A saved run as its first lines, its last, and its lock describe it.
//!
//! Refuses to read what was measured.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use etalon_core::run_set::End;
use jiff::Timestamp;

use super::{Labels, id};
use crate::lock::is_held;
use crate::raw::benchmark::BenchmarkLine;
use crate::raw::{HeaderLine, LONGEST_LINE, os_reason, parse_benchmark, parse_end, parse_header};

/// Bytes read at the end of a file. Because: an end line has about 80, and notes may follow it.
const TAIL: u64 = 8 * 1024;
/// Bytes read for benchmarks after the header. Because: some hundred of them, and what is more than anybody
/// reads in a line of a list need not be found.
const HEAD: u64 = 64 * 1024;

/// A saved run.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// Its id, from the file's name.
    pub id: String,
    /// The shortest beginning of its id that stands for it alone.
    pub short: String,
    /// Where its record is.
    pub path: PathBuf,
    /// Names that point to it, in alphabetical order.
    pub names: Vec<String>,
    /// Tags and note.
    pub labels: Labels,
    /// The file's size in bytes; absent if that cannot be had.
    pub bytes: Option<u64>,
    /// Its state.
    pub state: State,
    /// Its header; absent if it cannot be read.
    pub header: Option<HeaderLine>,
    /// Its benchmarks, as far as they stand at its beginning.
    pub benchmarks: Vec<BenchmarkLine>,
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

impl Saved {
    /// When it started: as its header says, else its id; absent where neither does.
    #[must_use]
    pub fn started(&self) -> Option<Timestamp> {
        let said = self.header.as_ref().and_then(|header| header.started.as_ref()?.parse().ok());
        said.or_else(|| id::time_of(&self.id))
    }

    /// Whether somebody gave it a name, a tag or a note.
    #[must_use]
    pub fn is_labelled(&self) -> bool {
        !self.names.is_empty() || !self.labels.is_empty()
    }

    /// Looks at one file; what was said of it is the store's to add.
    pub(super) fn look_at(id: String, path: PathBuf) -> Saved {
        let mut saved = Saved {
            short: id.clone(),
            id,
            path,
            names: Vec::new(),
            labels: Labels::default(),
            bytes: None,
            state: State::Interrupted,
            header: None,
            benchmarks: Vec::new(),
            end: None,
        };
        if let Err(reason) = saved.read() {
            saved.state = State::Unreadable { reason };
        }
        saved
    }

    fn read(&mut self) -> Result<(), String> {
        let why = |error: std::io::Error| os_reason(&error);
        let file = File::open(&self.path).map_err(why)?;
        let bytes = file.metadata().map_err(why)?.len();
        self.bytes = Some(bytes);
        let running = is_held(&file);
        let mut reader = BufReader::new(&file);
        self.header = Some(header(&mut reader, &self.path)?);
        self.benchmarks = benchmarks(reader.take(HEAD)).map_err(why)?;
        self.end = last_end(&file, bytes).map_err(why)?;
        self.state = match (&self.end, running) {
            (_, true) => State::Running,
            (Some(_), false) => State::Complete,
            (None, false) => State::Interrupted,
        };
        Ok(())
    }
}

/// The first line.
pub(super) fn header(reader: &mut impl BufRead, path: &Path) -> Result<HeaderLine, String> {
    let mut first = Vec::new();
    let read = reader.take(LONGEST_LINE).read_until(b'\n', &mut first);
    read.map_err(|error| os_reason(&error))?;
    parse_header(&first, &path.display().to_string()).map_err(|error| error.to_string())
}

/// The benchmarks that are declared before the first observation.
fn benchmarks(reader: impl BufRead) -> std::io::Result<Vec<BenchmarkLine>> {
    let mut benchmarks = Vec::new();
    for line in reader.split(b'\n') {
        let line = line?;
        if line.starts_with(b"{\"type\":\"observation\"") {
            break;
        }
        benchmarks.extend(parse_benchmark(&line));
    }
    Ok(benchmarks)
}

/// The end line among the last lines of a file.
pub(super) fn last_end(mut file: &File, bytes: u64) -> std::io::Result<Option<End>> {
    file.seek(SeekFrom::Start(bytes.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    Ok(tail.rsplit(|byte| *byte == b'\n').find_map(parse_end))
}
