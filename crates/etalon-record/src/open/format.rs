//! Formats, and recognising one from the beginning of a file.
//!
//! Foreign formats plug in at [`detect`]. Refuses to look at names of files.

use std::io::{self, BufRead, Read};

use crate::bundle;
use crate::foreign::harness::HarnessFormat;
use crate::foreign::{bestguess, go, hyperfine};
use crate::raw::{self, describe};

/// Bytes read at a time, and looked at to recognise a format. Because: below the cache size of a
/// core, and larger ones were not faster.
pub(super) const CHUNK: usize = 64 * 1024;

/// A format, as the first bytes of a file say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// etalon's own record.
    Record,
    /// Several of them.
    Bundle,
    /// BestGuess's raw data, or rows of `-o FILE.csv`.
    Bestguess,
    /// hyperfine's `--export-json`.
    Hyperfine,
    /// The output of `go test -bench`.
    Go,
    /// Results of a harness.
    Harness(HarnessFormat),
    /// Nothing at all.
    Empty,
    /// None of those etalon reads.
    Unknown {
        /// A description of its beginning.
        found: String,
    },
}

/// Where a file comes from, if that is known better than its first bytes say it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SourceFormat {
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
    /// A plain table: CSV, or with tabs, under headings.
    Table,
    /// A harness.
    Harness(HarnessFormat),
}

impl SourceFormat {
    /// Those of no harness with the names they have on the command line.
    const NAMES: [(&'static str, SourceFormat); 7] = [
        ("auto", SourceFormat::Auto),
        ("bestguess", SourceFormat::Bestguess),
        ("bestguess-linux", SourceFormat::BestguessLinux),
        ("hyperfine", SourceFormat::Hyperfine),
        ("go", SourceFormat::Go),
        ("etalon", SourceFormat::Etalon),
        ("table", SourceFormat::Table),
    ];

    /// All of them with the names they have on the command line.
    pub fn names() -> impl Iterator<Item = (&'static str, SourceFormat)> + Clone {
        let harnesses = HarnessFormat::ALL.into_iter();
        let harnesses = harnesses.map(|(name, format)| (name, SourceFormat::Harness(format)));
        SourceFormat::NAMES.into_iter().chain(harnesses)
    }

    /// The one of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<SourceFormat> {
        SourceFormat::names().find(|(known, _)| *known == name).map(|(_, format)| format)
    }
}

/// Recognises a format from the beginning of a file, which has to reach to its first key or the end
/// of its first line.
#[must_use]
pub fn detect(beginning: &[u8]) -> Format {
    if beginning.is_empty() {
        return Format::Empty;
    }
    let start = beginning.trim_ascii_start();
    if start.starts_with(raw::BEGINNING) {
        return Format::Record;
    }
    if bundle::is_bundle(start) {
        return Format::Bundle;
    }
    if let Some(format) = HarnessFormat::recognised(beginning) {
        return Format::Harness(format);
    }
    match start {
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

/// The encoding of text that is UTF-16 and does not say so: its first characters are ASCII, each with a zero byte.
/// No format that is read has zero bytes.
pub(super) fn utf16(beginning: &[u8]) -> Option<&'static str> {
    let (pairs, _) = beginning.as_chunks::<2>();
    let first = pairs.get(..2)?;
    let is_ascii = |byte: u8| byte != 0 && byte.is_ascii();
    if first.iter().all(|[low, high]| is_ascii(*low) && *high == 0) {
        return Some("UTF-16LE");
    }
    first.iter().all(|[high, low]| *high == 0 && is_ascii(*low)).then_some("UTF-16BE")
}

/// The first key of an object whose brace came before.
fn first_key(object: &[u8]) -> Option<&[u8]> {
    let key = object.trim_ascii_start().strip_prefix(b"\"")?;
    key.split(|b| *b == b'"').next().filter(|found| found.len() < key.len())
}

/// Enough of a stream to recognise it by: lines up to the first that says something, and of JSON
/// enough for a key. At most [`CHUNK`] and a line.
pub(super) fn beginning(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
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
