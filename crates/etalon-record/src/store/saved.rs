//! A saved run as its first lines, its last, and its lock describe it.
//!
//! Refuses to read what was measured.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use etalon_core::model::Answer;
use etalon_core::run_set::End;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{AnswerOf, Labels, Summary, id};
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
    /// What its first lines say; absent if they cannot be read.
    pub summary: Option<Summary>,
    /// How it ended; absent if it does not say.
    pub end: Option<End>,
    /// What came out, of which comparisons; absent where that was not kept.
    pub answer: Option<(AnswerOf, Answer)>,
}

/// A file's size and the time of its last change: a record with another one is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// In bytes.
    pub(super) bytes: u64,
    /// In seconds since 1970, and nanoseconds.
    pub(super) modified: (i64, i64),
}

impl Stamp {
    pub(super) fn new(file: &Metadata) -> Stamp {
        Stamp { bytes: file.len(), modified: (file.mtime(), file.mtime_nsec()) }
    }
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
        let said = self.summary.as_ref().and_then(|run| run.started.as_ref()?.parse().ok());
        said.or_else(|| id::time_of(&self.id))
    }

    /// Whether somebody gave it a name, a tag or a note.
    #[must_use]
    pub fn is_labelled(&self) -> bool {
        !self.names.is_empty() || !self.labels.is_empty()
    }

    /// One of which nothing is known but where it is.
    pub(super) fn named(id: String, path: PathBuf) -> Saved {
        Saved {
            short: id.clone(),
            id,
            path,
            names: Vec::new(),
            labels: Labels::default(),
            bytes: None,
            state: State::Interrupted,
            summary: None,
            end: None,
            answer: None,
        }
    }

    /// Looks at one file, and what it was when it was looked at; what was said of it is the store's to add.
    pub(super) fn look_at(id: String, path: PathBuf) -> (Saved, Option<Stamp>) {
        let mut saved = Saved::named(id, path);
        match saved.read() {
            Ok(stamp) => (saved, Some(stamp)),
            Err(reason) => (Saved { state: State::Unreadable { reason }, ..saved }, None),
        }
    }

    fn read(&mut self) -> Result<Stamp, String> {
        let why = |error: std::io::Error| os_reason(&error);
        let file = File::open(&self.path).map_err(why)?;
        let stamp = Stamp::new(&file.metadata().map_err(why)?);
        self.bytes = Some(stamp.bytes);
        let running = is_held(&file);
        let mut reader = BufReader::new(&file);
        let header = header(&mut reader, &self.path)?;
        let benchmarks = benchmarks(reader.take(HEAD)).map_err(why)?;
        self.summary = Some(Summary::new(&header, &benchmarks));
        self.end = last_end(&file, stamp.bytes).map_err(why)?;
        self.state = match (&self.end, running) {
            (_, true) => State::Running,
            (Some(_), false) => State::Complete,
            (None, false) => State::Interrupted,
        };
        Ok(stamp)
    }
}

/// The first line.
pub(super) fn header(reader: &mut impl BufRead, path: &Path) -> Result<HeaderLine, String> {
    let mut first = Vec::new();
    let read = reader.take(LONGEST_LINE).read_until(b'\n', &mut first);
    read.map_err(|error| os_reason(&error))?;
    parse_header(&first, &path.display().to_string()).map_err(|error| error.to_string())
}

/// The benchmarks that are declared before the second block: those of harnesses are as soon as they have a result.
fn benchmarks(reader: impl BufRead) -> std::io::Result<Vec<BenchmarkLine>> {
    let mut benchmarks = Vec::new();
    let mut first: Option<Vec<u8>> = None;
    for line in reader.split(b'\n') {
        let line = line?;
        if !line.starts_with(b"{\"type\":\"observation\"") {
            benchmarks.extend(parse_benchmark(&line));
            continue;
        }
        let block = block(&line);
        if *first.get_or_insert_with(|| block.to_vec()) != block {
            break;
        }
    }
    Ok(benchmarks)
}

/// The block of an observation, as it is written; nothing where it has none.
fn block(line: &[u8]) -> &[u8] {
    const KEY: &[u8] = b"\"block\":";
    let Some(at) = line.windows(KEY.len()).position(|part| part == KEY) else { return &[] };
    let number = &line[at + KEY.len()..];
    let end = number.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(number.len());
    &number[..end]
}

/// The end line among the last lines of a file.
pub(super) fn last_end(mut file: &File, bytes: u64) -> std::io::Result<Option<End>> {
    file.seek(SeekFrom::Start(bytes.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    Ok(tail.rsplit(|byte| *byte == b'\n').find_map(parse_end))
}
