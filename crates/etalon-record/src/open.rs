//! The front door for data: a path, a stream or bytes become a run set of a dataset.
//!
//! Owns opening the file, once, and recognising its format from its first bytes, whatever it is called;
//! foreign formats plug in at [`detect`]. Refuses names of saved runs (`@last`):
//! [`crate::store::Store::resolve`] turns those into paths first.

#![expect(clippy::disallowed_methods, reason = "the front door opens files")]

mod format;
mod problems;
mod whole;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Write};
use std::path::Path;

use etalon_core::dataset::{Dataset, Problem, Reason, RunSetId};
use etalon_core::model::Note;

use crate::bundle;
use crate::foreign::bestguess::{self, Rss};
use crate::foreign::decode::Decoded;
use crate::foreign::go::{self, events};
use crate::foreign::harness::results::Part;
use crate::foreign::harness::{self, HarnessFormat};
use crate::foreign::hyperfine;
use crate::foreign::plain;
use crate::inputs::Input;
use crate::raw::{self, CopyError, ReadError, Strictness, os_reason};
use format::{CHUNK, beginning, utf16};
pub use format::{Format, SourceFormat, detect};
pub use whole::whole_text;

/// Opens and reads a file in any format etalon knows.
///
/// # Errors
/// If it cannot be opened or read, is not a format etalon knows, or, with
/// [`Strictness::Strict`], holds a line that cannot be used.
pub fn open(path: &Path, strictness: Strictness) -> Result<Dataset, ReadError> {
    file(path, SourceFormat::Auto)?.read(strictness)
}

/// Opens a file that comes `from` there.
///
/// # Errors
/// If it cannot be opened or read.
pub fn file(path: &Path, from: SourceFormat) -> Result<Opened<'static>, ReadError> {
    let source = path.display().to_string();
    let file = File::open(path).map_err(|error| ReadError::open(path, &error))?;
    if let Some((format, parts)) = whole::directory(path, from)? {
        let opened = Opened::of_parts(source, format, parts);
        return opened.map_err(|error| ReadError::open(path, &error));
    }
    let mut opened = Opened::new(BufReader::with_capacity(CHUNK, file), &source, from)?;
    if let Some(format) = opened.harness() {
        opened.beside = whole::beside(path, format);
    }
    Ok(opened)
}

/// Reads bytes in any format etalon knows. Never panics, whatever they are. `source` names them in errors and
/// notes.
///
/// ```
/// use etalon_record::{Strictness, open};
///
/// let printed = b"goos: linux\nBenchmarkDecode-8 \t1000\t1021 ns/op\t64 B/op\nPASS\n";
/// let data = open::read_bytes(printed, "new.txt", open::SourceFormat::Auto, Strictness::Lenient)?;
/// assert_eq!(data.len(), 1);
/// assert_eq!(data.name_of(0).full(), "Decode-8");
/// let values: Vec<f64> = data.row(0).map(|value| data.number(value)).collect();
/// assert_eq!(values, [1.021e-6, 64.0]); // in sec/op and B/op
/// # Ok::<(), etalon_record::ReadError>(())
/// ```
///
/// # Errors
/// As [`open`], without the file.
pub fn read_bytes(
    bytes: &[u8],
    source: &str,
    from: SourceFormat,
    strictness: Strictness,
) -> Result<Dataset, ReadError> {
    Opened::new(bytes, source, from)?.read(strictness)
}

/// A source whose format is known. It is read once, from its beginning: a pipe has no second time.
pub struct Opened<'r> {
    source: String,
    from: SourceFormat,
    found: Format,
    /// The bytes by which it was recognised.
    beginning: Vec<u8>,
    /// The bytes that follow.
    text: Decoded<Box<dyn BufRead + Send + 'r>>,
    /// Where its lines stand in the file, if they were taken out of events of `go test -json`.
    lines: Option<Lines>,
    /// Files that are read with it, of harnesses that write several.
    beside: Vec<Part>,
}

impl<'r> Opened<'r> {
    /// Recognises a stream that comes `from` there. `source` names it in errors and notes. UTF-16 with a
    /// byte order mark is read as the text it is.
    ///
    /// # Errors
    /// If it cannot be read, or is UTF-16 without a byte order mark.
    pub fn new(
        reader: impl BufRead + Send + 'r,
        source: &str,
        from: SourceFormat,
    ) -> Result<Opened<'r>, ReadError> {
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::IsADirectory => ReadError::Directory { source: source.to_owned() },
            _ => ReadError::Io { source: source.to_owned(), line: 1, why: os_reason(&error) },
        };
        let reader = whole::decompressed(reader).map_err(failed)?;
        let mut text = Decoded::new(reader).map_err(failed)?;
        let mut beginning = beginning(&mut text).map_err(failed)?;
        if let Some(encoding) = utf16(&beginning) {
            return Err(ReadError::Utf16 { source: source.to_owned(), encoding });
        }
        let mut found = detect(&beginning);
        if from == SourceFormat::Auto && is_to_be_seen(&found) {
            // Results of Go may come after anything, lines of JSON included; what harness writes it, its keys say.
            text.by_ref().take(CHUNK as u64).read_to_end(&mut beginning).map_err(failed)?;
            found = detect(&beginning);
        }
        let mut lines = None;
        if matches!(from, SourceFormat::Auto | SourceFormat::Go) && events::is_beginning(&beginning)
        {
            text.read_to_end(&mut beginning).map_err(failed)?;
            let printed = events::printed(&beginning);
            (beginning, lines, found) = (
                printed.text,
                Some(Lines { of_text: printed.lines, torn: printed.torn }),
                Format::Go,
            );
        }
        let (source, beside) = (source.to_owned(), Vec::new());
        Ok(Opened { source, from, found, beginning, text, lines, beside })
    }

    /// A directory whose files are read together.
    fn of_parts(
        source: String,
        format: HarnessFormat,
        beside: Vec<Part>,
    ) -> io::Result<Opened<'r>> {
        let (from, found) = (SourceFormat::Harness(format), Format::Harness(format));
        let reader: Box<dyn BufRead + Send + 'r> = Box::new(io::empty());
        let (beginning, text) = (Vec::new(), Decoded::new(reader)?);
        Ok(Opened { source, from, found, beginning, text, lines: None, beside })
    }

    /// The harness whose results it is read as.
    #[must_use]
    pub fn harness(&self) -> Option<HarnessFormat> {
        match (self.from, &self.found) {
            (SourceFormat::Harness(format), _) => Some(format),
            (SourceFormat::Auto, Format::Harness(format)) => Some(*format),
            _ => None,
        }
    }

    /// Whether it is read as Go's benchmarks: because its beginning is, or because it comes from there.
    #[must_use]
    pub fn is_go(&self) -> bool {
        match self.from {
            SourceFormat::Auto => self.found == Format::Go,
            from => from == SourceFormat::Go,
        }
    }

    /// Whether it is read as a record: because its beginning is, or because it comes from there.
    #[must_use]
    pub fn is_record(&self) -> bool {
        match self.from {
            SourceFormat::Auto => self.found == Format::Record,
            from => from == SourceFormat::Etalon && !self.is_bundle(),
        }
    }

    /// Whether it is read as a bundle.
    #[must_use]
    pub fn is_bundle(&self) -> bool {
        matches!(self.from, SourceFormat::Auto | SourceFormat::Etalon)
            && self.found == Format::Bundle
    }

    /// Copies a record as it is, byte for byte but for a UTF-16 one, while it is checked; what was read of it,
    /// without values.
    ///
    /// # Errors
    /// As [`raw::copy`].
    pub fn copy_record(
        self,
        strictness: Strictness,
        out: impl Write + Send,
    ) -> Result<Dataset, CopyError> {
        let Opened { source, beginning, text, .. } = self;
        let all = Cursor::new(beginning).chain(text);
        raw::copy(all, &Input::unlabelled(&source), strictness, out)
    }

    /// Reads it as a dataset of its own.
    ///
    /// # Errors
    /// As [`Opened::add_to`].
    pub fn read(self, strictness: Strictness) -> Result<Dataset, ReadError> {
        let mut data = Dataset::default();
        let label = self.source.clone();
        self.add_to(&mut data, &label, strictness)?;
        data.shrink_to_fit();
        Ok(data)
    }

    /// Adds it to a dataset as its next run set, `label` being what `.file` says; its index.
    ///
    /// # Errors
    /// If it cannot be read, is in no format etalon knows or in one of Go's without any result, or, with
    /// [`Strictness::Strict`], holds a line that cannot be used. What was read by then is in the dataset.
    pub fn add_to(
        self,
        data: &mut Dataset,
        label: &str,
        strictness: Strictness,
    ) -> Result<RunSetId, ReadError> {
        let (source, is_go) = (self.source.clone(), self.is_go());
        match (self.from, &self.found) {
            (_, Format::Empty) => return Err(ReadError::Empty { source }),
            (SourceFormat::Auto, Format::Unknown { found }) => {
                return Err(ReadError::NotARecord { source, found: found.clone() });
            }
            _ => {}
        }
        let run_set = self.add_any_to(data, label, strictness)?;
        if is_go && !data.has_rows(run_set) {
            let of_set = |problem: &&Problem| problem.run_set == run_set;
            let why = match data.problems.listed.iter().find(of_set) {
                Some(Problem { line: Some(line), reason, .. }) => format!("line {line}: {reason}"),
                _ => "no line is one".to_owned(),
            };
            return Err(ReadError::NoResults { source, why });
        }
        Ok(run_set)
    }

    /// Adds a source that is taken for Go's benchmarks where its format is not known: that allows any
    /// line anywhere. That a source has no rows is the caller's to judge.
    ///
    /// # Errors
    /// If it cannot be read, or, with [`Strictness::Strict`], holds a line that cannot be used.
    pub fn add_any_to(
        self,
        data: &mut Dataset,
        label: &str,
        strictness: Strictness,
    ) -> Result<RunSetId, ReadError> {
        let Opened { source, from, found, beginning, mut text, lines, beside } = self;
        let input = Input { path: source.clone(), label: label.to_owned() };
        let all = Cursor::new(beginning).chain(&mut text);
        let is_go = matches!(
            (from, &found),
            (SourceFormat::Go, _)
                | (SourceFormat::Auto, Format::Go | Format::Unknown { .. } | Format::Empty)
        );
        let run_set = match (from, &found) {
            (SourceFormat::Auto | SourceFormat::Etalon, Format::Bundle) => {
                return runs(data, all, &source, strictness);
            }
            _ if is_go => {
                let known = data.problems.listed.len();
                let read = go::read_into(data, all, &input, strictness);
                match lines {
                    Some(lines) => in_file(read, data, known, &lines),
                    None => read,
                }
            }
            (SourceFormat::Etalon, _) | (SourceFormat::Auto, Format::Record) => {
                raw::read_into(data, all, &input, strictness)
            }
            (SourceFormat::Hyperfine, _) | (SourceFormat::Auto, Format::Hyperfine) => {
                hyperfine::read_into(data, all, &input, strictness)
            }
            (SourceFormat::Harness(format), _) | (SourceFormat::Auto, &Format::Harness(format)) => {
                let parts = whole::parts(all, &source, beside)?;
                harness::read_into(data, format, &parts, (&input, strictness))
            }
            (SourceFormat::Table, _) => plain::read_into(data, all, &input, strictness),
            (SourceFormat::BestguessLinux, _) => {
                bestguess::read_into(data, all, &input, Rss::Kib, strictness)
            }
            _ => bestguess::read_into(data, all, &input, Rss::Bytes, strictness),
        }?;
        if text.replaced() > 0 {
            let count = text.replaced();
            let text = format!("{count} code units are no UTF-16 and are read as U+FFFD");
            data.run_sets[run_set.at()].notes.push(Note::new(source, text));
            if is_go {
                data.problems.add(Problem { run_set, line: None, reason: Reason::NotUtf8 });
            }
        }
        if !is_go {
            problems::list(data, run_set);
        }
        Ok(run_set)
    }
}

/// Whether the first line does not say what a file is.
fn is_to_be_seen(found: &Format) -> bool {
    matches!(found, Format::Unknown { .. } | Format::Record | Format::Hyperfine)
}

/// Where text that was taken out of a file stands in it.
struct Lines {
    /// The line of the file for each of its own.
    of_text: Vec<u64>,
    /// Lines of the file whose text could not be had.
    torn: Vec<u64>,
}

/// The complaint about such a line.
const TORN_EVENT: &str =
    "an event of `go test -json` that other output tore: what it holds is lost";

/// The result of reading lines that were taken out of a file, with their numbers in that; `known` problems are of
/// other files.
fn in_file(
    read: Result<RunSetId, ReadError>,
    data: &mut Dataset,
    known: usize,
    lines: &Lines,
) -> Result<RunSetId, ReadError> {
    let at = |line: u64| {
        let index = usize::try_from(line).ok().and_then(|line| line.checked_sub(1));
        index.and_then(|index| lines.of_text.get(index)).copied().unwrap_or(line)
    };
    let first = known.min(data.problems.listed.len());
    for problem in &mut data.problems.listed[first..] {
        problem.line = problem.line.map(at);
    }
    if let Ok(run_set) = read {
        for line in &lines.torn {
            let reason = Reason::Damaged(TORN_EVENT.to_owned());
            data.problems.add(Problem { run_set, line: Some(*line), reason });
        }
    }
    read.map_err(|error| match error {
        ReadError::BadLine { source, line, reason } => {
            ReadError::BadLine { source, line: at(line), reason }
        }
        other => other,
    })
}

/// Adds the runs of a bundle, each labelled as it is called; the last one's index.
fn runs(
    data: &mut Dataset,
    reader: impl BufRead + Send,
    source: &str,
    strictness: Strictness,
) -> Result<RunSetId, ReadError> {
    let mut last = None;
    bundle::each(reader, source, |run, record| {
        let input =
            Input { path: format!("{source}:{}", run.called()), label: run.called().to_owned() };
        let run_set = raw::read_into(data, record, &input, strictness)?;
        problems::list(data, run_set);
        last = Some(run_set);
        Ok::<(), ReadError>(())
    })?;
    last.ok_or_else(|| ReadError::Empty { source: source.to_owned() })
}
