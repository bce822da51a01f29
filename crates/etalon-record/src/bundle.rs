//! Bundles: several records in one file, with what was said of them.
//!
//! Owns the lines around records: `bundle` first, then for each run a line `run` that says how many bytes of
//! record follow. Records are in it byte for byte. Refuses to look into them.

#![expect(clippy::disallowed_methods, reason = "a record is copied from its file")]

use std::fs::File;
use std::io::{self, BufRead, Cursor, ErrorKind, Read, Take, Write};

use etalon_core::visible::{Escapes, EscapingWriter};
use serde::{Deserialize, Serialize};

use crate::raw::{LONGEST_LINE, ReadError, VERSION, json_reason, os_reason, parse_header};
use crate::store::{Labels, Saved};

/// How a bundle begins.
const BEGINS: &[u8] = b"{\"type\":\"bundle\",";

/// A run in a bundle.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundled {
    /// The id of its header.
    pub id: String,
    /// Its names besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Tags and note.
    #[serde(flatten)]
    pub labels: Labels,
    /// How many bytes its record has.
    pub bytes: u64,
}

impl Bundled {
    /// Its name: the first of its names, else its id.
    #[must_use]
    pub fn called(&self) -> &str {
        self.names.first().unwrap_or(&self.id)
    }
}

/// A line around records.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Bundle { version: u32 },
    Run(Bundled),
}

/// Whether something that begins so is a bundle.
pub(crate) fn is_bundle(beginning: &[u8]) -> bool {
    beginning.starts_with(BEGINS)
}

/// Writes what a bundle begins with.
///
/// # Errors
/// If it cannot be written.
pub fn begin(out: &mut impl Write) -> io::Result<()> {
    put(out, &Line::Bundle { version: VERSION })
}

/// Adds a saved run: what there is of its record now.
///
/// # Errors
/// If its record cannot be read, or the bundle not be written.
pub fn add(out: &mut impl Write, run: &Saved) -> io::Result<()> {
    let file = File::open(&run.path)?;
    let bytes = file.metadata()?.len();
    put(
        out,
        &Line::Run(Bundled {
            id: run.id.clone(),
            names: run.names.clone(),
            labels: run.labels.clone(),
            bytes,
        }),
    )?;
    let copied = io::copy(&mut file.take(bytes), out)?;
    if copied < bytes {
        let why = format!("{} was cut while it was read", run.path.display());
        return Err(io::Error::other(why));
    }
    // A record whose writer was killed may end within a line.
    out.write_all(b"\n")
}

fn put(out: &mut impl Write, line: &Line) -> io::Result<()> {
    serde_json::to_writer(EscapingWriter::new(&mut *out, Escapes::Json), line)?;
    out.write_all(b"\n")
}

/// Calls `with` for each run and its record, in order; a record alone is a run without labels. `source` names
/// the file in errors.
///
/// # Errors
/// If it cannot be read, is neither bundle nor record, or ends before a record does; or what `with` returns.
pub fn each<E: From<ReadError>>(
    mut reader: impl BufRead + Send,
    source: &str,
    mut with: impl FnMut(&Bundled, &mut (dyn BufRead + Send)) -> Result<(), E>,
) -> Result<(), E> {
    let changed = |reason: String| ReadError::Bundle { source: source.to_owned(), reason };
    let first = line(&mut reader, source)?;
    if !is_bundle(&first) {
        let run = alone(&first, source)?;
        return with(&run, &mut Cursor::new(first).chain(reader));
    }
    match parsed(&first).map_err(changed)? {
        Line::Bundle { version } if version <= VERSION => {}
        Line::Bundle { version } => {
            let version = version.into();
            return Err(ReadError::TooNew { source: source.to_owned(), version }.into());
        }
        Line::Run(_) => return Err(changed("its first line is no `bundle`".to_owned()).into()),
    }
    loop {
        let next = line(&mut reader, source)?;
        if next.is_empty() {
            return Ok(());
        }
        let run = match parsed(&next).map_err(changed)? {
            Line::Run(run) => run,
            Line::Bundle { .. } => {
                return Err(changed("two bundles were put together".to_owned()).into());
            }
        };
        let mut record = Whole(reader.by_ref().take(run.bytes));
        let done = with(&run, &mut record);
        if let Err(error) = done.and_then(|()| record.finish(source).map_err(E::from)) {
            let (of, name) = (run.bytes, run.called());
            return Err(match record.missing() {
                0 if record.is_followed().unwrap_or(true) => error,
                0 => changed(format!("{name} is longer than it was")).into(),
                missing => {
                    changed(format!("{} of {of} bytes of {name} are there", of - missing)).into()
                }
            });
        }
        reader.consume(1);
    }
}

/// A record within a bundle, which is there to its end or cannot be read: nobody takes a part for the whole.
struct Whole<R>(Take<R>);

impl<R: BufRead> Whole<R> {
    /// Reads what is left of it.
    fn finish(&mut self, source: &str) -> Result<(), ReadError> {
        let rest = io::copy(self, &mut io::sink());
        rest.map(|_| ()).map_err(|error| io_error(source, &error))
    }

    /// How many bytes are not there, if it was read as far as it is.
    fn missing(&mut self) -> u64 {
        match self.0.fill_buf() {
            Ok([]) => self.0.limit(),
            _ => 0,
        }
    }

    /// Whether it is at its end, or not read so far.
    fn is_followed(&mut self) -> io::Result<bool> {
        Ok(self.0.limit() > 0 || self.0.get_mut().fill_buf()?.first() == Some(&b'\n'))
    }
}

impl<R: BufRead> BufRead for Whole<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !self.is_followed()? {
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                "the record goes on behind its end",
            ));
        }
        let left = self.0.limit();
        let bytes = self.0.fill_buf()?;
        if bytes.is_empty() && left > 0 {
            return Err(io::Error::new(
                ErrorKind::UnexpectedEof,
                "the bundle ends within a record",
            ));
        }
        Ok(bytes)
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

impl<R: BufRead> Read for Whole<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = self.fill_buf()?;
        let read = bytes.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// A record that is no part of a bundle, by its first line.
fn alone(first: &[u8], source: &str) -> Result<Bundled, ReadError> {
    let header = parse_header(first, source)?;
    let no_id = || ReadError::Header {
        source: source.to_owned(),
        reason: "it has no id to be saved by".to_owned(),
    };
    Ok(Bundled { id: header.id.ok_or_else(no_id)?, ..Bundled::default() })
}

/// The next line around records, with its newline; empty at the end.
fn line(reader: &mut impl BufRead, source: &str) -> Result<Vec<u8>, ReadError> {
    let mut line = Vec::new();
    let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
    read.map_err(|error| io_error(source, &error))?;
    Ok(line)
}

fn io_error(source: &str, error: &io::Error) -> ReadError {
    ReadError::Io { source: source.to_owned(), line: 1, why: os_reason(error) }
}

fn parsed(line: &[u8]) -> Result<Line, String> {
    let why = |error| format!("a line `run` was expected: {}", json_reason(&error));
    serde_json::from_slice(line).map_err(why)
}
