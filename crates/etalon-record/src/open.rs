//! The front door for data: a path, a stream or bytes become a run set, or rows of a dataset.
//!
//! Owns opening the file, once, and recognising its format from its first bytes, whatever it is called;
//! foreign formats plug in at [`detect`]. Refuses names of saved runs (`@last`):
//! [`crate::store::Store::resolve`] turns those into paths first.

#![expect(clippy::disallowed_methods, reason = "the front door opens files")]

mod dataset;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;

use etalon_core::dataset::Problem;
use etalon_core::model::{Note, RunSet};

use crate::foreign::bestguess::{self, Rss};
use crate::foreign::decode::Decoded;
use crate::foreign::go;
use crate::foreign::hyperfine;
use crate::raw::{self, ReadError, Strictness, describe, os_reason};

/// Bytes read at a time, and looked at to recognise a format. Because: below the cache size of a
/// core, and larger ones were not faster.
const CHUNK: usize = 64 * 1024;

/// What a file's first bytes say it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// etalon's own record.
    Record,
    /// BestGuess's raw data, or rows of `-o FILE.csv`.
    Bestguess,
    /// hyperfine's `--export-json`.
    Hyperfine,
    /// What `go test -bench` prints.
    Go,
    /// Nothing at all.
    Empty,
    /// None of those etalon reads.
    Unknown {
        /// What the beginning looks like.
        found: String,
    },
}

/// Where a file comes from, if that is known better than its first bytes say it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum From {
    /// Its first bytes say it.
    #[default]
    Auto,
    /// BestGuess; peak memory in bytes, as the column says.
    Bestguess,
    /// BestGuess on Linux; peak memory in KiB, whatever the column says.
    BestguessLinux,
    /// hyperfine.
    Hyperfine,
    /// Go's benchmarks.
    Go,
    /// etalon.
    Etalon,
}

impl From {
    /// All of them with the names they have on the command line.
    pub const NAMES: [(&'static str, From); 6] = [
        ("auto", From::Auto),
        ("bestguess", From::Bestguess),
        ("bestguess-linux", From::BestguessLinux),
        ("hyperfine", From::Hyperfine),
        ("go", From::Go),
        ("etalon", From::Etalon),
    ];

    /// The one of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<From> {
        From::NAMES.iter().find(|(known, _)| *known == name).map(|(_, from)| *from)
    }
}

/// Recognises a format from the beginning of a file, which has to reach to its first key or the end
/// of its first line.
#[must_use]
pub fn detect(beginning: &[u8]) -> Format {
    if beginning.is_empty() {
        return Format::Empty;
    }
    match beginning.trim_ascii_start() {
        [b'{', rest @ ..] => match first_key(rest) {
            Some(key) if hyperfine::is_first_key(key) => Format::Hyperfine,
            // Programs that log JSON have benchmarks, too.
            _ if go::recognise(beginning) => Format::Go,
            // Whether it really is one is for its reader to say; JSON of another kind is told from a
            // record there, with the better message.
            _ => Format::Record,
        },
        _ if bestguess::is_header(beginning) => Format::Bestguess,
        _ if go::recognise(beginning) => Format::Go,
        _ => Format::Unknown { found: describe(beginning) },
    }
}

/// The first key of an object whose brace came before.
fn first_key(object: &[u8]) -> Option<&[u8]> {
    let key = object.trim_ascii_start().strip_prefix(b"\"")?;
    key.split(|b| *b == b'"').next().filter(|found| found.len() < key.len())
}

/// Opens and reads a file in any format etalon knows.
///
/// # Errors
/// If it cannot be opened or read, is not a format etalon knows, or, with
/// [`Strictness::Strict`], holds a line that cannot be used.
pub fn open(path: &Path, strictness: Strictness) -> Result<RunSet, ReadError> {
    open_as(path, From::Auto, strictness)
}

/// Opens and reads a file that comes `from` there.
///
/// # Errors
/// As [`open`].
pub fn open_as(path: &Path, from: From, strictness: Strictness) -> Result<RunSet, ReadError> {
    file(path, from)?.into_run_set(strictness)
}

/// Opens a file that comes `from` there.
///
/// # Errors
/// If it cannot be opened or read.
pub fn file(path: &Path, from: From) -> Result<Opened<'static>, ReadError> {
    let source = path.display().to_string();
    let file = File::open(path)
        .map_err(|error| ReadError::Open { source: source.clone(), why: os_reason(&error) })?;
    Opened::new(BufReader::with_capacity(CHUNK, file), &source, from)
}

/// Reads bytes in any format etalon knows. Never panics, whatever they are.
///
/// # Errors
/// As [`open`], without the file.
pub fn read_bytes(
    bytes: &[u8],
    source: &str,
    from: From,
    strictness: Strictness,
) -> Result<RunSet, ReadError> {
    read(bytes, source, from, strictness)
}

/// Reads a stream in any format etalon knows. `source` names it in errors and notes. UTF-16 with a byte
/// order mark is read as the text it is.
///
/// # Errors
/// As [`open`], without the file.
pub fn read(
    reader: impl BufRead,
    source: &str,
    from: From,
    strictness: Strictness,
) -> Result<RunSet, ReadError> {
    Opened::new(reader, source, from)?.into_run_set(strictness)
}

/// A source whose format is known. It is read once, from its beginning: a pipe has no second time.
pub struct Opened<'r> {
    source: String,
    from: From,
    found: Format,
    /// What was read to recognise it.
    beginning: Vec<u8>,
    /// What follows.
    text: Decoded<Box<dyn BufRead + 'r>>,
}

impl<'r> Opened<'r> {
    /// Recognises a stream that comes `from` there. `source` names it in errors and notes. UTF-16 with a
    /// byte order mark is read as the text it is.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn new(
        reader: impl BufRead + 'r,
        source: &str,
        from: From,
    ) -> Result<Opened<'r>, ReadError> {
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::IsADirectory => ReadError::Directory { source: source.to_owned() },
            _ => ReadError::Io { source: source.to_owned(), line: 1, why: os_reason(&error) },
        };
        let reader: Box<dyn BufRead + 'r> = Box::new(reader);
        let mut text = Decoded::new(reader).map_err(failed)?;
        let mut beginning = beginning(&mut text).map_err(failed)?;
        let mut found = detect(&beginning);
        if from == From::Auto && matches!(found, Format::Unknown { .. } | Format::Record) {
            // Results of Go may come after anything, lines of JSON included.
            text.by_ref().take(CHUNK as u64).read_to_end(&mut beginning).map_err(failed)?;
            found = detect(&beginning);
        }
        Ok(Opened { source: source.to_owned(), from, found, beginning, text })
    }

    /// Whether it is read as Go's benchmarks: because its beginning is, or because it comes from there.
    #[must_use]
    pub fn is_go(&self) -> bool {
        match self.from {
            From::Auto => self.found == Format::Go,
            from => from == From::Go,
        }
    }

    /// Reads it as a run set.
    ///
    /// # Errors
    /// As [`open`], without opening it.
    pub fn into_run_set(self, strictness: Strictness) -> Result<RunSet, ReadError> {
        let Opened { source, from, found, beginning, mut text } = self;
        let all = Cursor::new(beginning).chain(&mut text);
        let mut set = match (from, found) {
            (_, Format::Empty) => return Err(ReadError::Empty { source }),
            (From::Etalon, _) | (From::Auto, Format::Record) => raw::read(all, &source, strictness),
            (From::Hyperfine, _) | (From::Auto, Format::Hyperfine) => {
                hyperfine::read(all, &source, strictness)
            }
            (From::Go, _) | (From::Auto, Format::Go) => read_go(all, &source, strictness),
            (From::BestguessLinux, _) => bestguess::read(all, &source, Rss::Kib, strictness),
            (From::Bestguess, _) | (From::Auto, Format::Bestguess) => {
                bestguess::read(all, &source, Rss::Bytes, strictness)
            }
            (From::Auto, Format::Unknown { found }) => {
                return Err(ReadError::NotARecord { source, found });
            }
        }?;
        if text.replaced() > 0 {
            let count = text.replaced();
            let text = format!("{count} code units are no UTF-16 and are read as U+FFFD");
            set.notes.push(Note { about: source, text });
        }
        Ok(set)
    }
}

/// A stream of Go's benchmarks as a run set.
fn read_go(
    reader: impl BufRead,
    source: &str,
    strictness: Strictness,
) -> Result<RunSet, ReadError> {
    let data = go::read(reader, source, strictness)?;
    if data.is_empty() {
        let why = match data.problems.listed.first() {
            Some(Problem { line: Some(line), reason, .. }) => format!("line {line}: {reason}"),
            _ => "no line is one".to_owned(),
        };
        return Err(ReadError::NoResults { source: source.to_owned(), why });
    }
    Ok(go::run_set(&data, source))
}

/// Enough of a stream to recognise it by: lines up to the first that says something, and of JSON
/// enough for a key. At most [`CHUNK`] and a line.
fn beginning(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let had = bytes.len();
        reader.by_ref().take(CHUNK as u64).read_until(b'\n', &mut bytes)?;
        let ended = bytes.len() == had || bytes.len() >= CHUNK;
        let says = match bytes.trim_ascii_start() {
            [b'{', rest @ ..] => !rest.trim_ascii_start().is_empty(),
            start => !start.is_empty(),
        };
        if ended || says {
            return Ok(bytes);
        }
    }
}
